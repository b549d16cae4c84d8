/* managed.cu: one address for both sides: pages come to the device when the kernel misses them, and go back when the
 * host does. */
#include "gpu/course/transfer/round.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)stage;
    return round_accepts(device, TRANSFER_MANAGED, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    return round_without_copies(queue, stage, TRANSFER_MANAGED);
}

extern "C" const Level cuda_transfer_managed = {
    .op = &op_transfer,
    .name = "managed",
    .idea =
        "one address for both sides: pages come to the device when the kernel misses them, and go back in the same way",
    .accepts = accepts,
    .run = run,
};
