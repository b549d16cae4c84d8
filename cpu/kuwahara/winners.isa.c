/* winners.isa.c: boxes that compete in pairs, for each type of values, in one instruction set. */
#include "cpu/kuwahara/winners.h"

#include "cpu/vector.h"

#include <stdlib.h>
#include <string.h>

typedef uint64_t Longs __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
typedef int64_t SignedLongs __attribute__((vector_size(VECTOR_BYTES)));

enum { PER = VECTOR_BYTES / 8, PITCH = WINNERS_PITCH };

/* A tile at work. Rows and planes are PITCH apart; a slot holds the values of a row until the window leaves it. */
typedef struct Tile {
    const Stage *stage;
    int channels, radius, side;
    ptrdiff_t left;                      /* of the values that it reads */
    size_t columns, boxes, width;        /* results, boxes and values of a row */
    void *fresh, *entered;               /* values by channel: of the row that enters, and of slots */
    uint64_t *entered_squares;           /* of slots: side^2 luma^2 */
    int32_t *entered_luma;               /* of slots, where the values' sums do not make luma */
    void *columns_sums, *sums;           /* by channel: down the columns, and of boxes */
    uint64_t *columns_squares, *squares; /* sums of boxes become variances */
    uint64_t *columns_luma, *luma;       /* in two's complement; that of boxes without its sign */
    uint32_t *means;                     /* by channel, as bits of results */
    uint64_t *pixels;                    /* of boxes, then results: one or two words */
    uint64_t *even, *won;                /* of slots: winners' variances and pixels */
    char *packed;                        /* a row of results */
} Tile;

/* The product of the lower halves. */
INLINE Longs multiply_halves(Longs a, Longs b) {
#if defined(ISA_avx512)
    return (Longs)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(ISA_avx2)
    return (Longs)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (Longs)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & UINT32_MAX) * (b & UINT32_MAX);
#endif
}

/* Variances count^2 times, so that they compare as signed numbers. A sum is at most 2^32, whose square is 0 as that of
 * its lower half is. */
static void find_variances(const Tile *tile) {
    for (size_t i = 0; i < tile->boxes; i += PER) {
        const Longs sum = *(const Longs *)(tile->luma + i), squares = *(const Longs *)(tile->squares + i);
        *(Longs *)(tile->squares + i) = (squares - multiply_halves(sum, sum)) ^ (uint64_t)INT64_MIN;
    }
}

INLINE Longs either(SignedLongs which, Longs yes, Longs no) {
    return ((Longs)which & yes) | (~(Longs)which & no);
}

/* The more even of two boxes side by side, and of that and the winner `radius` rows above: the first of equals. */
INLINE void compete(const Tile *tile, size_t slot, size_t words) {
    const size_t radius = (size_t)tile->radius;
    uint64_t *even = tile->even + slot * PITCH, *won = tile->won + slot * 2 * PITCH;
    for (size_t i = 0; i < tile->columns; i += PER) {
        const Longs left = *(const Longs *)(tile->squares + i), right = *(const Longs *)(tile->squares + i + radius);
        const SignedLongs to_right = (SignedLongs)right < (SignedLongs)left;
        const Longs winner = either(to_right, right, left), above = *(const Longs *)(even + i);
        const SignedLongs below = (SignedLongs)winner < (SignedLongs)above;
        *(Longs *)(even + i) = winner;
        for (size_t word = 0; word < words; word++) {
            uint64_t *pixels = tile->pixels + word * PITCH + i, *before = won + word * PITCH + i;
            const Longs pixel = either(to_right, *(const Longs *)(pixels + radius), *(const Longs *)pixels);
            *(Longs *)pixels = either(below, pixel, *(const Longs *)before);
            *(Longs *)before = pixel;
        }
    }
}

/* A row of boxes: channels come side by side in words, boxes compete, and words become pixels. */
INLINE void finish_pixels(const Tile *tile, size_t slot, size_t bytes, size_t channels) {
    const size_t all = 8 / bytes, words = (channels + all - 1) / all;
    for (size_t word = 0; word < words; word++) {
        const uint32_t *restrict means = tile->means + word * all * PITCH;
        uint64_t *restrict to = tile->pixels + word * PITCH;
        const size_t count = channels - word * all < all ? channels - word * all : all;
        for (size_t i = 0; i < tile->boxes; i++) {
            uint64_t pixel = means[i];
            for (size_t c = 1; c < count; c++)
                pixel |= (uint64_t)means[c * PITCH + i] << (8 * bytes * c);
            to[i] = pixel;
        }
    }
    compete(tile, slot, words);
    for (size_t i = 0; i < tile->columns; i++) /* the next pixel covers the bytes too many */
        for (size_t word = 0; word < words; word++)
            memcpy(tile->packed + i * channels * bytes + word * 8, tile->pixels + word * PITCH + i, 8);
}

static void finish_row(const Tile *tile, size_t slot) {
    switch (pixel_type_size(tile->stage->out.shape.type) * 8 + (size_t)tile->channels) {
#define CASE(bytes, channels)                                                                                          \
    case (bytes)*8 + (channels):                                                                                       \
        finish_pixels(tile, slot, bytes, channels);                                                                    \
        break
#define CASES(bytes)                                                                                                   \
    CASE(bytes, 1);                                                                                                    \
    CASE(bytes, 2);                                                                                                    \
    CASE(bytes, 3);                                                                                                    \
    CASE(bytes, 4)
        CASES(1);
        CASES(2);
        CASES(4);
    default:
        break;
    }
}

static void store_f32(uint32_t *to, float mean) {
    memcpy(to, &mean, sizeof mean);
}

/* Divides sums by `count`. Sums of u8 are divided by a multiplication: they are below 2^16, and count is 4 to 256;
 * halves go to the even one. */
static void find_means_u8(const uint16_t *restrict sums, unsigned count, PixelType type, size_t boxes,
                          uint32_t *restrict to) {
    const int shift = 31 - __builtin_clz(count - 1);
    const uint16_t multiplier = (uint16_t)(((65536U << shift) + count - 1) / count);
    const uint16_t by = (uint16_t)count, is_even = (uint16_t)(count % 2 == 0);
    const float inverse = 1 / (float)count;
    if (type == PIXEL_F32)
        for (size_t i = 0; i < boxes; i++)
            store_f32(to + i, (float)sums[i] * inverse);
    else
        for (size_t i = 0; i < boxes; i++) {
            const uint16_t sum = (uint16_t)(sums[i] + by / 2);
            const uint16_t near = (uint16_t)((uint16_t)((uint32_t)sum * multiplier >> 16) >> shift);
            const uint16_t quotient = (uint16_t)(near - ((uint16_t)(near * by) > sum)); /* by 196 it may be one more */
            const uint16_t half = (uint16_t)(is_even & (uint16_t)((uint16_t)(quotient * by) == sum));
            to[i] = (uint16_t)(quotient - (quotient & half));
        }
}

/* A quotient that is no half lies a 256th or more away from one, which f32 below 2^16 can tell. */
static void find_means_u16(const uint32_t *restrict sums, unsigned count, PixelType type, size_t boxes,
                           uint32_t *restrict to) {
    const float by = (float)count, magic = 12582912; /* rounds to nearest even, in the lower bits */
    if (type == PIXEL_F32)
        for (size_t i = 0; i < boxes; i++)
            store_f32(to + i, (float)(int32_t)sums[i] / by);
    else
        for (size_t i = 0; i < boxes; i++) {
            store_f32(to + i, (float)(int32_t)sums[i] / by + magic);
            to[i] &= 0x3fffff;
        }
}

static void find_means_f32(const double *restrict sums, unsigned count, PixelType type, size_t boxes,
                           uint32_t *restrict to) {
    const double inverse = 1 / (double)count;
    (void)type;
    for (size_t i = 0; i < boxes; i++)
        store_f32(to + i, (float)(sums[i] * inverse));
}

/* NOLINTBEGIN(bugprone-macro-parentheses): types stand in none */

/* Sums of `side` neighbours, by the bits of `side`: of twice as many by adding two that lie side by side, and of one
 * more. */
#define ALONG(name, Sum)                                                                                               \
    static void along_##name(const Sum *from, int side, size_t count, Sum *to) {                                       \
        typedef Sum Vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(Sum)), may_alias));                \
        const Sum *half = from;                                                                                        \
        for (int bit = 30 - __builtin_clz((unsigned)side); bit >= 0; bit--) {                                          \
            const Sum *next = half + (side >> (bit + 1)), *last = from + (side >> bit) - 1;                            \
            const bool one_more = side >> bit & 1;                                                                     \
            for (size_t i = 0; i < count + (size_t)side; i += VECTOR_BYTES / sizeof(Sum)) {                            \
                Vector sum = *(const Vector *)(half + i) + *(const Vector *)(next + i);                                \
                if (one_more)                                                                                          \
                    sum += *(const Vector *)(last + i);                                                                \
                *(Vector *)(to + i) = sum;                                                                             \
            }                                                                                                          \
            half = to;                                                                                                 \
        }                                                                                                              \
    }
ALONG(u8, uint16_t)
ALONG(u16, uint32_t)
ALONG(f32, double)
ALONG(long, uint64_t)

/* Luma of whole numbers: its squares, times side^2, enter; its sums are made of the values' sums. */
#define WHOLE_LUMA(name, In, Sum)                                                                                      \
    static void enter_luma_##name(const Tile *tile, size_t slot) {                                                     \
        const size_t colours = tile->channels >= 3 ? PITCH : 0;                                                        \
        const In *restrict r = tile->fresh, *g = r + colours, *b = g + colours;                                        \
        const uint32_t side = (uint32_t)tile->side;                                                                    \
        uint64_t *restrict entered = tile->entered_squares + slot * PITCH, *restrict sums = tile->columns_squares;     \
        for (size_t i = 0; i < tile->width; i++) {                                                                     \
            const uint32_t luma = (54U * r[i] + 183U * g[i] + 19U * b[i]) * side;                                      \
            const uint64_t square = (uint64_t)luma * luma;                                                             \
            sums[i] += square - entered[i];                                                                            \
            entered[i] = square;                                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void sum_luma_##name(const Tile *tile) {                                                                    \
        const size_t colours = tile->channels >= 3 ? PITCH : 0;                                                        \
        const Sum *restrict r = tile->sums, *g = r + colours, *b = g + colours;                                        \
        uint64_t *restrict to = tile->luma;                                                                            \
        for (size_t i = 0; i < tile->boxes; i++)                                                                       \
            to[i] = 54U * r[i] + 183U * g[i] + 19U * b[i];                                                             \
    }
WHOLE_LUMA(u8, uint8_t, uint16_t)
WHOLE_LUMA(u16, uint16_t, uint32_t)

/* NOLINTEND(bugprone-macro-parentheses) */

static void enter_luma_f32(const Tile *tile, size_t slot) {
    const size_t colours = tile->channels >= 3 ? PITCH : 0;
    const float *restrict r = tile->fresh, *g = r + colours, *b = g + colours;
    const double unit = kuwahara_job(tile->stage)->unit, max = KUWAHARA_LUMA_MAX;
    const double magic = 6755399441055744; /* rounds to nearest even, in the lower bits */
    const uint32_t side = (uint32_t)tile->side;
    uint64_t *restrict entered = tile->entered_squares + slot * PITCH, *restrict squares = tile->columns_squares;
    uint64_t *restrict sums = tile->columns_luma;
    int32_t *restrict entered_luma = tile->entered_luma + slot * PITCH;
    for (size_t i = 0; i < tile->width; i++) {
        const double luma = (54 * (double)r[i] + 183 * (double)g[i] + 19 * (double)b[i]) / unit;
        const double least = luma > -max ? luma : -max, rounded = (least < max ? least : max) + magic;
        int64_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        const int32_t whole = (int32_t)bits;
        const uint32_t scaled = (uint32_t)(whole < 0 ? -whole : whole) * side;
        const uint64_t square = (uint64_t)scaled * scaled;
        sums[i] += (uint64_t)((int64_t)whole - (int64_t)entered_luma[i]);
        entered_luma[i] = whole;
        squares[i] += square - entered[i];
        entered[i] = square;
    }
}
static void sum_luma_f32(const Tile *tile) {
    along_long(tile->columns_luma, tile->side, tile->boxes, tile->luma);
    for (size_t i = 0; i < tile->boxes; i++)
        tile->luma[i] = (uint64_t)llabs((int64_t)tile->luma[i]);
}

/* The tile's rows in scratch, with all sums at 0. */
static void *take(char **scratch, size_t rows) {
    void *taken = *scratch;
    *scratch += rows * PITCH * sizeof(uint64_t);
    return taken;
}
static void lay_out(const Stage *stage, size_t x, void *scratch, Tile *tile) {
    const Shape shape = stage->out.shape;
    const int radius = kuwahara_job(stage)->radius;
    const size_t channels = (size_t)shape.channels, side = (size_t)radius + 1;
    char *free = scratch;
    *tile = (Tile){.stage = stage, .channels = shape.channels, .radius = radius, .side = radius + 1};
    tile->left = (ptrdiff_t)x - radius;
    tile->columns = shape.width - x < WINNERS_COLUMNS ? shape.width - x : WINNERS_COLUMNS;
    tile->boxes = tile->columns + (size_t)radius;
    tile->width = tile->boxes + (size_t)radius;
    tile->entered = take(&free, side * channels);
    tile->entered_squares = take(&free, side);
    tile->entered_luma = take(&free, side);
    tile->columns_sums = take(&free, channels);
    tile->columns_squares = take(&free, 1);
    tile->columns_luma = take(&free, 1);
    memset(scratch, 0, (size_t)(free - (char *)scratch));
    tile->fresh = take(&free, channels);
    tile->sums = take(&free, channels);
    tile->squares = take(&free, 1);
    tile->luma = take(&free, 1);
    tile->means = take(&free, channels);
    tile->pixels = take(&free, 2);
    tile->even = take(&free, (size_t)radius);
    tile->won = take(&free, 2 * (size_t)radius);
    tile->packed = take(&free, 3);
}

static void store_row(const Tile *tile, size_t x, size_t y) {
    const Shape shape = tile->stage->out.shape;
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    memcpy((char *)view_row(tile->stage->out, y) + x * pixel, tile->packed, tile->columns * pixel);
}

#define NAME(of) of##_u8
#define IN       uint8_t
#define SUM      uint16_t
#include "cpu/kuwahara/winners_values.h"

#define NAME(of) of##_u16
#define IN       uint16_t
#define SUM      uint32_t
#include "cpu/kuwahara/winners_values.h"

#define NAME(of) of##_f32
#define IN       float
#define SUM      double
#include "cpu/kuwahara/winners_values.h"

static bool run(const Stage *stage, size_t x, size_t y, void *scratch) {
    const PixelType type = stage->in[0].shape.type;
    return type == PIXEL_U8    ? tile_u8(stage, x, y, scratch)
           : type == PIXEL_U16 ? tile_u16(stage, x, y, scratch)
                               : tile_f32(stage, x, y, scratch);
}

WinnersTile *const ISA_NAME(winners_tile) = run;
