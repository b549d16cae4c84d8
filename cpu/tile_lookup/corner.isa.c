/* corner.isa.c: the four results of a bin are a vector, and so are the next bin's, in double. */
#include "cpu/tile_lookup/corner.h"

#include "cpu/pack.h"
#include "cpu/widen.h"

#include <string.h>

enum { RUN = PACK }; /* values at once */

#if defined(ISA_avx512)

enum { TOGETHER = 8 };

/* Two entries of a table and those behind them. */
INLINE Floats entries_of(const float (*a)[4], const float (*b)[4]) {
    const __m512 first = _mm512_castps256_ps512(_mm256_loadu_ps(*a));
    return (Floats)_mm512_insertf32x8(first, _mm256_loadu_ps(*b), 1);
}
INLINE Doubles lower_half(Floats lanes) {
    return (Doubles)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)lanes));
}
INLINE Doubles upper_half(Floats lanes) {
    return (Doubles)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)lanes, 1));
}

/* Four values' first corners (`from` 0 and 4) or last ones, of a bin or of the next, side by side. */
#    define FOUR_OF(a, b, from)                                                                                        \
        __builtin_shufflevector((a), (b), (from), (from) + 8, (from) + 16, (from) + 24, (from) + 1, (from) + 9,        \
                                (from) + 17, (from) + 25, (from) + 2, (from) + 10, (from) + 18, (from) + 26,           \
                                (from) + 3, (from) + 11, (from) + 19, (from) + 27)
#    define EIGHT_OF(a, b, from)                                                                                       \
        __builtin_shufflevector((a), (b), (from), (from) + 1, (from) + 2, (from) + 3, (from) + 16, (from) + 17,        \
                                (from) + 18, (from) + 19, (from) + 4, (from) + 5, (from) + 6, (from) + 7, (from) + 20, \
                                (from) + 21, (from) + 22, (from) + 23)

/* Eight values: their entries are turned, so that a vector has the same corner of all of them. */
INLINE void weigh_some(const int *places, const double *parts, const float (*table)[4], const double *right,
                       double down, double *results) {
    Floats entries[4], four[4], corners[4];
    Doubles part, across;
    memcpy(&part, parts, sizeof part);
    memcpy(&across, right, sizeof across);
    for (int i = 0; i < 4; i++)
        entries[i] = entries_of(table + places[2 * i], table + places[2 * i + 1]);
    for (int i = 0; i < 2; i++) {
        four[i] = FOUR_OF(entries[2 * i], entries[2 * i + 1], 0);
        four[2 + i] = FOUR_OF(entries[2 * i], entries[2 * i + 1], 4);
    }
    for (int i = 0; i < 4; i += 2) {
        corners[i] = EIGHT_OF(four[i], four[i + 1], 0);
        corners[i + 1] = EIGHT_OF(four[i], four[i + 1], 8);
    }
    Doubles left[2], other[2]; /* above, below */
    for (int i = 0; i < 2; i++) {
        const Doubles from = lower_half(corners[i]), next = upper_half(corners[i]);
        left[i] = from + part * (lower_half(corners[2 + i]) - from);
        other[i] = next + part * (upper_half(corners[2 + i]) - next);
    }
    const Doubles all =
        (left[0] * (1 - down) + left[1] * down) * (1 - across) + (other[0] * (1 - down) + other[1] * down) * across;
    memcpy(results, &all, sizeof all);
}

#else

enum { TOGETHER = 1 };

typedef float Quad __attribute__((vector_size(16)));
typedef double Two __attribute__((vector_size(16)));
typedef double Four __attribute__((vector_size(32)));

INLINE Four results_of(const float *table) {
    Quad results;
    memcpy(&results, table, sizeof results);
    return __builtin_convertvector(results, Four);
}

INLINE void weigh_some(const int *place, const double *part, const float (*table)[4], const double *right, double down,
                       double *results) {
    const Four from = results_of(table[*place]), next = results_of(table[*place + 1]);
    const Four result = from + *part * (next - from);
    const Two above = __builtin_shufflevector(result, result, 0, 1);
    const Two lower = __builtin_shufflevector(result, result, 2, 3);
    const Two side = above * (1 - down) + lower * down;
    *results = side[0] * (1 - *right) + side[1] * *right;
}

#endif

/* The tables' results for RUN values; a result for NaN does not matter. */
INLINE void weigh(const double *values, Bins bins, const float (*table)[4], const double *right, double down,
                  double *results) {
    const double low = (double)bins.low, scale = (double)bins.scale, last = bins.count - 1;
    int places[RUN];
    double parts[RUN];
    for (int i = 0; i < RUN; i++) {
        const double at = (values[i] - low) * scale, below = at < last ? at : last, inside = below > 0 ? below : 0;
        const int place = (int)inside;
        places[i] = place < bins.count - 1 ? place : bins.count - 2;
        parts[i] = inside - places[i];
    }
    for (int i = 0; i < RUN; i += TOGETHER)
        weigh_some(places + i, parts + i, table, right + i, down, results + i);
}

INLINE void load_u16(const uint16_t *from, double *values) {
    enum { PER = sizeof(Doubles) / sizeof(double) };
    for (size_t i = 0; i < RUN; i += PER) {
        const Doubles lanes = widen_u16(from + i);
        memcpy(values + i, &lanes, sizeof lanes);
    }
}
INLINE void load_f32(const float *from, double *values) {
    for (size_t i = 0; i < RUN; i++)
        values[i] = (double)from[i];
}

INLINE void store_u16(const uint16_t *from, const double *results, uint16_t *to) {
    (void)from;
    pack_u16(results, to);
}
INLINE void store_f32(const float *from, const double *results, float *to) {
    for (size_t i = 0; i < RUN; i++)
        to[i] = from[i] == from[i] ? (float)results[i] : from[i]; /* NaN stays */
}

#define CORNER_RUN(Type, type)                                                                                         \
    INLINE void weigh_##type(const Type from[], Type to[], Bins bins, const float(*table)[4], const double *right,     \
                             double down) {                                                                            \
        double values[RUN], results[RUN];                                                                              \
        load_##type(from, values);                                                                                     \
        weigh(values, bins, table, right, down, results);                                                              \
        store_##type(from, results, to);                                                                               \
    }                                                                                                                  \
    static void values_##type(const Type from[], Type to[], size_t count, size_t apart, Bins bins,                     \
                              const float(*table)[4], const double *right, double down) {                              \
        Type line[RUN] = {0};                                                                                          \
        double weights[RUN] = {0};                                                                                     \
        size_t x = 0;                                                                                                  \
        for (; apart == 1 && x + RUN <= count; x += RUN)                                                               \
            weigh_##type(from + x, to + x, bins, table, right + x, down);                                              \
        for (; x < count; x += RUN) {                                                                                  \
            const size_t values = count - x < RUN ? count - x : RUN;                                                   \
            memcpy(weights, right + x, values * sizeof *weights);                                                      \
            for (size_t i = 0; i < values; i++)                                                                        \
                line[i] = from[(x + i) * apart];                                                                       \
            weigh_##type(line, line, bins, table, weights, down);                                                      \
            for (size_t i = 0; i < values; i++)                                                                        \
                to[(x + i) * apart] = line[i];                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    static void run_##type(const void *from, void *to, size_t count, size_t apart, Bins bins, const float(*table)[4],  \
                           const double *right, double down) {                                                         \
        values_##type(from, to, count, apart, bins, table, right, down);                                               \
    }
CORNER_RUN(uint16_t, u16)
CORNER_RUN(float, f32)

CornerRun *const ISA_NAME(corner_runs)[PIXEL_TYPES] = {[PIXEL_U16] = run_u16, [PIXEL_F32] = run_f32};
