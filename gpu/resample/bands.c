/* bands.c: bands of weights in the device's cache. */
#include "gpu/resample/bands.h"

#include "core/device/cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    CHUNK = 16,      /* bytes to whose multiples windows are widened */
    REMEMBERED = 32, /* matrices among which equal ones are looked for */
    ENTRIES = 16
};

typedef struct Key {
    ResampleKernel kernel;
    ResampleAxis axis;
    size_t n;
    int channels; /* 0: down the columns */
    int bytes;    /* of a value */
    double other; /* across: the other axis's scale; down: across's `factor` */
} Key;

typedef struct Kept {
    Key key;
    Bands bands;
    GpuScratch memory;
} Kept;

/* Matrices as they grow. */
typedef struct Matrices {
    unsigned char *bytes;
    size_t count, room, size; /* size: bytes of one, with all of its digits */
} Matrices;

/* Bytes of a lane in one matrix: of 16 x 32, or of 32 x 8. */
static size_t lane_bytes(const Key *key) {
    return key->channels > 0 ? 16 : 8;
}

/* Where a lane has the weight of value `result` for byte or row `at` of its window: lanes of mma.m16n8k32. Values 2 g
 * and 2 g + 1 are rows g and g + 8 of a matrix, so that a lane has neighbours. Rows 0, 1, 8 and 9 of sixteen are a word
 * of the first lane, as products along the rows leave them. */
static size_t place_of(const Key *key, size_t result, size_t at) {
    const size_t half = at % BAND_ROWS / 16;
    if (key->channels > 0) {
        const size_t lane = result / 2 * 4 + at % 16 / 4;
        return lane * 16 + (result % 2 + 2 * half) * 4 + at % 4;
    }
    const size_t lane = result * 4 + at % 8 / 2;
    return lane * 8 + half * 4 + at % 16 / 8 * 2 + at % 2;
}

/* Weights of a result, times `one`, as whole numbers with the sum that they should have. The weights that are nearest
 * to the next number make up for what is missing. Returns the sum of the squared errors. */
static double wholes_of(const ResampleTable *table, size_t result, double one, int64_t *wholes) {
    const double *weights = table->weights + result * (size_t)table->taps;
    double sum = 0, squares = 0;
    int64_t missing = 0;
    for (int k = 0; k < table->taps; k++) {
        wholes[k] = llrint(weights[k] * one);
        sum += weights[k];
        missing -= wholes[k];
    }
    missing += llrint(sum * one);
    for (const int by = missing < 0 ? -1 : 1; missing != 0; missing -= by) {
        int nearest = 0;
        for (int k = 1; k < table->taps; k++)
            if (by * (weights[k] * one - (double)wholes[k]) > by * (weights[nearest] * one - (double)wholes[nearest]))
                nearest = k;
        wholes[nearest] += by;
    }
    for (int k = 0; k < table->taps; k++)
        squares += pow(weights[k] - (double)wholes[k] / one, 2);
    return squares;
}

static int most_digits(const Key *key) {
    return BAND_DIGITS - 1 + key->bytes;
}

/* The factor of weights before they are rounded. */
static double one_of(const Key *key, const Bands *bands) {
    if (key->channels == 0)
        return ldexp(key->other, key->bytes == 1 ? BAND_EXPONENT : BAND_EXPONENT_WIDE);
    return bands->digits == most_digits(key) ? ldexp(1, BAND_EXPONENT) : ldexp(1, BAND_EXPONENT_SHORT) / bands->factor;
}

/* How many digits do. Weights that mean blocks or triangles have results halfway between two numbers, and have three.
 * Noise deviates by 74 from its mean, and a sum's error is on average 0.8 of its deviation. Down the columns, it
 * shrinks by the root of the scale. The bytes of u16 err alike. An error of 0.001 changes one result in a thousand. */
static Status choose_digits(const Key *key, const ResampleTable *table, Bands *bands) {
    const double most = 32600, least = 70000, error = 0.0006; /* of two digits; so that three hold weights of 1 down */
    double largest = 0, worst = 0;
    bands->digits = most_digits(key);
    bands->factor = 1;
    if (key->channels == 0 || key->kernel < RESAMPLE_CUBIC)
        return STATUS_OK;
    for (size_t i = 0; i < table->count * (size_t)table->taps; i++)
        largest = fmax(largest, fabs(table->weights[i]));
    const double one = fmin(floor(most / largest), ldexp(1, BAND_EXPONENT_SHORT));
    if (one < least)
        return STATUS_OK;
    int64_t *wholes = calloc((size_t)table->taps + 1, sizeof *wholes);
    if (!wholes)
        return fail(STATUS_DEVICE, "no memory for the weights of a resampling");
    for (size_t i = 0; i < table->count; i++)
        worst = fmax(worst, wholes_of(table, i, one, wholes));
    free(wholes);
    if (sqrt(worst * key->bytes / fmax(key->other, 1)) * 74 * 0.8 > error)
        return STATUS_OK;
    bands->digits = most_digits(key) - 1;
    bands->factor = ldexp(1, BAND_EXPONENT_SHORT) / one;
    return STATUS_OK;
}

/* The first value and the end of a result's window, in bytes of a row or in rows; channels lie between its values. */
static void window_of(const Key *key, const ResampleTable *table, size_t value, ptrdiff_t *begin, ptrdiff_t *end) {
    const size_t channels = key->channels > 0 ? (size_t)key->channels : 1;
    const size_t bytes = key->channels > 0 ? (size_t)key->bytes : 1;
    *begin = (ptrdiff_t)(((size_t)table->first[value / channels] * channels + value % channels) * bytes);
    *end = *begin + (ptrdiff_t)(((size_t)(table->taps - 1) * channels + 1) * bytes);
}

static size_t values_of(const Key *key, const ResampleTable *table) {
    return table->count * (size_t)(key->channels > 0 ? key->channels : 1);
}

/* Where groups begin and end, if block 0 begins with row `origin`. Returns the sum of their counts. */
static size_t place_groups(const Key *key, const ResampleTable *table, int origin, Bands *bands) {
    const size_t each = key->channels > 0 ? BAND_VALUES : BAND_RESULTS, values = values_of(key, table);
    size_t all = 0;
    bands->origin = origin;
    bands->most = 0;
    for (size_t g = 0; g < (size_t)bands->groups; g++) {
        ptrdiff_t first = PTRDIFF_MAX, end = 0;
        for (size_t value = g * each; value < (g + 1) * each && value < values; value++) {
            ptrdiff_t from, to;
            window_of(key, table, value, &from, &to);
            first = from < first ? from : first;
            end = to > end ? to : end;
        }
        BandGroup *group = &bands->group[g];
        const ptrdiff_t unit = key->channels > 0 ? CHUNK : BAND_ROWS, step = key->channels > 0 ? BAND_STEP : BAND_ROWS;
        const ptrdiff_t begin = (first - origin) / unit * unit;
        group->first = (int32_t)(key->channels > 0 ? begin : begin / unit);
        group->count = (int32_t)((end - origin - begin + step - 1) / step);
        bands->most = group->count > bands->most ? group->count : bands->most;
        all += (size_t)group->count;
    }
    return all;
}

/* Blocks begin where results need the fewest. */
static void place_blocks(const Key *key, const ResampleTable *table, Bands *bands) {
    int best = 0;
    size_t fewest = SIZE_MAX;
    for (int origin = 0; origin > -BAND_ROWS; origin--) {
        const size_t all = place_groups(key, table, origin, bands);
        best = all < fewest ? origin : best;
        fewest = all < fewest ? all : fewest;
    }
    place_groups(key, table, best, bands);
}

static Status room_for(Matrices *matrices, size_t more) {
    if (matrices->bytes && matrices->count + more <= matrices->room)
        return STATUS_OK;
    const size_t room = 2 * (matrices->count + more) + REMEMBERED;
    unsigned char *bytes = realloc(matrices->bytes, room * matrices->size + 1);
    if (!bytes)
        return fail(STATUS_DEVICE, "no memory for the weights of a resampling");
    matrices->bytes = bytes;
    matrices->room = room;
    return STATUS_OK;
}

/* Digits of a whole number, of which matrices are `plane` bytes apart. */
static void put_digits(int64_t whole, int digits, size_t plane, unsigned char *to) {
    const uint64_t bytes = (uint64_t)whole + 0x80808080U;
    for (int p = 0; p < digits; p++)
        to[(size_t)p * plane] = (unsigned char)((bytes >> 8 * p & 255) ^ 128);
}

/* The digits of one group's weights, in matrices that are zero. Byte b of a value has weights times 256^b. */
static void fill(const Key *key, const ResampleTable *table, const Bands *bands, size_t g, int64_t *wholes,
                 unsigned char *to) {
    const bool is_across = key->channels > 0;
    const size_t each = is_across ? BAND_VALUES : BAND_RESULTS, values = values_of(key, table);
    const size_t channels = is_across ? (size_t)key->channels : 1, bytes = is_across ? (size_t)key->bytes : 1;
    const size_t plane = LANES * lane_bytes(key), step = (size_t)bands->digits * plane;
    const ptrdiff_t from =
        is_across ? bands->group[g].first : bands->origin + (ptrdiff_t)bands->group[g].first * BAND_ROWS;
    for (size_t i = 0; i < each && g * each + i < values; i++)
        for (size_t b = 0; b < bytes; b++) {
            ptrdiff_t begin, end;
            window_of(key, table, g * each + i, &begin, &end);
            wholes_of(table, (g * each + i) / channels, ldexp(one_of(key, bands), 8 * (int)b), wholes);
            for (int k = 0; k < table->taps; k++) {
                const size_t at = (size_t)(begin - from) + (size_t)k * channels * bytes + b;
                put_digits(wholes[k], bands->digits, plane, to + at / BAND_STEP * step + place_of(key, i, at));
            }
        }
}

/* The index of the matrices at the end, or of equal ones before, of which these are a copy then. */
static size_t shared(Matrices *matrices, size_t count) {
    const size_t last = matrices->count, begin = last > REMEMBERED * count ? last - REMEMBERED * count : 0;
    const unsigned char *made = matrices->bytes + last * matrices->size;
    for (size_t i = begin; i + count <= last; i++)
        if (memcmp(matrices->bytes + i * matrices->size, made, count * matrices->size) == 0)
            return i;
    matrices->count += count;
    return last;
}

static Status make_matrices(const Key *key, const ResampleTable *table, Bands *bands, Matrices *matrices) {
    int64_t *wholes = calloc((size_t)table->taps + 1, sizeof *wholes);
    Status status = wholes ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the weights of a resampling");
    for (size_t g = 0; g < (size_t)bands->groups && status == STATUS_OK; g++) {
        const size_t count = (size_t)(key->channels > 0 ? bands->most : bands->group[g].count);
        status = room_for(matrices, count);
        if (status != STATUS_OK)
            break;
        unsigned char *to = matrices->bytes + matrices->count * matrices->size;
        memset(to, 0, count * matrices->size);
        fill(key, table, bands, g, wholes, to);
        bands->group[g].matrix = (int32_t)shared(matrices, count);
    }
    free(wholes);
    return status;
}

/* Matrices first, for their alignment. */
static Status upload(Queue *queue, const Matrices *matrices, Kept *kept) {
    const size_t bytes = matrices->count * matrices->size, groups = (size_t)kept->bands.groups * sizeof(BandGroup);
    void *memory = NULL;
    TRY(gpu_scratch(queue, &kept->memory, bytes + groups, &memory));
    TRY(gpu_put(queue, memory, matrices->bytes, bytes));
    TRY(gpu_put(queue, (char *)memory + bytes, kept->bands.group, groups));
    kept->bands.matrices_on = memory;
    kept->bands.group_on = (const BandGroup *)(const void *)((const char *)memory + bytes);
    return STATUS_OK;
}

static void drop(Device *device, void *entry) {
    Kept *kept = entry;
    free(kept->bands.group);
    kept->bands = (Bands){0};
    gpu_free(device, &kept->memory);
}

static Status make_of(Queue *queue, const ResampleTable *table, Kept *kept) {
    const Key *key = &kept->key;
    Bands *bands = &kept->bands;
    const size_t each = key->channels > 0 ? BAND_VALUES : BAND_RESULTS;
    TRY(choose_digits(key, table, bands));
    Matrices matrices = {.size = (size_t)bands->digits * LANES * lane_bytes(key)};
    bands->groups = (int)((values_of(key, table) + each - 1) / each);
    bands->group = calloc((size_t)bands->groups + 1, sizeof *bands->group);
    if (!bands->group)
        return fail(STATUS_DEVICE, "no memory for the weights of a resampling");
    if (key->channels > 0) {
        place_groups(key, table, 0, bands);
        bands->most += bands->most == 1 || bands->most == 7; /* no kernel has one or seven steps */
    } else
        place_blocks(key, table, bands);
    Status status = make_matrices(key, table, bands, &matrices);
    if (status == STATUS_OK)
        status = upload(queue, &matrices, kept);
    free(matrices.bytes);
    return status;
}

static Status make(Queue *queue, const void *from, void *entry) {
    Kept *kept = entry;
    ResampleTable table;
    free(kept->bands.group);
    kept->bands = (Bands){0}; /* its memory serves again */
    kept->key = *(const Key *)from;
    TRY(resample_table_create(kept->key.kernel, &kept->key.axis, kept->key.n, &table));
    const Status status = make_of(queue, &table, kept);
    resample_table_free(&table);
    return status;
}

static bool same(const void *entry, const void *from) {
    const Key *a = &((const Kept *)entry)->key, *b = from;
    return a->kernel == b->kernel && a->n == b->n && a->channels == b->channels && a->bytes == b->bytes &&
           a->other >= b->other && a->other <= b->other && resample_axis_equal(&a->axis, &b->axis);
}

static const CacheKind kind = {.bytes = sizeof(Kept), .max = ENTRIES, .make = make, .same = same, .drop = drop};
/* Each strip of a picture has rows of its own, once. */
static const CacheKind kind_strip = {.bytes = sizeof(Kept), .max = 2, .make = make, .same = same, .drop = drop};

/* The most pixels that windows of results have from the first's begin to the last's end, `apart` results later. */
static double reach_of(const ResampleJob *job, const ResampleAxis *axis, size_t n, int apart) {
    return ceil(apart * axis->scale) + 1 + resample_taps(job->kernel, axis, n);
}

bool gpu_resample_bands_fit(const Stage *stage) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape;
    const int channels = in.channels, bytes = (int)pixel_type_size(in.type);
    const int steps = in.type == PIXEL_U8 ? BAND_STEPS_MAX : BAND_STEPS_WIDE;
    const double line = reach_of(job, &job->x, in.width, (BAND_VALUES + channels - 2) / channels) * channels * bytes;
    const double rows = reach_of(job, &job->y, in.height, BAND_RESULTS - 1);
    return line + CHUNK - 1 <= steps * BAND_STEP && rows - 1 <= (BAND_BLOCKS_MAX - 1) * BAND_ROWS;
}

Status gpu_resample_bands(Queue *queue, const Stage *stage, const Bands **across, const Bands **down) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape;
    const int bytes = (int)pixel_type_size(in.type);
    const Key along = {job->kernel, job->x, in.width, in.channels, bytes, job->y.scale};
    void *x, *y;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    TRY(cache_get(queue, &kind, 0, &along, &x));
    *across = &((const Kept *)x)->bands;
    const Key below = {job->kernel, job->y, in.height, 0, bytes, (*across)->factor};
    TRY(cache_get(queue, job->y.whole > 0 ? &kind_strip : &kind, 0, &below, &y));
    *down = &((const Kept *)y)->bands;
    return STATUS_OK;
}
