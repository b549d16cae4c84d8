/* small.c: how small a job becomes. */
#include "app/bench/small.h"

#include <math.h>

#define VERIFIED_FLOPS 1e9 /* the reference verifies pictures up to this much work, else smaller ones */
#define VERIFIED_BYTES 64e6

/* A part of this side; of a long one, whole pieces of 16, as the side itself often is. */
static size_t side_part(size_t side, double share) {
    const double part = fmax(1, (double)side * share);
    return share >= 1 ? side : part < 256 ? (size_t)part : (size_t)part / 16 * 16;
}

static Shape shape_part(Shape shape, double share) {
    shape.width = side_part(shape.width, share);
    shape.height = side_part(shape.height, share);
    return shape;
}

/* How much of such a job's work the reference does in a second or so. */
static double verified_share(Cost cost) {
    return fmin(VERIFIED_FLOPS / fmax(cost.flops, 1), VERIFIED_BYTES / fmax(cost.bytes, 1));
}

/* Work may grow faster than pixels do: that of a product of matrices as the third power of their sides. */
Status small_lower(const BenchJob *job, Cost cost, Small *small) {
    double side = sqrt(fmin(1, verified_share(cost)));
    TRY(bench_job_lower(job, shape_part(job->shape, side), &small->plan, &small->stage));
    const double share = verified_share(stage_cost(small->stage));
    if (side < 1 && share > 1.5) {
        plan_destroy(&small->plan);
        side = fmin(1, side * cbrt(share));
        TRY(bench_job_lower(job, shape_part(job->shape, side), &small->plan, &small->stage));
    }
    return side < 1 ? bench_job_lower(job, shape_part(job->shape, side / 2), &small->smaller_plan, &small->smaller)
                    : STATUS_OK;
}

void small_free(Small *small) {
    plan_destroy(&small->plan);
    plan_destroy(&small->smaller_plan);
}
