/* tensor.cu: pictures of bytes made smaller by 2 or 4, along the rows on the tensor cores. Eight results of sixteen
 * rows are a product of these rows, as they lie in memory, with a band of weights. The band is the same all over the
 * picture. Channels take turns in a row; the band has 0 for those of others. Each of a weight's three bytes makes a
 * product of its own. Rows come to shared memory while the ones before are weighed. Results along the rows, of which
 * there are fewer, become f32. A thread goes down one column of them, and adds each to the sums of all results under
 * way, in registers. */
#include "gpu/copy.cuh"
#include "gpu/resample/whole.cuh"

enum {
    SIDE = 8,   /* results of a product's row */
    PHASES = 3, /* products after which the bands repeat, whatever the channels: 24 values are whole pixels */
    UNIT = PHASES * SIDE,
    TILES = 4, /* products of a warp, all of one phase */
    WARPS = 6,
    THREADS = 32 * WARPS,
    VALUES = WARPS * TILES * SIDE, /* of a block's result, in a row */
    ROWS = 16,
    ROWS_MAX = 448, /* of a block's result: a second turn evens out what multiprocessors have to do */
    PLANES = 3,     /* bytes of a weight */
    EXPONENT = 23,
    STEP = 32, /* bytes of a row in a product */
    STEPS_MAX = 4,
    STAGES = 2,
    PITCH = VALUES + SIDE /* of results along the rows, so that rows lie in different banks */
};

typedef struct Job {
    Weights<float> weights; /* down the rows; they undo the scale of the bands, too */
    int rows;               /* of a block */
} Job;

/* A window's geometry. Bytes count from the strip's line in shared memory. */
typedef struct Geometry {
    int channels, scale, active;
    constexpr __host__ __device__ int first() const { return -(active - 1) * scale / 2; }
    constexpr __host__ __device__ int before() const { return (-first() * channels + 15) / 16 * 16; }
    /* Where result `value` of a line begins. */
    constexpr __host__ __device__ int window(int value) const {
        return (value / channels * scale + first()) * channels + value % channels + before();
    }
    /* Where the product of a phase begins, and its steps. */
    constexpr __host__ __device__ int begin(int phase) const { return window(SIDE * phase) / 4 * 4; }
    constexpr __host__ __device__ int steps_of(int phase) const {
        const int value = SIDE * phase + SIDE - 1;
        return (window(value) + (scale * active - 1) * channels + 1 - begin(phase) + STEP - 1) / STEP;
    }
    constexpr __host__ __device__ int steps() const {
        const int a = steps_of(0), b = steps_of(1), c = steps_of(2), d = a > b ? a : b;
        return c > d ? c : d;
    }
    /* Bytes of a line, and from one to the next: sixteen of each of eight lie in different banks. */
    constexpr __host__ __device__ int line() const {
        return ((VALUES - UNIT) * scale + begin(PHASES - 1) + steps() * STEP + 15) / 16 * 16;
    }
    constexpr __host__ __device__ int pitch() const { return (line() - 16 + 127) / 128 * 128 + 16; }
} Geometry;

/* sums += a * b, 16 x 32 times 32 x 8; the weights' upper bytes have a sign. */
template <bool IS_SIGNED>
static __device__ __forceinline__ void multiply(int (&sums)[4], const uint32_t (&a)[4], uint2 band) {
#if __CUDA_ARCH__ >= 800
    if (IS_SIGNED)
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(band.x), "r"(band.y));
    else
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(band.x), "r"(band.y));
#endif
}

/* A block's lines on their way to shared memory. A lane brings the same columns of each of its warp's rows. */
template <int LINE, int LINE_PITCH> struct Lines {
    enum { CHUNKS = (LINE / 16 + 31) / 32, TURNS = (ROWS + WARPS - 1) / WARPS };
    const unsigned char *from;  /* the warp's next row */
    int line, first, row_bytes; /* the lane's first byte */

    __device__ __forceinline__ Lines(const Plane &in, int left, int top, int row_bytes)
        : line(top + (int)threadIdx.x / 32), first(left + (int)threadIdx.x % 32 * 16), row_bytes(row_bytes) {
        from = in.pixels + (ptrdiff_t)line * (ptrdiff_t)in.stride + first;
    }
    /* Sets out to bring the next ROWS rows; 0 where there is no picture. */
    __device__ __forceinline__ void bring(const Plane &in, unsigned char *to) {
        to += (int)threadIdx.x / 32 * LINE_PITCH + (int)threadIdx.x % 32 * 16;
#pragma unroll
        for (int turn = 0; turn < TURNS; turn++) {
            if ((turn + 1) * WARPS > ROWS && (int)threadIdx.x / 32 + turn * WARPS >= ROWS)
                break;
            const bool there = (unsigned)(line + turn * WARPS) < (unsigned)in.height;
            const unsigned char *row = from + turn * WARPS * in.stride;
#pragma unroll
            for (int i = 0; i < CHUNKS; i++) {
                unsigned char *chunk = to + turn * WARPS * LINE_PITCH + 512 * i;
                if ((i + 1) * 512 > LINE && (int)threadIdx.x % 32 * 16 + i * 512 >= LINE)
                    break;
                const int byte = first + 512 * i;
                if (there && byte >= 0 && byte + 16 <= row_bytes)
                    copy_async<16>(shared_address(chunk), row + 512 * i);
                else if (there && byte >= 0 && byte < row_bytes)
                    copy_async<16>(shared_address(chunk), row + 512 * i, row_bytes - byte);
                else
                    *(uint4 *)chunk = make_uint4(0, 0, 0, 0);
            }
        }
        copies_end();
        line += ROWS;
        from += ROWS * in.stride;
    }
};

template <int C, int SCALE, int ACTIVE>
__global__ void __launch_bounds__(THREADS, 4)
    resample_tensor(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ Job job, const uint2 *__restrict__ bands) {
    constexpr Geometry G = {C, SCALE, ACTIVE};
    constexpr int STEPS = G.steps(), LINE_PITCH = G.pitch(), GROUPS = ROWS / SCALE;
    __shared__ __align__(16) unsigned char lines[STAGES][ROWS * LINE_PITCH];
    __shared__ __align__(16) float weighed[ROWS][PITCH];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, phase = warp % PHASES;
    const int top = blockIdx.y * job.rows, rows = min(job.rows, out.height - top), left = blockIdx.x * VALUES;
    const int tiles = (rows + ACTIVE - 1 + GROUPS - 1) / GROUPS;
    Lines<G.line(), LINE_PITCH> next(in, left * SCALE - G.before(), top * SCALE + G.first(), in.width * C);
    next.bring(in, lines[0]);
    uint2 band[STEPS][PLANES];
#pragma unroll
    for (int s = 0; s < STEPS; s++)
#pragma unroll
        for (int plane = 0; plane < PLANES; plane++)
            band[s][plane] = bands[((phase * STEPS + s) * PLANES + plane) * 32 + lane];
    const int begin = phase == 0 ? G.begin(0) : phase == 1 ? G.begin(1) : G.begin(2);
    const int at = lane / 4 * LINE_PITCH + begin + warp / PHASES * UNIT * SCALE + lane % 4 * 4;
    float *const put = &weighed[lane / 4][(warp / PHASES * PHASES + phase) * SIDE + lane % 4 * 2];
    const int value = left + (int)threadIdx.x;
    const bool is_cut_down = top < CUT_MAX || top + rows > out.height - CUT_MAX, is_there = value < out.width * C;
    const float across = cut_factor(job.weights, value / C, out.width) / 255;
    float sums[ACTIVE] = {};
    int y = 1 - ACTIVE; /* of the block's rows, the one that is done next */
    unsigned char *to = out.pixels + (ptrdiff_t)(top + y) * (ptrdiff_t)out.stride + value;
    for (int tile = 0; tile < tiles; tile++) {
        copies_wait<0>();
        __syncthreads();
        if (tile + 1 < tiles)
            next.bring(in, lines[(tile + 1) % STAGES]);
        const unsigned char *bytes = lines[tile % STAGES] + at;
#pragma unroll
        for (int i = 0; i < TILES; i++) {
            int parts[PLANES][4] = {};
#pragma unroll
            for (int s = 0; s < STEPS; s++) {
                const unsigned char *first = bytes + i * (WARPS / PHASES) * UNIT * SCALE + s * STEP;
                const uint32_t words[4] = {*(const uint32_t *)first, *(const uint32_t *)(first + 8 * LINE_PITCH),
                                           *(const uint32_t *)(first + 16),
                                           *(const uint32_t *)(first + 8 * LINE_PITCH + 16)};
                multiply<true>(parts[0], words, band[s][0]);
                multiply<false>(parts[1], words, band[s][1]);
                multiply<false>(parts[2], words, band[s][2]);
            }
            float results[4];
#pragma unroll
            for (int k = 0; k < 4; k++)
                results[k] = (float)(parts[0][k] * 256 + parts[1][k] + (parts[2][k] >> 8));
            float *results_to = put + i * (WARPS / PHASES) * UNIT;
            *(float2 *)results_to = make_float2(results[0], results[1]);
            *(float2 *)(results_to + 8 * PITCH) = make_float2(results[2], results[3]);
        }
        __syncthreads();
#pragma unroll
        for (int group = 0; group < GROUPS; group++, y++, to += out.stride) {
            float values[SCALE];
#pragma unroll
            for (int s = 0; s < SCALE; s++)
                values[s] = weighed[group * SCALE + s][threadIdx.x];
#pragma unroll
            for (int age = ACTIVE - 1; age >= 0; age--) {
                float sum = age == 0 ? 0 : sums[age - 1];
#pragma unroll
                for (int s = 0; s < SCALE; s++)
                    sum += job.weights.at[age * SCALE + s] * values[s];
                sums[age] = sum;
            }
            float by = across;
            if (is_cut_down)
                by *= cut_factor(job.weights, top + y, out.height);
            /* A result by 255, which is clamped on the way; 2^23 and it have it rounded in the lowest bits. */
            if (is_there && (unsigned)y < (unsigned)rows)
                *to = (uint8_t)__float_as_uint(
                    fmaf(__saturatef(fmaf(sums[ACTIVE - 1], by, (float)TIE_BIAS / 255)), 255, 8388608.0f));
        }
    }
}

typedef struct Kept {
    Key key;
    Weights<float> weights;
    GpuScratch memory; /* the bands */
} Kept;

static bool same(const void *entry, const void *from) {
    const Key *a = &((const Kept *)entry)->key, *b = (const Key *)from;
    return a->kernel == b->kernel && a->scale == b->scale && a->channels == b->channels;
}

static void drop(Device *device, void *entry) {
    gpu_free(device, &((Kept *)entry)->memory);
}

/* The weight of a line's byte in result `value`. */
static float weight_at(const Geometry &geometry, const Weights<float> &weights, int value, int byte) {
    const int distance = byte - geometry.window(value), tap = distance / geometry.channels;
    const bool is_in = distance >= 0 && distance % geometry.channels == 0 && tap < geometry.active * geometry.scale;
    return is_in ? weights.at[tap] : 0;
}

/* Word `half` of a lane: of four bytes of a row, as lanes read them. */
static uint32_t band_word(const Geometry &geometry, const Weights<float> &weights, int phase, int step, int plane,
                          int lane, int half) {
    uint32_t word = 0;
    for (int i = 0; i < 4; i++) {
        const int byte = geometry.begin(phase) + step * STEP + half * 16 + lane % 4 * 4 + i;
        const float weight = weight_at(geometry, weights, SIDE * phase + lane / 4, byte);
        const uint32_t whole = (uint32_t)(int32_t)lrintf(ldexpf(weight, EXPONENT));
        word |= (whole >> 8 * (PLANES - 1 - plane) & 255) << 8 * i;
    }
    return word;
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Key *key = (const Key *)from;
    Kept *kept = (Kept *)entry;
    const Geometry geometry = {key->channels, key->scale, key->kernel == RESAMPLE_LANCZOS ? 6 : 4};
    uint32_t words[PHASES * STEPS_MAX * PLANES * 32 * 2];
    size_t count = 0;
    void *memory;
    TRY(weights_of(key, &kept->weights));
    for (int phase = 0; phase < PHASES; phase++)
        for (int step = 0; step < geometry.steps(); step++)
            for (int plane = 0; plane < PLANES; plane++)
                for (int i = 0; i < 64; i++)
                    words[count++] = band_word(geometry, kept->weights, phase, step, plane, i / 2, i % 2);
    for (int i = 0; i < SCALE_MAX * ACTIVE_MAX; i++)
        kept->weights.at[i] = ldexpf(kept->weights.at[i], 8 - EXPONENT);
    kept->key = *key;
    TRY(gpu_scratch(queue, &kept->memory, count * sizeof words[0], &memory));
    return gpu_put(queue, memory, words, count * sizeof words[0]);
}

static const CacheKind kind = {sizeof(Kept), 8, make, same, drop, false};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "this GPU's tensor cores do not multiply bytes; they do from compute capability 8.0 on";
    if (((const GpuDevice *)device)->limits.major < 8)
        return false;
    *why_not = "it multiplies bytes";
    return stage->in[0].shape.type == PIXEL_U8 && accepts_whole(stage, why_not);
}

#define BY_ACTIVE(C, SCALE)                                                                                            \
    { (const void *)resample_tensor<C, SCALE, 4>, (const void *)resample_tensor<C, SCALE, 6> }
#define BY_SCALE(C)                                                                                                    \
    { BY_ACTIVE(C, 2), BY_ACTIVE(C, 4) }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[4][2][2] = {BY_SCALE(1), BY_SCALE(2), BY_SCALE(3), BY_SCALE(4)};
    const ResampleJob *resample = resample_job(stage);
    const int channels = stage->out.shape.channels, active = active_of(resample);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    const Key key = {resample->kernel, in.width / out.width, channels};
    void *kept;
    Job job;
    TRY(cache_get(queue, &kind, 0, &key, &kept));
    job.weights = ((const Kept *)kept)->weights;
    const void *kernel = kernels[channels - 1][key.scale == 4][active == 6], *bands = ((Kept *)kept)->memory.memory;
    const unsigned across = blocks_for(out.width * channels, VALUES);
    TRY(rows_at_once(queue, kernel, THREADS, 0, across, out.height, ROWS / key.scale, &job.rows));
    job.rows = job.rows < ROWS_MAX ? job.rows : ROWS_MAX;
    const Launch launch = {dim3(across, blocks_for(out.height, job.rows)), dim3(THREADS), 0};
    void *arguments[] = {&in, &out, &job, &bands};
    return gpu_launch(queue, "resample tensor", kernel, launch, arguments);
}

extern "C" const Level cuda_resample_tensor = {
    .op = &op_resample,
    .name = "tensor",
    .idea = "bytes by 2 or 4: along the rows first, as products of whole numbers with a band of weights on the tensor "
            "cores; then down, sums in registers",
    .accepts = accepts,
    .predictor = &resample_measured,
    .run = run,
};
