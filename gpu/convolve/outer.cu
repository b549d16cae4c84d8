/* outer.cu: outer products on u8, on the tensor cores twice, for masks of up to 57 a side and any number of channels.
 * A block marches down a strip, 8 rows a step. For 8 neighbouring pixels of a channel the sums along 8 rows are a
 * product with a banded Toeplitz matrix,
 *     between(x, y) = sum over k of band(x, k) * in(k, y),  band(x, k) = row(k - x),
 * after which each lane has those of one pixel and two rows. Rounded to 16 bits and taken apart into two bytes, these
 * sums are the lane's part of the pixels' matrix in a second product. It multiplies the column's band with the rows of
 * this step and the ones before it,
 *     out(y, x) = sum over k of band(y, k) * between(x, k),  band(y, k) = column(k - y).
 * Values between the passes stay in registers, and nothing is computed twice. A step's sums take the place of the
 * oldest ones; the band's columns are in the order in which the rows then lie. */
#include "gpu/convolve/planes.cuh"
#include "gpu/convolve/strip.cuh"
extern "C" {
#include "gpu/convolve/accepts.h"
#include "gpu/convolve/measured.h"
#include "gpu/convolve/outer_wide.h"
#include "gpu/convolve/rounding.h"
}

enum { DEEP_MAX = 8, REACH_MAX = 4 * (DEEP_MAX - 1) };

/* Masks that reach up to 4 * (DEEP - 1) pixels from their anchor: DEEP steps of 8 rows have all that a step of results
 * needs. */
template <int C, int DEEP> struct Strip {
    enum {
        PIXEL = C, /* bytes */
        REACH = 4 * (DEEP - 1),
        WORDS = DEEP / 2, /* of the pixels' matrix in a lane */
        WARPS = 4,
        THREADS = 32 * WARPS,
        BLOCKS = DEEP == 4 && C != 3 ? 5 : 4,
        TILES = C == 3 ? 4 : 8 / C,
        /* Rows of a strip, which begins with 8 (DEEP - 1) rows that only fill the sums. */
        ROWS_MAX = DEEP > 4 ? 40 * DEEP : 160,
        WARP_BYTES = TILE * TILES * C,
        OUT_BYTES = WARP_BYTES * WARPS,
        HALO = (REACH * C + CHUNK - 1) / CHUNK * CHUNK,
        CHUNKS = (OUT_BYTES + 2 * HALO) / CHUNK, /* of a row */
        /* Where 8 rows of the bytes that the lanes load at once lie in different banks. */
        UNIT = C == 2   ? 32
               : C == 4 ? 64
                        : 16,
        PITCH = (CHUNKS * CHUNK + UNIT - 1) / UNIT % 2 ? (CHUNKS * CHUNK + UNIT - 1) / UNIT * UNIT
                                                       : (CHUNKS * CHUNK + UNIT - 1) / UNIT * UNIT + UNIT,
        STEP_BYTES = STEP_ROWS * PITCH,
        RESULT_PITCH = WARP_BYTES + CHUNK,
        SHARED = STAGES * STEP_BYTES + WARPS * STEP_ROWS * RESULT_PITCH
    };
};

/* The factors that move a result into a word's uppermost byte. */
typedef struct Factors {
    int low, high;
} Factors;

/* sums = start + bands * words of pixels. */
template <int WORDS>
static __device__ __forceinline__ void multiply_all(int (&sums)[4], const int (&start)[4], const uint2 (&a)[WORDS],
                                                    const uint32_t (&pixels)[WORDS]) {
    if constexpr (WORDS > 1)
        multiply_deep(sums, start, a[0].x, a[0].y, a[1].x, a[1].y, pixels[0], pixels[1]);
    else
        multiply(sums, start, a[0], pixels[0]);
    if constexpr (WORDS > 3)
        multiply_deep(sums, sums, a[2].x, a[2].y, a[3].x, a[3].y, pixels[2], pixels[3]);
    else if constexpr (WORDS > 2)
        multiply(sums, sums, a[2], pixels[2]);
}

/* The sums of a pixel and two rows become the last half, after the others have moved: of the lower bytes and of the
 * upper. */
template <bool EXACT, int WORDS>
static __device__ __forceinline__ void push_sums(const int (&sums)[4], uint32_t (&low)[WORDS],
                                                 uint32_t (&high)[WORDS]) {
    const uint32_t first = (uint32_t)(sums[0] * 256 + sums[2]), second = (uint32_t)(sums[1] * 256 + sums[3]);
    const uint32_t bytes = __byte_perm(first, second, EXACT ? 0x5140 : 0x6251); /* low, low, high, high */
#pragma unroll
    for (int i = 0; i + 1 < WORDS; i++) {
        low[i] = __byte_perm(low[i], low[i + 1], 0x5432);
        high[i] = __byte_perm(high[i], high[i + 1], 0x5432);
    }
    low[WORDS - 1] = __byte_perm(low[WORDS - 1], bytes, 0x5432);
    high[WORDS - 1] = __byte_perm(high[WORDS - 1], bytes, 0x7632);
}

/* The results of a row of two pixels next to each other, as whole numbers or, if not EXACT, in the uppermost byte. The
 * sums of upper bytes times upper weights are where those of lower ones are added, too, and so are counted once more.
 */
template <bool EXACT, int WORDS>
static __device__ __forceinline__ void sum_columns(const Sum &job, const Factors &factors, const int (&start)[4],
                                                   const uint2 (&bands)[2][WORDS], const uint32_t (&low)[WORDS],
                                                   const uint32_t (&high)[WORDS], int (&results)[2]) {
    int upper[4], sums[4];
    multiply_all<WORDS>(upper, start, bands[0], high);
    multiply_all<WORDS>(sums, upper, bands[1], low);
#pragma unroll
    for (int i = 0; i < 2; i++)
        if (EXACT)
            results[i] = __float2int_rn(finish(job, (float)(upper[i] * 65535 + sums[2 + i] * 256 + sums[i])));
        else
            results[i] = (sums[2 + i] + (sums[i] >> 8)) * factors.low + upper[i] * factors.high;
}

template <bool EXACT> static __device__ __forceinline__ uint32_t pack_two(int first, int second) {
    return EXACT ? pack(first, second, 0) : __byte_perm((uint32_t)first, (uint32_t)second, 0x0073);
}

/* Two pixels as they lie in a row. */
template <bool EXACT, int C>
static __device__ __forceinline__ void put_pixels(const int (&results)[C][2], uint8_t *to) {
    uint32_t pairs[C];
#pragma unroll
    for (int i = 0; i < C; i++)
        pairs[i] = pack_two<EXACT>(results[2 * i % C][2 * i / C], results[(2 * i + 1) % C][(2 * i + 1) / C]);
    if constexpr (C == 4)
        *(uint2 *)to = make_uint2(__byte_perm(pairs[0], pairs[1], 0x5410), __byte_perm(pairs[2], pairs[3], 0x5410));
    else if constexpr (C == 2)
        *(uint32_t *)to = __byte_perm(pairs[0], pairs[1], 0x5410);
    else
#pragma unroll
        for (int i = 0; i < C; i++)
            ((uint16_t *)to)[i] = (uint16_t)pairs[i];
}

/* The state that the steps of a strip hand on. */
template <typename S, int C> struct March {
    uint32_t low[S::TILES][C][S::WORDS], high[S::TILES][C][S::WORDS];
    uint2 along[S::WORDS];
    int start_along[4], start_down[4]; /* sums begin with half of their last place's unit */
    uint2 down[2][S::WORDS];           /* the column's bands, then with the weights' lower bytes first */
    int out_left;
    StripPlace at;
};

template <typename S, int C, bool EXACT>
static __device__ __forceinline__ void step(const Plane &in, const Plane &out, const Sum &job, const Factors &factors,
                                            const Edges &edges, int top, int left, uint8_t *shared,
                                            March<S, C> &march) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint8_t *stage = next_rows<S>(in, job, edges, left, shared, march.at);
    const uint8_t *from =
        stage + lane / 4 * S::PITCH + S::HALO - S::REACH * C + warp * S::WARP_BYTES + lane % 4 * 4 * C;
    uint32_t planes[S::TILES + 2 * S::WORDS - 2][C];
#pragma unroll
    for (int e = 0; e < 2 * S::WORDS - 2; e++)
        load_planes<C>(from + e * TILE * C, planes[e]);
#pragma unroll
    for (int t = 0; t < S::TILES; t++) {
        load_planes<C>(from + (t + 2 * S::WORDS - 2) * TILE * C, planes[t + 2 * S::WORDS - 2]);
#pragma unroll
        for (int c = 0; c < C; c++) {
            uint32_t pixels[S::WORDS];
            int sums[4];
#pragma unroll
            for (int i = 0; i < S::WORDS; i++)
                pixels[i] = planes[t + 2 * i][c];
            multiply_all<S::WORDS>(sums, march.start_along, march.along, pixels);
            push_sums<EXACT>(sums, march.low[t][c], march.high[t][c]);
        }
    }
    if (march.at.row >= top) {
        uint8_t *results = shared + STAGES * S::STEP_BYTES + warp * (STEP_ROWS * S::RESULT_PITCH);
        uint8_t *to = results + lane / 4 * S::RESULT_PITCH + lane % 4 * 2 * C;
#pragma unroll
        for (int t = 0; t < S::TILES; t++) {
            int bytes[C][2];
#pragma unroll
            for (int c = 0; c < C; c++)
                sum_columns<EXACT>(job, factors, march.start_down, march.down, march.low[t][c], march.high[t][c],
                                   bytes[c]);
            put_pixels<EXACT, C>(bytes, to + t * TILE * C);
        }
        __syncwarp();
        store_rows<S>(out, out.width * C, march.out_left, march.at.row, results);
        __syncwarp();
    }
    march.at.row += STEP_ROWS;
}

/* `lanes`: the bands of the row; those of the column, twice; the values that sums begin with. `rows`: of a strip. */
template <typename S, int C, bool EXACT>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    convolve_outer(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                   const __grid_constant__ Factors factors, const __grid_constant__ Edges edges,
                   const uint2 *__restrict__ lanes, int rows) {
    enum { WORDS = S::WORDS };
    extern __shared__ __align__(16) uint8_t shared[];
    const int lane = threadIdx.x % 32, left = blockIdx.x * S::OUT_BYTES - S::HALO, top = blockIdx.y * rows;
    March<S, C> march = {};
    march.out_left = blockIdx.x * S::OUT_BYTES + (int)threadIdx.x / 32 * S::WARP_BYTES;
    march.at = begin_strip<S>(in, job, left, top, min(top + rows, out.height), shared);
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        march.along[i] = lanes[i * 32 + lane];
#pragma unroll
    for (int i = 0; i < 2 * WORDS; i++)
        march.down[i / WORDS][i % WORDS] = lanes[(WORDS + i) * 32 + lane];
    /* Loaded: the compiler would compute them each time. */
    *(int4 *)march.start_along = ((const int4 *)(lanes + 3 * WORDS * 32))[0];
    *(int4 *)march.start_down = ((const int4 *)(lanes + 3 * WORDS * 32))[1];
#pragma unroll 1
    while (march.at.row < march.at.bottom)
        step<S, C, EXACT>(in, out, job, factors, edges, top, left, shared, march);
}

/* A column of the mask, or its row, as whole numbers. */
typedef struct FixedPointSide {
    FixedPointMask whole;
    int count, anchor;
    double sum, squares; /* of the weights as they are */
} FixedPointSide;

static Status fixed_point_side(const double *weights, int count, double scale, int exponent_max, FixedPointSide *side) {
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
    const Status status = fixed_point_mask_up_to(mask, exponent_max, &side->whole);
    mask_destroy(&mask);
    return status;
}

enum { BETWEEN_EXPONENT = 16, UPPERMOST = 24 };

/* The mask as whole numbers. */
typedef struct Product {
    FixedPointSide row, column;
    bool exact;   /* nothing was lost; else both sum to about one, and */
    int scale;    /* 2^16 times the sums along rows are in these, which the column's weights make up for */
    double error; /* standard deviation in code values */
} Product;

static void product_free(Product *product) {
    fixed_point_mask_free(&product->row.whole);
    fixed_point_mask_free(&product->column.whole);
}

#define BETWEEN (0.2887 / 256) /* the standard deviation of a sum along a row by its rounding */
#define AGAIN   (1 + 0x1p-16)  /* for terms that count twice */

/* The squared error of a result, for a row and a column of these weights. Sums along rows are `scale` / 2^16 times
 * the true ones. The column's own scale is a power of two. */
static double lost_at(const DistinctWeights *of, double scale) {
    const double part = scale / 65536;
    double max = 0, squares = 0;
    for (int i = 0; i < of->count; i++) {
        max = fmax(max, of->weights[i]);
        squares += of->times[i] * of->weights[i] * of->weights[i];
    }
    const int exponent = (int)fmin(floor(log2((FIXED_POINT_MAX - 1) * part / max)), UPPERMOST - 2);
    const double column = fixed_point_error(of, ldexp(1, exponent) / part / AGAIN), row = fixed_point_error(of, scale);
    return column * column + squares * (row * row + BETWEEN * BETWEEN / (part * part));
}

/* The scale that loses least, among those that leave the sums of rows 16 bits or little less. A row's errors average
 * out down the column, so that the column's weights count. */
static int best_scale(const double *weights, int count, double unit) {
    enum { FULL = 1 << BETWEEN_EXPONENT, STEP = 4 };
    double parts[FIXED_POINT_SEARCHED];
    for (int i = 0; i < count; i++)
        parts[i] = weights[i] * unit;
    return (int)fixed_point_search(lost_at, parts, count, FULL, -STEP, FULL / 4 / STEP);
}

/* Takes the row and the column apart as whole numbers. The product is exact if neither loses anything and the sums fit;
 * else each is made to sum to one. */
static Status take_apart(const Mask *mask, Product *product) {
    enum { ANY = 24 };
    MaskTerms terms;
    *product = Product();
    TRY(mask_factor(mask, 1, &terms));
    FixedPointSide *row = &product->row, *column = &product->column;
    Status status = fixed_point_side(terms.columns, mask->height, 1, ANY, column);
    if (status == STATUS_OK)
        status = fixed_point_side(terms.rows, mask->width, 1, ANY, row);
    product->exact = status == STATUS_OK && column->whole.exponent == 0 && row->whole.exponent == 0 &&
                     column->whole.error == 0 && row->whole.error == 0 && row->sum * 255 < 65536 &&
                     column->sum * row->sum * 255 < 0x1p24;
    if (status == STATUS_OK && !product->exact && row->sum > 0 && column->sum > 0) {
        const double whole = row->sum, unit = 1 / whole;
        product->scale = best_scale(terms.columns, mask->height, whole);
        const double part = product->scale / 65536.0;
        product_free(product);
        status = fixed_point_side(terms.rows, mask->width, part * unit, BETWEEN_EXPONENT, row);
        if (status == STATUS_OK)
            status = fixed_point_side(terms.columns, mask->height, whole / part / AGAIN, UPPERMOST - 2, column);
        const double between = BETWEEN * sqrt(column->squares);
        product->error = sqrt(column->whole.error * column->whole.error * part * part + between * between +
                              row->whole.error * row->whole.error * column->squares);
    }
    mask_terms_free(&terms);
    return status;
}

#define ERROR_MAX 9e-4 /* standard deviation in code values */

/* Whether the whole numbers are near enough to the mask's weights; if not, *why_not says why. */
static bool outer_fits(const Stage *stage, const char **why_not) {
    const Mask *mask = convolve_job(stage)->mask;
    Product product = Product();
    bool good = false;
    *why_not = "it takes masks of up to 57 a side";
    if (mask->width > 2 * REACH_MAX + 1 || mask->height > 2 * REACH_MAX + 1)
        return false;
    *why_not = "the mask has negative weights, or its sum is not one";
    for (int i = 0; i < mask->width * mask->height; i++)
        if (mask->weights[i] < 0)
            return false;
    if (take_apart(mask, &product) == STATUS_OK) {
        const bool one = fabs(mask_sum(mask) - 1) < 1e-6 && mask->divisor == 1;
        good = product.exact || (one && product.row.whole.error > 0 && /* else halves occur */
                                 rounds_alike(stage, product.error, ERROR_MAX) &&
                                 product.row.whole.exponent == BETWEEN_EXPONENT && product.column.whole.exponent >= 8);
        if (!good && one)
            *why_not = "weights of 16 bits would round too many values differently";
    }
    product_free(&product);
    return good;
}

static int weight_at(const FixedPointSide *side, int i) {
    return i >= 0 && i < side->count ? side->whole.whole[i] : 0;
}

/* How many steps a step of results needs. */
static int depth_for(const Mask *mask) {
    const int side = mask->width > mask->height ? mask->width : mask->height;
    int deep = 2;
    while (4 * (deep - 1) < side / 2)
        deep += 2;
    return deep;
}

/* Everything that the kernel reads, 3 * deep / 2 * 32 + 4 numbers. Lanes hold matrices for mma.m16n8k16 of bytes (PTX
 * ISA): lane / 4 is the row, lane % 4 has four columns. Two of them next to each other make one for m16n8k32. */
static void fill_lanes(const Product *product, int deep, uint2 *lanes) {
    const int count = deep / 2 * 32, reach = 4 * (deep - 1);
    for (int i = 0; i < count; i++) {
        uint2 along = make_uint2(0, 0), down = make_uint2(0, 0);
        const int column = i / 32 * 16 + i % 4 * 4 - i % 32 / 4 - reach + product->row.anchor;
        for (int k = 0; k < 4; k++) {
            const int row = (i / 32 * 2 + k / 2) * STEP_ROWS + i % 4 * 2 + k % 2;
            put_weight(weight_at(&product->row, column + k), k, &along);
            put_weight(weight_at(&product->column, row - i % 32 / 4 - reach + product->column.anchor), k, &down);
        }
        lanes[i] = along;
        lanes[count + i] = down;
        lanes[2 * count + i] = make_uint2(down.y, down.x);
    }
    lanes += 3 * count;
    const unsigned half = product->exact ? 0 : 128;
    const unsigned half_down = product->exact ? 0 : 1U << (product->column.whole.exponent - 1);
    lanes[0] = lanes[2] = make_uint2(0, 0);
    lanes[1] = make_uint2(half, half);
    lanes[3] = make_uint2(half_down, half_down);
}

static Status make_terms(Queue *queue, const void *from, void *entry) {
    static const size_t bytes = (3 * DEEP_MAX / 2 * 32 + 4) * sizeof(uint2);
    const Mask *mask = (const Mask *)from;
    Product product = Product();
    uint2 *lanes = (uint2 *)calloc(1, bytes);
    Status status = lanes ? take_apart(mask, &product) : fail(STATUS_DEVICE, "no memory for a mask");
    if (status == STATUS_OK) {
        fill_lanes(&product, depth_for(mask), lanes);
        const int facts[KEPT_FACTS] = {product.column.whole.exponent, product.exact};
        status = gpu_keep(queue, (GpuKept *)entry, mask, lanes, bytes, facts);
    }
    product_free(&product);
    free(lanes);
    return status;
}

static const CacheKind kept_terms = GPU_KEPT(make_terms);

static bool is_wide(const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U16;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (is_wide(stage))
        return accepts_separable(device, stage, why_not) && outer_wide_accepts(device, stage, why_not);
    if (!accepts_separable(device, stage, why_not) || !accepts_bytes(device, stage, why_not))
        return false;
    *why_not = "sums that are not exact leave no room for a bias";
    if (convolve_job(stage)->bias != 0 && convolve_job(stage)->mask->divisor == 1)
        return false;
    *why_not = "in a picture smaller than the mask, the rounding of the weights does not average out";
    const Mask *mask = convolve_job(stage)->mask;
    const Shape shape = stage->out.shape;
    return shape.width >= (size_t)mask->width && shape.height >= (size_t)mask->height && outer_fits(stage, why_not);
}

template <int C, int DEEP> static Instance instance_of(bool exact) {
    typedef Strip<C, DEEP> S;
    return strip_instance<S>(exact ? (const void *)convolve_outer<S, C, true>
                                   : (const void *)convolve_outer<S, C, false>);
}

template <int C> static Instance instance_for(int deep, bool exact) {
    return deep == 2   ? instance_of<C, 2>(exact)
           : deep == 4 ? instance_of<C, 4>(exact)
           : deep == 6 ? instance_of<C, 6>(exact)
                       : instance_of<C, 8>(exact);
}

static Status run(Queue *queue, const Stage *stage) {
    if (is_wide(stage))
        return outer_wide_run(queue, stage);
    static Instance (*const instances[])(int, bool) = {instance_for<1>, instance_for<2>, instance_for<3>,
                                                       instance_for<4>};
    const Mask *mask = convolve_job(stage)->mask;
    const int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const GpuKept *kept;
    TRY(gpu_kept(queue, &kept_terms, mask, &kept));
    const int exponent = kept->facts[0];
    const bool exact = kept->facts[1] != 0;
    Factors factors = {1 << (UPPERMOST - exponent), 256 << (UPPERMOST - exponent)};
    void *lanes = kept->memory.memory;
    Edges edges = edges_of(job, in.width);
    const Instance instance = instances[channels - 1](depth_for(mask), exact);
    int rows;
    const Launch launch = strip_launch(queue, &instance, out.width * channels, out.height, &rows);
    void *arguments[] = {&in, &out, &job, &factors, &edges, &lanes, &rows};
    return gpu_launch(queue, "convolve outer", instance.kernel, launch, arguments);
}

extern "C" const Level cuda_convolve_outer = {
    .op = &op_convolve,
    .name = "outer",
    .idea = "outer products: tensor cores sum rows, then columns, and the sums between stay in registers",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .run = run,
};
