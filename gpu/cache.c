/* cache.c: the data that levels make of a mask and keep on the device. */
#include "gpu/cache.h"

#include <string.h>

bool gpu_kept_same(const void *entry, const void *mask) {
    return mask_equal(((const GpuKept *)entry)->mask, mask);
}

void gpu_kept_drop(Device *device, void *entry) {
    GpuKept *kept = entry;
    gpu_free(device, &kept->memory);
    mask_destroy(&kept->mask);
}

Status gpu_keep(Queue *queue, GpuKept *kept, const Mask *mask, const void *made, size_t bytes,
                const int facts[KEPT_FACTS]) {
    void *memory = NULL;
    mask_destroy(&kept->mask);
    TRY(gpu_scratch(queue, &kept->memory, bytes, &memory));
    if (made)
        TRY(gpu_put(queue, memory, made, bytes));
    memcpy(kept->facts, facts, sizeof kept->facts);
    return mask_clone(mask, &kept->mask);
}

Status gpu_kept(Queue *queue, const CacheKind *kind, const Mask *mask, const GpuKept **kept) {
    void *found;
    TRY(cache_get(queue, kind, mask->serial, mask, &found));
    *kept = found;
    return STATUS_OK;
}

/* ---- the weights as they are ---- */

static Status make_weights(Queue *queue, const void *from, void *entry) {
    static const int none[KEPT_FACTS];
    const Mask *mask = from;
    return gpu_keep(queue, entry, mask, mask->weights,
                    (size_t)mask->width * (size_t)mask->height * sizeof *mask->weights, none);
}

static const CacheKind weights_kind = GPU_KEPT(make_weights);

Status gpu_mask(Queue *queue, const Mask *mask, const float **weights) {
    const GpuKept *kept;
    TRY(gpu_kept(queue, &weights_kind, mask, &kept));
    *weights = kept->memory.memory;
    return STATUS_OK;
}

/* ---- separable masks ---- */

static void *put_floats(void *to, const double *values, int count) {
    float *out = to;
    for (int i = 0; i < count; i++)
        out[i] = (float)values[i];
    return out + count;
}

static Status upload_terms(Queue *queue, GpuTerms *terms, const Mask *mask) {
    const size_t sides = (size_t)mask->width + (size_t)mask->height, width = (size_t)mask->width;
    double packed[3 * MASK_MAX]; /* the f64 halves begin behind the f32 ones, which take as much as half as many */
    double *wide = packed + (sides + 1) / 2;
    put_floats(put_floats(packed, terms->host.rows, mask->width), terms->host.columns, mask->height);
    memcpy(wide, terms->host.rows, width * sizeof *wide);
    memcpy(wide + width, terms->host.columns, (sides - width) * sizeof *wide);
    void *memory = NULL;
    TRY(gpu_scratch(queue, &terms->memory, sizeof packed, &memory));
    return gpu_put(queue, memory, packed, ((sides + 1) / 2 + sides) * sizeof *packed);
}

static Status make_terms(Queue *queue, const void *from, void *entry) {
    GpuTerms *terms = entry;
    const Mask *mask = from;
    mask_destroy(&terms->mask);
    mask_terms_free(&terms->host);
    TRY(mask_factor(mask, 1, &terms->host));
    terms->row_sum = 0;
    for (int i = 0; i < mask->width; i++)
        terms->row_sum += terms->host.rows[i];
    TRY(upload_terms(queue, terms, mask));
    return mask_clone(mask, &terms->mask);
}

static bool same_terms(const void *entry, const void *mask) {
    return mask_equal(((const GpuTerms *)entry)->mask, mask);
}

static void drop_terms(Device *device, void *entry) {
    GpuTerms *terms = entry;
    gpu_free(device, &terms->memory);
    mask_terms_free(&terms->host);
    mask_destroy(&terms->mask);
}

static const CacheKind terms_kind = {
    .bytes = sizeof(GpuTerms), .max = KEPT_MASKS, .make = make_terms, .same = same_terms, .drop = drop_terms};

Status gpu_terms(Queue *queue, const Mask *mask, bool wide, const GpuTerms **terms, const void **row,
                 const void **column) {
    const size_t sides = (size_t)mask->width + (size_t)mask->height;
    void *found;
    TRY(cache_get(queue, &terms_kind, mask->serial, mask, &found));
    const GpuTerms *kept = found;
    const double *wides = (const double *)kept->memory.memory + (sides + 1) / 2;
    const float *floats = kept->memory.memory;
    *terms = kept;
    *row = wide ? (const void *)wides : (const void *)floats;
    *column = wide ? (const void *)(wides + mask->width) : (const void *)(floats + mask->width);
    return STATUS_OK;
}
