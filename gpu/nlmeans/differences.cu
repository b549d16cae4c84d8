/* differences.cu: numbers of more than 8 bits, by squared differences in registers. A thread has 4 x 4 pixels and 4
 * offsets at a time: a value that it reads serves up to four differences. Sums down the columns are shared by the
 * rows, and sums along the rows come from the next threads of the warp. No sum subtracts what an earlier one added:
 * of a large difference that leaves the patch nothing remains. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/nlmeans.h"
}

enum { ROWS = 4, COLUMNS = 4, OFFSETS = 4, WIDE = 32 * COLUMNS, PATCH_MAX = 3, WARPS_MAX = 8, WARPS_MIN = 4 };
enum { SEARCH_MIN = 4 }; /* of u16: the errors of fewer weights do not even out */

typedef struct Search {
    int search;
    float slope, outside;
    BorderMode border;
    int channels, in_type, out_type, warps, pitch; /* of a tile's row, in values */
} Search;

/* The tile in shared memory, a plane for each channel. Rows of `around` begin `search` + `patch` columns before the
 * block's pixels, and rows of `own`, which are WIDE long, `patch`. A thread's four values of each begin at a multiple
 * of 16 bytes. */
typedef struct Tile {
    float *around, *own;
    int plane, own_plane; /* values */
} Tile;

static __host__ __device__ size_t tile_values(int patch, const Search &search, int planes, float *memory, Tile *tile) {
    const int inner = search.warps * ROWS + 2 * patch;
    tile->plane = (inner + 2 * search.search) * search.pitch;
    tile->own_plane = inner * WIDE;
    tile->around = memory;
    tile->own = memory + planes * tile->plane;
    return (size_t)planes * (size_t)(tile->plane + tile->own_plane);
}

static __device__ __forceinline__ int index_of(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : (int)border_index(mode, i, n);
}

/* The C values at a place; channels beyond the picture's are 0. */
template <int C>
static __device__ __forceinline__ void values_at(const Plane &in, const Search &search, int x, int y, float *values) {
    const int sx = index_of(search.border, x, in.width), sy = index_of(search.border, y, in.height);
#pragma unroll
    for (int c = 0; c < C; c++) {
        const int at = sx * search.channels + c;
        values[c] = 0;
        if (c >= search.channels)
            continue;
        if (sx < 0 || sy < 0)
            values[c] = search.outside;
        else
            values[c] = search.in_type == PIXEL_U16 ? (float)row_of<uint16_t>(in, sy)[at] : row_of<float>(in, sy)[at];
    }
}

template <int C, int PATCH>
static __device__ __forceinline__ void load_tile(const Plane &in, const Search &search, const Tile &tile, int left,
                                                 int top) {
    const int reach = search.search + PATCH;
    for (int i = threadIdx.x; i < tile.plane; i += blockDim.x) {
        float values[C];
        values_at<C>(in, search, left - reach + i % search.pitch, top - reach + i / search.pitch, values);
#pragma unroll
        for (int c = 0; c < C; c++)
            tile.around[c * tile.plane + i] = values[c];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < tile.own_plane; i += blockDim.x)
#pragma unroll
        for (int c = 0; c < C; c++)
            tile.own[c * tile.own_plane + i] =
                tile.around[c * tile.plane + (i / WIDE + search.search) * search.pitch + i % WIDE + search.search];
    __syncthreads();
}

/* COUNT values in steps of 16 bytes. */
template <int COUNT> static __device__ __forceinline__ void load(const float *from, float *to) {
#pragma unroll
    for (int k = 0; k < COUNT; k += 4) {
        const float4 four = *(const float4 *)(from + k);
        to[k] = four.x, to[k + 1] = four.y, to[k + 2] = four.z, to[k + 3] = four.w;
    }
}
static __host__ __device__ constexpr int whole_fours(int count) {
    return (count + 3) / 4 * 4;
}
static __device__ __forceinline__ float from_lane(float value, int ahead) {
    return __shfl_down_sync(0xffffffff, value, ahead);
}

/* Sums of 2 PATCH + 1 columns: the k-th begins with the k-th of the thread's own columns. */
template <int PATCH> static __device__ __forceinline__ void sum_along(const float *c, float *sums) {
    const float two = c[0] + c[1], three = two + c[2], last_two = c[2] + c[3], four = two + last_two;
    if constexpr (PATCH == 1) {
        sums[0] = three, sums[1] = c[1] + last_two;
        sums[2] = last_two + from_lane(c[0], 1), sums[3] = c[3] + from_lane(two, 1);
    } else if constexpr (PATCH == 2) {
        sums[0] = four + from_lane(c[0], 1), sums[1] = c[1] + last_two + from_lane(two, 1);
        sums[2] = last_two + from_lane(three, 1), sums[3] = c[3] + from_lane(four, 1);
    } else {
        const float next = from_lane(four, 1);
        sums[0] = four + from_lane(three, 1), sums[1] = c[1] + last_two + next;
        sums[2] = last_two + next + from_lane(c[0], 2), sums[3] = c[3] + next + from_lane(two, 2);
    }
}

/* A thread's sums over the offsets of one height: of what neighbours have more than the pixel, by weight, and of
 * weights. Where few neighbours count, the sums are small, and so is the part that rounding takes. */
template <int C> struct Part { float more[ROWS][COLUMNS][C], weights[ROWS][COLUMNS]; };

/* Adds what one row of pixels gains from N offsets that follow one another. `sums` are those of squares down the
 * columns. Rows begin with the left end of the patches: `own_middle` that of the pixels, `middle` that of their
 * neighbours. */
template <int C, int PATCH, int N>
static __device__ __forceinline__ void add_row(const Search &search, const Tile &tile, const float (&sums)[N][COLUMNS],
                                               const float *own_middle, const float *middle, float (&more)[COLUMNS][C],
                                               float *weights) {
    enum { WORDS = whole_fours(PATCH + COLUMNS + N - 1), OWN = whole_fours(PATCH + COLUMNS) };
    float own[C][OWN], others[C][WORDS];
#pragma unroll
    for (int c = 0; c < C; c++) {
        load<OWN>(own_middle + c * tile.own_plane, own[c]);
        load<WORDS>(middle + c * tile.plane, others[c]);
    }
#pragma unroll
    for (int i = 0; i < N; i++) {
        float distances[COLUMNS];
        sum_along<PATCH>(sums[i], distances);
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            float weight;
            asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(weight) : "f"(distances[k] * search.slope));
            weights[k] += weight;
#pragma unroll
            for (int c = 0; c < C; c++)
                more[k][c] = fmaf(weight, others[c][PATCH + k + i] - own[c][PATCH + k], more[k][c]);
        }
    }
}

/* Offsets `first` to `first` + N - 1 of row `row`, counted from those farthest to the left and above. All rows of
 * pixels share `head`, sums of squares of the rows from the last one's first on. `tails` are of the rows before that.
 */
template <int C, int PATCH, int N>
static __device__ __forceinline__ void add_offsets(const Search &search, const Tile &tile, int first, int row,
                                                   Part<C> &part) {
    enum { SIDE = 2 * PATCH + 1, WORDS = whole_fours(COLUMNS + N - 1) };
    const int lane = threadIdx.x % 32, top = threadIdx.x / 32 * ROWS;
    const float *around = tile.around + (top + row) * search.pitch + COLUMNS * lane + first;
    const float *own_row = tile.own + top * WIDE + COLUMNS * lane;
    float tails[ROWS - 1][N][COLUMNS], head[N][COLUMNS];
#pragma unroll
    for (int r = 0; r < ROWS + SIDE - 1; r++) {
        float squares[N][COLUMNS], sums[N][COLUMNS];
#pragma unroll
        for (int c = 0; c < C; c++) {
            float own[COLUMNS], others[WORDS];
            load<COLUMNS>(own_row + c * tile.own_plane + r * WIDE, own);
            load<WORDS>(around + c * tile.plane + r * search.pitch, others);
#pragma unroll
            for (int i = 0; i < N; i++)
#pragma unroll
                for (int k = 0; k < COLUMNS; k++) {
                    const float d = own[k] - others[k + i];
                    squares[i][k] = c == 0 ? d * d : fmaf(d, d, squares[i][k]);
                }
        }
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int k = 0; k < COLUMNS; k++) {
                if (r < ROWS - 1)
                    tails[r][i][k] = squares[i][k];
                else
                    head[i][k] = r == ROWS - 1 ? squares[i][k] : head[i][k] + squares[i][k];
                if (r == ROWS - 2)
#pragma unroll
                    for (int w = ROWS - 3; w >= 0; w--)
                        tails[w][i][k] += tails[w + 1][i][k];
                constexpr int NONE = ROWS - 1;
                const int w = r - SIDE + 1;
                if (w >= 0)
                    sums[i][k] = r < ROWS - 1 ? tails[w < NONE ? w : 0][i][k]
                                 : w < NONE   ? tails[w < NONE ? w : 0][i][k] + head[i][k]
                                              : head[i][k];
            }
        if (r >= SIDE - 1)
            add_row<C, PATCH, N>(search, tile, sums, own_row + (r - PATCH) * WIDE, around + (r - PATCH) * search.pitch,
                                 part.more[r - SIDE + 1], part.weights[r - SIDE + 1]);
    }
}

template <int C>
static __device__ void store(const Plane &out, const Search &search, int x, int y, const double *mean) {
#pragma unroll
    for (int c = 0; c < C; c++)
        if (c < search.channels) {
            if (search.out_type == PIXEL_U16)
                row_to<uint16_t>(out, y)[x * search.channels + c] = Stored<uint16_t>::from(mean[c]);
            else
                row_to<float>(out, y)[x * search.channels + c] = Stored<float>::from(mean[c]);
        }
}

/* Sums of one height are float, and those of all double: long sums of like values would round the same way. */
template <int C, int PATCH>
__global__ void __launch_bounds__(WARPS_MAX * 32, 1)
    nlmeans_differences(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                        const __grid_constant__ Search search) {
    enum { GOOD = WIDE - 2 * PATCH };
    extern __shared__ float4 shared[];
    const int tall = search.warps * ROWS, side = 2 * search.search + 1; /* odd */
    const int left = blockIdx.x * GOOD, top = blockIdx.y * tall;
    Tile tile;
    tile_values(PATCH, search, C, (float *)shared, &tile);
    load_tile<C, PATCH>(in, search, tile, left, top);
    double more[ROWS][COLUMNS][C] = {}, weights[ROWS][COLUMNS] = {};
    for (int row = 0; row < side; row++) {
        Part<C> part = {};
        int i = 0;
        for (; i + OFFSETS <= side; i += OFFSETS)
            add_offsets<C, PATCH, OFFSETS>(search, tile, i, row, part);
        if (side - i == 3)
            add_offsets<C, PATCH, 3>(search, tile, i, row, part);
        else
            add_offsets<C, PATCH, 1>(search, tile, i, row, part);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int k = 0; k < COLUMNS; k++) {
                weights[r][k] += (double)part.weights[r][k];
#pragma unroll
                for (int c = 0; c < C; c++)
                    more[r][k][c] += (double)part.more[r][k][c];
            }
    }
    const int column = threadIdx.x % 32 * COLUMNS, row = threadIdx.x / 32 * ROWS;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            if (column + k >= GOOD || left + column + k >= out.width || top + row + r >= out.height)
                continue;
            const float *own = tile.own + (row + r + PATCH) * WIDE + column + k + PATCH;
            double mean[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                mean[c] = (double)own[c * tile.own_plane] + more[r][k][c] / weights[r][k];
            store<C>(out, search, left + column + k, top + row + r, mean);
        }
}

/* Values of a pixel in shared memory. */
static int planes_of(const Stage *stage) {
    const int channels = stage->out.shape.channels;
    return channels == 2 ? 3 : channels;
}

/* As many warps as have room; false if too few have. */
static bool plan_search(const Device *device, const Stage *stage, Search *search, size_t *bytes) {
    const NlmeansJob *job = nlmeans_job(stage);
    const Shape in = stage->in[0].shape;
    Tile tile;
    *search = Search{job->search,
                     (float)nlmeans_slope(job, in.channels),
                     job->border.value,
                     job->border.mode,
                     in.channels,
                     (int)in.type,
                     (int)stage->out.shape.type,
                     WARPS_MAX,
                     (WIDE + 2 * job->search + 3) / 4 * 4 + COLUMNS};
    for (; search->warps >= WARPS_MIN; search->warps /= 2) {
        *bytes = tile_values(job->patch, *search, planes_of(stage), NULL, &tile) * sizeof(float);
        if (*bytes <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin)
            return true;
    }
    return false;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PATCH_MAX][3] = {
        {(void *)nlmeans_differences<1, 1>, (void *)nlmeans_differences<3, 1>, (void *)nlmeans_differences<4, 1>},
        {(void *)nlmeans_differences<1, 2>, (void *)nlmeans_differences<3, 2>, (void *)nlmeans_differences<4, 2>},
        {(void *)nlmeans_differences<1, 3>, (void *)nlmeans_differences<3, 3>, (void *)nlmeans_differences<4, 3>}};
    const int patch = nlmeans_job(stage)->patch, planes = planes_of(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Search search;
    size_t bytes;
    if (!plan_search(queue->device, stage, &search, &bytes))
        return fail(STATUS_DEVICE, "no room in shared memory for patches around a tile");
    const Launch launch = {dim3(blocks_for(out.width, WIDE - 2 * patch), blocks_for(out.height, search.warps * ROWS)),
                           dim3(search.warps * 32), bytes};
    void *arguments[] = {&in, &out, &search};
    return gpu_launch(queue, "nlmeans differences", kernels[patch - 1][planes == 1 ? 0 : planes - 2], launch,
                      arguments);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    Search search;
    size_t bytes;
    *why_not = "bytes are multiplied in fewer instructions";
    if (stage->in[0].shape.type == PIXEL_U8)
        return false;
    *why_not = "sums run over patches of up to 7 x 7 pixels";
    if (nlmeans_job(stage)->patch > PATCH_MAX)
        return false;
    *why_not = "16 bits need weights of double where the search is less than 9 x 9";
    if (stage->in[0].shape.type == PIXEL_U16 && nlmeans_job(stage)->search < SEARCH_MIN)
        return false;
    *why_not = "the tile and its surroundings do not fit into this GPU's shared memory";
    return plan_search(device, stage, &search, &bytes);
}

extern "C" const Level cuda_nlmeans_differences = {
    .op = &op_nlmeans,
    .name = "differences",
    .idea = "squared differences in registers: a thread has 16 pixels and four offsets, whose rows share sums down the "
            "columns",
    .accepts = accepts,
    .run = run,
};
