/* order.cuh: pixels as whole numbers of the same order (core/math/order.h), and the border, for kernels of order
 * statistics. */
#ifndef GLINT_GPU_ORDER_CUH
#define GLINT_GPU_ORDER_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/image/border.h"
#include "core/math/border_index.h"
#include "core/math/order.h"
}

/* The values of a picture beyond its edges: `outside` is the key of the border's value. */
typedef struct Edges {
    BorderMode mode;
    int outside;
} Edges;

/* The border's value is rounded before it is compared, which keeps the order. */
static inline Edges edges_of(Border border, PixelType type) {
    Edges edges = {border.mode, 0};
    int bits;
    memcpy(&bits, &border.value, sizeof bits);
    const double white = pixel_type_white(type), value = (double)border.value;
    edges.outside = type == PIXEL_F32 ? order_key(bits) : (int)nearbyint(value < 0 ? 0 : value > white ? white : value);
    return edges;
}

static __device__ __forceinline__ int edge_index(const Edges &edges, int i, int n) {
    return i >= 0 && i < n ? i : (int)border_index(edges.mode, i, n);
}

template <typename T> static __device__ __forceinline__ int key_of(T value) {
    return value;
}
template <> __device__ __forceinline__ int key_of<float>(float value) {
    return order_key(__float_as_int(value));
}
template <typename T> static __device__ __forceinline__ T of_key(int key) {
    return (T)key;
}
template <> __device__ __forceinline__ float of_key<float>(int key) {
    return __int_as_float(order_bits(key));
}

/* One value's key, wherever it lies. */
template <typename T>
static __device__ __forceinline__ int key_at(const Plane &in, const Edges &edges, int channels, int x, int y, int c) {
    const int sx = edge_index(edges, x, in.width), sy = edge_index(edges, y, in.height);
    return sx < 0 || sy < 0 ? edges.outside : key_of(row_of<T>(in, sy)[sx * channels + c]);
}

/* The sides of a picture, where windows reach beyond it, as threads read them. Values beyond the picture are filled in,
 * so that threads at the sides do as all others do. A thread has `own` values of each row and reads `reach` more on
 * each side. */
typedef struct Sides {
    unsigned char *pixels;
    size_t stride;           /* bytes */
    int own, left, right;    /* values of a thread; the threads before `left` and from `right` on read here */
    int pad;                 /* values before those of the first thread; a multiple of 16 bytes */
    int left_values, values; /* of the left side; of both, in a row */
} Sides;

static inline Sides sides_of(Shape shape, int own, int reach) {
    const int size = (int)pixel_type_size(shape.type), step = 16 / size;
    const int all = (int)shape.width * shape.channels, threads = (all + own - 1) / own;
    Sides sides = {};
    sides.own = own;
    sides.pad = (reach + step - 1) / step * step;
    sides.left = (reach + own - 1) / own;
    sides.right = all >= own + reach ? (all - own - reach) / own + 1 : 0;
    sides.right = sides.right > sides.left ? sides.right : sides.left;
    sides.left_values = (2 * sides.pad + sides.left * own + step - 1) / step * step;
    const int rest = threads > sides.right ? threads - sides.right : 0;
    sides.values = sides.left_values + (2 * sides.pad + rest * own + step - 1) / step * step;
    sides.stride = (size_t)sides.values * (size_t)size;
    return sides;
}

static inline size_t sides_bytes(Shape shape, int own, int reach) {
    return sides_of(shape, own, reach).stride * shape.height;
}

/* The index in the row of value `i` of the sides. */
static __device__ __forceinline__ int side_value(const Sides &sides, int i) {
    return i < sides.left_values ? i - sides.pad : sides.right * sides.own - sides.pad + i - sides.left_values;
}

/* The signals between kernels that overlap (gpu_launch_early), from compute capability 9.0 on. */
static __device__ __forceinline__ void let_next_begin() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}
static __device__ __forceinline__ void await_previous() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

enum { SIDE_ROWS = 2 /* of a thread: half as many blocks, which all have begun sooner */ };

template <typename T> static __global__ void fill_sides(Plane in, Sides sides, int channels, Edges edges) {
    let_next_begin();
    const int i = blockIdx.x * blockDim.x + threadIdx.x, top = (blockIdx.y * blockDim.y + threadIdx.y) * SIDE_ROWS;
    if (i >= sides.values)
        return;
    const int v = side_value(sides, i), x = v >= 0 ? v / channels : -((channels - 1 - v) / channels);
    const int sx = edge_index(edges, x, in.width);
#pragma unroll
    for (int y = top; y < top + SIDE_ROWS; y++)
        if (y < in.height)
            ((T *)(sides.pixels + (size_t)y * sides.stride))[i] =
                sx < 0 ? of_key<T>(edges.outside) : row_of<T>(in, y)[sx * channels + v - x * channels];
}

/* Makes the sides, in the queue's scratch memory. The next kernel may be launched early. */
template <typename T>
static Status make_sides(Queue *queue, const char *where, const Stage *stage, Edges edges, int own, int reach,
                         Sides *sides) {
    Plane in = plane_of(stage->in[0]);
    int channels = stage->in[0].shape.channels;
    *sides = sides_of(stage->in[0].shape, own, reach);
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, sides->stride * stage->in[0].shape.height,
                    (void **)&sides->pixels));
    const Launch launch = {dim3(blocks_for(sides->values, 32), blocks_for(in.height, 8 * SIDE_ROWS)), dim3(32, 8), 0};
    void *arguments[] = {&in, sides, &channels, &edges};
    return gpu_launch(queue, where, (const void *)fill_sides<T>, launch, arguments);
}

/* Where a thread reads its part of the rows: its own values of row y are at origin + y * stride. */
typedef struct Source {
    const unsigned char *origin;
    size_t stride;
} Source;

template <typename T>
static __device__ __forceinline__ Source source_of(const Plane &in, const Sides &sides, int thread) {
    const int value = thread * sides.own;
    if (thread >= sides.left && thread < sides.right)
        return {in.pixels + value * sizeof(T), in.stride};
    await_previous();
    const int i =
        thread < sides.left ? sides.pad + value : sides.left_values + sides.pad + value - sides.right * sides.own;
    return {sides.pixels + i * sizeof(T), sides.stride};
}

/* Loads words AT to END of a row, by the widest loads. Word LEFT is the first of the thread's own, on a multiple of its
 * number of words, or of 4. */
template <int AT, int END, int LEFT, int OWN>
static __device__ __forceinline__ void load_words(const uint32_t *row, uint32_t *words) {
    if constexpr (AT < END) {
        constexpr int place = ((AT - LEFT) % 4 + 4) % 4;
        if constexpr (OWN % 4 == 0 && place == 0 && AT + 4 <= END) {
            const uint4 four = __ldg((const uint4 *)(row + AT));
            words[AT] = four.x, words[AT + 1] = four.y, words[AT + 2] = four.z, words[AT + 3] = four.w;
            load_words<AT + 4, END, LEFT, OWN>(row, words);
        } else if constexpr (OWN % 2 == 0 && place % 2 == 0 && AT + 2 <= END) {
            const uint2 two = __ldg((const uint2 *)(row + AT));
            words[AT] = two.x, words[AT + 1] = two.y;
            load_words<AT + 2, END, LEFT, OWN>(row, words);
        } else {
            words[AT] = __ldg(row + AT);
            load_words<AT + 1, END, LEFT, OWN>(row, words);
        }
    }
}

/* A word full of the border's value. */
template <typename T> static __device__ __forceinline__ uint32_t outside_word(const Edges &edges) {
    return sizeof(T) == 1   ? (uint32_t)edges.outside * 0x01010101U
           : sizeof(T) == 2 ? (uint32_t)edges.outside * 0x00010001U
                            : (uint32_t)order_bits(edges.outside);
}

/* The rows into which to cut a picture of blocks `across`, so that all blocks run at once, and none waits for a second
 * turn. *rows is a multiple of `step`. */
static inline Status rows_at_once(Queue *queue, const void *kernel, int threads, size_t shared, unsigned across,
                                  int height, int step, int *rows) {
    int blocks = 0;
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
    const int room = blocks * gpu_of(queue->device)->limits.multiProcessorCount / (int)across;
    const int high = room > 0 ? (height + room - 1) / room : height;
    *rows = (high + step - 1) / step * step;
    return STATUS_OK;
}

/* The one of three for the stage's type. */
template <typename F> static F for_keys(const Stage *stage, F u8, F u16, F f32) {
    const F choices[PIXEL_TYPES] = {u8, u16, f32};
    return choices[stage->out.shape.type];
}

#endif
