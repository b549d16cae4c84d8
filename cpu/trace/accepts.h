/* accepts.h: which traces several levels can do. */
#ifndef GLINT_CPU_TRACE_ACCEPTS_H
#define GLINT_CPU_TRACE_ACCEPTS_H

#include "core/device/backend.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"

/* Looks that need no BVH. */
static inline bool accepts_flat(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it has no BVH whose nodes could be counted";
    return trace_job(stage)->look != LOOK_NODES;
}

/* The rays are lines of sight along z, shaded as the course does; scenes of spheres. */
static inline bool accepts_sightlines(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "needs the classic look";
    if (trace_job(stage)->look != LOOK_CLASSIC)
        return false;
    *why_not = "needs the orthographic camera";
    if (trace_job(stage)->camera.kind != CAMERA_ORTHOGRAPHIC)
        return false;
    *why_not = "it knows only spheres";
    return scene_is_of_spheres(trace_job(stage)->scene);
}

#endif
