/* reference.c: the definition of steps of diffusion in double precision. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/diffuse.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

/* A step from values that lie as the picture's do, one after the other, to such; NULL: the stage's frames. */
typedef struct Step {
    const Stage *stage;
    const double *from;
    double *to;
} Step;

static size_t place(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    const Shape shape = stage->out.shape;
    return ((size_t)y * shape.width + (size_t)x) * (size_t)shape.channels + (size_t)c;
}

static double value_at(const Step *step, ptrdiff_t x, ptrdiff_t y, int c) {
    const Stage *stage = step->stage;
    const Border border = diffuse_job(stage)->border;
    const ptrdiff_t sx = border_index(border.mode, x, (ptrdiff_t)stage->in[0].shape.width);
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)stage->in[0].shape.height);
    if (sx < 0 || sy < 0)
        return (double)border.value;
    return step->from ? step->from[place(stage, sx, sy, c)] : view_value(stage->in[0], (size_t)sx, (size_t)sy, c);
}

static void diffuse_row(const void *work, size_t row) {
    static const int around[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    const Step *step = work;
    const Stage *stage = step->stage;
    const DiffuseJob *job = diffuse_job(stage);
    const Shape shape = stage->out.shape;
    const ptrdiff_t y = (ptrdiff_t)row;
    for (ptrdiff_t x = 0; x < (ptrdiff_t)shape.width; x++)
        for (int c = 0; c < shape.channels; c++) {
            const double value = value_at(step, x, y, c);
            double flow = 0;
            for (int k = 0; k < 4; k++)
                flow += diffuse_flow(job, value_at(step, x + around[k][0], y + around[k][1], c) - value);
            if (step->to)
                step->to[place(stage, x, y, c)] = value + job->rate * flow;
            else
                view_set_value(stage->out, (size_t)x, row, c, value + job->rate * flow);
        }
}

static size_t values_of(const Stage *stage) {
    return place(stage, 0, (ptrdiff_t)stage->out.shape.height, 0);
}

/* Two pictures between which steps go back and forth. */
static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return diffuse_job(stage)->steps > 1 ? 2 * values_of(stage) * sizeof(double) : 0;
}

static Status run(Queue *queue, const Stage *stage) {
    const int steps = diffuse_job(stage)->steps;
    const size_t rows = stage->out.shape.height;
    void *scratch = NULL;
    if (steps > 1)
        TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    double *const pictures[2] = {scratch, steps > 1 ? (double *)scratch + values_of(stage) : NULL};
    Step step = {stage, NULL, NULL};
    for (int i = 0; i + 1 < steps && !queue_stops(queue); i++) {
        step.to = pictures[i % 2];
        cpu_share_rows(queue, rows, diffuse_row, &step);
        step.from = step.to;
    }
    step.to = NULL;
    cpu_share_result(queue, rows, diffuse_row, &step);
    return STATUS_OK;
}

const Level cpu_diffuse_reference = {
    .op = &op_diffuse,
    .name = "reference",
    .idea = "the flow from four neighbours in double precision, step by step; every other level is checked against it",
    .workspace = workspace,
    .run = run,
};
