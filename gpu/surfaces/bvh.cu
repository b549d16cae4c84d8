/* bvh.cu: surfaces through the BVHs, a thread for each pixel. */
#include "gpu/trace/bvh2_world.cuh"

#include "core/math/surfaces.h"

extern "C" {
#include "core/tracer/surfaces.h"
}

typedef struct SurfacesView {
    Camera camera;
    unsigned first, samples, seed;
    int width, height, step; /* of the picture; of blocks of which the first pixel is made */
    Plane out;
} SurfacesView;

__global__ void __launch_bounds__(TRACE_THREADS, LIGHT_BLOCKS)
    surfaces_bvh(const __grid_constant__ SurfacesView view, const __grid_constant__ World world,
                 const __grid_constant__ ShadingContext context) {
    const int2 place = place_of();
    const int x = place.x * view.step, y = place.y * view.step;
    if (x >= view.width || y >= view.height)
        return;
    surfaces_pixel(&world, &context, view.camera, view.first, view.samples, view.seed, (size_t)x, (size_t)y,
                   (size_t)view.width, (size_t)view.height, row_to<float>(view.out, y) + 4 * (size_t)x,
                   row_to<float>(view.out, view.height + y) + 4 * (size_t)x);
}

static Status run(Queue *queue, const Stage *stage) {
    const SurfacesJob *job = surfaces_job(stage);
    SurfacesView view = {job->camera,
                         job->first,
                         job->samples,
                         job->seed,
                         (int)job->width,
                         (int)job->height,
                         (int)surfaces_step(job),
                         plane_of(stage->out)};
    GpuScene *scene;
    World world;
    TRY(gpu_scene(queue, job->scene, &scene));
    TRY(world_over(queue, job->scene, scene, &world));
    TRY(gpu_shading_context(queue, job->scene, scene));
    void *arguments[] = {&view, &world, &scene->context};
    return gpu_launch(queue, "surfaces bvh", (const void *)surfaces_bvh,
                      launch_over((int)blocks_for(view.width, view.step), (int)blocks_for(view.height, view.step)),
                      arguments);
}

extern "C" const Level cuda_surfaces_bvh = {
    .op = &op_surfaces,
    .name = "bvh",
    .idea = "a thread a pixel follows its rays through a tree of boxes, on through mirrors and glass",
    .run = run,
};
