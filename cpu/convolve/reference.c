/* reference.c: the definition of convolution in double precision.
 * out(x, y) = sum of mask(i, j) * in(x + i - w / 2, y + j - h / 2) / divisor + bias. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/convolve.h"
#include "core/stage/window.h"
#include "cpu/team.h"

static double weighted_sum(const ConvolveJob *job, ImageView in, ptrdiff_t x, ptrdiff_t y, int c) {
    const Mask *mask = job->mask;
    double sum = 0;
    for (int j = 0; j < mask->height; j++)
        for (int i = 0; i < mask->width; i++)
            sum += (double)mask->weights[j * mask->width + i] *
                   window_value(in, job->border, x + i - mask->width / 2, y + j - mask->height / 2, c);
    return sum / (double)mask->divisor + (double)job->bias;
}

static void convolve_row(const Stage *stage, size_t y) {
    for (size_t x = 0; x < stage->out.shape.width; x++)
        for (int c = 0; c < stage->out.shape.channels; c++)
            view_set_value(stage->out, x, y, c,
                           weighted_sum(convolve_job(stage), stage->in[0], (ptrdiff_t)x, (ptrdiff_t)y, c));
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, convolve_row);
    return STATUS_OK;
}

const Level cpu_convolve_reference = {
    .op = &op_convolve,
    .name = "reference",
    .idea =
        "double precision, a test for the border at every tap: slow, readable; every other level is checked against it",
    .run = run,
};
