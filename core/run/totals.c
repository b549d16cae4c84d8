/* totals.c: one stage, run by itself. */
#include "core/run/totals.h"

#include "core/device/backend.h"
#include "core/stage/op.h"

/* The stage's result, its rows one after the other, in `room`, which is large enough for them. */
static Status run(Queue *queue, Stage *stage, void *room) {
    const Backend *backend = queue->device->backend;
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape};
    TRY(stage->op->shape(stage->job, in, PIXEL_U32, &stage->out.shape));
    const Shape shape = stage->out.shape;
    const Level *level = level_best(queue->device, stage);
    if (!level)
        return fail(STATUS_DEVICE, "no level of %s takes such a picture", stage->op->name);
    TRY(backend->frame_create(queue->device, shape, &stage->out));
    Status status = level_run(level, queue, stage);
    if (status == STATUS_OK)
        status = backend->download(queue, stage->out, (ImageView){shape, shape_row_bytes(shape), room});
    if (status == STATUS_OK)
        status = backend->sync(queue);
    if (status == STATUS_OK && queue_stops(queue))
        status = fail(STATUS_INTERRUPTED, "%s was stopped", stage->op->name);
    backend->frame_destroy(queue->device, &stage->out);
    return status;
}

Status totals_reduce(Queue *queue, Frame a, Frame b, ReduceJob job, Reduction results[REDUCE_CHANNELS]) {
    Stage stage = {.op = &op_reduce, .label = op_reduce.name, .in = {a}, .job = &job};
    if (job.difference)
        stage.in[1] = b;
    return run(queue, &stage, results);
}

Status totals_dot(Queue *queue, Frame a, Frame b, double products[DOT_CHANNELS]) {
    const DotJob job = {false};
    Stage stage = {.op = &op_dot, .label = op_dot.name, .in = {a, b}, .job = &job};
    return run(queue, &stage, products);
}
