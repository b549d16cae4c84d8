/* prefetched.cu: managed memory, moved in one piece before it is missed. */
#include "gpu/course/transfer/round.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)stage;
    return round_accepts(device, TRANSFER_MANAGED, why_not);
}

/* To the device, or back. */
static Status prefetch(Round *round, bool to_device) {
    const int index = gpu_of(round->queue->device)->index;
#if CUDART_VERSION >= 13000
    const cudaMemLocation there = {.type = cudaMemLocationTypeDevice, .id = index};
    const cudaMemLocation here = {.type = cudaMemLocationTypeHost, .id = 0};
    CUDA_TRY(cudaMemPrefetchAsync(round->device, round->bytes, to_device ? there : here, 0, round->streams[0]));
#else
    CUDA_TRY(cudaMemPrefetchAsync(round->device, round->bytes, to_device ? index : cudaCpuDeviceId, round->streams[0]));
#endif
    return STATUS_OK;
}

static Status run(Queue *queue, const Stage *stage) {
    Round round;
    TRY(round_begin(queue, stage, TRANSFER_MANAGED, &round));
    const Part whole = round_whole(&round);
    round_pack(&round, whole);
    TRY(round_mark(&round, whole, 0));
    TRY(prefetch(&round, true));
    TRY(round_mark(&round, whole, 1));
    TRY(round_kernel(&round, whole));
    TRY(prefetch(&round, false));
    TRY(round_mark(&round, whole, 3));
    TRY(round_wait(&round, whole));
    round_unpack(&round, whole);
    return round_end(&round);
}

extern "C" const Level cuda_transfer_prefetched = {
    .op = &op_transfer,
    .name = "prefetched",
    .idea = "managed memory again, but told ahead where it is needed: it moves in one piece, not page by page",
    .accepts = accepts,
    .run = run,
};
