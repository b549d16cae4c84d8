/* reference.c: the definition of the trace operation in double precision.
 * The nearest sphere or triangle on a ray, the first of equals. Never optimized. */
#include "core/shading_context.h"
#include "cpu/trace/accepts.h"
#include "cpu/trace/shade_pixel.h"

struct World {
    const Scene *scene;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    Hit hit = hit_start(ray);
    double nearest = (double)hit.distance;
    for (size_t i = 0; i < world->scene->count; i++) {
        double root = 0;
        if (i == ray.left)
            continue;
        const double distance = sphere_distance(&world->scene->spheres[i], ray, &root);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, (float)root, (uint32_t)i};
        }
    }
    for (size_t i = 0; i < world->scene->triangle_count; i++) {
        if (world->scene->count + i == ray.left)
            continue;
        const double distance = triangle_distance(&world->scene->triangles[i], ray);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, 0, (uint32_t)(world->scene->count + i)};
        }
    }
    return hit;
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    return world_closest_hit(world, ray).distance < distance;
}

static Status run(Queue *queue, const Stage *stage) {
    const World world = {trace_job(stage)->scene};
    const Part part = trace_part(stage);
    ShadingContext context;
    TRY(shading_context_create(trace_job(stage)->scene, &context));
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long y = 0; y < (long)part_rows(part); y++)
        trace_row(stage, &world, &context, part, (size_t)y);
    shading_context_free(&context);
    return STATUS_OK;
}

const Level cpu_trace_reference = {
    .op = &op_trace,
    .name = "reference",
    .idea = "every pixel against every sphere in double precision: slow, readable, what every other level is checked "
            "against",
    .accepts = accepts_flat,
    .run = run,
};
