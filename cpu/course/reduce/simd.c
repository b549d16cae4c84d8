/* simd.c: runs of values by vectors, on one core. */
#include "cpu/course/reduce/pieces.h"

static Status run(Queue *queue, const Stage *stage) {
    return pieces_reduce(queue, stage, false);
}

const Level cpu_reduce_simd = {
    .op = &op_reduce,
    .name = "simd",
    .idea = "lanes add side by side, in 16 and 32 bits as long as they cannot overflow, and are folded into channels",
    .workspace = pieces_workspace,
    .run = run,
};
