/* reference.c: the definition of the bilateral filter in double precision. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/bilateral.h"
#include "core/stage/window.h"
#include "cpu/team.h"

#include <math.h>

static void filter_pixel(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const BilateralJob *job = bilateral_job(stage);
    const ImageView guide = bilateral_guide(stage);
    const int channels = stage->out.shape.channels;
    double weights = 0, sums[4] = {0};
    for (int j = -job->radius; j <= job->radius; j++)
        for (int i = -job->radius; i <= job->radius; i++) {
            double d = 0;
            if (i * i + j * j > job->radius * job->radius)
                continue;
            for (int c = 0; c < guide.shape.channels; c++)
                d +=
                    fabs(window_value(guide, job->border, x + i, y + j, c) - window_value(guide, job->border, x, y, c));
            const double weight =
                exp(-(i * i + j * j) / (2 * job->space * job->space)) * exp(-d * d / (2 * job->range * job->range));
            weights += weight;
            for (int c = 0; c < channels; c++)
                sums[c] += weight * window_value(stage->in[0], job->border, x + i, y + j, c);
        }
    for (int c = 0; c < channels; c++)
        view_set_value(stage->out, (size_t)x, (size_t)y, c, sums[c] / weights);
}

static void filter_row(const Stage *stage, size_t y) {
    for (size_t x = 0; x < stage->out.shape.width; x++)
        filter_pixel(stage, (ptrdiff_t)x, (ptrdiff_t)y);
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, filter_row);
    return STATUS_OK;
}

const Level cpu_bilateral_reference = {
    .op = &op_bilateral,
    .name = "reference",
    .idea = "two exponentials for each neighbour in double precision; every other level is checked against it",
    .run = run,
};
