/* bvh_build.cu: the scene on the device, and the BVH over its spheres, built there.
 * The spheres are sorted along a space-filling curve (Morton codes of their centres, CUB's radix sort); then every node
 * of the tree is found at once, from nothing but the sorted codes (Karras, Maximizing Parallelism in the Construction
 * of BVHs, Octrees, and k-d Trees, High Performance Graphics 2012); then boxes are joined from the leaves up, by
 * whoever comes second to a node. Where spheres have moved, that alone is done again. */
#include "gpu/trace/bvh_build.cuh"

#include "core/math/morton.h"

#include <cub/device/device_radix_sort.cuh>

enum { THREADS = 256, CODE_BITS = 30, AXIS_CELLS = 1 << CODE_BITS / 3 };

/* Least and most of all centres, as integers that order as the floats do. */
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

/* ---- upload ---- */

__global__ void split_spheres(const Sphere *__restrict__ spheres, unsigned count, float4 *__restrict__ balls) {
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        balls[i] = make_float4(spheres[i].x, spheres[i].y, spheres[i].z, spheres[i].radius);
}

/* ---- sorting ---- */

__global__ void find_extent(const float4 *__restrict__ balls, unsigned count, Extent *extent) {
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        const float4 ball = balls[i];
        const float at[3] = {ball.x, ball.y, ball.z};
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

static __device__ __forceinline__ unsigned cell_of(float at, int lower, int upper) {
    const float from = from_ordered(lower), size = from_ordered(upper) - from;
    return size > 0 ? min((unsigned)((at - from) / size * AXIS_CELLS), (unsigned)AXIS_CELLS - 1) : 0;
}

__global__ void make_codes(const float4 *__restrict__ balls, unsigned count, const Extent *__restrict__ extent,
                           unsigned *__restrict__ codes, unsigned *__restrict__ order) {
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const float4 ball = balls[i];
    codes[i] =
        morton_code(cell_of(ball.x, extent->min[0], extent->max[0]), cell_of(ball.y, extent->min[1], extent->max[1]),
                    cell_of(ball.z, extent->min[2], extent->max[2]));
    order[i] = i;
}

__global__ void gather_balls(const float4 *__restrict__ balls, const unsigned *__restrict__ order, unsigned count,
                             float4 *__restrict__ sorted) {
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        sorted[i] = balls[order[i]];
}

/* ---- the tree ---- */

/* The length of the common prefix of two codes, places appended to make them differ; -1 beyond the ends. */
static __device__ __forceinline__ int common(const unsigned *codes, int count, unsigned code, int i, int j) {
    if (j < 0 || j >= count)
        return -1;
    const unsigned other = codes[j];
    return code == other ? 32 + __clz(i ^ j) : __clz((int)(code ^ other));
}

static __device__ __forceinline__ void put_box(Bvh2Node *node, bool right, const Box &box) {
    ((float2 *)&node->x)[right] = make_float2(box.min[0], box.max[0]);
    ((float2 *)&node->y)[right] = make_float2(box.min[1], box.max[1]);
    ((float2 *)&node->z)[right] = make_float2(box.min[2], box.max[2]);
}

/* Of a node: its parent, as node * 2 + whether it is the right child, and how many of its children have a box by now.
 */
struct Upward {
    unsigned parent;
    unsigned boxes;
};

enum {
    NO_PARENT = -1,  /* of the root */
    NO_NODE = -2,    /* in the parent's place: there is no such node */
    BEGINS = 1 << 8, /* in boxes: both children are leaves */
};

/* Returns the link to what holds spheres `first` to `last`. */
static __device__ __forceinline__ int link_to(Upward *upward, int node, bool right, int first, int last) {
    if (last - first < LEAF_MAX)
        return leaf_link((unsigned)first, (unsigned)(last - first + 1));
    const int child = right ? first : last;
    upward[child].parent = (unsigned)node * 2 + right;
    return child;
}

/* The boxes of the children that are leaves; those of the others come from below. */
static __device__ __forceinline__ void put_leaves(Bvh2Node *node, int left, int right, const float4 *sorted,
                                                  Upward *upward) {
    if (left < 0)
        put_box(node, false, box_of(sorted, left));
    if (right < 0)
        put_box(node, true, box_of(sorted, right));
    upward->boxes = left < 0 && right < 0 ? BEGINS : left < 0 || right < 0;
}

/* Node i is at one end of its range of spheres; ranges that a leaf holds need none. */
__global__ void make_nodes(const unsigned *__restrict__ codes, const float4 *__restrict__ sorted, int count,
                           Bvh2Node *__restrict__ nodes, Upward *__restrict__ upward) {
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i >= count - 1)
        return;
    const unsigned code = codes[i];
    const int step = common(codes, count, code, i, i + 1) > common(codes, count, code, i, i - 1) ? 1 : -1;
    const int outside = common(codes, count, code, i, i - step);
    int limit = 2, length = 0, split = 0;
    while (common(codes, count, code, i, i + limit * step) > outside)
        limit *= 2;
    for (int t = limit / 2; t > 0; t /= 2)
        if (common(codes, count, code, i, i + (length + t) * step) > outside)
            length += t;
    if (length < LEAF_MAX) {
        upward[i].parent = (unsigned)NO_NODE;
        upward[i].boxes = 0;
        return;
    }
    const int end = i + length * step, inside = common(codes, count, code, i, end);
    for (int t = length; t > 1;) {
        t = (t + 1) / 2;
        if (common(codes, count, code, i, i + (split + t) * step) > inside)
            split += t;
    }
    const int middle = i + split * step + min(step, 0), first = min(i, end), last = max(i, end);
    const int left = link_to(upward, i, false, first, middle), right = link_to(upward, i, true, middle + 1, last);
    *(int2 *)&nodes[i].left = make_int2(left, right);
    put_leaves(&nodes[i], left, right, sorted, &upward[i]);
    if (i == 0)
        upward[0].parent = (unsigned)NO_PARENT;
}

/* Nodes as make_nodes left them, around spheres that moved. */
__global__ void refit_nodes(const float4 *__restrict__ sorted, int count, Bvh2Node *__restrict__ nodes,
                            Upward *__restrict__ upward) {
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i >= count - 1 || upward[i].parent == (unsigned)NO_NODE)
        return;
    const int2 children = *(const int2 *)&nodes[i].left;
    put_leaves(&nodes[i], children.x, children.y, sorted, &upward[i]);
}

/* Of the two threads that come to a node, the second goes on. */
__global__ void join_boxes(int count, Bvh2Node *nodes, Upward *upward) {
    int node = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (node >= count - 1 || upward[node].boxes != BEGINS)
        return;
    for (unsigned parent; (parent = upward[node].parent) != (unsigned)NO_PARENT;) {
        const Box box = join(get_box(&nodes[node], false), get_box(&nodes[node], true));
        node = (int)(parent / 2);
        put_box(&nodes[node], parent & 1, box);
        __threadfence();
        if (atomicAdd(&upward[node].boxes, 1) != 1)
            return;
        __threadfence();
    }
}

/* ---- on the device ---- */

typedef struct Building {
    Extent *extent;
    unsigned *codes, *sorted_codes, *order;
    void *sorting;
    size_t sorting_bytes;
} Building;

static Status lay_out(GpuScene *scene, Parts *parts, Building *building) {
    const size_t count = scene->count;
    building->sorting_bytes = 0;
    CUDA_TRY(cub::DeviceRadixSort::SortPairs(NULL, building->sorting_bytes, (const unsigned *)NULL, (unsigned *)NULL,
                                             (const unsigned *)NULL, (unsigned *)NULL, (int)count, 0, CODE_BITS));
    scene->nodes = part<Bvh2Node>(parts, count);
    scene->sorted = part<float4>(parts, count);
    scene->order = part<unsigned>(parts, count);
    scene->bvh2_bytes = parts->used;
    scene->upward = part<Upward>(parts, count);
    building->extent = part<Extent>(parts, 1);
    building->codes = part<unsigned>(parts, count);
    building->sorted_codes = part<unsigned>(parts, count);
    building->order = part<unsigned>(parts, count);
    building->sorting = part<unsigned char>(parts, building->sorting_bytes);
    return STATUS_OK;
}

static Status gather(Queue *queue, GpuScene *scene, Launch each) {
    void *arguments[] = {&scene->balls, &scene->order, &scene->count, &scene->sorted};
    return gpu_launch(queue, "trace gather", (const void *)gather_balls, each, arguments);
}

static Status join(Queue *queue, GpuScene *scene, Launch each) {
    void *arguments[] = {&scene->count, &scene->nodes, &scene->upward};
    TRY(gpu_launch(queue, "trace boxes", (const void *)join_boxes, each, arguments));
    scene->fitted = true;
    return STATUS_OK;
}

static Status build(Queue *queue, GpuScene *scene, Building *b) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    int count = (int)scene->count;
    const unsigned all = blocks_for(count, THREADS),
                   few = (unsigned)gpu_of(queue->device)->limits.multiProcessorCount * 4;
    const Launch each = {dim3(all), dim3(THREADS), 0}, strided = {dim3(all < few ? all : few), dim3(THREADS), 0};
    CUDA_TRY(cudaMemsetAsync(b->extent->min, 0x7F, sizeof b->extent->min, stream)); /* as floats: 3e38, -3e38 */
    CUDA_TRY(cudaMemsetAsync(b->extent->max, 0x80, sizeof b->extent->max, stream));
    void *extent[] = {&scene->balls, &scene->count, &b->extent};
    TRY(gpu_launch(queue, "trace extent", (const void *)find_extent, strided, extent));
    void *coding[] = {&scene->balls, &scene->count, &b->extent, &b->codes, &b->order};
    TRY(gpu_launch(queue, "trace codes", (const void *)make_codes, each, coding));
    CUDA_TRY(cub::DeviceRadixSort::SortPairs(b->sorting, b->sorting_bytes, b->codes, b->sorted_codes, b->order,
                                             scene->order, count, 0, CODE_BITS, stream));
    TRY(gather(queue, scene, each));
    void *making[] = {&b->sorted_codes, &scene->sorted, &count, &scene->nodes, &scene->upward};
    TRY(gpu_launch(queue, "trace nodes", (const void *)make_nodes, each, making));
    return join(queue, scene, each);
}

extern "C" Status gpu_build(Queue *queue, GpuScene *scene) {
    Parts parts = {NULL, 0};
    Building building;
    void *memory;
    if (scene->count == 0) {
        scene->built = scene->fitted = true;
        return STATUS_OK;
    }
    TRY(lay_out(scene, &parts, &building));
    TRY(gpu_scratch(queue, &scene->bvh2_memory, parts.used, &memory));
    parts.memory = (unsigned char *)memory;
    parts.used = 0;
    TRY(lay_out(scene, &parts, &building));
    TRY(build(queue, scene, &building));
    scene->built = true;
    return STATUS_OK;
}

extern "C" Status gpu_refit(Queue *queue, GpuScene *scene) {
    const Launch each = {dim3(blocks_for((int)scene->count, THREADS)), dim3(THREADS), 0};
    if (scene->count == 0)
        return STATUS_OK;
    TRY(gather(queue, scene, each));
    void *refitting[] = {&scene->sorted, &scene->count, &scene->nodes, &scene->upward};
    TRY(gpu_launch(queue, "trace refit", (const void *)refit_nodes, each, refitting));
    return join(queue, scene, each);
}

extern "C" Status gpu_split(Queue *queue, GpuScene *scene) {
    const Launch launch = {dim3(blocks_for((int)scene->count, THREADS)), dim3(THREADS), 0};
    void *arguments[] = {&scene->spheres, &scene->count, &scene->balls};
    return gpu_launch(queue, "trace split", (const void *)split_spheres, launch, arguments);
}
