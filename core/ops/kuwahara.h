/* kuwahara.h: the operation kuwahara: each pixel becomes the mean of the most even of the four quadrants that meet in
 * it. They have radius + 1 pixels a side, to the upper left, upper right, lower left and lower right. The most even is
 * the first of several whose luma varies least (core/math/kuwahara.h). in[0] -> out: equal width, height and channels;
 * out.type equals in.type or is f32. NaN counts as darkest, and makes NaN of the means that it is in; luma of f32 is
 * counted up to four times white. */
#ifndef GLINT_CORE_OPS_KUWAHARA_H
#define GLINT_CORE_OPS_KUWAHARA_H

#include "core/math/kuwahara.h"
#include "core/stage/stage.h"

extern const Op op_kuwahara;

static inline const KuwaharaJob *kuwahara_job(const Stage *stage) {
    return (const KuwaharaJob *)stage->job;
}

#endif
