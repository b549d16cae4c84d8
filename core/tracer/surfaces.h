/* surfaces.h: the operation surfaces: the normal, the nearness and the albedo of the surface that each pixel shows. No
 * input. out is f32x4 and twice as high as the picture. Its upper half has normals and nearness, the lower half albedo,
 * means over the samples of a pixel (core/math/surfaces.h). The job's samples are added to the `first` ones, whose
 * means out holds already. A pixel of a mirror or of glass shows the surface that is seen in it or through it. The
 * albedo of a shining surface, and of the sky, is its light. */
#ifndef GLINT_CORE_TRACER_SURFACES_H
#define GLINT_CORE_TRACER_SURFACES_H

#include "core/math/camera.h"
#include "core/stage/stage.h"

typedef struct Scene Scene; /* core/scene/scene.h */

typedef struct SurfacesJob {
    const Scene *scene; /* borrowed */
    Camera camera;
    uint32_t first;         /* samples that are in out; 0: it begins again */
    uint32_t samples, seed; /* of the film */
    size_t width, height;   /* of the picture */
    int coarseness;         /* the side of blocks of which only the first pixel is made; 1, or 0 for 1: all are */
    Scene *owned;           /* freed with the job; NULL where the job does not own the scene */
} SurfacesJob;

extern const Op op_surfaces;

static inline const SurfacesJob *surfaces_job(const Stage *stage) {
    return (const SurfacesJob *)stage->job;
}
/* The side of a block, at least 1. */
static inline size_t surfaces_step(const SurfacesJob *job) {
    return job->coarseness > 1 ? (size_t)job->coarseness : 1;
}

#endif
