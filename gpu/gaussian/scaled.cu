/* scaled.cu: gaussians of any width in the time of a narrow one, over a coarse grid (core/param/gaussian_grid.h). Four
 * kernels go down the columns to the grid's rows, along these to its points and back, and up the columns to the
 * picture's rows. Only the first and the last kernel see all pixels. For them a row is a row of values, whatever the
 * channels. A thread marches down a few columns. Its registers have the sums of all points that a pixel belongs to, or
 * the points that it is made of. The sums at the end of a strip of rows are not complete. Each strip has rows of its
 * own for its share of the grid's rows, and the next kernel adds them up. For u8, the tensor cores do the work of the
 * first and the last kernel (products.cuh). */
#include "gpu/gaussian/products.cuh"

extern "C" {
#include "core/param/gaussian_grid.h"
#include "gpu/cache.h"
}

#include <string.h>
#include <type_traits>

enum {
    THREADS = 128,
    PRODUCT_ROWS = 512, /* of a block of the last kernel, at most */
    PRODUCT_PIECE = 64 /* and of how many they are a multiple */,
    SPLIT_STEP = 24 /* from this step on, a warp shares a grid point's sum */
};

/* One axis of the grid: of n pixels `count` points. */
typedef struct Axis {
    int n, step, taps, count;
    const void *down, *up; /* weights: (step + 1) x pitch, the last the sums of all phases; step x pitch */
    int pitch;             /* of weights: taps rounded up to a multiple of 4 */
    const uint4 *bands_down;
    const uint2 *bands_up;
    float scale; /* of sums by bands_down */
} Axis;

/* How the rows are cut: strips of `segments` segments, each with segments + taps - 1 rows of sums; or by chunks. */
typedef struct Strips {
    int segments, count;
    Chunks chunks;
} Strips;

/* The row of strip n that adds to the grid's row j; -1: none. */
static __device__ int row_of_strip(const Strips &strips, const Axis &axis, int n, int j) {
    const int row = j + axis.taps - 1, pieces = strips.chunks.chunks;
    int first = n * strips.segments, count = strips.segments + axis.taps - 1;
    if (pieces > 0) {
        first = group_of(n * pieces, axis.step) * SIDE;
        count = (group_of(min((n + 1) * pieces, strips.chunks.all) - 1, axis.step) + GROUPS) * SIDE - first;
    }
    return row >= first && row - first < count ? n * (pieces > 0 ? strips.chunks.rows : count) + row - first : -1;
}

typedef struct Outside {
    BorderMode border;
    float value;
} Outside;

template <typename T, int V> struct alignas(sizeof(T) * V) Pack { T values[V]; };

/* TAPS weights, the same for all threads. */
template <int TAPS, typename Acc>
static __device__ __forceinline__ void load_weights(const Acc *from, Acc (&weights)[TAPS]) {
    enum { AT_ONCE = 16 / sizeof(Acc) };
#pragma unroll
    for (int t = 0; t < TAPS; t += AT_ONCE) {
        const Pack<Acc, AT_ONCE> part = *(const Pack<Acc, AT_ONCE> *)(from + t);
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (t + i < TAPS)
                weights[t + i] = part.values[i];
    }
}

/* Sums down V columns: pixels of segment s, rows s * step and on, belong to the grid's rows s to s + TAPS - 1. */
template <typename In, int TAPS, int V, typename Acc>
__global__ void __launch_bounds__(THREADS)
    down_columns(const __grid_constant__ Plane in, const __grid_constant__ Axis axis,
                 const __grid_constant__ Outside outside, const __grid_constant__ Strips strips, Acc *sums_to,
                 int pitch) {
    const int x = (blockIdx.x * THREADS + threadIdx.x) * V;
    const int first = 1 - TAPS + (int)blockIdx.y * strips.segments, last = min(first + strips.segments, axis.count);
    if (x >= in.width)
        return;
    Acc sums[TAPS][V] = {};
    Acc *to = sums_to + (size_t)blockIdx.y * (strips.segments + TAPS - 1) * pitch + x;
#pragma unroll 1
    for (int s = first; s < last; s++) {
        const int y = s * axis.step;
        const bool beyond = y >= axis.n || y + axis.step <= 0;
        const bool alike = beyond && outside.border != BORDER_MIRROR && outside.border != BORDER_WRAP;
        const Acc *weights_from = (const Acc *)axis.down + (alike ? axis.step * axis.pitch : 0);
        const int rows = alike ? 1 : axis.step;
#pragma unroll 4
        for (int p = 0; p < rows; p++) {
            const int sy = inside_index(outside.border, y + p, axis.n);
            Pack<In, V> pixels;
            if (sy >= 0)
                pixels = *(const Pack<In, V> *)(row_of<In>(in, sy) + x);
            Acc weights[TAPS];
            load_weights<TAPS>(weights_from + p * axis.pitch, weights);
#pragma unroll
            for (int v = 0; v < V; v++) {
                const Acc value = sy >= 0 ? (Acc)pixels.values[v] : (Acc)outside.value;
#pragma unroll
                for (int t = 0; t < TAPS; t++)
                    sums[t][v] += weights[t] * value;
            }
        }
        Pack<Acc, V> done;
#pragma unroll
        for (int v = 0; v < V; v++) {
            done.values[v] = sums[0][v];
#pragma unroll
            for (int t = 0; t + 1 < TAPS; t++)
                sums[t][v] = sums[t + 1][v];
            sums[TAPS - 1][v] = 0;
        }
        *(Pack<Acc, V> *)to = done;
        to += pitch;
    }
    /* The next strip goes on with these sums. */
#pragma unroll
    for (int t = 0; t + 1 < TAPS; t++, to += pitch) {
        Pack<Acc, V> done;
#pragma unroll
        for (int v = 0; v < V; v++)
            done.values[v] = sums[t][v];
        *(Pack<Acc, V> *)to = done;
    }
}

/* A row of the grid along the row to its points: a block has `points` of them, of the pixels in shared memory. With
 * SPLIT, a warp shares the sum of one. */
template <typename Acc, bool SPLIT>
__global__ void along_rows(const __grid_constant__ Axis x_axis, const __grid_constant__ Axis y_axis, int channels,
                           const __grid_constant__ Outside outside, const __grid_constant__ Strips strips,
                           const Acc *__restrict__ sums, int pitch, Acc *to, int to_pitch, int points) {
    extern __shared__ __align__(16) unsigned char shared[];
    Acc *line = (Acc *)shared;
    const int j = blockIdx.y, first = blockIdx.x * points, count = min(points, x_axis.count - first);
    const int left = (first - x_axis.taps + 1) * x_axis.step, pixels = (count + x_axis.taps - 1) * x_axis.step;
    __shared__ int rows[GRID_TAPS_MAX], row_count;
    if (threadIdx.x == 0) {
        int n = 0, found = 0;
        if (strips.chunks.chunks == 0)
            n = max(0, j / strips.segments);
        for (; n < strips.count && found < GRID_TAPS_MAX; n++) {
            const int row = row_of_strip(strips, y_axis, n, j);
            if (row >= 0)
                rows[found++] = row;
            else if (found > 0)
                break;
        }
        row_count = found;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        const int x = inside_index(outside.border, left + i, x_axis.n);
        for (int c = 0; c < channels; c++) {
            Acc sum = outside.value;
            if (x >= 0) {
                sum = 0;
                for (int n = 0; n < row_count; n++)
                    sum += sums[(size_t)rows[n] * pitch + x * channels + c];
            }
            line[i * channels + c] = sum;
        }
    }
    __syncthreads();
    const Acc *weights = (const Acc *)x_axis.down;
    const int lane = SPLIT ? threadIdx.x % 32 : 0, lanes = SPLIT ? 32 : 1;
    for (int i = threadIdx.x / lanes; i < count * channels; i += blockDim.x / lanes) {
        const int point = i / channels, c = i - point * channels;
        const Acc *from = line + point * x_axis.step * channels + c;
        Acc sum = 0;
        for (int s = 0; s < x_axis.taps; s++) /* segments, of which the first knows the point as its last */
            for (int p = lane; p < x_axis.step; p += lanes)
                sum += weights[p * x_axis.pitch + x_axis.taps - 1 - s] * from[(s * x_axis.step + p) * channels];
        if (SPLIT)
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_xor_sync(~0U, sum, step);
        if (lane == 0)
            to[(size_t)j * to_pitch + first * channels + i] = sum;
    }
}

/* From points back to pixels: each thread has the weights of one pixel for a few rows. */
template <typename Acc, int C>
__global__ void __launch_bounds__(THREADS)
    back_along_rows(const __grid_constant__ Axis axis, int rows, const Acc *__restrict__ points, int points_pitch,
                    Acc *to, int pitch) {
    enum { ROWS = 8 };
    const int x = blockIdx.x * THREADS + threadIdx.x, segment = x / axis.step;
    if (x >= axis.n)
        return;
    const Acc *weights = (const Acc *)axis.up + (x - segment * axis.step) * axis.pitch;
    Acc sums[ROWS][C] = {};
    const int first = blockIdx.y * ROWS, count = min((int)ROWS, rows - first);
    points += (size_t)first * points_pitch + segment * C;
    for (int t = 0; t < axis.taps; t++) {
        const Acc weight = weights[t];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (r < count)
#pragma unroll
                for (int c = 0; c < C; c++)
                    sums[r][c] += weight * points[(size_t)r * points_pitch + t * C + c];
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (r < count)
#pragma unroll
            for (int c = 0; c < C; c++)
                to[(size_t)(first + r) * pitch + x * C + c] = sums[r][c];
}

/* The picture's rows from the grid's. */
template <typename Out, int TAPS, int V, typename Acc>
__global__ void __launch_bounds__(THREADS)
    up_columns(const __grid_constant__ Plane out, const __grid_constant__ Axis axis, const Acc *__restrict__ sums,
               int pitch, int rows) {
    const int x = (blockIdx.x * THREADS + threadIdx.x) * V;
    const int top = blockIdx.y * rows, bottom = min(top + rows, axis.n);
    if (x >= out.width)
        return;
    int p = top % axis.step;
    const Acc *from = sums + (size_t)(top / axis.step) * pitch + x;
    Acc points[TAPS][V];
#pragma unroll
    for (int t = 0; t < TAPS; t++, from += pitch) {
        const Pack<Acc, V> part = *(const Pack<Acc, V> *)from;
#pragma unroll
        for (int v = 0; v < V; v++)
            points[t][v] = part.values[v];
    }
    const bool whole = x + V <= out.width;
#pragma unroll 1
    for (int y = top; y < bottom; p = 0) {
        const int last = min(bottom, y + axis.step - p);
#pragma unroll 2
        for (; y < last; y++, p++) {
            Acc weights[TAPS], results[V] = {};
            load_weights<TAPS>((const Acc *)axis.up + p * axis.pitch, weights);
            Pack<Out, V> pixels;
#pragma unroll
            for (int v = 0; v < V; v++) {
#pragma unroll
                for (int t = 0; t < TAPS; t++)
                    results[v] += weights[t] * points[t][v];
                pixels.values[v] = Stored<Out>::from(results[v]);
            }
            Out *to = row_to<Out>(out, y) + x;
            if (whole)
                *(Pack<Out, V> *)to = pixels;
            else
                for (int v = 0; v < V; v++)
                    if (x + v < out.width)
                        to[v] = pixels.values[v];
        }
        if (y < bottom) {
#pragma unroll
            for (int t = 0; t + 1 < TAPS; t++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    points[t][v] = points[t + 1][v];
            const Pack<Acc, V> part = *(const Pack<Acc, V> *)from;
#pragma unroll
            for (int v = 0; v < V; v++)
                points[TAPS - 1][v] = part.values[v];
            from += pitch;
        }
    }
}

/* ---- weights on the device ---- */

/* The key of a set of weights. */
typedef struct Wanted {
    double sigma;
    bool wide;
} Wanted;

typedef struct KeptGrid {
    Wanted wanted;
    int step, taps, pitch, exponent;
    size_t bands;      /* bytes before the bands */
    GpuScratch memory; /* the weights down, the sums of their phases, the weights up; the bands down and up */
} KeptGrid;

static bool same_grid(const void *entry, const void *from) {
    const Wanted *wanted = (const Wanted *)from;
    const KeptGrid *kept = (const KeptGrid *)entry;
    return !(kept->wanted.sigma < wanted->sigma || kept->wanted.sigma > wanted->sigma) &&
           kept->wanted.wide == wanted->wide;
}

static void drop_grid(Device *device, void *entry) {
    gpu_free(device, &((KeptGrid *)entry)->memory);
}

/* (2 step + 1) x pitch weights of type T. */
template <typename T> static void put_weights(const GaussianGrid *grid, int pitch, T *to) {
    for (int p = 0; p < grid->step; p++)
        for (int t = 0; t < grid->taps; t++) {
            const double down = grid->down[p * grid->taps + t];
            to[p * pitch + t] = (T)down;
            to[(grid->step + 1 + p) * pitch + t] = (T)grid->up[p * grid->taps + t];
        }
    for (int t = 0; t < grid->taps; t++) {
        double sum = 0;
        for (int p = 0; p < grid->step; p++)
            sum += grid->down[p * grid->taps + t];
        to[grid->step * pitch + t] = (T)sum;
    }
}

/* Whether bands are made for a grid. */
static bool has_bands(bool wide, int step, int taps) {
    return !wide && taps == PRODUCT_TAPS && step >= PRODUCT_STEP_MIN;
}

static size_t down_bytes(int step) {
    return (size_t)period_of(step) * GROUPS * 32 * sizeof(uint4);
}
static size_t up_bytes(int step) {
    return (size_t)(SLOTS / SIDE) * (size_t)step * 32 * sizeof(uint2);
}

/* The bands, from the grid's weights as whole numbers. Returns the exponent of those down. */
static int put_bands(const GaussianGrid *grid, char *to) {
    static_assert(GRID_STEP_MAX * PRODUCT_TAPS <= 1600, "room for the weights");
    int whole[GRID_STEP_MAX * PRODUCT_TAPS];
    const int count = grid->step * grid->taps;
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, grid->down[i]);
    const int fits = (int)floor(log2(127 * 256 / most));
    const int exponent = fits < DOWN_EXPONENT_MAX ? fits : DOWN_EXPONENT_MAX;
    round_running(grid->down, count, exponent, whole);
    fill_down(grid->step, whole, (uint4 *)to);
    for (int p = 0; p < grid->step; p++)
        round_running(&grid->up[p * grid->taps], grid->taps, UP_EXPONENT, &whole[p * grid->taps]);
    fill_up(grid->step, whole, (uint2 *)(to + down_bytes(grid->step)));
    return exponent;
}

enum { GRID_ROOM = 64 << 10 }; /* multiples: growing waits for the device, and the next sigma is a little larger */

static Status make_grid(Queue *queue, const void *from, void *entry) {
    const Wanted *wanted = (const Wanted *)from;
    KeptGrid *kept = (KeptGrid *)entry;
    GaussianGrid grid;
    TRY(gaussian_grid_make(wanted->sigma, wanted->wide, &grid));
    kept->wanted = *wanted;
    kept->step = grid.step;
    kept->taps = grid.taps;
    kept->pitch = (grid.taps + 3) / 4 * 4;
    const size_t count = (size_t)(2 * grid.step + 1) * (size_t)kept->pitch;
    const bool banded = has_bands(wanted->wide, grid.step, grid.taps);
    kept->bands = (count * (wanted->wide ? sizeof(double) : sizeof(float)) + 15) / 16 * 16;
    const size_t bytes = kept->bands + (banded ? down_bytes(grid.step) + up_bytes(grid.step) : 0);
    void *weights = calloc(1, bytes), *memory = NULL;
    const size_t room = (bytes + GRID_ROOM - 1) / GRID_ROOM * GRID_ROOM;
    Status status = weights ? gpu_scratch(queue, &kept->memory, room, &memory)
                            : fail(STATUS_DEVICE, "no memory for a gaussian's weights");
    if (status == STATUS_OK) {
        if (wanted->wide)
            put_weights(&grid, kept->pitch, (double *)weights);
        else
            put_weights(&grid, kept->pitch, (float *)weights);
        if (banded)
            kept->exponent = put_bands(&grid, (char *)weights + kept->bands);
        status = gpu_put(queue, memory, weights, bytes);
    }
    free(weights);
    gaussian_grid_free(&grid);
    return status;
}

static const CacheKind kept_grids = {sizeof(KeptGrid), 8, make_grid, same_grid, drop_grid, false};

static Status axis_of(Queue *queue, double sigma, bool wide, int n, Axis *axis) {
    const Wanted wanted = {sigma, wide};
    void *found;
    TRY(cache_get(queue, &kept_grids, 0, &wanted, &found));
    const KeptGrid *kept = (const KeptGrid *)found;
    const size_t real = wide ? sizeof(double) : sizeof(float);
    *axis = Axis();
    axis->n = n;
    axis->step = kept->step;
    axis->taps = kept->taps;
    axis->count = (n - 1) / kept->step + kept->taps;
    axis->pitch = kept->pitch;
    axis->down = kept->memory.memory;
    axis->up = (const char *)kept->memory.memory + (size_t)(kept->step + 1) * (size_t)kept->pitch * real;
    if (has_bands(wide, kept->step, kept->taps)) {
        const char *bands = (const char *)kept->memory.memory + kept->bands;
        axis->bands_down = (const uint4 *)bands;
        axis->bands_up = (const uint2 *)(bands + down_bytes(kept->step));
        axis->scale = (float)ldexp(1, -kept->exponent);
    }
    return STATUS_OK;
}

/* ---- launches ---- */

/* How much memory a job takes between its kernels, in sums. */
typedef struct Planes {
    int pitch, points_pitch;   /* of rows of sums, of rows of points */
    Strips strips;             /* of the first kernel */
    size_t sums, points, rows; /* strips' sums; points; rows of the grid */
} Planes;

/* Values of a thread: 4 bytes of pixels or, of f32, 16. */
template <typename T> static constexpr int columns_of() {
    return sizeof(T) == 2 ? 2 : 4;
}

/* Whether the tensor cores take the pass down and the one up. */
static bool by_products(const Device *device, const Stage *stage, int step, int taps) {
    const float outside = gaussian_job(stage)->border.value;
    return ((const GpuDevice *)device)->limits.major >= 8 && stage->in[0].shape.type == PIXEL_U8 &&
           stage->out.shape.type == PIXEL_U8 && outside == rintf(outside) && outside >= 0 && outside <= 255 &&
           has_bands(false, step, taps);
}

/* Strips for as many blocks as run at once, which share few rows of the grid with their neighbours. */
static Chunks chunks_of(int processors, int line, int segments, int step) {
    const int across = (int)blocks_for(line, LINE * PRODUCT_WARPS), wanted = processors * PRODUCT_BLOCKS / across;
    const int fewest = (int)blocks_for(PRODUCT_TAPS * step, CHUNK_ROWS);
    Chunks chunks = {};
    chunks.all = (int)blocks_for(segments * step, CHUNK_ROWS);
    chunks.chunks = (int)blocks_for(chunks.all, wanted > 1 ? wanted : 1);
    chunks.chunks = chunks.chunks < fewest ? fewest : chunks.chunks;
    chunks.count = (int)blocks_for(chunks.all, chunks.chunks);
    chunks.rows = (chunks.chunks * CHUNK_ROWS / step / SIDE + GROUPS + 2) * SIDE;
    return chunks;
}

static Planes planes_of(const Device *device, const Stage *stage, int step_x, int taps_x, int step_y, int taps_y) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    const Shape shape = stage->in[0].shape;
    Planes planes = {};
    const int line = (int)shape.width * shape.channels, each = shape.type == PIXEL_U16 ? 2 : 4;
    const int count_y = ((int)shape.height - 1) / step_y + taps_y, all = count_y + taps_y - 1;
    const int points = ((int)shape.width - 1) / step_x + taps_x;
    /* As many threads as run at once, about 640 on a multiprocessor; a strip has at least as many segments as taps. */
    const int threads = limits->multiProcessorCount * 640, columns = (line + each - 1) / each;
    const int wanted = threads / columns > 0 ? threads / columns : 1;
    planes.strips.segments = (all + wanted - 1) / wanted;
    planes.strips.count = (all + planes.strips.segments - 1) / planes.strips.segments;
    planes.pitch = (line + LINE - 1) / LINE * LINE;
    planes.points_pitch = (points * shape.channels + 31) / 32 * 32;
    planes.sums = (size_t)planes.strips.count * (size_t)(planes.strips.segments + taps_y - 1) * (size_t)planes.pitch;
    if (by_products(device, stage, step_y, taps_y)) {
        planes.strips.chunks = chunks_of(limits->multiProcessorCount, line, all, step_y);
        planes.strips.count = planes.strips.chunks.count;
        planes.sums = (size_t)planes.strips.count * (size_t)planes.strips.chunks.rows * (size_t)planes.pitch;
    }
    planes.points = (size_t)count_y * (size_t)planes.points_pitch;
    planes.rows = (size_t)count_y * (size_t)planes.pitch;
    return planes;
}

/* Bytes of the scratch: the strips' sums, which later give room to the grid's rows, and the points. */
static size_t bytes_of(const Planes *planes, size_t real) {
    const size_t first = planes->sums > planes->rows ? planes->sums : planes->rows;
    return (first + planes->points) * real;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    const bool wide = shape.type == PIXEL_U16;
    const GaussianGrid x = gaussian_grid_of(gaussian_job(stage)->sigma_x, wide);
    const GaussianGrid y = gaussian_grid_of(gaussian_job(stage)->sigma_y, wide);
    const Planes planes = planes_of(device, stage, x.step, x.taps, y.step, y.taps);
    return bytes_of(&planes, wide ? sizeof(double) : sizeof(float));
}

template <typename In, typename Acc> static const void *down_kernel(int taps) {
    enum { V = columns_of<In>() };
    if constexpr (sizeof(Acc) == sizeof(double))
        return taps == 20 ? (const void *)down_columns<In, 20, V, Acc> : (const void *)down_columns<In, 36, V, Acc>;
    else
        return taps == 14   ? (const void *)down_columns<In, 14, V, Acc>
               : taps == 16 ? (const void *)down_columns<In, 16, V, Acc>
                            : (const void *)down_columns<In, 28, V, Acc>;
}

template <typename In, typename Out, typename Acc> static const void *up_kernel(int taps) {
    enum { V = columns_of<In>() };
    if constexpr (sizeof(Acc) == sizeof(double))
        return taps == 20 ? (const void *)up_columns<Out, 20, V, Acc> : (const void *)up_columns<Out, 36, V, Acc>;
    else
        return taps == 14   ? (const void *)up_columns<Out, 14, V, Acc>
               : taps == 16 ? (const void *)up_columns<Out, 16, V, Acc>
                            : (const void *)up_columns<Out, 28, V, Acc>;
}

/* Points that a block makes, such that their pixels take at most half of a multiprocessor's shared memory. */
static int points_for(const Queue *queue, const Axis *axis, int channels, size_t real) {
    const size_t most = gpu_of(queue->device)->limits.sharedMemPerMultiprocessor / 4;
    const size_t pixel = (size_t)axis->step * (size_t)channels * real;
    const int points = (int)(most / pixel) - axis->taps + 1;
    return points < 1 ? 1 : points > axis->count ? axis->count : points;
}

/* As many as leave each multiprocessor several blocks. */
static int product_rows(const Queue *queue, unsigned across, int height) {
    enum { WANTED = 4 };
    const unsigned blocks = (unsigned)gpu_of(queue->device)->limits.multiProcessorCount * WANTED;
    const int rows = (int)((size_t)height * across / blocks) / PRODUCT_PIECE * PRODUCT_PIECE;
    return rows < PRODUCT_PIECE ? PRODUCT_PIECE : rows < PRODUCT_ROWS ? rows : PRODUCT_ROWS;
}

template <typename In, typename Out> struct Scaled {
    typedef typename Accumulator<In>::Type Acc;

    static Status run(Queue *queue, const Stage *stage) {
        const GaussianJob *job = gaussian_job(stage);
        const Shape shape = stage->in[0].shape;
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        int channels = shape.channels, height = in.height;
        Axis x, y;
        TRY(axis_of(queue, job->sigma_x, sizeof(Acc) == sizeof(double), in.width, &x));
        TRY(axis_of(queue, job->sigma_y, sizeof(Acc) == sizeof(double), in.height, &y));
        Planes planes = planes_of(queue->device, stage, x.step, x.taps, y.step, y.taps);
        const bool products = planes.strips.chunks.chunks > 0;
        void *memory;
        TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, bytes_of(&planes, sizeof(Acc)), &memory));
        Acc *points = (Acc *)memory, *sums = points + planes.points;
        Outside outside = {job->border.mode, job->border.value};
        in.width *= channels;
        out.width *= channels;
        enum { V = columns_of<In>() };
        const unsigned across = blocks_for(in.width, THREADS * V);

        const unsigned product_blocks = blocks_for(in.width, LINE * PRODUCT_WARPS);
        const Launch first = {dim3(products ? product_blocks : across, (unsigned)planes.strips.count),
                              dim3(products ? (int)PRODUCT_THREADS : (int)THREADS), 0};
        if (products) {
            uint32_t bytes = (uint32_t)outside.value * 0x01010101U;
            int period = period_of(y.step);
            void *arguments[] = {&in,           &y.step, &outside.border, &bytes, &planes.strips.chunks,
                                 &y.bands_down, &period, &y.scale,        &sums,  &planes.pitch};
            TRY(gpu_launch(queue, "gaussian scaled, down", (const void *)down_products, first, arguments));
        } else {
            void *arguments[] = {&in, &y, &outside, &planes.strips, &sums, &planes.pitch};
            TRY(gpu_launch(queue, "gaussian scaled, down", down_kernel<In, Acc>(y.taps), first, arguments));
        }

        int each = points_for(queue, &x, channels, sizeof(Acc));
        const Launch second = {dim3(blocks_for(x.count, each), (unsigned)y.count), dim3(256),
                               (size_t)(each + x.taps - 1) * (size_t)(x.step * channels) * sizeof(Acc)};
        void *second_arguments[] = {
            &x, &y, &channels, &outside, &planes.strips, &sums, &planes.pitch, &points, &planes.points_pitch, &each};
        TRY(gpu_launch(queue, "gaussian scaled, along",
                       x.step < SPLIT_STEP ? (const void *)along_rows<Acc, false> : (const void *)along_rows<Acc, true>,
                       second, second_arguments));

        static const void *const back[] = {(const void *)back_along_rows<Acc, 1>, (const void *)back_along_rows<Acc, 2>,
                                           (const void *)back_along_rows<Acc, 3>,
                                           (const void *)back_along_rows<Acc, 4>};
        const Launch third = {dim3(blocks_for(x.n, THREADS), blocks_for(y.count, 8)), dim3(THREADS), 0};
        void *third_arguments[] = {&x, &y.count, &points, &planes.points_pitch, &sums, &planes.pitch};
        TRY(gpu_launch(queue, "gaussian scaled, back", back[channels - 1], third, third_arguments));

        if (products) {
            int rows = product_rows(queue, product_blocks, height);
            const Launch fourth = {dim3(product_blocks, blocks_for(height, rows)), dim3(PRODUCT_THREADS), 0};
            void *arguments[] = {&out, &y.step, &sums, &planes.pitch, &y.bands_up, &rows};
            return gpu_launch(queue, "gaussian scaled, up", (const void *)up_products, fourth, arguments);
        }
        int rows = (int)blocks_for(height, planes.strips.count * 2); /* more strips than above: they repeat little */
        rows = rows < 64 ? 64 : rows;
        const Launch fourth = {dim3(across, blocks_for(height, rows)), dim3(THREADS), 0};
        void *fourth_arguments[] = {&out, &y, &sums, &planes.pitch, &rows};
        return gpu_launch(queue, "gaussian scaled, up", up_kernel<In, Out, Acc>(y.taps), fourth, fourth_arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    typedef Status (*Run)(Queue *, const Stage *);
    return for_stored<Run>(stage, Scaled<uint8_t, uint8_t>::run, Scaled<uint8_t, float>::run,
                           Scaled<uint16_t, uint16_t>::run, Scaled<uint16_t, float>::run,
                           Scaled<float, float>::run)(queue, stage);
}

extern "C" const Level cuda_gaussian_scaled = {
    .op = &op_gaussian,
    .name = "scaled",
    .idea = "two narrower gaussians, with only every so many pixels of the first computed: the time does not depend on "
            "sigma",
    .workspace = workspace,
    .run = run,
};
