/* mapped.cu: zero copy: the kernel reads and writes the host's memory itself, over the bus. */
#include "gpu/transfer/round.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)stage;
    return round_accepts(device, TRANSFER_MAPPED, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    Round round;
    TRY(round_begin(queue, stage, TRANSFER_MAPPED, &round));
    const Part whole = round_whole(&round);
    round_pack(&round, whole);
    TRY(round_mark(&round, whole, 1));
    TRY(round_kernel(&round, whole));
    TRY(round_wait(&round, whole));
    round_unpack(&round, whole);
    return round_end(&round);
}

extern "C" const Level cuda_transfer_mapped = {
    .op = &op_transfer,
    .name = "mapped",
    .idea = "zero copy: the kernel reads and writes pinned host memory itself, over the bus, as it goes",
    .accepts = accepts,
    .run = run,
};
