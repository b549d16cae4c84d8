/* reference.c: the definition of a step of diffusion in double precision. Never optimized. */
#include "core/backend.h"
#include "core/ops/diffuse.h"

static double value_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    const Border border = diffuse_job(stage)->border;
    const ptrdiff_t sx = border_index(border.mode, x, (ptrdiff_t)stage->in[0].shape.width);
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)stage->in[0].shape.height);
    return sx < 0 || sy < 0 ? (double)border.value : view_value(stage->in[0], (size_t)sx, (size_t)sy, c);
}

static Status run(Queue *queue, const Stage *stage) {
    static const int steps[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    const DiffuseJob *job = diffuse_job(stage);
    const Shape shape = stage->out.shape;
    const ptrdiff_t height = (ptrdiff_t)shape.height;
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (ptrdiff_t y = 0; y < height; y++)
        for (ptrdiff_t x = 0; x < (ptrdiff_t)shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                const double value = value_at(stage, x, y, c);
                double flow = 0;
                for (int k = 0; k < 4; k++)
                    flow += diffuse_flow(job, value_at(stage, x + steps[k][0], y + steps[k][1], c) - value);
                view_set_value(stage->out, (size_t)x, (size_t)y, c, value + job->rate * flow);
            }
    return STATUS_OK;
}

const Level cpu_diffuse_reference = {
    .op = &op_diffuse,
    .name = "reference",
    .idea = "what flows from four neighbours in double precision: what every other level is checked against",
    .run = run,
};
