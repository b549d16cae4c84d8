/* constant.cu: the course's second program: the spheres in constant memory, which serves a warp that wants one sphere
 * with one read. And chunks, for scenes that do not fit: one pass for each part of them, what pixels have met so far
 * kept in global memory. */
#include "gpu/trace/trace.cuh"

static __constant__ Sphere constant_spheres[CONSTANT_SPHERES];

/* Puts spheres from `first` on there; enqueued, so that kernels before it see the old ones. */
static Status fill(Device *device, const GpuScene *scene, unsigned first, unsigned count) {
    CUDA_TRY(cudaMemcpyToSymbolAsync(constant_spheres, scene->spheres + first, count * sizeof(Sphere), 0,
                                     cudaMemcpyDeviceToDevice, gpu_of(device)->stream));
    return STATUS_OK;
}

/* `first` is the scene's index of the first sphere there. */
static __device__ __forceinline__ void offer_constant(Hit *hit, unsigned first, unsigned count, const Ray &ray) {
    for (unsigned i = 0; i < count; i++)
        hit_offer(hit, sphere_centre(&constant_spheres[i]), constant_spheres[i].radius, first + i, ray);
}

__global__ void trace_constant(const __grid_constant__ View view, unsigned count) {
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    offer_constant(&hit, 0, count, pixel.ray);
    show(view, pixel, hit);
}

/* One part of the scene: the first pass begins, the last one shows. */
__global__ void trace_chunk(const __grid_constant__ View view, unsigned first, unsigned count, unsigned all,
                            Hit *__restrict__ hits) {
    const Pixel pixel = pixel_of(view);
    const size_t at = (size_t)pixel.y * (size_t)view.out.width + (size_t)pixel.x;
    Hit hit = hit_none();
    if (first > 0 && pixel.seen)
        hit = hits[at];
    offer_constant(&hit, first, count, pixel.ray);
    if (first + count >= all)
        show(view, pixel, hit);
    else if (pixel.seen)
        hits[at] = hit;
}

extern "C" Status cuda_trace_constant(Device *device, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(device, trace_job(stage)->scene, &scene));
    TRY(fill(device, scene, 0, scene->count));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->count};
    return gpu_launch(device, "trace constant", (const void *)trace_constant, launch_of(view), arguments);
}

extern "C" Status cuda_trace_chunks(Device *device, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(device, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *hits;
    TRY(gpu_scratch(device, &gpu_of(device)->scratch, stage->out.shape.width * stage->out.shape.height * sizeof(Hit),
                    &hits));
    unsigned first = 0;
    do {
        unsigned count = min(scene->count - first, (unsigned)CONSTANT_SPHERES);
        TRY(fill(device, scene, first, count));
        void *arguments[] = {&view, &first, &count, &scene->count, &hits};
        TRY(gpu_launch(device, "trace chunks", (const void *)trace_chunk, launch_of(view), arguments));
        first += count;
    } while (first < scene->count);
    return STATUS_OK;
}
