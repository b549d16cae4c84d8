/* ring.cu: the guided filter of a picture by itself, in one kernel. A thread goes down two or four columns of pixels.
 * It keeps the sums of moments and of fits over the window's rows. Along the row, a window's sum is the difference of
 * two prefix sums of a warp. Where the window ends in another warp, totals of warps come to it. A fit goes into the
 * sums at once, and waits in a ring in device memory until it leaves them. Sums of u8 and u16 are of whole numbers, so
 * that no rounding stays in them. A fit's slope is between 0 and 1, and its offset within the type's range. Sums of f32
 * are double. Values that are not finite would stay in them, and count as 0. A block that met some makes NaN of its
 * results around them at its end. */
#include "gpu/guided/picture.cuh"

extern "C" {
#include "gpu/guided/measured.h"
}

/* Rows in shared memory are THREADS_MAX long, whatever a block has: places in them are constants. */
enum { THREADS_MIN = 64, THREADS_MAX = 256, WARPS_MAX = THREADS_MAX / 32 };

/* Pixels of a thread: whole words of each row. */
template <typename T, int C> struct Own {
    enum { PIXELS = C * sizeof(T) < 4 ? 4 : 2 };
};

/* The numbers for a type: a value, sums of values, of squares and of fits, a fit, and arithmetic on them. Bytes have
 * windows of their own where these have at most PIXELS_MAX pixels: their variance times the square of these is below
 * 2^32. FITS_SHORT: fits of 16 bits, whose errors even out in bytes if there are FITS_MIN in a window. FITS_SMALL: fits
 * of 23 bits, of which a float holds the sum with 2^23. */
enum { FITS_MIN = 81, PIXELS_MAX = 512 };
typedef enum Fits { FITS_ANY, FITS_SMALL, FITS_SHORT } Fits;
template <typename T, Fits FITS> struct Numbers;
template <> struct Numbers<uint8_t, FITS_ANY> {
    typedef uint32_t Value, Square, Sum;
    typedef uint2 Fit;
    typedef float Real;
    static __device__ __forceinline__ float of(uint32_t v) { return __uint2float_rn(v); }
    static __device__ __forceinline__ float inverse(float v) { return __fdividef(1, v); }
    static __device__ __forceinline__ float variance(uint32_t count, uint32_t squares, uint32_t values) {
        return __ull2float_rn((unsigned long long)count * squares - (unsigned long long)values * values);
    }
    static __device__ __forceinline__ uint2 fit(float slope, float offset) {
        return make_uint2(__float2uint_rn(slope), __float2uint_rn(offset));
    }
    static __device__ __forceinline__ uint32_t slope_of(uint2 fit) { return fit.x; }
    static __device__ __forceinline__ uint32_t offset_of(uint2 fit) { return fit.y; }
};
template <> struct Numbers<uint8_t, FITS_SHORT> {
    typedef uint32_t Value, Square, Sum, Fit;
    typedef float Real;
    static __device__ __forceinline__ float of(uint32_t v) { return __uint2float_rn(v); }
    static __device__ __forceinline__ float inverse(float v) {
        float r;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
        return r;
    }
    static __device__ __forceinline__ float variance(uint32_t count, uint32_t squares, uint32_t values) {
        return of(count * squares - values * values);
    }
    /* The slope below the offset: sums with 2^23 have them in their lowest bits. */
    static __device__ __forceinline__ uint32_t fit(float slope, float offset) {
        return __byte_perm(__float_as_uint(slope + 8388608.0f), __float_as_uint(offset + 8388608.0f), 0x5410);
    }
    static __device__ __forceinline__ uint32_t slope_of(uint32_t fit) { return fit & 0xffff; }
    static __device__ __forceinline__ uint32_t offset_of(uint32_t fit) { return fit >> 16; }
};
template <> struct Numbers<uint8_t, FITS_SMALL> : Numbers<uint8_t, FITS_SHORT> {
    typedef uint2 Fit;
    static __device__ __forceinline__ uint2 fit(float slope, float offset) {
        return make_uint2(__float_as_uint(slope + 8388608.0f) & 0x7fffff,
                          __float_as_uint(offset + 8388608.0f) & 0x7fffff);
    }
    static __device__ __forceinline__ uint32_t slope_of(uint2 fit) { return fit.x; }
    static __device__ __forceinline__ uint32_t offset_of(uint2 fit) { return fit.y; }
};
template <Fits FITS> struct Numbers<uint16_t, FITS> {
    typedef uint32_t Value;
    typedef unsigned long long Square, Sum;
    typedef uint2 Fit;
    typedef double Real;
    static __device__ __forceinline__ double of(uint32_t v) { return __uint2double_rn(v); }
    static __device__ __forceinline__ double of(unsigned long long v) { return __ull2double_rn(v); }
    static __device__ __forceinline__ double inverse(double v) { return 1 / v; }
    static __device__ __forceinline__ double variance(uint32_t count, unsigned long long squares, uint32_t values) {
        return __ull2double_rn(count * squares - (unsigned long long)values * values);
    }
    static __device__ __forceinline__ uint2 fit(double slope, double offset) {
        return make_uint2(__double2uint_rn(slope), __double2uint_rn(offset));
    }
    static __device__ __forceinline__ uint32_t slope_of(uint2 fit) { return fit.x; }
    static __device__ __forceinline__ uint32_t offset_of(uint2 fit) { return fit.y; }
};
template <Fits FITS> struct Numbers<float, FITS> {
    typedef double Value, Square, Sum, Real;
    typedef float2 Fit;
    static __device__ __forceinline__ double of(double v) { return v; }
    static __device__ __forceinline__ double inverse(double v) { return 1 / v; }
    static __device__ __forceinline__ double variance(uint32_t count, double squares, double values) {
        return count * squares - values * values;
    }
    static __device__ __forceinline__ float2 fit(double slope, double offset) {
        return make_float2((float)slope, (float)offset);
    }
    static __device__ __forceinline__ float slope_of(float2 fit) { return fit.x; }
    static __device__ __forceinline__ float offset_of(float2 fit) { return fit.y; }
};

typedef struct Ring {
    Plane in, out;
    PixelType out_type;
    Border border;
    int radius, rows;       /* rows of a block */
    double epsilon;         /* times the count of a window's pixels, squared */
    double slopes, offsets; /* the units of a slope and an offset */
    void *fits;             /* 2 radius + 1 rows for each block */
} Ring;

/* Prefix sums of values in columns, over a warp: `before` each of a thread's own, and in shared memory with it. Behind
 * them are the warps' totals. */
template <int C, int PIXELS, typename Sum>
static __device__ __forceinline__ void add_along(const Sum (&columns)[PIXELS * C], Sum *shared,
                                                 Sum (&before)[PIXELS * C]) {
    const int t = threadIdx.x, lane = t % 32;
#pragma unroll
    for (int c = 0; c < C; c++) {
        Sum own = 0;
#pragma unroll
        for (int p = 0; p < PIXELS; p++) {
            before[p * C + c] = own;
            own += columns[p * C + c];
        }
        Sum scan = own;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const Sum other = __shfl_up_sync(0xffffffffU, scan, step);
            if (lane >= step)
                scan += other;
        }
        if (lane == 31)
            shared[PIXELS * C * THREADS_MAX + t / 32 * C + c] = scan;
        scan -= own;
#pragma unroll
        for (int p = 0; p < PIXELS; p++) {
            before[p * C + c] += scan;
            shared[(p * C + c) * THREADS_MAX + t] = before[p * C + c] + columns[p * C + c];
        }
    }
}

/* The sums of `reach` + 1 pixels from a thread's pixel `p` on, once all have added. NEAR: they end in the next warp at
 * the latest. Sums of threads at the block's end, where windows leave it, are wrong. */
template <int C, int PIXELS, bool NEAR, typename Sum>
static __device__ __forceinline__ void sum_window(const Sum *shared, int reach, int p, const Sum (&before)[PIXELS * C],
                                                  Sum (&sums)[C]) {
    const int t = threadIdx.x, end = p + reach, at = min(t + end / PIXELS, (int)blockDim.x - 1);
    const Sum *from = shared + end % PIXELS * C * THREADS_MAX + at, *totals = shared + PIXELS * C * THREADS_MAX;
#pragma unroll
    for (int c = 0; c < C; c++)
        sums[c] = from[c * THREADS_MAX] - before[p * C + c];
    if constexpr (NEAR) {
#pragma unroll
        for (int c = 0; c < C; c++) {
            const Sum total = totals[t / 32 * C + c];
            if (at / 32 > t / 32)
                sums[c] += total;
        }
    } else {
#pragma unroll 1
        for (int warp = t / 32; warp < at / 32; warp++)
#pragma unroll
            for (int c = 0; c < C; c++)
                sums[c] += totals[warp * C + c];
    }
}

/* Out of line, since few threads need it and its divisions are long. */
static __device__ __noinline__ int outside_index(BorderMode mode, int i, int n) {
    return (int)border_index(mode, i, n);
}

/* The columns of a thread's pixels, -1 where the border's value stands. If all are `inside`, they follow one another,
 * and begin `turn` bits behind a word's beginning. */
template <int PIXELS> struct Columns {
    int at[PIXELS], turn;
    bool inside;

    __device__ __forceinline__ Columns(const Ring &r, int x, int pixel_bytes) {
        turn = (x * pixel_bytes & 3) * 8;
        inside = x >= 0 && x + 2 * PIXELS <= r.in.width;
#pragma unroll
        for (int p = 0; p < PIXELS; p++)
            at[p] = inside ? x + p : outside_index(r.border.mode, min(x + p, r.in.width + 2 * r.radius), r.in.width);
    }
};

/* A thread's pixels of a row. */
template <typename T, int C, int PIXELS> struct Pixels {
    enum { SIZE = sizeof(T), WORDS = PIXELS * C * SIZE / 4, PER_WORD = 4 / SIZE };
    uint32_t words[WORDS];

    __device__ __forceinline__ typename Numbers<T, FITS_ANY>::Value value(int i) const {
        if constexpr (SIZE == 4)
            return finite(i) ? (double)__uint_as_float(words[i]) : 0;
        else
            return words[i / PER_WORD] >> i % PER_WORD * 8 * SIZE & (SIZE == 1 ? 0xffU : 0xffffU);
    }
    __device__ __forceinline__ bool finite(int i) const {
        return SIZE < 4 || (words[i / PER_WORD] & 0x7f800000U) != 0x7f800000U;
    }
    /* The pixels of row y at `columns`. */
    __device__ __forceinline__ void read(const Ring &r, const Columns<PIXELS> &columns, int y) {
        const int sy = (unsigned)y < (unsigned)r.in.height ? y : outside_index(r.border.mode, y, r.in.height);
        const unsigned char *row = r.in.pixels + (size_t)max(sy, 0) * r.in.stride;
        if (columns.inside && sy >= 0) {
            const uint32_t *from = (const uint32_t *)(row + (columns.at[0] * C * SIZE & ~3));
#pragma unroll
            for (int w = 0; w < WORDS; w++)
                words[w] = __ldg(from + w);
            if (columns.turn > 0) {
                const uint32_t last = __ldg(from + WORDS);
#pragma unroll
                for (int w = 0; w < WORDS; w++)
                    words[w] = __funnelshift_r(words[w], w + 1 < WORDS ? words[w + 1] : last, columns.turn);
            }
            return;
        }
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            words[w] = 0;
#pragma unroll
            for (int i = w * PER_WORD; i < (w + 1) * PER_WORD; i++) {
                const int at = sy < 0 ? -1 : columns.at[i / C];
                const T value = at < 0 ? (T)r.border.value : __ldg((const T *)row + at * C + i % C);
                if constexpr (SIZE == 4)
                    words[w] = __float_as_uint(value);
                else
                    words[w] |= (uint32_t)value << i % PER_WORD * 8 * SIZE;
            }
        }
    }
};

template <typename T, int C, int PIXELS, typename Real>
static __device__ __forceinline__ void store(const Ring &r, int left, int y, const Real (&results)[PIXELS * C]) {
    typedef Pixels<T, C, PIXELS> P;
    if (P::SIZE < 4 && r.out_type != PIXEL_F32 && left + PIXELS <= r.out.width) {
        uint32_t *to = (uint32_t *)(row_to<T>(r.out, y) + left * C);
#pragma unroll
        for (int w = 0; w < P::WORDS; w++) {
            uint32_t word = 0;
#pragma unroll
            for (int i = 0; i < P::PER_WORD; i++)
                word |= (uint32_t)Stored<T>::from(results[w * P::PER_WORD + i]) << i * 8 * P::SIZE % 32;
            to[w] = word;
        }
    } else
#pragma unroll
        for (int i = 0; i < PIXELS * C; i++)
            if (left + i / C < r.out.width) {
                if (r.out_type == PIXEL_F32)
                    row_to<float>(r.out, y)[left * C + i] = (float)results[i];
                else
                    row_to<T>(r.out, y)[left * C + i] = Stored<T>::from(results[i]);
            }
}

/* A value that is not finite makes NaN of the block's results within twice the radius. */
template <int C>
static __device__ __noinline__ void spoil(const Ring &r, int left, int right, int top, int bottom, int x, int y,
                                          int c) {
    const int reach = 2 * r.radius;
    for (int j = max(top, y - reach); j < min(bottom, y + reach + 1); j++)
        for (int i = max(left, x - reach); i < min(right, x + reach + 1); i++)
            row_to<float>(r.out, j)[i * C + c] = __uint_as_float(0x7fc00000);
}

template <typename T, int C, Fits FITS>
__global__ void __launch_bounds__(THREADS_MAX, 2) guided_ring(const __grid_constant__ Ring r) {
    typedef Numbers<T, FITS> N;
    typedef typename N::Value Value;
    typedef typename N::Real Real;
    typedef typename N::Fit Fit;
    typedef typename N::Square Square;
    typedef typename N::Sum Sum;
    constexpr bool NEAR = FITS != FITS_ANY;
    enum { PIXELS = Own<T, C>::PIXELS, VALUES = PIXELS * C, EACH = VALUES + 1 /* in shared memory */ };
    enum { PER_PART = sizeof(uint4) / sizeof(Fit), PARTS = VALUES / PER_PART };
    extern __shared__ __align__(8) unsigned char shared[];
    const int threads = blockDim.x, t = threadIdx.x, reach = 2 * r.radius, side = reach + 1;
    Sum *slopes_along = (Sum *)shared, *offsets_along = slopes_along + EACH * THREADS_MAX;
    Square *squares_along = (Square *)(offsets_along + EACH * THREADS_MAX);
    Value *values_along = (Value *)(squares_along + EACH * THREADS_MAX);
    const int each = PIXELS * threads - 2 * reach, left = blockIdx.x * each + PIXELS * t; /* of its results */
    const int x = left - reach;
    const Columns<PIXELS> columns(r, x, C * (int)sizeof(T)), middle(r, left, C * (int)sizeof(T));
    const int top = blockIdx.y * r.rows, bottom = min(top + r.rows, r.out.height);
    const bool writes = PIXELS * (t + 1) <= each && left < r.out.width;
    const uint32_t count = side * side;
    const Real epsilon = (Real)r.epsilon, slopes = (Real)r.slopes, offsets = (Real)(r.epsilon * r.offsets / count);
    const Real by_slope = (Real)(1 / (r.slopes * count)), by_offset = (Real)(1 / (r.offsets * count));
    uint4 *ring = (uint4 *)r.fits + (size_t)(blockIdx.y * gridDim.x + blockIdx.x) * side * PARTS * threads + t;
    bool all_finite = true;
    Value values[VALUES] = {};
    Square squares[VALUES] = {};
    Sum slope[VALUES] = {}, offset[VALUES] = {};
    Pixels<T, C, PIXELS> comes;
    comes.read(r, columns, top - reach);
    for (int y = top - reach, slot = 0; y < bottom + reach; y++) {
#pragma unroll
        for (int i = 0; i < VALUES; i++) {
            const Value v = comes.value(i);
            all_finite &= comes.finite(i);
            values[i] += v;
            squares[i] += v * v;
        }
        if (y + 1 < bottom + reach)
            comes.read(r, columns, y + 1);
        if (y < top)
            continue;
        Pixels<T, C, PIXELS> goes;
        goes.read(r, columns, y - reach);
        {
            Value values_before[VALUES];
            Square squares_before[VALUES];
            add_along<C, PIXELS>(values, values_along, values_before);
            add_along<C, PIXELS>(squares, squares_along, squares_before);
            __syncthreads();
            uint4 part;
#pragma unroll
            for (int p = 0; p < PIXELS; p++) {
                Value value_sums[C];
                Square square_sums[C];
                sum_window<C, PIXELS, NEAR>(values_along, reach, p, values_before, value_sums);
                sum_window<C, PIXELS, NEAR>(squares_along, reach, p, squares_before, square_sums);
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const int i = p * C + c;
                    const Real variance = N::variance(count, square_sums[c], value_sums[c]);
                    const Real share = N::inverse(variance + epsilon);
                    const Fit fit = N::fit(variance * share * slopes, N::of(value_sums[c]) * share * offsets);
                    slope[i] += N::slope_of(fit);
                    offset[i] += N::offset_of(fit);
                    ((Fit *)&part)[i % PER_PART] = fit;
                    if (i % PER_PART == PER_PART - 1)
                        __stcg(ring + (slot * PARTS + i / PER_PART) * threads, part);
                    const Value v = goes.value(i);
                    values[i] -= v;
                    squares[i] -= v * v;
                }
            }
        }
        slot = slot + 1 < side ? slot + 1 : 0;
        if (y < top + reach) {
            __syncthreads();
            continue;
        }
        uint4 oldest[PARTS];
#pragma unroll
        for (int i = 0; i < PARTS; i++)
            oldest[i] = __ldcg(ring + (slot * PARTS + i) * threads);
        Sum slope_before[VALUES], offset_before[VALUES];
        Pixels<T, C, PIXELS> guide;
        guide.read(r, middle, y - reach);
        add_along<C, PIXELS>(slope, slopes_along, slope_before);
        add_along<C, PIXELS>(offset, offsets_along, offset_before);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < VALUES; i++) {
            const Fit leaves = ((const Fit *)&oldest[i / PER_PART])[i % PER_PART];
            slope[i] -= N::slope_of(leaves);
            offset[i] -= N::offset_of(leaves);
        }
        Real results[VALUES];
#pragma unroll
        for (int p = 0; p < PIXELS; p++) {
            Sum slope_sums[C], offset_sums[C];
            sum_window<C, PIXELS, NEAR>(slopes_along, reach, p, slope_before, slope_sums);
            sum_window<C, PIXELS, NEAR>(offsets_along, reach, p, offset_before, offset_sums);
#pragma unroll
            for (int c = 0; c < C; c++)
                results[p * C + c] =
                    N::of(slope_sums[c]) * by_slope * N::of(guide.value(p * C + c)) + N::of(offset_sums[c]) * by_offset;
        }
        if (writes)
            store<T, C, PIXELS>(r, left, y - reach, results);
    }
    if (sizeof(T) == 4 && __syncthreads_or(!all_finite))
        for (int y = top - reach; y < bottom + reach; y++) {
            comes.read(r, columns, y);
            for (int i = 0; i < VALUES; i++)
                if (!comes.finite(i))
                    spoil<C>(r, blockIdx.x * each, min(blockIdx.x * each + each, r.out.width), top, bottom, x + i / C,
                             y, i % C);
        }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const float outside = guided_job(stage)->border.value;
    *why_not = "it has no guide but the picture";
    if (guided_job(stage)->joint)
        return false;
    *why_not = "its sums are of whole numbers, and the border's value is none";
    return stage->in[0].shape.type == PIXEL_F32 ||
           (outside == rintf(outside) && outside >= 0 && outside <= (float)pixel_type_white(stage->in[0].shape.type));
}

/* A block's threads and rows, and the blocks across and down. */
typedef struct Cut {
    const void *kernel;
    int threads, rows;
    unsigned across, down;
    size_t shared, ring; /* bytes of a block */
} Cut;

#define RINGS(T, FITS)                                                                                                 \
    {                                                                                                                  \
        (const void *)guided_ring<T, 1, FITS>, (const void *)guided_ring<T, 2, FITS>,                                  \
            (const void *)guided_ring<T, 3, FITS>, (const void *)guided_ring<T, 4, FITS>                               \
    }

static Fits fits_of(const Stage *stage) {
    const int side = 2 * guided_job(stage)->radius + 1, count = side * side;
    if (stage->in[0].shape.type != PIXEL_U8 || count > PIXELS_MAX)
        return FITS_ANY;
    return stage->out.shape.type == PIXEL_U8 && count >= FITS_MIN ? FITS_SHORT : FITS_SMALL;
}

static Cut cut_of(const Device *device, const Stage *stage) {
    enum { CHANNELS = 4, THREADS_AT_ONCE = 512 /* on a multiprocessor */ };
    static const void *const kernels[PIXEL_TYPES][CHANNELS] = {RINGS(uint8_t, FITS_ANY), RINGS(uint16_t, FITS_ANY),
                                                               RINGS(float, FITS_ANY)};
    static const void *const of_bytes[][CHANNELS] = {RINGS(uint8_t, FITS_SMALL), RINGS(uint8_t, FITS_SHORT)};
    static const size_t sums[PIXEL_TYPES] = {4 + 4 + 4 + 4, 8 + 8 + 8 + 4, 8 + 8 + 8 + 8}; /* bytes */
    const Shape shape = stage->out.shape;
    const PixelType type = stage->in[0].shape.type;
    const int pixels = shape.channels * (int)pixel_type_size(type) < 4 ? 4 : 2; /* as Own says */
    const int beyond = 4 * guided_job(stage)->radius, width = (int)shape.width;
    const Fits fits = fits_of(stage);
    const void *const kernel = (fits == FITS_ANY ? kernels[type] : of_bytes[fits - FITS_SMALL])[shape.channels - 1];
    Cut cut = {kernel, THREADS_MAX, 0, 0, 0, 0, 0};
    int idle = INT_MAX;
    for (int threads = THREADS_MIN; threads <= THREADS_MAX; threads += 32) {
        const int each = pixels * threads - beyond, blocks = each > 0 ? (width + each - 1) / each : 0;
        if (blocks > 0 && blocks * threads <= idle) {
            idle = blocks * threads;
            cut.threads = threads;
        }
    }
    cut.across = blocks_for(width, pixels * cut.threads - beyond);
    const int room = THREADS_AT_ONCE / cut.threads * gpu_of((Device *)device)->limits.multiProcessorCount;
    const int down = room / (int)cut.across;
    cut.rows = down > 0 ? ((int)shape.height + down - 1) / down : (int)shape.height;
    cut.rows = cut.rows > beyond / 2 ? cut.rows : beyond / 2;
    cut.down = blocks_for((int)shape.height, cut.rows);
    const size_t each = (size_t)pixels * (size_t)shape.channels, threads = (size_t)cut.threads;
    cut.shared = (each + 1) * THREADS_MAX * sums[type];
    cut.ring = each * threads * (fits == FITS_SHORT ? sizeof(uint32_t) : sizeof(uint2)) *
               (2 * (size_t)guided_job(stage)->radius + 1);
    return cut;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const Cut cut = cut_of(device, stage);
    return cut.ring * cut.across * cut.down;
}

static Status run(Queue *queue, const Stage *stage) {
    const GuidedJob *job = guided_job(stage);
    const Cut cut = cut_of(queue->device, stage);
    const double count = (2.0 * job->radius + 1) * (2 * job->radius + 1);
    /* Sums of u8 stay below 2^32, and so do the fits of u16. */
    const Fits fits = fits_of(stage);
    const double below = fits == FITS_SHORT ? 65535 : fits == FITS_SMALL ? 8388607 : exp2(floor(32 - log2(count)));
    const double slopes[PIXEL_TYPES] = {below, 4294967295.0, 1}, offsets[PIXEL_TYPES] = {below / 256, 65536, 1};
    const PixelType type = stage->in[0].shape.type;
    Ring r = {
        plane_of(stage->in[0]),       plane_of(stage->out), stage->out.shape.type, job->border, job->radius, cut.rows,
        job->epsilon * count * count, slopes[type],         offsets[type],         NULL};
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
    r.fits = memory;
    const Launch launch = {dim3(cut.across, cut.down), dim3((unsigned)cut.threads), cut.shared};
    void *arguments[] = {&r};
    return gpu_launch(queue, "guided ring", cut.kernel, launch, arguments);
}

extern "C" const Level cuda_guided_ring = {
    .op = &op_guided,
    .name = "ring",
    .idea =
        "one kernel: sums of whole numbers run down, fits go into theirs at once and wait in a ring until they leave",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &guided_measured,
    .run = run,
};
