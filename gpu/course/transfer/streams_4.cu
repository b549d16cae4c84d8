/* streams_4.cu: four chunks at a time: one comes, one is worked on, one goes back. */
#include "gpu/course/transfer/round.h"

static Status run(Queue *queue, const Stage *stage) {
    return round_in_chunks(queue, stage, 4);
}

extern "C" const Level cuda_transfer_streams_4 = {
    .op = &op_transfer,
    .name = "streams-4",
    .idea = "chunks on four streams: to the device, the kernel and from the device at once",
    .run = run,
};
