/* plain.c: loops over pixels, for each type. */
#include "cpu/course/reduce/plain.h"
#include "cpu/isa.h"

#include <string.h>

/* A value that is NaN is none. */
#define PLAIN(name, Type, sums, square, Wide, isnt_nan)                                                                \
    INLINE void name##_value(Type v, unsigned what, int c, Totals *to) {                                               \
        if (!(isnt_nan))                                                                                               \
            return;                                                                                                    \
        if (what & REDUCE_SUM)                                                                                         \
            to->sums[c] += (Wide)v;                                                                                    \
        if (what & REDUCE_COUNT)                                                                                       \
            to->count[c]++;                                                                                            \
        if (what & REDUCE_EXTREMA) {                                                                                   \
            to->minimum[c] = (double)v < to->minimum[c] ? (double)v : to->minimum[c];                                  \
            to->maximum[c] = (double)v > to->maximum[c] ? (double)v : to->maximum[c];                                  \
        }                                                                                                              \
        if (what & REDUCE_SQUARES)                                                                                     \
            to->square[c] += (Wide)v * (Wide)v;                                                                        \
    }                                                                                                                  \
    INLINE Type name##_at(const Type *a, const Type *b, size_t i) {                                                    \
        return !b ? a[i] : a[i] > b[i] ? (Type)(a[i] - b[i]) : (Type)(b[i] - a[i]);                                    \
    }                                                                                                                  \
    INLINE void name##_row(const Stage *stage, size_t y, unsigned what, int turns, int channels, Totals *to) {         \
        const Type *a = view_row(stage->in[0], y), *b = stage->in[1].pixels ? view_row(stage->in[1], y) : NULL;        \
        const size_t values = stage->in[0].shape.width * (size_t)channels, step = (size_t)(turns * channels);          \
        Totals own[PLAIN_TURNS]; /* in registers: no store to a picture may change them */                             \
        memcpy(own, to, (size_t)turns * sizeof *own);                                                                  \
        size_t i = 0;                                                                                                  \
        for (; i + step <= values; i += step)                                                                          \
            for (int turn = 0; turn < turns; turn++)                                                                   \
                for (int c = 0; c < channels; c++)                                                                     \
                    name##_value(name##_at(a, b, i + (size_t)(turn * channels + c)), what, c, &own[turn]);             \
        for (; i < values; i++)                                                                                        \
            name##_value(name##_at(a, b, i), what, (int)(i % (size_t)channels), &own[0]);                              \
        memcpy(to, own, (size_t)turns * sizeof *own);                                                                  \
    }                                                                                                                  \
    INLINE void name##_rows(const Stage *stage, size_t y, unsigned what, int turns, Totals *to) {                      \
        const int channels = stage->in[0].shape.channels;                                                              \
        if (channels == 1)                                                                                             \
            name##_row(stage, y, what, turns, 1, to);                                                                  \
        else if (channels == 3)                                                                                        \
            name##_row(stage, y, what, turns, 3, to);                                                                  \
        else if (channels == 4)                                                                                        \
            name##_row(stage, y, what, turns, 4, to);                                                                  \
        else                                                                                                           \
            name##_row(stage, y, what, turns, 2, to);                                                                  \
    }                                                                                                                  \
    static void name(const Stage *stage, size_t y, int turns, Totals *to) {                                            \
        const unsigned what = reduce_job(stage)->what;                                                                 \
        if (turns == 1 && what == REDUCE_SUM) /* everybody times this, without a test for other figures */             \
            name##_rows(stage, y, REDUCE_SUM, 1, to);                                                                  \
        else if (turns == 1)                                                                                           \
            name##_rows(stage, y, what, 1, to);                                                                        \
        else if (what == REDUCE_SUM)                                                                                   \
            name##_rows(stage, y, REDUCE_SUM, PLAIN_TURNS, to);                                                        \
        else                                                                                                           \
            name##_rows(stage, y, what, PLAIN_TURNS, to);                                                              \
    }
PLAIN(add_u8, uint8_t, sum, squares, uint64_t, true)
PLAIN(add_u16, uint16_t, sum, squares, uint64_t, true)
PLAIN(add_u32, uint32_t, sum, squares, uint64_t, true)
PLAIN(add_f32, float, real_sum, real_squares, double, v == v)

void plain_reduce(const Stage *stage, int turns) {
    static void (*const rows[])(const Stage *, size_t, int, Totals *) = {add_u8, add_u16, add_f32, add_u32};
    Totals totals[PLAIN_TURNS] = {totals_none, totals_none, totals_none, totals_none};
    for (size_t y = 0; y < stage->in[0].shape.height; y++)
        rows[stage->in[0].shape.type](stage, y, turns, totals);
    for (int turn = 1; turn < turns; turn++)
        totals_add(&totals[0], &totals[turn]);
    totals_store(stage, &totals[0]);
}
