/* march.cu: small masks on u8, on the tensor cores straight from registers, at nearly the speed of a copy.
 * A warp marches down a strip of 8 groups of 32 bytes, 8 rows a step. For one column of the mask, the sums of 8 rows
 * are a product with a banded Toeplitz matrix:
 *     out(m, x) = sum over k of band(m, k) * in(k, x),  band(m, k) = weight(k - m),  m = 0..7, k = 0..15.
 * Rows 0 to 7 of the matrix have the upper bytes of the weights, rows 8 to 15 the lower ones (fixed_point.h). One
 * product therefore serves both. The matrix of pixels has the columns of bytes in any order. One that takes a byte of
 * each group serves every number of channels. The bytes for the mask's next column are then C bytes further on in the
 * same lane's registers. A lane holds two rows of a group, and two of the step before. Rows arrive in the warp's own
 * part of shared memory, long before they are needed, and no other warp has to wait for them. */
#include "gpu/convolve/march.cuh"

extern "C" {
#include "gpu/convolve/accepts.h"
#include "gpu/convolve/march_wide.h"
#include "gpu/convolve/measured.h"
}

#include <stdlib.h>
#include <string.h>

enum {
    WARPS = 4,
    THREADS = 32 * WARPS,
    STRIP_ROWS = 32, /* enough to amortize the first step, so few that neighbours share rows in the L2 cache */
    STAGES = 3,      /* steps whose rows are in shared memory or on their way there */
    OUT_PITCH = STRIP_BYTES + CHUNK, /* of results on their way out */
    WARP_BYTES = STAGES * STAGE_BYTES + STEP_ROWS * OUT_PITCH,
    REACH_MAX = 4, /* columns of the mask to each side of its anchor */
    HEIGHT_MAX = STEP_ROWS + 1
};

/* The words that a group's sums need of its neighbours to each side, as many as one load brings. */
template <int C, int R> struct Side {
    enum { NEEDED = (R * C + 3) / 4, WORDS = NEEDED == 3 ? 4 : NEEDED, ALL = ::WORDS + 2 * WORDS };
};

/* The groups are in an order in which 8 lanes, four rows of two groups or two rows of four, use 8 different 16-byte
 * banks. This holds both where pixels come from and where results go to. */
static __device__ __forceinline__ int group_at(int column) {
    return (0x57463120 >> 4 * column & 7) * BYTES;
}

/* A group with its sides. */
template <int SIDE> static __device__ __forceinline__ void load_group(const uint8_t *from, uint32_t *words) {
    if constexpr (SIDE > 0)
        load_words<SIDE>(from - 4 * SIDE, words);
    load_words<WORDS>(from, words + SIDE);
    if constexpr (SIDE > 0)
        load_words<SIDE>(from + BYTES, words + SIDE + WORDS);
}

/* Rows q and q + 4 of a step become the newer half of lane q's matrices of pixels, one for each byte of the group. */
template <int SIDE, int N>
static __device__ __forceinline__ void push_rows(const uint8_t *from, uint32_t (&pixels)[4 * N]) {
    uint32_t first[N], second[N];
    load_group<SIDE>(from, first);
    load_group<SIDE>(from + 4 * PITCH, second);
#pragma unroll
    for (int i = 0; i < N; i++) {
        const uint32_t low = __byte_perm(first[i], second[i], 0x5140), high = __byte_perm(first[i], second[i], 0x7362);
        pixels[4 * i] = __byte_perm(pixels[4 * i], low, 0x5432);
        pixels[4 * i + 1] = __byte_perm(pixels[4 * i + 1], low, 0x7632);
        pixels[4 * i + 2] = __byte_perm(pixels[4 * i + 2], high, 0x5432);
        pixels[4 * i + 3] = __byte_perm(pixels[4 * i + 3], high, 0x7632);
    }
}

/* 8 rows of results leave in long pieces. */
static __device__ __forceinline__ void store_step(const Plane &out, int left, int y, int end, const uint8_t *results) {
    const int lane = threadIdx.x % 32, at = left + lane % 16 * CHUNK;
    results += lane / 16 * OUT_PITCH + lane % 16 * CHUNK;
    if (left + STRIP_BYTES <= end && y + STEP_ROWS <= out.height) {
        uint8_t *to = row_to<uint8_t>(out, y + lane / 16) + at;
#pragma unroll
        for (int row = 0; row < STEP_ROWS; row += 2, to += 2 * out.stride)
            *(uint4 *)to = *(const uint4 *)(results + row * OUT_PITCH);
    } else {
#pragma unroll 1
        for (int row = lane / 16; row < STEP_ROWS && y + row < out.height; row += 2, results += 2 * OUT_PITCH)
#pragma unroll 1
            for (int i = 0; i < min((int)CHUNK, end - at); i++)
                row_to<uint8_t>(out, y + row)[at + i] = results[i];
    }
}

template <int C, int R, Rounding ROUNDING>
__global__ void __launch_bounds__(THREADS, R > 1 ? 3 : 4)
    convolve_march(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                   const __grid_constant__ Scale scale, const __grid_constant__ Edges edges,
                   const uint2 *__restrict__ lanes) {
    typedef Side<C, R> S;
    enum { TAPS = 2 * R + 1 };
    extern __shared__ __align__(16) uint8_t shared[];
    /* By a shuffle, so that the compiler sees one number for a warp, and addresses memory by the warp's registers. */
    const int lane = threadIdx.x % 32, warp = (int)__shfl_sync(0xffffffffU, threadIdx.x / 32, 0);
    const int left = (blockIdx.x * WARPS + warp) * STRIP_BYTES;
    const int top = blockIdx.y * STRIP_ROWS, bottom = min(top + STRIP_ROWS, out.height);
    if (left >= out.width * C)
        return;
    uint8_t *stages = shared + warp * WARP_BYTES, *results = stages + STAGES * STAGE_BYTES;
    const int mine = lane % 4 * PITCH + CHUNK + group_at(lane / 4);
    const int put[2] = {lane / 4 * OUT_PITCH + group_at(lane % 4 * 2),
                        lane / 4 * OUT_PITCH + group_at(lane % 4 * 2 + 1)};
    int y = top - job.height / 2, stage = 0;
#pragma unroll
    for (int i = 0; i < STAGES - 1; i++, y += STEP_ROWS) {
        fetch_step<C, (R > 0)>(in, job, edges, left, y, stages + i * STAGE_BYTES);
        __pipeline_commit();
    }
    uint2 bands[TAPS];
#pragma unroll
    for (int i = 0; i < TAPS; i++)
        bands[i] = lanes[i * 32 + lane];
    const int4 begin = ((const int4 *)(lanes + TAPS * 32))[ROUNDING == ROUND_SHIFTED || ROUNDING == ROUND_SCALED];
    const int start[4] = {begin.x, begin.y, begin.z, begin.w}; /* loaded: the compiler would compute them each time */
    uint32_t pixels[4 * S::ALL] = {};
#pragma unroll 1
    for (int row = top - STEP_ROWS; row < bottom; row += STEP_ROWS) {
        __pipeline_wait_prior(STAGES - 2);
        __syncwarp();
        /* The stage before this one was read by all, and takes the next rows. */
        if (row + (STAGES - 1) * STEP_ROWS < bottom)
            fetch_step<C, (R > 0)>(in, job, edges, left, y,
                                   stages + (stage == 0 ? STAGES - 1 : stage - 1) * STAGE_BYTES);
        __pipeline_commit();
        if constexpr (R > 0 && C < 4)
            mend_step<C, R>(in, job, edges, left, y - (STAGES - 1) * STEP_ROWS, stages + stage * STAGE_BYTES);
        y += STEP_ROWS;
        push_rows<S::WORDS, S::ALL>(stages + stage * STAGE_BYTES + mine, pixels);
        stage = stage == STAGES - 1 ? 0 : stage + 1;
        if (row < top)
            continue;
#pragma unroll
        for (int part = 0; part < BYTES; part += CHUNK) {
            uint32_t words[2][4];
#pragma unroll
            for (int w = 0; w < 4; w++) {
                int bytes[2][4];
#pragma unroll
                for (int b = 0; b < 4; b++) {
                    int sums[4];
                    const uint32_t *from = &pixels[4 * S::WORDS + part + 4 * w + b - R * C];
                    multiply(sums, start, bands[0], from[0]);
#pragma unroll
                    for (int i = 1; i < TAPS; i++)
                        multiply(sums, sums, bands[i], from[i * C]);
                    bytes[0][b] = rounded<ROUNDING>(scale, job, sums[0] * 256 + sums[2]);
                    bytes[1][b] = rounded<ROUNDING>(scale, job, sums[1] * 256 + sums[3]);
                }
#pragma unroll
                for (int g = 0; g < 2; g++)
                    words[g][w] = pack(bytes[g][0], bytes[g][1], pack(bytes[g][2], bytes[g][3], 0));
            }
#pragma unroll
            for (int g = 0; g < 2; g++)
                *(uint4 *)(results + put[g] + part) = make_uint4(words[g][0], words[g][1], words[g][2], words[g][3]);
        }
        __syncwarp();
        store_step(out, left, row, out.width * C, results);
    }
}

/* Column `i` of the mask, counted from the leftmost that R columns to each side have. The lanes of a warp hold it (PTX
 * ISA, matrix fragments for mma.m16n8k16 of bytes). lane / 4 is the row. lane % 4 has four k, which are rows of the
 * picture: rows q and q + 4 of the older 8 and of the newer. */
static uint2 lane_of(const Mask *mask, const FixedPointMask *whole, int i, int lane) {
    uint2 band = make_uint2(0, 0);
    for (int k = 0; k < 4; k++) {
        const int j = k / 2 * STEP_ROWS + lane % 4 + k % 2 * 4 - lane / 4;
        const int weight =
            i >= 0 && i < mask->width && j >= 0 && j < mask->height ? whole->whole[j * mask->width + i] : 0;
        put_weight(weight, k, &band);
    }
    return band;
}

/* The lanes of the mask's columns on the device. */
static Status make_columns(Queue *queue, const void *from, void *entry) {
    const Mask *mask = (const Mask *)from;
    const int reach = mask->width / 2;
    uint2 lanes[(2 * REACH_MAX + 1) * 32 + 4];
    FixedPointMask whole;
    Status status = fixed_point_mask(mask, &whole);
    if (status == STATUS_OK) {
        for (int i = 0; i < (2 * reach + 1) * 32; i++)
            lanes[i] = lane_of(mask, &whole, i / 32 - reach + mask->width / 2, i % 32);
        ScaleFacts facts = {};
        facts.scale = scale_of(&whole, mask);
        /* Sums begin with nothing, or the lower ones with half of a result's unit. */
        uint2 *start = &lanes[(2 * reach + 1) * 32];
        start[0] = start[1] = start[2] = make_uint2(0, 0);
        start[3] = make_uint2((unsigned)facts.scale.half, (unsigned)facts.scale.half);
        status = gpu_keep(queue, (GpuKept *)entry, mask, lanes, sizeof lanes, facts.facts);
    }
    fixed_point_mask_free(&whole);
    return status;
}

static const CacheKind columns = GPU_KEPT(make_columns);

/* Whether there are registers for the mask's columns. */
static bool march_fits(const Mask *mask) {
    return mask->width <= 2 * REACH_MAX + 1 && mask->height <= HEIGHT_MAX;
}

static bool is_wide(const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U16;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (is_wide(stage))
        return march_wide_accepts(stage, why_not);
    *why_not = "a strip's registers hold the columns of masks up to 9x9";
    return march_fits(convolve_job(stage)->mask) && accepts_fixed_point(device, stage, why_not);
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return is_wide(stage) ? march_wide_workspace(stage) : 0;
}

static Status run(Queue *queue, const Stage *stage) {
    if (is_wide(stage))
        return march_wide_run(queue, stage);
#define KERNELS(C, R)                                                                                                  \
    {                                                                                                                  \
        (const void *)convolve_march<C, R, ROUND_SHIFTED>, (const void *)convolve_march<C, R, ROUND_SCALED>,           \
            (const void *)convolve_march<C, R, ROUND_TO_EVEN>, (const void *)convolve_march<C, R, ROUND_DIVIDED>       \
    }
#define REACHES(C)                                                                                                     \
    { KERNELS(C, 0), KERNELS(C, 1), KERNELS(C, 2), KERNELS(C, 3), KERNELS(C, 4) }
    static const void *const kernels[4][REACH_MAX + 1][4] = {REACHES(1), REACHES(2), REACHES(3), REACHES(4)};
    const int channels = stage->out.shape.channels, reach = convolve_job(stage)->mask->width / 2;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const GpuKept *kept;
    Scale scale;
    TRY(gpu_kept(queue, &columns, convolve_job(stage)->mask, &kept));
    memcpy(&scale, kept->facts, sizeof scale);
    void *lanes = kept->memory.memory;
    const Rounding rounding = job.bias != 0 ? ROUND_DIVIDED : scale.rounding;
    Edges edges = edges_of(job, in.width);
    const Launch launch = {
        dim3(blocks_for(out.width * channels, STRIP_BYTES * WARPS), blocks_for(out.height, STRIP_ROWS)), dim3(THREADS),
        WARPS * WARP_BYTES};
    void *arguments[] = {&in, &out, &job, &scale, &edges, &lanes};
    return gpu_launch(queue, "convolve march", kernels[channels - 1][reach][rounding], launch, arguments);
}

extern "C" const Level cuda_convolve_march = {
    .op = &op_convolve,
    .name = "march",
    .idea = "small masks: a warp marches down its rows, and the tensor cores multiply the mask's columns with pixels "
            "straight from registers",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &convolve_measured,
    .run = run,
};
