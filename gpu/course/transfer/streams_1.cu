/* streams_1.cu: a chunk after the other on one stream: only the host's copies go on meanwhile. */
#include "gpu/course/transfer/round.h"

static Status run(Queue *queue, const Stage *stage) {
    return round_in_chunks(queue, stage, 1);
}

extern "C" const Level cuda_transfer_streams_1 = {
    .op = &op_transfer,
    .name = "streams-1",
    .idea = "sixteen chunks on one stream: the host fills the next while the device has the last",
    .run = run,
};
