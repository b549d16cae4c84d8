/* cache.h: the data that levels make of a mask and keep on the device (core/device/cache.h).
 * A level that keeps more than the mask itself has a kind of its own: GPU_KEPT with its function. */
#ifndef GLINT_GPU_CACHE_H
#define GLINT_GPU_CACHE_H

#include "core/device/cache.h"
#include "core/param/mask.h"
#include "gpu/gpu.h"

enum { KEPT_FACTS = 6, KEPT_MASKS = 8 };

/* Something made of a mask. */
typedef struct GpuKept {
    Mask *mask;            /* a copy, by which equal ones are known */
    int facts[KEPT_FACTS]; /* numbers that its maker needs again */
    GpuScratch memory;
} GpuKept;

/* The kind of the data that `make` makes of a mask: it ends with gpu_keep. */
#define GPU_KEPT(make)                                                                                                 \
    { sizeof(GpuKept), KEPT_MASKS, make, gpu_kept_same, gpu_kept_drop, false }

bool gpu_kept_same(const void *entry, const void *mask);
void gpu_kept_drop(Device *device, void *entry);
/* Uploads `made`, the data made of `mask`; with `made` NULL, only makes room. */
Status gpu_keep(Queue *queue, GpuKept *kept, const Mask *mask, const void *made, size_t bytes,
                const int facts[KEPT_FACTS]);
/* Finds the entry made of the mask, or makes it; it stays for this call. */
Status gpu_kept(Queue *queue, const CacheKind *kind, const Mask *mask, const GpuKept **kept);

/* The mask's weights, row by row, in device memory. */
Status gpu_mask(Queue *queue, const Mask *mask, const float **weights);

/* A separable mask taken apart: weight(i, j) = column[j] * row[i]. */
typedef struct GpuTerms {
    Mask *mask; /* the one that this is of */
    MaskTerms host;
    double row_sum;
    GpuScratch memory; /* on the device: row and column as f32, then both as f64 */
} GpuTerms;

/* The terms of a separable mask; *row and *column are device pointers to f32, or to f64 if `wide`. */
Status gpu_terms(Queue *queue, const Mask *mask, bool wide, const GpuTerms **terms, const void **row,
                 const void **column);

#endif
