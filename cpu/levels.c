/* levels.c: levels.def expanded to the table, and what the levels accept. */
#include "cpu/levels.h"
#include "core/ops/convolve.h"
#include "core/ops/point.h"
#include "core/ops/trace.h"
#include "core/scene.h"

bool accepts_any(const Device *device, const Stage *stage, const char **why_not) {
    (void)device, (void)stage, (void)why_not;
    return true;
}

bool accepts_separable(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask is no outer product of a row and a column";
    return mask_separable(convolve_job(stage)->mask);
}

bool accepts_maps_values(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its result depends on more than one 8- or 16-bit value";
    return stage->in[0].shape.type != PIXEL_F32 && points[point_job(stage)->function].of_value;
}

bool accepts_tones_bytes(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const Shape in = stage->in[0].shape;
    *why_not = "its steps are those of tone from gathered light to 8 bits";
    return point_job(stage)->function == POINT_tone && in.type == PIXEL_F32 && in.channels == 4 &&
           stage->out.shape.type == PIXEL_U8 && stage->out.shape.channels >= 3 &&
           point_job(stage)->white <= pixel_type_white(PIXEL_U8) &&
           point_job(stage)->white >= pixel_type_white(PIXEL_U8);
}

bool accepts_flat(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it has no hierarchy whose nodes could be counted";
    return trace_job(stage)->look != LOOK_NODES;
}

bool accepts_uncounted(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows only spheres";
    if (trace_job(stage)->scene->triangle_count > 0)
        return false;
    *why_not = "it looks into the boxes of many rays at once; bvh counts those of each";
    return trace_job(stage)->look != LOOK_NODES;
}

bool accepts_sightlines(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows only the orthographic camera and the classic look";
    if (trace_job(stage)->camera.kind != CAMERA_ORTHOGRAPHIC || trace_job(stage)->look != LOOK_CLASSIC)
        return false;
    *why_not = "it knows only spheres";
    return trace_job(stage)->scene->triangle_count == 0;
}

const Level cpu_levels[] = {
#define LEVEL(operation, name, accepts, idea)                                                                          \
    {&op_##operation, #name, idea, accepts_##accepts, cpu_##operation##_##name},
#include "cpu/levels.def"
#undef LEVEL
};
