/* rows.isa.c: a tile of a warp, row by row. Loops that become vectors find the places of all pixels; then a pixel's
 * channels are one vector, pixel by pixel. Sums of u16 are double. */
#include "cpu/warp/rows.h"
#include "cpu/four.h"
#include "cpu/isa.h"
#include "cpu/warp/linear.h"

#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

enum { RUN = WARP_COLUMNS };

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
    /* Where some of those around lie beyond the edges: each row and column is looked up once. */                      \
    INLINE Vector near_edge_##name(const WarpJob *job, ImageView in, ptrdiff_t left, ptrdiff_t top,                    \
                                   const double *across, const double *down, int channels, int taps) {                 \
        ptrdiff_t columns[4];                                                                                          \
        Vector sum = {0}, outside = {0};                                                                               \
        for (int c = 0; c < channels; c++)                                                                             \
            outside[c] = (Real)job->outside[c];                                                                        \
        for (int k = 0; k < taps; k++)                                                                                 \
            columns[k] = border_index(job->border, left + k, (ptrdiff_t)in.shape.width) * channels;                    \
        for (int j = 0; j < taps; j++) {                                                                               \
            const ptrdiff_t line = border_index(job->border, top + j, (ptrdiff_t)in.shape.height);                     \
            const Type *from = line < 0 ? NULL : view_row(in, (size_t)line);                                           \
            Vector row = {0};                                                                                          \
            for (int k = 0; k < taps; k++)                                                                             \
                row +=                                                                                                 \
                    (Real)across[k] * (from && columns[k] >= 0 ? load_##name(from + columns[k], channels) : outside);  \
            sum += (Real)down[j] * row;                                                                                \
        }                                                                                                              \
        return sum;                                                                                                    \
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
        if (!inside)                                                                                                   \
            return near_edge_##name(job, in, left, top, across, down, channels, taps);                                 \
        for (int j = 0; j < taps; j++) {                                                                               \
            Vector row = {0};                                                                                          \
            const Type *from = (const Type *)view_row(in, (size_t)(top + j)) + left * channels;                        \
            for (int k = 0; k < taps; k++)                                                                             \
                row += (Real)across[k] * four_of_##name(from + k * channels);                                          \
            sum += (Real)down[j] * row;                                                                                \
        }                                                                                                              \
        return sum;                                                                                                    \
    }                                                                                                                  \
    /* Weights and places of all pixels by vectors, before their channels are weighed. Where the border is clamped,    \
     * all pixels have places in the picture. */                                                                       \
    INLINE void between_##name(const Stage *stage, const Places *places, size_t x, size_t y, size_t count,             \
                               int channels) {                                                                         \
        const WarpJob *job = warp_job(stage);                                                                          \
        const ImageView in = stage->in[0];                                                                             \
        const int32_t right = (int32_t)in.shape.width - 1, bottom = (int32_t)in.shape.height - 1;                      \
        const int32_t last = right + 1 - (channels + 3) / channels; /* pixel of which four values are the row's */     \
        const bool clamped = job->border == BORDER_CLAMP;                                                              \
        Type *to = view_row(stage->out, y); /* NOLINT(bugprone-macro-parentheses): a type */                           \
        Real weights[4][RUN];                                                                                          \
        int32_t columns[2][RUN], lines[2][RUN];                                                                        \
        bool inside[RUN];                                                                                              \
        to += x * (size_t)channels;                                                                                    \
        for (size_t i = 0; i < RUN; i++) {                                                                             \
            const double u = places->u[i], v = places->v[i];                                                           \
            const int32_t left = places->x[i], top = places->y[i];                                                     \
            weights[0][i] = (Real)((1 - u) * (1 - v));                                                                 \
            weights[1][i] = (Real)(u * (1 - v));                                                                       \
            weights[2][i] = (Real)((1 - u) * v);                                                                       \
            weights[3][i] = (Real)(u * v);                                                                             \
            for (int k = 0; k < 2; k++) {                                                                              \
                const int32_t column = left + k < 0 ? 0 : left + k, line = top + k < 0 ? 0 : top + k;                  \
                columns[k][i] = column < right ? column : right;                                                       \
                lines[k][i] = line < bottom ? line : bottom;                                                           \
            }                                                                                                          \
            inside[i] = ((left >= 0) & (left < right) & (top >= 0) & (top < bottom)) | clamped;                        \
            inside[i] &= (columns[1][i] <= last) | (lines[1][i] < bottom);                                             \
        }                                                                                                              \
        for (size_t i = 0; i < count; i++, to += channels) {                                                           \
            Vector sum;                                                                                                \
            if (inside[i]) {                                                                                           \
                const Type *above = view_row(in, (size_t)lines[0][i]), *below = view_row(in, (size_t)lines[1][i]);     \
                const ptrdiff_t left = (ptrdiff_t)columns[0][i] * channels,                                            \
                                next = (ptrdiff_t)columns[1][i] * channels;                                            \
                sum = weights[0][i] * four_of_##name(above + left) + weights[1][i] * four_of_##name(above + next) +    \
                      weights[2][i] * four_of_##name(below + left) + weights[3][i] * four_of_##name(below + next);     \
            } else {                                                                                                   \
                const double across[] = {1 - places->u[i], places->u[i]}, down[] = {1 - places->v[i], places->v[i]};   \
                sum = near_edge_##name(job, in, places->x[i], places->y[i], across, down, channels, 2);                \
            }                                                                                                          \
            store_four_##name(sum + (Real)BIAS_##name, to, channels);                                                  \
        }                                                                                                              \
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
            between_##name(stage, places, x, y, count, channels);                                                      \
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
/* The first `count` pixels of a vector. */
INLINE void store_pixels(Ints pixels, size_t count, int channels, uint8_t *to) {
#    if defined(ISA_avx512)
    const __m512i together = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
    const __m128i three = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    if (channels == 1)
        _mm_mask_storeu_epi8(to, (__mmask16)(0xffffU >> (LANES - count)), _mm512_cvtepi32_epi8((__m512i)pixels));
    else if (channels == 4)
        _mm512_mask_storeu_epi32(to, (__mmask16)(0xffffU >> (LANES - count)), (__m512i)pixels);
    else
        _mm512_mask_storeu_epi8(
            to, ~(__mmask64)0 >> (64 - 3 * count),
            _mm512_permutexvar_epi32(together, _mm512_shuffle_epi8((__m512i)pixels, _mm512_broadcast_i32x4(three))));
#    else
    /* The channels of four pixels lie together in each 16 bytes, then in a row. */
    enum { FOUR = 4, SIXTEEN = 16 };
    static const int32_t three[LANES] = {0, 1, 2, 4, 5, 6, 6, 6}, one[LANES] = {0, 4};
    if (channels != 4) {
        ByteLanes places;
        for (int b = 0; b < VECTOR_BYTES; b++)
            places[b] =
                (uint8_t)(b % SIXTEEN < FOUR * channels ? b % SIXTEEN / channels * 4 + b % SIXTEEN % channels : 255);
        Ints together;
        memcpy(&together, channels == 3 ? three : one, sizeof together);
        pixels = (Ints)permute((Floats)pick_bytes((ByteLanes)pixels, places), together);
    }
    if (count == LANES)
        memcpy(to, &pixels, LANES * (size_t)channels);
    else
        memcpy(to, &pixels, count * (size_t)channels);
#    endif
}

/* A run of bytes, a pixel a lane; those near the edges pixel by pixel. */
INLINE void linear_u8(const Stage *stage, const Places *places, size_t x, size_t y, size_t count, int channels) {
    uint8_t *to = (uint8_t *)view_row(stage->out, y) + x * (size_t)channels;
    float u[RUN], v[RUN];
    for (size_t i = 0; i < RUN; i++) {
        u[i] = (float)places->u[i];
        v[i] = (float)places->v[i];
    }
    for (size_t i = 0; i < count; i += LANES) {
        const size_t some = count - i < LANES ? count - i : LANES;
        Ints pixels;
        const unsigned inside =
            linear_pixels(stage, places->x + i, places->y + i, load(u + i), load(v + i), channels, &pixels);
        store_pixels(pixels, some, channels, to + i * (size_t)channels);
        for (unsigned left = ~inside & (unsigned)((1ULL << some) - 1); left; left &= left - 1) {
            const size_t at = i + (size_t)__builtin_ctz(left);
            store_four_u8(weigh_u8(warp_job(stage), stage->in[0], places, at, channels, 2) + (float)TIE_BIAS,
                          to + at * (size_t)channels, channels);
        }
    }
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

static void run_tile(const void *shared, size_t x, size_t y, void *scratch) {
    const Stage *stage = shared;
    const Shape out = stage->out.shape;
    const size_t count = out.width - x < WARP_COLUMNS ? out.width - x : WARP_COLUMNS;
    Places places = {.x = {0}};
    (void)scratch;
    for (size_t end = y + WARP_ROWS < out.height ? y + WARP_ROWS : out.height; y < end; y++) {
        find_places(warp_job(stage), x, y, count, &places);
        if (run_linear(stage, &places, x, y, count))
            continue;
        if (out.type == PIXEL_U8)
            channels_u8(stage, &places, x, y, count);
        else if (out.type == PIXEL_U16)
            channels_u16(stage, &places, x, y, count);
        else
            channels_f32(stage, &places, x, y, count);
    }
}

TeamTile *const ISA_NAME(warp_tile) = run_tile;
