/* histogram.isa.c: a strip in one instruction set. Sixteen counts make a vector. */
#include "cpu/rank/histogram.h"

#include "cpu/isa.h"
#include "cpu/keys.h"

#include <string.h>

#if defined(__SSE2__)
#    include <immintrin.h>
#endif

typedef uint8_t Bytes __attribute__((vector_size(16)));
typedef uint16_t Counts __attribute__((vector_size(32), may_alias));

INLINE Bytes load_bytes(const uint8_t *from) {
    Bytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}
INLINE void store_bytes(uint8_t *to, Bytes bytes) {
    memcpy(to, &bytes, sizeof bytes);
}
INLINE Counts load_counts(const uint8_t *from) {
    return __builtin_convertvector(load_bytes(from), Counts);
}

/* How many of the counts, which ascend, are at most `target`. */
INLINE int count_at_most(Counts counts, unsigned target) {
#if defined(__AVX2__)
    const __m256i targets = _mm256_set1_epi16((short)target);
    const __m256i at_most = _mm256_cmpeq_epi16(_mm256_min_epu16((__m256i)counts, targets), (__m256i)counts);
    return __builtin_popcount((unsigned)_mm256_movemask_epi8(at_most)) / 2;
#else
    const Counts targets = (uint16_t)target - (Counts){0};
    const Counts above = (Counts)(counts > targets);
    int count = RANGES;
    for (int i = 0; i < RANGES; i++)
        count -= above[i] & 1;
    return count;
#endif
}

/* Counts of 1 from a number on: the summand for one value. */
static const uint8_t steps[2 * RANGES] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
INLINE Bytes step_from(unsigned number) {
    return load_bytes(steps + RANGES - number);
}

static void enter_row(const HistogramStrip *strip, const uint8_t *row, size_t count, size_t channels) {
    for (size_t i = 0; i < count; i++) {
        const unsigned value = row[i * channels];
        uint8_t *range = strip->ranges + RANGES * i;
        uint8_t *column = strip->columns + (size_t)RANGES * RANGES * i + value / RANGES * RANGES;
        store_bytes(range, load_bytes(range) + step_from(value / RANGES));
        store_bytes(column, load_bytes(column) + step_from(value % RANGES));
    }
}
static void leave_row(const HistogramStrip *strip, const uint8_t *row, size_t count, size_t channels) {
    for (size_t i = 0; i < count; i++) {
        const unsigned value = row[i * channels];
        uint8_t *range = strip->ranges + RANGES * i;
        uint8_t *column = strip->columns + (size_t)RANGES * RANGES * i + value / RANGES * RANGES;
        store_bytes(range, load_bytes(range) - step_from(value / RANGES));
        store_bytes(column, load_bytes(column) - step_from(value % RANGES));
    }
}

/* The sums of `count` columns' counts, `stride` bytes apart. */
INLINE Counts sum_of(const uint8_t *columns, size_t stride, size_t count) {
    Counts sum = {0};
    for (size_t i = 0; i < count; i++)
        sum += load_counts(columns + i * stride);
    return sum;
}

static void rank_row(const HistogramStrip *strip, size_t size, unsigned rank) {
    Counts within[RANGES], ranges = sum_of(strip->ranges, RANGES, size);
    size_t summed_at[RANGES];
    for (int i = 0; i < RANGES; i++)
        summed_at[i] = SIZE_MAX;
    for (size_t x = 0; x < strip->width; x++) {
        uint16_t counts[RANGES + 1] = {0};
        if (x > 0)
            ranges +=
                load_counts(strip->ranges + RANGES * (x + size - 1)) - load_counts(strip->ranges + RANGES * (x - 1));
        const unsigned range = (unsigned)count_at_most(ranges, rank);
        memcpy(counts + 1, &ranges, sizeof ranges);
        /* The range's sums, from where they were needed last. */
        const uint8_t *columns = strip->columns + (size_t)range * RANGES;
        size_t at = summed_at[range];
        Counts sums = within[range];
        if (at == SIZE_MAX || 2 * (x - at) > size)
            sums = sum_of(columns + (size_t)RANGES * RANGES * x, (size_t)RANGES * RANGES, size);
        else
            for (; at < x; at++)
                sums += load_counts(columns + (size_t)RANGES * RANGES * (at + size)) -
                        load_counts(columns + (size_t)RANGES * RANGES * at);
        within[range] = sums;
        summed_at[range] = x;
        strip->results[x] = (uint8_t)(range * RANGES + (unsigned)count_at_most(sums, rank - counts[range]));
    }
}

static void run(const HistogramStrip *strip) {
    const Stage *stage = strip->stage;
    const RankJob *job = rank_job(stage);
    const size_t channels = (size_t)stage->out.shape.channels, width = (size_t)job->window->width;
    const size_t count = strip->width + width - 1, channel = (size_t)strip->channel;
    const ptrdiff_t left = (ptrdiff_t)strip->x - job->window->width / 2;
    const ptrdiff_t top = (ptrdiff_t)strip->y - job->window->height / 2;
    memset(strip->ranges, 0, RANGES * count);
    memset(strip->columns, 0, (size_t)RANGES * RANGES * count);
    for (ptrdiff_t j = 0; j + 1 < job->window->height; j++) {
        keys_load(stage->in[0], job->border, left, top + j, count, strip->entering);
        enter_row(strip, strip->entering + channel, count, channels);
    }
    for (size_t y = 0; y < strip->rows; y++) {
        const ptrdiff_t first = top + (ptrdiff_t)y;
        keys_load(stage->in[0], job->border, left, first + job->window->height - 1, count, strip->entering);
        enter_row(strip, strip->entering + channel, count, channels);
        rank_row(strip, width, (unsigned)job->rank);
        uint8_t *to = (uint8_t *)view_row(stage->out, strip->y + y) + strip->x * channels + channel;
        for (size_t x = 0; x < strip->width; x++)
            to[x * channels] = strip->results[x];
        keys_load(stage->in[0], job->border, left, first, count, strip->leaving);
        leave_row(strip, strip->leaving + channel, count, channels);
    }
}

HistogramRun *const ISA_NAME(histogram_run) = run;
