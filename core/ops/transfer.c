/* transfer.c: a lower bound of the costs of the way through a device. */
#include "core/ops/transfer.h"

#include "core/stage/op_report.h"

#include <stdio.h>

void timeline_add(Timeline *timeline, char letter, int row, double start, double ms) {
    if (timeline && timeline->count < TRANSFER_STEPS)
        timeline->steps[timeline->count++] = (TransferStep){letter, row, start, ms};
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    *out = in[0];
    return type == in[0].type ? STATUS_OK
                              : fail(STATUS_USAGE, "transfer: %s stays %s, and does not become %s",
                                     pixel_type_name(in[0].type), pixel_type_name(in[0].type), pixel_type_name(type));
}

/* The cost in the host's memory, read and written once. */
static Cost cost(const Stage *stage) {
    const Shape shape = stage->out.shape;
    return (Cost){2 * (double)shape_bytes(shape), (double)shape.width * (double)shape.height * shape.channels};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage;
    return verdict_of(want, got, 1e-7 * max_in);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    (void)job;
    return (size_t)snprintf(buffer, size, "host to host");
}

static Status example(size_t index, Shape in, void *job) {
    (void)index, (void)in;
    *(TransferJob *)job = (TransferJob){NULL};
    return STATUS_OK;
}

static void note(void *job, Timeline *timeline) {
    ((TransferJob *)job)->timeline = timeline;
}

static const OpReport report = {.note = note};

const Op op_transfer = {
    .name = "transfer",
    .help = "takes a picture from host memory through the device and back",
    .inputs = 1,
    .job_bytes = sizeof(TransferJob),
    .of_host = true,
    .shape = shape,
    .needs = needs_same,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 1,
    .report = &report,
};
