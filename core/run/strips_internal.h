/* strips_internal.h: the structs and functions that the files of strips share.
 * strips_reach.c     how far rows of the result are from the rows of the picture that they need
 * strips_cut.c       where pictures are cut, and the plans of strips
 * strips_periodic.c  a picture that continues periodically
 * strips.c           the passage: source, strips, sink */
#ifndef GLINT_CORE_RUN_STRIPS_INTERNAL_H
#define GLINT_CORE_RUN_STRIPS_INTERNAL_H

#include "core/plan/plan_internal.h"
#include "core/run/strips.h"
#include "core/stage/op_parts.h"

enum { STEP_MAX = 1080 /* rows */ };

/* Stages between two that change the picture's height. */
typedef struct Band {
    size_t height;
    size_t rows;           /* how far rows at its end are from rows at its beginning that they depend on */
    size_t step;           /* groups of rows begin at multiples of this */
    const PlanStage *from; /* the stage that makes its first rows; NULL: they are the picture's */
} Band;

typedef struct Reach {
    Band bands[PLAN_BANDS + 1];
    size_t count;    /* of these */
    size_t gathered; /* stages whose results are gathered over all parts */
    bool bounded;    /* somewhere, values beyond the first and the last row are made up; */
    bool periodic;   /* somewhere, these are the neighbours of each other */
    bool placed;     /* somewhere, it matters which rows they are */
    bool local;      /* strips will do */
} Reach;

static inline size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

/* ---- strips_reach.c ---- */

/* The reach of the first `count` stages. */
Reach strips_reach_of(const Plan *plan, size_t count);
Reach strips_reach(const Plan *plan);
/* Rows at a cut that are wrong before a stage that is stitched, and so for stages that read the stitched result. */
size_t strips_margin(const Plan *plan, const PlanStage *planned);
/* Rows of the result from the beginning of a strip to that of the next. */
size_t strips_advance(const Strips *strips);
/* Where the rows of each band, from number `least` on, begin if those of the last one begin at `top`. */
void strips_tops(const Reach *whole, const Strips *strips, size_t least, size_t top, size_t *tops);
/* Finds how many rows of each band make those of the last one; false if they come in another order, or all at once. */
bool strips_bands(const Reach *whole, Strips *strips);

/* ---- strips_cut.c ---- */

/* The shape of the results of all strips that are stitched. */
Shape strips_table_shape(const Strips *strips, Shape result);

/* ---- strips_periodic.c ---- */

/* A picture with its last rows above it, and its first ones below it. */
typedef struct Periodic {
    RowSource source; /* first, so that a RowSource is a Periodic */
    RowSource *once;
    size_t around, next;
    Image *head, *tail;
} Periodic;

/* Reads `once` to its end, rewinds it, and makes periodic->source of it. */
Status periodic_begin(Periodic *periodic, RowSource *once, size_t around);
void periodic_end(Periodic *periodic);

#endif
