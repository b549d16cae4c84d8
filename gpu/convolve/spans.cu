/* spans.cu: masks of any kind and size at the rate of the arithmetic units. A row of the mask counts from its first
 * weight to its last: its span. A thread keeps the sums of 4 rows of 8 neighbouring values in registers. It walks along
 * each span by four weights at a time. Twelve values of a row of pixels are in registers, so that one 16-byte load
 * feeds 32 multiply-adds. A load of four weights serves all 4 rows.
 *
 * A warp has 8 rows of 32 values at a time. Eight threads load 16 bytes at once, 32 bytes apart in two rows. Rows of
 * the tile are an odd multiple of 16 bytes long, so that these lie in different banks.
 *
 * Sums of u16 need more than the 24 bits of f32. Values are taken less their middle. After each row of the mask, whole
 * multiples of a unit move from the sum to a total, where they are exact. */
#include "gpu/convolve/apart.cuh"
#include "gpu/convolve/tile.cuh"

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/measured.h"
#include "gpu/point/weighed.h"
}

#include <stdlib.h>
#include <string.h>

enum {
    WIDE = 8,      /* neighbouring values of a thread */
    ROWS = 4,      /* of these */
    WARP_ROWS = 8, /* that a warp computes at a time */
    WARP_COLUMNS = 32,
    DOWN = 2, /* warps */
    TILE_ROWS = DOWN * ROWS * WARP_ROWS,
    THREADS_MAX = 256
};

/* A row of the mask with weights. */
typedef struct Span {
    int row, column; /* where it begins in the tile: a multiple of 4 columns */
    int quads;       /* its length */
    int first;       /* its first weights */
} Span;

/* The mask and its tile, as the kernel gets them. */
typedef struct Spans {
    int count, quads; /* spans, and four weights of all spans */
    int rows, pitch;  /* of the tile */
    int shift;        /* columns before the mask's first, so that loads are aligned */
    Offset offset;    /* of u16: the share of the values' middle */
    float whole;      /* of u16: adding and subtracting it rounds to multiples of a unit */
} Spans;

static __device__ __forceinline__ void load_quad(float (&to)[4], const float *from) {
    const float4 quad = *(const float4 *)from;
    to[0] = quad.x, to[1] = quad.y, to[2] = quad.z, to[3] = quad.w;
}

/* Four weights times twelve values of a row. */
static __device__ __forceinline__ void add_quad(const float4 &quad, const float (&a)[4], const float (&b)[4],
                                                const float (&c)[4], float (&sums)[WIDE]) {
    const float weights[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
    for (int k = 0; k < 4; k++)
#pragma unroll
        for (int v = 0; v < WIDE; v++) {
            const int at = v + k;
            sums[v] = fmaf(weights[k], at < 4 ? a[at % 4] : at < 8 ? b[at % 4] : c[at % 4], sums[v]);
        }
}

/* The next four values of each row, and their products. */
static __device__ __forceinline__ void add_step(const float *from, int stride, const float4 &quad,
                                                const float (&a)[ROWS][4], const float (&b)[ROWS][4],
                                                float (&c)[ROWS][4], float (&sums)[ROWS][WIDE]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        load_quad(c[r], from + r * stride);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        add_quad(quad, a[r], b[r], c[r], sums[r]);
}

/* The span's products. Three steps bring the registers of the window back to where they were. */
static __device__ __forceinline__ void add_span(const float *from, int stride, const float4 *quads, int count,
                                                float (&sums)[ROWS][WIDE]) {
    float a[ROWS][4], b[ROWS][4], c[ROWS][4];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        load_quad(a[r], from + r * stride);
        load_quad(b[r], from + r * stride + 4);
    }
    for (;; from += 12, quads += 3, count -= 3) {
        add_step(from + 8, stride, quads[0], a, b, c, sums);
        if (count == 1)
            break;
        add_step(from + 12, stride, quads[1], b, c, a, sums);
        if (count == 2)
            break;
        add_step(from + 16, stride, quads[2], c, a, b, sums);
        if (count == 3)
            break;
    }
}

/* One sum where a value of the tile is not finite. The value counts where the mask covers it, also by a weight of 0.
 * Padding must not touch it. */
static __device__ __noinline__ float sum_apart(const float *from, int pitch, int shift, int width, int height,
                                               const Span *spans, int count, const float4 *quads) {
    float sum = 0;
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            sum += 0 * from[j * pitch + shift + i];
    for (int s = 0; s < count; s++) {
        const float *weights = (const float *)(quads + spans[s].first);
        float row_sum = 0;
        for (int k = 0; k < 4 * spans[s].quads; k++)
            if (weights[k] != 0)
                row_sum += weights[k] * from[spans[s].row * pitch + spans[s].column + k];
        sum += row_sum;
    }
    return sum;
}

/* Whether a value of the tile is not finite, to all threads. */
static __device__ __forceinline__ bool has_infinities(const float *tile, int count) {
    bool found = false;
    for (int i = 4 * threadIdx.x; i < count; i += 4 * blockDim.x) {
        const float4 quad = *(const float4 *)&tile[i];
        found |= !(isfinite(quad.x) && isfinite(quad.y) && isfinite(quad.z) && isfinite(quad.w));
    }
    return __syncthreads_or(found);
}

/* Values from row to row of results in shared memory: an odd number of words, so that lanes write to many banks. */
template <typename Out> static __device__ __forceinline__ int pitch_of(int width, int channels) {
    return (width * channels * (int)sizeof(Out) / 4 | 1) * 4 / (int)sizeof(Out);
}

/* A tile's results, pixel after pixel in shared memory, leave in long rows. */
template <typename Out>
static __device__ __forceinline__ void leave_rows(const Plane &out, int channels, int left, int top,
                                                  const Out *staged) {
    const int width = tile_width(channels), columns = min(width, out.width - left);
    const int rows = min((int)TILE_ROWS, out.height - top), words = width * channels * (int)sizeof(Out) / 4;
    for (int y = threadIdx.x / 32; y < rows; y += blockDim.x / 32) {
        Out *to = row_to<Out>(out, top + y) + left * channels;
        const Out *from = staged + y * pitch_of<Out>(width, channels);
        if (columns == width)
            for (int i = threadIdx.x % 32; i < words; i += 32)
                ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
        else
            for (int i = threadIdx.x % 32; i < columns * channels; i += 32)
                to[i] = from[i];
    }
}

/* Where results leave a block. */
typedef struct Exit {
    int channels, width, left, top;
    int row, at; /* the thread's first, and its first value in it */
} Exit;

template <typename Out>
static __device__ __forceinline__ void leave(const Plane &out, const Exit &exit, const float (&sums)[ROWS][WIDE],
                                             void *shared, const NoPoints &) {
    const int pitch = pitch_of<Out>(exit.width, exit.channels);
    Out *staged = (Out *)shared + exit.row * pitch + exit.at;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int v = 0; v < WIDE; v++)
            staged[r * WARP_ROWS * pitch + v * exit.channels] = Stored<Out>::from(sums[r][v]);
    __syncthreads();
    leave_rows<Out>(out, exit.channels, exit.left, exit.top, (const Out *)shared);
}
template <typename Out>
static __device__ __forceinline__ void leave(const Plane &out, const Exit &exit, const float (&sums)[ROWS][WIDE],
                                             void *shared, const PlainTypes &types) {
    if (types.out == PIXEL_U8)
        leave<uint8_t>(out, exit, sums, shared, NoPoints());
    else
        leave<float>(out, exit, sums, shared, NoPoints());
}
/* Where points follow, results are first rounded as if they were stored before these. */
template <typename Out>
static __device__ __forceinline__ void leave(const Plane &out, const Exit &exit, const float (&sums)[ROWS][WIDE],
                                             void *shared, const PointsAround &around) {
    float *made = (float *)shared;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int v = 0; v < WIDE; v++)
            made[((exit.row + r * WARP_ROWS) * exit.width + v) * exit.channels + exit.at] =
                stored_value(sums[r][v], around.made);
    __syncthreads();
    if (exit.channels == 1)
        store_points<1>(&around, &out, made, TILE_ROWS, exit.left, exit.top);
    else if (exit.channels == 2)
        store_points<2>(&around, &out, made, TILE_ROWS, exit.left, exit.top);
    else if (exit.channels == 3)
        store_points<3>(&around, &out, made, TILE_ROWS, exit.left, exit.top);
    else
        store_points<4>(&around, &out, made, TILE_ROWS, exit.left, exit.top);
}

static __device__ __forceinline__ bool reads_floats(const NoPoints &) {
    return false;
}
static __device__ __forceinline__ bool reads_floats(const PlainTypes &types) {
    return types.in == PIXEL_F32;
}
static __device__ __forceinline__ bool reads_floats(const PointsAround &around) {
    return around.in.of[0].type == PIXEL_F32;
}

/* `kept`: the spans, then their weights, which lie behind the tile in shared memory. */
template <typename In, typename Out>
__global__ void __launch_bounds__(THREADS_MAX, 2)
    convolve_spans(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                   const __grid_constant__ Spans spans, const uint4 *__restrict__ kept, int channels,
                   const __grid_constant__ typename PointsOf<In>::Type around) {
    constexpr bool CENTRED = std::is_same<In, uint16_t>::value;
    extern __shared__ __align__(16) float shared[];
    const int width = tile_width(channels), left = blockIdx.x * width, top = blockIdx.y * TILE_ROWS;
    const int warps = width / WARP_COLUMNS, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int across = warp % (warps * channels), channel = across / warps;
    const int column = across % warps * WARP_COLUMNS + lane % 4 * WIDE;
    const int row = warp / (warps * channels) * (ROWS * WARP_ROWS) + lane / 4;
    const int values = channels * spans.rows * spans.pitch, stride = WARP_ROWS * spans.pitch;
    uint4 *copy = (uint4 *)(shared + values);
    for (int i = threadIdx.x; i < spans.count + spans.quads; i += blockDim.x)
        copy[i] = kept[i];
    const Tile tile = {shared, left - job.width / 2 - spans.shift, top - job.height / 2, spans.rows, spans.pitch};
    fetch<In, CENTRED>(in, job, channels, tile, around);
    __syncthreads();
    const Span *each = (const Span *)copy;
    const float4 *quads = (const float4 *)(copy + spans.count);
    const float *from = shared + (channel * spans.rows + row) * spans.pitch + column;
    float sums[ROWS][WIDE] = {}, totals[ROWS][WIDE] = {};
    if (!CENTRED && reads_floats(around) && has_infinities(shared, values)) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int v = 0; v < WIDE; v++)
                totals[r][v] = sum_apart(from + r * stride + v, spans.pitch, spans.shift, job.width, job.height, each,
                                         spans.count, quads);
    } else {
#pragma unroll 1
        for (int s = 0; s < spans.count; s++) {
            const Span span = each[s];
            add_span(from + span.row * spans.pitch + span.column, stride, quads + span.first, span.quads, sums);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < WIDE; v++) {
                    const float part = CENTRED ? (sums[r][v] + spans.whole) - spans.whole : sums[r][v];
                    totals[r][v] += part;
                    sums[r][v] = CENTRED ? sums[r][v] - part : 0;
                }
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int v = 0; v < WIDE; v++)
            if constexpr (CENTRED) {
                const float quotient = totals[r][v] * job.inverse;
                const float rest = fmaf(-quotient, job.divisor, totals[r][v]) + sums[r][v];
                sums[r][v] = join<Out>(quotient, rest * job.inverse, spans.offset);
            } else {
                sums[r][v] = finish(job, totals[r][v]);
            }
    const Exit exit = {channels, width, left, top, row, column * channels + channel};
    __syncthreads();
    leave<Out>(out, exit, sums, shared, around);
}

/* How many weights a row of the mask has from the first to the last that is not 0; *first is where they begin. */
static int span_of(const Mask *mask, int row, int *first) {
    const float *weights = mask->weights + row * mask->width;
    int begin = 0, end = mask->width;
    while (begin < end && weights[begin] == 0)
        begin++;
    while (end > begin && weights[end - 1] == 0)
        end--;
    *first = begin;
    return end - begin;
}

static int shift_of(const Mask *mask) {
    return (4 - mask->width / 2 % 4) % 4;
}

/* The spans, into `list` unless that is NULL; returns their number. *quads: four weights of all. */
static int list_spans(const Mask *mask, Span *list, int *quads) {
    int count = 0;
    *quads = 0;
    for (int j = 0; j < mask->height; j++) {
        int first;
        const int length = span_of(mask, j, &first), begin = (first + shift_of(mask)) / 4 * 4;
        if (length == 0)
            continue;
        const Span span = {j, begin, (first + shift_of(mask) + length - begin + 3) / 4, *quads};
        if (list)
            list[count] = span;
        count++;
        *quads += span.quads;
    }
    return count;
}

static Status make_spans(Queue *queue, const void *from, void *entry) {
    const Mask *mask = (const Mask *)from;
    const int shift = shift_of(mask);
    int quads = 0;
    const int count = list_spans(mask, NULL, &quads);
    const size_t bytes = (size_t)(count + quads + 1) * sizeof(uint4);
    void *made = calloc(1, bytes);
    Span *list = (Span *)made;
    float *weights = (float *)(list + count);
    Status status = made ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a mask's spans");
    if (made) {
        const int facts[KEPT_FACTS] = {list_spans(mask, list, &quads), quads};
        for (int s = 0; s < count; s++)
            for (int k = 0; k < 4 * list[s].quads; k++) {
                const int at = list[s].column + k - shift;
                weights[4 * list[s].first + k] =
                    at >= 0 && at < mask->width ? mask->weights[list[s].row * mask->width + at] : 0;
            }
        status = gpu_keep(queue, (GpuKept *)entry, mask, made, bytes, facts);
    }
    free(made);
    return status;
}

static const CacheKind kept_spans = GPU_KEPT(make_spans);

static Spans spans_of(const Mask *mask, int channels) {
    Spans spans = {};
    spans.count = list_spans(mask, NULL, &spans.quads);
    spans.shift = shift_of(mask);
    spans.rows = TILE_ROWS + mask->height - 1;
    spans.pitch = tile_width(channels) + (spans.shift + mask->width + 3) / 4 * 4;
    spans.pitch += spans.pitch % 8 == 0 ? 4 : 0;
    return spans;
}

static size_t shared_bytes(const Spans &spans, int channels) {
    return (size_t)spans.rows * (size_t)spans.pitch * (size_t)channels * sizeof(float) +
           (size_t)(spans.count + spans.quads) * sizeof(uint4);
}

/* The largest power of two of which all weights are multiples. */
static double unit_of(const Mask *mask) {
    double unit = INFINITY;
    for (int i = 0; i < mask->width * mask->height; i++) {
        int exponent = 0;
        const long digits = (long)ldexp(frexp((double)mask->weights[i], &exponent), 24);
        if (digits != 0)
            unit = fmin(unit, ldexp((double)(digits & -digits), exponent - 24));
    }
    return unit;
}

/* Sums of u16. */
typedef struct WideSums {
    double unit;  /* multiples of it move from the sum */
    double error; /* the standard deviation of results by rounding; 0: nothing is rounded */
    bool fits;    /* f32 holds the total exactly */
} WideSums;

/* Values less their middle are 32768 at most. A sum of up to 2^24 units of the weights is exact, another one is rounded
 * to 24 digits. */
static WideSums wide_of(const Mask *mask) {
    const double middle = 32768, exact = 0x1p24 * unit_of(mask);
    double all = 0, row_max = 0, variance = 0;
    for (int j = 0; j < mask->height; j++) {
        double row = 0;
        for (int i = 0; i < mask->width; i++)
            row += middle * fabs((double)mask->weights[j * mask->width + i]);
        row_max = fmax(row_max, row);
        all += row;
    }
    if (!(all > 0x1p-60 && all < 0x1p60))
        return {1, 0, false};
    const int exponent = (int)fmax(ceil(log2(all)) - 24, ceil(log2(row_max)) + 1 - 22);
    const WideSums wide = {ldexp(1, exponent), 0, all <= ldexp(1, exponent + 24)};
    for (int j = 0; j < mask->height; j++) {
        double row = wide.unit / 2;
        for (int i = 0; i < mask->width; i++) {
            const double weight = fabs((double)mask->weights[j * mask->width + i]);
            row += middle * weight;
            if (weight > 0 && row > exact)
                variance += ldexp(1, 2 * (ilogb(row) - 23)) / 12;
        }
    }
    return {wide.unit, sqrt(variance) / fabs((double)mask->divisor), wide.fits};
}

/* In f32, sums of u16 may round one value in a thousand otherwise than in double. */
#define WIDE_ERROR_MAX 1.1e-3

static bool wide_fits(const Stage *stage, const char **why_not) {
    const ConvolveJob *job = convolve_job(stage);
    *why_not = "for u16 it takes borders of 0 to 65535 and sums within 16 times that";
    if (!(job->border.value >= 0 && job->border.value <= 65535 && mask_absolute_sum(job->mask) <= 16) ||
        fabsf(job->bias) > 0x1p20F)
        return false;
    *why_not = "sums of u16 in f32 would round too many values differently";
    const WideSums wide = wide_of(job->mask);
    return wide.fits &&
           (wide.error == 0 || (rounds_alike(stage, wide.error, WIDE_ERROR_MAX) && !halves_occur(job->mask)));
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Mask *mask = convolve_job(stage)->mask;
    const int channels = stage->out.shape.channels;
    if (stage_shape_read(stage).type == PIXEL_U16 && !wide_fits(stage, why_not))
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return shared_bytes(spans_of(mask, channels), channels) <=
           ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

template <typename In, typename Out> static Status launch(Queue *queue, const Stage *stage) {
    const ConvolveJob *convolve = convolve_job(stage);
    const Mask *mask = convolve->mask;
    int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Spans spans = spans_of(mask, channels);
    const GpuKept *kept;
    TRY(gpu_kept(queue, &kept_spans, mask, &kept));
    void *data = kept->memory.memory;
    if (std::is_same<In, uint16_t>::value) {
        spans.offset = offset_of(mask_sum(mask) + (double)job.bias / 32768);
        spans.whole = (float)(0x1.8p23 * wide_of(mask).unit);
        job.outside -= MIDDLE;
    }
    const int width = tile_width(channels);
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, TILE_ROWS)),
                           dim3((unsigned)(width / WARP_COLUMNS * channels * DOWN * 32)),
                           shared_bytes(spans, channels)};
    typename std::conditional<std::is_same<In, AnyPixel>::value, PointsAround, PlainTypes>::type around;
    TRY(points_around(queue, stage, &around)); /* kernels of one type look at nothing of it */
    void *arguments[] = {&in, &out, &job, &spans, &data, &channels, &around};
    return gpu_launch(queue, "convolve spans", (const void *)convolve_spans<In, Out>, launch, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    typedef Status (*Run)(Queue *, const Stage *);
    if (stage->points)
        return launch<AnyPixel, AnyPixel>(queue, stage);
    return for_stored<Run>(stage, launch<PlainPixel, PlainPixel>, launch<PlainPixel, PlainPixel>,
                           launch<uint16_t, uint16_t>, launch<uint16_t, float>,
                           launch<PlainPixel, PlainPixel>)(queue, stage);
}

/* The time on an H200, of 4096 x 4096 pixels. The jobs were disk=4, 10, 16 and 20, motion=30:20, and dense masks of
 * 9 x 8 to 31 x 31. */
#define BEGIN_MS 0.01
#define VALUE_NS 0.003 /* of a value of the tiles with their halos */
#define SPAN_NS  0.00016
#define QUAD_NS  0.00015
#define MIN_MS   0.023 /* 640 x 480 pixels, masks of 3 x 3: too few tiles for all multiprocessors */

static double values_of(const Stage *stage) {
    return (double)stage->out.shape.width * (double)stage->out.shape.height * stage->out.shape.channels;
}

/* Values that blocks fetch for one that they make. */
static double halo_of(const Stage *stage) {
    const int channels = stage->out.shape.channels;
    const Spans spans = spans_of(convolve_job(stage)->mask, channels);
    return (double)spans.rows * (double)spans.pitch / (TILE_ROWS * (double)tile_width(channels));
}

static double predict(const Level *, const Stage *stage) {
    const Spans spans = spans_of(convolve_job(stage)->mask, stage->out.shape.channels);
    const double ns = halo_of(stage) * VALUE_NS + SPAN_NS * spans.count + QUAD_NS * spans.quads;
    return fmax(BEGIN_MS + ns * 1e-6 * values_of(stage), MIN_MS);
}

static const Predictor predictor = {"NVIDIA H200", predict};

extern "C" const Level cuda_convolve_spans;

/* A pixel's multiplication by alpha, for each pixel of the tiles, and its division. Other programs take as long as in
 * other levels, those before the tiles more often, as tiles overlap. */
#define MULTIPLY_NS 0.0025
#define DIVIDE_NS   0.005
#define BEFORE_NS   0.0005

static double points_ms(const Stage *stage) {
    const double more = convolve_points_ms(&cuda_convolve_spans, stage);
    if (more >= 0 && gpu_points_weigh(stage))
        return (MULTIPLY_NS * halo_of(stage) + DIVIDE_NS) * 1e-6 * values_of(stage) / stage->out.shape.channels;
    return more >= 0 && stage->points->before ? more + (halo_of(stage) - 1) * BEFORE_NS * 1e-6 * values_of(stage)
                                              : more;
}

extern "C" const Level cuda_convolve_spans = {
    .op = &op_convolve,
    .name = "spans",
    .idea =
        "each row of the mask from its first weight to its last; a thread keeps the sums of 4 x 8 values in registers",
    .accepts = accepts,
    .predictor = &predictor,
    .points_ms = points_ms,
    .run = run,
};
