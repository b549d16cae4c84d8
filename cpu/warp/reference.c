/* reference.c: the definition of a warp in double precision, value by value. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/warp.h"
#include "cpu/team.h"

static double value_at(const WarpJob *job, ImageView in, double x, double y, int c) {
    const ptrdiff_t sx = border_index(job->border, (ptrdiff_t)x, (ptrdiff_t)in.shape.width);
    const ptrdiff_t sy = border_index(job->border, (ptrdiff_t)y, (ptrdiff_t)in.shape.height);
    return sx < 0 || sy < 0 ? (double)job->outside[c] : view_value(in, (size_t)sx, (size_t)sy, c);
}

/* The first of the pixels around, and their weights. */
static double weigh(WarpKernel kernel, double at, double weights[4]) {
    const double below = floor(at), t = at - below;
    weights[0] = 1;
    if (kernel == WARP_NEAREST)
        return floor(at + 0.5 + WARP_TIE);
    if (kernel == WARP_CUBIC) {
        warp_cubic(t, weights);
        return below - 1;
    }
    weights[0] = 1 - t;
    weights[1] = t;
    return below;
}

static double weighted_sum(const WarpJob *job, ImageView in, size_t x, size_t y, int c) {
    double u, v, across[4] = {0}, down[4] = {0}, sum = 0;
    warp_place(&job->map, (double)x, (double)y, &u, &v);
    const double left = weigh(job->kernel, u, across), top = weigh(job->kernel, v, down);
    for (int j = 0; j < warp_taps(job->kernel); j++)
        for (int i = 0; i < warp_taps(job->kernel); i++)
            sum += down[j] * across[i] * value_at(job, in, left + i, top + j, c);
    return sum;
}

static void warp_row(const Stage *stage, size_t y) {
    const WarpJob *job = warp_job(stage);
    const bool exact = stage->out.shape.type == PIXEL_F32 || job->kernel == WARP_NEAREST;
    for (size_t x = 0; x < stage->out.shape.width; x++)
        for (int c = 0; c < stage->out.shape.channels; c++)
            view_set_value(stage->out, x, y, c, weighted_sum(job, stage->in[0], x, y, c) + (exact ? 0 : TIE_BIAS));
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, warp_row);
    return STATUS_OK;
}

const Level cpu_warp_reference = {
    .op = &op_warp,
    .name = "reference",
    .idea = "double precision, a test for the border at every neighbour: slow, readable; every other level is checked "
            "against it",
    .run = run,
};
