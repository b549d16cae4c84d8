/* count.isa.c: loops over the pixels of a row, for each type and number of channels. */
#include "cpu/histogram/count.h"
#include "cpu/isa.h"

#include <string.h>

INLINE void count_u8(uint8_t value, const HistogramJob *job, uint32_t *table) {
    (void)job;
    table[value]++;
}
INLINE int word_bin(Bins bins, uint16_t value) {
    return bins.count == BINS_U16 ? value : bin_of(bins, (float)value);
}
INLINE void count_u16(uint16_t value, const HistogramJob *job, uint32_t *table) {
    table[word_bin(job->bins, value)]++;
}
INLINE void count_f32(float value, const HistogramJob *job, uint32_t *table) {
    if (value == value) /* not NaN */
        table[bin_of(job->bins, value)]++;
}

#define LUMA_OF(Type, type, luma)                                                                                      \
    INLINE Type luma_##type(Type r, Type g, Type b) {                                                                  \
        return (Type)luma(r, g, b);                                                                                    \
    }
LUMA_OF(uint8_t, u8, luma_whole)
LUMA_OF(uint16_t, u16, luma_whole)
LUMA_OF(float, f32, luma_real)

/* `turns` neighbours in a step: a count that was just stored is not waited for. */
#define COUNT_ROW(Type, type)                                                                                          \
    INLINE void pixel_##type(const Type *at, int channels, const HistogramJob *job, uint32_t *table, size_t bins) {    \
        const int colours = channels - (channels + 1) % 2;                                                             \
        if (colours < channels && job->visible && !(at[channels - 1] > 0))                                             \
            return;                                                                                                    \
        if (colours == 3 && job->luma)                                                                                 \
            count_##type(luma_##type(at[0], at[1], at[2]), job, table);                                                \
        else                                                                                                           \
            for (int c = 0; c < colours; c++)                                                                          \
                count_##type(at[c], job, table + (size_t)c * bins);                                                    \
    }                                                                                                                  \
    INLINE void row_##type(const Stage *stage, size_t y, uint32_t *tables, int turns, int channels) {                  \
        const HistogramJob job = *histogram_job(stage);                                                                \
        const Type *at = view_row(stage->in[0], y);                                                                    \
        const size_t width = stage->in[0].shape.width, bins = (size_t)job.bins.count;                                  \
        const size_t step = stage->out.shape.height * bins;                                                            \
        size_t x = 0;                                                                                                  \
        for (; x + (size_t)turns <= width; x += (size_t)turns, at += turns * channels)                                 \
            for (int turn = 0; turn < turns; turn++)                                                                   \
                pixel_##type(at + turn * channels, channels, &job, tables + (size_t)turn * step, bins);                \
        for (; x < width; x++, at += channels)                                                                         \
            pixel_##type(at, channels, &job, tables, bins);                                                            \
    }

COUNT_ROW(uint8_t, u8)
COUNT_ROW(uint16_t, u16)
COUNT_ROW(float, f32)

/* Gray bytes, eight in a load. */
static void gray_bytes(const Stage *stage, size_t y, uint32_t *tables) {
    const uint8_t *at = view_row(stage->in[0], y);
    const size_t width = stage->in[0].shape.width;
    uint32_t *t0 = tables, *t1 = t0 + BINS_U8, *t2 = t1 + BINS_U8, *t3 = t2 + BINS_U8;
    size_t x = 0;
    for (; x + 8 <= width; x += 8) {
        uint64_t v;
        memcpy(&v, at + x, 8);
        t0[(uint8_t)v]++;
        t1[(uint8_t)(v >> 8)]++;
        t2[(uint8_t)(v >> 16)]++;
        t3[(uint8_t)(v >> 24)]++;
        t0[(uint8_t)(v >> 32)]++;
        t1[(uint8_t)(v >> 40)]++;
        t2[(uint8_t)(v >> 48)]++;
        t3[v >> 56]++;
    }
    for (; x < width; x++)
        t0[at[x]]++;
}

/* Gray words in bins: those of some values by vectors, before they are counted. */
static void gray_words(const Stage *stage, size_t y, uint32_t *table) {
    enum { SOME = 64 };
    const Bins bins = histogram_job(stage)->bins;
    const uint16_t *at = view_row(stage->in[0], y);
    const size_t width = stage->in[0].shape.width;
    uint16_t places[SOME];
    size_t x = 0;
    for (; x + SOME <= width; x += SOME) {
        for (size_t i = 0; i < SOME; i++)
            places[i] = (uint16_t)word_bin(bins, at[x + i]);
        for (size_t i = 0; i < SOME; i++)
            table[places[i]]++;
    }
    for (; x < width; x++)
        table[word_bin(bins, at[x])]++;
}

#define INSTANCE(type, turns, channels)                                                                                \
    static void type##_##turns##_##channels(const Stage *stage, size_t y, uint32_t *tables) {                          \
        row_##type(stage, y, tables, turns, channels);                                                                 \
    }
#define INSTANCES(type)                                                                                                \
    INSTANCE(type, 1, 2)                                                                                               \
    INSTANCE(type, 1, 3) INSTANCE(type, 1, 4) INSTANCE(type, 4, 2) INSTANCE(type, 4, 3) INSTANCE(type, 4, 4)
INSTANCE(u8, 1, 1)
INSTANCES(u8)
INSTANCES(u16)
INSTANCE(u16, 4, 1)
INSTANCE(f32, 1, 1)
INSTANCES(f32)
INSTANCE(f32, 4, 1)

CountRows ISA_NAME(count_rows) = {
    {{u8_1_1, u8_1_2, u8_1_3, u8_1_4}, {gray_words, u16_1_2, u16_1_3, u16_1_4}, {f32_1_1, f32_1_2, f32_1_3, f32_1_4}},
    {{gray_bytes, u8_4_2, u8_4_3, u8_4_4}, {u16_4_1, u16_4_2, u16_4_3, u16_4_4}, {f32_4_1, f32_4_2, f32_4_3, f32_4_4}},
};
