/* march.cu: pictures made smaller by 2 or 4. Each result has the same weights then, which instructions take from
 * constant memory. A thread goes down four values of the rows and reads each once. It adds them to the sums, in
 * registers, of all results whose windows they are in. Rows that are done go through shared memory, pixels apart by
 * their place in a result. Threads weigh them along themselves there, and read neighbours. WEIGHED: bytes of four
 * channels, whose colours count by their alpha. A thread's four values are a pixel then; sums are as for f32. */
#include "gpu/point/weighed.cuh"
#include "gpu/resample/whole.cuh"

enum { THREADS = 256, VALUES = 768 };

/* Sums of type Acc. */
template <typename Acc> struct March {
    Weights<Acc> weights;
    int rows; /* of a block */
};

template <typename In> struct Quad;
template <> struct Quad<uint8_t> { typedef uint32_t Type; };
template <> struct Quad<uint16_t> { typedef uint2 Type; };
template <> struct Quad<float> { typedef float4 Type; };

template <bool WEIGHED>
static __device__ __forceinline__ void values_of(uint32_t all, float (&values)[4]) { /* 2^23 + a byte, by its place */
#pragma unroll
    for (int i = 0; i < 4; i++)
        values[i] = __uint_as_float(__byte_perm(all, 0x4B000000U + threadIdx.z, 0x7440 + i)) - 8388608.0f;
#pragma unroll
    for (int i = 0; i < 3 && WEIGHED; i++)
        values[i] = by_white(values[i] * values[3]);
}
template <bool WEIGHED> static __device__ __forceinline__ void values_of(float4 all, float (&values)[4]) {
    values[0] = all.x, values[1] = all.y, values[2] = all.z, values[3] = all.w;
}

template <bool WEIGHED>
static __device__ __forceinline__ void values_of(uint2 all, double (&values)[4]) { /* 2^52 + a value, by its place */
    const uint32_t each[4] = {all.x & 0xFFFF, all.x >> 16, all.y & 0xFFFF, all.y >> 16};
#pragma unroll
    for (int i = 0; i < 4; i++)
        values[i] = __hiloint2double(0x43300000, (int)each[i]) - 4503599627370496.0;
}

/* SCALE rows from `line` on; 0 where there is no picture. */
template <typename In, int SCALE>
static __device__ __forceinline__ void fetch(const Plane &in, const In *from, bool reads, int line,
                                             typename Quad<In>::Type (&rows)[SCALE]) {
    typedef typename Quad<In>::Type Row;
#pragma unroll
    for (int s = 0; s < SCALE; s++)
        rows[s] = reads && (unsigned)(line + s) < (unsigned)in.height
                      ? *(const Row *)((const unsigned char *)from + (ptrdiff_t)(line + s) * (ptrdiff_t)in.stride)
                      : Row{};
}

/* A window that is cut goes on into the picture with weights of 0, where NaN and infinity count, too: from `line` to
 * `end`. */
static __device__ __noinline__ void spoil(const Plane &in, const float *from, int line, int end, float (&nothing)[4]) {
    for (; line < end; line++) {
        float values[4];
        values_of<false>(*(const float4 *)((const unsigned char *)from + (size_t)line * in.stride), values);
#pragma unroll
        for (int i = 0; i < 4; i++)
            nothing[i] += 0 * values[i];
    }
}

/* Where a window from `first` on goes on beyond its own pixels, and ends: before them where it is cut at the end. */
static __device__ __forceinline__ int2 goes_on(int first, int taps, int n) {
    return first < 0 ? make_int2(first + taps, taps) : make_int2(n - taps, first);
}

/* A strip of ACROSS pixels: ACTIVE results at once have a value in their windows. */
template <int C, int SCALE, int ACTIVE> struct Strip {
    enum {
        ACROSS = VALUES / (C * SCALE),
        WIDTH = (ACROSS + ACTIVE - 1) * C, /* values at one place in a result */
        PLACE = C == 3   ? (WIDTH + 31) / 32 * 32
                : C == 4 ? (WIDTH + 30) / 32 * 32 + 1
                         : WIDTH, /* so that writes of neighbours go to different banks */
        ROW = SCALE * PLACE,
        FIRST = -(ACTIVE - 1) * SCALE / 2 /* the first pixel of a result's window less SCALE times the result */
    };
};

/* A result in shared memory. */
template <typename In, bool WEIGHED> struct Made { typedef In Type; };
template <> struct Made<uint8_t, true> { typedef float Type; };

/* A block's part of a strip. CUT: with results whose windows the edge cuts. */
template <typename In, int C, int SCALE, int ACTIVE, bool CUT, bool WEIGHED>
static __device__ __forceinline__ void march(const Plane &in, const Plane &out,
                                             const March<typename Accumulator<In>::Type> &job,
                                             typename Accumulator<In>::Type (*weighed)[Strip<C, SCALE, ACTIVE>::ROW],
                                             typename Made<In, WEIGHED>::Type (*results)[VALUES / SCALE]) {
    typedef typename Made<In, WEIGHED>::Type Result;
    typedef typename Accumulator<In>::Type Acc;
    typedef Strip<C, SCALE, ACTIVE> S;
    enum { IS_FLOAT = sizeof(In) == 4, TAPS = ACTIVE * SCALE };
    enum { AHEAD = IS_FLOAT ? 1 : 2 }; /* rounds of SCALE rows that are on their way */
    const int top = blockIdx.y * job.rows, bottom = min(top + job.rows, out.height);
    /* The last strip of f32 has all that windows need which are moved into the picture. */
    const int last = IS_FLOAT ? max(out.width - S::ACROSS, 0) : out.width,
              left = min((int)blockIdx.x * S::ACROSS, last);
    const int begin = (left * SCALE + S::FIRST) * C, shift = begin & 3, value = begin - shift + 4 * (int)threadIdx.x;
    const bool reads = value >= 0 && value < in.width * C;
    for (int i = threadIdx.x; i < ACTIVE * S::ROW; i += THREADS)
        (&weighed[0][0])[i] = 0; /* behind the right edge it stays so */
    int to[4];                   /* in `weighed` */
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int at = 4 * (int)threadIdx.x + i - shift, place = at / C % SCALE;
        to[i] = at < 0 || at >= S::WIDTH * SCALE || value + i >= in.width * C
                    ? -1
                    : place * S::PLACE + at / (C * SCALE) * C + at % C;
    }
    const int columns = min(S::ACROSS, out.width - left) * C;
    Acc sums[ACTIVE][4] = {};
    const In *from = (const In *)in.pixels + value;
    int line = (top - 1) * SCALE + S::FIRST;
    typename Quad<In>::Type next[AHEAD][SCALE];
#pragma unroll
    for (int i = 0; i < AHEAD; i++, line += SCALE)
        fetch<In, SCALE>(in, from, reads, line, next[i]);
    __syncthreads();
    /* The first round completes no result. */
    for (int done = top - ACTIVE; done < bottom; done += ACTIVE) {
#pragma unroll
        for (int step = 0; step < ACTIVE; step++) {
            Acc values[SCALE][4];
#pragma unroll
            for (int s = 0; s < SCALE; s++)
                values_of<WEIGHED>(next[step % AHEAD][s], values[s]);
            fetch<In, SCALE>(in, from, reads, line, next[step % AHEAD]);
            line += SCALE;
#pragma unroll
            for (int age = 0; age < ACTIVE; age++) {
                Acc(&sum)[4] = sums[(step - age + ACTIVE) % ACTIVE];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    Acc by = age == 0 ? 0 : sum[i];
#pragma unroll
                    for (int s = 0; s < SCALE; s++)
                        by += job.weights.at[age * SCALE + s] * values[s][i];
                    sum[i] = by;
                }
            }
            const int y = done + step;
            const Acc by = cut_factor(job.weights, y, out.height);
            float nothing[4] = {};
            if constexpr (IS_FLOAT && CUT)
                if (reads && y >= 0 && y < out.height && is_cut(y, out.height)) {
                    const int2 beyond = goes_on(y * SCALE + S::FIRST, TAPS, in.height);
                    spoil(in, from, beyond.x, beyond.y, nothing);
                }
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (to[i] >= 0)
                    weighed[step][to[i]] = sums[(step + 1) % ACTIVE][i] * by + nothing[i];
        }
        if (done < top)
            continue;
        __syncthreads();
        for (int i = threadIdx.x; i < ACTIVE * VALUES / SCALE; i += THREADS) {
            const int row = i / (VALUES / SCALE), at = i % (VALUES / SCALE);
            Acc sum = 0;
#pragma unroll
            for (int k = 0; k < TAPS; k++)
                sum += job.weights.at[k] * weighed[row][k % SCALE * S::PLACE + k / SCALE * C + at];
            const int x = left + at / C;
            sum *= cut_factor(job.weights, x, out.width);
            if constexpr (IS_FLOAT)
                if (x < out.width && is_cut(x, out.width)) {
                    const int2 beyond = goes_on(x * SCALE + S::FIRST, TAPS, in.width);
                    const int origin = left * SCALE + S::FIRST;
                    for (int k = beyond.x - origin; k < beyond.y - origin; k++)
                        sum += 0 * weighed[row][k % SCALE * S::PLACE + k / SCALE * C + at % C];
                }
            results[row][at] = stored<Result>(sum + (sizeof(Result) < sizeof(float) ? (Acc)TIE_BIAS : 0));
        }
        __syncthreads();
        if constexpr (WEIGHED) {
            for (int i = threadIdx.x; i < ACTIVE * S::ACROSS; i += THREADS) {
                const int row = i / S::ACROSS, at = i % S::ACROSS;
                if (done + row < bottom && 4 * at < columns)
                    row_to<uint32_t>(out, done + row)[left + at] =
                        bytes_by_alpha(*(float(*)[4]) & results[row][4 * at]);
            }
            continue;
        }
        constexpr int WORDS = VALUES / SCALE * (int)sizeof(In) / 4, IN_WORD = 4 / (int)sizeof(In);
        const int words = columns * (int)sizeof(In) / 4;
        for (int i = threadIdx.x; i < ACTIVE * WORDS; i += THREADS) {
            const int row = i / WORDS, at = i % WORDS;
            if (done + row >= bottom)
                break;
            if (at < words)
                ((uint32_t *)(row_to<In>(out, done + row) + left * C))[at] = ((const uint32_t *)results[row])[at];
            if (IN_WORD > 1 && at < columns % IN_WORD)
                (row_to<In>(out, done + row) + left * C)[IN_WORD * words + at] = results[row][IN_WORD * words + at];
        }
    }
}

template <typename In, int C, int SCALE, int ACTIVE, bool WEIGHED>
__global__ void __launch_bounds__(THREADS, sizeof(In) == 2 ? 2 : 3)
    resample_march(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                   const __grid_constant__ March<typename Accumulator<In>::Type> job) {
    __shared__ typename Accumulator<In>::Type weighed[ACTIVE][Strip<C, SCALE, ACTIVE>::ROW];
    __shared__ __align__(16) typename Made<In, WEIGHED>::Type results[ACTIVE][VALUES / SCALE];
    const int top = blockIdx.y * job.rows, bottom = top + job.rows;
    if (sizeof(In) == 4 && (top < CUT_MAX || bottom > out.height - CUT_MAX))
        march<In, C, SCALE, ACTIVE, true, WEIGHED>(in, out, job, weighed, results);
    else
        march<In, C, SCALE, ACTIVE, false, WEIGHED>(in, out, job, weighed, results);
}

typedef struct Kept {
    Key key;
    Weights<double> weights;
} Kept;

static bool same(const void *entry, const void *from) {
    const Key *a = &((const Kept *)entry)->key, *b = (const Key *)from;
    return a->kernel == b->kernel && a->scale == b->scale;
}

static void drop(Device *device, void *entry) {
    (void)device;
    (void)entry;
}

static Status make(Queue *queue, const void *from, void *entry) {
    Kept *kept = (Kept *)entry;
    (void)queue;
    kept->key = *(const Key *)from;
    return weights_of(&kept->key, &kept->weights);
}

static const CacheKind kind = {sizeof(Kept), 8, make, same, drop, false};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Shape in = stage->in[0].shape;
    (void)device;
    if (!accepts_whole(stage, why_not))
        return false;
    *why_not = "it takes one, three or four channels";
    return in.channels != 2;
}

/* No longer than without: frames of f32 are not read and written. */
static double points_ms(const Stage *stage) {
    return gpu_points_weigh(stage) && stage->out.shape.channels == 4 ? 0 : -1;
}

#define BY_ACTIVE(In, C, SCALE, WEIGHED)                                                                               \
    { (const void *)resample_march<In, C, SCALE, 4, WEIGHED>, (const void *)resample_march<In, C, SCALE, 6, WEIGHED> }
#define BY_SCALE(In, C, WEIGHED)                                                                                       \
    { BY_ACTIVE(In, C, 2, WEIGHED), BY_ACTIVE(In, C, 4, WEIGHED) }
#define BY_TYPE(In)                                                                                                    \
    { BY_SCALE(In, 1, false), BY_SCALE(In, 3, false), BY_SCALE(In, 4, false) }

/* The kernel's argument: weights as its sums have them. */
template <typename Acc> static March<Acc> march_of(const Weights<double> &weights, int rows) {
    March<Acc> march;
    for (int i = 0; i < SCALE_MAX * ACTIVE_MAX; i++)
        march.weights.at[i] = (Acc)weights.at[i];
    for (int i = 0; i < CUT_MAX; i++)
        march.weights.cut[i] = (Acc)weights.cut[i];
    march.rows = rows;
    return march;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][3][2][2] = {BY_TYPE(uint8_t), BY_TYPE(uint16_t), BY_TYPE(float)};
    static const void *const weighed[2][2] = BY_SCALE(uint8_t, 4, true);
    const ResampleJob *job = resample_job(stage);
    const Shape shape = stage->out.shape;
    const int active = active_of(job), channels = shape.channels == 1 ? 0 : shape.channels - 2;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    const Key key = {job->kernel, in.width / out.width, shape.channels};
    void *kept;
    int rows = 0;
    TRY(cache_get(queue, &kind, 0, &key, &kept));
    const Weights<double> &weights = ((const Kept *)kept)->weights;
    const void *const(*of_scales)[2] = stage->points ? weighed : kernels[shape.type][channels];
    const void *kernel = of_scales[key.scale == 4][active == 6];
    const unsigned across = blocks_for(out.width, VALUES / (shape.channels * key.scale));
    TRY(rows_at_once(queue, kernel, THREADS, 0, across, out.height, active, &rows));
    const Launch launch = {dim3(across, blocks_for(out.height, rows)), dim3(THREADS), 0};
    March<float> of_floats = march_of<float>(weights, rows);
    March<double> of_doubles = march_of<double>(weights, rows);
    void *marching = shape.type == PIXEL_U16 ? (void *)&of_doubles : (void *)&of_floats;
    void *arguments[] = {&in, &out, marching};
    return gpu_launch(queue, "resample march", kernel, launch, arguments);
}

extern "C" const Level cuda_resample_march = {
    .op = &op_resample,
    .name = "march",
    .idea =
        "down the rows with the sums of all results under way in registers: each value is read once; then along the "
        "rows in shared memory",
    .accepts = accepts,
    .predictor = &resample_measured,
    .points_ms = points_ms,
    .run = run,
};
