/* op.c: the operations, expanded from ops.def. */
#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void op_job_free(const Op *op, void *job) {
    if (op->job_free)
        op->job_free(job);
    memset(job, 0, op->job_bytes);
}

Region needs_whole(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job, (void)out;
    return (Region){0, 0, in[k].width, in[k].height};
}

void counts_join(ImageView result, ImageView part) {
    for (size_t y = 0; y < result.shape.height; y++) {
        uint32_t *sums = view_row(result, y);
        const uint32_t *counts = view_row(part, y);
        for (size_t x = 0; x < result.shape.width; x++)
            sums[x] += counts[x];
    }
}

Features stage_features(const Stage *stage) {
    const Shape shape = stage->out.shape;
    Features features = {.axes = {log2((double)shape.width * (double)shape.height) / 4}};
    snprintf(features.kind, sizeof features.kind, "%s", pixel_type_name(shape.type));
    if (stage->op->features)
        stage->op->features(stage, &features);
    return features;
}
