/* reduce.h: the operation reduce: facts of all values of each channel of a picture.
 * in[0] is a picture, or a frame of counts. in[1], if the job asks for it, is another picture of its shape. The values
 * are then the absolute differences of the two, as the pictures' type stores them. Its result has a row for each
 * channel, a Reduction (type PIXEL_U32, REDUCTION_WORDS wide), which reduction_of reads.
 * NaN is passed over. Sums of whole numbers, and of their squares, are exact and rounded once, to double. f32 values
 * are added as double. Each level has an order of its own that depends on the shape and the device alone: the bits are
 * the same every time. */
#ifndef GLINT_CORE_OPS_REDUCE_H
#define GLINT_CORE_OPS_REDUCE_H

#include "core/math/host_device.h"
#include "core/stage/stage.h"

#include <math.h>

enum ReduceWhat {
    REDUCE_SUM = 1,
    REDUCE_COUNT = 2,   /* values that are not NaN */
    REDUCE_EXTREMA = 4, /* minimum and maximum */
    REDUCE_SQUARES = 8, /* not of counts */
    REDUCE_ALL = 15,
};

typedef struct ReduceJob {
    unsigned what;   /* of enum ReduceWhat */
    bool difference; /* takes in[1] */
    bool exact;      /* sums in double of these f32 values are not rounded, whatever their order */
} ReduceJob;

/* The figures of one channel; 0 where the job did not ask. Without any values the minimum is infinity, the maximum
 * -infinity. */
typedef struct Reduction {
    double count, sum, squares, minimum, maximum;
} Reduction;

enum { REDUCTION_WORDS = sizeof(Reduction) / sizeof(uint32_t), REDUCE_CHANNELS = 4 };

extern const Op op_reduce;

static inline const ReduceJob *reduce_job(const Stage *stage) {
    return (const ReduceJob *)stage->job;
}

/* Row `channel` of a result in host memory. */
Reduction reduction_of(ImageView result, int channel);
void reduction_store(ImageView result, int channel, Reduction reduction);

/* By count and sum; NaN of no values. */
static inline double reduction_mean(const Reduction *r) {
    return r->sum / r->count;
}
/* The variance of the values that there are, not of a sample of more; by count, sum and squares. */
static inline double reduction_variance(const Reduction *r) {
    const double mean = reduction_mean(r), variance = r->squares / r->count - mean * mean;
    return variance > 0 || isnan(variance) ? variance : 0;
}

#endif
