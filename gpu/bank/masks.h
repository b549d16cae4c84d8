/* masks.h: the masks of filter banks in the device's cache. */
#ifndef GLINT_GPU_BANK_MASKS_H
#define GLINT_GPU_BANK_MASKS_H

#include "core/param/bank.h"
#include "gpu/gpu.h"

/* The bank's weights as it has them, in device memory; they stay for this call. */
Status gpu_bank(Queue *queue, const Bank *bank, const float **weights);

#endif
