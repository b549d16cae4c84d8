/* products.cu: pictures of u8 and u16 at any size, both passes on the tensor cores in whole numbers. Sixteen
 * neighbouring values of a row are a product of a band of weights with the row's bytes, as they lie in memory. The band
 * has 0 for the bytes of other channels and pixels. Weights have two to four digits to base 256, and each makes a
 * product. The results of 32 rows lie in a lane as the next product wants them. Their three or four digits, too, become
 * bytes, which no other lane needs. Eight results of a column are products of these with digits of weights down the
 * columns. Pairs of digits whose product counts for less than a ten thousandth are left out. */
#include "gpu/copy.cuh"
#include "gpu/order.cuh"

extern "C" {
#include "gpu/resample/bands.h"
#include "gpu/resample/measured.h"
}

enum {
    WARPS = 4, /* few, so that the blocks of a multiprocessor do different things at a time */
    THREADS = 32 * WARPS,
    ROWS_EACH = BAND_ROWS / WARPS,       /* that a warp brings */
    STAGES = 3,                          /* two on their way while one is weighed */
    LANE_WORDS = 4,                      /* of one digit of 16 values and 32 rows */
    RESULTS = BAND_VALUES * BAND_RESULTS /* of a warp on their way out */
};

/* Sums along a row are 2^14 times a value of u8, 2^13 times one of u16. They have KEPT digits, and so have weights down
 * the columns. LOWEST makes the lower digits whole bytes. Bits of a sum down are SHIFT more than the value's, after the
 * digits that are left out. Kernels of so many matrices run four blocks a multiprocessor, others two. */
template <typename In> struct Whole;
template <> struct Whole<uint8_t> {
    enum { KEPT = 3, LOWEST = 0x8080, SHIFT = 20, MAX = 255, MATRICES_OF_FOUR = 15 };
};
template <> struct Whole<uint16_t> {
    enum { KEPT = 4, LOWEST = 0x808080, SHIFT = 13, MAX = 65535, MATRICES_OF_FOUR = 0 };
};

typedef struct Job {
    const BandGroup *across, *down;
    const uint4 *across_by;
    const uint2 *down_by;
    int across_groups, down_groups, each; /* groups of results down, of a block */
    int origin;                           /* the first row of block 0 */
    int chunks, pitch; /* of a line in shared memory: its pieces of 16 bytes, and bytes to the next */
    int ring;          /* blocks of rows that are kept, a power of 2 */
} Job;

/* sums += weights * bytes, 16 x 32 times 32 x 8. */
static __device__ __forceinline__ void multiply_bytes(int (&sums)[4], uint4 by, uint32_t low, uint32_t high) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(by.x), "r"(by.y), "r"(by.z), "r"(by.w), "r"(low), "r"(high));
#endif
}
static __device__ __forceinline__ void multiply_digits(int (&sums)[4], uint4 digits, uint2 by) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(digits.x), "r"(digits.y), "r"(digits.z), "r"(digits.w), "r"(by.x), "r"(by.y));
#endif
}

/* Eight rows of 64 bytes, as two products read them; lanes have the addresses of 16 bytes each. */
static __device__ __forceinline__ void read_rows(uint32_t from, uint32_t (&words)[4]) {
#if __CUDA_ARCH__ >= 800
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from)
                 : "memory");
#endif
}

/* Sets out to bring BAND_ROWS rows from `top` on. Beyond the picture are rows of it, whose weights are 0. `whole`:
 * lines end before the picture does. */
static __device__ __forceinline__ void bring(const Plane &in, const Job &job, int row_bytes, int left, bool whole,
                                             int top, uint32_t to) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned char *rows[ROWS_EACH];
#pragma unroll
    for (int i = 0; i < ROWS_EACH; i++)
        rows[i] = in.pixels + (long long)min(max(top + warp + i * WARPS, 0), in.height - 1) * (int)in.stride + left;
    to += warp * job.pitch + 16 * lane;
#pragma unroll 1
    for (int chunk = lane; chunk < job.chunks; chunk += 32, to += 512) {
        const int byte = 16 * chunk, there = min(max(row_bytes - left - byte, 0), 16);
#pragma unroll
        for (int i = 0; i < ROWS_EACH; i++)
            if (whole)
                copy_async<16>(to + i * WARPS * job.pitch, rows[i] + byte);
            else
                copy_async<16>(to + i * WARPS * job.pitch, rows[i] + (there > 0 ? byte : 0), there);
    }
    copies_end();
}

/* Sums of digits as one number, whose lower digits are from 0 on. Sums of two digits have 2^17 for 1, and 256 times as
 * much for each digit more; u16 has a digit more. */
static __device__ __forceinline__ int along(uint8_t, int low, int high) {
    return Whole<uint8_t>::LOWEST + ((high * 256 + low) >> 3);
}
static __device__ __forceinline__ int along(uint8_t, int lowest, int low, int high) {
    return high * 256 + Whole<uint8_t>::LOWEST + low + (lowest >> 8);
}
static __device__ __forceinline__ int along(uint16_t, int lowest, int low, int high) {
    return high * 4096 + (Whole<uint16_t>::LOWEST + ((low * 256 + lowest) >> 4));
}
static __device__ __forceinline__ int along(uint16_t, int lowest, int low, int high, int highest) {
    return (highest * 256 + high) * 128 + (Whole<uint16_t>::LOWEST + ((low * 256 + lowest) >> 9));
}
static __device__ __forceinline__ int down(const int (&sums)[3][4], int i) {
    return sums[2][i] * 65536 + sums[1][i] * 256 + sums[0][i];
}
static __device__ __forceinline__ int down(const int (&sums)[4][4], int i) {
    return (int)(((uint32_t)sums[3][i] << 18) + ((uint32_t)sums[2][i] << 10)) + sums[1][i] * 4 + (sums[0][i] >> 6);
}

/* Eight rows, weighed along themselves. A lane has four values: two neighbours of two rows. */
template <typename In, int STEPS, int DIGITS>
static __device__ __forceinline__ void weigh_rows(const uint4 (&by)[STEPS][DIGITS], uint32_t from, int (&values)[4]) {
    int sums[DIGITS][4] = {};
#pragma unroll
    for (int step = 0; step < STEPS; step += 2) {
        uint32_t words[4];
        read_rows(from + step * BAND_STEP, words);
#pragma unroll
        for (int p = 0; p < DIGITS; p++) {
            multiply_bytes(sums[p], by[step][p], words[0], words[1]);
            if (step + 1 < STEPS)
                multiply_bytes(sums[p], by[step + 1 < STEPS ? step + 1 : 0][p], words[2], words[3]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        if constexpr (DIGITS == 2)
            values[i] = along(In(), sums[0][i], sums[1][i]);
        else if constexpr (DIGITS == 3)
            values[i] = along(In(), sums[0][i], sums[1][i], sums[2][i]);
        else
            values[i] = along(In(), sums[0][i], sums[1][i], sums[2][i], sums[3][i]);
}

/* The digits of four values, a word each. */
template <int KEPT>
static __device__ __forceinline__ void take_digits(int a, int b, int c, int d, uint32_t (&words)[KEPT]) {
    const uint32_t first = __byte_perm(a, b, 0x5140), second = __byte_perm(c, d, 0x5140);
    const uint32_t third = __byte_perm(a, b, 0x7362), fourth = __byte_perm(c, d, 0x7362);
    words[0] = __byte_perm(first, second, 0x5410) ^ 0x80808080U;
    words[1] = __byte_perm(first, second, 0x7632) ^ 0x80808080U;
    words[2] = __byte_perm(third, fourth, 0x5410);
    if constexpr (KEPT == 4) {
        words[2] ^= 0x80808080U;
        words[3] = __byte_perm(third, fourth, 0x7632);
    }
}

/* A lane's digits of 32 rows to `kept`. */
template <typename In, int STEPS, int DIGITS>
static __device__ __forceinline__ void weigh_block(const uint4 (&by)[STEPS][DIGITS], uint32_t from, int pitch,
                                                   uint4 *kept) {
    enum { KEPT = Whole<In>::KEPT };
    uint32_t words[LANE_WORDS][KEPT];
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int upper[4], lower[4];
        weigh_rows<In>(by, from + 16 * half * pitch, upper);
        weigh_rows<In>(by, from + (16 * half + 8) * pitch, lower);
        take_digits(upper[0], upper[1], lower[0], lower[1], words[2 * half]);
        take_digits(upper[2], upper[3], lower[2], lower[3], words[2 * half + 1]);
    }
#pragma unroll
    for (int p = 0; p < KEPT; p++)
        kept[32 * p] = make_uint4(words[0][p], words[1][p], words[2][p], words[3][p]);
}

/* A matrix of weights down, a lane's words of each digit. */
template <int KEPT> static __device__ __forceinline__ void read_weights(const uint2 *by, uint2 (&weights)[KEPT]) {
#pragma unroll
    for (int q = 0; q < KEPT; q++)
        weights[q] = __ldg(by + 32 * q);
}

/* Adds a block's digits, times weights, by the sum of the digits' places. */
template <int KEPT>
static __device__ __forceinline__ void multiply_block(int (&sums)[KEPT][4], const uint4 *block,
                                                      const uint2 (&weights)[KEPT]) {
#pragma unroll
    for (int p = 0; p < KEPT; p++) {
        const uint4 digits = block[32 * p];
#pragma unroll
        for (int q = KEPT - 1 - p; q < KEPT; q++)
            multiply_digits(sums[p + q - (KEPT - 1)], digits, weights[q]);
    }
}

/* Eight results of each column, of the blocks that a group of them needs, to `results`: rows of BAND_VALUES. */
template <typename In>
static __device__ __forceinline__ void weigh_columns(const Job &job, const BandGroup &group, const uint4 *kept,
                                                     int first, In *results) {
    enum { KEPT = Whole<In>::KEPT, SHIFT = Whole<In>::SHIFT };
    const int lane = threadIdx.x % 32, round = (1 << SHIFT) / 2 + (int)((1 << SHIFT) * TIE_BIAS);
    const uint2 *by = job.down_by + (size_t)group.matrix * (32 * KEPT) + lane;
    int sums[KEPT][4] = {}, values[4];
#pragma unroll 1
    for (int i = 0; i < group.count; i += 2, by += 2 * 32 * KEPT) {
        uint2 weights[KEPT], others[KEPT];
        const bool has_other = i + 1 < group.count;
        read_weights(by, weights);
        if (has_other)
            read_weights(by + 32 * KEPT, others);
        multiply_block(sums, kept + ((first + i) & (job.ring - 1)) * (32 * KEPT), weights);
        if (has_other)
            multiply_block(sums, kept + ((first + i + 1) & (job.ring - 1)) * (32 * KEPT), others);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        values[i] = min(max((down(sums, i) + round) >> SHIFT, 0), (int)Whole<In>::MAX);
    In *to = results + lane % 4 * 2 * BAND_VALUES + lane / 4 * 2;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        if constexpr (sizeof(In) == 1)
            *(uint16_t *)(to + i * BAND_VALUES) = (uint16_t)(values[i] | values[i + 2] << 8);
        else
            *(uint32_t *)(to + i * BAND_VALUES) = (uint32_t)values[i] | (uint32_t)values[i + 2] << 16;
    }
}

/* Results from shared memory to the picture: a lane stores four of a row. */
template <typename In>
static __device__ __forceinline__ void store(const Plane &out, int row_values, int group, int top, const In *results) {
    const int lane = threadIdx.x % 32, y = top + lane / 4, value = group * BAND_VALUES + lane % 4 * 4;
    const In *four = results + 4 * lane;
    In *to = row_to<In>(out, y) + value;
    if (y >= out.height)
        return;
    if (value + 4 <= row_values) {
        if constexpr (sizeof(In) == 1)
            *(uint32_t *)to = *(const uint32_t *)four;
        else
            *(uint2 *)to = *(const uint2 *)four;
    } else
#pragma unroll 1
        for (int i = 0; value + i < row_values; i++)
            to[i] = four[i];
}

template <typename In, int STEPS, int DIGITS>
__global__ void __launch_bounds__(THREADS, (STEPS * DIGITS <= Whole<In>::MATRICES_OF_FOUR) ? 4 : 2)
    resample_products(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ Job job, int in_bytes, int out_values) {
    enum { KEPT = Whole<In>::KEPT };
    extern __shared__ uint4 shared[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = blockIdx.x * WARPS + warp;
    uint4 *kept = shared + warp * job.ring * 32 * KEPT + lane;
    In *results = (In *)(shared + WARPS * job.ring * 32 * KEPT) + warp * RESULTS;
    const uint32_t lines = shared_address(shared + WARPS * job.ring * 32 * KEPT + WARPS * RESULTS * sizeof(In) / 16);
    const BandGroup mine = job.across[min(group, job.across_groups - 1)];
    const int left = job.across[blockIdx.x * WARPS].first;
    const bool whole = left + 16 * job.chunks <= in_bytes;
    int below = blockIdx.y * job.each;
    const int end = min(below + job.each, job.down_groups);
    BandGroup next = job.down[below], after = job.down[min(below + 1, end - 1)];
    const BandGroup last = job.down[end - 1];
    const int first = next.first, blocks = last.first + last.count - first;
#pragma unroll
    for (int block = 0; block < STAGES - 1; block++)
        bring(in, job, in_bytes, left, whole, job.origin + (first + block) * BAND_ROWS,
              lines + block * BAND_ROWS * job.pitch);
    uint4 by[STEPS][DIGITS];
    const uint4 *matrices = job.across_by + (size_t)mine.matrix * (32 * DIGITS) + lane;
#pragma unroll
    for (int i = 0; i < STEPS * DIGITS; i++)
        by[i / DIGITS][i % DIGITS] = __ldg(matrices + 32 * i);
    const uint32_t from = lines + lane % 8 * job.pitch + mine.first - left + lane / 8 * 16;
    for (int block = 0, stage = 0; block < blocks; block++, stage = stage == STAGES - 1 ? 0 : stage + 1) {
        copies_wait<STAGES - 2>();
        __syncthreads();
        if (block + STAGES - 1 < blocks)
            bring(in, job, in_bytes, left, whole, job.origin + (first + block + STAGES - 1) * BAND_ROWS,
                  lines + (stage == 0 ? STAGES - 1 : stage - 1) * BAND_ROWS * job.pitch);
        else
            copies_end(); /* as many groups as always */
        weigh_block<In>(by, from + stage * BAND_ROWS * job.pitch, job.pitch,
                        kept + (block & (job.ring - 1)) * (32 * KEPT));
        while (below < end && next.first + next.count - 1 == first + block) {
            weigh_columns(job, next, kept, next.first - first, results);
            __syncwarp();
            if (group < job.across_groups)
                store(out, out_values, group, below * BAND_RESULTS, results);
            __syncwarp();
            below++;
            next = after;
            after = job.down[min(below + 1, end - 1)];
        }
    }
}

/* Shared memory for digits of so many blocks of rows, and for results. */
static size_t kept_bytes(int ring, size_t value) {
    return (size_t)(WARPS * ring * 32) * (2 + value) * sizeof(uint4) + WARPS * RESULTS * value;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    *why_not = "this GPU's tensor cores do not multiply bytes; they do from compute capability 8.0 on";
    if (limits->major < 8)
        return false;
    *why_not = "it multiplies whole numbers";
    if (stage->in[0].shape.type == PIXEL_F32)
        return false;
    *why_not = "the nearest pixel is copied in one pass";
    if (resample_job(stage)->kernel == RESAMPLE_NEAREST)
        return false;
    *why_not = "means of blocks and triangles lie halfway between two numbers, and weights of u16 are not as exact";
    if (stage->in[0].shape.type == PIXEL_U16 && resample_job(stage)->kernel < RESAMPLE_CUBIC)
        return false;
    *why_not = "windows are too large for matrices in registers";
    if (!gpu_resample_bands_fit(stage))
        return false;
    const size_t value = pixel_type_size(stage->in[0].shape.type);
    const double advance = (WARPS - 1) * BAND_VALUES * resample_job(stage)->x.scale * (double)value;
    const double line = advance + (BAND_STEPS_WIDE + 1) * BAND_STEP + 128; /* and a step from line to line */
    *why_not = "its lines do not fit into shared memory";
    return STAGES * BAND_ROWS * line + (double)kept_bytes(BAND_BLOCKS_MAX, value) <=
           (double)limits->sharedMemPerBlockOptin;
}

/* A line in shared memory that serves all groups of any block. */
static void plan_lines(const Bands *across, Job *job) {
    int span = 0;
    for (int g = 0; g < across->groups; g += WARPS) {
        const int end = g + WARPS < across->groups ? g + WARPS : across->groups;
        const int bytes = across->group[end - 1].first - across->group[g].first;
        span = bytes > span ? bytes : span;
    }
    span += (across->most + 1) / 2 * 2 * BAND_STEP; /* products are read in pairs */
    job->chunks = (span + 15) / 16;
    job->pitch = (16 * job->chunks - 16 + 127) / 128 * 128 + 16; /* eight rows lie in different banks */
}

/* By the digits of weights. */
#define BY_STEPS(In, STEPS)                                                                                            \
    {                                                                                                                  \
        (const void *)resample_products<In, STEPS, sizeof(In) + 1>,                                                    \
            (const void *)resample_products<In, STEPS, sizeof(In) + 2>                                                 \
    }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const bytes[BAND_STEPS_MAX + 1][2] = {{},
                                                             {},
                                                             BY_STEPS(uint8_t, 2),
                                                             BY_STEPS(uint8_t, 3),
                                                             BY_STEPS(uint8_t, 4),
                                                             BY_STEPS(uint8_t, 5),
                                                             BY_STEPS(uint8_t, 6),
                                                             {},
                                                             BY_STEPS(uint8_t, 8)};
    static const void *const words[BAND_STEPS_WIDE + 1][2] = {{},
                                                              {},
                                                              BY_STEPS(uint16_t, 2),
                                                              BY_STEPS(uint16_t, 3),
                                                              BY_STEPS(uint16_t, 4),
                                                              BY_STEPS(uint16_t, 5),
                                                              BY_STEPS(uint16_t, 6),
                                                              {},
                                                              BY_STEPS(uint16_t, 8),
                                                              BY_STEPS(uint16_t, 9),
                                                              BY_STEPS(uint16_t, 10)};
    const int value = (int)pixel_type_size(stage->out.shape.type), channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    const Bands *across, *down;
    TRY(gpu_resample_bands(queue, stage, &across, &down));
    Job job = {across->group_on,
               down->group_on,
               (const uint4 *)across->matrices_on,
               (const uint2 *)down->matrices_on,
               across->groups,
               down->groups,
               0,
               down->origin,
               0,
               0,
               down->most <= 1   ? 1
               : down->most <= 2 ? 2
                                 : BAND_BLOCKS_MAX};
    plan_lines(across, &job);
    const int exact = across->digits == BAND_DIGITS - 1 + value;
    const void *kernel = value == 1 ? bytes[across->most][exact] : words[across->most][exact];
    const size_t shared = kept_bytes(job.ring, (size_t)value) + (size_t)(STAGES * BAND_ROWS * job.pitch);
    int in_bytes = in.width * channels * value, out_values = out.width * channels, rows = 0;
    const unsigned columns = blocks_for(across->groups, WARPS);
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    TRY(rows_at_once(queue, kernel, THREADS, shared, columns, out.height, BAND_RESULTS, &rows));
    job.each = rows / BAND_RESULTS;
    const Launch launch = {dim3(columns, blocks_for(down->groups, job.each)), dim3(THREADS), shared};
    void *arguments[] = {&in, &out, &job, &in_bytes, &out_values};
    return gpu_launch(queue, "resample products", kernel, launch, arguments);
}

extern "C" const Level cuda_resample_products = {
    .op = &op_resample,
    .name = "products",
    .idea = "u8 and u16 at any size: both passes as products of whole numbers on the tensor cores; a lane keeps what "
            "it needs for the second",
    .accepts = accepts,
    .predictor = &resample_measured,
    .run = run,
};
