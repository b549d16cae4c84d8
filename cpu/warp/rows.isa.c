/* rows.isa.c: a row of a warp in runs: the places of all pixels in loops that become vectors, then pixel by pixel, its
 * channels in one vector. Sums of u16 are double. */
#include "cpu/warp/rows.h"
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
    if (job->map.is_lens)
        for (size_t i = 0; i < count; i++)
            warp_place(&(WarpMap){.is_lens = true,
                                  .focal = job->map.focal,
                                  .centre_x = job->map.centre_x,
                                  .centre_y = job->map.centre_y,
                                  .k1 = job->map.k1,
                                  .k2 = job->map.k2,
                                  .k3 = job->map.k3,
                                  .p1 = job->map.p1,
                                  .p2 = job->map.p2},
                       (double)(int32_t)(x + i), (double)(int32_t)y, &places->u[i], &places->v[i]);
    else
        for (size_t i = 0; i < count; i++)
            warp_place(&job->map, (double)(int32_t)(x + i), (double)(int32_t)y, &places->u[i], &places->v[i]);
    for (size_t i = 0; i < count; i++) {
        const double left = floor(places->u[i] + shift), top = floor(places->v[i] + shift);
        places->x[i] = (int32_t)left;
        places->y[i] = (int32_t)top;
        places->u[i] -= left;
        places->v[i] -= top;
    }
}

/* Four values of a pixel; those that it has not are not looked at. */
typedef float Four __attribute__((vector_size(16)));
typedef double WideFour __attribute__((vector_size(32)));

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
        const bool inside = left >= 0 && top >= 0 && left + taps <= (ptrdiff_t)in.shape.width &&                       \
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
                row += (Real)across[k] * (inside ? load_##name(from + k * channels, channels)                          \
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
            for (int c = 0; c < channels; c++)                                                                         \
                to[c] = store_##name(pixel[c], taps);                                                                  \
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

INLINE uint8_t store_u8(float value, int taps) {
    const float biased = value + (taps > 1 ? (float)TIE_BIAS : 0);
    return (uint8_t)lrintf(biased > 0 ? biased < 255 ? biased : 255 : 0);
}
INLINE uint16_t store_u16(double value, int taps) {
    const double biased = value + (taps > 1 ? TIE_BIAS : 0);
    return (uint16_t)lrint(biased > 0 ? biased < 65535 ? biased : 65535 : 0);
}
INLINE float store_f32(float value, int taps) {
    (void)taps;
    return value;
}

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
