/* bvh_build.cu: the scene on the device, and the BVH over its spheres, built there.
 * The spheres are sorted along a space-filling curve, by their centres. Then every node of the tree is found at once
 * (gpu/radix_tree.cuh). Then boxes are joined from the leaves up, by the thread that comes second to a node. Where
 * spheres have moved, that alone is done again. */
#include "gpu/radix_tree.cuh"
#include "gpu/trace/bvh_build.cuh"

enum { THREADS = 256 };

/* ---- upload ---- */

__global__ void split_spheres(const Sphere *__restrict__ spheres, unsigned count, float4 *__restrict__ balls) {
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        balls[i] = make_float4(spheres[i].x, spheres[i].y, spheres[i].z, spheres[i].radius);
}

/* Within the limits that core/math/sphere.h states; NaN lies on one. */
static __device__ __forceinline__ float within(float at) {
    return at > SPHERE_FARTHEST ? SPHERE_FARTHEST : at > -SPHERE_FARTHEST ? at : -SPHERE_FARTHEST;
}

__global__ void place_spheres(const float4 *__restrict__ places, float scale, unsigned count,
                              Sphere *__restrict__ spheres, float4 *__restrict__ balls) {
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const float x = within(places[i].x * scale), y = within(places[i].y * scale), z = within(places[i].z * scale);
    spheres[i].x = x;
    spheres[i].y = y;
    spheres[i].z = z;
    balls[i] = make_float4(x, y, z, balls[i].w);
}

/* ---- the tree ---- */

static __device__ __forceinline__ void put_box(Bvh2Node *node, bool right, const Box &box) {
    ((float2 *)&node->x)[right] = make_float2(box.min[0], box.max[0]);
    ((float2 *)&node->y)[right] = make_float2(box.min[1], box.max[1]);
    ((float2 *)&node->z)[right] = make_float2(box.min[2], box.max[2]);
}

/* A node's way up: its parent, as node * 2 + whether it is the right child, and how many of its children have a box by
 * now. */
struct Upward {
    unsigned parent;
    unsigned boxes;
};

enum {
    NO_PARENT = -1,  /* of the root */
    NO_NODE = -2,    /* in the parent's place: there is no such node */
    BEGINS = 1 << 8, /* in boxes: both children are leaves */
};

/* Returns the link to the node or leaf of spheres `first` to `last`. */
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
    const RadixNode node = radix_node(codes, count, i);
    if (node.length < LEAF_MAX) {
        upward[i].parent = (unsigned)NO_NODE;
        upward[i].boxes = 0;
        return;
    }
    const int middle = radix_split(codes, count, node), first = first_in(node), last = last_in(node);
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

/* Two threads come to each node; the second goes on. */
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

static Status lay_out(GpuScene *scene, Parts *parts, CurveSort<uint32_t> *sort) {
    const size_t count = scene->count;
    scene->nodes = part<Bvh2Node>(parts, count);
    scene->sorted = part<float4>(parts, count);
    scene->order = part<unsigned>(parts, count);
    scene->bvh2_bytes = parts->used;
    scene->upward = part<Upward>(parts, count);
    return curve_lay_out(count, parts, sort);
}

static Status join(Queue *queue, GpuScene *scene, Launch each) {
    void *arguments[] = {&scene->count, &scene->nodes, &scene->upward};
    TRY(gpu_launch(queue, "trace boxes", (const void *)join_boxes, each, arguments));
    scene->fitted = true;
    return STATUS_OK;
}

static Status build(Queue *queue, GpuScene *scene, CurveSort<uint32_t> *sort) {
    int count = (int)scene->count;
    const Launch each = {dim3(blocks_for(count, THREADS)), dim3(THREADS), 0};
    TRY(curve_sort(queue, sort, scene->balls, scene->count, scene->order, scene->sorted));
    void *making[] = {&sort->sorted_codes, &scene->sorted, &count, &scene->nodes, &scene->upward};
    TRY(gpu_launch(queue, "trace nodes", (const void *)make_nodes, each, making));
    return join(queue, scene, each);
}

extern "C" Status gpu_build(Queue *queue, GpuScene *scene) {
    Parts parts = {NULL, 0};
    CurveSort<uint32_t> sort;
    void *memory;
    if (scene->count == 0) {
        scene->built = scene->fitted = true;
        return STATUS_OK;
    }
    TRY(lay_out(scene, &parts, &sort));
    TRY(gpu_scratch(queue, &scene->bvh2_memory, parts.used, &memory));
    parts.memory = (unsigned char *)memory;
    parts.used = 0;
    TRY(lay_out(scene, &parts, &sort));
    TRY(build(queue, scene, &sort));
    scene->built = true;
    return STATUS_OK;
}

extern "C" Status gpu_refit(Queue *queue, GpuScene *scene) {
    const Launch each = {dim3(blocks_for((int)scene->count, THREADS)), dim3(THREADS), 0};
    if (scene->count == 0)
        return STATUS_OK;
    TRY(curve_gather(queue, scene->balls, scene->order, scene->count, scene->sorted));
    void *refitting[] = {&scene->sorted, &scene->count, &scene->nodes, &scene->upward};
    TRY(gpu_launch(queue, "trace refit", (const void *)refit_nodes, each, refitting));
    return join(queue, scene, each);
}

extern "C" Status gpu_split(Queue *queue, GpuScene *scene) {
    const Launch launch = {dim3(blocks_for((int)scene->count, THREADS)), dim3(THREADS), 0};
    void *arguments[] = {&scene->spheres, &scene->count, &scene->balls};
    return gpu_launch(queue, "trace split", (const void *)split_spheres, launch, arguments);
}

extern "C" Status gpu_place(Queue *queue, GpuScene *scene, const float4 *places, float scale, unsigned count) {
    const Launch launch = {dim3(blocks_for((int)count, THREADS)), dim3(THREADS), 0};
    void *arguments[] = {&places, &scale, &count, &scene->spheres, &scene->balls};
    return count > 0 ? gpu_launch(queue, "trace place", (const void *)place_spheres, launch, arguments) : STATUS_OK;
}
