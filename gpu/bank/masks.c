/* masks.c: the masks of filter banks in the device's cache. */
#include "gpu/bank/masks.h"

#include "core/device/cache.h"

enum { BANKS = 4 };

static void drop(Device *device, void *entry) {
    gpu_free(device, entry);
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Bank *bank = from;
    const size_t bytes = (size_t)bank->count * bank_terms(bank) * sizeof *bank->weights;
    void *memory;
    TRY(gpu_scratch(queue, entry, bytes, &memory));
    return gpu_put(queue, memory, bank->weights, bytes);
}

static const CacheKind kind = {.bytes = sizeof(GpuScratch), .max = BANKS, .make = make, .drop = drop};

Status gpu_bank(Queue *queue, const Bank *bank, const float **weights) {
    void *found;
    TRY(cache_get(queue, &kind, bank->serial, bank, &found));
    *weights = ((const GpuScratch *)found)->memory;
    return STATUS_OK;
}
