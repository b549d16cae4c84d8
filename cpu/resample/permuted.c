/* permuted.c: tables and tiles of enlargements. */
#include "cpu/resample/permuted.h"

#include "core/device/cache.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>
#include <stdlib.h>

enum { TABLES = 16, ROWS_MAX = 64, ROOM = 64, STREAM_BYTES = 4 << 20 /* larger outputs go past the caches */ };

static const size_t vector_bytes[ISA_LEVELS] = {16, 32, 64};

/* The key of a table. */
typedef struct Key {
    const ResampleTable *from; /* of the rest; while it is made */
    ResampleKernel kernel;
    ResampleAxis axis;
    size_t n, channels, lanes;
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
    table->weights = calloc(weights, sizeof *table->weights);
    if (!table->first || !table->places || !table->weights) {
        drop(queue->device, entry);
        return fail(STATUS_DEVICE, "no memory for the weights of an enlargement");
    }
    for (size_t b = 0; b < table->blocks; b++)
        fill_block(key, b, table);
    return STATUS_OK;
}

static bool same_key(const Key *a, const Key *b) {
    return a->kernel == b->kernel && a->n == b->n && resample_axis_equal(&a->axis, &b->axis) &&
           a->channels == b->channels && a->lanes == b->lanes;
}
static bool same(const void *entry, const void *from) {
    return same_key(&((const Kept *)entry)->key, from);
}

static const CacheKind kind = {.bytes = sizeof(Kept), .max = TABLES, .make = make, .same = same, .drop = drop};

/* ---- weights in whole numbers ---- */

enum {
    SHIFT_MAX = 15,
    OVERSHOOT =
        26214 /* 1.6 * 2^14, the upper half of a line's largest value: absolute weights add up to 1.58 at most */
};

/* The weights of one result as whole numbers of 2^(-14 - shift) that add up to 1. */
static void whole_weights(const ResampleTable *from, size_t i, int shift, int64_t *to) {
    const double *weights = from->weights + i * (size_t)from->taps;
    int64_t rest = INT64_C(1) << (14 + shift);
    int largest = 0;
    for (int k = 0; k < from->taps; k++) {
        to[k] = llrint(ldexp(weights[k], 14 + shift));
        rest -= to[k];
        largest = weights[k] > weights[largest] ? k : largest;
    }
    to[largest] += rest;
}
static int16_t high_of(int64_t weight, int shift) {
    return (int16_t)((weight + (INT64_C(1) << (shift - 1))) >> shift);
}
static int16_t low_of(int64_t weight, int shift) {
    return (int16_t)(weight - (int64_t)high_of(weight, shift) * (INT64_C(1) << shift));
}
/* For the lower half of a value, whose sum with `low` is 2^16 times as much. */
static int16_t half_of(int64_t weight, int shift) {
    return (int16_t)lrint(ldexp((double)high_of(weight, shift), shift - 16));
}

/* Whether no sum of these weights' low parts can leave 31 bits. Along rows these are sums of values up to 2^15 and the
 * bias; down the columns (`halves`), of both halves of lines. */
static bool fits(const ResampleTable *from, int shift, bool halves, int64_t *weights) {
    const int64_t high_max = halves ? OVERSHOOT : 32768;
    for (size_t i = 0; i < from->count; i++) {
        int64_t sum = halves ? 0 : (int64_t)(WHOLE_BIAS + 1) << (shift - 1);
        whole_weights(from, i, shift, weights);
        for (int k = 0; k < from->taps; k++)
            sum += high_max * llabs(low_of(weights[k], shift)) +
                   (halves ? 32768LL * llabs(half_of(weights[k], shift)) : 0);
        if (sum >= INT32_MAX)
            return false;
    }
    return true;
}
static int shift_of(const ResampleTable *from, bool halves, int64_t *weights) {
    int shift = SHIFT_MAX;
    while (shift > 1 && !fits(from, shift, halves, weights))
        shift--;
    return shift;
}

typedef struct KeptWhole {
    Key key;
    WholeTable table;
} KeptWhole;

static void drop_whole(Device *device, void *entry) {
    WholeTable *table = &((KeptWhole *)entry)->table;
    (void)device;
    free(table->first);
    free(table->places);
    free(table->weights);
    *table = (WholeTable){0};
}

enum { PIECE = 4 };

/* Lanes [4 j, 4 j + 4) of vector v. */
static void fill_piece(const Key *key, size_t v, size_t j, int64_t *weights, WholeTable *table) {
    const size_t channels = key->channels, values = key->axis.count * channels, pieces = key->lanes / PIECE;
    const size_t piece = (v - v % 2) * pieces + 2 * j + v % 2, begin = piece * PIECE;
    int32_t first = source_of(key, begin < values ? begin : values - 1);
    for (size_t i = begin; i < begin + PIECE && i < values; i++)
        first = source_of(key, i) < first ? source_of(key, i) : first;
    table->first[v * pieces + j] = (uint32_t)first;
    for (size_t i = begin; i < begin + PIECE && i < values; i++) {
        const size_t lane = PIECE * j + i - begin, place = (size_t)(source_of(key, i) - first);
        uint8_t *bytes = table->places + (v * key->lanes + lane) * 4;
        for (size_t b = 0; b < 4; b++)
            bytes[b] = (uint8_t)(2 * (place + b / 2 * channels) + b % 2);
        whole_weights(key->from, i / channels, table->shift, weights);
        for (int k = 0; k < key->from->taps; k++) {
            int16_t *pair = table->weights + ((v * (size_t)table->pairs + (size_t)k / 2) * 2 * key->lanes + lane) * 2;
            pair[k % 2] = high_of(weights[k], table->shift);
            pair[2 * key->lanes + (size_t)k % 2] = low_of(weights[k], table->shift);
        }
    }
}

static Status make_whole(Queue *queue, const void *from, void *entry) {
    const Key *key = from;
    KeptWhole *kept = entry;
    WholeTable *table = &kept->table;
    drop_whole(queue->device, entry);
    kept->key = *key;
    kept->key.from = NULL;
    const size_t values = key->axis.count * key->channels;
    table->pairs = (key->from->taps + 1) / 2;
    table->vectors = (values + 2 * key->lanes - 1) / (2 * key->lanes) * 2;
    const size_t lanes = table->vectors * key->lanes;
    int64_t *weights = calloc((size_t)key->from->taps, sizeof *weights);
    table->first = calloc(lanes / PIECE, sizeof *table->first);
    table->places = calloc(lanes, 4 * sizeof *table->places);
    table->weights = calloc(lanes * (size_t)table->pairs, 4 * sizeof *table->weights);
    if (!weights || !table->first || !table->places || !table->weights) {
        free(weights);
        drop_whole(queue->device, entry);
        return fail(STATUS_DEVICE, "no memory for the weights of an enlargement");
    }
    table->shift = shift_of(key->from, false, weights);
    for (size_t v = 0; v < table->vectors; v++)
        for (size_t j = 0; j < key->lanes / PIECE; j++)
            fill_piece(key, v, j, weights, table);
    free(weights);
    return STATUS_OK;
}

static bool same_whole(const void *entry, const void *from) {
    return same_key(&((const KeptWhole *)entry)->key, from);
}

static const CacheKind kind_whole = {
    .bytes = sizeof(KeptWhole), .max = TABLES, .make = make_whole, .same = same_whole, .drop = drop_whole};

typedef struct KeptRows {
    Key key;
    WholeRows rows;
} KeptRows;

static void drop_rows(Device *device, void *entry) {
    WholeRows *rows = &((KeptRows *)entry)->rows;
    (void)device;
    free(rows->weights);
    *rows = (WholeRows){0};
}

/* Finds the shift for all rows, also where the table is for a part of them: its sums are rounded like those of the
 * whole. */
static Status find_shift(const Key *key, int64_t *weights, int *shift) {
    const ResampleAxis *part = &key->axis;
    ResampleTable all;
    if (part->whole == 0) {
        *shift = shift_of(key->from, true, weights);
        return STATUS_OK;
    }
    const ResampleAxis axis = {
        .count = (size_t)nearbyint((double)part->whole / part->scale), .scale = part->scale, .offset = part->offset};
    TRY(resample_table_create(key->kernel, &axis, part->whole, &all));
    *shift = shift_of(&all, true, weights);
    resample_table_free(&all);
    return STATUS_OK;
}

static Status make_rows(Queue *queue, const void *from, void *entry) {
    const Key *key = from;
    const size_t taps = (size_t)key->from->taps;
    KeptRows *kept = entry;
    drop_rows(queue->device, entry);
    kept->key = *key;
    kept->key.from = NULL;
    int64_t *weights = calloc(taps, sizeof *weights);
    kept->rows.weights = calloc(key->axis.count * taps, 4 * sizeof *kept->rows.weights);
    if (!weights || !kept->rows.weights) {
        free(weights);
        drop_rows(queue->device, entry);
        return fail(STATUS_DEVICE, "no memory for the weights of an enlargement");
    }
    int shift;
    const Status status = find_shift(key, weights, &shift);
    if (status != STATUS_OK) {
        free(weights);
        drop_rows(queue->device, entry);
        return status;
    }
    kept->rows.shift = shift;
    for (size_t y = 0; y < key->axis.count; y++) {
        whole_weights(key->from, y, shift, weights);
        for (size_t k = 0; k < taps; k++) {
            int16_t *to = kept->rows.weights + (y * taps + k) * 4;
            to[1] = high_of(weights[k], shift);
            to[2] = half_of(weights[k], shift);
            to[3] = low_of(weights[k], shift);
        }
    }
    free(weights);
    return STATUS_OK;
}

static bool same_rows(const void *entry, const void *from) {
    return same_key(&((const KeptRows *)entry)->key, from);
}

static const CacheKind kind_rows = {
    .bytes = sizeof(KeptRows), .max = TABLES, .make = make_rows, .same = same_rows, .drop = drop_rows};
/* Each strip of a picture has rows of its own, once. */
static const CacheKind kind_strip = {
    .bytes = sizeof(KeptRows), .max = 2, .make = make_rows, .same = same_rows, .drop = drop_rows};

/* ---- the level ---- */

static size_t min_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Whether windows are cut at most in half, so that their weights stay small. */
static bool within(const ResampleAxis *axis, size_t n) {
    return axis->offset >= 0 && axis->offset + axis->scale * ((double)axis->count - 0.5) <= (double)n;
}

/* Across, neighbouring windows must begin at the same pixel or at neighbours, also after rounding. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const ResampleJob *job = resample_job(stage);
    (void)device;
    *why_not = "it enlarges, and u16 only within the picture";
    return job->x.scale <= 1 - 1e-9 && job->y.scale <= 1 &&
           (stage->out.shape.type != PIXEL_U16 ||
            (within(&job->x, stage->in[0].shape.width) && within(&job->y, stage->in[0].shape.height)));
}

static size_t source_values(const Stage *stage) {
    const size_t taps = (size_t)resample_taps(resample_job(stage)->kernel, &resample_job(stage)->x, SIZE_MAX >> 12);
    const size_t values = PERMUTED_VALUES + (taps + 2) * (size_t)stage->out.shape.channels + ROOM;
    return (values + 15) / 16 * 16; /* pointers lie behind them */
}

static size_t scratch_bytes(const Stage *stage) {
    const ResampleJob *job = resample_job(stage);
    const size_t rows = (size_t)resample_taps(job->kernel, &job->y, stage->in[0].shape.height);
    return (permuted_scratch(source_values(stage), rows) + 63) / 64 * 64;
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
    const bool is_whole = out.type == PIXEL_U16;
    void *across, *rows = NULL, *scratch;
    TRY(resample_tables(queue, stage, &tables));
    const Key key = {tables.x,
                     resample->kernel,
                     resample->x,
                     stage->in[0].shape.width,
                     (size_t)out.channels,
                     vector_bytes[isa] / sizeof(float)};
    const Key key_rows = {tables.y, resample->kernel, resample->y, stage->in[0].shape.height, 1, 1};
    TRY(cache_get(queue, is_whole ? &kind_whole : &kind, 0, &key, &across));
    if (is_whole)
        TRY(cache_get(queue, resample->y.whole > 0 ? &kind_strip : &kind_rows, 0, &key_rows, &rows));
    TRY(cpu_scratch(queue, bytes * (size_t)threads, &scratch));
    const PermutedJob job = {.stage = stage,
                             .down = tables.y,
                             .across = is_whole ? NULL : &((const Kept *)across)->table,
                             .whole = is_whole ? &((const KeptWhole *)across)->table : NULL,
                             .rows_whole = is_whole ? &((const KeptRows *)rows)->rows : NULL,
                             .taps = tables.x->taps,
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
    .idea = "enlarging: each input row is weighed along itself once, by permutations within a vector; these lines wait "
            "in the cache for the result rows",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
