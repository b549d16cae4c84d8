/* naive.c: one value after the other, on one core. */
#include "cpu/course/reduce/plain.h"

static Status run(Queue *queue, const Stage *stage) {
    (void)queue;
    plain_reduce(stage, 1);
    return STATUS_OK;
}

const Level cpu_reduce_naive = {
    .op = &op_reduce,
    .name = "naive",
    .idea = "every value is added to one sum, and waits until the last one has been",
    .run = run,
};
