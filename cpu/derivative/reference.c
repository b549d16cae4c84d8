/* reference.c: the definition of a derivative in double precision. Never optimized. */
#include "core/device/backend.h"
#include "cpu/derivative/window.h"
#include "cpu/team.h"

#include <math.h>

/* As the words of the job say it, without the functions that the other levels share (core/math/derivative.h). */
static double value(const DerivativeJob *job, Slopes slopes, double alpha) {
    const bool nowhere = isinf(slopes.x) && isinf(slopes.y);
    const double divisor = job->alpha ? alpha : 1;
    const double turn = nowhere ? NAN : atan2(slopes.y, slopes.x) / (2 * acos(-1));
    const double x = divisor > 0 ? slopes.x / divisor : 0, y = divisor > 0 ? slopes.y / divisor : 0;
    switch (job->output) {
    case DERIVATIVE_X:
        return job->scale * x + job->bias;
    case DERIVATIVE_Y:
        return job->scale * y + job->bias;
    case DERIVATIVE_MAGNITUDE:
        return job->scale * (divisor > 0 ? sqrt(slopes.x * slopes.x + slopes.y * slopes.y) / divisor : 0) + job->bias;
    default:
        return divisor > 0 ? job->white * (turn < 0 ? turn + 1 : turn) : 0;
    }
}

static void derive_row(const Stage *stage, size_t y) {
    const DerivativeJob *job = derivative_job(stage);
    const Shape shape = stage->out.shape;
    const int colours = shape.channels - job->alpha;
    for (size_t x = 0; x < shape.width; x++) {
        const double last = view_value(stage->in[0], x, y, shape.channels - 1);
        for (int c = 0; c < colours; c++)
            view_set_value(stage->out, x, y, c,
                           value(job, derivative_slopes(stage, (ptrdiff_t)x, (ptrdiff_t)y, c), last));
        if (job->alpha)
            view_set_value(stage->out, x, y, colours, last);
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, derive_row);
    return STATUS_OK;
}

const Level cpu_derivative_reference = {
    .op = &op_derivative,
    .name = "reference",
    .idea = "both masks over the window in double precision, pixel by pixel; every other level is checked against it",
    .run = run,
};
