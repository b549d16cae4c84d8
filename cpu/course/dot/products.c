/* products.c: sums of products of pieces. */
#include "cpu/course/dot/products.h"

static void add_run(const Stage *stage, const TotalsTable *table, const void *a, const void *b, size_t count,
                    Totals *to) {
    const Shape shape = stage->in[0].shape;
    table->products[shape.type][shape.channels - 1](a, b, count, to);
}

Status products_add(Queue *queue, const Stage *stage, bool shared) {
    const Shape shape = stage->in[0].shape;
    Totals totals;
    TRY(pieces_total(queue, stage, add_run, RUN_BYTES, shared, &totals));
    for (int c = 0; c < shape.channels; c++)
        dot_store(stage->out, c, shape.type == PIXEL_F32 ? totals.real_sum[c] : (double)totals.sum[c]);
    return STATUS_OK;
}
