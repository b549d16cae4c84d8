/* products.cu: pictures of bytes at any size, both passes on the tensor cores in whole numbers. Sixteen neighbouring
 * values of a row are a product of a band of weights with the row's bytes, as they lie in memory. The band has 0 for
 * the bytes of other channels and pixels. Weights have two or three digits to base 256, and each makes a product. The
 * results of 32 rows lie in a lane as the next product wants them. Their three digits, too, become bytes, which no
 * other lane needs. Eight results of a column are products of these with digits of weights down the columns. Pairs of
 * digits whose product counts for less than a ten thousandth are left out. */
#include "gpu/copy.cuh"
#include "gpu/order.cuh"

extern "C" {
#include "gpu/resample/bands.h"
#include "gpu/resample/measured.h"
}

enum {
    WARPS = 8,
    THREADS = 32 * WARPS,
    ROWS_EACH = BAND_ROWS / WARPS, /* that a warp brings */
    STAGES = 2,
    SHIFT = 8,       /* bits of a sum along the row that are dropped: 2^14 of a value remain */
    SHIFT_SHORT = 3, /* of two digits */
    SHIFT_DOWN = 20, /* of the sums down the columns: 14 + 22 less the 16 of digits left out */
    ROUND = (1 << SHIFT_DOWN) / 2 + (int)((1 << SHIFT_DOWN) * TIE_BIAS),
    LOWEST = 0x8080,                     /* makes the lower digits whole bytes from 0 on */
    LANE_WORDS = 4,                      /* of one digit of 16 values and 32 rows */
    RESULTS = BAND_VALUES * BAND_RESULTS /* bytes of a warp on their way out */
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

/* Eight rows, weighed along themselves. A lane has four values: two neighbours of two rows. Their lower digits are from
 * 0 on. */
template <int STEPS, int DIGITS>
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
        if constexpr (DIGITS == 3)
            values[i] = sums[2][i] * 256 + LOWEST + sums[1][i] + (sums[0][i] >> SHIFT);
        else
            values[i] = LOWEST + ((sums[1][i] * 256 + sums[0][i]) >> SHIFT_SHORT);
}

/* The digits of four values, a word each. */
static __device__ __forceinline__ void take_digits(int a, int b, int c, int d, uint32_t (&words)[BAND_DIGITS]) {
    const uint32_t first = __byte_perm(a, b, 0x5140), second = __byte_perm(c, d, 0x5140);
    words[0] = __byte_perm(first, second, 0x5410) ^ 0x80808080U;
    words[1] = __byte_perm(first, second, 0x7632) ^ 0x80808080U;
    words[2] = __byte_perm(__byte_perm(a, b, 0x0062), __byte_perm(c, d, 0x0062), 0x5410);
}

/* A lane's digits of 32 rows to `kept`. */
template <int STEPS, int DIGITS>
static __device__ __forceinline__ void weigh_block(const uint4 (&by)[STEPS][DIGITS], uint32_t from, int pitch,
                                                   uint4 *kept) {
    uint32_t words[LANE_WORDS][BAND_DIGITS];
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int upper[4], lower[4];
        weigh_rows(by, from + 16 * half * pitch, upper);
        weigh_rows(by, from + (16 * half + 8) * pitch, lower);
        take_digits(upper[0], upper[1], lower[0], lower[1], words[2 * half]);
        take_digits(upper[2], upper[3], lower[2], lower[3], words[2 * half + 1]);
    }
#pragma unroll
    for (int p = 0; p < BAND_DIGITS; p++)
        kept[32 * p] = make_uint4(words[0][p], words[1][p], words[2][p], words[3][p]);
}

/* Eight results of each column, of the blocks that a group of them needs, to `results`: a row of BAND_VALUES bytes
 * each.
 */
static __device__ __forceinline__ void weigh_columns(const Job &job, const BandGroup &group, const uint4 *kept,
                                                     int first, uint8_t *results) {
    const int lane = threadIdx.x % 32;
    const uint2 *by = job.down_by + (size_t)group.matrix * (32 * BAND_DIGITS) + lane;
    int sums[BAND_DIGITS][4] = {}, values[4];
#pragma unroll 1
    for (int i = 0; i < group.count; i++, by += 32 * BAND_DIGITS) {
        const uint4 *block = kept + ((first + i) & (job.ring - 1)) * (32 * BAND_DIGITS);
#pragma unroll
        for (int p = 0; p < BAND_DIGITS; p++)
#pragma unroll
            for (int q = BAND_DIGITS - 1 - p; q < BAND_DIGITS; q++)
                multiply_digits(sums[p + q - (BAND_DIGITS - 1)], block[32 * p], __ldg(by + 32 * q));
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        values[i] = min(max((sums[2][i] * 65536 + ROUND + sums[1][i] * 256 + sums[0][i]) >> SHIFT_DOWN, 0), 255);
    uint8_t *to = results + lane % 4 * 2 * BAND_VALUES + lane / 4 * 2;
    *(uint16_t *)to = (uint16_t)(values[0] | values[2] << 8);
    *(uint16_t *)(to + BAND_VALUES) = (uint16_t)(values[1] | values[3] << 8);
}

/* Results from shared memory to the picture: a lane stores four of a row. */
static __device__ __forceinline__ void store(const Plane &out, int row_bytes, int group, int top,
                                             const uint8_t *results) {
    const int lane = threadIdx.x % 32, y = top + lane / 4, byte = group * BAND_VALUES + lane % 4 * 4;
    const uint32_t word = *(const uint32_t *)(results + 4 * lane);
    uint8_t *to = row_to<uint8_t>(out, y) + byte;
    if (y >= out.height)
        return;
    if (byte + 4 <= row_bytes)
        *(uint32_t *)to = word;
    else
#pragma unroll 1
        for (int i = 0; byte + i < row_bytes; i++)
            to[i] = (uint8_t)(word >> 8 * i);
}

template <int STEPS, int DIGITS>
__global__ void __launch_bounds__(THREADS, STEPS *DIGITS <= 15 ? 2 : 1)
    resample_products(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ Job job, int in_bytes, int out_bytes) {
    extern __shared__ uint4 shared[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = blockIdx.x * WARPS + warp;
    uint4 *kept = shared + warp * job.ring * 32 * BAND_DIGITS + lane;
    uint8_t *results = (uint8_t *)(shared + WARPS * job.ring * 32 * BAND_DIGITS) + warp * RESULTS;
    const uint32_t lines = shared_address(shared + WARPS * job.ring * 32 * BAND_DIGITS + WARPS * RESULTS / 16);
    const BandGroup mine = job.across[min(group, job.across_groups - 1)];
    const int left = job.across[blockIdx.x * WARPS].first;
    const bool whole = left + 16 * job.chunks <= in_bytes;
    int below = blockIdx.y * job.each;
    const int end = min(below + job.each, job.down_groups);
    BandGroup next = job.down[below];
    const BandGroup last = job.down[end - 1];
    const int first = next.first, blocks = last.first + last.count - first;
    bring(in, job, in_bytes, left, whole, job.origin + first * BAND_ROWS, lines);
    uint4 by[STEPS][DIGITS];
    const uint4 *matrices = job.across_by + (size_t)mine.matrix * (32 * DIGITS) + lane;
#pragma unroll
    for (int i = 0; i < STEPS * DIGITS; i++)
        by[i / DIGITS][i % DIGITS] = __ldg(matrices + 32 * i);
    const uint32_t from = lines + lane % 8 * job.pitch + mine.first - left + lane / 8 * 16;
    for (int block = 0; block < blocks; block++) {
        copies_wait<0>();
        __syncthreads();
        if (block + 1 < blocks)
            bring(in, job, in_bytes, left, whole, job.origin + (first + block + 1) * BAND_ROWS,
                  lines + (block + 1) % STAGES * BAND_ROWS * job.pitch);
        weigh_block(by, from + block % STAGES * BAND_ROWS * job.pitch, job.pitch,
                    kept + (block & (job.ring - 1)) * (32 * BAND_DIGITS));
        while (below < end && next.first + next.count - 1 == first + block) {
            weigh_columns(job, next, kept, next.first - first, results);
            __syncwarp();
            if (group < job.across_groups)
                store(out, out_bytes, group, below * BAND_RESULTS, results);
            __syncwarp();
            if (++below < end)
                next = job.down[below];
        }
    }
}

/* Shared memory for digits of so many blocks of rows, and for results. */
static size_t kept_bytes(int ring) {
    return (size_t)(WARPS * ring * 32 * BAND_DIGITS) * sizeof(uint4) + WARPS * RESULTS;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    *why_not = "this GPU's tensor cores do not multiply bytes; they do from compute capability 8.0 on";
    if (limits->major < 8)
        return false;
    *why_not = "it multiplies bytes";
    if (stage->in[0].shape.type != PIXEL_U8)
        return false;
    *why_not = "the nearest pixel is copied in one pass";
    if (resample_job(stage)->kernel == RESAMPLE_NEAREST)
        return false;
    *why_not = "windows are too large for matrices in registers";
    if (!gpu_resample_bands_fit(stage))
        return false;
    const double advance = (WARPS - 1) * BAND_VALUES * resample_job(stage)->x.scale + (BAND_STEPS_MAX + 1) * BAND_STEP;
    *why_not = "its lines do not fit into shared memory";
    return STAGES * BAND_ROWS * (advance + 128) + kept_bytes(BAND_BLOCKS_MAX) <= (double)limits->sharedMemPerBlockOptin;
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

#define BY_STEPS(STEPS)                                                                                                \
    { (const void *)resample_products<STEPS, 2>, (const void *)resample_products<STEPS, 3> }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[BAND_STEPS_MAX][2] = {BY_STEPS(1), BY_STEPS(2), BY_STEPS(3), BY_STEPS(4),
                                                           BY_STEPS(5), BY_STEPS(6), BY_STEPS(7), BY_STEPS(8)};
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
    const void *kernel = kernels[across->most - 1][across->digits == BAND_DIGITS];
    const size_t shared = kept_bytes(job.ring) + (size_t)(STAGES * BAND_ROWS * job.pitch);
    int in_bytes = in.width * stage->out.shape.channels, out_bytes = out.width * stage->out.shape.channels, rows = 0;
    const unsigned columns = blocks_for(across->groups, WARPS);
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    TRY(rows_at_once(queue, kernel, THREADS, shared, columns, out.height, BAND_RESULTS, &rows));
    job.each = rows / BAND_RESULTS;
    const Launch launch = {dim3(columns, blocks_for(down->groups, job.each)), dim3(THREADS), shared};
    void *arguments[] = {&in, &out, &job, &in_bytes, &out_bytes};
    return gpu_launch(queue, "resample products", kernel, launch, arguments);
}

extern "C" const Level cuda_resample_products = {
    .op = &op_resample,
    .name = "products",
    .idea =
        "bytes at any size: both passes as products of whole numbers on the tensor cores; a lane keeps what it needs "
        "for the second",
    .accepts = accepts,
    .predictor = &resample_measured,
    .run = run,
};
