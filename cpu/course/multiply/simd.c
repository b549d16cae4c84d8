/* simd.c: packed panels and a tile in vector registers, on one core. */
#include "cpu/course/multiply/blocks.h"

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return blocks_bytes(stage, 1);
}

static Status run(Queue *queue, const Stage *stage) {
    return blocks_multiply(queue, stage, 1);
}

const Level cpu_multiply_simd = {
    .op = &op_multiply,
    .name = "simd",
    .idea = "a tile of the product in vector registers, to which every load of B brings a row of sums; both matrices "
            "packed in reading order",
    .workspace = workspace,
    .run = run,
};
