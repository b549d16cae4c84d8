/* fixed_point.c: masks as whole numbers. */
#include "gpu/convolve/fixed_point.h"
#include "gpu/convolve/rounding.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISE         73.9  /* standard deviation of a u8 value that is equally likely to be any, */
#define MEAN          127.5 /* and its mean */
#define SUM_MAX       ((2147483647.0 - 0x1p27) / 255 - MASK_MAX) /* half the scale is added to it */
#define MULTIPLY_UNIT 0x1p32
#define SPREAD        0.5  /* more in the squares of rounding, for each step that is spread */
#define GOOD_ERROR    6e-4 /* shifting costs less than multiplying: no other scale is looked for */

enum { EXPONENT_MAX = 24, SEARCHES = 4096, KEPT_SEARCHES = 8 };

typedef struct Extent {
    double max, sum; /* of |weight| */
    bool whole;
} Extent;

static Extent extent_of(const Mask *mask) {
    Extent extent = {.whole = true};
    for (int i = 0; i < mask->width * mask->height; i++) {
        const double weight = (double)mask->weights[i];
        extent.max = fmax(extent.max, fabs(weight));
        extent.sum += fabs(weight);
        extent.whole &= weight == rint(weight);
    }
    return extent;
}

/* A search, and its result. */
typedef struct Search {
    FixedPointLoss *loss;
    int steps, count;
    double of[FIXED_POINT_SEARCHED + 2]; /* the first candidate, the step, and the weights */
    double best;
} Search;

static bool same_search(const Search *a, const Search *b) {
    return a->loss == b->loss && a->steps == b->steps && a->count == b->count &&
           memcmp(a->of, b->of, ((size_t)a->count + 2) * sizeof a->of[0]) == 0;
}

static DistinctWeights distinct(const double *weights, int count) {
    DistinctWeights found = {.count = 0};
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < found.count && (found.weights[at] < weights[i] || found.weights[at] > weights[i]))
            at++;
        found.weights[at] = weights[i];
        found.times[at] += 1;
        found.count += at == found.count;
    }
    return found;
}

/* Every level, and every border, asks for the same masks: the last few answers are kept. */
double fixed_point_search(FixedPointLoss *loss, const double *weights, int count, double first, double step,
                          int steps) {
    static _Thread_local Search kept[KEPT_SEARCHES];
    static _Thread_local unsigned next;
    Search search = {.loss = loss, .steps = steps, .count = count, .of = {first, step}, .best = first};
    memcpy(search.of + 2, weights, (size_t)count * sizeof *weights);
    for (int i = 0; i < KEPT_SEARCHES; i++)
        if (same_search(&kept[i], &search))
            return kept[i].best;
    const DistinctWeights of = distinct(weights, count);
    double min = INFINITY;
    for (int i = 0; i < steps; i++) {
        const double lost = loss(&of, first + i * step);
        if (lost < min) {
            min = lost;
            search.best = first + i * step;
        }
    }
    kept[next++ % KEPT_SEARCHES] = search;
    return search.best;
}

double fixed_point_error(const DistinctWeights *of, double scale) {
    double sum = 0, squares = 0;
    for (int i = 0; i < of->count; i++) {
        const double exact = of->weights[i] * scale, rest = exact - rint(exact);
        sum += of->times[i] * rest;
        squares += of->times[i] * rest * rest;
    }
    const double steps = rint(sum);
    sum -= steps;
    squares += SPREAD * fabs(steps);
    return sqrt(NOISE * NOISE * squares + MEAN * MEAN * sum * sum) / scale;
}

static double error_by(const DistinctWeights *of, double multiplier) {
    return fixed_point_error(of, MULTIPLY_UNIT / multiplier);
}

/* The multiplier whose scale leaves least to round, among those that use the 15th bit. With few different weights, as
 * gaussians have, some of these nearly fit all. 0: a scale of a power of two is as good, or good enough. */
static int better_multiplier(const Mask *mask, double scale_max, double scale) {
    double weights[FIXED_POINT_SEARCHED];
    const int count = mask->width * mask->height;
    for (int i = 0; i < count; i++)
        weights[i] = (double)mask->weights[i];
    const DistinctWeights of = distinct(weights, count);
    const double error = fixed_point_error(&of, scale), first = ceil(MULTIPLY_UNIT / scale_max);
    if (!(error > GOOD_ERROR * fabs((double)mask->divisor)))
        return 0;
    const double best = fixed_point_search(error_by, weights, count, first, fmax(1, floor(first / SEARCHES)), SEARCHES);
    return error_by(&of, best) < error ? (int)best : 0;
}

/* The weight whose rounding gains most by `step` more. */
static int most_willing(const Mask *mask, const FixedPointMask *result, int step) {
    int best = 0;
    double max = -INFINITY;
    for (int i = 0; i < mask->width * mask->height; i++) {
        const double rest = ((double)mask->weights[i] * result->scale - result->whole[i]) * step;
        if (rest > max) {
            max = rest;
            best = i;
        }
    }
    return best;
}

/* Rounds, and spreads the rounding of the sum over the weights that it changes least. */
static void round_weights(const Mask *mask, FixedPointMask *result) {
    const int count = mask->width * mask->height;
    double sum = 0, squares = 0, rests = 0;
    for (int i = 0; i < count; i++) {
        const double exact = (double)mask->weights[i] * result->scale;
        result->whole[i] = (short)rint(exact);
        sum += exact - result->whole[i];
    }
    const int step = sum < 0 ? -1 : 1;
    for (int left = (int)rint(fabs(sum)); left > 0; left--) {
        const int i = most_willing(mask, result, step);
        result->whole[i] = (short)(result->whole[i] + step);
    }
    for (int i = 0; i < count; i++) {
        const double rest = (double)mask->weights[i] * result->scale - result->whole[i];
        squares += rest * rest;
        rests += rest;
    }
    result->error =
        sqrt(NOISE * NOISE * squares + MEAN * MEAN * rests * rests) / (result->scale * fabs((double)mask->divisor));
}

/* Scales of powers of two only, unless `any_scale`. */
static Status make_whole(const Mask *mask, bool any_scale, int exponent_max, FixedPointMask *result) {
    const size_t count = (size_t)mask->width * (size_t)mask->height;
    const Extent extent = extent_of(mask);
    const double scale_max = extent.sum > 0 ? fmin((FIXED_POINT_MAX - 1) / extent.max, SUM_MAX / extent.sum) : 1;
    const int bits = (int)fmax(fmin(floor(log2(scale_max)), exponent_max), -EXPONENT_MAX);
    *result = (FixedPointMask){.power_of_two = true,
                               .exponent = extent.whole && bits > 0 ? 0 : bits,
                               .bytes = extent.whole && extent.max <= 127 ? 1 : 2,
                               .whole = calloc(count, sizeof *result->whole)};
    if (!result->whole)
        return fail(STATUS_DEVICE, "no memory to round a mask");
    result->scale = ldexp(1, result->exponent);
    if (bits < 2) {
        result->error = INFINITY;
        if (!extent.whole || bits < 0)
            return STATUS_OK;
    }
    result->multiplier = result->exponent < 2 ? 0 : (int)ldexp(MULTIPLY_UNIT, -result->exponent);
    const bool searched = any_scale && !extent.whole && count <= FIXED_POINT_SEARCHED;
    const int multiplier = searched ? better_multiplier(mask, scale_max, result->scale) : 0;
    if (multiplier > 0) {
        result->power_of_two = false;
        result->multiplier = multiplier;
        result->scale = MULTIPLY_UNIT / multiplier;
    }
    round_weights(mask, result);
    return STATUS_OK;
}

Status fixed_point_mask(const Mask *mask, FixedPointMask *result) {
    return make_whole(mask, true, EXPONENT_MAX, result);
}

Status fixed_point_mask_up_to(const Mask *mask, int exponent_max, FixedPointMask *result) {
    return make_whole(mask, false, exponent_max, result);
}

void fixed_point_mask_free(FixedPointMask *whole) {
    free(whole->whole);
    *whole = (FixedPointMask){0};
}
