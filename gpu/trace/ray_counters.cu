/* ray_counters.cu: the traversal of bvh, compiled with counting: the costs of a picture's rays, and the look of
 * nodes. */
#define RAY_COUNTERS
#include "gpu/trace/bvh2_world.cuh"

extern "C" {
#include "core/device/cache.h"
}

/* A thread's counts become part of all: summed within the warp, then by one thread of it. */
static __device__ void add_up(const RayCounters &own, RayCounters *sum) {
    for (int i = 0; i < COUNTERS; i++) {
        unsigned long long count = own.counts[i];
        for (int step = 16; step > 0; step /= 2)
            count += __shfl_xor_sync(~0U, count, step);
        if (threadIdx.x % 32 == 0 && count > 0)
            atomicAdd((unsigned long long *)&sum->counts[i], count);
    }
}

template <Look LOOK>
__global__ void __launch_bounds__(TRACE_THREADS)
    count_light(const __grid_constant__ View view, const __grid_constant__ World shared,
                const __grid_constant__ ShadingContext context, const __grid_constant__ LightJob job,
                RayCounters *sum) {
    RayCounters own = {{0}};
    World world = shared;
    world.counters = world.bvh2.counters = world.others.counters = &own;
    gather_light<LOOK, true>(view, world, context, job);
    add_up(own, sum);
}

/* Draws the look of nodes, or the look that the view has. */
__global__ void __launch_bounds__(TRACE_THREADS)
    count_nearest(const __grid_constant__ View view, const __grid_constant__ World shared, RayCounters *sum) {
    RayCounters own = {{0}};
    World world = shared;
    world.counters = world.bvh2.counters = world.others.counters = &own;
    const Pixel pixel = pixel_of(view);
    if (pixel.seen) {
        RAY_COUNT(&world, CAMERA_RAYS);
        const Hit hit = closest_in<false, false>(world, pixel.ray);
        unsigned char bytes[4];
        look_heat(own.counts[COUNTER_NODES], 4, bytes);
        if (view.look == LOOK_NODES)
            store_pixel(view, pixel, bytes);
        else
            show_hit(view, pixel, hit, world.others.around);
    }
    add_up(own, sum);
}

/* Enqueues the count; *sum is on the device. */
static Status count(Queue *queue, const Stage *stage, RayCounters *sum) {
    GpuScene *scene;
    World world;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    TRY(world_over(queue, trace_job(stage)->scene, scene, &world));
    TRY(gpu_shading_context(queue, trace_job(stage)->scene, scene));
    CUDA_TRY(cudaMemsetAsync(sum, 0, sizeof *sum, gpu_queue(queue)->stream));
    View view = view_of(stage, scene);
    LightJob job = light_job(stage);
    if (look_is_light(view.look)) {
        const void *kernel =
            view.look == LOOK_WHITTED ? (const void *)count_light<LOOK_WHITTED> : (const void *)count_light<LOOK_PATHS>;
        void *arguments[] = {&view, &world, &scene->context, &job, &sum};
        return gpu_launch(queue, "trace counters", kernel, launch_for(job), arguments);
    }
    void *arguments[] = {&view, &world, &sum};
    return gpu_launch(queue, "trace counters", (const void *)count_nearest, launch_of(view), arguments);
}

static Status count_in_scratch(Queue *queue, const Stage *stage, RayCounters **sum) {
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, sizeof **sum, &memory));
    *sum = (RayCounters *)memory;
    return count(queue, stage, *sum);
}

extern "C" Status gpu_heat(Queue *queue, const Stage *stage) {
    RayCounters *ignored;
    return count_in_scratch(queue, stage, &ignored);
}

extern "C" Status gpu_count_rays(Queue *queue, const Stage *stage, RayCounters *counters) {
    RayCounters *sum;
    cache_begin(queue);
    const Status status = count_in_scratch(queue, stage, &sum);
    cache_end(queue);
    TRY(status);
    CUDA_TRY(cudaMemcpyAsync(counters, sum, sizeof *counters, cudaMemcpyDeviceToHost, gpu_queue(queue)->stream));
    CUDA_TRY(cudaStreamSynchronize(gpu_queue(queue)->stream));
    return STATUS_OK;
}
