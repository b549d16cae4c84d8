/* histogram.h: the operation histogram: how many pixels of a picture have each value.
 * Its result has a row for each colour channel (or one for luma) and a column for each bin, of type PIXEL_U32. Alpha is
 * not counted. NaN is not counted either; infinity is, in the last bin at its end. */
#ifndef GLINT_CORE_OPS_HISTOGRAM_H
#define GLINT_CORE_OPS_HISTOGRAM_H

#include "core/math/bins.h"
#include "core/stage/stage.h"

typedef struct HistogramJob {
    Bins bins;    /* of u8 and u16 pictures, bins_of */
    bool luma;    /* one row, of the luma of three colours */
    bool visible; /* pixels whose alpha is 0, or NaN, are not counted */
} HistogramJob;

extern const Op op_histogram;

/* The bins of pictures of this type: a bin a value, or of f32 65536 bins from 0 to `high`. */
Bins bins_of(PixelType type, double high);
/* Fails with STATUS_USAGE if pictures of this type cannot be counted so. */
Status bins_check(Bins bins, PixelType type, const char *operation);

static inline const HistogramJob *histogram_job(const Stage *stage) {
    return (const HistogramJob *)stage->job;
}
static inline int shape_colours(Shape shape) {
    return shape.channels - (shape_has_alpha(shape) ? 1 : 0);
}

#endif
