/* registers.cu: each body that comes from shared memory pulls several bodies of a thread, which stay in its registers.
 * Blocks share the bodies that pull, too, so that a few thousand bodies occupy every multiprocessor. */
#include "gpu/course/nbody/steps.cuh"

extern "C" {
#include "gpu/course/nbody/counted.h"
#include "gpu/course/nbody/split.h"
}

enum { EACH = 4, THREADS = 256, HERE = THREADS * EACH, BLOCKS = 4 /* a multiprocessor */, UNROLL = 8 };

/* Block (x, y) has bodies x * HERE on, as part y of the bodies pulls them; its threads read neighbouring ones. */
template <bool DEPTH>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    nbody_registers(const float4 *__restrict__ places, unsigned count, float softening2, float4 *__restrict__ pulls) {
    __shared__ float4 tile[THREADS];
    const unsigned i = blockIdx.x * HERE + threadIdx.x;
    const unsigned end = (unsigned)((unsigned long long)count * (blockIdx.y + 1) / gridDim.y);
    float4 at[EACH];
    Pull pull[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        at[k] = places[min(i + k * THREADS, count - 1)];
        pull[k].x = pull[k].y = pull[k].z = pull[k].depth = 0;
    }
    for (unsigned first = (unsigned)((unsigned long long)count * blockIdx.y / gridDim.y); first < end;
         first += THREADS) {
        const unsigned here = min(end - first, (unsigned)THREADS);
        if (threadIdx.x < here)
            tile[threadIdx.x] = places[first + threadIdx.x];
        __syncthreads();
#pragma unroll UNROLL
        for (unsigned j = 0; j < here; j++) {
            const Body from = body_of(tile[j]);
#pragma unroll
            for (int k = 0; k < EACH; k++)
                add_pull<DEPTH>(&pull[k], at[k], from, softening2, first + j == i + k * THREADS);
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (i + k * THREADS < count)
            pulls[(size_t)blockIdx.y * count + i + k * THREADS] = quad_of<DEPTH>(pull[k]);
}

static unsigned parts_of(const Device *device, const Stage *stage) {
    const unsigned count = (unsigned)nbody_count(stage);
    const int processors = ((const GpuDevice *)device)->limits.multiProcessorCount;
    return split_parts(blocks_for((int)count, HERE), count, (unsigned)processors, BLOCKS);
}

static Status attract(Queue *queue, const Stage *stage, const Steps<Rows> *steps, bool depth) {
    unsigned count = (unsigned)nbody_count(stage);
    float softening2 = gravity_softening2(nbody_job(stage)->softening);
    float4 *places = steps->bodies.places, *pulls = steps->pulls;
    const Launch launch = {dim3(blocks_for((int)count, HERE), steps->parts), dim3(THREADS), 0};
    void *arguments[] = {&places, &count, &softening2, &pulls};
    return gpu_launch(queue, "nbody registers",
                      depth ? (const void *)nbody_registers<true> : (const void *)nbody_registers<false>, launch,
                      arguments);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return nbody_count(stage) * parts_of(device, stage) * sizeof(float4);
}

static Status run(Queue *queue, const Stage *stage) {
    const unsigned parts = parts_of(queue->device, stage);
    float4 *pulls;
    TRY(nbody_scratch(queue, stage, parts, &pulls));
    const Steps<Rows> steps = {rows_of(stage->out), pulls, parts, attract, NULL};
    return nbody_steps(queue, stage, steps);
}

extern "C" const Level cuda_nbody_registers = {
    .op = &op_nbody,
    .name = "registers",
    .idea = "four bodies a thread in registers: one read of shared memory for four pairs; blocks share the pulls, so "
            "that all multiprocessors have work",
    .workspace = workspace,
    .predictor = &nbody_counted,
    .run = run,
};
