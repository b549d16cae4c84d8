/* reference.c: the definition of a step of diffusion in double precision. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/diffuse.h"
#include "cpu/team.h"

static double value_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    const Border border = diffuse_job(stage)->border;
    const ptrdiff_t sx = border_index(border.mode, x, (ptrdiff_t)stage->in[0].shape.width);
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)stage->in[0].shape.height);
    return sx < 0 || sy < 0 ? (double)border.value : view_value(stage->in[0], (size_t)sx, (size_t)sy, c);
}

static void diffuse_row(const Stage *stage, size_t row) {
    static const int steps[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    const DiffuseJob *job = diffuse_job(stage);
    const Shape shape = stage->out.shape;
    const ptrdiff_t y = (ptrdiff_t)row;
    for (ptrdiff_t x = 0; x < (ptrdiff_t)shape.width; x++)
        for (int c = 0; c < shape.channels; c++) {
            const double value = value_at(stage, x, y, c);
            double flow = 0;
            for (int k = 0; k < 4; k++)
                flow += diffuse_flow(job, value_at(stage, x + steps[k][0], y + steps[k][1], c) - value);
            view_set_value(stage->out, (size_t)x, row, c, value + job->rate * flow);
        }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, diffuse_row);
    return STATUS_OK;
}

const Level cpu_diffuse_reference = {
    .op = &op_diffuse,
    .name = "reference",
    .idea = "the flow from four neighbours in double precision; every other level is checked against it",
    .run = run,
};
