/* morphology.h: the operation morphology. Each value becomes the minimum or maximum of the values under a structuring
 * element in its channel. Values beyond the border count.
 * NaN sorts above all numbers, infinity included: a minimum passes over it, a maximum takes it. */
#ifndef GLINT_CORE_OPS_MORPHOLOGY_H
#define GLINT_CORE_OPS_MORPHOLOGY_H

#include "core/image/border.h"
#include "core/param/element.h"
#include "core/stage/stage.h"

/* in[0] -> out: equal shapes. out(x, y) is the extremum of in(x + i - ax, y + j - ay) over the element's cells (i, j),
 * (ax, ay) being its anchor: for a dilation, the caller reflects the element. */
typedef struct MorphologyJob {
    Mask *element; /* a set of cells (core/param/element.h); the job's owner owns it */
    bool maximum;
    Border border;
} MorphologyJob;

extern const Op op_morphology;

static inline const MorphologyJob *morphology_job(const Stage *stage) {
    return (const MorphologyJob *)stage->job;
}

#endif
