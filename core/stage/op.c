/* op.c: functions that hold for every operation. */
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

Region needs_same(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job, (void)k, (void)in;
    return out;
}

Features stage_features(const Stage *stage) {
    const Shape shape = stage->out.shape;
    Features features = {.axes = {log2((double)shape.width * (double)shape.height) / 4}};
    snprintf(features.kind, sizeof features.kind, "%s", pixel_type_name(shape.type));
    if (stage->op->features)
        stage->op->features(stage, &features);
    return features;
}
