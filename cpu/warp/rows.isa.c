/* rows.isa.c: a row of a warp in runs. Loops that become vectors find the places of all pixels; then a pixel's channels
 * are one vector, pixel by pixel. Sums of u16 are double. */
#include "cpu/warp/rows.h"
#include "cpu/four.h"
#include "cpu/isa.h"
#include "cpu/warp/linear.h"

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
    const double scale = map.matrix[8];
    const bool is_affine = !map.is_lens && !(fabs(map.matrix[6]) + fabs(map.matrix[7]) > 0) && fabs(scale) > 0;
    if (map.is_lens)
        for (size_t i = 0; i < count; i++)
            warp_place(&map, (double)(int32_t)(x + i), (double)(int32_t)y, &places->u[i], &places->v[i]);
    else if (is_affine)
        for (size_t i = 0; i < count; i++) {
            const double by = 1 / scale, at = (double)(int32_t)(x + i), below = (double)(int32_t)y;
            places->u[i] = warp_near((map.matrix[0] * at + map.matrix[1] * below + map.matrix[2]) * by);
            places->v[i] = warp_near((map.matrix[3] * at + map.matrix[4] * below + map.matrix[5]) * by);
        }
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

#if defined(ISA_avx512) || defined(ISA_avx2)
/* A run of bytes, a pixel a lane; those near the edges pixel by pixel. */
INLINE void linear_u8(const Stage *stage, const Places *places, size_t x, size_t y, size_t count, int channels) {
    uint8_t *to = (uint8_t *)view_row(stage->out, y) + x * (size_t)channels;
    uint32_t made[RUN], inside[RUN / LANES];
    float u[RUN], v[RUN];
    for (size_t i = 0; i < RUN; i++) {
        u[i] = (float)places->u[i];
        v[i] = (float)places->v[i];
    }
    for (size_t i = 0; i < count; i += LANES) {
        Ints pixels;
        inside[i / LANES] =
            linear_pixels(stage, places->x + i, places->y + i, load(u + i), load(v + i), channels, &pixels);
        memcpy(made + i, &pixels, sizeof pixels);
    }
    if (channels == 1)
        for (size_t i = 0; i < count; i++)
            to[i] = (uint8_t)made[i];
    else
        for (size_t i = 0; i < count; i++) /* the next pixel writes over a fourth byte */
            memcpy(to + i * (size_t)channels, made + i, i + 1 < count ? 4 : (size_t)channels);
    for (size_t i = 0; i < count; i++)
        if (!(inside[i / LANES] >> i % LANES & 1))
            store_four_u8(weigh_u8(warp_job(stage), stage->in[0], places, i, channels, 2) + (float)TIE_BIAS,
                          to + i * (size_t)channels, channels);
}

static bool run_linear(const Stage *stage, const Places *places, size_t x, size_t y, size_t count) {
    if (!linear_can(stage))
        return false;
    if (stage->out.shape.channels == 1)
        linear_u8(stage, places, x, y, count, 1);
    else if (stage->out.shape.channels == 3)
        linear_u8(stage, places, x, y, count, 3);
    else
        linear_u8(stage, places, x, y, count, 4);
    return true;
}
#else
static bool run_linear(const Stage *stage, const Places *places, size_t x, size_t y, size_t count) {
    (void)stage, (void)places, (void)x, (void)y, (void)count;
    return false;
}
#endif

static void run_row(const Stage *stage, size_t y) {
    const size_t width = stage->out.shape.width;
    Places places = {.x = {0}};
    for (size_t x = 0; x < width; x += RUN) {
        const size_t count = width - x < RUN ? width - x : RUN;
        find_places(warp_job(stage), x, y, count, &places);
        if (run_linear(stage, &places, x, y, count))
            continue;
        if (stage->out.shape.type == PIXEL_U8)
            channels_u8(stage, &places, x, y, count);
        else if (stage->out.shape.type == PIXEL_U16)
            channels_u16(stage, &places, x, y, count);
        else
            channels_f32(stage, &places, x, y, count);
    }
}

WarpRow *const ISA_NAME(warp_row) = run_row;
