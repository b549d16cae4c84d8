/* pageable.cu: copies from and to memory that the system may move: the driver goes by a pinned buffer of its own. */
#include "gpu/course/transfer/round.h"

static Status run(Queue *queue, const Stage *stage) {
    Round round;
    TRY(round_begin(queue, stage, TRANSFER_PAGEABLE, &round));
    const Part whole = round_whole(&round);
    TRY(round_to_device(&round, whole));
    TRY(round_kernel(&round, whole));
    TRY(round_from_device(&round, whole));
    TRY(round_wait(&round, whole));
    return round_end(&round);
}

extern "C" const Level cuda_transfer_pageable = {
    .op = &op_transfer,
    .name = "pageable",
    .idea = "copies from the program's memory as it is: the driver takes it through a pinned buffer of its own",
    .run = run,
};
