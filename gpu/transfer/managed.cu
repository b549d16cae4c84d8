/* managed.cu: one address for both sides: pages come to the device when the kernel misses them, and go back likewise.
 */
#include "gpu/transfer/round.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)stage;
    return round_accepts(device, TRANSFER_MANAGED, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    Round round;
    TRY(round_begin(queue, stage, TRANSFER_MANAGED, &round));
    const Part whole = round_whole(&round);
    round_pack(&round, whole);
    TRY(round_mark(&round, whole, 1));
    TRY(round_kernel(&round, whole));
    TRY(round_wait(&round, whole));
    round_unpack(&round, whole);
    return round_end(&round);
}

extern "C" const Level cuda_transfer_managed = {
    .op = &op_transfer,
    .name = "managed",
    .idea = "one address for both sides: pages come to the device when the kernel misses them, and go back likewise",
    .accepts = accepts,
    .run = run,
};
