/* reduce.c: box averages in two passes: rows are added up, then the sum's columns. */
#include "render/reduce.h"

#include "core/base/share.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One pixel of the result averages these along an axis: `count` pixels from `first` on. The weights add up to 1. */
typedef struct Reach {
    size_t first, count;
    float head, body, tail; /* weights of the first, the last, and those between; of one pixel, the head alone */
} Reach;

size_t reduced_length(size_t length, double scale) {
    const double reduced = round((double)length * scale);
    return reduced < 1 ? 1 : reduced > (double)length ? length : (size_t)reduced;
}

/* The reach of pixel `index` among the pixels from `begin` to before `end`. */
static Reach reach_within(size_t index, double scale, size_t begin, size_t end) {
    const double from = fmin(fmax((double)index / scale, (double)begin), (double)end - 1);
    const double to = fmin(fmax((double)(index + 1) / scale, from + 1e-6), (double)end);
    const size_t first = (size_t)from, last = (size_t)ceil(to) - 1;
    const double head = first == last ? to - from : (double)first + 1 - from;
    const double tail = first == last ? 0 : to - (double)last;
    return (Reach){.first = first,
                   .count = last - first + 1,
                   .head = (float)(head / (to - from)),
                   .body = (float)(1 / (to - from)),
                   .tail = (float)(tail / (to - from))};
}

size_t reduced_first(size_t at, size_t length, double scale) {
    const double first = fmax(ceil((double)at * scale - 0.5), 0);
    const size_t end = reduced_length(length, scale);
    return at >= length || first > (double)end ? end : (size_t)first;
}

static float weight_at(const Reach *reach, size_t i) {
    return i == 0 ? reach->head : i + 1 == reach->count ? reach->tail : reach->body;
}

/* add: sums += weight * row, of `count` pixels; with alpha, colours are weighted by it, too.
 * store: the row that the sums make. `step`, the channels with alpha, is known where a function is inlined. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type must not stand in any */
#define DEFINE_KIND(name, type, stored)                                                                                \
    static inline void add_veiled_##name(float *restrict sums, const type *restrict values, size_t count, size_t step, \
                                         float weight) {                                                               \
        for (size_t i = 0; i < count * step; i += step) {                                                              \
            const float alpha = weight * (float)values[i + step - 1];                                                  \
            for (size_t c = 0; c + 1 < step; c++)                                                                      \
                sums[i + c] += alpha * (float)values[i + c];                                                           \
            sums[i + step - 1] += alpha;                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void add_##name(float *restrict sums, const void *restrict row, size_t count, int channels, float weight) { \
        const type *restrict values = row;                                                                             \
        if (channels == 2)                                                                                             \
            add_veiled_##name(sums, values, count, 2, weight);                                                         \
        else if (channels == 4)                                                                                        \
            add_veiled_##name(sums, values, count, 4, weight);                                                         \
        else                                                                                                           \
            for (size_t i = 0; i < count * (size_t)channels; i++)                                                      \
                sums[i] += weight * (float)values[i];                                                                  \
    }                                                                                                                  \
    static void store_##name(void *restrict row, const float *restrict sums, size_t count, int channels) {             \
        type *restrict values = row;                                                                                   \
        const size_t step = (size_t)channels, all = count * step;                                                      \
        if (channels == 1 || channels == 3) {                                                                          \
            for (size_t i = 0; i < all; i++)                                                                           \
                values[i] = stored(sums[i]);                                                                           \
            return;                                                                                                    \
        }                                                                                                              \
        for (size_t i = 0; i < all; i += step) {                                                                       \
            const float alpha = sums[i + step - 1], share = alpha > 0 ? 1 / alpha : 0;                                 \
            for (size_t c = 0; c + 1 < step; c++)                                                                      \
                values[i + c] = stored(sums[i + c] * share);                                                           \
            values[i + step - 1] = stored(alpha);                                                                      \
        }                                                                                                              \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
#define STORED_U8(value)  ((uint8_t)((value) < 254.5f ? (value) + 0.5f : 255.0f))
#define STORED_U16(value) ((uint16_t)((value) < 65534.5f ? (value) + 0.5f : 65535.0f))
#define STORED_F32(value) (value)
DEFINE_KIND(u8, uint8_t, STORED_U8)
DEFINE_KIND(u16, uint16_t, STORED_U16)
DEFINE_KIND(f32, float, STORED_F32)

static const struct {
    void (*add)(float *restrict sums, const void *restrict row, size_t count, int channels, float weight);
    void (*store)(void *restrict row, const float *restrict sums, size_t count, int channels);
} kinds[PIXEL_TYPES] = {
    [PIXEL_U8] = {add_u8, store_u8}, [PIXEL_U16] = {add_u16, store_u16}, [PIXEL_F32] = {add_f32, store_f32}};

/* The weighted sums of `pixels` over each reach, packed; `channels` is known where this is inlined. */
static inline void sum_reaches(float *restrict sums, const float *restrict pixels, const Reach *reaches, size_t count,
                               int channels) {
    const size_t step = (size_t)channels;
    for (size_t i = 0; i < count; i++) {
        const Reach *reach = &reaches[i];
        const float *pixel = pixels + (reach->first - reaches[0].first) * step;
        const float *last = pixel + (reach->count - 1) * step;
        for (size_t c = 0; c < step; c++) {
            float body = 0;
            for (const float *at = pixel + step; at < last; at += step)
                body += at[c];
            sums[i * step + c] = reach->head * pixel[c] + reach->body * body + reach->tail * last[c];
        }
    }
}

static void sum_columns(float *sums, const float *pixels, const Reach *reaches, size_t count, int channels) {
    if (channels == 1)
        sum_reaches(sums, pixels, reaches, count, 1);
    else if (channels == 2)
        sum_reaches(sums, pixels, reaches, count, 2);
    else if (channels == 3)
        sum_reaches(sums, pixels, reaches, count, 3);
    else
        sum_reaches(sums, pixels, reaches, count, 4);
}

/* Row `y` of the picture at this scale; `sums` has room for the rows' sum and, behind it, for the result's row. */
static void reduce_row(ImageView from, Reach rows, const Reach *columns, size_t width, float *sums, void *to) {
    const int channels = from.shape.channels;
    const PixelType type = from.shape.type;
    const size_t first = columns[0].first, length = columns[width - 1].first + columns[width - 1].count - first;
    const size_t values = length * (size_t)channels, ahead = first * (size_t)channels * pixel_type_size(type);
    memset(sums, 0, values * sizeof *sums);
    for (size_t k = 0; k < rows.count; k++)
        kinds[type].add(sums, (const unsigned char *)view_row(from, rows.first + k) + ahead, length, channels,
                        weight_at(&rows, k));
    sum_columns(sums + values, sums, columns, width, channels);
    kinds[type].store(to, sums + values, width, channels);
}

/* One a core, of so many rows that it takes longer than starting a thread. */
static size_t pieces_for(size_t height) {
    enum { ROWS_MIN = 32 };
    const size_t cores = share_cores();
    return height < 2 * ROWS_MIN ? 1 : height / ROWS_MIN < cores ? height / ROWS_MIN : cores;
}

/* A part of the picture at this scale, from (x, y) of that on, in so many pieces. */
typedef struct Reduction {
    ImageView from, to;
    double scale;
    size_t top, known_top, known_bottom; /* the first row of the part, and the rows of the picture that are known */
    const Reach *columns;
    float *sums; /* of each piece */
    size_t values, pieces;
} Reduction;

static void reduce_piece(const void *job, size_t piece) {
    const Reduction *part = job;
    const size_t height = part->to.shape.height, end = (piece + 1) * height / part->pieces;
    for (size_t j = piece * height / part->pieces; j < end; j++)
        reduce_row(part->from, reach_within(part->top + j, part->scale, part->known_top, part->known_bottom),
                   part->columns, part->to.shape.width, part->sums + piece * part->values, view_row(part->to, j));
}

/* `alone`: no other thread helps. */
static Status reduce(ImageView from, double scale, ImagePart known, size_t x, size_t y, ImageView to, bool alone) {
    const size_t width = to.shape.width, channels = (size_t)from.shape.channels;
    const size_t values = (from.shape.width + width) * channels;
    const size_t pieces = alone ? 1 : pieces_for(to.shape.height);
    Reach *columns = malloc(width * sizeof *columns);
    float *sums = malloc(pieces * values * sizeof *sums);
    if (!columns || !sums) {
        free(columns);
        free(sums);
        return fail(STATUS_DEVICE, "no memory to reduce the picture for the window");
    }
    for (size_t i = 0; i < width; i++)
        columns[i] = reach_within(x + i, scale, known.x, known.x + known.width);
    share_pieces(pieces, reduce_piece,
                 &(Reduction){from, to, scale, y, known.y, known.y + known.height, columns, sums, values, pieces});
    free(columns);
    free(sums);
    return STATUS_OK;
}

Status reduce_part(ImageView from, double scale, size_t x, size_t y, ImageView to) {
    return reduce(from, scale, (ImagePart){0, 0, from.shape.width, from.shape.height}, x, y, to, false);
}

Status reduce_known(ImageView from, double scale, ImagePart known, size_t x, size_t y, ImageView to) {
    return reduce(from, scale, known, x, y, to, true);
}
