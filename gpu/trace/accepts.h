/* accepts.h: which traces several levels can do. */
#ifndef GLINT_GPU_TRACE_ACCEPTS_H
#define GLINT_GPU_TRACE_ACCEPTS_H

#include "core/device/backend.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"

/* Looks that show each ray's first hit, in scenes of spheres. */
static inline bool accepts_nearest(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it finds the first surface of a ray, and computes no light";
    if (!look_is_nearest(trace_job(stage)->look))
        return false;
    *why_not = "it knows only spheres";
    return scene_is_of_spheres(trace_job(stage)->scene);
}

#endif
