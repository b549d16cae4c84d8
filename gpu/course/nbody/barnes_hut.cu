/* barnes_hut.cu: far cells of a tree pull as one body (Barnes and Hut, A Hierarchical O(N log N) Force-Calculation
 * Algorithm, Nature 324, 1986), all on the device.
 * The six kernels of Burtscher and Pingali are here (An Efficient CUDA Implementation of the Tree-Based Barnes Hut
 * N-Body Algorithm, GPU Computing Gems, 2011). The first finds the extent. The second sorts along a curve, before there
 * is a tree, since the sorted codes give the tree without locks. Then come the tree; its summaries
 * (gpu/course/nbody/cells.cuh); the walk, below; the step. A warp walks for bodies that lie together: each of its
 * threads looks at another cell, from the end of one list. Cells that pull go to another list, and when that is full
 * every thread adds it up for its body (as in Bédorf, Gaburov and Portegies Zwart, A Sparse Octree Gravitational N-Body
 * Code That Runs Entirely on the GPU Processor, 2012). */
#include "gpu/course/nbody/cells.cuh"
#include "gpu/course/nbody/steps.cuh"

extern "C" {
#include "gpu/course/nbody/counted.h"
}

#ifndef WALK_BLOCKS
enum { WALK_BLOCKS = 8 };
#endif
enum {
    WARP = 32,            /* threads, and bodies that they walk for */
    WARPS = 4,            /* of a block */
    BLOCKS = WALK_BLOCKS, /* a multiprocessor */
    LIST = 96,            /* bodies and cells that pull */
    DEEPEST = 63 + 32,    /* levels of the tree: bits of codes, and of places where codes are equal */
    OPEN = 768,           /* cells to look at; see `taken` */
    ROOM = OPEN - WARP - DEEPEST - 1,
    UNROLL = 8
};

/* A warp's part of shared memory; who: the body that pulls, where depths are wanted. */
template <bool DEPTH> struct Walk {
    float4 list[LIST];
    int who[DEPTH ? LIST : 1];
    int look[OPEN];
};

/* The box around the bodies of a warp: its middle, and half of its sides. */
typedef struct Around {
    float x, y, z, half_x, half_y, half_z;
} Around;

/* Half of the span of the lanes' values, and its middle. */
static __device__ __forceinline__ float span(float value, float *middle) {
    float low = value, high = value;
#pragma unroll
    for (int apart = WARP / 2; apart > 0; apart /= 2) {
        low = fminf(low, __shfl_xor_sync(~0U, low, apart));
        high = fmaxf(high, __shfl_xor_sync(~0U, high, apart));
    }
    *middle = 0.5f * (low + high);
    return 0.5f * (high - low);
}

static __device__ __forceinline__ Around around(float4 at) {
    Around box;
    box.half_x = span(at.x, &box.x);
    box.half_y = span(at.y, &box.y);
    box.half_z = span(at.z, &box.z);
    return box;
}

/* Whether all bodies of the warp are farther away than a cell's reach; false for NaN. */
static __device__ __forceinline__ bool is_far(const Around &box, const Cell &cell) {
    const float x = fmaxf(fabsf(cell.centre.x - box.x) - box.half_x, 0),
                y = fmaxf(fabsf(cell.centre.y - box.y) - box.half_y, 0),
                z = fmaxf(fabsf(cell.centre.z - box.z) - box.half_z, 0);
    return x * x + y * y + z * z > cell.reach2;
}

/* The bodies in the list pull the thread's body, number `own`. All threads of the warp call it. */
template <bool DEPTH>
static __device__ __forceinline__ void add_list(const Walk<DEPTH> &walk, int listed, float4 at, int own,
                                                float softening2, Pull *pull) {
    __syncwarp(); /* it has been written */
#pragma unroll UNROLL
    for (int j = 0; j < listed; j++)
        add_pull<DEPTH>(pull, at, body_of(walk.list[j]), softening2, DEPTH && walk.who[j] == own);
    __syncwarp(); /* it has been read */
}

/* Pulls are stored where the bodies are in the state, by `order`. */
template <bool DEPTH>
__global__ void __launch_bounds__(WARPS *WARP, BLOCKS)
    nbody_walk(const __grid_constant__ Cells cells, const unsigned *__restrict__ order, float softening2,
               float4 *__restrict__ pulls) {
    __shared__ Walk<DEPTH> walks[WARPS];
    const int lane = threadIdx.x % WARP, own = (int)(blockIdx.x * WARPS * WARP + threadIdx.x), last = cells.count - 1;
    const unsigned before = (1U << lane) - 1;
    Walk<DEPTH> &walk = walks[threadIdx.x / WARP];
    if (own - lane > last) /* the whole warp */
        return;
    const float4 at = cells.places[min(own, last)];
    const Around box = around(at);
    Pull pull = {0, 0, 0, 0};
    int size = 1, listed = 0;
    if (lane == 0)
        walk.look[0] = last > 0 ? 0 : body_link(0);
    __syncwarp();
    while (size > 0) {
        /* A cell's parts lie at most WARP places behind it: so many levels as a tree may have would need more room than
         * trees do. One at a time they lie one place behind it, and the rest always has room. */
        const int taken = size > ROOM ? 1 : min(size, (int)WARP);
        size -= taken;
        const int link = lane < taken ? walk.look[size + lane] : 0;
        Cell cell = {{0, 0, 0, 0}, 0, 0, 0, 0};
        bool far = false;
        if (lane < taken && link < 0) {
            cell.centre = cells.places[~link];
            far = true;
        } else if (lane < taken) {
            cell = cells.cells[link];
            far = is_far(box, cell);
        }
        const bool open = lane < taken && !far;
        __syncwarp(); /* their links have been read */
        unsigned these = __ballot_sync(~0U, open);
        if (open) {
            const int to = size + 2 * __popc(these & before);
            walk.look[to] = cell.left;
            walk.look[to + 1] = cell.right;
        }
        size += 2 * __popc(these);
        these = __ballot_sync(~0U, far);
        if (far) {
            const int to = listed + __popc(these & before);
            walk.list[to] = cell.centre;
            if (DEPTH)
                walk.who[to] = link < 0 ? ~link : -1;
        }
        listed += __popc(these);
        if (listed > LIST - WARP) {
            add_list(walk, listed, at, own, softening2, &pull);
            listed = 0;
        }
        __syncwarp(); /* their parts have been written */
    }
    add_list(walk, listed, at, own, softening2, &pull);
    if (own <= last)
        pulls[order[own]] = quad_of<DEPTH>(pull);
}

/* ---- on the device ---- */

typedef struct Work {
    Cells cells;
    float4 *pulls, *sorted;
    unsigned *order;
    CurveSort<uint64_t> sort;
} Work;

static Status lay_out(size_t count, Parts *parts, Work *work) {
    work->pulls = part<float4>(parts, count);
    work->cells.places = work->sorted = part<float4>(parts, count);
    work->order = part<unsigned>(parts, count);
    work->cells.cells = part<Cell>(parts, count);
    work->cells.low = part<float4>(parts, count);
    work->cells.high = part<float4>(parts, count);
    work->cells.spreads = part<float4>(parts, count);
    work->cells.parents = part<int>(parts, count);
    work->cells.known = part<unsigned>(parts, count);
    work->cells.count = (int)count;
    return curve_lay_out(count, parts, &work->sort);
}

static Status attract(Queue *queue, const Stage *stage, const Steps<Rows> *steps, bool depth) {
    const NbodyJob *job = nbody_job(stage);
    Work work = *(const Work *)steps->own;
    const unsigned count = (unsigned)work.cells.count;
    float theta = job->theta, softening2 = gravity_softening2(job->softening);
    const Launch each = curve_launch(count), walk = {dim3(blocks_for((int)count, WARPS * WARP)), dim3(WARPS * WARP), 0};
    void *linking[] = {&work.sort.sorted_codes, &work.cells}, *summing[] = {&work.cells, &theta};
    void *walking[] = {&work.cells, &work.order, &softening2, &work.pulls};
    TRY(curve_sort(queue, &work.sort, steps->bodies.places, count, work.order, work.sorted));
    TRY(gpu_launch(queue, "nbody, tree", (const void *)link_cells, each, linking));
    TRY(gpu_launch(queue, "nbody, summaries", (const void *)sum_cells, each, summing));
    return gpu_launch(queue, "nbody walk", depth ? (const void *)nbody_walk<true> : (const void *)nbody_walk<false>,
                      walk, walking);
}

static size_t workspace(const Device *device, const Stage *stage) {
    Parts parts = {NULL, 0};
    Work work;
    const bool ready = cudaSetDevice(((const GpuDevice *)device)->index) == cudaSuccess; /* for CUB */
    return ready && lay_out(nbody_count(stage), &parts, &work) == STATUS_OK ? parts.used : 0;
}

static Status run(Queue *queue, const Stage *stage) {
    Parts parts = {NULL, 0};
    Work work;
    void *memory;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    TRY(lay_out(nbody_count(stage), &parts, &work));
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, parts.used, &memory));
    parts.memory = (unsigned char *)memory;
    parts.used = 0;
    TRY(lay_out(nbody_count(stage), &parts, &work));
    const Steps<Rows> steps = {rows_of(stage->out), work.pulls, 1, attract, &work};
    return nbody_steps(queue, stage, steps);
}

extern "C" const Level cuda_nbody_barnes_hut = {
    .op = &op_nbody,
    .name = "barnes-hut",
    .idea = "far cells of a tree pull as one body; sorted places on a curve give the tree, which a warp traverses for "
            "32 near bodies",
    .workspace = workspace,
    .predictor = &nbody_counted,
    .run = run,
};
