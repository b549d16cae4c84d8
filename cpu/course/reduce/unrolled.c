/* unrolled.c: four neighbours at a time, each added to sums of its own. */
#include "cpu/course/reduce/plain.h"

static Status run(Queue *queue, const Stage *stage) {
    (void)queue;
    plain_reduce(stage, PLAIN_TURNS);
    return STATUS_OK;
}

const Level cpu_reduce_unrolled = {
    .op = &op_reduce,
    .name = "unrolled",
    .idea =
        "four neighbouring pixels in a step, each added to sums of its own, so that no addition waits for the last one",
    .run = run,
};
