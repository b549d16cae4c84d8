/* pixel.h: a pixel of any look, for levels that say what a World is and define world_closest and world_blocked. */
#ifndef GLINT_CPU_TRACE_PIXEL_H
#define GLINT_CPU_TRACE_PIXEL_H

#include "core/hd/light.h"
#include "core/stage.h"

/* `setting` is read for light alone. */
static inline void trace_pixel(const Stage *stage, const World *world, const Setting *setting, size_t px, size_t py) {
    const TraceJob *job = &stage->trace;
    const Shape shape = stage->out.shape;
    if (look_is_light(job->look)) {
        light_gather(world, setting, job->camera, job->look, job->sampling, px, py, shape.width, shape.height,
                     (Gathered *)view_row(stage->out, py) + px);
        return;
    }
    const Ray ray = camera_ray(job->camera, px, py, shape.width, shape.height);
    TALLY(world, EYE);
    const Hit hit = world_closest(world, ray);
    look_met(job->look, job->scene->spheres, (uint32_t)job->scene->count, job->scene->triangles, ray, hit,
             shape.channels, (unsigned char *)view_row(stage->out, py) + px * (size_t)shape.channels);
}

/* A row of the part that is traced. */
static inline void trace_row(const Stage *stage, const World *world, const Setting *setting, Part part, size_t row) {
    for (size_t px = part.left; px < part.left + part.width; px++)
        trace_pixel(stage, world, setting, px, part.top + row);
}

#endif
