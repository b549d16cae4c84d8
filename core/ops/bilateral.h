/* bilateral.h: the operation bilateral: each pixel becomes a mean of its neighbours, weighted by how near they are and
 * how alike.
 *     out(p) = sum of w(p, q) in(q) / sum of w(p, q),  over all q with |p - q| <= radius,
 *     w(p, q) = exp(-|p - q|^2 / (2 space^2)) exp(-d(p, q)^2 / (2 range^2)),
 * where d is the sum over all channels of how far the guide's values at p and q are apart. cv2.bilateralFilter does the
 * same; alpha counts as a channel. The guide is in[0], or in[1] if the job is joint: of the same width and height, of
 * any type and channels. in[0] -> out: equal width, height and channels; out.type equals in.type or is f32. NaN or
 * infinity in the window makes NaN (0 in whole numbers). */
#ifndef GLINT_CORE_OPS_BILATERAL_H
#define GLINT_CORE_OPS_BILATERAL_H

#include "core/image/border.h"
#include "core/stage/stage.h"

enum { BILATERAL_RADIUS_MAX = 64 };

typedef struct BilateralJob {
    int radius;          /* 1 to BILATERAL_RADIUS_MAX, in pixels */
    double space, range; /* standard deviations: in pixels, in stored values of the guide */
    bool joint;          /* in[1] is the guide */
    Border border;       /* a value stands in both pictures */
} BilateralJob;

extern const Op op_bilateral;

static inline const BilateralJob *bilateral_job(const Stage *stage) {
    return (const BilateralJob *)stage->job;
}
static inline ImageView bilateral_guide(const Stage *stage) {
    return stage->in[bilateral_job(stage)->joint];
}

/* A neighbour within the radius. */
typedef struct BilateralTap {
    int x, y;
    double space; /* log2 of its weight by distance: 0 or less */
} BilateralTap;
enum { BILATERAL_TAPS_MAX = (2 * BILATERAL_RADIUS_MAX + 1) * (2 * BILATERAL_RADIUS_MAX + 1) };
/* All of them, row by row; returns how many. */
int bilateral_taps(const BilateralJob *job, BilateralTap *taps);
/* log2 of the weight by likeness is this times d^2. */
double bilateral_slope(const BilateralJob *job);

#endif
