/* corner.isa.c: the four results of a bin are a vector, and so are the next bin's, in double. */
#include "cpu/tile_lookup/corner.h"

#include "cpu/isa.h"

#include <math.h>
#include <string.h>

enum { RUN = 16 }; /* values at once */

typedef float Quad __attribute__((vector_size(16)));
typedef double Two __attribute__((vector_size(16)));
typedef double Four __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

INLINE Four results_of(const float *table) {
    Quad results;
    memcpy(&results, table, sizeof results);
    return __builtin_convertvector(results, Four);
}

/* What the tables have for RUN values; that of NaN does not matter. */
INLINE void weigh(const double *values, Bins bins, const float (*table)[4], const double *right, double down,
                  double *results) {
    const double low = (double)bins.low, scale = (double)bins.scale, last = bins.count - 1;
    int places[RUN];
    double parts[RUN], sides[2 * RUN];
    for (int i = 0; i < RUN; i++) {
        const double at = (values[i] - low) * scale, below = at < last ? at : last, inside = below > 0 ? below : 0;
        const int place = (int)inside;
        places[i] = place < bins.count - 1 ? place : bins.count - 2;
        parts[i] = inside - places[i];
    }
    for (int i = 0; i < RUN; i++) {
        const Four from = results_of(table[places[i]]), next = results_of(table[places[i] + 1]);
        const Four result = from + parts[i] * (next - from);
        const Two above = __builtin_shufflevector(result, result, 0, 1);
        const Two lower = __builtin_shufflevector(result, result, 2, 3);
        const Two side = above * (1 - down) + lower * down;
        memcpy(sides + 2 * i, &side, sizeof side);
    }
    for (int i = 0; i < RUN; i++)
        results[i] = sides[2 * i] * (1 - right[i]) + sides[2 * i + 1] * right[i];
}

INLINE uint16_t stored_u16(uint16_t value, double result) {
    (void)value;
    const double high = result < 65535 ? result : 65535;
    return (uint16_t)lrint(high > 0 ? high : 0);
}
INLINE float stored_f32(float value, double result) {
    return value == value ? (float)result : value; /* NaN stays */
}

#define CORNER_RUN(Type, type)                                                                                         \
    static void weigh_##type(const Type from[], Type to[], Bins bins, const float(*table)[4], const double *right,     \
                             double down) {                                                                            \
        double values[RUN], results[RUN];                                                                              \
        for (size_t i = 0; i < RUN; i++)                                                                               \
            values[i] = (double)from[i];                                                                               \
        weigh(values, bins, table, right, down, results);                                                              \
        for (size_t i = 0; i < RUN; i++)                                                                               \
            to[i] = stored_##type(from[i], results[i]);                                                                \
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
