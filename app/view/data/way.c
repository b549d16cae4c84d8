/* way.c: choosing a slider's scale. */
#include "app/view/data/way.h"

#include <math.h>
#include <string.h>

#define DECADES_RATIO 1e4    /* of limits that are so far apart, one alone would fill half of the slider */
#define SMALL         0.2    /* shares of the slider that the typical value takes: of a range from about 0, */
#define TINY          2.2e-3 /* and of one that is there to refuse nothing; */
#define SMALL_MIDDLE  0.01   /* of a range to both sides of 0: angles and stops go evenly */

/* Lengths end at this part of the picture's side, if that is so many times the default or 1 pixel. */
#define SIDE_PARTS    50
#define TYPICAL_TIMES 10

bool counts_places(const Param *param) {
    return param_counts_lines(param) || strcmp(param->unit, PARAM_SHARE) == 0;
}

static bool has_both_sides(double min, double max) {
    return min < 0 && max > 0 && fabs(min + max) < 1e-9 * max;
}

/* The default, or 1, which changes nothing, is in the middle of the decades; or there are very many. */
static bool goes_by_decades(const Param *param) {
    const double middle = log(param->min * param->max) / 2;
    return param->min > 0 && (fabs(middle - log(param->default_value)) < 1e-9 || fabs(middle) < 1e-9 ||
                              param->max / param->min >= DECADES_RATIO * (1 - 1e-9));
}

static double power_of(const Param *param) {
    const bool both = has_both_sides(param->min, param->max), above = param->min > -0.1 * param->max;
    const double from = both ? 0 : param->min, range = param->max - from;
    const double typical = fmax(fabs(param->default_value - from), param->step) / range;
    if (!(range > 0) || !(both || above) || typical > (both ? SMALL_MIDDLE * (1 + 1e-9) : SMALL))
        return 1;
    return typical < TINY ? 6 : 3;
}

Way way_of(const Param *param) {
    if (counts_places(param))
        return (Way){param->min, param->max, false, 1};
    if (goes_by_decades(param))
        return (Way){param->min, param->max, true, 1};
    return (Way){param->min, param->max, false, power_of(param)};
}

Way way_for_side(const Param *param, double side) {
    Param fitted = *param;
    const bool length = param->kind == PARAM_NUMBER && param->min >= 0 && strcmp(param->unit, "pixels") == 0;
    if (length && side > 0)
        fitted.max = fmin(param->max, fmax(side / SIDE_PARTS, TYPICAL_TIMES * fmax(param->default_value, 1)));
    return way_of(&fitted);
}

double way_value(const Way *way, double place) {
    if (way->decades)
        return way->min * pow(way->max / way->min, place);
    if (!has_both_sides(way->min, way->max))
        return way->min + (way->max - way->min) * pow(place, way->power);
    return way->max * copysign(pow(fabs(2 * place - 1), way->power), 2 * place - 1);
}

double way_place(const Way *way, double value) {
    const double within = fmin(fmax(value, way->min), way->max);
    if (way->decades)
        return log(within / way->min) / log(way->max / way->min);
    if (!has_both_sides(way->min, way->max))
        return pow((within - way->min) / (way->max - way->min), 1 / way->power);
    return 0.5 + copysign(pow(fabs(within) / way->max, 1 / way->power), within) / 2;
}
