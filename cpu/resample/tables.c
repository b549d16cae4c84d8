/* tables.c: tables of weights in the device's cache, by kernel and axis. */
#include "cpu/resample/tables.h"

#include "core/device/cache.h"

enum { TABLES = 16 };

/* The key of a table. */
typedef struct Key {
    ResampleKernel kernel;
    ResampleAxis axis;
    size_t n;
} Key;

typedef struct Kept {
    Key key;
    ResampleTable table;
} Kept;

static void drop(Device *device, void *entry) {
    (void)device;
    resample_table_free(&((Kept *)entry)->table);
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Key *key = from;
    Kept *kept = entry;
    drop(queue->device, entry);
    kept->key = *key;
    return resample_table_create(key->kernel, &key->axis, key->n, &kept->table);
}

static bool same(const void *entry, const void *from) {
    const Key *a = &((const Kept *)entry)->key, *b = from;
    return a->kernel == b->kernel && a->n == b->n && resample_axis_equal(&a->axis, &b->axis);
}

static const CacheKind kind = {.bytes = sizeof(Kept), .max = TABLES, .make = make, .same = same, .drop = drop};
/* Each strip of a picture has rows of its own, once. */
static const CacheKind kind_strip = {.bytes = sizeof(Kept), .max = 2, .make = make, .same = same, .drop = drop};

Status resample_tables(Queue *queue, const Stage *stage, ResampleTables *tables) {
    const ResampleJob *job = resample_job(stage);
    const Key across = {job->kernel, job->x, stage->in[0].shape.width};
    const Key down = {job->kernel, job->y, stage->in[0].shape.height};
    void *x, *y;
    TRY(cache_get(queue, &kind, 0, &across, &x));
    TRY(cache_get(queue, job->y.whole > 0 ? &kind_strip : &kind, 0, &down, &y));
    *tables = (ResampleTables){&((const Kept *)x)->table, &((const Kept *)y)->table};
    return STATUS_OK;
}
