/* pairs.cuh: a thread a body, which goes through all bodies in device memory; where they lie is the level's. */
#ifndef GLINT_GPU_COURSE_NBODY_PAIRS_CUH
#define GLINT_GPU_COURSE_NBODY_PAIRS_CUH

#include "gpu/course/nbody/steps.cuh"

enum { PAIRS_QUADS = 3 /* of memory a body: the store's, and a pull */ };

template <class Store, bool DEPTH>
static __global__ void __launch_bounds__(STEP_THREADS)
    nbody_pairs(const __grid_constant__ Store bodies, unsigned count, float softening2, float4 *__restrict__ pulls) {
    const unsigned i = blockIdx.x * STEP_THREADS + threadIdx.x;
    if (i >= count)
        return;
    const float4 at = bodies.place(i);
    Pull pull = {0, 0, 0, 0};
    for (unsigned j = 0; j < count; j++)
        add_pull<DEPTH>(&pull, at, body_of(bodies.place(j)), softening2, i == j);
    pulls[i] = quad_of<DEPTH>(pull);
}

template <class Store>
static Status attract_pairs(Queue *queue, const Stage *stage, const Steps<Store> *steps, bool depth) {
    unsigned count = (unsigned)nbody_count(stage);
    float softening2 = gravity_softening2(nbody_job(stage)->softening);
    Store bodies = steps->bodies;
    float4 *pulls = steps->pulls;
    const Launch launch = {dim3(blocks_for((int)count, STEP_THREADS)), dim3(STEP_THREADS), 0};
    void *arguments[] = {&bodies, &count, &softening2, &pulls};
    return gpu_launch(queue, "nbody pairs",
                      depth ? (const void *)nbody_pairs<Store, true> : (const void *)nbody_pairs<Store, false>, launch,
                      arguments);
}

static size_t pairs_workspace(const Device *device, const Stage *stage) {
    (void)device;
    return nbody_count(stage) * PAIRS_QUADS * sizeof(float4);
}

#endif
