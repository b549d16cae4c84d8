/* simd.c: products by vectors, on one core. */
#include "cpu/course/dot/products.h"

static Status run(Queue *queue, const Stage *stage) {
    return products_add(queue, stage, false);
}

const Level cpu_dot_simd = {
    .op = &op_dot,
    .name = "simd",
    .idea = "lanes multiply and add side by side, in 16 and 32 bits as long as they cannot overflow",
    .workspace = pieces_workspace,
    .run = run,
};
