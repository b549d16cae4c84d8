/* denoise.cuh: shared by levels of denoising: a stage's pixels as core/math/denoise.h reads and writes them, and the
 * places of light and guides in scratch memory. */
#ifndef GLINT_GPU_DENOISE_DENOISE_CUH
#define GLINT_GPU_DENOISE_DENOISE_CUH

#include "gpu/kernel.cuh"

#include "core/math/denoise.h"

extern "C" {
#include "core/ops/denoise.h"
}

enum { DENOISE_WIDE = 32, DENOISE_TALL = 8 };

/* A stage as kernels see it. Planes without pixels are not there. */
typedef struct DenoiseStage {
    Plane light, less, normals, albedo, out;
    int channels, normal_channels, albedo_channels;
    bool film;
    float normal_scale, albedo_scale;
    int width, height, coarseness; /* of the pixels that are worked on, one a block; the side of a block */
} DenoiseStage;

static inline DenoiseStage denoise_stage(const Stage *stage) {
    const DenoiseViews views = denoise_views(stage);
    const DenoiseJob *job = denoise_job(stage);
    DenoiseStage seen = {};
    seen.light = plane_of(views.light);
    seen.less = plane_of(views.less);
    seen.normals = plane_of(views.normals);
    seen.albedo = plane_of(views.albedo);
    seen.out = plane_of(stage->out);
    seen.channels = stage->out.shape.channels;
    seen.normal_channels = views.normals.shape.channels;
    seen.albedo_channels = views.albedo.shape.channels;
    seen.film = job->film;
    seen.normal_scale = (float)job->normal_scale;
    seen.albedo_scale = (float)job->albedo_scale;
    seen.width = (int)views.width;
    seen.height = (int)views.height;
    seen.coarseness = (int)views.step;
    return seen;
}

static __device__ __forceinline__ const float *denoise_at(const DenoiseStage &stage, const Plane &plane, int channels,
                                                          int x, int y) {
    return plane.pixels ? row_of<float>(plane, y * stage.coarseness) + (size_t)x * stage.coarseness * channels : NULL;
}

static __device__ __forceinline__ DenoisePixel denoise_read(const DenoiseStage &stage, int x, int y) {
    const float *light = denoise_at(stage, stage.light, stage.channels, x, y);
    const float *normal = denoise_at(stage, stage.normals, stage.normal_channels, x, y);
    const float *albedo = denoise_at(stage, stage.albedo, stage.albedo_channels, x, y);
    return stage.film ? denoise_read_film(light, denoise_at(stage, stage.less, 4, x, y), normal, albedo)
                      : denoise_read_picture(light, stage.channels, normal, stage.normal_channels, stage.normal_scale,
                                             albedo, stage.albedo_scale);
}

static __device__ __forceinline__ float denoise_scattered_at(const DenoiseStage &stage, int x, int y) {
    return stage.film ? denoise_scattered(denoise_at(stage, stage.light, 4, x, y)[3]) : 1;
}

/* The result of a pixel that is worked on, in all pixels of its block. */
static __device__ __forceinline__ void denoise_store(const DenoiseStage &stage, int x, int y, DenoiseLight light,
                                                     bool absent) {
    const DenoisePixel pixel = denoise_read(stage, x, y);
    float made[4];
    denoise_write(&pixel, light, absent, stage.film, stage.channels,
                  denoise_at(stage, stage.light, stage.channels, x, y), made);
    const int left = x * stage.coarseness, top = y * stage.coarseness;
    for (int row = top; row < min(top + stage.coarseness, stage.out.height); row++)
        for (int column = left; column < min(left + stage.coarseness, stage.out.width); column++)
            for (int c = 0; c < stage.channels; c++)
                row_to<float>(stage.out, row)[(size_t)column * stage.channels + c] = made[c];
}

/* The buffers of a run: light by turns, the values that the first iteration compares, and guides. */
typedef struct DenoiseScratch {
    DenoiseLight *light[2], *guess;
    DenoiseGuide *guides;
} DenoiseScratch;

static inline size_t denoise_workspace(const Device *device, const Stage *stage) {
    const DenoiseViews views = denoise_views(stage);
    (void)device;
    return views.width * views.height * (3 * sizeof(DenoiseLight) + sizeof(DenoiseGuide));
}

static inline Status denoise_scratch(Queue *queue, const Stage *stage, DenoiseScratch *scratch) {
    const DenoiseViews views = denoise_views(stage);
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, denoise_workspace(queue->device, stage), &memory));
    scratch->light[0] = (DenoiseLight *)memory;
    scratch->light[1] = scratch->light[0] + views.width * views.height;
    scratch->guess = scratch->light[1] + views.width * views.height;
    scratch->guides = (DenoiseGuide *)(scratch->guess + views.width * views.height);
    return STATUS_OK;
}

static inline DenoiseField denoise_field(const Stage *stage, const DenoiseScratch *scratch) {
    const DenoiseViews views = denoise_views(stage);
    const DenoiseField field = {scratch->guides, (int)views.width, (int)views.height, denoise_rule(denoise_job(stage))};
    return field;
}

#endif
