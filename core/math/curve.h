/* curve.h: a curve's results from a histogram, or from minima and maxima: facts of its rows, and a result for every
 * bin. Owns the arithmetic for every backend. Sums are whole numbers, and no product is added to anything. No compiler
 * fuses operations that another one rounds, and every machine finds the same curve. */
#ifndef GLINT_CORE_MATH_CURVE_H
#define GLINT_CORE_MATH_CURVE_H

#include "core/math/bins.h"

#include <stdbool.h>

typedef enum CurveKind {
#define CURVE(name, help, body) CURVE_##name,
#include "core/math/curve.def"
#undef CURVE
    CURVE_KINDS
} CurveKind;

enum { CURVE_PARAMETERS = 4, CURVE_ROWS = 4 };

typedef struct CurveJob {
    CurveKind kind;
    Bins bins;
    bool merge;   /* the rows of the histogram are added up first */
    int extrema;  /* there is no histogram, but a Reduction (core/ops/reduce.h) for each of so many rows; 0: there is */
    bool line;    /* by extrema, and of f32: a row holds no results, but a line (core/math/bins.h) between them */
    double white; /* full intensity in the values at hand */
    /* First the fractions of the counted values that lie below the darkest and above the brightest, 0 for the minimum
     * and the maximum. Then come the kind's own. */
    double parameters[CURVE_PARAMETERS];
} CurveJob;

/* The facts of a row of the histogram. */
typedef struct CurveFacts {
    uint64_t total, sum;     /* values counted; the sum of their bins */
    uint64_t first_count;    /* in the first bin that is not empty */
    int darkest, brightest;  /* bins */
    int threshold;           /* Otsu's: the last bin of the darker class */
    double minimum, maximum; /* by extrema */
} CurveFacts;

/* Whether the values up to bin i are more than a fraction of all; whether those from it on are. */
GLINT_HD bool curve_exceeds(uint64_t count, double fraction, uint64_t total) {
    return (double)count > fraction * (double)total;
}

/* The variance between the classes up to a bin and above it, which Otsu's rule maximizes. The lower class has `count`
 * values, and `sum` is the sum of their bins. */
GLINT_HD double curve_variance(uint64_t count, uint64_t sum, uint64_t total, uint64_t total_sum) {
    if (count == 0 || count == total)
        return 0;
    const double dark = (double)sum / (double)count, bright = (double)(total_sum - sum) / (double)(total - count);
    const double apart = bright - dark;
    return (double)count * (double)(total - count) * (apart * apart);
}

/* The facts of a row whose minimum and maximum are all that is known; a maximum below the minimum means that there are
 * no values. Infinity counts as the end of the bins. */
GLINT_HD CurveFacts curve_facts_between(Bins bins, double minimum, double maximum) {
    const bool any = minimum <= maximum;
    const int dark = any ? bin_of(bins, (float)minimum) : 0, bright = any ? bin_of(bins, (float)maximum) : 0;
    const CurveFacts facts = {any,
                              0,
                              0,
                              dark,
                              bright,
                              0,
                              minimum - minimum == 0 ? minimum : bin_value(bins, dark),
                              maximum - maximum == 0 ? maximum : bin_value(bins, bright)};
    return facts;
}

/* Value i of the line that a stretch is; of one value or none, it leaves them as they are. */
GLINT_HD double curve_line(const CurveFacts *f, const double *p, int i) {
    const bool level = !(f->minimum < f->maximum);
    return i == LINE_FROM  ? f->minimum
           : i == LINE_TO  ? f->maximum
           : i == LINE_LOW ? (level ? f->minimum : p[2])
                           : (level ? f->maximum : p[3]);
}

GLINT_HD double curve_stretch(const CurveFacts *f, const double *p, int i, double v) {
    if (f->brightest <= f->darkest)
        return v;
    const int at = i < f->darkest ? f->darkest : i > f->brightest ? f->brightest : i;
    return p[2] + (at - f->darkest) * (p[3] - p[2]) / (f->brightest - f->darkest);
}

GLINT_HD double curve_equalize(const CurveFacts *f, uint64_t count, double v, double w) {
    if (f->total == f->first_count)
        return v;
    return count > f->first_count ? (double)(count - f->first_count) * w / (double)(f->total - f->first_count) : 0;
}

/* The mean of a row, and of the means; 1 where one is 0 or nothing was counted. */
GLINT_HD double curve_gray(const CurveFacts *f, const CurveFacts *all, int rows, Bins bins) {
    double sum = 0;
    for (int row = 0; row < rows; row++)
        sum +=
            all[row].total ? (double)bins.low + (double)all[row].sum / (double)all[row].total / (double)bins.scale : 0;
    const double mean = f->total ? (double)bins.low + (double)f->sum / (double)f->total / (double)bins.scale : 0;
    return mean > 0 ? sum / rows / mean : 1;
}

GLINT_HD double curve_patch(const CurveFacts *f, const CurveFacts *all, int rows, Bins bins) {
    double max = 0;
    for (int row = 0; row < rows; row++) {
        const double value = bin_value(bins, all[row].brightest);
        max = value > max ? value : max;
    }
    const double mine = bin_value(bins, f->brightest);
    return mine > 0 && f->total ? max / mine : 1;
}

/* The curve's result for the values of bin i; `count` are the values in the bins up to it. */
GLINT_HD double curve_value(const CurveJob *job, const CurveFacts *all, int rows, int row, int i, uint64_t count) {
    const CurveFacts *f = &all[row];
    const Bins bins = job->bins;
    const double *p = job->parameters, w = job->white, v = bin_value(bins, i);
    if (job->line)
        return curve_line(f, p, i);
    if (f->total == 0)
        return v;
    switch (job->kind) {
#define CURVE(name, help, body)                                                                                        \
case CURVE_##name:                                                                                                     \
    return body;
#include "core/math/curve.def"
#undef CURVE
    default:
        return v;
    }
}

#endif
