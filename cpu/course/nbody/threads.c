/* threads.c: bodies shared out among the cores. */
#include "cpu/course/nbody/leap.h"
#include "cpu/course/nbody/measured.h"

static Status run(Queue *queue, const Stage *stage) {
    return leap_pairs(queue, stage, true);
}

const Level cpu_nbody_threads = {
    .op = &op_nbody,
    .name = "threads",
    .idea = "simd on all cores: each takes some bodies at a time, and all others as they pass",
    .predictor = &cpu_nbody_measured,
    .run = run,
};
