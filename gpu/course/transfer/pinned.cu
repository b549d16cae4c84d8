/* pinned.cu: through a buffer that the system may not move, which the device reads and writes by itself. */
#include "gpu/course/transfer/round.h"

static Status run(Queue *queue, const Stage *stage) {
    Round round;
    TRY(round_begin(queue, stage, TRANSFER_PINNED, &round));
    const Part whole = round_whole(&round);
    round_pack(&round, whole);
    TRY(round_to_device(&round, whole));
    TRY(round_kernel(&round, whole));
    TRY(round_from_device(&round, whole));
    TRY(round_wait(&round, whole));
    round_unpack(&round, whole);
    return round_end(&round);
}

extern "C" const Level cuda_transfer_pinned = {
    .op = &op_transfer,
    .name = "pinned",
    .idea = "through a buffer in pinned memory, which the device's copy engines read and write by themselves",
    .run = run,
};
