/* mapped.cu: zero copy: the kernel reads and writes the host's memory itself, over the bus. */
#include "gpu/course/transfer/round.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)stage;
    return round_accepts(device, TRANSFER_MAPPED, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    return round_without_copies(queue, stage, TRANSFER_MAPPED);
}

extern "C" const Level cuda_transfer_mapped = {
    .op = &op_transfer,
    .name = "mapped",
    .idea = "zero copy: the kernel reads and writes pinned host memory itself, over the bus, as it goes",
    .accepts = accepts,
    .run = run,
};
