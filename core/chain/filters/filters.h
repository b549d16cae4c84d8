/* filters.h: shared by the descriptors in this folder. */
#ifndef GLINT_CORE_CHAIN_FILTERS_FILTERS_H
#define GLINT_CORE_CHAIN_FILTERS_FILTERS_H

#include "core/chain/filter.h"
#include "core/ops/curve.h"
#include "core/ops/histogram.h"
#include "core/ops/lookup.h"

#include "core/ops/move.h"
#include "core/ops/warp.h"
#include "core/param/formula.h"
#include "core/plan/plan_part.h"

#include <math.h>

/* filters.def expanded to declarations: extern const Filter filter_gaussian, ... */
#define FILTER(name) extern const Filter filter_##name;
#include "core/chain/filters/filters.def"
#undef FILTER

#define PARAM_TABLE(params, Values)                                                                                    \
    { params, sizeof(params) / sizeof((params)[0]), sizeof(Values) }

/* The parameters of filters whose results may be negative. */
#define PARAM_SIGNED(Values)                                                                                           \
    {"scale", "factor on the result", "", PARAM_NUMBER, offsetof(Values, scale), 0.05, 1, 20, 0.05}, {                 \
        "bias", "added to the result, so that negative values show", PARAM_STORED, PARAM_NUMBER,                       \
            offsetof(Values, bias), -65535, 0, 65535, 8                                                                \
    }

/* The image of the PARAM_IMAGE of this name, read by the kind of data that its row names. Without one, the picture as
 * it was before the chain. Fails as plan_image and plan_picture do. */
Status plan_input(Plan *plan, const Filter *filter, const char *name, const void *values, int *value);

/* Weights of masks that areas come to: at most this is rounding, and counts as 0. */
#define MASK_NOTHING 1e-9
/* The side of a mask that reaches `extent` to each side of its middle pixel's centre. */
static inline int mask_side(double extent) {
    return 2 * (int)ceil(extent - 0.5 - MASK_NOTHING) + 1;
}

/* Appends a 3 x 3 convolution, divided by `divisor`; border, alpha and type are the plan's and the value's. */
Status plan_convolve_3x3(Plan *plan, int in, const float weights[9], double divisor, double bias, PixelType type,
                         int *out);

/* Appends a point function of `in` with `count` parameters, stored as `in` is. */
Status plan_function(Plan *plan, PointFunction function, const double *parameters, int count, int in, int *out);
/* Appends a point function of `in` with `count` parameters, of which the first channel alone is stored, as f32. */
Status plan_single(Plan *plan, PointFunction function, const double *parameters, int count, const int in[STAGE_INPUTS],
                   int *out);
/* The steps from 0 to 1 that values below 2^bits are whole numbers of. Their sums in double over a picture are exact
 * then, whatever the order. */
double exact_steps(Shape picture, int bits);
/* Appends a colour matrix, stored as `in` is. Each colour of the result has its factors on red, green and blue, and a
 * summand, 1 being white. A gray picture becomes the Rec. 709 luma of the colour that gray becomes. */
Status plan_matrix(Plan *plan, const double matrix[12], int in, int *out);
/* Appends a formula (core/param/formula.h) of the picture in[0] and of further ones, with these names, and w and h, the
 * size of the whole picture. It is stored as in[0] is. Colours are straight, and premultiplied ones become so again.
 * Fails as formula_parse does. */
Status plan_formula(Plan *plan, const char *text, const FormulaName *names, size_t count, const int in[STAGE_INPUTS],
                    int *out);
/* Appends a formula that makes one value of f32 of each pixel, next to its alpha, in the units of `in`. Colours are
 * those that `in` has, straight or not. */
Status plan_formula_value(Plan *plan, const char *text, const FormulaName *names, size_t count, int in, int *out);
/* The values of a picture that one histogram counts, and the channels that its curve is for. */
typedef enum StatisticsBy {
    BY_CHANNEL, /* each channel by itself, and a curve for each */
    BY_LUMA,    /* the luma, and one curve for all channels */
    BY_ALL,     /* the values of all channels together, and one curve */
} StatisticsBy;
#define STATISTICS_BY "channel|luma|all"

typedef struct Statistics {
    StatisticsBy by;
    double range; /* f32: the largest value counted by itself, times full intensity */
} Statistics;

/* Parameters of every filter by statistics, as Values has them: `by`, of STATISTICS_BY, and `range`. */
#define PARAM_BY(Values, choice)                                                                                       \
    {                                                                                                                  \
        "by", "the counted values: each channel, for a curve of its own, or luma or all values, for one curve",        \
            STATISTICS_BY, PARAM_CHOICE, offsetof(Values, by), 0, choice, 2, 1                                         \
    }
#define PARAM_RANGE(Values)                                                                                            \
    {                                                                                                                  \
        "range", "f32: values from 0 to this are counted, in 65536 bins; larger ones with the largest",                \
            "times full intensity", PARAM_NUMBER, offsetof(Values, range), 0.001, 1, 65536, 0.1                        \
    }

/* Appends a histogram of `in` (or a reduction, where extrema suffice), a curve of this kind and parameters, and a
 * lookup of `in`. The function fills in bins, white and rows. Where alpha counts, pixels that are transparent are not
 * counted. */
Status plan_by_statistics(Plan *plan, int in, Statistics statistics, CurveJob curve, LookupJob lookup, int *out);
/* The same by the statistics of another picture of this type and these channels, as a part of it. */
Status plan_by_statistics_of(Plan *plan, int counted, int in, Statistics statistics, CurveJob curve, LookupJob lookup,
                             int *out);

/* The picture's pixels, for a filter that looks at them before it plans (Filter.reads_picture). False where no picture
 * is at hand. STATUS_USAGE if filters before have moved pixels; STATUS_INPUT if the picture is too large for memory. */
Status plan_look(const Plan *plan, const Filter *filter, ImageView *picture, bool *there);

/* The numbers of `text`, separated by blanks, commas or semicolons; how many, or -1 if it holds something else or more
 * than `max`. */
int filter_numbers(const char *text, double *numbers, int max);

/* The pixels beyond the picture: one pixel everywhere, or those of the border's rule. */
typedef struct Outside {
    BorderMode border;
    float pixel[4]; /* where the border has a value */
} Outside;

/* The parameter of filters that show it; its value is a `char *colour` of their values. */
#define PARAM_COLOUR(Values)                                                                                           \
    {                                                                                                                  \
        .name = "colour",                                                                                              \
        .help = "the value beyond the picture: a number, or one a channel, as in '255 128 0'; "                        \
                "without it, the border's rule holds",                                                                 \
        .unit = PARAM_STORED, .kind = PARAM_TEXT, .offset = offsetof(Values, colour)                                   \
    }

/* The colour in the terms of value `in`: in linear light if the plan is; alpha is opaque unless a number is given for
 * it. NULL: the border of the plan's options, whose constant is opaque where alpha counts. STATUS_USAGE for a text that
 * is no pixel of that many channels. */
Status plan_outside(const Plan *plan, int in, const char *colour, Outside *outside);
/* Appends a move of `in`. Fails as op_move's shape does. */
Status plan_move(Plan *plan, int in, MoveJob job, int *out);
/* A filter's warp; colour as plan_outside takes it. */
typedef struct WarpWish {
    size_t width, height; /* of the result */
    WarpMap map;
    WarpKernel kernel;
    const char *colour;
} WarpWish;
/* Appends a warp of `in`, its colours weighed by alpha. Fails as plan_outside and op_warp's shape do. */
Status plan_warp(Plan *plan, int in, WarpWish wish, int *out);
/* The parameter that says how pixels are read between pixels; its value is a `double kernel` of their values. */
#define PARAM_KERNEL(Values)                                                                                           \
    {                                                                                                                  \
        "by", "how pixels are read between pixels", "nearest|linear|cubic", PARAM_CHOICE, offsetof(Values, kernel), 0, \
            WARP_LINEAR, WARP_CUBIC, 1                                                                                 \
    }

#endif
