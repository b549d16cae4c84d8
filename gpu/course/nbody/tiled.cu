/* tiled.cu: a block's threads fetch a tile of bodies together, and each reads all of it in shared memory (Nyland,
 * Harris and Prins, Fast N-Body Simulation with CUDA, GPU Gems 3, 2007). */
#include "gpu/course/nbody/steps.cuh"

enum { TILE = 256 /* bodies, and threads */, UNROLL = 8 };

/* Threads beyond the last body fetch, too: all meet at the barriers. */
template <bool DEPTH>
__global__ void __launch_bounds__(TILE)
    nbody_tiled(const float4 *__restrict__ places, unsigned count, float softening2, float4 *__restrict__ pulls) {
    __shared__ float4 tile[TILE];
    const unsigned i = blockIdx.x * TILE + threadIdx.x;
    const float4 at = places[min(i, count - 1)];
    Pull pull = {0, 0, 0, 0};
    for (unsigned first = 0; first < count; first += TILE) {
        const unsigned here = min(count - first, (unsigned)TILE);
        if (threadIdx.x < here)
            tile[threadIdx.x] = places[first + threadIdx.x];
        __syncthreads();
#pragma unroll UNROLL
        for (unsigned j = 0; j < here; j++)
            add_pull<DEPTH>(&pull, at, body_of(tile[j]), softening2, first + j == i);
        __syncthreads();
    }
    if (i < count)
        pulls[i] = quad_of<DEPTH>(pull);
}

static Status attract(Queue *queue, const Stage *stage, const Steps<Rows> *steps, bool depth) {
    unsigned count = (unsigned)nbody_count(stage);
    float softening2 = gravity_softening2(nbody_job(stage)->softening);
    float4 *places = steps->bodies.places, *pulls = steps->pulls;
    const Launch launch = {dim3(blocks_for((int)count, TILE)), dim3(TILE), 0};
    void *arguments[] = {&places, &count, &softening2, &pulls};
    return gpu_launch(queue, "nbody tiled", depth ? (const void *)nbody_tiled<true> : (const void *)nbody_tiled<false>,
                      launch, arguments);
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return nbody_count(stage) * sizeof(float4);
}

static Status run(Queue *queue, const Stage *stage) {
    float4 *pulls;
    TRY(nbody_scratch(queue, stage, 1, &pulls));
    const Steps<Rows> steps = {rows_of(stage->out), pulls, 1, attract, NULL};
    return nbody_steps(queue, stage, steps);
}

extern "C" const Level cuda_nbody_tiled = {
    .op = &op_nbody,
    .name = "tiled",
    .idea =
        "a block fetches 256 bodies into shared memory, one a thread in 16-byte loads, and all of its threads use them",
    .workspace = workspace,
    .run = run,
};
