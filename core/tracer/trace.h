/* trace.h: the operation trace: each pixel takes the colour of the surface that its ray hits first, or gathers
 * light. */
#ifndef GLINT_CORE_TRACER_TRACE_H
#define GLINT_CORE_TRACER_TRACE_H

#include "core/math/camera.h"
#include "core/math/look.h"
#include "core/math/sampler.h"
#include "core/stage/stage.h"

typedef struct Scene Scene; /* core/scene/scene.h */

/* A part of a picture, in pixels. */
typedef struct Part {
    size_t left, top, width, height;
    size_t coarseness; /* the side of blocks that are one pixel repeated: the first; 1, or 0 for 1: all are traced */
} Part;

/* No input. Looks of light gather it: out is f32x4, FilmPixel pixels, to those of `part` the samples are added. The
 * others draw: out is u8 with 3 or 4 channels. */
typedef struct TraceJob {
    const Scene *scene; /* borrowed */
    Camera camera;
    Look look;
    Sampling sampling;
    Part part;            /* width 0: the whole picture */
    size_t width, height; /* of the picture */
    int channels;
    Scene *owned; /* freed with the job; NULL where the job does not own the scene */
} TraceJob;

extern const Op op_trace;

static inline const TraceJob *trace_job(const Stage *stage) {
    return (const TraceJob *)stage->job;
}

/* The pixels that a trace is about; coarseness is 1 or more. */
Part trace_part(const Stage *stage);
/* Where it ends. */
static inline size_t part_right(Part part) {
    return part.left + part.width;
}
static inline size_t part_bottom(Part part) {
    return part.top + part.height;
}
/* Blocks one above the other that a part has. */
static inline size_t part_rows(Part part) {
    return (part.height + part.coarseness - 1) / part.coarseness;
}

#endif
