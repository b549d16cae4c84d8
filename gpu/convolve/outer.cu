/* outer.cu: outer products on u8 with four channels, on the tensor cores twice, for masks of up to 33 a side.
 * As in march.cu, bands of the mask's column times pixels give sums down the columns: 8 rows a step, in each lane those
 * of one row and two groups of 8 pixels. That is just what a lane has to hold of the second matrix of a product: so,
 * rounded to 16 bits and taken apart into two bytes, they are multiplied with bands of the mask's row,
 *     out(x, y) = sum over k of band(x, k) * between(k, y),  band(x, k) = row(k - x),
 * and what lies between the passes never leaves the registers. The sums that lack pixels at the strip's sides are not
 * computed; strips overlap. */
#include "gpu/convolve/march.cuh"

extern "C" {
#include "gpu/convolve/measured.h"
}

#include <stdlib.h>

enum {
    WARPS = 4,
    THREADS = 32 * WARPS,
    STRIP_ROWS = 96,
    STAGES = 3,
    PIXELS = BYTES / 4, /* of a group */
    CHANNELS = 4,
    PAIR = 2 /* channels that are summed together */
};

/* Masks that reach up to 8 * SIDE pixels from their anchor: the groups to each side that are not computed; products a
 * column, each of 16 rows. */
template <int SIDE> struct Halo {
    enum {
        BLOCKS = GROUPS - 2 * SIDE, /* groups of results */
        DEEP = SIDE + 1,
        OUT_BYTES = BLOCKS * BYTES,
        OUT_PITCH = OUT_BYTES + CHUNK,
        WARP_BYTES = STAGES * STAGE_BYTES + STEP_ROWS * OUT_PITCH,
        BEFORE = 2 * DEEP - 1 /* steps before the first with results */
    };
};

/* How many bits the sums lose. */
typedef struct Scales {
    int between; /* the sums down the columns, unless they are exact */
    int out;     /* the final ones without their lower byte, unless they are exact */
} Scales;

/* Whether group `group` of a half (0: positions 0 to 3 of the lanes, 1: 4 to 7) matters to the results of `block`. */
template <int SIDE> static __host__ __device__ constexpr bool overlaps(int block, int half) {
    /* the half holds groups 4 * half to 4 * half + 3; the block wants block to block + 2 * SIDE */
    return 4 * half <= block + 2 * SIDE && 4 * half + 3 >= block;
}

template <int DEEP>
static __device__ __forceinline__ void push_rows(const uint8_t *from, uint32_t (&pixels)[DEEP][BYTES]) {
    uint32_t first[WORDS], second[WORDS];
    load_words<WORDS>(from, first);
    load_words<WORDS>(from + 4 * PITCH, second);
#pragma unroll
    for (int i = 0; i < BYTES; i++) {
        const uint32_t pair = __byte_perm(first[i / 4], second[i / 4], i % 4 < 2 ? 0x5140 : 0x7362);
#pragma unroll
        for (int d = 0; d + 1 < DEEP; d++)
            pixels[d][i] = __byte_perm(pixels[d][i], pixels[d + 1][i], 0x5432);
        pixels[DEEP - 1][i] = __byte_perm(pixels[DEEP - 1][i], pair, i % 2 ? 0x7632 : 0x5432);
    }
}

/* The sums down the columns of four pixels of one channel, from byte `first` of the groups on, for both groups of the
 * lane, as their lower and upper bytes. */
template <int DEEP, bool EXACT>
static __device__ __forceinline__ void sum_columns(const uint32_t (&pixels)[DEEP][BYTES], int first,
                                                   const uint2 (&bands)[DEEP], const int (&start)[4], int shift,
                                                   uint32_t (&between)[2][2]) {
    uint32_t sums[2][4];
#pragma unroll
    for (int p = 0; p < 4; p++) {
        int products[4];
        multiply(products, start, bands[0], pixels[0][first + 4 * p]);
#pragma unroll
        for (int d = 1; d < DEEP; d++)
            multiply(products, products, bands[d], pixels[d][first + 4 * p]);
#pragma unroll
        for (int g = 0; g < 2; g++) {
            const int sum = products[g] * 256 + products[2 + g];
            sums[g][p] = (uint32_t)(EXACT ? sum : sum >> shift);
        }
    }
#pragma unroll
    for (int g = 0; g < 2; g++) {
        const uint32_t low = __byte_perm(sums[g][0], sums[g][1], 0x5140),
                       high = __byte_perm(sums[g][2], sums[g][3], 0x5140);
        between[g][0] = __byte_perm(low, high, 0x5410);
        between[g][1] = __byte_perm(low, high, 0x7632);
    }
}

/* The result from the sums along the row of the lower and the upper bytes, each with upper and lower weights. */
template <bool EXACT>
static __device__ __forceinline__ int result_of(const Scales &scales, const Sum &job, int low_upper, int low_lower,
                                                int high_upper, int high_lower) {
    const int low = (low_upper + high_lower) * 256 + low_lower;
    if (EXACT)
        return __float2int_rn(finish(job, (float)(high_upper * 65536 + low)));
    return (high_upper * 256 + (low >> 8)) >> scales.out;
}

/* 8 rows of results leave in long pieces; at the picture's right side by pixels. */
template <int SIDE>
static __device__ __forceinline__ void store_step(const Plane &out, int left, int y, int end, const uint8_t *results) {
    typedef Halo<SIDE> S;
    const int lane = threadIdx.x % 32;
    if (left + S::OUT_BYTES <= end && y + STEP_ROWS <= out.height) {
        enum { CHUNKS = S::OUT_BYTES / CHUNK };
#pragma unroll
        for (int i = 0; i < STEP_ROWS * CHUNKS; i += 32) {
            const int row = (i + lane) / CHUNKS, at = (i + lane) % CHUNKS * CHUNK;
            *(uint4 *)(row_to<uint8_t>(out, y + row) + left + at) = *(const uint4 *)(results + row * S::OUT_PITCH + at);
        }
    } else {
#pragma unroll 1
        for (int row = 0; row < min((int)STEP_ROWS, out.height - y); row++)
            for (int at = 4 * lane; at < min((int)S::OUT_BYTES, end - left); at += 4 * 32)
                *(uint32_t *)(row_to<uint8_t>(out, y + row) + left + at) =
                    *(const uint32_t *)(results + row * S::OUT_PITCH + at);
    }
}

/* `lanes`: the bands of the column, DEEP; what their sums begin with, and the sums along rows; then for each block of
 * results the bands of the row, by the half and then the part of a group. */
template <int SIDE, bool EXACT>
__global__ void __launch_bounds__(THREADS, SIDE > 1 ? 1
                                           : EXACT  ? 3
                                                    : 2)
    convolve_outer(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                   const __grid_constant__ Scales scales, const __grid_constant__ Edges edges,
                   const uint2 *__restrict__ lanes) {
    typedef Halo<SIDE> S;
    extern __shared__ __align__(16) uint8_t shared[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, strip = blockIdx.x * WARPS + warp;
    const int out_left = strip * S::OUT_BYTES, left = out_left - SIDE * BYTES, end = out.width * CHANNELS;
    const int top = blockIdx.y * STRIP_ROWS, bottom = min(top + STRIP_ROWS, out.height);
    if (out_left >= end)
        return;
    uint8_t *stages = shared + warp * S::WARP_BYTES, *results = stages + STAGES * STAGE_BYTES;
    const int mine = lane % 4 * PITCH + CHUNK + (lane / 4 % 2 * 4 + lane / 8) * BYTES;
    const int put = lane % 4 * 2 * S::OUT_PITCH + lane / 4 * CHANNELS;
    int y = top - job.height / 2, stage = 0;
#pragma unroll
    for (int i = 0; i < STAGES - 1; i++, y += STEP_ROWS) {
        fetch_step<CHANNELS, false>(in, job, edges, left, y, stages + i * STAGE_BYTES);
        __pipeline_commit();
    }
    uint2 bands[S::DEEP];
#pragma unroll
    for (int d = 0; d < S::DEEP; d++)
        bands[d] = lanes[d * 32 + lane];
    const int4 begin = *(const int4 *)(lanes + S::DEEP * 32), begin_along = *(const int4 *)(lanes + S::DEEP * 32 + 2);
    const int start[4] = {begin.x, begin.y, begin.z, begin.w};
    const int start_along[4] = {begin_along.x, begin_along.y, begin_along.z, begin_along.w}, none[4] = {};
    const uint2 *along = lanes + S::DEEP * 32 + 4 + lane;
    uint32_t pixels[S::DEEP][BYTES] = {};
#pragma unroll 1
    for (int row = top - S::BEFORE * STEP_ROWS; row < bottom; row += STEP_ROWS) {
        __pipeline_wait_prior(STAGES - 2);
        __syncwarp();
        if (row + (STAGES - 1) * STEP_ROWS < bottom)
            fetch_step<CHANNELS, false>(in, job, edges, left, y,
                                        stages + (stage == 0 ? STAGES - 1 : stage - 1) * STAGE_BYTES);
        __pipeline_commit();
        y += STEP_ROWS;
        push_rows<S::DEEP>(stages + stage * STAGE_BYTES + mine, pixels);
        stage = stage == STAGES - 1 ? 0 : stage + 1;
        if (row < top)
            continue;
        uint32_t above[S::BLOCKS][2]; /* channels 2 and 3 of the results */
#pragma unroll
        for (int pair = CHANNELS - PAIR; pair >= 0; pair -= PAIR) {
            uint32_t between[PAIR][2][2][2]; /* channel, part of a group, half, byte */
#pragma unroll
            for (int c = 0; c < PAIR; c++)
#pragma unroll
                for (int part = 0; part < 2; part++)
                    sum_columns<S::DEEP, EXACT>(pixels, part * CHUNK + pair + c, bands, start, scales.between,
                                                between[c][part]);
#pragma unroll
            for (int block = 0; block < S::BLOCKS; block++) {
                int lows[PAIR][4], highs[PAIR][4];
                bool first = true;
#pragma unroll
                for (int half = 0; half < 2; half++)
                    if (overlaps<SIDE>(block, half))
#pragma unroll
                        for (int part = 0; part < 2; part++) {
                            const uint2 band = along[((block * 2 + half) * 2 + part) * 32];
#pragma unroll
                            for (int c = 0; c < PAIR; c++) {
                                const uint32_t(&bytes)[2] = between[c][part][half];
                                if (first) {
                                    multiply(lows[c], start_along, band, bytes[0]);
                                    multiply(highs[c], none, band, bytes[1]);
                                } else {
                                    multiply(lows[c], lows[c], band, bytes[0]);
                                    multiply(highs[c], highs[c], band, bytes[1]);
                                }
                            }
                            first = false;
                        }
#pragma unroll
                for (int r = 0; r < 2; r++) {
                    int bytes[PAIR];
#pragma unroll
                    for (int c = 0; c < PAIR; c++)
                        bytes[c] =
                            result_of<EXACT>(scales, job, lows[c][r], lows[c][2 + r], highs[c][r], highs[c][2 + r]);
                    const uint32_t packed = pack(bytes[0], bytes[1], pair == 0 ? above[block][r] : 0);
                    if (pair > 0)
                        above[block][r] = packed;
                    else
                        *(uint32_t *)(results + put + r * S::OUT_PITCH + block * BYTES) = packed;
                }
            }
        }
        __syncwarp();
        store_step<SIDE>(out, out_left, row, end, results);
    }
}

/* A column of the mask, or its row, as whole numbers. */
typedef struct FixedPointSide {
    FixedPointMask whole;
    int count, anchor;
    double sum, squares; /* of the weights as they are */
} FixedPointSide;

static Status fixed_point_side(const double *weights, int count, double scale, FixedPointSide *side) {
    Mask *mask = NULL;
    *side = FixedPointSide();
    TRY(mask_create(count, 1, &mask));
    for (int i = 0; i < count; i++) {
        mask->weights[i] = (float)(weights[i] * scale);
        side->sum += weights[i] * scale;
        side->squares += weights[i] * weights[i] * scale * scale;
    }
    side->count = count;
    side->anchor = count / 2;
    const Status status = fixed_point_mask(mask, false, &side->whole);
    mask_destroy(&mask);
    return status;
}

static int weight_at(const FixedPointSide *side, int i) {
    return i >= 0 && i < side->count ? side->whole.whole[i] : 0;
}

/* Both sides as whole numbers. Exact if neither lost anything and the sums fit; else each is made to sum to one. */
static Status take_apart(const Mask *mask, FixedPointSide *column, FixedPointSide *row, bool *exact) {
    MaskTerms terms;
    TRY(mask_factor(mask, 1, &terms));
    double sum = 0;
    for (int i = 0; i < mask->height; i++)
        sum += terms.columns[i];
    Status status = fixed_point_side(terms.columns, mask->height, 1, column);
    if (status == STATUS_OK)
        status = fixed_point_side(terms.rows, mask->width, 1, row);
    *exact = status == STATUS_OK && column->whole.exponent == 0 && row->whole.exponent == 0 &&
             column->whole.error == 0 && row->whole.error == 0 && column->sum * 255 < 65536 &&
             column->sum * row->sum * 255 < 0x1p24;
    if (status == STATUS_OK && !*exact && sum > 0) {
        fixed_point_mask_free(&column->whole);
        fixed_point_mask_free(&row->whole);
        status = fixed_point_side(terms.columns, mask->height, 1 / sum, column);
        if (status == STATUS_OK)
            status = fixed_point_side(terms.rows, mask->width, sum, row);
    }
    mask_terms_free(&terms);
    return status;
}

#define ERROR_MAX 9e-4 /* standard deviation in code values; four fifths of it round differently */

/* Whether the whole numbers are near enough to the mask's weights; if not, *why_not says what is wrong. */
static bool outer_fits(const Mask *mask, const char **why_not) {
    FixedPointSide column = FixedPointSide(), row = FixedPointSide();
    bool exact = false, good = false;
    *why_not = "it takes masks of up to 33 a side";
    if (mask->width > 2 * 16 + 1 || mask->height > 2 * 16 + 1)
        return false;
    *why_not = "the mask has negative weights, or its sum is not one";
    for (int i = 0; i < mask->width * mask->height; i++)
        if (mask->weights[i] < 0)
            return false;
    if (take_apart(mask, &column, &row, &exact) == STATUS_OK) {
        const double between = 0.2887 / 256 * sqrt(row.squares);
        const double error = sqrt(column.whole.error * column.whole.error + between * between +
                                  row.whole.error * row.whole.error * column.squares);
        good = exact || (mask->divisor == 1 && fabs(row.sum - 1) < 1e-6 && error > 0 && error <= ERROR_MAX &&
                         column.whole.exponent >= 8 && row.whole.exponent >= 8);
        if (!exact && !good && fabs(row.sum - 1) < 1e-6)
            *why_not = "weights of 16 bits would round too many values differently";
    }
    fixed_point_mask_free(&column.whole);
    fixed_point_mask_free(&row.whole);
    return good;
}

/* Everything that the kernel reads, for masks that reach 8 * side pixels. */
static void fill_lanes(const FixedPointSide *column, const FixedPointSide *row, int side, bool exact, uint2 *lanes) {
    const int deep = side + 1, blocks = GROUPS - 2 * side;
    for (int i = 0; i < deep * 32; i++) {
        uint2 band = make_uint2(0, 0);
        for (int k = 0; k < 4; k++)
            put_weight(weight_at(column, i / 32 * 2 * STEP_ROWS + k / 2 * STEP_ROWS + i % 4 + k % 2 * 4 - i % 32 / 4),
                       k, &band);
        lanes[i] = band;
    }
    lanes += deep * 32;
    const unsigned half = exact ? 0 : (unsigned)(column->whole.scale / 512);
    const unsigned half_along = exact ? 0 : (unsigned)(row->whole.scale * 128);
    lanes[0] = lanes[2] = make_uint2(0, 0);
    lanes[1] = make_uint2(half, half);
    lanes[3] = make_uint2(half_along, half_along);
    lanes += 4;
    for (int i = 0; i < blocks * 4 * 32; i++) {
        const int block = i / 128, half_strip = i / 64 % 2, part = i / 32 % 2, lane = i % 32;
        uint2 band = make_uint2(0, 0);
        for (int k = 0; k < 4; k++) {
            const int pixel = PIXELS * (4 * half_strip + lane % 4) + 4 * part + k;
            const int x = PIXELS * (block + side) + lane / 4;
            put_weight(weight_at(row, pixel - x + row->anchor), k, &band);
        }
        lanes[i] = band;
    }
}

/* 1: a mask up to 17 a side; 2: up to 33. */
static int side_of(const Mask *mask) {
    return mask->width > 17 || mask->height > 17 ? 2 : 1;
}

static Status make_terms(Queue *queue, const void *from, void *entry) {
    static const size_t bytes = (3 * 32 + 4 + GROUPS * 4 * 32) * sizeof(uint2);
    const Mask *mask = (const Mask *)from;
    FixedPointSide column = FixedPointSide(), row = FixedPointSide();
    bool exact = false;
    uint2 *lanes = (uint2 *)malloc(bytes);
    Status status = lanes ? take_apart(mask, &column, &row, &exact) : fail(STATUS_DEVICE, "no memory for a mask");
    if (status == STATUS_OK) {
        fill_lanes(&column, &row, side_of(mask), exact, lanes);
        const int facts[KEPT_FACTS] = {column.whole.exponent - 8, row.whole.exponent, exact};
        status = gpu_keep(queue, (GpuKept *)entry, mask, lanes, bytes, facts);
    }
    fixed_point_mask_free(&column.whole);
    fixed_point_mask_free(&row.whole);
    free(lanes);
    return status;
}

static const CacheKind kept_terms = GPU_KEPT(make_terms);

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_separable(device, stage, why_not) || !accepts_bytes(device, stage, why_not))
        return false;
    *why_not = "its matrices are made for four channels";
    if (stage->out.shape.channels != 4)
        return false;
    *why_not = "sums that are not exact leave no room for a bias";
    if (convolve_job(stage)->bias != 0 && convolve_job(stage)->mask->divisor == 1)
        return false;
    return outer_fits(convolve_job(stage)->mask, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[2][2] = {
        {(const void *)convolve_outer<1, false>, (const void *)convolve_outer<1, true>},
        {(const void *)convolve_outer<2, false>, (const void *)convolve_outer<2, true>}};
    const Mask *mask = convolve_job(stage)->mask;
    const int side = side_of(mask);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const GpuKept *kept;
    TRY(gpu_kept(queue, &kept_terms, mask, &kept));
    Scales scales;
    scales.between = kept->facts[0];
    scales.out = kept->facts[1];
    const bool exact = kept->facts[2] != 0;
    void *lanes = kept->memory.memory;
    Edges edges = edges_of(job, in.width);
    const int width = side == 1 ? (int)Halo<1>::OUT_BYTES : (int)Halo<2>::OUT_BYTES;
    const Launch launch = {dim3(blocks_for(out.width * CHANNELS, width * WARPS), blocks_for(out.height, STRIP_ROWS)),
                           dim3(THREADS),
                           (size_t)(WARPS * (side == 1 ? (int)Halo<1>::WARP_BYTES : (int)Halo<2>::WARP_BYTES))};
    void *arguments[] = {&in, &out, &job, &scales, &edges, &lanes};
    return gpu_launch(queue, "convolve outer", kernels[side - 1][exact], launch, arguments);
}

extern "C" const Level cuda_convolve_outer = {
    .op = &op_convolve,
    .name = "outer",
    .idea = "outer products on four channels: tensor cores sum columns, then rows, and what lies between stays in "
            "registers",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .run = run,
};
