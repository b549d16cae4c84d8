/* registers.cu: bytes, whose distances are |p|^2 + |q|^2 - 2 p q. A pixel is one word, and one instruction multiplies
 * two of them. A thread has 4 x 4 pixels and 4 offsets at a time: a word that it reads serves up to four
 * products. Sums down the columns run from row to row. Sums along the rows come from the next threads of the warp, so
 * that no thread waits once the tile is read. All sums are whole numbers below 2^24, exact in float. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/nlmeans.h"
}

enum { WARPS = 4, ROWS = 4, COLUMNS = 4, OFFSETS = 4, WIDE = 32 * COLUMNS, TALL = WARPS * ROWS, PATCH_MAX = 3 };

typedef struct Search {
    int search;
    float slope;
    unsigned outside; /* a pixel beyond the edges, where that is a constant */
    BorderMode border;
    int channels, out_type, pitch; /* of the tiles, in words */
} Search;

/* The tile in shared memory. Rows of `pixels` and `squares` begin `search` columns before the block's pixels, and
 * rows of `around` `patch` columns more. A thread's words of each begin at a multiple of 16 bytes. */
typedef struct Tile {
    unsigned *around; /* TALL + 2 patch + 2 search rows */
    unsigned *pixels; /* TALL + 2 search rows */
    float *squares;   /* sums of squares over the patches around the latter */
} Tile;

static __host__ __device__ size_t tile_words(int patch, int search, int pitch, unsigned *memory, Tile *tile) {
    const int inner = TALL + 2 * search, outer = inner + 2 * patch;
    tile->around = memory;
    tile->pixels = tile->around + outer * pitch;
    tile->squares = (float *)(tile->pixels + inner * pitch);
    return (size_t)((unsigned *)(tile->squares + inner * pitch) - memory);
}

static __device__ __forceinline__ int index_of(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : (int)border_index(mode, i, n);
}

static __device__ unsigned pixel_at(const Plane &in, const Search &search, int x, int y) {
    const int sx = index_of(search.border, x, in.width), sy = index_of(search.border, y, in.height);
    if (sx < 0 || sy < 0)
        return search.outside;
    const uint8_t *pixel = row_of<uint8_t>(in, sy) + sx * search.channels;
    unsigned word = 0;
    for (int c = 0; c < search.channels; c++)
        word |= (unsigned)pixel[c] << 8 * c;
    return word;
}

template <int PATCH>
static __device__ void load_tile(const Plane &in, const Search &search, const Tile &tile, int left, int top) {
    const int reach = search.search + PATCH, inner = TALL + 2 * search.search, outer = inner + 2 * PATCH;
    for (int i = threadIdx.x; i < outer * search.pitch; i += WARPS * 32)
        tile.around[i] = pixel_at(in, search, left - reach + i % search.pitch, top - reach + i / search.pitch);
    __syncthreads();
    for (int i = threadIdx.x; i < inner * search.pitch; i += WARPS * 32) {
        const int x = min(i % search.pitch, search.pitch - 2 * PATCH - 1), y = i / search.pitch;
        unsigned sum = 0;
        for (int row = 0; row <= 2 * PATCH; row++)
            for (int column = 0; column <= 2 * PATCH; column++) {
                const unsigned word = tile.around[(y + row) * search.pitch + x + column];
                sum = __dp4a(word, word, sum);
            }
        tile.squares[i] = (float)sum;
        tile.pixels[i] = tile.around[(y + PATCH) * search.pitch + x + PATCH];
    }
    __syncthreads();
}

static __device__ __forceinline__ float value_of(unsigned word, int c) {
    return __uint_as_float(__byte_perm(word, 0x4B000000, 0x7440 | c)) - 8388608.0f;
}
/* 16 bytes. */
static __device__ __forceinline__ void load_four(const void *from, void *to) {
    const uint4 four = *(const uint4 *)from;
    memcpy(to, &four, sizeof four);
}
static __device__ __forceinline__ float from_lane(float value, int ahead) {
    return __shfl_down_sync(0xffffffff, value, ahead);
}

/* Sums of 2 PATCH + 1 columns: the k-th begins with the k-th of the thread's own columns. */
template <int PATCH> static __device__ __forceinline__ void sum_along(const float *c, float *sums) {
    const float two = c[0] + c[1], three = two + c[2], four = three + c[3], last_two = c[2] + c[3];
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

/* The patches of a thread's own pixels, and their sums of squares: in registers, since shared memory is the busiest. */
template <int PATCH> struct Own {
    unsigned pixels[ROWS + 2 * PATCH][COLUMNS];
    float squares[ROWS][COLUMNS];
};

template <int PATCH> static __device__ __forceinline__ Own<PATCH> load_own(const Search &search, const Tile &tile) {
    const int at =
        (search.search + threadIdx.x / 32 * ROWS) * search.pitch + search.search + threadIdx.x % 32 * COLUMNS;
    Own<PATCH> own;
#pragma unroll
    for (int k = 0; k < COLUMNS; k++) {
#pragma unroll
        for (int r = 0; r < ROWS + 2 * PATCH; r++)
            own.pixels[r][k] = tile.around[at + r * search.pitch + k];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            own.squares[r][k] = tile.squares[at + r * search.pitch + k];
    }
    return own;
}

/* A thread's sums: of each pixel's colours, by weight, and of weights. */
template <int C> struct Means { float colours[ROWS][COLUMNS][C], weights[ROWS][COLUMNS]; };

/* Adds what one row of pixels gains from N offsets that follow one another. `sums` are those of products down the
 * columns; `at` is the place of the first neighbour of the thread's first pixel. */
template <int C, int PATCH, int N>
static __device__ __forceinline__ void add_row(const Search &search, const Tile &tile,
                                               const unsigned (&sums)[N][COLUMNS], const float *own_squares, int at,
                                               float (&colours)[COLUMNS][C], float *weights) {
    enum { WORDS = N > 1 ? 2 * COLUMNS : COLUMNS };
    unsigned pixels[WORDS];
    float squares[WORDS], values[COLUMNS + N - 1][C];
#pragma unroll
    for (int k = 0; k < WORDS; k += 4) {
        load_four(tile.squares + at + k, squares + k);
        load_four(tile.pixels + at + k, pixels + k);
    }
#pragma unroll
    for (int k = 0; k < COLUMNS + N - 1; k++)
#pragma unroll
        for (int c = 0; c < C; c++)
            values[k][c] = value_of(pixels[k], c);
#pragma unroll
    for (int i = 0; i < N; i++) {
        float columns[COLUMNS], products[COLUMNS];
#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
            columns[k] = (float)(int)sums[i][k];
        sum_along<PATCH>(columns, products);
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            const float distance = fmaf(-2.0f, products[k], own_squares[k]) + squares[k + i];
            float weight;
            asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(weight) : "f"(distance * search.slope));
            weights[k] += weight;
#pragma unroll
            for (int c = 0; c < C; c++)
                colours[k][c] = fmaf(weight, values[k + i][c], colours[k][c]);
        }
    }
}

/* Offsets `first` to `first` + N - 1 of row `row`, counted from those farthest to the left and above. */
template <int C, int PATCH, int N>
static __device__ __forceinline__ void add_offsets(const Search &search, const Tile &tile, const Own<PATCH> &own,
                                                   int first, int row, Means<C> &means) {
    enum { SIDE = 2 * PATCH + 1, WORDS = N > 1 ? 2 * COLUMNS : COLUMNS };
    const int lane = threadIdx.x % 32, top = threadIdx.x / 32 * ROWS;
    const int at = (top + row) * search.pitch + COLUMNS * lane + first;
    unsigned before[ROWS - 1][N][COLUMNS], sums[N][COLUMNS] = {};
#pragma unroll
    for (int r = 0; r < ROWS + SIDE - 1; r++) {
        unsigned others[WORDS];
#pragma unroll
        for (int k = 0; k < WORDS; k += 4)
            load_four(tile.around + at + r * search.pitch + k, others + k);
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int k = 0; k < COLUMNS; k++) {
                if (r >= SIDE)
                    sums[i][k] -= before[r - SIDE][i][k];
                if (r < ROWS - 1) {
                    before[r][i][k] = __dp4a(own.pixels[r][k], others[k + i], 0U);
                    sums[i][k] += before[r][i][k];
                } else {
                    sums[i][k] = __dp4a(own.pixels[r][k], others[k + i], sums[i][k]);
                }
            }
        if (r >= SIDE - 1)
            add_row<C, PATCH, N>(search, tile, sums, own.squares[r - SIDE + 1], at + (r - SIDE + 1) * search.pitch,
                                 means.colours[r - SIDE + 1], means.weights[r - SIDE + 1]);
    }
}

template <int C> static __device__ void store(const Plane &out, const Search &search, int x, int y, const float *mean) {
    for (int c = 0; c < C; c++)
        if (c < search.channels) {
            if (search.out_type == PIXEL_U8)
                row_to<uint8_t>(out, y)[x * search.channels + c] = Stored<uint8_t>::from(mean[c]);
            else
                row_to<float>(out, y)[x * search.channels + c] = mean[c];
        }
}

template <int C, int PATCH>
__global__ void __launch_bounds__(WARPS * 32, 2)
    nlmeans_registers(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ Search search) {
    enum { GOOD = WIDE - 2 * PATCH };
    extern __shared__ uint4 shared[];
    const int left = blockIdx.x * GOOD, top = blockIdx.y * TALL, side = 2 * search.search + 1; /* odd */
    Tile tile;
    tile_words(PATCH, search.search, search.pitch, (unsigned *)shared, &tile);
    load_tile<PATCH>(in, search, tile, left, top);
    const Own<PATCH> own = load_own<PATCH>(search, tile);
    Means<C> means = {};
    for (int row = 0; row < side; row++) {
        int i = 0;
        for (; i + OFFSETS <= side; i += OFFSETS)
            add_offsets<C, PATCH, OFFSETS>(search, tile, own, i, row, means);
        if (side - i == 3)
            add_offsets<C, PATCH, 3>(search, tile, own, i, row, means);
        else
            add_offsets<C, PATCH, 1>(search, tile, own, i, row, means);
    }
    const int column = threadIdx.x % 32 * COLUMNS, y = top + threadIdx.x / 32 * ROWS;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            float mean[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                mean[c] = means.colours[r][k][c] / means.weights[r][k];
            if (column + k < GOOD && left + column + k < out.width && y + r < out.height)
                store<C>(out, search, left + column + k, y + r, mean);
        }
}

static int pitch_of(const Stage *stage) {
    return (WIDE + 2 * nlmeans_job(stage)->search + 3) / 4 * 4 + COLUMNS;
}

static size_t shared_bytes(const Stage *stage) {
    const NlmeansJob *job = nlmeans_job(stage);
    Tile tile;
    return tile_words(job->patch, job->search, pitch_of(stage), NULL, &tile) * sizeof(unsigned);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PATCH_MAX][3] = {
        {(void *)nlmeans_registers<1, 1>, (void *)nlmeans_registers<3, 1>, (void *)nlmeans_registers<4, 1>},
        {(void *)nlmeans_registers<1, 2>, (void *)nlmeans_registers<3, 2>, (void *)nlmeans_registers<4, 2>},
        {(void *)nlmeans_registers<1, 3>, (void *)nlmeans_registers<3, 3>, (void *)nlmeans_registers<4, 3>}};
    const NlmeansJob *job = nlmeans_job(stage);
    const int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Search search = {
        job->search,    (float)nlmeans_slope(job, channels), 0, job->border.mode, channels, (int)stage->out.shape.type,
        pitch_of(stage)};
    for (int c = 0; c < channels; c++)
        search.outside |= (unsigned)job->border.value << 8 * c;
    const Launch launch = {dim3(blocks_for(out.width, WIDE - 2 * job->patch), blocks_for(out.height, TALL)),
                           dim3(WARPS * 32), shared_bytes(stage)};
    void *arguments[] = {&in, &out, &search};
    return gpu_launch(queue, "nlmeans registers",
                      kernels[job->patch - 1][channels == 1  ? 0
                                              : channels < 4 ? 1
                                                             : 2],
                      launch, arguments);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const float outside = nlmeans_job(stage)->border.value;
    *why_not = "it multiplies bytes";
    if (stage->in[0].shape.type != PIXEL_U8 || outside != rintf(outside) || outside < 0 || outside > 255)
        return false;
    *why_not = "sums run over patches of up to 7 x 7 pixels";
    if (nlmeans_job(stage)->patch > PATCH_MAX)
        return false;
    *why_not = "the tile and its surroundings do not fit into this GPU's shared memory";
    return shared_bytes(stage) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

extern "C" const Level cuda_nlmeans_registers = {
    .op = &op_nlmeans,
    .name = "registers",
    .idea =
        "distances as sums of products of bytes: a thread has 16 pixels and four offsets, and sums run down columns "
        "in registers",
    .accepts = accepts,
    .run = run,
};
