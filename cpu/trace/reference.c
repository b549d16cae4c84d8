/* reference.c: the definition of the trace operation in double precision.
 * The nearest sphere on each pixel's ray, the first of equals. Never optimized. */
#include "cpu/levels.h"

static void trace_pixel(const Stage *stage, size_t px, size_t py, unsigned char *pixel) {
    const Scene *scene = stage->trace.scene;
    const Ray ray = camera_ray(stage->trace.camera, px, py, stage->out.shape.width, stage->out.shape.height);
    double nearest = INFINITY;
    Hit hit = hit_none();
    for (size_t i = 0; i < scene->count; i++) {
        double root = 0;
        const double distance = sphere_distance(&scene->spheres[i], ray, &root);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, (float)root, (uint32_t)i};
        }
    }
    look_pixel(stage->trace.look, &scene->spheres[hit.index == HIT_NONE ? 0 : hit.index], ray, hit,
               stage->out.shape.channels, pixel);
}

Status cpu_trace_reference(Device *device, const Stage *stage) {
    const Shape shape = stage->out.shape;
#pragma omp parallel for num_threads(device->threads) schedule(dynamic)
    for (long py = 0; py < (long)shape.height; py++)
        for (size_t px = 0; px < shape.width; px++)
            trace_pixel(stage, px, (size_t)py,
                        (unsigned char *)view_row(stage->out, (size_t)py) + px * (size_t)shape.channels);
    return STATUS_OK;
}
