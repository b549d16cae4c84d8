/* canny.h: the operations of the filter canny: thin edges, as cv2.Canny finds them (Sobel's slopes, magnitudes
 * |x| + |y|).
 *
 * canny_peaks (non-maximum suppression): in[0] -> out, u8x1, a class for each pixel. Its slope is that of the channel
 * with the greatest magnitude, the first of several; alpha is not looked at. It is a peak if no neighbour along its
 * direction has more; beyond the picture magnitudes are 0. Peaks above `high` are strong, others above `low` weak. NaN
 * makes no peak.
 *
 * canny_edges (hysteresis): in[0], such classes, and in[1], the picture -> out, of the picture's shape. Strong peaks,
 * and weak ones that are connected to them by peaks, are `white`, all else is 0; alpha stays.
 *
 * canny_seams: an edge may hang on pixels anywhere. Where the picture is a part of one (`cut`), this tells which edges
 * are connected in the rows that the part shares with its neighbours. It shares two rows with each, in the order in
 * which they lie (OpParts.place). in[0], classes -> out, u32x1, a row for each of CANNY_SEAMS. A value is 0 where there
 * is no peak. Else it is twice the smallest number (1 + row * width + x) of a pixel of these rows that it is connected
 * to, itself or another. It is 1 more if any peak that it is connected to is strong. Put together (OpParts.stitch,
 * OpParts.settle), it is 1 where there is an edge, and in[2] of canny_edges. */
#ifndef GLINT_CORE_OPS_CANNY_H
#define GLINT_CORE_OPS_CANNY_H

#include "core/math/canny.h"
#include "core/stage/stage.h"

extern const Op op_canny_peaks, op_canny_seams, op_canny_edges;

static inline const CannyJob *canny_job(const Stage *stage) {
    return (const CannyJob *)stage->job;
}

#endif
