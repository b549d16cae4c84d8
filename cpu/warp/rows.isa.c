/* rows.isa.c: a tile of a warp, row by row. Loops that become vectors find the places of all pixels; then a pixel's
 * channels are one vector, pixel by pixel. Sums of u16 are double. */
#include "cpu/warp/rows.h"
#include "cpu/four.h"
#include "cpu/isa.h"
#include "cpu/warp/linear.h"

#include <stdint.h>

enum { RUN = WARP_COLUMNS };

/* Where the pixels of a run are read: at (u, v); once split, that far behind the first of those around, (x, y). */
typedef struct Places {
    double u[RUN], v[RUN];
    int32_t x[RUN], y[RUN];
} Places;

/* A loop for each kind of map, which is known at compile time, becomes vectors. */
INLINE void place_lens(const WarpMap *job, bool is_radial, size_t x, size_t y, size_t count, Places *to) {
    WarpMap map = *job; /* a copy, which no store changes */
    map.is_lens = true;
    map.is_radial = is_radial;
    for (int32_t i = 0; i < (int32_t)count; i++)
        warp_place(&map, (double)((int32_t)x + i), (double)(int32_t)y, &to->u[i], &to->v[i]);
}

static void place_affine(const WarpMap *map, size_t x, size_t y, size_t count, Places *to) {
    const double *m = map->matrix, below = (double)(int32_t)y, by = 1 / m[8];
    const double across[] = {m[0] * by, m[3] * by}, first[] = {(m[1] * below + m[2]) * by, (m[4] * below + m[5]) * by};
    for (int32_t i = 0; i < (int32_t)count; i++) {
        const double at = (double)((int32_t)x + i);
        to->u[i] = across[0] * at + first[0];
        to->v[i] = across[1] * at + first[1];
    }
}

static void place_homography(const WarpMap *map, size_t x, size_t y, size_t count, Places *to) {
    const double *m = map->matrix, below = (double)(int32_t)y;
    const double across[] = {m[0], m[3], m[6]};
    const double first[] = {m[1] * below + m[2], m[4] * below + m[5], m[7] * below + m[8]};
    for (int32_t i = 0; i < (int32_t)count; i++) {
        const double at = (double)((int32_t)x + i), w = across[2] * at + first[2], by = w < 0 || w > 0 ? 1 / w : 0;
        to->u[i] = (across[0] * at + first[0]) * by;
        to->v[i] = (across[1] * at + first[1]) * by;
    }
}

/* Homographies may find places farther away than WARP_FAR, or NaN, which split_place brings near. */
static void find_places(const WarpMap *map, size_t x, size_t y, size_t count, Places *places) {
    if (map->is_radial)
        place_lens(map, true, x, y, count, places);
    else if (map->is_lens)
        place_lens(map, false, x, y, count, places);
    else if (fabs(map->matrix[6]) + fabs(map->matrix[7]) > 0 || !(fabs(map->matrix[8]) > 0))
        place_homography(map, x, y, count, places);
    else
        place_affine(map, x, y, count, places);
}

INLINE void split_place(Places *places, size_t i, double shift) {
    const double u = warp_near(places->u[i]), v = warp_near(places->v[i]);
    const double left = floor(u + shift), top = floor(v + shift);
    places->x[i] = (int32_t)left;
    places->y[i] = (int32_t)top;
    places->u[i] = u - left;
    places->v[i] = v - top;
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
/* A run of bytes, a pixel a lane; those near the edges pixel by pixel. */
INLINE void linear_u8(const Stage *stage, Places *places, size_t x, size_t y, size_t count, int channels) {
    uint8_t made[LINEAR_PIXELS * LINEAR_CHANNELS + VECTOR_BYTES];
    uint32_t words[LINEAR_PIXELS];
    LinearRun run;
    _Static_assert((int)RUN <= (int)LINEAR_PIXELS, "a run");
    linear_find(stage, places->u, places->v, count, &run);
    if (channels == 1)
        linear_words(stage->in[0], run.at, (count + LANES - 1) / LANES * LANES, words);
    for (size_t i = 0; i < count; i += LANES) {
        const LinearPixels around =
            channels == 1 ? linear_of_words(words + i) : linear_around(stage->in[0], run.at + i, channels);
        const Ints pixels = linear_weigh(&around, load(run.across + i), load(run.down + i), channels);
        memcpy(made + i * (size_t)channels, &pixels, sizeof pixels);
    }
    for (size_t i = 0; i < count; i += LANES) {
        const size_t some = count - i < LANES ? count - i : LANES;
        for (unsigned left = ~run.inside[i / LANES] & (unsigned)((1ULL << some) - 1); left; left &= left - 1) {
            const size_t at = i + (size_t)__builtin_ctz(left);
            split_place(places, at, 0);
            store_four_u8(weigh_u8(warp_job(stage), stage->in[0], places, at, channels, 2) + (float)TIE_BIAS,
                          made + at * (size_t)channels, channels);
        }
    }
    memcpy((uint8_t *)view_row(stage->out, y) + x * (size_t)channels, made, count * (size_t)channels);
}

static bool run_linear(const Stage *stage, Places *places, size_t x, size_t y, size_t count) {
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
static bool run_linear(const Stage *stage, Places *places, size_t x, size_t y, size_t count) {
    (void)stage, (void)places, (void)x, (void)y, (void)count;
    return false;
}
#endif

/* Places of a row of the tile that the next ones are foretold from. */
typedef struct Ahead {
    double u[RUN], v[RUN];
} Ahead;

/* Brings pixels that a row further down will read, one in each line of the cache, and the lines that it is written to.
 * Its places lie as far from this row's as these from the row's before. `ahead` holds the latter, but for the tile's
 * first row. */
static void fetch_ahead(const Stage *stage, const Places *now, size_t x, size_t y, size_t count, bool is_first,
                        Ahead *ahead) {
    enum { LINE = 64, ROWS_AHEAD = 2 };
    const ImageView in = stage->in[0];
    const size_t pixel = (size_t)in.shape.channels * pixel_type_size(in.shape.type), last = y + ROWS_AHEAD;
    const double right = (double)(int32_t)in.shape.width - 1, bottom = (double)(int32_t)in.shape.height - 1;
    for (size_t i = 0; i < count; i += LINE / pixel) {
        const double u = now->u[i], v = now->v[i], down = is_first ? 0 : v - ahead->v[i];
        const double at = is_first ? u : u + ROWS_AHEAD * (u - ahead->u[i]), line = v + ROWS_AHEAD * down + (down > 0);
        ahead->u[i] = u;
        ahead->v[i] = v;
        if (at >= 0 && at <= right && line >= 0 && line <= bottom)
            __builtin_prefetch((const char *)view_row(in, (size_t)line) + (size_t)at * pixel);
    }
    for (size_t i = 0; last < stage->out.shape.height && i < count * pixel; i += LINE)
        __builtin_prefetch((const char *)view_row(stage->out, last) + x * pixel + i, 1);
}

static void run_tile(const void *shared, size_t x, size_t y, void *scratch) {
    const Stage *stage = shared;
    const Shape out = stage->out.shape;
    const size_t count = out.width - x < WARP_COLUMNS ? out.width - x : WARP_COLUMNS;
    const double shift = warp_job(stage)->kernel == WARP_NEAREST ? 0.5 + WARP_TIE : 0;
    const size_t top = y, end = y + WARP_ROWS < out.height ? y + WARP_ROWS : out.height;
    Places places = {.x = {0}};
    Ahead ahead;
    (void)scratch;
    for (; y < end; y++) {
        find_places(&warp_job(stage)->map, x, y, count, &places);
        fetch_ahead(stage, &places, x, y, count, y == top, &ahead);
        if (run_linear(stage, &places, x, y, count))
            continue;
        for (size_t i = 0; i < count; i++)
            split_place(&places, i, shift);
        if (out.type == PIXEL_U8)
            channels_u8(stage, &places, x, y, count);
        else if (out.type == PIXEL_U16)
            channels_u16(stage, &places, x, y, count);
        else
            channels_f32(stage, &places, x, y, count);
    }
}

TeamTile *const ISA_NAME(warp_tile) = run_tile;
