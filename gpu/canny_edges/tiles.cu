/* tiles.cu: a warp has a tile of 32 x 32 peaks as bits, a row a thread. Edges grow in it from strong peaks, all at
 * once. Weak peaks that are left count only if they reach the tile's rim: those that touch are one number there.
 * Numbers of neighbouring tiles become trees with one root, which is 0 if it is an edge. Then such edges grow from the
 * rim. Trees thus have the pixels at rims alone. */
#include "gpu/canny_edges/roots.cuh"

extern "C" {
#include "core/ops/canny.h"
}

enum { SIDE = 32, ACROSS = 8 /* tiles of a block */, THREADS = SIDE * ACROSS };

/* A tile's places at its rim: 32 each. A corner has two, which belong to one tree. */
typedef enum Rim { RIM_TOP, RIM_BOTTOM, RIM_LEFT, RIM_RIGHT, RIMS } Rim;

typedef struct Tiles {
    unsigned *edges, *open; /* SIDE rows a tile: edges so far, and weak peaks that reach the rim */
    unsigned *parents; /* that of 0, the root of all edges; then of each tile's places: NOTHING: no peak is there */
    int across, down;
    int width, height; /* of the picture */
} Tiles;

static __device__ __forceinline__ unsigned place_at(unsigned tile, Rim rim, int i) {
    return 1 + (tile * RIMS + rim) * SIDE + i;
}

/* A bit for each of four bytes that are at least 128 + `least`, which is less than 128. */
static __device__ __forceinline__ unsigned bits_of(unsigned bytes, unsigned least) {
    const unsigned found = bytes & ((bytes & 0x7f7f7f7f) + (128 - least) * 0x01010101) & 0x80808080;
    return (found >> 7) * 0x10204080 >> 28;
}

/* A row's peaks from x on, and the strong ones among them. */
static __device__ void load_row(const Plane &classes, int x, int y, unsigned *peaks, unsigned *strong) {
    const uint8_t *row = row_of<uint8_t>(classes, y) + x;
    *peaks = *strong = 0;
    if (x + SIDE <= classes.width) {
        uint4 words[2] = {__ldg((const uint4 *)row), __ldg((const uint4 *)row + 1)};
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const uint4 four = words[i / 4];
            const unsigned word = i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
            *peaks |= bits_of(word, CANNY_WEAK - 128) << 4 * i;
            *strong |= bits_of(word, CANNY_STRONG - 128) << 4 * i;
        }
    } else {
        for (int i = 0; i < classes.width - x; i++) {
            *peaks |= (unsigned)(row[i] >= CANNY_WEAK) << i;
            *strong |= (unsigned)(row[i] >= CANNY_STRONG) << i;
        }
    }
}

/* The bits of `mask` in a row from each of `seeds` up to the end of its run: a sum carries through the run. */
static __device__ __forceinline__ unsigned run_up(unsigned seeds, unsigned mask) {
    return seeds | (mask & ~(mask + seeds));
}

/* The bits of `mask` that are connected to `seeds`, a part of them. By all threads of the warp, each with its row. */
static __device__ __forceinline__ unsigned grow(unsigned seeds, unsigned mask) {
    const unsigned turned = __brev(mask);
    const int lane = threadIdx.x % SIDE;
    while (true) {
        const unsigned above = __shfl_up_sync(0xffffffff, seeds, 1), below = __shfl_down_sync(0xffffffff, seeds, 1);
        const unsigned near = (lane > 0 ? above : 0) | (lane < SIDE - 1 ? below : 0) | seeds;
        const unsigned begin = (near | near << 1 | near >> 1) & mask;
        const unsigned grown = run_up(begin, mask) | __brev(run_up(__brev(begin), turned));
        const bool same = grown == seeds;
        seeds = grown;
        if (__all_sync(0xffffffff, same))
            return seeds;
    }
}

static __device__ __forceinline__ unsigned tile_of(const Tiles &tiles) {
    return blockIdx.y * tiles.across + blockIdx.x * ACROSS + threadIdx.x / SIDE;
}

/* Grows edges in each tile, and gives a number to each group of weak peaks at its rim: its first place there. */
__global__ void __launch_bounds__(THREADS)
    canny_tiles_grow(const __grid_constant__ Plane classes, const __grid_constant__ Tiles tiles) {
    const int lane = threadIdx.x % SIDE, column = blockIdx.x * ACROSS + threadIdx.x / SIDE;
    const int x = column * SIDE, y = blockIdx.y * SIDE + lane;
    if (blockIdx.x + blockIdx.y + threadIdx.x == 0)
        tiles.parents[0] = 0;
    if (column >= tiles.across)
        return;
    unsigned peaks = 0, strong = 0;
    if (y < tiles.height)
        load_row(classes, x, y, &peaks, &strong);
    const unsigned edges = grow(strong, peaks), weak = peaks & ~edges, tile = tile_of(tiles);
    const unsigned top_row = __shfl_sync(0xffffffff, edges, 0), bottom_row = __shfl_sync(0xffffffff, edges, SIDE - 1);
    unsigned parents[RIMS] = {top_row >> lane & 1 ? 0 : NOTHING, bottom_row >> lane & 1 ? 0 : NOTHING,
                              edges & 1 ? 0 : NOTHING, edges >> (SIDE - 1) ? 0 : NOTHING};
    const unsigned rim = lane == 0 || lane == SIDE - 1 ? 0xffffffff : 0x80000001;
    unsigned open = 0, left = weak & rim;
    for (unsigned rows; (rows = __ballot_sync(0xffffffff, left != 0)) != 0;) {
        const int first = __ffs((int)rows) - 1, bit = __ffs((int)__shfl_sync(0xffffffff, left, first)) - 1;
        const unsigned group = grow(lane == first ? 1U << bit : 0, weak);
        const unsigned above = __shfl_sync(0xffffffff, group, 0), below = __shfl_sync(0xffffffff, group, SIDE - 1);
        const unsigned number = first == 0          ? place_at(tile, RIM_TOP, bit)
                                : first == SIDE - 1 ? place_at(tile, RIM_BOTTOM, bit)
                                : bit == 0          ? place_at(tile, RIM_LEFT, first)
                                                    : place_at(tile, RIM_RIGHT, first);
        parents[RIM_TOP] = above >> lane & 1 ? number : parents[RIM_TOP];
        parents[RIM_BOTTOM] = below >> lane & 1 ? number : parents[RIM_BOTTOM];
        parents[RIM_LEFT] = group & 1 ? number : parents[RIM_LEFT];
        parents[RIM_RIGHT] = group >> (SIDE - 1) ? number : parents[RIM_RIGHT];
        open |= group;
        left &= ~group;
    }
    tiles.edges[tile * SIDE + lane] = edges;
    tiles.open[tile * SIDE + lane] = open;
#pragma unroll
    for (int k = 0; k < RIMS; k++)
        tiles.parents[place_at(tile, (Rim)k, lane)] = parents[k];
}

/* The first place of a tile's rim; NOTHING beyond the picture. */
static __device__ __forceinline__ unsigned rim_of(const Tiles &tiles, int column, int row, Rim rim) {
    const bool inside = column >= 0 && column < tiles.across && row >= 0 && row < tiles.down;
    return inside ? place_at((unsigned)(row * tiles.across + column), rim, 0) : NOTHING;
}
static __device__ __forceinline__ bool is_peak(const Tiles &tiles, unsigned rim, int i) {
    return rim != NOTHING && ((const volatile unsigned *)tiles.parents)[rim + i] != NOTHING;
}

/* Unites a thread's place of a rim with those that touch it of the rim `other` it, in the tiles before and behind
 * that, too. Pairs that are united by way of their neighbours in the same rims are left out. */
static __device__ void unite_rims(const Tiles &tiles, unsigned rim, unsigned other, unsigned before, unsigned behind) {
    const int i = threadIdx.x % SIDE;
    const bool own = is_peak(tiles, rim, i), straight = is_peak(tiles, other, i);
    const unsigned mine = __ballot_sync(0xffffffff, own), theirs = __ballot_sync(0xffffffff, straight);
    if (own && straight && !(mine << 1 & theirs << 1 & 1U << i))
        unite(tiles.parents, rim + i, other + i);
    if (own && !straight && (~mine << 1 & theirs << 1 & 1U << i))
        unite(tiles.parents, rim + i, other + i - 1);
    if (own && !straight && (~mine >> 1 & theirs >> 1 & 1U << i))
        unite(tiles.parents, rim + i, other + i + 1);
    if (own && i == 0 && is_peak(tiles, before, SIDE - 1))
        unite(tiles.parents, rim, before + SIDE - 1);
    if (own && i == SIDE - 1 && is_peak(tiles, behind, 0))
        unite(tiles.parents, rim + i, behind);
}

/* Unites the numbers at the right and lower rim of each tile with those that touch them in the next tiles. */
__global__ void __launch_bounds__(THREADS) canny_tiles_unite(const __grid_constant__ Tiles tiles) {
    const int column = blockIdx.x * ACROSS + threadIdx.x / SIDE, row = blockIdx.y;
    if (column >= tiles.across)
        return;
    unite_rims(tiles, rim_of(tiles, column, row, RIM_RIGHT), rim_of(tiles, column + 1, row, RIM_LEFT),
               rim_of(tiles, column + 1, row - 1, RIM_LEFT), rim_of(tiles, column + 1, row + 1, RIM_LEFT));
    unite_rims(tiles, rim_of(tiles, column, row, RIM_BOTTOM), rim_of(tiles, column, row + 1, RIM_TOP),
               rim_of(tiles, column - 1, row + 1, RIM_TOP), rim_of(tiles, column + 1, row + 1, RIM_TOP));
}

static __device__ __forceinline__ bool is_edge(const Tiles &tiles, unsigned place) {
    const unsigned parent = tiles.parents[place];
    return parent != NOTHING && root_of(tiles.parents, parent) == 0;
}

/* The values of 16 bytes from `value` on in a row of a block, whose pixels are bits. */
template <typename Out, int C>
static __device__ __forceinline__ void expand(const unsigned *bits, int value, Out white, Out *to) {
    enum { EACH = 16 / sizeof(Out), PIXELS = (EACH + C - 1 + C - 1) / C };
    const int pixel = value / C, c = value - pixel * C;
    const unsigned here = __funnelshift_r(bits[pixel / SIDE], bits[pixel / SIDE + 1], pixel % SIDE);
    unsigned each = 0; /* a bit for each value, from the pixel's first on */
#pragma unroll
    for (int i = 0; i < PIXELS; i++)
        each |= here << (C - 1) * i & 1U << C * i;
    each = each * ((1U << C) - 1) >> c;
    if constexpr (sizeof(Out) == 1) {
#pragma unroll
        for (int i = 0; i < EACH / 4; i++)
            ((unsigned *)to)[i] = ((each >> 4 * i & 15) * 0x204081 & 0x01010101) * white;
    } else {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            to[i] = each >> i & 1 ? white : (Out)0;
    }
}

/* Lets edges grow from the rim, and writes them. */
template <typename Out, int C>
__global__ void __launch_bounds__(THREADS)
    canny_tiles_write(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ CannyJob job, const __grid_constant__ Tiles tiles) {
    enum { EACH = 16 / sizeof(Out) };
    __shared__ unsigned bits[SIDE][ACROSS + 1]; /* the last one is 0 */
    const int lane = threadIdx.x % SIDE, column = blockIdx.x * ACROSS + threadIdx.x / SIDE;
    unsigned edges = 0;
    if (column < tiles.across) {
        const unsigned tile = tile_of(tiles), open = tiles.open[tile * SIDE + lane];
        edges = tiles.edges[tile * SIDE + lane];
        if (__any_sync(0xffffffff, open != 0)) {
            const unsigned top = __ballot_sync(0xffffffff, is_edge(tiles, place_at(tile, RIM_TOP, lane)));
            const unsigned bottom = __ballot_sync(0xffffffff, is_edge(tiles, place_at(tile, RIM_BOTTOM, lane)));
            unsigned seeds = lane == 0 ? top : lane == SIDE - 1 ? bottom : 0;
            seeds |= (unsigned)is_edge(tiles, place_at(tile, RIM_LEFT, lane));
            seeds |= (unsigned)is_edge(tiles, place_at(tile, RIM_RIGHT, lane)) << (SIDE - 1);
            __syncwarp();
            edges |= grow(seeds & open, open);
        }
    }
    bits[lane][threadIdx.x / SIDE] = edges;
    if (threadIdx.x < SIDE)
        bits[lane][ACROSS] = 0;
    __syncthreads();
    const int left = blockIdx.x * THREADS, top = blockIdx.y * SIDE, rows = min((int)SIDE, out.height - top);
    constexpr int PIECES = THREADS * C / EACH;
    const int values = min((int)THREADS, out.width - left) * C;
    for (int i = threadIdx.x; i < PIECES * rows; i += THREADS) {
        const int row = i / PIECES, first = i % PIECES * EACH;
        if (first >= values)
            continue;
        Out *to = row_to<Out>(out, top + row) + left * C + first;
        const Out *from = row_of<Out>(in, top + row) + left * C + first;
        __align__(16) Out made[EACH];
        expand<Out, C>(bits[row], first, (Out)job.white, made);
        for (int k = 0; job.alpha && k < min((int)EACH, values - first); k++)
            if ((first + k) % C == C - 1)
                made[k] = from[k];
        if (first + EACH <= values) {
            *(uint4 *)to = *(const uint4 *)made;
        } else {
            for (int k = 0; k < values - first; k++)
                to[k] = made[k];
        }
    }
}

static Tiles tiles_of(const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    Tiles tiles = {};
    tiles.width = (int)shape.width;
    tiles.height = (int)shape.height;
    tiles.across = (tiles.width + SIDE - 1) / SIDE;
    tiles.down = (tiles.height + SIDE - 1) / SIDE;
    return tiles;
}

static size_t places_of(const Tiles &tiles) {
    return 1 + (size_t)tiles.across * tiles.down * RIMS * SIDE;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const Tiles tiles = tiles_of(stage);
    (void)device;
    return ((size_t)2 * tiles.across * tiles.down * SIDE + places_of(tiles)) * sizeof(unsigned);
}

template <typename Out> static const void *writer(int channels) {
    static const void *const writers[] = {(void *)canny_tiles_write<Out, 1>, (void *)canny_tiles_write<Out, 2>,
                                          (void *)canny_tiles_write<Out, 3>, (void *)canny_tiles_write<Out, 4>};
    return writers[channels - 1];
}

static Status run(Queue *queue, const Stage *stage) {
    Plane classes = plane_of(stage->in[0]), in = plane_of(stage->in[1]), out = plane_of(stage->out);
    const Shape shape = stage->out.shape;
    CannyJob job = *canny_job(stage);
    Tiles tiles = tiles_of(stage);
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
    tiles.edges = (unsigned *)memory;
    tiles.open = tiles.edges + (size_t)tiles.across * tiles.down * SIDE;
    tiles.parents = tiles.open + (size_t)tiles.across * tiles.down * SIDE;
    const Launch launch = {dim3(blocks_for(tiles.across, ACROSS), (unsigned)tiles.down), dim3(THREADS), 0};
    void *growing[] = {&classes, &tiles};
    void *uniting[] = {&tiles};
    void *writing[] = {&in, &out, &job, &tiles};
    const void *const write = shape.type == PIXEL_U8    ? writer<uint8_t>(shape.channels)
                              : shape.type == PIXEL_U16 ? writer<uint16_t>(shape.channels)
                                                        : writer<float>(shape.channels);
    TRY(gpu_launch(queue, "canny_edges tiles, grow", (const void *)canny_tiles_grow, launch, growing));
    TRY(gpu_launch(queue, "canny_edges tiles, unite", (const void *)canny_tiles_unite, launch, uniting));
    return gpu_launch(queue, "canny_edges tiles, write", write, launch, writing);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the rows that a part shares with its neighbours are not at the rims of tiles";
    if (canny_job(stage)->cut)
        return false;
    *why_not = "it counts places in 32 bits";
    return places_of(tiles_of(stage)) < NOTHING;
}

extern "C" const Level cuda_canny_edges_tiles = {
    .op = &op_canny_edges,
    .name = "tiles",
    .idea =
        "edges grow in tiles of bits, a row a thread; between tiles, peaks at their rims become trees with one root",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
