/* tuned.h: the times that levels took on a device, as measured there: the table that `best` asks first.
 * Owns the table and the estimate between its points. It chooses among levels that accept a stage, so a wrong table
 * costs time and never a result. */
#ifndef GLINT_CORE_DEVICE_TUNED_H
#define GLINT_CORE_DEVICE_TUNED_H

#include "core/device/backend.h"
#include "core/stage/op.h"

enum { TUNED_POINTS = 4096, TUNED_LEVELS = 32 };
#define TUNED_FAR    2.0 /* from the nearest point of its kind: further away nothing is known */
#define TUNED_SLOWER 4.0 /* times the fastest: the time assumed of a level that was left out at a point */

typedef struct TunedTime {
    const Level *level;
    double ms;
} TunedTime;

/* A job that was timed. */
typedef struct TunedPoint {
    const Op *op;
    Features features;
    size_t count;
    TunedTime times[TUNED_LEVELS]; /* of the levels that were not far slower than others */
} TunedPoint;

typedef struct Tuned {
    char date[32]; /* when it was measured, for people */
    size_t count, capacity;
    TunedPoint *points;
} Tuned;

/* An empty table. STATUS_DEVICE if memory is short. */
Status tuned_create(const char *date, Tuned **tuned);
/* Adds a copy of the point. STATUS_INPUT if a number is none that can be measured, a level is of another operation or
 * there twice, or there is no level. STATUS_INPUT also beyond TUNED_POINTS; STATUS_DEVICE if memory is short. */
Status tuned_add(Tuned *tuned, const TunedPoint *point);
/* Estimated ms of the level for a stage of these features. It is the mean of the logarithms at points of one operation
 * and kind, weighted by nearness. Infinite if no such point has the level, or all are further than TUNED_FAR away. */
double tuned_estimate(const Tuned *tuned, const Level *level, const Features *features);
void tuned_destroy(Tuned **tuned); /* accepts NULL, nulls the pointer */

#endif
