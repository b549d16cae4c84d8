/* permuted.c: tables and tiles of enlargements. */
#include "cpu/resample/permuted.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <stdlib.h>

enum { TABLES = 16, ROWS_MAX = 64, ROOM = 64, STREAM_BYTES = 4 << 20 /* larger outputs go past the caches */ };

static const size_t vector_bytes[ISA_LEVELS] = {16, 32, 64};

/* What a table is made of. */
typedef struct Key {
    const ResampleTable *from; /* of the rest; while it is made */
    ResampleKernel kernel;
    ResampleAxis axis;
    size_t n, channels, lanes;
    bool wide;
} Key;

typedef struct Kept {
    Key key;
    PermutedTable table;
} Kept;

static void drop(Device *device, void *entry) {
    PermutedTable *table = &((Kept *)entry)->table;
    (void)device;
    free(table->first);
    free(table->places);
    free(table->weights);
    free(table->wide);
    *table = (PermutedTable){0};
}

/* The value of the input row that the first tap of value i takes. */
static int32_t source_of(const Key *key, size_t i) {
    return key->from->first[i / key->channels] * (int32_t)key->channels + (int32_t)(i % key->channels);
}

static void fill_block(const Key *key, size_t b, PermutedTable *table) {
    const size_t taps = (size_t)table->taps, begin = b * key->lanes, values = key->axis.count * key->channels;
    const size_t end = begin + key->lanes < values ? begin + key->lanes : values;
    int32_t first = source_of(key, begin);
    for (size_t i = begin; i < end; i++)
        first = source_of(key, i) < first ? source_of(key, i) : first;
    table->first[b] = first;
    for (size_t i = begin; i < end; i++) {
        table->places[i] = source_of(key, i) - first;
        for (size_t k = 0; k < taps; k++) {
            const size_t at = (b * taps + k) * key->lanes + i - begin, from = i / key->channels * taps + k;
            if (key->wide)
                table->wide[at] = key->from->weights[from];
            else
                table->weights[at] = key->from->floats[from];
        }
    }
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Key *key = from;
    Kept *kept = entry;
    PermutedTable *table = &kept->table;
    drop(queue->device, entry);
    kept->key = *key;
    kept->key.from = NULL;
    table->taps = key->from->taps;
    table->blocks = (key->axis.count * key->channels + key->lanes - 1) / key->lanes;
    const size_t values = table->blocks * key->lanes, weights = values * (size_t)table->taps;
    table->first = calloc(table->blocks, sizeof *table->first);
    table->places = calloc(values, sizeof *table->places);
    table->weights = key->wide ? NULL : calloc(weights, sizeof *table->weights);
    table->wide = key->wide ? calloc(weights, sizeof *table->wide) : NULL;
    if (!table->first || !table->places || (!table->weights && !table->wide)) {
        drop(queue->device, entry);
        return fail(STATUS_DEVICE, "no memory for the weights of an enlargement");
    }
    for (size_t b = 0; b < table->blocks; b++)
        fill_block(key, b, table);
    return STATUS_OK;
}

static bool equal(double a, double b) {
    return a <= b && a >= b;
}

static bool same(const void *entry, const void *from) {
    const Key *a = &((const Kept *)entry)->key, *b = from;
    return a->kernel == b->kernel && a->n == b->n && a->axis.count == b->axis.count &&
           equal(a->axis.scale, b->axis.scale) && equal(a->axis.offset, b->axis.offset) && a->channels == b->channels &&
           a->lanes == b->lanes && a->wide == b->wide;
}

static const CacheKind kind = {.bytes = sizeof(Kept), .max = TABLES, .make = make, .same = same, .drop = drop};

static size_t min_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Across, neighbouring windows must begin at the same pixel or at neighbours, also after rounding. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const ResampleJob *job = resample_job(stage);
    (void)device;
    *why_not = "it enlarges";
    return job->x.scale <= 1 - 1e-9 && job->y.scale <= 1;
}

static size_t real_bytes(const Stage *stage) {
    return stage->out.shape.type == PIXEL_U16 ? sizeof(double) : sizeof(float);
}

static size_t source_values(const Stage *stage) {
    const size_t taps = (size_t)resample_taps(resample_job(stage)->kernel, &resample_job(stage)->x, SIZE_MAX >> 12);
    const size_t values = PERMUTED_VALUES + (taps + 2) * (size_t)stage->out.shape.channels + ROOM;
    return (values + 15) / 16 * 16; /* pointers lie behind them */
}

static size_t scratch_bytes(const Stage *stage) {
    const ResampleJob *job = resample_job(stage);
    const size_t rows = (size_t)resample_taps(job->kernel, &job->y, stage->in[0].shape.height);
    return (permuted_scratch(source_values(stage), rows, real_bytes(stage)) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return scratch_bytes(stage) * (size_t)device->threads;
}

typedef struct Shared {
    const PermutedJob *job;
    PermutedRun *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    const Isa isa = isa_detect();
    PermutedRun *const *const sets[ISA_LEVELS] = {permuted_runs_portable, permuted_runs_avx2, permuted_runs_avx512};
    const ResampleJob *resample = resample_job(stage);
    const Shape out = stage->out.shape;
    const int threads = queue->device->threads;
    const size_t share = (out.height + 2 * (size_t)threads - 1) / (2 * (size_t)threads), bytes = scratch_bytes(stage);
    ResampleTables tables;
    void *across;
    void *scratch;
    TRY(resample_tables(queue, stage, &tables));
    const Key key = {tables.x,
                     resample->kernel,
                     resample->x,
                     stage->in[0].shape.width,
                     (size_t)out.channels,
                     vector_bytes[isa] / sizeof(float),
                     real_bytes(stage) == sizeof(double)};
    TRY(cache_get(queue, &kind, 0, &key, &across));
    TRY(cpu_scratch(queue, bytes * (size_t)threads, &scratch));
    const PermutedJob job = {.stage = stage,
                             .down = tables.y,
                             .across = &((const Kept *)across)->table,
                             .rows = min_of(ROWS_MAX, share),
                             .source = source_values(stage),
                             .stream = shape_bytes(out) >= STREAM_BYTES};
    const Shared shared = {&job, sets[isa][out.type]};
    cpu_share_tiles(
        queue, &(TeamTiles){out.width * (size_t)out.channels, out.height, PERMUTED_VALUES, job.rows, scratch, bytes},
        run_tile, &shared);
    return STATUS_OK;
}

const Level cpu_resample_permuted = {
    .op = &op_resample,
    .name = "permuted",
    .idea = "enlarging: each input row is weighed along itself once, by permutations within a vector, and the lines "
            "so made wait in the cache for the result rows between them",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
