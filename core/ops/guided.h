/* guided.h: the operation guided: each pixel becomes a linear function of a guide, fitted to the picture around it.
 *     out = mean(a) I + mean(b),  a = cov(I, p) / (var(I) + eps),  b = mean(p) - a mean(I),
 * p the picture, I the guide, means over windows of 2 radius + 1 pixels a side. Windows lie beyond the edge as well,
 * where the border goes on. Each channel by itself, alpha like the others; a guide of one channel serves all.
 * The guide is in[0], or in[1] if the job is joint: of the same width and height, of any type.
 * in[0] -> out: equal width, height and channels; out.type equals in.type or is f32. NaN or infinity makes NaN within
 * twice the radius (0 in whole numbers). Levels with running sums keep the rounding of values that have left them. In
 * f32, a value some hundred million times as large as those around it therefore shows in its tile beyond its reach,
 * too. */
#ifndef GLINT_CORE_OPS_GUIDED_H
#define GLINT_CORE_OPS_GUIDED_H

#include "core/image/border.h"
#include "core/stage/stage.h"

enum { GUIDED_RADIUS_MAX = 64 };

typedef struct GuidedJob {
    int radius;     /* 1 to GUIDED_RADIUS_MAX */
    double epsilon; /* the variance that counts as an edge, in squared stored values of the guide; more than 0 */
    bool joint;     /* in[1] is the guide */
    Border border;  /* a value stands in both pictures */
} GuidedJob;

extern const Op op_guided;

static inline const GuidedJob *guided_job(const Stage *stage) {
    return (const GuidedJob *)stage->job;
}
static inline ImageView guided_guide(const Stage *stage) {
    return stage->in[guided_job(stage)->joint];
}

#endif
