/* radix_tree.cuh: points sorted along a space-filling curve (CUB's radix sort), and the tree over the sorted codes.
 * Every node is found at once, from nothing but the codes (Karras, Maximizing Parallelism in the Construction of BVHs,
 * Octrees, and k-d Trees, High Performance Graphics 2012). Morton's codes have 30 bits (uint32_t), and cells as long,
 * wide and high as the extent. Hilbert's have 63 (uint64_t), and cubes. Hilbert's are for points that mostly lie in a
 * small part of their extent, and that are gone through in rows. */
#ifndef GLINT_GPU_RADIX_TREE_CUH
#define GLINT_GPU_RADIX_TREE_CUH

#include "core/math/hilbert.h"
#include "gpu/kernel.cuh"
#include "gpu/parts.cuh"

#include <cub/device/device_radix_sort.cuh>

enum { CURVE_THREADS = 256, CURVE_BLOCKS = 4 /* a multiprocessor, that find the extent */ };

template <typename Code> struct Curve;
template <> struct Curve<uint32_t> {
    enum { BITS = 30, AXIS_CELLS = 1 << BITS / 3, CUBES = false };
    static __device__ __forceinline__ uint32_t code(unsigned x, unsigned y, unsigned z) { return morton_code(x, y, z); }
    static __device__ __forceinline__ int leading(uint32_t code) { return __clz((int)code); }
};
template <> struct Curve<uint64_t> {
    enum { BITS = 3 * HILBERT_BITS, AXIS_CELLS = 1 << HILBERT_BITS, CUBES = true };
    static __device__ __forceinline__ uint64_t code(unsigned x, unsigned y, unsigned z) {
        return hilbert_code(x, y, z);
    }
    static __device__ __forceinline__ int leading(uint64_t code) { return __clzll((long long)code); }
};

/* ---- sorting ---- */

/* Least and most of all points, as integers that order as the floats do. */
typedef struct Extent {
    int min[3], max[3];
} Extent;

static __device__ __forceinline__ int ordered(float value) {
    const int bits = __float_as_int(value);
    return bits ^ (bits >> 31 & 0x7FFFFFFF);
}
static __device__ __forceinline__ float from_ordered(int bits) {
    return __int_as_float(bits ^ (bits >> 31 & 0x7FFFFFFF));
}

static __global__ void find_extent(const float4 *__restrict__ points, unsigned count, Extent *extent) {
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (unsigned i = blockIdx.x * CURVE_THREADS + threadIdx.x; i < count; i += gridDim.x * CURVE_THREADS) {
        const float4 point = points[i];
        const float at[3] = {point.x, point.y, point.z};
#pragma unroll
        for (int a = 0; a < 3; a++) {
            min[a] = fminf(min[a], at[a]);
            max[a] = fmaxf(max[a], at[a]);
        }
    }
#pragma unroll
    for (int a = 0; a < 3; a++) {
#pragma unroll
        for (int step = 16; step > 0; step /= 2) {
            min[a] = fminf(min[a], __shfl_xor_sync(~0U, min[a], step));
            max[a] = fmaxf(max[a], __shfl_xor_sync(~0U, max[a], step));
        }
        if (threadIdx.x % 32 == 0) {
            atomicMin(&extent->min[a], ordered(min[a]));
            atomicMax(&extent->max[a], ordered(max[a]));
        }
    }
}

template <typename Code> static __device__ __forceinline__ unsigned cell_of(float at, float from, float size) {
    const unsigned cells = Curve<Code>::AXIS_CELLS;
    return size > 0 ? min((unsigned)((at - from) / size * cells), cells - 1) : 0;
}

template <typename Code>
static __global__ void make_codes(const float4 *__restrict__ points, unsigned count, const Extent *__restrict__ extent,
                                  Code *__restrict__ codes, unsigned *__restrict__ order) {
    const unsigned i = blockIdx.x * CURVE_THREADS + threadIdx.x;
    if (i >= count)
        return;
    const float4 point = points[i];
    float from[3], size[3];
#pragma unroll
    for (int a = 0; a < 3; a++) {
        from[a] = from_ordered(extent->min[a]);
        size[a] = from_ordered(extent->max[a]) - from[a];
    }
    if (Curve<Code>::CUBES)
        size[0] = size[1] = size[2] = fmaxf(size[0], fmaxf(size[1], size[2]));
    codes[i] = Curve<Code>::code(cell_of<Code>(point.x, from[0], size[0]), cell_of<Code>(point.y, from[1], size[1]),
                                 cell_of<Code>(point.z, from[2], size[2]));
    order[i] = i;
}

static __global__ void gather_points(const float4 *__restrict__ points, const unsigned *__restrict__ order,
                                     unsigned count, float4 *__restrict__ sorted) {
    const unsigned i = blockIdx.x * CURVE_THREADS + threadIdx.x;
    if (i < count)
        sorted[i] = points[order[i]];
}

/* The memory that sorting needs, besides that for the results. */
template <typename Code> struct CurveSort {
    Extent *extent;
    Code *codes, *sorted_codes;
    unsigned *numbers;
    void *sorting;
    size_t sorting_bytes;
};

template <typename Code> static Status curve_lay_out(size_t count, Parts *parts, CurveSort<Code> *sort) {
    sort->sorting_bytes = 0;
    CUDA_TRY(cub::DeviceRadixSort::SortPairs(NULL, sort->sorting_bytes, (const Code *)NULL, (Code *)NULL,
                                             (const unsigned *)NULL, (unsigned *)NULL, (int)count, 0,
                                             Curve<Code>::BITS));
    sort->extent = part<Extent>(parts, 1);
    sort->codes = part<Code>(parts, count);
    sort->sorted_codes = part<Code>(parts, count);
    sort->numbers = part<unsigned>(parts, count);
    sort->sorting = part<unsigned char>(parts, sort->sorting_bytes);
    return STATUS_OK;
}

static inline Launch curve_launch(unsigned count) {
    const Launch each = {dim3(blocks_for((int)count, CURVE_THREADS)), dim3(CURVE_THREADS), 0};
    return each;
}

/* sorted[i] = points[order[i]]. Enqueued. */
static inline Status curve_gather(Queue *queue, const float4 *points, const unsigned *order, unsigned count,
                                  float4 *sorted) {
    void *arguments[] = {&points, &order, &count, &sorted};
    return gpu_launch(queue, "curve, gather", (const void *)gather_points, curve_launch(count), arguments);
}

/* Finds in which `order` the points lie along the curve, equal codes by their numbers, and gathers them so; `count` is
 * not 0. Enqueued. */
template <typename Code>
static Status curve_sort(Queue *queue, CurveSort<Code> *sort, const float4 *points, unsigned count, unsigned *order,
                         float4 *sorted) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    const unsigned few = (unsigned)gpu_of(queue->device)->limits.multiProcessorCount * CURVE_BLOCKS;
    const Launch each = curve_launch(count);
    const Launch strided = {dim3(each.grid.x < few ? each.grid.x : few), dim3(CURVE_THREADS), 0};
    CUDA_TRY(cudaMemsetAsync(sort->extent->min, 0x7F, sizeof sort->extent->min, stream)); /* as floats: 3e38, -3e38 */
    CUDA_TRY(cudaMemsetAsync(sort->extent->max, 0x80, sizeof sort->extent->max, stream));
    void *finding[] = {&points, &count, &sort->extent};
    TRY(gpu_launch(queue, "curve, extent", (const void *)find_extent, strided, finding));
    void *coding[] = {&points, &count, &sort->extent, &sort->codes, &sort->numbers};
    TRY(gpu_launch(queue, "curve, codes", (const void *)make_codes<Code>, each, coding));
    CUDA_TRY(cub::DeviceRadixSort::SortPairs(sort->sorting, sort->sorting_bytes, sort->codes, sort->sorted_codes,
                                             sort->numbers, order, (int)count, 0, Curve<Code>::BITS, stream));
    return curve_gather(queue, points, order, count, sorted);
}

/* ---- the tree ---- */

/* The length of the common prefix of two codes, places appended to make them differ; -1 beyond the ends. */
template <typename Code>
static __device__ __forceinline__ int common(const Code *codes, int count, Code code, int i, int j) {
    if (j < 0 || j >= count)
        return -1;
    const Code other = codes[j];
    return code == other ? 8 * (int)sizeof(Code) + __clz(i ^ j) : Curve<Code>::leading(code ^ other);
}

/* A node: its number, which is one end of its range of points, and the other one, length * step away. */
typedef struct RadixNode {
    int i, step, length;
} RadixNode;

static __device__ __forceinline__ int first_in(const RadixNode &node) {
    return min(node.i, node.i + node.length * node.step);
}
static __device__ __forceinline__ int last_in(const RadixNode &node) {
    return max(node.i, node.i + node.length * node.step);
}

/* Node i of count - 1; 0 is the root. */
template <typename Code> static __device__ __forceinline__ RadixNode radix_node(const Code *codes, int count, int i) {
    const Code code = codes[i];
    RadixNode node = {i, common(codes, count, code, i, i + 1) > common(codes, count, code, i, i - 1) ? 1 : -1, 0};
    const int outside = common(codes, count, code, i, i - node.step);
    int limit = 2;
    while (common(codes, count, code, i, i + limit * node.step) > outside)
        limit *= 2;
    for (int t = limit / 2; t > 0; t /= 2)
        if (common(codes, count, code, i, i + (node.length + t) * node.step) > outside)
            node.length += t;
    return node;
}

/* The last point of the node's left child, whose number that is if the child is a node; the right one's is one more. */
template <typename Code>
static __device__ __forceinline__ int radix_split(const Code *codes, int count, const RadixNode &node) {
    const int i = node.i, inside = common(codes, count, codes[i], i, i + node.length * node.step);
    int split = 0;
    for (int t = node.length; t > 1;) {
        t = (t + 1) / 2;
        if (common(codes, count, codes[i], i, i + (split + t) * node.step) > inside)
            split += t;
    }
    return i + split * node.step + min(node.step, 0);
}

#endif
