/* threads.c: the rows shared out among the cores. */
#include "core/backend.h"
#include "cpu/derivative/window.h"

static Status run(Queue *queue, const Stage *stage) {
    const DerivativeJob *job = derivative_job(stage);
    const Shape shape = stage->out.shape;
    const long height = (long)shape.height;
    const int colours = shape.channels - job->alpha;
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic, 8)
    for (long y = 0; y < height; y++)
        for (size_t x = 0; x < shape.width; x++) {
            const double last = view_value(stage->in[0], x, (size_t)y, shape.channels - 1);
            for (int c = 0; c < colours; c++) {
                const Slopes slopes = derivative_slopes(stage, (ptrdiff_t)x, y, c);
                view_set_value(stage->out, x, (size_t)y, c, derivative_value(job, slopes.x, slopes.y, last));
            }
            if (job->alpha)
                view_set_value(stage->out, x, (size_t)y, colours, last);
        }
    return STATUS_OK;
}

const Level cpu_derivative_threads = {
    .op = &op_derivative,
    .name = "threads",
    .idea = "the rows shared out among the cores, the arc tangent by a polynomial",
    .run = run,
};
