/* pixel.h: a pixel of any look, for levels that say what a World is and define world_closest and world_blocked. */
#ifndef GLINT_CPU_TRACE_PIXEL_H
#define GLINT_CPU_TRACE_PIXEL_H

#include "core/hd/path.h"
#include "core/stage.h"

static inline void store_light(Vec light, Frame out, size_t px, size_t py) {
    const float values[4] = {light.x, light.y, light.z, 1};
    for (int c = 0; c < out.shape.channels; c++)
        if (out.shape.type == PIXEL_F32)
            ((float *)view_row(out, py))[px * (size_t)out.shape.channels + (size_t)c] = values[c];
        else
            ((unsigned char *)view_row(out, py))[px * (size_t)out.shape.channels + (size_t)c] =
                byte_of(c < 3 ? path_tone(values[c]) : 1);
}

/* `setting` is read for paths alone. */
static inline void trace_pixel(const Stage *stage, const World *world, const Setting *setting, size_t px, size_t py) {
    const TraceJob *job = &stage->trace;
    const Shape shape = stage->out.shape;
    if (job->look == LOOK_PATHS) {
        store_light(path_pixel(world, setting, job->camera, px, py, shape.width, shape.height, job->samples, job->seed),
                    stage->out, px, py);
        return;
    }
    const Ray ray = camera_ray(job->camera, px, py, shape.width, shape.height);
    const Hit hit = world_closest(world, ray);
    look_pixel(job->look, &job->scene->spheres[hit.index == HIT_NONE ? 0 : hit.index], ray, hit, shape.channels,
               (unsigned char *)view_row(stage->out, py) + px * (size_t)shape.channels);
}

#endif
