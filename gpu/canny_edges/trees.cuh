/* trees.cuh: peaks that touch become trees with one root (union-find), their pixel with the smallest number, in
 * whatever order threads come. Rows of seams are numbered before all others: a tree that reaches one has its root
 * there. D. Playne and K. Hawick, A New Algorithm for Parallel Connected-Component Labelling on GPUs, 2018. */
#ifndef GLINT_GPU_CANNY_EDGES_TREES_CUH
#define GLINT_GPU_CANNY_EDGES_TREES_CUH

#include "gpu/canny_edges/roots.cuh"

extern "C" {
#include "core/ops/canny.h"
}

/* Pixels of a picture by their numbers: parent and, of roots, whether any peak of the tree is strong. */
typedef struct Trees {
    unsigned *parents;
    unsigned char *strong;
    int width, height;
} Trees;

/* A row's place among the numbers: behind those for seams, but where it is one, the first of several. */
static __device__ int place_of(const CannyJob &job, int y) {
    int place = y + CANNY_SEAMS;
    for (int r = CANNY_SEAMS - 1; r >= 0; r--)
        place = job.cut && job.seams[r] == y ? r : place;
    return place;
}

static __device__ unsigned number_of(const Trees &trees, const CannyJob &job, int x, int y) {
    return (unsigned)place_of(job, y) * trees.width + x;
}

/* Each peak is a tree of its own. Numbers that belong to no pixel have no tree. */
static __global__ void canny_plant(const __grid_constant__ Plane classes, const __grid_constant__ Plane seams,
                                   const __grid_constant__ CannyJob job, const __grid_constant__ Trees trees) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, place = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= trees.width || place >= trees.height + CANNY_SEAMS)
        return;
    const unsigned at = (unsigned)place * trees.width + x;
    const bool seam = place < CANNY_SEAMS;
    const int y = !seam ? place - CANNY_SEAMS : job.cut ? job.seams[place] : -1;
    const bool counts = y >= job.above && y < trees.height - job.below && place_of(job, y) == place;
    const int level = counts ? row_of<uint8_t>(classes, y)[x] : 0;
    const bool edge = level >= CANNY_WEAK && seam && seams.pixels && row_of<uint32_t>(seams, place)[x] > 0;
    trees.parents[at] = level >= CANNY_WEAK ? at : NOTHING;
    trees.strong[at] = edge || level >= CANNY_STRONG;
}

static __global__ void canny_unite(const __grid_constant__ CannyJob job, const __grid_constant__ Trees trees) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= trees.width || y >= trees.height)
        return;
    const unsigned at = number_of(trees, job, x, y);
    if (trees.parents[at] == NOTHING)
        return;
    for (int k = 0; k < 4; k++) { /* to the left, and the three above */
        const int tx = x + (k == 0 ? -1 : k - 2), ty = y - (k > 0);
        if (tx < 0 || tx >= trees.width || ty < 0)
            continue;
        const unsigned next = number_of(trees, job, tx, ty);
        if (trees.parents[next] != NOTHING)
            unite(trees.parents, at, next);
    }
}

/* A strong peak makes its root one. */
static __global__ void canny_mark(unsigned count, const __grid_constant__ Trees trees) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count && trees.strong[at])
        trees.strong[root_of(trees.parents, at)] = 1;
}

static size_t numbers_of(const Stage *stage) {
    return stage->in[0].shape.width * (stage->in[0].shape.height + CANNY_SEAMS);
}

static bool trees_accept(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it counts pixels in 32 bits";
    return numbers_of(stage) < NOTHING;
}

static size_t trees_workspace(const Device *device, const Stage *stage) {
    (void)device;
    return numbers_of(stage) * (sizeof(unsigned) + 1);
}

/* Grows the trees of in[0] in the queue's scratch memory; where `seams` has pixels, peaks there are strong where it is
 * not 0. */
static Status trees_grow(Queue *queue, const Stage *stage, Plane seams, Trees *trees) {
    Plane classes = plane_of(stage->in[0]);
    CannyJob job = *canny_job(stage);
    unsigned count = (unsigned)numbers_of(stage);
    *trees = (Trees){NULL, NULL, classes.width, classes.height};
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, trees_workspace(queue->device, stage),
                    (void **)&trees->parents));
    trees->strong = (unsigned char *)(trees->parents + count);
    const unsigned across = blocks_for(classes.width, 32);
    const Launch numbers = {dim3(across, blocks_for(classes.height + CANNY_SEAMS, 8)), dim3(32, 8), 0};
    const Launch pixels = {dim3(across, blocks_for(classes.height, 8)), dim3(32, 8), 0};
    const Launch flat = {dim3((count + 255) / 256), dim3(256), 0};
    void *planting[] = {&classes, &seams, &job, trees};
    void *uniting[] = {&job, trees};
    void *marking[] = {&count, trees};
    TRY(gpu_launch(queue, "canny labels, peaks", (const void *)canny_plant, numbers, planting));
    TRY(gpu_launch(queue, "canny labels, trees", (const void *)canny_unite, pixels, uniting));
    return gpu_launch(queue, "canny labels, strong roots", (const void *)canny_mark, flat, marking);
}

#endif
