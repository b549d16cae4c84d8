/* row.h: a row of pixels, each against every sphere of the scene. */
#ifndef GLINT_CPU_TRACE_ROW_H
#define GLINT_CPU_TRACE_ROW_H

#include "core/stage.h"

static inline void trace_row(const Stage *stage, size_t py) {
    const Scene *scene = stage->trace.scene;
    const Camera camera = stage->trace.camera;
    const Shape shape = stage->out.shape;
    const float y = camera_y(camera, py, shape.height);
    unsigned char *pixel = view_row(stage->out, py);
    for (size_t px = 0; px < shape.width; px++, pixel += shape.channels) {
        const float x = camera_x(camera, px, shape.width);
        Nearest nearest = nearest_none();
        for (size_t i = 0; i < scene->count; i++)
            nearest_offer(&nearest, scene->spheres, (uint32_t)i, x, y);
        shade_pixel(scene->spheres, &nearest, shape.channels, pixel);
    }
}

#endif
