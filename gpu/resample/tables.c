/* tables.c: tables of weights in the device's cache. */
#include "gpu/resample/tables.h"

#include "core/device/cache.h"

#include <stdlib.h>
#include <string.h>

enum { TABLES = 16 };

/* The key of a table. */
typedef struct Key {
    ResampleKernel kernel;
    ResampleAxis axis;
    size_t n;
    int group;
    bool wide;
} Key;

typedef struct Kept {
    Key key;
    GpuAxis axis;
    GpuScratch memory;
} Kept;

bool gpu_resample_wide(const Stage *stage) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape;
    return in.type == PIXEL_U16 || resample_taps(job->kernel, &job->x, in.width) > RESAMPLE_TAPS_FLOAT ||
           resample_taps(job->kernel, &job->y, in.height) > RESAMPLE_TAPS_FLOAT;
}

static void drop(Device *device, void *entry) {
    Kept *kept = entry;
    free(kept->axis.base);
    kept->axis = (GpuAxis){0};
    gpu_free(device, &kept->memory);
}

/* Where groups begin, and how much they read. */
static void group_windows(const ResampleTable *table, size_t n, GpuAxis *axis) {
    const size_t each = (size_t)axis->group;
    axis->span = table->taps;
    for (size_t g = 0; g < axis->groups; g++) {
        const size_t last = (g + 1) * each < table->count ? (g + 1) * each - 1 : table->count - 1;
        const int span = table->first[last] + table->taps - table->first[g * each];
        axis->span = span > axis->span ? span : axis->span;
    }
    for (size_t g = 0; g < axis->groups; g++) {
        const int32_t first = table->first[g * each], max = (int32_t)n - axis->span;
        axis->base[g] = first < max ? first : max;
    }
}

static void put_weight(void *weights, bool wide, size_t index, double weight) {
    if (wide)
        ((double *)weights)[index] = weight;
    else
        ((float *)weights)[index] = (float)weight;
}

static void fill_weights(const ResampleTable *table, const GpuAxis *axis, bool wide, void *weights) {
    const size_t each = (size_t)axis->group, taps = (size_t)table->taps;
    for (size_t i = 0; i < table->count; i++) {
        const size_t group = i / each, shift = (size_t)(table->first[i] - axis->base[group]);
        for (size_t k = 0; k < taps; k++)
            put_weight(weights, wide, (group * (size_t)axis->span + shift + k) * each + i % each,
                       table->weights[i * taps + k]);
    }
}

/* Weights first, for their alignment, then where the groups begin. */
static Status upload(Queue *queue, const ResampleTable *table, bool wide, Kept *kept) {
    GpuAxis *axis = &kept->axis;
    const size_t count = axis->groups * (size_t)axis->span * (size_t)axis->group;
    const size_t weights = count * (wide ? sizeof(double) : sizeof(float));
    const size_t bytes = weights + axis->groups * sizeof *axis->base;
    void *memory = NULL;
    TRY(gpu_scratch(queue, &kept->memory, bytes, &memory));
    char *host = calloc(1, bytes);
    if (!host)
        return fail(STATUS_DEVICE, "no memory for the weights of a resampling");
    fill_weights(table, axis, wide, host);
    memcpy(host + weights, axis->base, axis->groups * sizeof *axis->base);
    const Status status = gpu_put(queue, memory, host, bytes);
    free(host);
    TRY(status);
    axis->weights_on = memory;
    axis->base_on = (const int32_t *)(const void *)((const char *)memory + weights);
    return STATUS_OK;
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Key *key = from;
    Kept *kept = entry;
    ResampleTable table;
    free(kept->axis.base);
    kept->axis = (GpuAxis){0}; /* its memory serves again */
    TRY(resample_table_create(key->kernel, &key->axis, key->n, &table));
    kept->key = *key;
    kept->axis.group = key->group;
    kept->axis.groups = (table.count + (size_t)key->group - 1) / (size_t)key->group;
    kept->axis.base = calloc(kept->axis.groups, sizeof *kept->axis.base);
    Status status = kept->axis.base ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the weights of a resampling");
    if (status == STATUS_OK) {
        group_windows(&table, key->n, &kept->axis);
        status = upload(queue, &table, key->wide, kept);
    }
    resample_table_free(&table);
    return status;
}

static bool same(const void *entry, const void *from) {
    const Key *a = &((const Kept *)entry)->key, *b = from;
    return a->kernel == b->kernel && a->n == b->n && a->group == b->group && a->wide == b->wide &&
           resample_axis_equal(&a->axis, &b->axis);
}

static const CacheKind kind = {.bytes = sizeof(Kept), .max = TABLES, .make = make, .same = same, .drop = drop};
/* Each strip of a picture has rows of its own, once. */
static const CacheKind kind_strip = {.bytes = sizeof(Kept), .max = 2, .make = make, .same = same, .drop = drop};

Status gpu_resample_tables(Queue *queue, const Stage *stage, int group, GpuResampleTables *tables) {
    const ResampleJob *job = resample_job(stage);
    const bool wide = gpu_resample_wide(stage);
    const Key across = {job->kernel, job->x, stage->in[0].shape.width, group, wide};
    const Key down = {job->kernel, job->y, stage->in[0].shape.height, group, wide};
    void *x, *y;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    TRY(cache_get(queue, &kind, 0, &across, &x));
    TRY(cache_get(queue, job->y.whole > 0 ? &kind_strip : &kind, 0, &down, &y));
    *tables = (GpuResampleTables){&((const Kept *)x)->axis, &((const Kept *)y)->axis};
    return STATUS_OK;
}

int gpu_resample_whole(const Stage *stage) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape;
    const size_t scale = in.width / job->x.count;
    if (scale == 0 || in.width % scale != 0 || in.height % scale != 0)
        return 0;
    const ResampleAxis across = resample_axis(in.width, in.width / scale);
    const ResampleAxis down = resample_axis(in.height, in.height / scale);
    return resample_axis_equal(&across, &job->x) && resample_axis_equal(&down, &job->y) ? (int)scale : 0;
}
