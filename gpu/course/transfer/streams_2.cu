/* streams_2.cu: two chunks at a time: one comes while the other is worked on. */
#include "gpu/course/transfer/round.h"

static Status run(Queue *queue, const Stage *stage) {
    return round_in_chunks(queue, stage, 2);
}

extern "C" const Level cuda_transfer_streams_2 = {
    .op = &op_transfer,
    .name = "streams-2",
    .idea = "chunks on two streams in turns: one is copied while the other is worked on",
    .run = run,
};
