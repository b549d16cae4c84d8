/* resample.h: the operation resample: a picture at another size, by a separable polyphase filter.
 * Along each axis, result pixel i lies at c = offset + (i + 1/2) * scale, in the input's pixels counted from the edge
 * of the first. Its value is the sum of weight * value over a window of neighbours. The weights are the kernel's values
 * at the distances from c, divided by their sum. Where a picture shrinks (scale > 1), the kernel is as much wider, so
 * that no finer detail than the result can show gets into it. Beyond the edge there is nothing: the window is cut, and
 * the remaining weights sum to 1. All this is Pillow's Image.resize of mode F. Whole numbers are rounded once, at the
 * end; halves go up (core/math/tie.h). The window has the same number of pixels for all results, with zero weights
 * where the kernel is narrower. NaN or infinity anywhere in it makes NaN; an infinity that is alone and whose weight is
 * not 0 makes infinity. The nearest kernel has a window of one pixel, which is copied. */
#ifndef GLINT_CORE_OPS_RESAMPLE_H
#define GLINT_CORE_OPS_RESAMPLE_H

#include "core/math/tie.h"
#include "core/stage/op.h"

#include <stdint.h>

typedef enum ResampleKernel {
    RESAMPLE_NEAREST,  /* the pixel that c lies in; never wider */
    RESAMPLE_BOX,      /* 1 within half a pixel */
    RESAMPLE_LINEAR,   /* a triangle, 1 pixel to each side */
    RESAMPLE_CUBIC,    /* Catmull and Rom: 2 pixels, through the values */
    RESAMPLE_MITCHELL, /* Mitchell and Netravali, B = C = 1/3: 2 pixels, softer */
    RESAMPLE_LANCZOS,  /* sinc(x) sinc(x / 3): 3 pixels */
    RESAMPLE_KERNELS
} ResampleKernel;

extern const char *const resample_kernels[RESAMPLE_KERNELS]; /* "nearest", ... */

typedef struct ResampleAxis {
    size_t count;         /* pixels of the result, 1 to INT32_MAX */
    double scale, offset; /* input pixels per result pixel, > 0; where the first result pixel's edge lies */
    size_t whole;         /* pixels of the input, of which there is a part; 0: it is there as a whole */
    size_t begin, from;   /* the first of the results, of the part, among all */
} ResampleAxis;

/* in[0] -> out: equal type and channels. */
typedef struct ResampleJob {
    ResampleKernel kernel;
    ResampleAxis x, y;
} ResampleJob;

/* The weights along one axis. */
typedef struct ResampleTable {
    size_t count;    /* results */
    int taps;        /* of each */
    int32_t *first;  /* count: the first pixel of the window, ascending; first + taps is within the input */
    double *weights; /* count x taps */
    float *floats;   /* the same, rounded */
} ResampleTable;

extern const Op op_resample;

/* The axis that makes `count` pixels of all `n`. */
static inline ResampleAxis resample_axis(size_t n, size_t count) {
    return (ResampleAxis){.count = count, .scale = (double)n / (double)count};
}
bool resample_axis_equal(const ResampleAxis *a, const ResampleAxis *b);
/* Where the first result pixel's edge lies in the part of the input. */
static inline double resample_offset(const ResampleAxis *axis) {
    return axis->offset + (double)axis->begin * axis->scale - (double)axis->from;
}
/* Pixels of each window along an axis of an input with `n` pixels. */
int resample_taps(ResampleKernel kernel, const ResampleAxis *axis, size_t n);
/* STATUS_DEVICE if memory is short. */
Status resample_table_create(ResampleKernel kernel, const ResampleAxis *axis, size_t n, ResampleTable *table);
void resample_table_free(ResampleTable *table); /* accepts a zeroed one */

static inline const ResampleJob *resample_job(const Stage *stage) {
    return (const ResampleJob *)stage->job;
}

#endif
