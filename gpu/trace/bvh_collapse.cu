/* bvh_collapse.cu: the wide BVH, from the binary one, on the device.
 * It goes from the root down in one launch. A thread waits until it is known which binary node its wide node stands
 * for. It opens the largest of its children until there are eight, and tells the threads of those that are nodes
 * theirs. A node waits only for an earlier one (the queue is that of Benthin, Meister, Barczak, Mehalwal, Tsakok and
 * Kensler, H-PLOC: Hierarchical Parallel Locally-Ordered Clustering, High Performance Graphics 2024). */
#include "gpu/trace/bvh_build.cuh"
#include "gpu/trace/cwbvh8.cuh"

#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

enum { THREADS = 128, UNKNOWN = -1 /* no link: a leaf of no spheres */ };

/* The arrays that a collapse reads and writes. */
typedef struct Collapse {
    const Bvh2Node *nodes;
    const float4 *sorted;
    const unsigned *order;
    int root;
    unsigned count, capacity; /* spheres; wide nodes for which there is room */
    Bvh8Node *bvh8_nodes;
    float4 *bvh8_balls;
    unsigned *bvh8_order;
    int *links; /* the binary node of each wide node, or UNKNOWN yet */
    unsigned *tickets;
    unsigned long long *used; /* wide nodes besides the root, and in the lower half spheres that have a place */
    unsigned *done;           /* whether all have; apart from `used`, which threads that wait for it would hold up */
} Collapse;

typedef struct Child {
    Box box;
    int link;
} Child;

static __device__ __forceinline__ Child leaf_child(const Collapse &job, unsigned first, unsigned count) {
    const int link = leaf_link(first, count);
    const Child child = {box_of(job.sorted, link), link};
    return child;
}

/* ---- which children ---- */

/* Replaces a child by its two parts. */
static __device__ void open_child(const Collapse &job, Child *child, Child *other) {
    if (child->link >= 0) {
        const Bvh2Node *node = &job.nodes[child->link];
        other->box = get_box(node, true);
        other->link = node->right;
        child->box = get_box(node, false);
        child->link = node->left;
    } else {
        const unsigned first = first_of(child->link), count = count_of(child->link);
        *other = leaf_child(job, first + 1, count - 1);
        *child = leaf_child(job, first, 1);
    }
}

/* Half of a box's surface. */
static __device__ __forceinline__ float surface_of(const Box &box) {
    const float x = box.max[0] - box.min[0], y = box.max[1] - box.min[1], z = box.max[2] - box.min[2];
    return x * y + y * z + z * x;
}

/* The child that it pays most to open: nodes come before leaves of several spheres, which need not be opened. -1: none.
 */
static __device__ int largest_child(const Child *children, int count) {
    int best = -1;
    float largest = 0;
    for (int i = 0; i < count; i++) {
        const bool node = children[i].link >= 0, leads = best < 0 || node > (children[best].link >= 0);
        const float surface = surface_of(children[i].box);
        if ((node || count_of(children[i].link) > 1) &&
            (leads || (surface > largest && node == (children[best].link >= 0)))) {
            best = i;
            largest = surface;
        }
    }
    return best;
}

static __device__ int gather_children(const Collapse &job, int link, Child children[BVH8_WIDTH]) {
    int count = 1;
    children[0].link = link;
    if (link >= 0)
        open_child(job, &children[0], &children[count++]);
    else /* the root of a scene of few spheres */
        children[0] = leaf_child(job, first_of(link), count_of(link));
    for (int which; count < BVH8_WIDTH && (which = largest_child(children, count)) >= 0; count++)
        open_child(job, &children[which], &children[count]);
    return count;
}

/* ---- the node ---- */

/* The smallest power of two, as the exponent in a float's bits, of which 255 reach from `lower` to `upper`. */
static __device__ __forceinline__ unsigned exponent_of(float lower, float upper) {
    const unsigned step = __float_as_uint(__fdiv_ru(__fsub_ru(upper, lower), 255.0f));
    return min(max((step + 0x7FFFFF) >> 23, 1U), 253U);
}

static __device__ __forceinline__ uint64_t byte_at(unsigned byte, int place) {
    return (uint64_t)byte << 8 * place;
}

/* Rounds a child's box outward into the node's bytes. */
static __device__ void put_bounds(Bvh8Node *node, int place, const Box &box) {
#pragma unroll
    for (int a = 0; a < 3; a++) {
        const float steps = __uint_as_float((254U - node->exponent[a]) << 23); /* a unit of length: exact */
        const float low = floorf(__fsub_rd(box.min[a], node->origin[a]) * steps);
        const float high = ceilf(__fsub_ru(box.max[a], node->origin[a]) * steps);
        node->low[a] |= byte_at((unsigned)fmaxf(low, 0), place);
        node->high[a] |= byte_at((unsigned)fminf(high, 255), place);
    }
}

/* Room for a wide node's inner children and spheres: one addition in memory for all threads that are here. */
static __device__ unsigned long long reserve(const Collapse &job, unsigned nodes, unsigned balls) {
    const unsigned long long mine = (unsigned long long)nodes << 32 | balls;
    const cg::coalesced_group here = cg::coalesced_threads();
    const unsigned long long before = cg::exclusive_scan(here, mine);
    const unsigned last = here.num_threads() - 1;
    unsigned long long first = 0;
    if (here.thread_rank() == last) {
        first = atomicAdd(job.used, before + mine);
        if ((unsigned)(first + before + mine) == job.count)
            *(volatile unsigned *)job.done = 1;
    }
    return here.shfl(first, last) + before;
}

static __device__ void make_bvh8_node(const Collapse &job, unsigned index, int link) {
    Child children[BVH8_WIDTH];
    const int count = gather_children(job, link, children);
    Box box = children[0].box;
    unsigned inner = 0, balls = 0;
    for (int i = 0; i < count; i++) {
        box = join(box, children[i].box);
        inner += children[i].link >= 0;
        balls += children[i].link >= 0 ? 0 : count_of(children[i].link);
    }
    const unsigned long long slots = reserve(job, inner, balls);
    Bvh8Node node = {};
    node.nodes = (uint8_t)inner;
    node.first_node = 1 + (unsigned)(slots >> 32);
    node.first_ball = (unsigned)slots;
    for (int a = 0; a < 3; a++) {
        node.origin[a] = box.min[a];
        node.exponent[a] = (uint8_t)exponent_of(box.min[a], box.max[a]);
    }
    unsigned nodes = 0, leaves = inner, ball = 0;
    for (int i = 0; i < count; i++) {
        const Child &child = children[i];
        if (child.link >= 0) {
            put_bounds(&node, (int)nodes, child.box);
            *(volatile int *)&job.links[node.first_node + nodes++] = child.link;
            continue;
        }
        const unsigned first = first_of(child.link), several = count_of(child.link);
        put_bounds(&node, (int)leaves, child.box);
        node.leaves |= byte_at(leaf_byte(ball, several), (int)leaves++);
        for (unsigned k = first; k < first + several; k++, ball++) {
            job.bvh8_balls[node.first_ball + ball] = job.sorted[k];
            job.bvh8_order[node.first_ball + ball] = job.order[k];
        }
    }
    job.bvh8_nodes[index] = node;
}

/* A thread a wide node. Blocks take their numbers in the order in which they begin, so that none waits for one that
 * never does. When all spheres have a place, no more nodes will come: all others have taken theirs before. */
__global__ void __launch_bounds__(THREADS) collapse(const __grid_constant__ Collapse job) {
    __shared__ unsigned block;
    if (threadIdx.x == 0)
        block = atomicAdd(job.tickets, 1);
    __syncthreads();
    const unsigned index = block * THREADS + threadIdx.x;
    bool waiting = index < job.capacity;
    for (unsigned turn = 1; waiting; turn++) {
        const int link = index == 0 ? job.root : *(volatile int *)&job.links[index];
        if (link != UNKNOWN) {
            make_bvh8_node(job, index, link);
            waiting = false;
        } else {
            waiting = turn % 4 != 0 || *(volatile unsigned *)job.done == 0;
            __nanosleep(500);
        }
    }
}

/* ---- on the device ---- */

/* A node that has less than eight children has only leaves, of more than LEAF_MAX spheres together; the other nodes
 * have eight. There are therefore at most two nodes for seven spheres. */
static unsigned nodes_max(unsigned spheres) {
    return (unsigned)((uint64_t)spheres * 2 / 7 + 1);
}

static void lay_out(GpuScene *scene, Parts *parts, Collapse *job) {
    scene->bvh8_nodes = job->bvh8_nodes = part<Bvh8Node>(parts, job->capacity);
    scene->bvh8_balls = job->bvh8_balls = part<float4>(parts, job->count);
    scene->bvh8_order = job->bvh8_order = part<unsigned>(parts, job->count);
    scene->bvh8_bytes = parts->used;
    job->links = part<int>(parts, job->capacity);
    job->tickets = part<unsigned>(parts, 1);
    job->used = part<unsigned long long>(parts, 1);
    job->done = part<unsigned>(parts, 1);
}

extern "C" Status gpu_collapse(Queue *queue, GpuScene *scene) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    const Bvh2 from = bvh2_of(scene);
    Collapse job = {from.nodes, from.balls, from.order, from.root, scene->count, nodes_max(scene->count), NULL, NULL,
                    NULL,       NULL,       NULL,       NULL,      NULL};
    Parts parts = {NULL, 0};
    void *memory;
    scene->collapsed = scene->count == 0;
    if (scene->collapsed)
        return STATUS_OK;
    lay_out(scene, &parts, &job);
    TRY(gpu_scratch(queue, &scene->bvh8_memory, parts.used, &memory));
    parts.memory = (unsigned char *)memory;
    parts.used = 0;
    lay_out(scene, &parts, &job);
    CUDA_TRY(cudaMemsetAsync(job.links, 0xFF, job.capacity * sizeof *job.links, stream)); /* UNKNOWN */
    CUDA_TRY(cudaMemsetAsync(job.tickets, 0, sizeof *job.tickets, stream));
    CUDA_TRY(cudaMemsetAsync(job.used, 0, sizeof *job.used, stream));
    CUDA_TRY(cudaMemsetAsync(job.done, 0, sizeof *job.done, stream));
    const Launch launch = {dim3(blocks_for((int)job.capacity, THREADS)), dim3(THREADS), 0};
    void *arguments[] = {&job};
    TRY(gpu_launch(queue, "trace collapse", (const void *)collapse, launch, arguments));
    scene->collapsed = true;
    return STATUS_OK;
}
