/* warp.h: the operation warp: each result pixel is read where a map says, between the input's pixels.
 * core/math/warp.h has the maps. At (u, v), `nearest` takes the pixel whose centre is nearest, `linear` the mean of the
 * four around. `cubic` takes that of the sixteen around, by Catmull and Rom's weights. All of them count, also with
 * weight 0, so that NaN or infinity among them makes NaN or infinity. Beyond the edges the border's rule holds. Weights
 * are not rounded to 1/32 of a pixel, as OpenCV does. A map that shrinks the picture skips pixels: resize before.
 * Whole numbers are rounded at the end; halves go up (core/math/tie.h). */
#ifndef GLINT_CORE_OPS_WARP_H
#define GLINT_CORE_OPS_WARP_H

#include "core/image/border.h"
#include "core/math/tie.h"
#include "core/math/warp.h"
#include "core/stage/op.h"

typedef enum WarpKernel { WARP_NEAREST, WARP_LINEAR, WARP_CUBIC, WARP_KERNELS } WarpKernel;

/* in[0] -> out: equal type and channels. */
typedef struct WarpJob {
    size_t width, height; /* of the result */
    WarpMap map;
    WarpKernel kernel;
    BorderMode border;
    float outside[4]; /* where the border has a value: the pixel there, in stored values */
} WarpJob;

extern const char *const warp_kernels[WARP_KERNELS]; /* "nearest", ... */
extern const Op op_warp;

static inline const WarpJob *warp_job(const Stage *stage) {
    return (const WarpJob *)stage->job;
}
static inline int warp_taps(WarpKernel kernel) {
    return kernel == WARP_NEAREST ? 1 : kernel == WARP_LINEAR ? 2 : 4;
}

#endif
