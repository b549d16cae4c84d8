/* outer_wide.cu: outer products on u16, on the tensor cores as in outer.cu, for masks of up to 25 a side. Pixels are
 * two bytes, weights three, of which both bytes of a pixel are multiplied with all but the lowest of each other. The
 * values between the passes have 24 bits, three bytes again, 8 of them below the point. */
#include "gpu/convolve/apart.cuh"
#include "gpu/convolve/strip.cuh"

extern "C" {
#include "gpu/convolve/outer_wide.h"
}

enum {
    DEEP = 4, /* steps of 8 rows that have all that a step of results needs */
    REACH_MAX = 4 * (DEEP - 1),
    HALF = 2,   /* words of a matrix's column in a lane */
    PLANES = 3, /* bytes of a weight, and of a value between the passes; the lowest first */
    BITS = 24   /* of a weight below the point */
};

template <int C> struct Strip {
    enum {
        PIXEL = 2 * C, /* bytes */
        REACH = REACH_MAX,
        WARPS = 4,
        THREADS = 32 * WARPS,
        BLOCKS = 3,
        TILES = C == 1   ? 8
                : C == 4 ? 3
                         : 4,
        ROWS_MAX = 160, /* of a strip, which begins with 8 (DEEP - 1) rows that only fill the sums */
        WARP_BYTES = TILE * TILES * PIXEL,
        OUT_BYTES = WARP_BYTES * WARPS,
        HALO = (REACH * PIXEL + CHUNK - 1) / CHUNK * CHUNK,
        CHUNKS = (OUT_BYTES + 2 * HALO) / CHUNK, /* of a row */
        /* Where rows of the bytes that the lanes load at once lie in different banks. */
        UNIT = C == 2   ? 64
               : C == 4 ? 16
                        : 32,
        UNITS = (CHUNKS * CHUNK + UNIT - 1) / UNIT,
        PITCH = (UNITS + 1 - UNITS % 2) * UNIT,
        STEP_BYTES = STEP_ROWS * PITCH,
        RESULT_PITCH = WARP_BYTES + CHUNK,
        SHARED = STAGES * STEP_BYTES + WARPS * STEP_ROWS * RESULT_PITCH
    };
};

/* All numbers that lanes read: the bands of the row and of the column, and the sums' beginnings. A sum begins with half
 * of its last place's unit, and the mean of its losses. */
typedef struct Lanes {
    uint32_t along[PLANES][HALF][32], down[PLANES][HALF][32];
    int start_along[4], start_down[4];
} Lanes;

/* sums = start + a * b, 16 x 32 times 32 x 8; rows 0 to 7 of a, and rows 8 to 15. */
static __device__ __forceinline__ void multiply_wide(int (&sums)[4], const int (&start)[4],
                                                     const uint32_t (&first)[HALF], const uint32_t (&second)[HALF],
                                                     const uint32_t (&b)[HALF]) {
    multiply_deep(sums, start, first[0], second[0], first[1], second[1], b[0], b[1]);
}

/* The lower and the upper bytes of four values, each in half of a word of its own, of the words of two each. */
static __device__ __forceinline__ void split(uint32_t first, uint32_t second, uint32_t &low, uint32_t &high) {
    low = __byte_perm(first, second, 0x5410);
    high = __byte_perm(first, second, 0x7632);
}

/* Loads four pixels from memory that is aligned to 8 bytes, to 16 for two and four channels. It takes apart their lower
 * bytes and their upper ones, a word a channel. */
template <int C>
static __device__ __forceinline__ void load_bytes(const uint8_t *from, uint32_t (&low)[C], uint32_t (&high)[C]) {
    uint32_t w[2 * C];
#pragma unroll
    for (int i = 0; i < 2 * C; i += C % 2 ? 2 : 4)
        if constexpr (C % 2 == 1)
            *(uint2 *)&w[i] = *(const uint2 *)(from + 4 * i);
        else
            *(uint4 *)&w[i] = *(const uint4 *)(from + 4 * i);
    if constexpr (C == 1) {
        low[0] = __byte_perm(w[0], w[1], 0x6420);
        high[0] = __byte_perm(w[0], w[1], 0x7531);
    } else if constexpr (C == 3) {
        split(__byte_perm(w[0], w[1], 0x7160), __byte_perm(w[3], w[4], 0x7160), low[0], high[0]);
        split(__byte_perm(w[0], w[2], 0x5342), __byte_perm(w[3], w[5], 0x5342), low[1], high[1]);
        split(__byte_perm(w[1], w[2], 0x7160), __byte_perm(w[4], w[5], 0x7160), low[2], high[2]);
    } else {
#pragma unroll
        for (int i = 0; i < C / 2; i++) {
            const uint32_t a = w[i], b = w[C / 2 + i], c = w[C + i], d = w[3 * C / 2 + i];
            split(__byte_perm(a, b, 0x5140), __byte_perm(c, d, 0x5140), low[2 * i], high[2 * i]);
            split(__byte_perm(a, b, 0x7362), __byte_perm(c, d, 0x7362), low[2 * i + 1], high[2 * i + 1]);
        }
    }
}

/* Two bytes become the last half of the words, after the others have moved. */
static __device__ __forceinline__ void push_bytes(uint32_t (&words)[HALF], uint32_t bytes, bool upper) {
    words[0] = __byte_perm(words[0], words[1], 0x5432);
    words[1] = __byte_perm(words[1], bytes, upper ? 0x7632 : 0x5432);
}

/* The state that the steps of a strip hand on. */
template <typename S, int C> struct March {
    uint32_t between[S::TILES][C][PLANES][HALF];
    uint32_t along[PLANES][HALF], down[PLANES][HALF];
    int start_along[4], start_down[4];
    StripPlace at;
};

/* The sums along two rows, of a pixel. */
template <typename M>
static __device__ __forceinline__ void push_sums(const M &march, const uint32_t (&low)[HALF],
                                                 const uint32_t (&high)[HALF], uint32_t (&between)[PLANES][HALF]) {
    const int zero[4] = {};
    int upper[4], lower[4];
    multiply_wide(upper, zero, march.along[2], march.along[1], high); /* of which half is of no use */
    multiply_wide(lower, march.start_along, march.along[2], march.along[1], low);
    multiply_wide(lower, lower, march.along[1], march.along[0], high);
    const uint32_t first = (uint32_t)((upper[0] * 256 + lower[0]) * 256 + lower[2]);
    const uint32_t second = (uint32_t)((upper[1] * 256 + lower[1]) * 256 + lower[3]);
    const uint32_t middle = __byte_perm(first, second, 0x6251), top = __byte_perm(first, second, 0x0073);
    push_bytes(between[0], middle, false);
    push_bytes(between[1], middle, true);
    push_bytes(between[2], top, false);
}

/* The results of a row of two pixels next to each other. */
template <typename M>
static __device__ __forceinline__ uint32_t sum_columns(const M &march, const uint32_t (&between)[PLANES][HALF]) {
    const uint32_t none[HALF] = {};
    const int zero[4] = {};
    int upper[4], middle[4], lower[4];
    multiply_wide(upper, march.start_down, march.down[2], march.down[1], between[2]);
    multiply_wide(middle, zero, march.down[2], march.down[1], between[1]);
    multiply_wide(lower, zero, march.down[2], march.down[1], between[0]);
    multiply_wide(middle, middle, none, march.down[0], between[2]);
    multiply_wide(lower, lower, none, march.down[0], between[1]);
    int results[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int last = middle[2 + i] + lower[i] + (lower[2 + i] >> 8);
        results[i] = upper[i] + ((upper[2 + i] + middle[i] + (last >> 8)) >> 8);
    }
    uint32_t packed;
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(packed) : "r"(results[1]), "r"(results[0]));
    return packed;
}

/* Two pixels, of which each channel has a word, as they lie in a row. */
template <int C> static __device__ __forceinline__ void put_pixels(const uint32_t (&pairs)[C], uint8_t *to) {
    uint32_t words[C];
#pragma unroll
    for (int i = 0; i < C; i++) {
        const int a = 2 * i, b = a + 1; /* the values of the word */
        words[i] = C == 1 ? pairs[0]
                          : __byte_perm(pairs[a % C], pairs[b % C], (a / C ? 0x32 : 0x10) | (b / C ? 0x7600 : 0x5400));
    }
    if constexpr (C == 4)
        *(uint4 *)to = make_uint4(words[0], words[1], words[2], words[3]);
    else if constexpr (C == 2)
        *(uint2 *)to = make_uint2(words[0], words[1]);
    else
#pragma unroll
        for (int i = 0; i < C; i++)
            ((uint32_t *)to)[i] = words[i];
}

template <typename S, int C>
static __device__ __forceinline__ void step(const Plane &in, const Plane &out, const Sum &job, const Edges &edges,
                                            int top, int left, uint8_t *shared, March<S, C> &march) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, width = in.width * S::PIXEL;
    const uint8_t *stage = next_rows<S>(in, job, edges, left, shared, march.at);
    const uint8_t *from =
        stage + lane / 4 * S::PITCH + S::HALO - S::REACH * S::PIXEL + warp * S::WARP_BYTES + lane % 4 * 4 * S::PIXEL;
    uint32_t low[S::TILES + 2][C], high[S::TILES + 2][C];
    load_bytes<C>(from, low[0], high[0]);
    load_bytes<C>(from + TILE * S::PIXEL, low[1], high[1]);
#pragma unroll
    for (int t = 0; t < S::TILES; t++) {
        load_bytes<C>(from + (t + 2) * TILE * S::PIXEL, low[t + 2], high[t + 2]);
#pragma unroll
        for (int c = 0; c < C; c++) {
            const uint32_t lows[HALF] = {low[t][c], low[t + 2][c]}, highs[HALF] = {high[t][c], high[t + 2][c]};
            push_sums(march, lows, highs, march.between[t][c]);
        }
    }
    if (march.at.row >= top) {
        uint8_t *results = shared + STAGES * S::STEP_BYTES + warp * (STEP_ROWS * S::RESULT_PITCH);
        uint8_t *to = results + lane / 4 * S::RESULT_PITCH + lane % 4 * 2 * S::PIXEL;
#pragma unroll
        for (int t = 0; t < S::TILES; t++) {
            uint32_t pairs[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                pairs[c] = sum_columns(march, march.between[t][c]);
            put_pixels<C>(pairs, to + t * TILE * S::PIXEL);
        }
        __syncwarp();
        store_rows<S>(out, width, blockIdx.x * S::OUT_BYTES + warp * S::WARP_BYTES, march.at.row, results);
        __syncwarp();
    }
    march.at.row += STEP_ROWS;
}

/* `rows`: of a strip. */
template <typename S, int C>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    convolve_outer_wide(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                        const __grid_constant__ Sum job, const __grid_constant__ Edges edges,
                        const Lanes *__restrict__ lanes, int rows) {
    extern __shared__ __align__(16) uint8_t shared[];
    const int lane = threadIdx.x % 32, left = blockIdx.x * S::OUT_BYTES - S::HALO, top = blockIdx.y * rows;
    March<S, C> march = {};
    march.at = begin_strip<S>(in, job, left, top, min(top + rows, out.height), shared);
#pragma unroll
    for (int p = 0; p < PLANES; p++)
#pragma unroll
        for (int i = 0; i < HALF; i++)
            march.along[p][i] = lanes->along[p][i][lane], march.down[p][i] = lanes->down[p][i][lane];
    *(int4 *)march.start_along = *(const int4 *)lanes->start_along;
    *(int4 *)march.start_down = *(const int4 *)lanes->start_down;
#pragma unroll 1
    while (march.at.row < march.at.bottom)
        step<S, C>(in, out, job, edges, top, left, shared, march);
}

/* A side of the mask as whole numbers of 2^-BITS. */
typedef struct Side {
    int count, whole[2 * REACH_MAX + 1];
    double sum, squares; /* of the weights as they are; */
    double lost;         /* of the squares of their roundings */
    int lowest;          /* sum of their lowest bytes */
} Side;

/* The lowest byte of a weight, signed. */
static int signed_byte(int weight) {
    return ((weight & 255) ^ 128) - 128;
}

/* To a whole number below 2^51; much sooner than by rint(), which thousands of sides call for. */
static double rounded(double value) {
    return (value + 0x1.8p52) - 0x1.8p52;
}

/* Rounds so that the sum is rounded, too: each weight takes over the loss of those before it. */
static void make_side(const double *weights, int count, double scale, Side *side) {
    double exact = 0, whole = 0;
    *side = Side();
    side->count = count;
    for (int i = 0; i < count; i++) {
        const double weight = weights[i] * scale;
        exact += weight;
        side->whole[i] = (int)(rounded(exact) - whole);
        whole = rounded(exact);
        side->sum += weights[i];
        side->squares += weights[i] * weights[i];
        side->lost += (weight - side->whole[i]) * (weight - side->whole[i]);
        side->lowest += signed_byte(side->whole[i]);
    }
}

typedef struct Product {
    Side row, column;
    double error; /* of results: the standard deviation, and the bias at both ends */
} Product;

/* Takes the scale that loses least, among those that leave the sums along rows 16 bits or little less. */
static bool take_apart(const Mask *mask, Product *product) {
    enum { SCALES = 1 << 12, STEP = 983 };
    const double full = 1 << BITS, deviation = 18918, byte = 73.9;
    MaskTerms terms;
    bool found = false;
    if (mask_factor(mask, 1, &terms) != STATUS_OK)
        return false;
    double row_sum = 0;
    for (int i = 0; i < mask->width; i++)
        row_sum += terms.rows[i];
    for (int i = 0; i < mask->height; i++)
        terms.columns[i] *= row_sum / (double)mask->divisor;
    for (int i = 0; i < mask->width; i++)
        terms.rows[i] /= row_sum;
    double best = 0, min = INFINITY, whole_max = 0; /* min: variance */
    Side row, column;
    make_side(terms.columns, mask->height, full, &column);
    const double between = 0.2887 / 256, low = byte * byte * sqrt(mask->width) / full, squares = column.squares;
    for (int k = 0; k < SCALES; k++) {
        const double part = 1 - (double)k * STEP / full;
        make_side(terms.rows, mask->width, full * part, &row);
        const double flat = 127.5 * abs(row.lowest) / full;
        const double along = deviation * deviation * row.lost / (full * full) + low * low + between * between;
        /* A sum that is black would be negative; or the row alone loses more than both do at another scale. */
        if (abs(row.lowest) > 256 || along * squares + flat * flat >= min)
            continue;
        make_side(terms.columns, mask->height, full / part, &column);
        double sums[2] = {};
        for (int i = 0; i < row.count; i++)
            sums[0] += row.whole[i];
        for (int i = 0; i < column.count; i++)
            sums[1] += column.whole[i];
        const double mean = 32768 * fabs(sums[0] * sums[1] / (full * full) - column.sum);
        const double down = deviation * deviation * row.squares * column.lost / (full * full);
        const double error = along * squares + down + mean * mean + flat * flat;
        if (error < min)
            min = error, best = part;
    }
    if (best > 0) {
        make_side(terms.rows, mask->width, full * best, &product->row);
        make_side(terms.columns, mask->height, full / best, &product->column);
        product->error = sqrt(min);
        found = true;
        for (int i = 0; i < mask->width; i++)
            whole_max = fmax(whole_max, abs(product->row.whole[i]));
        for (int i = 0; i < mask->height; i++)
            whole_max = fmax(whole_max, abs(product->column.whole[i]));
        found = whole_max < 127 * 65536;
    }
    mask_terms_free(&terms);
    return found;
}

#define ERROR_MAX 9e-4

extern "C" bool outer_wide_accepts(const Device *device, const Stage *stage, const char **why_not) {
    const ConvolveJob *job = convolve_job(stage);
    const Mask *mask = job->mask;
    const Shape shape = stage->out.shape;
    *why_not = "this GPU's tensor cores do not multiply bytes; they do from compute capability 8.0 on";
    if (((const GpuDevice *)device)->limits.major < 8)
        return false;
    *why_not = "of u16 it takes masks of up to 25 a side, not larger than the picture, without a bias, and stores u16";
    if (shape.type != PIXEL_U16 || job->bias != 0 || mask->width > 2 * REACH_MAX + 1 ||
        mask->height > 2 * REACH_MAX + 1 || shape.width < (size_t)mask->width || shape.height < (size_t)mask->height)
        return false;
    *why_not = "of u16 it takes only borders of zero and of one";
    if (job->border.mode == BORDER_CONSTANT && job->border.value != 0 && job->border.value != 65535)
        return false;
    *why_not = "the mask has negative weights, or its sum is not one";
    for (int i = 0; i < mask->width * mask->height; i++)
        if (mask->weights[i] < 0)
            return false;
    if (!(mask->divisor > 0) || fabs(mask_sum(mask) - 1) > 1e-6)
        return false;
    Product product;
    *why_not = "weights of 24 bits would round too many values differently";
    return !halves_occur(mask) && take_apart(mask, &product) && rounds_alike(stage, product.error, ERROR_MAX);
}

/* As lanes hold matrices for mma.m16n8k32 of bytes (PTX ISA): lane / 4 is the row, lane % 4 has four columns of each
 * half. */
static void put_byte(const Side *side, int i, int k, uint32_t (*planes)[HALF][32], int half, int lane) {
    int weight = i >= 0 && i < side->count ? side->whole[i] : 0;
    for (int p = 0; p < PLANES; p++) {
        const int byte = signed_byte(weight);
        planes[p][half][lane] |= (uint32_t)(byte & 255) << 8 * k;
        weight = (weight - byte) / 256;
    }
}

static void fill_lanes(const Product *product, Lanes *lanes) {
    *lanes = Lanes();
    lanes->start_along[2] = lanes->start_along[3] = 128 + (int)rint(127.5 * product->row.lowest / 256);
    lanes->start_down[2] = lanes->start_down[3] = 128;
    for (int half = 0; half < HALF; half++)
        for (int lane = 0; lane < 32; lane++)
            for (int k = 0; k < 4; k++) {
                const int column = half * 16 + lane % 4 * 4 + k, out = lane / 4 + REACH_MAX;
                const int row = (half * 2 + k / 2) * STEP_ROWS + lane % 4 * 2 + k % 2;
                put_byte(&product->row, column - out + product->row.count / 2, k, lanes->along, half, lane);
                put_byte(&product->column, row - out + product->column.count / 2, k, lanes->down, half, lane);
            }
}

/* The lanes on the device. */
static Status make_lanes(Queue *queue, const void *from, void *entry) {
    const Mask *mask = (const Mask *)from;
    Product product;
    Lanes lanes;
    if (!take_apart(mask, &product))
        return fail(STATUS_DEVICE, "no memory for a mask");
    fill_lanes(&product, &lanes);
    const int facts[KEPT_FACTS] = {};
    return gpu_keep(queue, (GpuKept *)entry, mask, &lanes, sizeof lanes, facts);
}

static const CacheKind kept_lanes = GPU_KEPT(make_lanes);

template <int C> static Instance instance_of(void) {
    typedef Strip<C> S;
    return strip_instance<S>((const void *)convolve_outer_wide<S, C>);
}

extern "C" Status outer_wide_run(Queue *queue, const Stage *stage) {
    static Instance (*const instances[])(void) = {instance_of<1>, instance_of<2>, instance_of<3>, instance_of<4>};
    const int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Edges edges = edges_of(job, in.width);
    job.outside = job.outside > 0 ? 255 : 0;
    const GpuKept *kept;
    TRY(gpu_kept(queue, &kept_lanes, convolve_job(stage)->mask, &kept));
    void *lanes = kept->memory.memory;
    const Instance instance = instances[channels - 1]();
    int rows;
    const Launch launch = strip_launch(queue, &instance, out.width * channels * 2, out.height, &rows);
    void *arguments[] = {&in, &out, &job, &edges, &lanes, &rows};
    return gpu_launch(queue, "convolve outer", instance.kernel, launch, arguments);
}
