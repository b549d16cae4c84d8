/* threads.c: vectors on every core. */
#include "cpu/course/dot/products.h"

static Status run(Queue *queue, const Stage *stage) {
    return products_add(queue, stage, true);
}

const Level cpu_dot_threads = {
    .op = &op_dot,
    .name = "threads",
    .idea = "pieces of 256 KiB shared out among the cores, their sums added in the pieces' order",
    .workspace = pieces_workspace,
    .run = run,
};
