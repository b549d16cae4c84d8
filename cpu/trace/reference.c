/* reference.c: the definition of the trace operation in double precision.
 * The nearest sphere on a ray, the first of equals. Never optimized. */
#include "core/setting.h"
#include "cpu/levels.h"
#include "cpu/trace/pixel.h"

struct World {
    const Scene *scene;
};

HD Hit world_closest(const World *world, Ray ray) {
    double nearest = INFINITY;
    Hit hit = hit_none();
    for (size_t i = 0; i < world->scene->count; i++) {
        double root = 0;
        const double distance = sphere_distance(&world->scene->spheres[i], ray, &root);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, (float)root, (uint32_t)i};
        }
    }
    return hit;
}

HD bool world_blocked(const World *world, Ray ray, float distance) {
    return world_closest(world, ray).distance < distance;
}

Status cpu_trace_reference(Device *device, const Stage *stage) {
    const World world = {stage->trace.scene};
    const Shape shape = stage->out.shape;
    Setting setting;
    TRY(setting_create(stage->trace.scene, &setting));
#pragma omp parallel for num_threads(device->threads) schedule(dynamic)
    for (long py = 0; py < (long)shape.height; py++)
        for (size_t px = 0; px < shape.width; px++)
            trace_pixel(stage, &world, &setting, px, (size_t)py);
    setting_free(&setting);
    return STATUS_OK;
}
