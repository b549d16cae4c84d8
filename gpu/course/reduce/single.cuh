/* single.cuh: one pass over a picture or two, in 16-byte loads, several of them on their way in each thread. The last
 * step adds up the figures of all blocks. Whole numbers are added exactly, f32 values as double.
 * The shape and the grid alone decide the order in which a thread's values, a warp's lanes, a block's warps and the
 * blocks are added. The last block begins when all others are done, whichever it is. */
#ifndef GLINT_GPU_COURSE_REDUCE_SINGLE_CUH
#define GLINT_GPU_COURSE_REDUCE_SINGLE_CUH

#include "gpu/course/reduce/sums.cuh"

extern "C" {
#include "core/device/cache.h"
}

#include <math_constants.h>

/* The figures that a kernel makes: some of them cost nothing next to the loads. */
enum SingleMode { SINGLE_SUM, SINGLE_EXTREMA, SINGLE_ALL, SINGLE_DIFFERENCE /* ALL of differences */, SINGLE_PRODUCT };

#ifndef SINGLE_THREADS
enum { SINGLE_THREADS = 512 };
#endif
#ifndef SINGLE_BLOCKS
enum { SINGLE_BLOCKS = 4 }; /* a multiprocessor */
#endif
#ifndef SINGLE_TURNS
enum { SINGLE_TURNS = 4 }; /* loads on their way in a thread */
#endif

/* An item is whole pixels of a row in whole 16-byte words. */
template <typename T, int C> struct Item {
    enum { WORDS = C == 3 ? 3 : 1, VALUES = WORDS * 16 / sizeof(T) };
    uint4 words[WORDS];
};

/* A row has `full` items, all of them if it is aligned, and `across` in all, the last of them with the rest of
 * `values`. A grid takes `down` rows and `along` items a step. */
typedef struct Items {
    unsigned full, across, down, along, height;
    size_t values;
    unsigned long long pixels;
} Items;

static __device__ __forceinline__ float lowest(float) {
    return -CUDART_INF_F;
}
static __device__ __forceinline__ float highest(float) {
    return CUDART_INF_F;
}
static __device__ __forceinline__ unsigned lowest(unsigned) {
    return 0;
}
static __device__ __forceinline__ unsigned highest(unsigned) {
    return 0xFFFFFFFF;
}
static __device__ __forceinline__ float lesser(float a, float b) {
    return fminf(a, b);
}
static __device__ __forceinline__ float greater(float a, float b) {
    return fmaxf(a, b);
}
static __device__ __forceinline__ unsigned lesser(unsigned a, unsigned b) {
    return min(a, b);
}
static __device__ __forceinline__ unsigned greater(unsigned a, unsigned b) {
    return max(a, b);
}
/* The type that extrema are kept in. */
template <typename T> struct Ordered { typedef unsigned Type; };
template <> struct Ordered<float> { typedef float Type; };

static __device__ __forceinline__ float apart(float a, float b) {
    return fabsf(a - b);
}
template <typename T> static __device__ __forceinline__ T apart(T a, T b) {
    return (T)(a > b ? a - b : b - a);
}

/* The figures of some values. */
template <typename T, int C> struct Totals {
    typedef typename Summed<T>::Type Sum;
    typedef typename Ordered<T>::Type End;
    Sum sum[C], squares[C];
    End minimum[C], maximum[C];
    unsigned nan[C], pad[C];

    __device__ __forceinline__ void begin() {
#pragma unroll
        for (int c = 0; c < C; c++) {
            sum[c] = squares[c] = 0;
            minimum[c] = highest(End());
            maximum[c] = lowest(End());
            nan[c] = pad[c] = 0;
        }
    }
    template <int MODE> __device__ __forceinline__ void add(const Totals &more) {
#pragma unroll
        for (int c = 0; c < C; c++) {
            sum[c] += more.sum[c];
            squares[c] += more.squares[c];
            minimum[c] = lesser(minimum[c], more.minimum[c]);
            maximum[c] = greater(maximum[c], more.maximum[c]);
            nan[c] += more.nan[c];
        }
    }
    template <int MODE> __device__ __forceinline__ void add_value(int c, T v, T other) {
        if constexpr (MODE == SINGLE_PRODUCT) {
            const Sum product = (Sum)v * (Sum)other;
            sum[c] += product == product ? product : 0;
            return;
        }
        if constexpr (MODE == SINGLE_DIFFERENCE)
            v = apart(v, other);
        if constexpr (MODE != SINGLE_EXTREMA) {
            const Sum finite = not_nan(v);
            sum[c] += finite;
            if constexpr (MODE != SINGLE_SUM) {
                squares[c] += finite * finite;
                nan[c] += !(v == v);
            }
        }
        if constexpr (MODE != SINGLE_SUM) {
            minimum[c] = lesser((End)v, minimum[c]);
            maximum[c] = greater((End)v, maximum[c]);
        }
    }
    /* Bytes are added four at a time, by which of them the factor is 1 for. */
    __device__ __forceinline__ void add_bytes(const uint4 *words) {
        const unsigned *word = (const unsigned *)words;
#pragma unroll
        for (int c = 0; c < C; c++) {
            unsigned some = 0;
#pragma unroll
            for (int w = 0; w < Item<T, C>::WORDS * 4; w++) {
                unsigned which = 0;
#pragma unroll
                for (int i = 0; i < 4; i++)
                    which |= (4 * w + i) % C == c ? 1u << (8 * i) : 0;
                if (which)
                    some = __dp4a(word[w], which, some);
            }
            sum[c] += some;
        }
    }
    template <int MODE> __device__ __forceinline__ void add_item(const Item<T, C> &a, const Item<T, C> &b) {
        if constexpr (MODE == SINGLE_SUM && sizeof(T) == 1)
            add_bytes(a.words);
        else {
            const T *v = (const T *)a.words, *other = (const T *)b.words;
#pragma unroll
            for (int i = 0; i < Item<T, C>::VALUES; i++)
                add_value<MODE>(i % C, v[i], MODE >= SINGLE_DIFFERENCE ? other[i] : v[i]);
        }
    }
    /* The value of the lane `apart` lanes away. */
    template <typename V> static __device__ __forceinline__ V of_lane(V value, int apart) {
        return __shfl_xor_sync(0xFFFFFFFF, value, apart);
    }
    template <int MODE> __device__ __forceinline__ void add_lanes() {
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2)
#pragma unroll
            for (int c = 0; c < C; c++) {
                if constexpr (MODE != SINGLE_EXTREMA)
                    sum[c] += of_lane(sum[c], apart);
                if constexpr (MODE == SINGLE_ALL || MODE == SINGLE_DIFFERENCE) {
                    squares[c] += of_lane(squares[c], apart);
                    nan[c] += of_lane(nan[c], apart);
                }
                if constexpr (MODE != SINGLE_SUM && MODE != SINGLE_PRODUCT) {
                    minimum[c] = lesser(minimum[c], of_lane(minimum[c], apart));
                    maximum[c] = greater(maximum[c], of_lane(maximum[c], apart));
                }
            }
    }
    /* Loads the totals that other blocks have stored meanwhile: not from this multiprocessor's cache. */
    __device__ __forceinline__ void load(const Totals *from) {
        const uint2 *words = (const uint2 *)from;
        uint2 *to = (uint2 *)this;
#pragma unroll
        for (int i = 0; i < (int)(sizeof(Totals) / sizeof(uint2)); i++)
            to[i] = __ldcg(words + i);
    }
};

/* The first thread gets the totals of all of them. */
template <int MODE, typename T, int C> static __device__ __forceinline__ void add_block(Totals<T, C> *totals) {
    enum { WARPS = SINGLE_THREADS / 32 };
    __shared__ Totals<T, C> warps[WARPS];
    totals->template add_lanes<MODE>();
    __syncthreads(); /* `warps` has been read */
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = *totals;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    if (threadIdx.x < WARPS)
        *totals = warps[threadIdx.x];
    else
        totals->begin();
    totals->template add_lanes<MODE>();
}

template <typename T, int C>
static __device__ __forceinline__ void load_item(const Plane &in, unsigned y, unsigned k, Item<T, C> *item) {
    const uint4 *from = (const uint4 *)(in.pixels + (size_t)y * in.stride) + (size_t)k * Item<T, C>::WORDS;
#pragma unroll
    for (int i = 0; i < Item<T, C>::WORDS; i++)
        item->words[i] = __ldg(from + i);
}

/* Where a thread is. */
typedef struct Walk {
    unsigned y, k;
} Walk;
static __device__ __forceinline__ void walk_on(const Items &items, Walk *walk) {
    walk->k += items.along;
    walk->y += items.down;
    if (walk->k >= items.across) {
        walk->k -= items.across;
        walk->y++;
    }
}

template <int MODE, typename T, int C>
static __device__ __forceinline__ void add_here(const Plane &a, const Plane &b, const Items &items, Walk at,
                                                Totals<T, C> *totals) {
    enum { VALUES = Item<T, C>::VALUES, TWO = MODE >= SINGLE_DIFFERENCE };
    if (at.k < items.full) {
        Item<T, C> v, other;
        load_item<T, C>(a, at.y, at.k, &v);
        if (TWO)
            load_item<T, C>(b, at.y, at.k, &other);
        totals->template add_item<MODE>(v, other);
        return;
    }
    const size_t begin = (size_t)at.k * VALUES;
    const T *v = row_of<T>(a, at.y), *other = row_of<T>(TWO ? b : a, at.y);
#pragma unroll 1
    for (size_t i = begin; i < begin + VALUES && i < items.values; i += C)
#pragma unroll
        for (int c = 0; c < C; c++)
            totals->template add_value<MODE>(c, v[i + c], other[i + c]);
}

/* All that falls to this thread. */
template <int MODE, typename T, int C>
static __device__ __forceinline__ void add_picture(const Plane &a, const Plane &b, const Items &items,
                                                   Totals<T, C> *totals) {
    enum { TWO = MODE >= SINGLE_DIFFERENCE };
    const unsigned mine = blockIdx.x * SINGLE_THREADS + threadIdx.x;
    Walk at = {mine / items.across, mine % items.across};
    if (items.height == 1) { /* some loads at a time while all are in the row */
        const size_t step = (size_t)gridDim.x * SINGLE_THREADS;
        size_t k = mine;
        for (; k + (SINGLE_TURNS - 1) * step < items.full; k += SINGLE_TURNS * step) {
            Item<T, C> v[SINGLE_TURNS], other[TWO ? SINGLE_TURNS : 1];
#pragma unroll
            for (int i = 0; i < SINGLE_TURNS; i++) {
                load_item<T, C>(a, 0, (unsigned)(k + i * step), &v[i]);
                if (TWO)
                    load_item<T, C>(b, 0, (unsigned)(k + i * step), &other[TWO ? i : 0]);
            }
#pragma unroll
            for (int i = 0; i < SINGLE_TURNS; i++)
                totals->template add_item<MODE>(v[i], other[TWO ? i : 0]);
        }
        for (; k < items.across; k += step) {
            const Walk here = {0, (unsigned)k};
            add_here<MODE>(a, b, items, here, totals);
        }
        return;
    }
#pragma unroll 2
    for (; at.y < items.height; walk_on(items, &at))
        add_here<MODE>(a, b, items, at, totals);
}

/* A block leaves its totals in `parts`; the one that comes last, by `ticket`, which is 0 before and after, adds them
 * up. True for the first thread of that block, which has the result. */
template <int MODE, typename T, int C>
static __device__ __forceinline__ bool add_all(const Plane &a, const Plane &b, const Items &items, Totals<T, C> *parts,
                                               unsigned *ticket, Totals<T, C> *totals) {
    __shared__ bool last;
    totals->begin();
    add_picture<MODE>(a, b, items, totals);
    add_block<MODE>(totals);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = *totals;
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return false;
    __threadfence();
    totals->begin();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += SINGLE_THREADS) {
        Totals<T, C> part;
        part.load(parts + i);
        totals->template add<MODE>(part);
    }
    add_block<MODE>(totals);
    if (threadIdx.x == 0)
        *ticket = 0;
    return threadIdx.x == 0;
}

/* How the stage's first input is cut into items, for a grid of so many blocks. */
static inline Items items_of(const Stage *stage, unsigned blocks) {
    const Frame in = stage->in[0];
    const size_t row = shape_row_bytes(in.shape), item = in.shape.channels == 3 ? 48 : 16;
    bool packed = true, aligned = true;
    for (int k = 0; k < 2; k++)
        if (stage->in[k].pixels) {
            packed &= stage->in[k].stride == row;
            aligned &= ((uintptr_t)stage->in[k].pixels | (in.shape.height > 1 ? stage->in[k].stride : 0)) % 16 == 0;
        }
    if (packed)
        aligned = (((uintptr_t)in.pixels | (uintptr_t)stage->in[1].pixels) & 15) == 0;
    const size_t length = packed ? row * in.shape.height : row, across = (length + item - 1) / item;
    const size_t step = (size_t)blocks * SINGLE_THREADS;
    return Items{aligned ? (unsigned)(length / item) : 0,
                 (unsigned)across,
                 (unsigned)(step / across),
                 (unsigned)(step % across),
                 packed ? 1 : (unsigned)in.shape.height,
                 length / pixel_type_size(in.shape.type),
                 (unsigned long long)in.shape.width * in.shape.height};
}

/* Blocks that fill the device, or fewer. */
static inline unsigned single_blocks(const Device *device, const Stage *stage) {
    const size_t items = shape_bytes(stage->in[0].shape) / 16 + 1;
    const size_t most = (size_t)((const GpuDevice *)device)->limits.multiProcessorCount * SINGLE_BLOCKS;
    const size_t some = (items + SINGLE_THREADS - 1) / SINGLE_THREADS;
    return (unsigned)(some < most ? some : most);
}

static size_t single_workspace(const Device *device, const Stage *stage) {
    return (size_t)single_blocks(device, stage) * (size_t)stage->in[0].shape.channels * sizeof(Totals<float, 1>);
}

/* The ticket of a queue: its kernels run one after the other, and each leaves it at 0. */
static Status make_ticket(Queue *queue, const void *, void *entry) {
    void *memory;
    TRY(gpu_scratch(queue, (GpuScratch *)entry, sizeof(unsigned), &memory));
    CUDA_TRY(cudaMemsetAsync(memory, 0, sizeof(unsigned), gpu_queue(queue)->stream));
    return STATUS_OK;
}
static void drop_ticket(Device *device, void *entry) {
    gpu_free(device, (GpuScratch *)entry);
}
static const CacheKind tickets = {sizeof(GpuScratch), 64, make_ticket, NULL, drop_ticket, false};

/* Launches kernel(a, b, items, parts, ticket, out, what), the one of a table by type and channels. */
static inline Status single_run(Queue *queue, const char *where, const void *kernel, const Stage *stage,
                                unsigned what) {
    const unsigned blocks = single_blocks(queue->device, stage);
    Plane a = plane_of(stage->in[0]), b = plane_of(stage->in[1]), out = plane_of(stage->out);
    Items items = items_of(stage, blocks);
    void *parts, *ticket;
    TRY(cache_get(queue, &tickets, (uint64_t)(uintptr_t)queue, NULL, &ticket));
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, single_workspace(queue->device, stage), &parts));
    void *arguments[] = {&a, &b, &items, &parts, &((GpuScratch *)ticket)->memory, &out, &what};
    return gpu_launch(queue, where, kernel, Launch{dim3(blocks), dim3(SINGLE_THREADS), 0}, arguments);
}

#define SINGLE_ROW(kernel, mode, T)                                                                                    \
    {                                                                                                                  \
        (const void *)kernel<mode, T, 1>, (const void *)kernel<mode, T, 2>, (const void *)kernel<mode, T, 3>,          \
            (const void *)kernel<mode, T, 4>                                                                           \
    }

#endif
