/* surfaces.h: the operation surfaces: how what pixels show faces, how near it is, and what of light it sends on.
 * No input. out is f32x4 and twice as high as the picture: its upper half has normals and nearness, the lower half
 * albedo, means over the samples of a pixel (core/math/surfaces.h): those of the job are added to the `first` ones, of
 * which out holds the means already. Of what mirrors or is of glass it is what is
 * seen there; of what shines, and of the sky, albedo is its light. */
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
    Scene *owned;           /* freed with the job; NULL where the scene is somebody else's */
} SurfacesJob;

extern const Op op_surfaces;

static inline const SurfacesJob *surfaces_job(const Stage *stage) {
    return (const SurfacesJob *)stage->job;
}
/* Of blocks, at least 1. */
static inline size_t surfaces_step(const SurfacesJob *job) {
    return job->coarseness > 1 ? (size_t)job->coarseness : 1;
}

#endif
