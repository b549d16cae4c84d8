/* tuned.c: a table of measured times, and the times between its points. */
#include "core/device/tuned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

#define MS_MAX   1e9
#define AXIS_MAX 64.0 /* logarithms to base 2 */
#define SAME     1e-6 /* a point at this distance is the stage itself */

Status tuned_create(const char *date, Tuned **tuned) {
    *tuned = calloc(1, sizeof **tuned);
    if (!*tuned)
        return fail(STATUS_DEVICE, "no memory for a table of times");
    snprintf((*tuned)->date, sizeof(*tuned)->date, "%s", date);
    return STATUS_OK;
}

static bool times_valid(const TunedPoint *point) {
    for (size_t i = 0; i < point->count; i++) {
        const TunedTime *time = &point->times[i];
        if (!time->level || time->level->op != point->op || !(time->ms > 0 && time->ms <= MS_MAX))
            return false;
        for (size_t k = 0; k < i; k++)
            if (point->times[k].level == time->level)
                return false;
    }
    return point->count > 0 && point->count <= TUNED_LEVELS;
}

static bool features_valid(const Features *features) {
    for (int i = 0; i < FEATURE_AXES; i++)
        if (!(fabs(features->axes[i]) <= AXIS_MAX))
            return false;
    return memchr(features->kind, '\0', sizeof features->kind) != NULL;
}

Status tuned_add(Tuned *tuned, const TunedPoint *point) {
    if (!features_valid(&point->features) || point->count > TUNED_LEVELS || !times_valid(point))
        return fail(STATUS_INPUT, "a table of times: a point that nobody measured");
    if (tuned->count == TUNED_POINTS)
        return fail(STATUS_INPUT, "a table of times: more than %d points", TUNED_POINTS);
    if (!ARRAY_ROOM(tuned->points, tuned->capacity, tuned->count + 1))
        return fail(STATUS_DEVICE, "no memory for a table of times");
    tuned->points[tuned->count++] = *point;
    return STATUS_OK;
}

/* The level's time at the point; where it was left out, as much as it took at least. */
static double time_at(const TunedPoint *point, const Level *level, bool *measured) {
    double min = INFINITY;
    for (size_t i = 0; i < point->count; i++) {
        if (point->times[i].level == level) {
            *measured = true;
            return point->times[i].ms;
        }
        min = fmin(min, point->times[i].ms);
    }
    return TUNED_SLOWER * min;
}

double tuned_estimate(const Tuned *tuned, const Level *level, const Features *features) {
    double sum = 0, weights = 0, nearest = INFINITY;
    bool measured = false;
    for (size_t i = 0; i < tuned->count; i++) {
        const TunedPoint *point = &tuned->points[i];
        if (point->op != level->op || strcmp(point->features.kind, features->kind) != 0)
            continue;
        double square = 0;
        for (int axis = 0; axis < FEATURE_AXES; axis++) {
            const double away = point->features.axes[axis] - features->axes[axis];
            square += away * away;
        }
        nearest = fmin(nearest, square);
        const double weight = 1 / fmax(square * square, SAME * SAME * SAME * SAME);
        sum += weight * log(time_at(point, level, &measured));
        weights += weight;
    }
    return measured && nearest <= TUNED_FAR * TUNED_FAR ? exp(sum / weights) : INFINITY;
}

void tuned_destroy(Tuned **tuned) {
    if (*tuned)
        free((*tuned)->points);
    free(*tuned);
    *tuned = NULL;
}
