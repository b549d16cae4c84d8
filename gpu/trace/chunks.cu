/* chunks.cu: constant memory for scenes that do not fit: one pass for each part of them, the pixels' hits so far kept
 * in global memory. */
#include "gpu/trace/constant.cuh"

/* One part of the scene: the first pass begins, the last one shows. */
__global__ void trace_chunk(const __grid_constant__ View view, unsigned first, unsigned count, unsigned all,
                            Hit *__restrict__ hits) {
    const Pixel pixel = pixel_of(view);
    const size_t at = (size_t)(pixel.y - view.top) * (size_t)(view.right - view.left) + (size_t)(pixel.x - view.left);
    Hit hit = hit_none();
    if (first > 0 && pixel.seen)
        hit = hits[at];
    offer_constant(&hit, first, count, pixel.ray);
    if (first + count >= all)
        show(view, pixel, hit);
    else if (pixel.seen)
        hits[at] = hit;
}

/* The nearest hits so far. */
static size_t workspace(const Device *device, const Stage *stage) {
    const Part part = trace_part(stage);
    (void)device;
    return part.width * part.height * sizeof(Hit);
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *hits;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &hits));
    unsigned first = 0;
    do {
        unsigned count = min(scene->count - first, (unsigned)CONSTANT_SPHERES);
        TRY(fill(queue, scene, first, count));
        void *arguments[] = {&view, &first, &count, &scene->count, &hits};
        TRY(gpu_launch(queue, "trace chunks", (const void *)trace_chunk, launch_of(view), arguments));
        first += count;
    } while (first < scene->count);
    return STATUS_OK;
}

extern "C" const Level cuda_trace_chunks = {
    .op = &op_trace,
    .name = "chunks",
    .idea = "constant memory for scenes that do not fit: a pass for each part, the nearest hits so far in global "
            "memory",
    .accepts = accepts_nearest,
    .workspace = workspace,
    .run = run,
};
