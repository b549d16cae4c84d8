/* rows.isa.c: a row of a warp in runs. Loops that become vectors find the places of all pixels; then a pixel's channels
 * are one vector, pixel by pixel. Sums of u16 are double. */
#include "cpu/warp/rows.h"
#include "cpu/four.h"
#include "cpu/isa.h"

#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

enum { RUN = 128 };

/* Where the pixels of a run are read: the first of those around, and how far behind it. */
typedef struct Places {
    double u[RUN], v[RUN];
    int32_t x[RUN], y[RUN];
} Places;

static void find_places(const WarpJob *job, size_t x, size_t y, size_t count, Places *places) {
    const double shift = job->kernel == WARP_NEAREST ? 0.5 + WARP_TIE : 0;
    WarpMap map = job->map; /* a copy, which no store changes */
    if (map.is_lens)
        for (size_t i = 0; i < count; i++)
            warp_place(&map, (double)(int32_t)(x + i), (double)(int32_t)y, &places->u[i], &places->v[i]);
    else
        for (size_t i = 0; i < count; i++)
            warp_place(&map, (double)(int32_t)(x + i), (double)(int32_t)y, &places->u[i], &places->v[i]);
    for (size_t i = 0; i < count; i++) {
        const double left = floor(places->u[i] + shift), top = floor(places->v[i] + shift);
        places->x[i] = (int32_t)left;
        places->y[i] = (int32_t)top;
        places->u[i] -= left;
        places->v[i] -= top;
    }
}

#define DEFINE(name, Type, Real, Vector)                                                                               \
    INLINE Vector load_##name(const Type *from, int channels) {                                                        \
        Vector pixel = {0};                                                                                            \
        for (int c = 0; c < channels; c++)                                                                             \
            pixel[c] = (Real)from[c];                                                                                  \
        return pixel;                                                                                                  \
    }                                                                                                                  \
    static Vector edge_##name(const WarpJob *job, ImageView in, ptrdiff_t x, ptrdiff_t y, int channels) {              \
        const ptrdiff_t sx = border_index(job->border, x, (ptrdiff_t)in.shape.width);                                  \
        const ptrdiff_t sy = border_index(job->border, y, (ptrdiff_t)in.shape.height);                                 \
        Vector pixel = {0};                                                                                            \
        if (sx >= 0 && sy >= 0)                                                                                        \
            return load_##name((const Type *)view_row(in, (size_t)sy) + sx * channels, channels);                      \
        for (int c = 0; c < channels; c++)                                                                             \
            pixel[c] = (Real)job->outside[c];                                                                          \
        return pixel;                                                                                                  \
    }                                                                                                                  \
    INLINE Vector weigh_##name(const WarpJob *job, ImageView in, const Places *places, size_t i, int channels,         \
                               int taps) {                                                                             \
        const ptrdiff_t left = places->x[i] - (taps == 4), top = places->y[i] - (taps == 4);                           \
        /* four values are read of each pixel, and all must be the row's */                                            \
        const bool inside = left >= 0 && top >= 0 &&                                                                   \
                            (left + taps - 1) * channels + 4 <= (ptrdiff_t)in.shape.width * channels &&                \
                            top + taps <= (ptrdiff_t)in.shape.height;                                                  \
        double across[4] = {1 - places->u[i], places->u[i]}, down[4] = {1 - places->v[i], places->v[i]};               \
        Vector sum = {0};                                                                                              \
        if (taps == 4) {                                                                                               \
            warp_cubic(places->u[i], across);                                                                          \
            warp_cubic(places->v[i], down);                                                                            \
        }                                                                                                              \
        for (int j = 0; j < taps; j++) {                                                                               \
            Vector row = {0};                                                                                          \
            const Type *from = inside ? (const Type *)view_row(in, (size_t)(top + j)) + left * channels : NULL;        \
            for (int k = 0; k < taps; k++)                                                                             \
                row += (Real)across[k] * (inside ? four_of_##name(from + k * channels)                                 \
                                                 : edge_##name(job, in, left + k, top + j, channels));                 \
            sum += (Real)down[j] * row;                                                                                \
        }                                                                                                              \
        return sum;                                                                                                    \
    }                                                                                                                  \
    INLINE void run_##name(const Stage *stage, const Places *places, size_t x, size_t y, size_t count, int channels,   \
                           int taps) {                                                                                 \
        const WarpJob *job = warp_job(stage);                                                                          \
        Type *to = view_row(stage->out, y); /* NOLINT(bugprone-macro-parentheses): a type */                           \
        to += x * (size_t)channels;                                                                                    \
        for (size_t i = 0; i < count; i++, to += channels) {                                                           \
            const Vector pixel = taps == 1 ? edge_##name(job, stage->in[0], places->x[i], places->y[i], channels)      \
                                           : weigh_##name(job, stage->in[0], places, i, channels, taps);               \
            store_four_##name(pixel + (Real)(taps > 1 ? BIAS_##name : 0), to, channels);                               \
        }                                                                                                              \
    }                                                                                                                  \
    INLINE void taps_##name(const Stage *stage, const Places *places, size_t x, size_t y, size_t count,                \
                            int channels) {                                                                            \
        const WarpKernel kernel = warp_job(stage)->kernel;                                                             \
        if (kernel == WARP_NEAREST)                                                                                    \
            run_##name(stage, places, x, y, count, channels, 1);                                                       \
        else if (kernel == WARP_LINEAR)                                                                                \
            run_##name(stage, places, x, y, count, channels, 2);                                                       \
        else                                                                                                           \
            run_##name(stage, places, x, y, count, channels, 4);                                                       \
    }                                                                                                                  \
    static void channels_##name(const Stage *stage, const Places *places, size_t x, size_t y, size_t count) {          \
        const int channels = stage->out.shape.channels;                                                                \
        if (channels == 4)                                                                                             \
            taps_##name(stage, places, x, y, count, 4);                                                                \
        else if (channels == 3)                                                                                        \
            taps_##name(stage, places, x, y, count, 3);                                                                \
        else if (channels == 2)                                                                                        \
            taps_##name(stage, places, x, y, count, 2);                                                                \
        else                                                                                                           \
            taps_##name(stage, places, x, y, count, 1);                                                                \
    }

#define BIAS_u8  TIE_BIAS
#define BIAS_u16 TIE_BIAS
#define BIAS_f32 0
DEFINE(u8, uint8_t, float, Four)
DEFINE(u16, uint16_t, double, WideFour)
DEFINE(f32, float, float, Four)

static void run_row(const Stage *stage, size_t y) {
    const size_t width = stage->out.shape.width;
    Places places;
    for (size_t x = 0; x < width; x += RUN) {
        const size_t count = width - x < RUN ? width - x : RUN;
        find_places(warp_job(stage), x, y, count, &places);
        if (stage->out.shape.type == PIXEL_U8)
            channels_u8(stage, &places, x, y, count);
        else if (stage->out.shape.type == PIXEL_U16)
            channels_u16(stage, &places, x, y, count);
        else
            channels_f32(stage, &places, x, y, count);
    }
}

WarpRow *const ISA_NAME(warp_row) = run_row;
