/* reference.c: the definition of moving pixels, value by value. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/move.h"

static Status run(Queue *queue, const Stage *stage) {
    const MoveJob *job = move_job(stage);
    const ImageView in = stage->in[0], out = stage->out;
    (void)queue;
    for (size_t y = 0; y < out.shape.height; y++)
        for (size_t x = 0; x < out.shape.width; x++) {
            const ptrdiff_t column = move_column(job, in.shape, x), row = move_row(job, in.shape, y);
            const ptrdiff_t from_x = job->transpose ? row : column, from_y = job->transpose ? column : row;
            for (int c = 0; c < out.shape.channels; c++)
                view_set_value(out, x, y, c,
                               column < 0 || row < 0 ? (double)job->outside[c]
                                                     : view_value(in, (size_t)from_x, (size_t)from_y, c));
        }
    return STATUS_OK;
}

const Level cpu_move_reference = {
    .op = &op_move,
    .name = "reference",
    .idea = "one value after the other from its place; every other level is checked against it",
    .run = run,
};
