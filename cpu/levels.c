/* levels.c: levels.def expanded to the table, and what the levels accept. */
#include "cpu/levels.h"

#define OPERATION_convolve OPERATION_CONVOLVE
#define OPERATION_point    OPERATION_POINT
#define OPERATION_trace    OPERATION_TRACE

bool accepts_any(const Device *device, const Stage *stage, const char **why_not) {
    (void)device, (void)stage, (void)why_not;
    return true;
}

bool accepts_separable(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask is no outer product of a row and a column";
    return mask_separable(stage->convolve.mask);
}

bool accepts_maps_values(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const PointFunction function = stage->point.function;
    *why_not = "its result depends on more than one 8- or 16-bit value";
    return stage->in[0].shape.type != PIXEL_F32 &&
           (function == POINT_CONVERT || function == POINT_INVERT || function == POINT_TO_LINEAR);
}

bool accepts_tones_bytes(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its steps are those of tone to 8 bits";
    return stage->point.function == POINT_TONE && stage->out.shape.type == PIXEL_U8;
}

bool accepts_flat(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it has no hierarchy whose nodes could be counted";
    return stage->trace.look != LOOK_NODES;
}

bool accepts_uncounted(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows only spheres";
    if (stage->trace.scene->triangle_count > 0)
        return false;
    *why_not = "it looks into the boxes of many rays at once; bvh counts those of each";
    return stage->trace.look != LOOK_NODES;
}

bool accepts_sightlines(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows only the orthographic camera and the classic look";
    if (stage->trace.camera.kind != CAMERA_ORTHOGRAPHIC || stage->trace.look != LOOK_CLASSIC)
        return false;
    *why_not = "it knows only spheres";
    return stage->trace.scene->triangle_count == 0;
}

const Level cpu_levels[] = {
#define LEVEL(operation, name, accepts, idea)                                                                          \
    {OPERATION_##operation, #name, idea, accepts_##accepts, cpu_##operation##_##name},
#include "cpu/levels.def"
#undef LEVEL
};
