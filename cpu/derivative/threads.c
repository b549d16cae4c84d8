/* threads.c: the rows shared out among the cores. */
#include "core/device/backend.h"
#include "cpu/derivative/window.h"
#include "cpu/team.h"

static void derive_row(const Stage *stage, size_t y) {
    const DerivativeJob *job = derivative_job(stage);
    const Shape shape = stage->out.shape;
    const int colours = shape.channels - job->alpha;
    for (size_t x = 0; x < shape.width; x++) {
        const double last = view_value(stage->in[0], x, y, shape.channels - 1);
        for (int c = 0; c < colours; c++) {
            const Slopes slopes = derivative_slopes(stage, (ptrdiff_t)x, (ptrdiff_t)y, c);
            view_set_value(stage->out, x, y, c, derivative_value(job, slopes.x, slopes.y, last));
        }
        if (job->alpha)
            view_set_value(stage->out, x, y, colours, last);
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, derive_row);
    return STATUS_OK;
}

const Level cpu_derivative_threads = {
    .op = &op_derivative,
    .name = "threads",
    .idea = "the rows shared out among the cores, the arc tangent by a polynomial",
    .run = run,
};
