/* reference.c: the definition of a product of matrices, in double precision. */
#include "core/device/backend.h"
#include "core/ops/multiply.h"
#include "cpu/team.h"

static void multiply_row(const Stage *stage, size_t y) {
    const MultiplySize size = multiply_size(stage);
    const int dropped = precision_dropped(multiply_job(stage)->precision);
    const float *a = view_row(stage->in[0], y);
    float *c = view_row(stage->out, y);
    for (size_t x = 0; x < size.columns; x++) {
        double sum = 0;
        for (size_t k = 0; k < size.terms; k++)
            sum += (double)precision_round(a[k], dropped) *
                   (double)precision_round(((const float *)view_row(stage->in[1], k))[x], dropped);
        c[x] = (float)sum;
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, multiply_row);
    return STATUS_OK;
}

const Level cpu_multiply_reference = {
    .op = &op_multiply,
    .name = "reference",
    .idea = "every value of the product by itself, in double precision; every other level is checked against it",
    .run = run,
};
