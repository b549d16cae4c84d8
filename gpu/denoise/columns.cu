/* columns.cu: pictures without guides, whose weights follow light alone. A block reads its pixels and their neighbours
 * into shared memory. A thread has pixels one below the other: a neighbour that it reads serves all that it is near.
 * The first kernel makes the guess and smooths by it: neither passes through memory. The others take rows that are a
 * step apart. The first reads and the last writes pixels of any type. */
#include "gpu/denoise/denoise.cuh"

#include <cuda_pipeline_primitives.h>

extern "C" {
#include "core/ops/point.h"
}

enum {
    COLUMNS = 64,
    EACH = 4,
    AROUND = 2,
    /* of the first kernel, whose threads have pixels of two columns */
    FIRST_ROWS = 32,
    FIRST_THREADS = COLUMNS / 2 * FIRST_ROWS / EACH,
    GUESS_WIDE = COLUMNS + 2 * AROUND,
    GUESS_TALL = FIRST_ROWS + 2 * AROUND,
    LIGHT_WIDE = GUESS_WIDE + 2 * AROUND,
    LIGHT_TALL = GUESS_TALL + 2 * AROUND,
    FIRST_BYTES = (LIGHT_WIDE * LIGHT_TALL + GUESS_WIDE * GUESS_TALL) * (int)sizeof(DenoiseLight),
    WINDOW = (2 * AROUND + 1) * (2 * AROUND + 1),
    /* of the others */
    PARTS = 4,
    ROWS = EACH * PARTS,
    THREADS = COLUMNS * PARTS,
    TILE_ROWS = ROWS + 2 * AROUND
};

/* Light of a pixel that takes no part: so far from all other that its weight is 0, and finite times any `near`. */
#define NO_LIGHT 1e22f

/* Channels in scratch memory are times the roots of their weights in denoise_square: then a distance is a sum of
 * squares. */
static __device__ __forceinline__ float root_of_weight(int c) {
    return c == 0 ? 0.46108568f : c == 1 ? 0.84569498f : 0.26870058f;
}
static __device__ __forceinline__ float scaled(int c, float value) {
    return __fmul_rn(root_of_weight(c), value); /* the same wherever it is made */
}
static __device__ __forceinline__ float square_of(float red, float green, float blue) {
    return fmaf(red, red, fmaf(green, green, blue * blue));
}

static __device__ __forceinline__ float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
static __device__ __forceinline__ float inverse_root(float x) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

static __device__ __forceinline__ DenoiseLight light_at(const DenoiseLight *tile, size_t at) {
    const float4 four = ((const float4 *)tile)[at];
    const DenoiseLight light = {four.x, four.y, four.z, four.w};
    return light;
}
static __device__ __forceinline__ void store_light(DenoiseLight *to, DenoiseLight light) {
    *(float4 *)to = make_float4(light.red, light.green, light.blue, light.variance);
}

static __device__ __forceinline__ DenoiseLight no_light(void) {
    const DenoiseLight none = {NO_LIGHT, NO_LIGHT, NO_LIGHT, 0};
    return none;
}
static __device__ __forceinline__ bool takes_part(DenoiseLight light) {
    return light.red < NO_LIGHT;
}

/* ---- pixels of the picture, of any type: f32 is their value as it is stored ---- */

enum { TOGETHER = 4 };

typedef struct Types {
    PixelType in, out;
} Types;

/* A pixel of the picture, or of the result. */
typedef struct Place {
    int x, y;
} Place;

template <typename T>
static __device__ __forceinline__ void read_pixels_of(const DenoiseStage &stage, const Place (&at)[TOGETHER],
                                                      float (&v)[TOGETHER][4]) {
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        const T *from = row_of<T>(stage.light, at[p].y) + (size_t)at[p].x * stage.channels;
#pragma unroll
        for (int c = 0; c < 4; c++)
            v[p][c] = c < stage.channels ? (float)from[c] : 0;
    }
}

static __device__ __forceinline__ void read_pixels(const DenoiseStage &stage, PixelType type,
                                                   const Place (&at)[TOGETHER], float (&v)[TOGETHER][4]) {
    if (type == PIXEL_U8)
        read_pixels_of<uint8_t>(stage, at, v);
    else if (type == PIXEL_U16)
        read_pixels_of<uint16_t>(stage, at, v);
    else
        read_pixels_of<float>(stage, at, v);
}

template <typename T>
static __device__ __forceinline__ void write_pixel(const DenoiseStage &stage, Place at, const float (&v)[4]) {
    T *to = row_to<T>(stage.out, at.y) + (size_t)at.x * stage.channels;
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < stage.channels)
            to[c] = Stored<T>::from(v[c]);
}

/* The light of a pixel, or none if it is not finite. */
static __device__ __forceinline__ DenoiseLight light_of(const float (&v)[4], int channels) {
    const DenoiseLight light = {scaled(0, v[0]), scaled(1, v[channels < 3 ? 0 : 1]), scaled(2, v[channels < 3 ? 0 : 2]),
                                0};
    return isfinite(0 * light.red + 0 * light.green + 0 * light.blue) ? light : no_light();
}

/* A pixel's values once its light has become another. */
static __device__ __forceinline__ void change_light(float (&v)[4], int channels, DenoiseLight light) {
    const float made[3] = {light.red, light.green, light.blue};
#pragma unroll
    for (int c = 0; c < 3; c++)
        if (takes_part(light) && c < (channels < 3 ? 1 : 3))
            v[c] = fmaf(made[c] - scaled(c, v[c]), 1 / root_of_weight(c), v[c]);
}

/* Stores the results of a thread's pixels from (x, y) on, `step` rows apart. */
static __device__ __forceinline__ void write_pixels(const DenoiseStage &stage, Types types, int x, int y, int step,
                                                    const DenoiseLight (&light)[TOGETHER]) {
    Place at[TOGETHER];
    float v[TOGETHER][4];
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        at[p] = {min(x, stage.width - 1), min(y + p * step, stage.height - 1)};
    read_pixels(stage, types.in, at, v);
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        change_light(v[p], stage.channels, light[p]);
        if (x >= stage.width || y + p * step >= stage.height)
            continue;
        if (types.out == PIXEL_U8)
            write_pixel<uint8_t>(stage, at[p], v[p]);
        else if (types.out == PIXEL_U16)
            write_pixel<uint16_t>(stage, at[p], v[p]);
        else
            write_pixel<float>(stage, at[p], v[p]);
    }
}

/* ---- the first estimate: denoise_estimate of pictures without guides ---- */

/* Where a tile has a pixel: even columns lie before odd ones, so that the pairs of a warp lie side by side. */
template <int WIDE> static __device__ __forceinline__ int split_at(int x, int y) {
    return y * WIDE + (x & 1) * (WIDE / 2) + x / 2;
}

/* The pixels of a block with all that it needs around them. Returns whether all take part. */
static __device__ __forceinline__ bool load_picture(const DenoiseStage &stage, PixelType type, int left, int top,
                                                    DenoiseLight *tile) {
    enum { PIXELS = LIGHT_WIDE * LIGHT_TALL };
    bool whole = true;
#pragma unroll 1
    for (int first = threadIdx.x; first < PIXELS; first += TOGETHER * FIRST_THREADS) {
        Place at[TOGETHER];
        float v[TOGETHER][4];
#pragma unroll
        for (int p = 0; p < TOGETHER; p++) {
            const int i = first + p * FIRST_THREADS, x = left + i % LIGHT_WIDE, y = top + i / LIGHT_WIDE;
            at[p] = {min(max(x, 0), stage.width - 1), min(max(y, 0), stage.height - 1)};
        }
        read_pixels(stage, type, at, v);
#pragma unroll
        for (int p = 0; p < TOGETHER; p++) {
            const int i = first + p * FIRST_THREADS, x = i % LIGHT_WIDE, y = i / LIGHT_WIDE;
            if (i >= PIXELS)
                continue;
            const bool is_there = at[p].x == left + x && at[p].y == top + y;
            const DenoiseLight light = is_there ? light_of(v[p], stage.channels) : no_light();
            whole = whole && takes_part(light);
            store_light(tile + split_at<LIGHT_WIDE>(x, y), light);
        }
    }
    return whole;
}

/* Sums of light less that of a pixel, and of the squares of this difference. */
typedef struct Differences {
    float red, green, blue, squares;
} Differences;

static __device__ __forceinline__ Differences sum_of(Differences a, Differences b) {
    const Differences sum = {a.red + b.red, a.green + b.green, a.blue + b.blue, a.squares + b.squares};
    return sum;
}
static __device__ __forceinline__ Differences difference_of(DenoiseLight light, DenoiseLight from) {
    const float red = light.red - from.red, green = light.green - from.green, blue = light.blue - from.blue;
    const Differences difference = {red, green, blue, square_of(red, green, blue)};
    return difference;
}

/* The variance of the guess, which is a mean with this share of each pixel. */
static __device__ __forceinline__ float guessed_variance(float variance, float share) {
    const float noise = __fdividef(variance, variance + DENOISE_NOTHING), rest = (1 - noise) * (1 - noise);
    return variance * fmaf(2 * (1 - rest), share, rest);
}

/* The guess of a pixel, with the variance of its light. */
static __device__ __forceinline__ DenoiseLight guess_of(DenoiseLight own, DenoiseLight from, Differences sum,
                                                        float share) {
    const float red = sum.red * share, green = sum.green * share, blue = sum.blue * share;
    const float variance = fmaxf(fmaf(sum.squares, share, -square_of(red, green, blue)), 0);
    const float noise = __fdividef(variance, variance + DENOISE_NOTHING);
    const DenoiseLight guess = {fmaf(noise, red - (own.red - from.red), own.red),
                                fmaf(noise, green - (own.green - from.green), own.green),
                                fmaf(noise, blue - (own.blue - from.blue), own.blue), variance};
    return guess;
}

/* The sums of two windows side by side, along a row. */
typedef struct RowSums {
    Differences of[2];
} RowSums;

static __device__ __forceinline__ RowSums both(const RowSums &a, const RowSums &b) {
    const RowSums sum = {{sum_of(a.of[0], b.of[0]), sum_of(a.of[1], b.of[1])}};
    return sum;
}

static __device__ __forceinline__ RowSums sums_along(const DenoiseLight *row, DenoiseLight from) {
    Differences difference[6];
#pragma unroll
    for (int i = 0; i < 6; i++)
        difference[i] = difference_of(light_at(row, split_at<LIGHT_WIDE>(i, 0)), from);
    const Differences middle = sum_of(sum_of(difference[1], difference[2]), sum_of(difference[3], difference[4]));
    const RowSums sums = {{sum_of(middle, difference[0]), sum_of(middle, difference[5])}};
    return sums;
}

/* Guesses of two columns of EACH pixels, where all pixels take part. All windows have one pixel in common: differences
 * are from its light, which is as near to theirs as their own. An even place has differences of 0. */
static __device__ __forceinline__ void guess_whole(const DenoiseLight *tile, DenoiseLight *guesses) {
    static_assert(EACH == 4 && AROUND == 2, "sums of four windows of five rows");
    const DenoiseLight from = light_at(tile, split_at<LIGHT_WIDE>(AROUND, 3));
    const auto row = [&](int y) { return sums_along(tile + y * LIGHT_WIDE, from); };
    RowSums windows[EACH];
    const RowSums middle = both(row(3), row(4)), above = both(middle, row(2)), fifth = row(5);
    const RowSums inner = both(above, fifth), below = both(middle, fifth), second = row(1), sixth = row(6);
    windows[0] = both(both(above, second), row(0));
    windows[1] = both(inner, second);
    windows[2] = both(inner, sixth);
    windows[3] = both(both(below, sixth), row(7));
#pragma unroll
    for (int n = 0; n < EACH; n++)
#pragma unroll
        for (int k = 0; k < 2; k++)
            store_light(guesses + n * GUESS_WIDE + split_at<GUESS_WIDE>(k, 0),
                        guess_of(light_at(tile, split_at<LIGHT_WIDE>(k + AROUND, n + AROUND)), from, windows[n].of[k],
                                 1.0f / WINDOW));
}

/* The guess of one pixel, whose window begins at (x, y), and whose neighbours need not take part. */
static __device__ __noinline__ void guess_part(const DenoiseLight *tile, int x, int y, DenoiseLight *guess) {
    const DenoiseLight own = light_at(tile, split_at<LIGHT_WIDE>(x + AROUND, y + AROUND));
    Differences sum = {0, 0, 0, 0};
    float count = 0;
    for (int i = 0; i < WINDOW; i++) {
        const DenoiseLight other = light_at(tile, split_at<LIGHT_WIDE>(x + i % 5, y + i / 5));
        if (takes_part(other)) {
            sum = sum_of(sum, difference_of(other, own));
            count++;
        }
    }
    store_light(guess, takes_part(own) ? guess_of(own, own, sum, 1 / count) : own);
}

/* How many pixels of the window that begins at (x, y) take part. */
static __device__ __noinline__ float count_part(const DenoiseLight *tile, int x, int y) {
    float count = 0;
    for (int i = 0; i < WINDOW; i++)
        count += takes_part(light_at(tile, split_at<LIGHT_WIDE>(x + i % 5, y + i / 5)));
    return count;
}

/* ---- iterations: denoise_smooth of pictures without guides ---- */

/* The logarithm to base 2 of the spline's weight. */
static __device__ __forceinline__ float spline_power(int i) {
    return i == 0 ? -1.4150374992788437f : i == 1 || i == -1 ? -2.0f : -4.0f;
}

#define CENTRE (0.375f * 0.375f)

/* A pixel: the light by which it is compared, times `near`, the root of the factor on the square of a difference. And
 * the sums that it gains. */
typedef struct Mean {
    float near, compared[3];
    float red, green, blue, variance, weights;
} Mean;

/* `variance` is that of the light by which it is compared, `own` that of its light. */
static __device__ __forceinline__ Mean mean_begin(const DenoiseRule &rule, DenoiseLight compared, float variance,
                                                  float own) {
    const float square = square_of(compared.red, compared.green, compared.blue);
    const float near = inverse_root(fmaf(rule.light, variance, fmaf(rule.equal, square, DENOISE_NOTHING)));
    const Mean mean = {
        near,  {compared.red * near, compared.green * near, compared.blue * near}, 0, 0, 0, CENTRE * CENTRE * own,
        CENTRE};
    return mean;
}

/* How far light is from the pixel's, times `near`. */
static __device__ __forceinline__ void mean_apart(const Mean &mean, DenoiseLight light, float (&apart)[3]) {
    apart[0] = fmaf(light.red, mean.near, -mean.compared[0]);
    apart[1] = fmaf(light.green, mean.near, -mean.compared[1]);
    apart[2] = fmaf(light.blue, mean.near, -mean.compared[2]);
}

static __device__ __forceinline__ float mean_weight(const float (&apart)[3], int i, int j) {
    return power_of_two(fmaf(-apart[0], apart[0],
                             fmaf(-apart[1], apart[1], fmaf(-apart[2], apart[2], spline_power(i) + spline_power(j)))));
}

template <bool VARIES>
static __device__ __forceinline__ void mean_add(Mean *mean, float weight, float red, float green, float blue,
                                                float variance) {
    mean->weights += weight;
    mean->red = fmaf(weight, red, mean->red);
    mean->green = fmaf(weight, green, mean->green);
    mean->blue = fmaf(weight, blue, mean->blue);
    if (VARIES)
        mean->variance = fmaf(weight * weight, variance, mean->variance);
}

/* The guess, then the first iteration, which compares by it. Writes light, or where `to` is NULL the result. */
static __global__ void __launch_bounds__(FIRST_THREADS, 2)
    denoise_columns_first(const __grid_constant__ DenoiseStage stage, const __grid_constant__ DenoiseRule rule,
                          Types types, DenoiseLight *to) {
    extern __shared__ uint4 shared[];
    DenoiseLight *tile = (DenoiseLight *)shared, *guesses = tile + LIGHT_WIDE * LIGHT_TALL;
    const int left = (int)blockIdx.x * COLUMNS, top = (int)blockIdx.y * FIRST_ROWS;
    const bool whole = __syncthreads_and(load_picture(stage, types.in, left - 2 * AROUND, top - 2 * AROUND, tile));
    if (whole) {
        enum { PAIRS = GUESS_WIDE / 2 };
#pragma unroll 1
        for (int i = threadIdx.x; i < PAIRS * GUESS_TALL / EACH; i += FIRST_THREADS) {
            const int pair = i % PAIRS, y = i / PAIRS * EACH;
            guess_whole(tile + y * LIGHT_WIDE + pair, guesses + y * GUESS_WIDE + pair);
        }
    } else {
#pragma unroll 1
        for (int i = threadIdx.x; i < GUESS_WIDE * GUESS_TALL; i += FIRST_THREADS)
            guess_part(tile, i % GUESS_WIDE, i / GUESS_WIDE,
                       guesses + split_at<GUESS_WIDE>(i % GUESS_WIDE, i / GUESS_WIDE));
    }
    __syncthreads();
    const int x = (int)threadIdx.x % 32 * 2, y = (int)threadIdx.x / 32 * EACH;
    const DenoiseLight *lights = tile + (y + AROUND) * LIGHT_WIDE + x / 2 + 1; /* of the thread's first window */
    const DenoiseLight *compared = guesses + y * GUESS_WIDE + x / 2;
    DenoiseLight from = {0, 0, 0, 0}; /* sums are of differences from it */
    Mean means[EACH][2];
#pragma unroll
    for (int n = 0; n < EACH; n++)
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const DenoiseLight own = light_at(lights, split_at<LIGHT_WIDE>(k + AROUND, n + AROUND));
            if (takes_part(own))
                from = own;
        }
#pragma unroll
    for (int n = 0; n < EACH; n++)
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const DenoiseLight own = light_at(lights, split_at<LIGHT_WIDE>(k + AROUND, n + AROUND));
            const DenoiseLight guess = light_at(compared, split_at<GUESS_WIDE>(k + AROUND, n + AROUND));
            const float share = whole ? 1.0f / WINDOW : __fdividef(1, count_part(tile, x + k + AROUND, y + n + AROUND));
            means[n][k] = mean_begin(rule, guess, guessed_variance(guess.variance, share), guess.variance);
            means[n][k].red = CENTRE * (own.red - from.red);
            means[n][k].green = CENTRE * (own.green - from.green);
            means[n][k].blue = CENTRE * (own.blue - from.blue);
        }
#pragma unroll
    for (int row = 0; row < EACH + 2 * AROUND; row++)
#pragma unroll
        for (int column = 0; column < 2 + 2 * AROUND; column++) {
            const DenoiseLight light = light_at(lights, split_at<LIGHT_WIDE>(column, row));
            const DenoiseLight guess = light_at(compared, split_at<GUESS_WIDE>(column, row));
            const float red = light.red - from.red, green = light.green - from.green, blue = light.blue - from.blue;
#pragma unroll
            for (int n = 0; n < EACH; n++)
#pragma unroll
                for (int k = 0; k < 2; k++) {
                    const int i = column - k - AROUND, j = row - n - AROUND;
                    if (i < -AROUND || i > AROUND || j < -AROUND || j > AROUND || (i == 0 && j == 0))
                        continue;
                    float apart[3];
                    mean_apart(means[n][k], guess, apart);
                    mean_add<true>(&means[n][k], mean_weight(apart, i, j), red, green, blue, guess.variance);
                }
        }
    DenoiseLight made[2][EACH];
#pragma unroll
    for (int n = 0; n < EACH; n++)
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const Mean &mean = means[n][k];
            const float share = __fdividef(1, mean.weights);
            const DenoiseLight light = {fmaf(mean.red, share, from.red), fmaf(mean.green, share, from.green),
                                        fmaf(mean.blue, share, from.blue), mean.variance * share * share};
            made[k][n] =
                takes_part(light_at(lights, split_at<LIGHT_WIDE>(k + AROUND, n + AROUND))) ? light : no_light();
            if (to && left + x + k < stage.width && top + y + n < stage.height)
                store_light(to + (size_t)(top + y + n) * stage.width + left + x + k, made[k][n]);
        }
    if (!to)
#pragma unroll
        for (int k = 0; k < 2; k++)
            write_pixels(stage, types, left + x + k, top + y, 1, made[k]);
}

/* Pixels of light `step` apart. */
static __device__ __forceinline__ void load_tile(int left, int top, int width, int height, int step,
                                                 const DenoiseLight *from, DenoiseLight *tile) {
    const int pitch = COLUMNS + 2 * AROUND * step;
    for (int row = threadIdx.x / 32; row < TILE_ROWS; row += THREADS / 32) {
        const int y = top + (row - AROUND) * step;
        for (int column = threadIdx.x % 32; column < pitch; column += 32) {
            const int x = left - AROUND * step + column;
            DenoiseLight *to = tile + row * pitch + column;
            if (x < 0 || y < 0 || x >= width || y >= height)
                store_light(to, no_light());
            else
                __pipeline_memcpy_async(to, from + (size_t)y * width + x, sizeof *to);
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

/* A later iteration. The last one writes the result instead of light. */
template <bool LAST>
__global__ void __launch_bounds__(THREADS, 4)
    denoise_columns_step(const __grid_constant__ DenoiseStage stage, const __grid_constant__ DenoiseRule rule,
                         Types types, const DenoiseLight *from, DenoiseLight *to, int step) {
    extern __shared__ uint4 shared[];
    DenoiseLight *tile = (DenoiseLight *)shared;
    const int left = (int)blockIdx.x * COLUMNS, top = (int)(blockIdx.y / step) * ROWS * step + (int)(blockIdx.y % step);
    const int pitch = COLUMNS + 2 * AROUND * step;
    load_tile(left, top, stage.width, stage.height, step, from, tile);
    __syncthreads();
    const int column = (int)threadIdx.x % COLUMNS, first = (int)threadIdx.x / COLUMNS * EACH;
    const int at = first * pitch + column;
    Mean means[EACH];
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const DenoiseLight own = light_at(tile, at + (n + AROUND) * pitch + AROUND * step);
        means[n] = mean_begin(rule, own, own.variance, own.variance);
    }
#pragma unroll
    for (int row = 0; row < EACH + 2 * AROUND; row++)
#pragma unroll
        for (int i = -AROUND; i <= AROUND; i++) {
            const DenoiseLight light = light_at(tile, at + row * pitch + (i + AROUND) * step);
#pragma unroll
            for (int n = 0; n < EACH; n++) {
                const int j = row - n - AROUND;
                if (j < -AROUND || j > AROUND || (i == 0 && j == 0))
                    continue;
                float apart[3];
                mean_apart(means[n], light, apart);
                mean_add<!LAST>(&means[n], mean_weight(apart, i, j), apart[0], apart[1], apart[2], light.variance);
            }
        }
    DenoiseLight made[EACH];
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const DenoiseLight own = light_at(tile, at + (n + AROUND) * pitch + AROUND * step);
        const Mean &mean = means[n];
        const float share = __fdividef(1, mean.weights), back = __fdividef(share, mean.near),
                    others = mean.weights - CENTRE;
        float apart[3]; /* of the pixel from itself, as `compared` is rounded */
        mean_apart(mean, own, apart);
        const DenoiseLight light = {fmaf(fmaf(-others, apart[0], mean.red), back, own.red),
                                    fmaf(fmaf(-others, apart[1], mean.green), back, own.green),
                                    fmaf(fmaf(-others, apart[2], mean.blue), back, own.blue),
                                    mean.variance * share * share};
        made[n] = takes_part(own) ? light : own;
    }
    const int x = left + column, y = top + first * step;
    if constexpr (LAST) {
        write_pixels(stage, types, x, y, step, made);
    } else {
#pragma unroll
        for (int n = 0; n < EACH; n++)
            if (x < stage.width && y + n * step < stage.height)
                store_light(to + (size_t)(y + n * step) * stage.width + x, made[n]);
    }
}

/* ---- the level ---- */

static size_t step_bytes(int step) {
    return (size_t)TILE_ROWS * (COLUMNS + 2 * AROUND * step) * sizeof(DenoiseLight);
}

static size_t pixels_of(const Stage *stage) {
    return stage->out.shape.width * stage->out.shape.height;
}

/* Light by turns. */
static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return (denoise_job(stage)->iterations > 1) * 2 * pixels_of(stage) * sizeof(DenoiseLight);
}

static Launch step_launch(const DenoiseStage &seen, int step) {
    const Launch launch = {dim3(blocks_for(seen.width, COLUMNS), blocks_for(seen.height, ROWS * step) * (unsigned)step),
                           dim3(THREADS), step_bytes(step)};
    return launch;
}

static Status run(Queue *queue, const Stage *stage) {
    const int iterations = denoise_job(stage)->iterations;
    DenoiseStage seen = denoise_stage(stage);
    DenoiseRule rule = denoise_rule(denoise_job(stage));
    Types types = {stage->in[0].shape.type, stage->out.shape.type};
    DenoiseLight *from = NULL;
    if (iterations > 1)
        TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), (void **)&from));
    const Launch launch = {dim3(blocks_for(seen.width, COLUMNS), blocks_for(seen.height, FIRST_ROWS)),
                           dim3(FIRST_THREADS), FIRST_BYTES};
    void *beginning[] = {&seen, &rule, &types, &from};
    TRY(gpu_launch(queue, "denoise columns, first", (const void *)denoise_columns_first, launch, beginning));
    DenoiseLight *to = from ? from + pixels_of(stage) : NULL;
    for (int step = 2; step < 1 << iterations; step *= 2) {
        void *stepping[] = {&seen, &rule, &types, &from, &to, &step};
        TRY(gpu_launch(queue, "denoise columns",
                       2 * step < 1 << iterations ? (const void *)denoise_columns_step<false>
                                                  : (const void *)denoise_columns_step<true>,
                       step_launch(seen, step), stepping));
        DenoiseLight *made = to;
        to = from;
        from = made;
    }
    return STATUS_OK;
}

static bool converts(const PointJob *job) {
    return !job || (job->count == 1 && job->steps[0].function == POINT_convert);
}

/* The first kernel reads any type, and the last one writes it: less moves through memory. */
static double points_ms(const Stage *stage) {
    const StagePoints *around = stage->points;
    return converts(around->before) && converts(around->after) && around->reads[0] == STAGE_MADE ? 0 : -1;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const DenoiseJob *job = denoise_job(stage);
    *why_not = "it follows light alone, without guides, pixel by pixel";
    if (job->film || job->guides > 0 || job->coarseness > 1)
        return false;
    *why_not = "it counts pixels in 31 bits";
    if (pixels_of(stage) > INT32_MAX)
        return false;
    *why_not = "neighbours of an iteration do not fit into this GPU's shared memory";
    const size_t fits = ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
    return FIRST_BYTES <= fits && step_bytes(1 << (job->iterations - 1)) <= fits;
}

extern "C" const Level cuda_denoise_columns = {
    .op = &op_denoise,
    .name = "columns",
    .idea =
        "pictures without guides: a thread has four pixels of a column, and a neighbour that it reads serves all of "
        "them",
    .accepts = accepts,
    .workspace = workspace,
    .points_ms = points_ms,
    .run = run,
};
