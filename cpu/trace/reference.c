/* reference.c: the definition of the trace operation in double precision.
 * The nearest sphere on each pixel's line of sight, the first of equals; its colour times the normal's z. Never
 * optimized. */
#include "cpu/levels.h"

static void trace_pixel(const Scene *scene, Frame out, size_t px, size_t py, float x, float y) {
    const Sphere *nearest = NULL;
    double depth = -INFINITY, facing = 0;
    for (size_t i = 0; i < scene->count; i++) {
        double facing_here = 0;
        const double depth_here = sphere_depth(&scene->spheres[i], x, y, &facing_here);
        if (depth_here > depth) {
            nearest = &scene->spheres[i];
            depth = depth_here;
            facing = facing_here;
        }
    }
    const double colour[4] = {nearest ? (double)nearest->red : 0, nearest ? (double)nearest->green : 0,
                              nearest ? (double)nearest->blue : 0, 1};
    for (int c = 0; c < out.shape.channels; c++)
        view_set_value(out, px, py, c, 255 * colour[c] * (c < 3 ? facing : 1));
}

Status cpu_trace_reference(Device *device, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const Camera camera = stage->trace.camera;
#pragma omp parallel for num_threads(device->threads) schedule(dynamic)
    for (long py = 0; py < (long)shape.height; py++)
        for (size_t px = 0; px < shape.width; px++)
            trace_pixel(stage->trace.scene, stage->out, px, (size_t)py, camera_x(camera, px, shape.width),
                        camera_y(camera, (size_t)py, shape.height));
    return STATUS_OK;
}
