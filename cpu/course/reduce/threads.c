/* threads.c: vectors on every core. */
#include "cpu/course/reduce/pieces.h"

static Status run(Queue *queue, const Stage *stage) {
    return pieces_reduce(queue, stage, true);
}

const Level cpu_reduce_threads = {
    .op = &op_reduce,
    .name = "threads",
    .idea = "cores share pieces of 256 KiB; their sums are added in the pieces' order, so that bits do not depend on "
            "the faster core",
    .workspace = pieces_workspace,
    .run = run,
};
