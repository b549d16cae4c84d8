/* strips.h: large pictures pass a pipeline in strips of rows.
 * Owns how they are cut: what a chain holds between picture and result is then as large as a strip, not as a picture.
 */
#ifndef GLINT_CORE_STRIPS_H
#define GLINT_CORE_STRIPS_H

#include "core/chain.h"
#include "core/pipeline.h"

#define STRIP_BYTES ((size_t)64 << 20) /* of frames: pictures that need less are one strip */

enum {
    STRIP_STEP = 12 /* rows: strips begin at multiples, so that levels that take rows in groups group them alike */
};

typedef struct Strips {
    Shape picture;
    size_t step; /* rows: strips begin at multiples */
    size_t rows; /* of the pipeline's input; the picture's height if it is not cut */
    size_t halo; /* of these, the rows at an inner edge that are only read, and whose results are dropped */
} Strips;

/* The plan of a strip of pictures of this shape, cut so that its frames take about `bytes`. Where frames are not in the
 * host's memory, the border wraps, or rows need others far away (a picture
 * that changes its height, or is turned), the strip is the whole picture. Fails as chain_plan does. */
Status strips_plan(const Chain *chain, Shape picture, PlanOptions options, const Backend *backend, size_t bytes,
                   Strips *strips, Plan **plan);
/* What the whole picture becomes, if a strip becomes `strip`. */
Shape strips_result(const Strips *strips, Shape strip);
/* Uploads, runs and downloads strip by strip, with the spans of pipeline_process. The pipeline is that of the plan. The
 * result is the same, bit for bit, as that of the whole picture. */
Status strips_process(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out, Spans *spans);

#endif
