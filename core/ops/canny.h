/* canny.h: the operation canny: thin edges, as cv2.Canny finds them (Sobel's slopes, magnitudes |x| + |y|).
 * A pixel's slope is that of the channel with the greatest magnitude, the first of several. It is a peak if no
 * neighbour along its direction has more; beyond the picture magnitudes are 0. Peaks above `high`, and peaks above
 * `low` that are connected to them by such, are edges: `white`, all else is 0; alpha is not looked at, and stays. in[0]
 * -> out: equal shapes. NaN makes no edge. An edge may hang on pixels anywhere, so it needs the whole picture. */
#ifndef GLINT_CORE_OPS_CANNY_H
#define GLINT_CORE_OPS_CANNY_H

#include "core/math/canny.h"
#include "core/stage.h"

extern const Op op_canny;

static inline const CannyJob *canny_job(const Stage *stage) {
    return (const CannyJob *)stage->job;
}

#endif
