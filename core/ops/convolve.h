/* convolve.h: the operation convolve: each value becomes a weighted sum of its neighbours in the same channel. */
#ifndef GLINT_CORE_OPS_CONVOLVE_H
#define GLINT_CORE_OPS_CONVOLVE_H

#include "core/image/border.h"
#include "core/param/mask.h"
#include "core/stage/stage.h"

/* in[0] -> out: equal width, height and channels; out.type equals in.type or is f32. */
typedef struct ConvolveJob {
    Mask *mask; /* the job's owner owns it */
    Border border;
    float bias; /* added after the division, in stored values */
} ConvolveJob;

extern const Op op_convolve;

/* Rows of results that a level may transform together, from the first row on. 1 where none does: masks that are small,
 * or outer products, have faster levels. */
size_t convolve_rows_together(const ConvolveJob *job);

static inline const ConvolveJob *convolve_job(const Stage *stage) {
    return (const ConvolveJob *)stage->job;
}

#endif
