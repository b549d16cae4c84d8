/* ring.isa.c: the guided filter row by row, for types of values, in one instruction set. Channels stay side by side:
 * the arithmetic is the same for all values of a row, but for the sums along it. */
#include "cpu/guided/ring.h"

#include "cpu/pack.h"

#include <math.h>
#include <string.h>

/* A tile at work. Rows are `pitch` values long. A window of moments begins radius before that of fits, which begins
 * radius before the result. */
typedef struct Tile {
    const Stage *stage;
    size_t channels, side, pitch;
    ptrdiff_t left;              /* of the values that it reads */
    size_t columns, width;       /* results, and values read, in pixels */
    void *guide[2], *picture[2]; /* rows of values that enter and that leave */
    const void *zeros;           /* the first rows that leave */
    void *columns_moments;       /* sums down the columns: guide, its squares, picture, products */
    void *moments;               /* sums of windows */
    void *ring;                  /* fits: a and b of each slot */
    double *columns_fits, *fits; /* a and b, summed down the columns and over windows */
    float *floats;               /* results on their way to the picture */
    double *doubles;
    char *packed;
} Tile;

/* NOLINTBEGIN(bugprone-macro-parentheses): types stand in none */

/* Sums of two rows along themselves, each that of the pixel before plus the value that enters minus the one that
 * leaves. A vector is a pixel, whose fourth value belongs to the next one of three. For gray it is four pixels, or two:
 * differences, each added to those behind it, go to the sum before them. */
#define ALONG(name, Sum)                                                                                               \
    typedef Sum Pixel_##name __attribute__((vector_size(4 * sizeof(Sum)), aligned(sizeof(Sum)), may_alias));           \
    INLINE void along_pixels_##name(const Sum *from, size_t pitch, size_t channels, size_t pixels, size_t side,        \
                                    Sum *to) {                                                                         \
        Pixel_##name a = {0}, b = {0};                                                                                 \
        for (size_t x = 0; x < side; x++) {                                                                            \
            a += *(const Pixel_##name *)(from + x * channels);                                                         \
            b += *(const Pixel_##name *)(from + pitch + x * channels);                                                 \
        }                                                                                                              \
        for (size_t x = 0; x < pixels; x++, from += channels, to += channels) {                                        \
            const Sum *enters = from + side * channels;                                                                \
            *(Pixel_##name *)to = a;                                                                                   \
            *(Pixel_##name *)(to + pitch) = b;                                                                         \
            a += *(const Pixel_##name *)enters - *(const Pixel_##name *)from;                                          \
            b += *(const Pixel_##name *)(enters + pitch) - *(const Pixel_##name *)(from + pitch);                      \
        }                                                                                                              \
    }                                                                                                                  \
    INLINE Pixel_##name behind_##name(Pixel_##name moved, size_t channels) {                                           \
        const Pixel_##name none = {0};                                                                                 \
        if (channels == 1)                                                                                             \
            moved += __builtin_shufflevector(none, moved, 0, 4, 5, 6);                                                 \
        return moved + __builtin_shufflevector(none, moved, 0, 1, 4, 5);                                               \
    }                                                                                                                  \
    INLINE Pixel_##name last_##name(Pixel_##name sums, size_t channels) {                                              \
        return channels == 1 ? __builtin_shufflevector(sums, sums, 3, 3, 3, 3)                                         \
                             : __builtin_shufflevector(sums, sums, 2, 3, 2, 3);                                        \
    }                                                                                                                  \
    INLINE void along_gray_##name(const Sum *from, size_t pitch, size_t channels, size_t pixels, size_t side,          \
                                  Sum *to) {                                                                           \
        Pixel_##name a = {0}, b = {0};                                                                                 \
        for (size_t i = 0; i < side * channels; i++)                                                                   \
            for (size_t lane = i % channels; lane < 4; lane += channels) {                                             \
                a[lane] += from[i];                                                                                    \
                b[lane] += from[pitch + i];                                                                            \
            }                                                                                                          \
        for (size_t c = 0; c < channels; c++) {                                                                        \
            to[c] = a[c];                                                                                              \
            to[pitch + c] = b[c];                                                                                      \
        }                                                                                                              \
        to += channels;                                                                                                \
        for (size_t i = 0; i < pixels * channels; i += 4) {                                                            \
            const Sum *leaves = from + i, *enters = leaves + side * channels;                                          \
            a += behind_##name(*(const Pixel_##name *)enters - *(const Pixel_##name *)leaves, channels);               \
            b += behind_##name(*(const Pixel_##name *)(enters + pitch) - *(const Pixel_##name *)(leaves + pitch),      \
                               channels);                                                                              \
            *(Pixel_##name *)(to + i) = a;                                                                             \
            *(Pixel_##name *)(to + pitch + i) = b;                                                                     \
            a = last_##name(a, channels);                                                                              \
            b = last_##name(b, channels);                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    static void along_##name(const Sum *from, size_t pitch, size_t channels, size_t pixels, size_t side, Sum *to) {    \
        if (channels == 1)                                                                                             \
            along_gray_##name(from, pitch, 1, pixels, side, to);                                                       \
        else if (channels == 2)                                                                                        \
            along_gray_##name(from, pitch, 2, pixels, side, to);                                                       \
        else if (channels == 3)                                                                                        \
            along_pixels_##name(from, pitch, 3, pixels, side, to);                                                     \
        else                                                                                                           \
            along_pixels_##name(from, pitch, 4, pixels, side, to);                                                     \
    }
ALONG(u32, uint32_t)
ALONG(f64, double)

/* `pixels` of a row as values of another type, a single channel as all of them. */
#define CONVERT(name, In, Out)                                                                                         \
    static void convert_##name(const void *row, size_t channels, size_t pixels, Out *restrict to, size_t wanted) {     \
        const In *restrict from = row;                                                                                 \
        if (channels == wanted)                                                                                        \
            for (size_t i = 0; i < pixels * channels; i++)                                                             \
                to[i] = (Out)from[i];                                                                                  \
        else                                                                                                           \
            for (size_t x = 0; x < pixels; x++)                                                                        \
                for (size_t c = 0; c < wanted; c++)                                                                    \
                    to[x * wanted + c] = (Out)from[x];                                                                 \
    }
CONVERT(u8, uint8_t, double)
CONVERT(u16, uint16_t, double)
CONVERT(f32, float, double)

/* NOLINTEND(bugprone-macro-parentheses) */

static void convert(ImageView view, const void *row, size_t pixels, double *to, size_t channels) {
    static void (*const converts[PIXEL_TYPES])(const void *, size_t, size_t, double *,
                                               size_t) = {convert_u8, convert_u16, convert_f32};
    converts[view.shape.type](row, (size_t)view.shape.channels, pixels, to, channels);
}

static void copy(ImageView view, const void *row, size_t pixels, void *to, size_t channels) {
    memcpy(to, row, pixels * channels * pixel_type_size(view.shape.type));
}

/* A row of results, rounded and clamped as the picture has them. */
static void store_row(const Tile *tile, size_t x, size_t y) {
    const Shape shape = tile->stage->out.shape;
    const size_t count = tile->columns * tile->channels, pixel = tile->channels * pixel_type_size(shape.type);
    const void *from = tile->packed;
    if (shape.type == PIXEL_U8)
        for (size_t i = 0; i < count; i += PACK)
            pack_u8(tile->floats + i, (uint8_t *)tile->packed + i);
    else if (shape.type == PIXEL_U16)
        for (size_t i = 0; i < count; i += PACK)
            pack_u16(tile->doubles + i, (uint16_t *)(void *)tile->packed + i);
    else
        from = tile->floats;
    memcpy((char *)view_row(tile->stage->out, y) + x * pixel, from, tile->columns * pixel);
}

/* The tile's rows in scratch, with all sums at 0. */
static void *take(char **scratch, size_t rows, size_t pitch) {
    void *taken = *scratch;
    *scratch += rows * pitch * sizeof(double);
    return taken;
}
static void lay_out(const Stage *stage, size_t x, void *scratch, Tile *tile) {
    const Shape shape = stage->out.shape;
    const size_t radius = (size_t)guided_job(stage)->radius, pitch = ring_pitch(stage);
    char *free = scratch;
    *tile = (Tile){.stage = stage, .channels = (size_t)shape.channels, .side = 2 * radius + 1, .pitch = pitch};
    tile->left = (ptrdiff_t)x - 2 * (ptrdiff_t)radius;
    tile->columns = shape.width - x < RING_COLUMNS ? shape.width - x : RING_COLUMNS;
    tile->width = tile->columns + 4 * radius;
    tile->zeros = take(&free, 1, pitch);
    tile->columns_moments = take(&free, 4, pitch);
    tile->columns_fits = take(&free, 2, pitch);
    tile->ring = take(&free, 2 * tile->side, pitch);
    memset(scratch, 0, (size_t)(free - (char *)scratch));
    for (int k = 0; k < 2; k++) {
        tile->guide[k] = take(&free, 1, pitch);
        tile->picture[k] = take(&free, 1, pitch);
    }
    tile->moments = take(&free, 4, pitch);
    tile->fits = take(&free, 2, pitch);
    tile->floats = take(&free, 1, pitch);
    tile->doubles = take(&free, 1, pitch);
    tile->packed = take(&free, 1, pitch);
}

/* Sums of u8 and of its squares are whole numbers below 2^31: a window has at most 129 x 129 values. */
#define NAME(of)    of##_u8
#define IN          uint8_t
#define MOMENT      uint32_t
#define WHOLE(sum)  (int32_t)(sum)
#define ALONG_ROW   along_u32
#define FIT         float
#define QUOTIENT    float
#define CONVERT_ROW copy
#define STORED      1
#define JOINT       0
#include "cpu/guided/ring_values.h"

#define NAME(of)    of##_f32
#define IN          float
#define MOMENT      double
#define WHOLE(sum)  (sum)
#define ALONG_ROW   along_f64
#define FIT         float
#define QUOTIENT    double
#define CONVERT_ROW copy
#define STORED      1
#define JOINT       0
#include "cpu/guided/ring_values.h"

#define NAME(of)    of##_single
#define IN          double
#define MOMENT      double
#define WHOLE(sum)  (sum)
#define ALONG_ROW   along_f64
#define FIT         double
#define QUOTIENT    double
#define CONVERT_ROW convert
#define STORED      0
#define JOINT       0
#include "cpu/guided/ring_values.h"

#define NAME(of)    of##_joint
#define IN          double
#define MOMENT      double
#define WHOLE(sum)  (sum)
#define ALONG_ROW   along_f64
#define FIT         double
#define QUOTIENT    double
#define CONVERT_ROW convert
#define STORED      0
#define JOINT       1
#include "cpu/guided/ring_values.h"

static bool run(const Stage *stage, size_t x, size_t y, void *scratch) {
    const GuidedJob *job = guided_job(stage);
    const PixelType type = stage->in[0].shape.type;
    const float outside = job->border.value;
    const bool whole = outside == rintf(outside) && outside >= 0 && outside <= 255;
    return job->joint                  ? tile_joint(stage, x, y, scratch)
           : type == PIXEL_F32         ? tile_f32(stage, x, y, scratch)
           : type == PIXEL_U8 && whole ? tile_u8(stage, x, y, scratch)
                                       : tile_single(stage, x, y, scratch);
}

RingTile *const ISA_NAME(ring_tile) = run;
