/* in_place.c: nothing is moved: the processor works where the picture lies. */
#include "core/base/timing.h"
#include "core/device/backend.h"
#include "cpu/course/transfer/invert.h"

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const double begin = clock_ms();
    (void)queue;
    for (size_t y = 0; y < shape.height; y++)
        invert_values(view_row(stage->in[0], y), view_row(stage->out, y), shape_row_bytes(shape), shape.type);
    timeline_add(transfer_job(stage)->timeline, 'K', 0, 0, clock_ms() - begin);
    return STATUS_OK;
}

const Level cpu_transfer_in_place = {
    .op = &op_transfer,
    .name = "in-place",
    .idea = "moves nothing: one pass from where the picture lies to where it shall be",
    .run = run,
};
