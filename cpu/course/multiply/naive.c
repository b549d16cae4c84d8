/* naive.c: the textbook's three loops. */
#include "core/device/backend.h"
#include "core/ops/multiply.h"

static Status run(Queue *queue, const Stage *stage) {
    const MultiplySize size = multiply_size(stage);
    const int dropped = precision_dropped(multiply_job(stage)->precision);
    (void)queue;
    for (size_t y = 0; y < size.rows; y++) {
        const float *a = view_row(stage->in[0], y);
        for (size_t x = 0; x < size.columns; x++) {
            float sum = 0;
            for (size_t k = 0; k < size.terms; k++)
                sum += precision_round(a[k], dropped) *
                       precision_round(((const float *)view_row(stage->in[1], k))[x], dropped);
            ((float *)view_row(stage->out, y))[x] = sum;
        }
    }
    return STATUS_OK;
}

const Level cpu_multiply_naive = {
    .op = &op_multiply,
    .name = "naive",
    .idea =
        "a row times a column for every value, on one core: B is read down its columns, a cache line for each value",
    .run = run,
};
