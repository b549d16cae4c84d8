/* shared.cu: the bilateral filter on a tile in shared memory.
 * A thread has eight pixels one below the other: a value that it reads serves all of them. Channels lie in the tile as
 * f32. They are scaled so that a neighbour's weight is 2 to a power. The exponent is its own logarithm by distance, a
 * constant of the launch, minus the square of the difference. Channels of u8 lie in a word, whose difference to another
 * word is one instruction; three of them have their f32 behind it. The exponentials bound the time of one channel,
 * since the special function unit makes sixteen a clock. Every eighth is therefore a polynomial, and two pixels of a
 * thread share the weight that they give each other. */
#include "gpu/bilateral/window.cuh"

enum { WIDE = 32, TALL = 32, EACH = 8, THREADS = WIDE * TALL / EACH, RADIUS_MAX = 16 };

/* Logarithms by distance, of a quarter of the window: they are alike in all. */
typedef struct Weights {
    float space[(RADIUS_MAX + 1) * (RADIUS_MAX + 1)];
    int reach[RADIUS_MAX + 1]; /* the farthest row in a column, by its distance */
    float scale, inverse, outside;
    int radius;
    BorderMode border;
} Weights;

#define MAGIC 8388608.0f /* 2^23 + n has n in its lower bits */

static __device__ __forceinline__ float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* power_of_two without the special function unit, for x of at most 0; within 2e-7 of it. */
static __device__ __forceinline__ float power_by_polynomial(float x) {
    const float within = fmaxf(x, -126.0f), whole = within + 1.5f * MAGIC, rest = within - (whole - 1.5f * MAGIC);
    float y = 0.001327647129f;
    y = fmaf(y, rest, 0.009675540961f);
    y = fmaf(y, rest, 0.05550713092f);
    y = fmaf(y, rest, 0.2402212024f);
    y = fmaf(y, rest, 0.6931469440f);
    y = fmaf(y, rest, 1.0f);
    return __int_as_float(__float_as_int(y) + (__float_as_int(whole) << 23));
}

/* A pixel as the tile holds it, a plane for each channel. */
template <typename T, int CHANNELS> struct Planes {
    typedef T In;
    typedef float Held;
    enum { C = CHANNELS, HELD = C, PARTS = sizeof(T) == 4 };
    float values[C];

    static __device__ __forceinline__ Planes read(const Held *tile, int plane) {
        Planes pixel;
#pragma unroll
        for (int c = 0; c < C; c++)
            pixel.values[c] = tile[c * plane];
        return pixel;
    }
    static __device__ __forceinline__ Planes load(const In *from, const Weights &weights) {
        Planes pixel;
#pragma unroll
        for (int c = 0; c < C; c++)
            pixel.values[c] = from ? (float)__ldg(from + c) : weights.outside;
        return pixel;
    }
    __device__ __forceinline__ void put(Held *tile, int plane, const Weights &weights) const {
#pragma unroll
        for (int c = 0; c < C; c++)
            tile[c * plane] = weights.scale * values[c];
    }
    __device__ __forceinline__ float value(int c) const {
        return values[c];
    }
    /* How far two are apart, scaled. */
    __device__ __forceinline__ float apart(const Planes &other, const Weights &) const {
        float d = values[0] - other.values[0];
        if (C > 1)
            d = fabsf(d);
#pragma unroll
        for (int c = 1; c < C; c++)
            d += fabsf(values[c] - other.values[c]);
        return d;
    }
    static __device__ __forceinline__ float inverse(const Weights &weights) {
        return weights.inverse;
    }
};

/* Channels of u8 in a word. */
template <int CHANNELS> struct Bytes {
    typedef uint8_t In;
    typedef uint32_t Held;
    enum { C = CHANNELS, HELD = 1, PARTS = 0 };
    uint32_t bytes;

    static __device__ __forceinline__ Bytes read(const Held *tile, int) { return {*tile}; }
    static __device__ __forceinline__ Bytes load(const In *from, const Weights &weights) {
        uint32_t word = 0;
#pragma unroll
        for (int c = 0; c < C; c++)
            word |= (from ? (uint32_t)__ldg(from + c) : (uint32_t)weights.outside) << 8 * c;
        return {word};
    }
    __device__ __forceinline__ void put(Held *tile, int, const Weights &) const {
        *tile = bytes;
    }
    __device__ __forceinline__ float value(int c) const {
        return __uint_as_float(__byte_perm(bytes, __float_as_uint(MAGIC), 0x7440 + c)) - MAGIC;
    }
    __device__ __forceinline__ float apart(const Bytes &other, const Weights &weights) const {
        uint32_t sum; /* as a float, 2^23 more */
        asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
            : "=r"(sum)
            : "r"(bytes), "r"(other.bytes), "r"(__float_as_uint(MAGIC)));
        return fmaf(__uint_as_float(sum), weights.scale, -MAGIC * weights.scale);
    }
    static __device__ __forceinline__ float inverse(const Weights &) {
        return 1;
    }
};

/* Bytes with the channels as f32 behind them: one load of 16 bytes, and nothing to take apart. */
template <int CHANNELS> struct Quads {
    typedef uint8_t In;
    typedef uint4 Held;
    enum { C = CHANNELS, HELD = 4, PARTS = 0 };
    uint32_t bytes;
    float values[3];

    static __device__ __forceinline__ Quads read(const Held *tile, int) {
        const uint4 words = *tile;
        return {words.x, {__uint_as_float(words.y), __uint_as_float(words.z), __uint_as_float(words.w)}};
    }
    static __device__ __forceinline__ Quads load(const In *from, const Weights &weights) {
        return {Bytes<C>::load(from, weights).bytes, {}};
    }
    __device__ __forceinline__ void put(Held *tile, int, const Weights &) const {
        const Bytes<C> own = {bytes};
        *tile = make_uint4(bytes, __float_as_uint(own.value(0)), __float_as_uint(own.value(1)),
                           C > 2 ? __float_as_uint(own.value(C > 2 ? 2 : 0)) : 0);
    }
    __device__ __forceinline__ float value(int c) const { return values[c]; }
    __device__ __forceinline__ float apart(const Quads &other, const Weights &weights) const {
        return Bytes<C>{bytes}.apart(Bytes<C>{other.bytes}, weights);
    }
    static __device__ __forceinline__ float inverse(const Weights &) { return 1; }
};

/* A thread's sums of its pixels' weights and weighted values. */
template <int C> struct Sums { float total[EACH], values[EACH][C]; };

template <typename Pixel>
static __device__ __forceinline__ void add(Sums<Pixel::C> *sums, int k, float weight, const Pixel &pixel) {
    sums->total[k] += weight;
#pragma unroll
    for (int c = 0; c < Pixel::C; c++)
        sums->values[k][c] = fmaf(weight, pixel.value(c), sums->values[k][c]);
}

/* The last column of those after `column` in which a disk reaches as far. */
static __host__ __device__ constexpr int last_alike(int radius, int column) {
    int last = column;
    while (last < radius && bilateral_reach(radius, last + 1) == bilateral_reach(radius, column))
        last++;
    return last;
}

/* Columns COLUMN away from the thread's own, and all columns farther away, of the radius R. Columns that reach as far
 * share their code: code that does not fit the instruction cache waits. */
template <typename Pixel, int R, int COLUMN>
static __device__ __forceinline__ void take_columns(const typename Pixel::Held *middle, int pitch, int plane,
                                                    const Weights &weights, const Pixel (&own)[EACH],
                                                    Sums<Pixel::C> *sums) {
    enum {
        REACH = bilateral_reach(R, COLUMN),
        LAST = last_alike(R, COLUMN),
        ALONE = Pixel::C == 1,
        SHARED = ALONE && COLUMN == 0,
        ITERATIONS = COLUMN == 0 ? 2 * LAST + 1 : 2 * (LAST - COLUMN + 1)
    };
#pragma unroll 1
    for (int n = 0; n < ITERATIONS; n++) {
        const int away = COLUMN + (COLUMN == 0 ? n + 1 : n) / 2, i = n % 2 ? -away : away;
        const float *space = weights.space + away * (RADIUS_MAX + 1);
        Sums<Pixel::C> part = {}; /* long sums of like values would round the same way */
        Sums<Pixel::C> *to = Pixel::PARTS ? &part : sums;
#pragma unroll
        for (int j = -REACH; j < REACH + EACH; j++) {
            if (SHARED && j >= 0 && j < EACH)
                continue;
            const Pixel pixel = Pixel::read(middle + j * pitch + i, plane);
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                const int down = j < k ? k - j : j - k;
                if (down > REACH)
                    continue;
                const float d = pixel.apart(own[k], weights), log = fmaf(-d, d, space[down]);
                add(to, k, ALONE && (j + EACH + k) % 8 == 3 ? power_by_polynomial(log) : power_of_two(log), pixel);
            }
        }
        if (SHARED)
#pragma unroll
            for (int j = 0; j < EACH; j++)
#pragma unroll
                for (int k = 0; k <= j; k++)
                    if (j - k <= REACH) {
                        const float d = own[j].apart(own[k], weights);
                        const float weight = k < j ? power_of_two(fmaf(-d, d, space[j - k])) : 1;
                        add(to, k, weight, own[j]);
                        if (k < j)
                            add(to, j, weight, own[k]);
                    }
        if (Pixel::PARTS)
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                sums->total[k] += part.total[k];
#pragma unroll
                for (int c = 0; c < Pixel::C; c++)
                    sums->values[k][c] += part.values[k][c];
            }
    }
    if constexpr (LAST < R)
        take_columns<Pixel, R, LAST + 1>(middle, pitch, plane, weights, own, sums);
}

/* All columns of a radius known at run time only. */
template <typename Pixel>
static __device__ __forceinline__ void take_all(const typename Pixel::Held *middle, int pitch, int plane,
                                                const Weights &weights, const Pixel (&own)[EACH],
                                                Sums<Pixel::C> *sums) {
#pragma unroll 1
    for (int i = -weights.radius; i <= weights.radius; i++) {
        Sums<Pixel::C> part = {};
        const int reach = weights.reach[abs(i)];
        const float *space = weights.space + abs(i) * (RADIUS_MAX + 1);
#pragma unroll 1
        for (int j = -reach; j < reach + EACH; j++) {
            const Pixel pixel = Pixel::read(middle + j * pitch + i, plane);
#pragma unroll
            for (int k = 0; k < EACH; k++)
                if (abs(j - k) <= reach) {
                    const float d = pixel.apart(own[k], weights);
                    add(&part, k, power_of_two(fmaf(-d, d, space[abs(j - k)])), pixel);
                }
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            sums->total[k] += part.total[k];
#pragma unroll
            for (int c = 0; c < Pixel::C; c++)
                sums->values[k][c] += part.values[k][c];
        }
    }
}

/* A warp's pixels of a row, of which `count` are in the picture. Three bytes a pixel go together into words. */
template <typename T, int C>
static __device__ __forceinline__ void store_row(T *row, int count, const T (&results)[C]) {
    const int x = threadIdx.x % WIDE;
    if (sizeof(T) == 1 && C == 3 && count >= WIDE) {
        const uint32_t own =
            (uint32_t)results[0] | (uint32_t)results[C > 1 ? 1 : 0] << 8 | (uint32_t)results[C > 2 ? 2 : 0] << 16;
        const int first = 4 * x / 3, at = 4 * x % 3 * 8;
        const uint32_t low = __shfl_sync(~0U, own, first), high = __shfl_sync(~0U, own, first + 1);
        if (x < WIDE * 3 / 4)
            ((uint32_t *)row)[x] = low >> at | high << (24 - at);
    } else if (x < count)
#pragma unroll
        for (int c = 0; c < C; c++)
            row[x * C + c] = results[c];
}

/* R: the radius, or 0 where it is known at run time only. */
template <typename Pixel, int R>
__global__ void __launch_bounds__(THREADS)
    bilateral_shared(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ Weights weights) {
    typedef typename Pixel::In In;
    typedef typename Pixel::Held Held;
    enum { C = Pixel::C };
    extern __shared__ uint4 memory[];
    Held *tile = (Held *)memory;
    const int radius = R > 0 ? R : weights.radius, pitch = WIDE + 2 * radius, rows = TALL + 2 * radius;
    const int left = blockIdx.x * WIDE, top = blockIdx.y * TALL, plane = pitch * rows;
    if (left >= radius && top >= radius && left + WIDE + radius <= in.width && top + TALL + radius <= in.height) {
        enum { AT_ONCE = 6 }; /* pixels of a thread on their way */
        const unsigned char *corner = (const unsigned char *)(row_of<In>(in, top - radius) + (left - radius) * C);
        for (int first = threadIdx.x; first < plane; first += AT_ONCE * THREADS) {
            Pixel pixels[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                const int n = min(first + k * THREADS, plane - 1), j = n / pitch, i = n - j * pitch;
                pixels[k] = Pixel::load((const In *)(corner + j * in.stride) + i * C, weights);
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
                pixels[k].put(tile + min(first + k * THREADS, plane - 1), plane, weights);
        }
    } else
        for (int n = threadIdx.x; n < plane; n += THREADS) {
            const int sx = bilateral_index(weights.border, left + n % pitch - radius, in.width);
            const int sy = bilateral_index(weights.border, top + n / pitch - radius, in.height);
            Pixel::load(sx < 0 || sy < 0 ? NULL : row_of<In>(in, sy) + sx * C, weights).put(tile + n, plane, weights);
        }
    __syncthreads();
    const int x = threadIdx.x % WIDE, y = threadIdx.x / WIDE * EACH;
    const Held *middle = tile + (y + radius) * pitch + x + radius;
    Pixel own[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        own[k] = Pixel::read(middle + k * pitch, plane);
    Sums<C> sums = {};
    if constexpr (R > 0)
        take_columns<Pixel, R, 0>(middle, pitch, plane, weights, own, &sums);
    else
        take_all(middle, pitch, plane, weights, own, &sums);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const float each = __fdividef(Pixel::inverse(weights), sums.total[k]);
        In results[C];
#pragma unroll
        for (int c = 0; c < C; c++) {
            const float value = sums.values[k][c] * each, off = sizeof(In) == 4 ? value - value : 0;
            results[c] = Stored<In>::from(value + off); /* NaN */
        }
        if (top + y + k < out.height)
            store_row(row_to<In>(out, top + y + k) + left * C, out.width - left, results);
    }
}

static Weights weights_of(const BilateralJob *job) {
    Weights weights = {};
    weights.radius = job->radius;
    weights.border = job->border.mode;
    weights.outside = job->border.value;
    weights.scale = (float)sqrt(-bilateral_slope(job));
    weights.inverse = (float)(1 / (double)weights.scale);
    for (int i = 0; i <= job->radius; i++) {
        weights.reach[i] = bilateral_reach(job->radius, i);
        for (int j = 0; j <= weights.reach[i]; j++)
            weights.space[i * (RADIUS_MAX + 1) + j] = (float)bilateral_space(job, i, j);
    }
    return weights;
}

/* COMMON: small radii have kernels of their own. */
template <typename Pixel, bool COMMON = true> static Status launch(Queue *queue, const Stage *stage) {
    static const void *const kernels[] = {
        (const void *)bilateral_shared<Pixel, 0>,
        (const void *)bilateral_shared < Pixel,
        COMMON ? 1 : 0 >,
        (const void *)bilateral_shared < Pixel,
        COMMON ? 2 : 0 >,
        (const void *)bilateral_shared < Pixel,
        COMMON ? 3 : 0 >,
        (const void *)bilateral_shared < Pixel,
        COMMON ? 4 : 0 >
        , (const void *)bilateral_shared < Pixel, COMMON ? 5 : 0 >,
    };
    const int radius = bilateral_job(stage)->radius;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Weights weights = weights_of(bilateral_job(stage));
    const Launch launch = {dim3(blocks_for(out.width, WIDE), blocks_for(out.height, TALL)), dim3(THREADS),
                           Pixel::HELD * sizeof(float) * (size_t)(WIDE + 2 * radius) * (size_t)(TALL + 2 * radius)};
    void *arguments[] = {&in, &out, &weights};
    return gpu_launch(queue, "bilateral shared", kernels[radius <= 5 ? radius : 0], launch, arguments);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its tile has room for a diameter of 33";
    if (bilateral_job(stage)->radius > RADIUS_MAX)
        return false;
    return accepts_single(stage, why_not);
}

/* Words hold no other border than a whole one. */
static bool fits_bytes(const Stage *stage) {
    const float outside = bilateral_job(stage)->border.value;
    return stage->in[0].shape.type == PIXEL_U8 && outside >= 0 && outside <= 255 && rintf(outside) == outside;
}

static Status run(Queue *queue, const Stage *stage) {
    static Status (*const runs[][4])(Queue *, const Stage *) = {
        {launch<Planes<uint8_t, 1>>, launch<Planes<uint8_t, 2>, false>, launch<Planes<uint8_t, 3>, false>,
         launch<Planes<uint8_t, 4>, false>},
        {launch<Planes<uint8_t, 1>>, launch<Bytes<2>>, launch<Quads<3>>, launch<Bytes<4>>},
        {launch<Planes<float, 1>>, launch<Planes<float, 2>>, launch<Planes<float, 3>>, launch<Planes<float, 4>>},
    };
    const Shape shape = stage->in[0].shape;
    return runs[shape.type == PIXEL_F32 ? 2 : fits_bytes(stage)][shape.channels - 1](queue, stage);
}

extern "C" const Level cuda_bilateral_shared = {
    .op = &op_bilateral,
    .name = "shared",
    .idea = "the tile in shared memory, scaled so that a weight is one multiply-add and one exponential of the special "
            "function unit; eight pixels share their reads",
    .accepts = accepts,
    .run = run,
};
