/* streams_8.cu: eight streams: more than there are engines, so that none waits for a stream. */
#include "gpu/course/transfer/round.h"

static Status run(Queue *queue, const Stage *stage) {
    return round_in_chunks(queue, stage, 8);
}

extern "C" const Level cuda_transfer_streams_8 = {
    .op = &op_transfer,
    .name = "streams-8",
    .idea = "chunks on eight streams, more than there is to overlap: whether that costs anything",
    .run = run,
};
