/* row.h: a row of pixels, each against every sphere of the scene. */
#ifndef GLINT_CPU_TRACE_ROW_H
#define GLINT_CPU_TRACE_ROW_H

#include "core/stage.h"

static inline void trace_row(const Stage *stage, size_t py) {
    const Scene *scene = stage->trace.scene;
    const Shape shape = stage->out.shape;
    unsigned char *pixel = view_row(stage->out, py);
    for (size_t px = 0; px < shape.width; px++, pixel += shape.channels) {
        const Ray ray = camera_ray(stage->trace.camera, px, py, shape.width, shape.height);
        Hit hit = hit_none();
        for (size_t i = 0; i < scene->count; i++)
            hit_offer(&hit, sphere_centre(&scene->spheres[i]), scene->spheres[i].radius, (uint32_t)i, ray);
        look_pixel(stage->trace.look, &scene->spheres[hit.index == HIT_NONE ? 0 : hit.index], ray, hit, shape.channels,
                   pixel);
    }
}

#endif
