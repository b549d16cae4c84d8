/* film.cuh: core/math/film.h on the device. The includer defines its World before, and how rays intersect it. */
#ifndef GLINT_GPU_TRACE_FILM_CUH
#define GLINT_GPU_TRACE_FILM_CUH

#include "gpu/trace/trace.cuh"

#include "core/math/film.h"

/* The part of the picture to compute, and its samples. */
typedef struct LightJob {
    Sampling sampling;
    int left, top, right, bottom, coarseness;
} LightJob;

static inline LightJob light_job(const Stage *stage) {
    const Part part = trace_part(stage);
    const LightJob job = {
        trace_job(stage)->sampling,    (int)part.left,      (int)part.top, (int)(part.left + part.width),
        (int)(part.top + part.height), (int)part.coarseness};
    return job;
}

static inline Launch launch_for(const LightJob &job) {
    return launch_over((int)blocks_for(job.right - job.left, job.coarseness),
                       (int)blocks_for(job.bottom - job.top, job.coarseness));
}

/* Blocks on a multiprocessor for which kernels of light are compiled: 128 registers a thread. Left to itself, ptxas
 * takes 96 and spills the rest. Paths among spheres alone come by with 96. */
enum { LIGHT_BLOCKS = 4, PATHS_BLOCKS = 5 };

/* All samples of a thread's pixel, one after the other; coarse parts repeat it. The look is an argument of the
 * template, so that a kernel has the registers of one. So is `rich` of path_step. */
template <Look LOOK, bool RICH>
static __device__ __forceinline__ void gather_light(const View &view, const World &world, const ShadingContext &context,
                                                    const LightJob &job) {
    const int2 place = place_of();
    const int left = job.left + place.x * job.coarseness, top = job.top + place.y * job.coarseness;
    if (left >= job.right || top >= job.bottom)
        return;
    FilmPixel *pixel = row_to<FilmPixel>(view.out, top) + left;
    film_accumulate(&world, &context, view.camera, LOOK, RICH, job.sampling, (size_t)left, (size_t)top,
                    (size_t)view.out.width, (size_t)view.out.height, pixel);
    if (job.coarseness > 1)
        for (int y = top; y < min(top + job.coarseness, job.bottom); y++)
            for (int x = left; x < min(left + job.coarseness, job.right); x++)
                row_to<FilmPixel>(view.out, y)[x] = *pixel;
}

typedef void (*LightKernel)(View view, World world, ShadingContext context, LightJob job);

static inline Status launch_light(Queue *queue, const char *where, View view, const Stage *stage, GpuScene *scene,
                                  World world, LightKernel whitted, LightKernel paths, LightKernel rich) {
    LightJob job = light_job(stage);
    void *arguments[] = {&view, &world, &scene->context, &job};
    const void *kernel = (const void *)(view.look == LOOK_WHITTED ? whitted : scene->context.rich ? rich : paths);
    return gpu_launch(queue, where, kernel, launch_for(job), arguments);
}

#endif
