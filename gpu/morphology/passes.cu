/* passes.cu: rectangles in two kernels, along the rows and down the columns, whatever their size.
 * Along: a thread makes the extrema of runs of RUN pixels that begin in its unit of so many. A wider window is one run
 * at its begin and one at its end. Whole units lie between them: their extrema are the first runs of their threads.
 * Down: a thread makes STEP results of a column at a time. They share the rows between the first of the last window and
 * the last of the first one. Extrema from the former upwards, and from the latter downwards, are van Herk's (Pattern
 * Recognition Letters 13, 1992). A ring keeps the extrema of each STEP of the rows between.
 * Both take minima: for maxima, all bits are turned over on the way in and out. */
#include "gpu/morphology/row.cuh"
#include "gpu/morphology/words.cuh"

extern "C" {
#include "core/ops/morphology.h"
}

enum { UNIT = 16 /* bytes of a channel */, ALONG_MIN = 64, ALONG_MAX = 384, DOWN_THREADS = 128, LEAST = -1 };

/* The picture between the passes: words of values, f32 as keys. */
typedef struct Between {
    uint32_t *words;
    int pitch; /* words; whole units */
} Between;

/* A window along one axis. `flip`: all bits for maxima, else none. */
typedef struct Window {
    int size, anchor;
    uint32_t flip;
} Window;

template <typename T, int C> struct Units {
    enum { SIZE = sizeof(T), WORDS = UNIT * C / 4, PITCH = WORDS + 1, RUN = UNIT / SIZE, PIXEL = C * SIZE };
};

/* Word `w` of a unit full of the pixel in `pixel`. */
template <typename T, int C> static __device__ __forceinline__ uint32_t filled(const uint32_t *pixel, int w) {
    enum { PIXEL = C * sizeof(T) };
    if constexpr (PIXEL % 4 == 0)
        return pixel[w % (PIXEL / 4)];
    else {
        const int at = 4 * w;
        const unsigned order = at % PIXEL | (at + 1) % PIXEL << 4 | (at + 2) % PIXEL << 8 | (at + 3) % PIXEL << 12;
        return __byte_perm(pixel[0], pixel[PIXEL > 4], order);
    }
}

template <typename T, int C>
__global__ void __launch_bounds__(ALONG_MAX)
    morphology_along(const __grid_constant__ Plane in, const __grid_constant__ Between to,
                     const __grid_constant__ Edges edges, const __grid_constant__ Window window) {
    typedef Units<T, C> U;
    extern __shared__ uint32_t shared[];
    const int threads = blockDim.x, u = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int between = window.size / U::RUN - 1, rest = window.size % U::RUN * U::PIXEL;
    const int first = blockIdx.x * (threads - between - 1); /* unit */
    uint32_t *line = shared + threadIdx.y * 2 * (threads + 1) * U::PITCH, *runs = line + (threads + 1) * U::PITCH;
    if (y < in.height) {
        enum { EACH = U::WORDS + 1 };
        const int byte = (first * U::RUN - window.anchor) * U::PIXEL + 4 * u, step = 4 * threads;
        const int words = (min(threads, to.pitch / U::WORDS - first + between + 1) + 1) * U::WORDS;
        Arrival arrivals[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++)
            arrivals[i] = fetch_word<T>(in, C, y, byte + i * step);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int w = i * threads + u;
            if (w < words)
                line[w + w / U::WORDS] = arrived<T>(arrivals[i], in, edges, C, y, byte + i * step) ^ window.flip;
        }
    }
    __syncthreads();
    Row<T, U::WORDS> result;
    {
        Row<T, 2 * U::WORDS> row;
#pragma unroll
        for (int w = 0; w < 2 * U::WORDS; w++)
            row.put(w, line[u * U::PITCH + w + (w >= U::WORDS)]);
#pragma unroll
        for (int run = 1; run < U::RUN; run *= 2)
#pragma unroll
            for (int w = 0; w < 2 * U::WORDS; w++)
                row.template meet<false>(w, row, 4 * w + run * U::PIXEL);
#pragma unroll
        for (int w = 0; w < U::WORDS; w++) {
            const uint32_t word = row.word(w);
            runs[u * U::PITCH + w] = word;
            result.put(w, word);
        }
    }
    __syncthreads();
    const int unit = first + u;
    if (y >= in.height || u >= threads - between - 1 || unit * U::WORDS >= to.pitch)
        return;
    if (between > 0) {
        enum { PIXEL_WORDS = (U::PIXEL + 3) / 4 };
        Row<T, PIXEL_WORDS> whole;
#pragma unroll
        for (int w = 0; w < PIXEL_WORDS; w++)
            whole.put(w, (uint32_t)(U::SIZE == 4 ? INT_MAX : LEAST));
        for (int i = 1; i <= between; i++)
#pragma unroll
            for (int w = 0; w < PIXEL_WORDS; w++) {
                Row<T, 1> one;
                one.put(0, runs[(u + i) * U::PITCH + w]);
                whole.template meet<false>(w, one, 0);
            }
        uint32_t pixel[PIXEL_WORDS];
#pragma unroll
        for (int w = 0; w < PIXEL_WORDS; w++)
            pixel[w] = whole.word(w);
        const uint32_t *last = runs + (u + between) * U::PITCH;
#pragma unroll
        for (int w = 0; w < U::WORDS; w++) {
            Row<T, 1> one;
            one.put(0, filled<T, C>(pixel, w));
            result.template meet<false>(w, one, 0);
            one.put(0, last[w]);
            result.template meet<false>(w, one, 0);
        }
    }
    if (rest > 0) {
        const uint32_t *last = runs + (u + between) * U::PITCH;
        uint32_t words[U::WORDS + 1];
#pragma unroll
        for (int w = 0; w <= U::WORDS; w++) {
            const int at = rest / 4 + w;
            words[w] = last[at + (at >= U::WORDS)];
        }
#pragma unroll
        for (int w = 0; w < U::WORDS; w++) {
            Row<T, 1> one;
            one.put(0, __funnelshift_r(words[w], words[w + 1], rest % 4 * 8));
            result.template meet<false>(w, one, 0);
        }
    }
    uint32_t *out = to.words + (size_t)y * to.pitch + (size_t)unit * U::WORDS;
#pragma unroll
    for (int w = 0; w < U::WORDS; w += 4)
        *(uint4 *)(out + w) = make_uint4(result.word(w), result.word(w + 1), result.word(w + 2), result.word(w + 3));
}

/* STEP words of a column, from row y on. */
template <int STEP>
static __device__ __forceinline__ void load_column(const uint32_t *column, int pitch, int y, int height,
                                                   const Edges &edges, uint32_t outside, uint32_t (&words)[STEP]) {
    if (y >= 0 && y + STEP <= height) {
        const uint32_t *from = column + (size_t)y * pitch;
#pragma unroll
        for (int i = 0; i < STEP; i++)
            words[i] = __ldg(from + (size_t)i * pitch);
    } else
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            const int sy = edge_index(edges, y + i, height);
            words[i] = sy < 0 ? outside : __ldg(column + (size_t)sy * pitch);
        }
}

template <typename T, int STEP>
__global__ void __launch_bounds__(DOWN_THREADS)
    morphology_down(const __grid_constant__ Between in, const __grid_constant__ Plane out,
                    const __grid_constant__ Edges edges, const __grid_constant__ Window window, int row_bytes,
                    int rows) {
    extern __shared__ uint32_t ring[]; /* of each STEP rows the extrema, and those of their last `rest` */
    const int groups = window.size / STEP, rest = window.size % STEP, t = threadIdx.x;
    const int word = blockIdx.x * DOWN_THREADS + t, count = row_bytes - 4 * word;
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height);
    if (count <= 0)
        return;
    await_previous();
    const uint32_t *column = in.words + word;
    const uint32_t none = sizeof(T) == 4 ? (uint32_t)INT_MAX : ~0U;
    const uint32_t outside = (sizeof(T) == 4 ? (uint32_t)edges.outside : outside_word<T>(edges)) ^ window.flip;
    int slot = 0;
    for (int y = top - groups * STEP; y < bottom; y += STEP) { /* the first result */
        uint32_t fresh[STEP];
        load_column(column, in.pitch, y - window.anchor + window.size, out.height, edges, outside, fresh);
        if (y >= top) {
            uint32_t old[STEP];
            load_column(column, in.pitch, y - window.anchor, out.height, edges, outside, old);
            Row<T, STEP> up;
#pragma unroll
            for (int i = STEP; i-- > 0;) {
                up.put(i, old[i]);
                if (i + 1 < STEP)
                    up.template meet<false>(i, up, 4 * (i + 1));
            }
            Row<T, 1> down, one;
            down.put(0, none);
            for (int i = 0, at = slot; i < groups; i++) {
                one.put(0, ring[(2 * at + (i == 0)) * DOWN_THREADS + t]);
                down.template meet<false>(0, one, 0);
                at = at + 1 < groups ? at + 1 : 0;
            }
            uint8_t *to = out.pixels + (size_t)y * out.stride + (size_t)word * 4;
            const bool whole = count >= 4 && y + STEP <= bottom;
#pragma unroll
            for (int i = 0; i < STEP; i++) {
                if (i > 0) {
                    one.put(0, fresh[i - 1]);
                    down.template meet<false>(0, one, 0);
                }
                up.template meet<false>(i, down, 0);
                const uint32_t result = unkeyed<T>(up.word(i) ^ window.flip);
                if (whole)
                    __stcs((uint32_t *)to, result);
                else if (y + i < bottom)
                    store_word(to, count, result);
                to += out.stride;
            }
        }
        Row<T, 1> all, tail, one;
        all.put(0, none);
        tail.put(0, none);
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            one.put(0, fresh[i]);
            all.template meet<false>(0, one, 0);
            if (i >= STEP - rest)
                tail.template meet<false>(0, one, 0);
        }
        ring[2 * slot * DOWN_THREADS + t] = all.word(0);
        ring[(2 * slot + 1) * DOWN_THREADS + t] = tail.word(0);
        slot = slot + 1 < groups ? slot + 1 : 0;
    }
}

static int unit_pixels(PixelType type) {
    return UNIT / (int)pixel_type_size(type);
}

static Between between_of(Shape shape, void *memory) {
    const size_t bytes = shape.width * (size_t)shape.channels * pixel_type_size(shape.type);
    const size_t unit = (size_t)UNIT * (size_t)shape.channels;
    const Between between = {(uint32_t *)memory, (int)((bytes + unit - 1) / unit * unit / 4)};
    return between;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const Mask *element = morphology_job(stage)->element;
    const int unit = unit_pixels(stage->out.shape.type);
    *why_not = "it takes rectangles alone, of at least 16 bytes of a channel a side";
    return element_is_box(element) && element->width >= unit && element->height >= unit;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    const Between between = between_of(stage->out.shape, NULL);
    return (size_t)between.pitch * sizeof(uint32_t) * stage->out.shape.height;
}

/* Threads of a row along which few are idle: with `beyond` more units than they make results for. */
static int threads_along(int units, int beyond) {
    int best = ALONG_MIN, idle = INT_MAX;
    for (int threads = ALONG_MIN; threads <= ALONG_MAX; threads += 32) {
        const int each = threads - beyond, blocks = each > 0 ? (units + each - 1) / each : 0;
        if (blocks > 0 && blocks * threads <= idle) {
            idle = blocks * threads;
            best = threads;
        }
    }
    return best;
}

#define ALONG(T)                                                                                                       \
    {                                                                                                                  \
        (const void *)morphology_along<T, 1>, (const void *)morphology_along<T, 2>,                                    \
            (const void *)morphology_along<T, 3>, (const void *)morphology_along<T, 4>                                 \
    }

static Status run(Queue *queue, const Stage *stage) {
    enum { CHANNELS = 4, STEPS = 3 };
    static const void *const along[PIXEL_TYPES][CHANNELS] = {ALONG(uint8_t), ALONG(uint16_t), ALONG(float)};
    /* By steps of 4, 8 and 16 rows, as the smallest height allows them. */
    static const void *const down[PIXEL_TYPES][STEPS] = {
        {NULL, NULL, (const void *)morphology_down<uint8_t, 16>},
        {NULL, (const void *)morphology_down<uint16_t, 8>, (const void *)morphology_down<uint16_t, 16>},
        {(const void *)morphology_down<float, 4>, (const void *)morphology_down<float, 8>,
         (const void *)morphology_down<float, 16>}};
    const MorphologyJob *job = morphology_job(stage);
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(job->border, shape.type);
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
    Between between = between_of(shape, memory);
    const uint32_t flip = job->maximum ? ~0U : 0;
    Window row = {job->element->width, job->element->width / 2, flip};
    Window column = {job->element->height, job->element->height / 2, flip};

    const int words = UNIT * shape.channels / 4, beyond = row.size / unit_pixels(shape.type);
    const int threads = threads_along(between.pitch / words, beyond), lines = threads < 256 ? 256 / threads : 1;
    const Launch rows = {dim3(blocks_for(between.pitch / words, threads - beyond), blocks_for(out.height, lines)),
                         dim3((unsigned)threads, (unsigned)lines),
                         (size_t)lines * 2 * (size_t)(threads + 1) * (size_t)(words + 1) * sizeof(uint32_t)};
    void *row_arguments[] = {&in, &between, &edges, &row};
    TRY(gpu_launch(queue, "morphology passes, along", along[shape.type][shape.channels - 1], rows, row_arguments));

    int row_bytes = out.width * shape.channels * (int)pixel_type_size(shape.type), high;
    const int k = column.size >= 16 ? 2 : column.size >= 8, step = 4 << k;
    const void *kernel = down[shape.type][k];
    const unsigned across = blocks_for(row_bytes, 4 * DOWN_THREADS);
    const size_t ring = (size_t)(column.size / step) * 2 * DOWN_THREADS * sizeof(uint32_t);
    TRY(rows_at_once(queue, kernel, DOWN_THREADS, ring, across, out.height, step, &high));
    high = high > column.size ? high : (column.size + step - 1) / step * step;
    const Launch columns = {dim3(across, blocks_for(out.height, high)), dim3(DOWN_THREADS), ring};
    void *column_arguments[] = {&between, &out, &edges, &column, &row_bytes, &high};
    return gpu_launch_early(queue, "morphology passes", kernel, columns, column_arguments);
}

extern "C" const Level cuda_morphology_passes = {
    .op = &op_morphology,
    .name = "passes",
    .idea = "rectangles along the rows, then down the columns: a few comparisons a value, however large they are",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
