/* polyphase.isa.c: a tile in one instruction set: turning blocks, rounding and storing here, all else in
 * polyphase_real.h, for sums in f32 and in double. */
#include "cpu/resample/polyphase.h"
#include "cpu/pack.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* Sums with their bias become a row of the result; behind them are readable values up to a multiple of PACK. */
static void store_f32_u8(const float *sums, size_t count, void *row) {
    uint8_t *to = row, rest[PACK];
    size_t i = 0;
    for (; i + PACK <= count; i += PACK)
        pack_u8(sums + i, to + i);
    if (i < count) {
        pack_u8(sums + i, rest);
        memcpy(to + i, rest, count - i);
    }
}

static void store_f64_u16(const double *sums, size_t count, void *row) {
    uint16_t *to = row, rest[PACK];
    size_t i = 0;
    for (; i + PACK <= count; i += PACK)
        pack_u16(sums + i, to + i);
    if (i < count) {
        pack_u16(sums + i, rest);
        memcpy(to + i, rest, (count - i) * sizeof *to);
    }
}

static void store_f32(const float *sums, PixelType type, size_t count, void *row) {
    if (type == PIXEL_U8)
        store_f32_u8(sums, count, row);
    else
        memcpy(row, sums, count * sizeof *sums);
}

static void store_f64(const double *sums, PixelType type, size_t count, void *row) {
    if (type == PIXEL_U16)
        store_f64_u16(sums, count, row);
    else if (type == PIXEL_U8)
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)row)[i] = (uint8_t)lrint(fmin(fmax(sums[i], 0), 255));
    else
        for (size_t i = 0; i < count; i++)
            ((float *)row)[i] = (float)sums[i];
}

/* Blocks of LANES x LANES values are turned in steps: at each, pairs of rows exchange pieces of half the length of the
 * step before. EXCHANGE's lists say which values of two rows go into each. */
#if VECTOR_BYTES == 64
#    define TURN_F32(block)                                                                                            \
        EXCHANGE(block, 8, (0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),                                   \
                 (8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))                                       \
        EXCHANGE(block, 4, (0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27),                                 \
                 (4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31))                                         \
        EXCHANGE(block, 2, (0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),                                 \
                 (2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31))                                         \
        EXCHANGE(block, 1, (0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30),                                \
                 (1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31))
#    define TURN_F64(block)                                                                                            \
        EXCHANGE(block, 4, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15))                                   \
        EXCHANGE(block, 2, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15))                                   \
        EXCHANGE(block, 1, (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
#elif VECTOR_BYTES == 32
#    define TURN_F32(block)                                                                                            \
        EXCHANGE(block, 4, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15))                                   \
        EXCHANGE(block, 2, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15))                                   \
        EXCHANGE(block, 1, (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
#    define TURN_F64(block)                                                                                            \
        EXCHANGE(block, 2, (0, 1, 4, 5), (2, 3, 6, 7))                                                                 \
        EXCHANGE(block, 1, (0, 4, 2, 6), (1, 5, 3, 7))
#else
#    define TURN_F32(block)                                                                                            \
        EXCHANGE(block, 2, (0, 1, 4, 5), (2, 3, 6, 7))                                                                 \
        EXCHANGE(block, 1, (0, 4, 2, 6), (1, 5, 3, 7))
#    define TURN_F64(block) EXCHANGE(block, 1, (0, 2), (1, 3))
#endif
#define LIST(...) __VA_ARGS__

#define EXCHANGE(block, distance, low, high)                                                                           \
    for (size_t i = 0; i < LANES; i++)                                                                                 \
        if ((i & (distance)) == 0) {                                                                                   \
            const VECTOR a = (block)[i], b = (block)[i + (distance)];                                                  \
            (block)[i] = __builtin_shufflevector(a, b, LIST low);                                                      \
            (block)[i + (distance)] = __builtin_shufflevector(a, b, LIST high);                                        \
        }

#define REAL    float
#define TURN    TURN_F32
#define STORE   store_f32
#define FLOATS  true
#define NAME(x) x##_f32
#include "cpu/resample/polyphase_real.h"
#undef REAL
#undef TURN
#undef STORE
#undef FLOATS
#undef NAME

#define REAL    double
#define TURN    TURN_F64
#define STORE   store_f64
#define FLOATS  false
#define NAME(x) x##_f64
#include "cpu/resample/polyphase_real.h"

static void run(const PolyphaseJob *job, size_t x, size_t y, void *scratch) {
    if (job->wide)
        run_tile_f64(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
}

PolyphaseRun *const ISA_NAME(polyphase_run) = run;
