/* keep.c: the costs of keeping a picture. */
#include "core/ops/keep.h"

#include "core/stage/op.h"

#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    *out = in[0];
    return type == in[0].type ? STATUS_OK
                              : fail(STATUS_USAGE, "keep: %s stays %s, and does not become %s",
                                     pixel_type_name(in[0].type), pixel_type_name(in[0].type), pixel_type_name(type));
}

static Cost cost(const Stage *stage) {
    return (Cost){2 * (double)shape_bytes(stage->out.shape), 0};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    return verdict_of(want, got, 0);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    (void)job;
    return (size_t)snprintf(buffer, size, "as it is");
}

static Status example(size_t index, Shape in, void *job) {
    (void)index, (void)in;
    *(KeepJob *)job = (KeepJob){false};
    return STATUS_OK;
}

const Op op_keep = {
    .name = "keep",
    .help = "a picture as it is now, for later",
    .inputs = 1,
    .job_bytes = sizeof(KeepJob),
    .accumulates = true, /* its frame is never lent */
    .shape = shape,
    .needs = needs_same,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 1,
};
