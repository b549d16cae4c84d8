/* light_cylinders.isa.c: light in scenes with cylinders, for each instruction set. Rays go one after the other through
 * the BVH of the spheres, then that of the cylinders. */
#include "cpu/trace/cylinder_rays.h"
#include "cpu/trace/wide.h"

#include "core/math/surface.h"
#include "cpu/trace/shade_pixel.h"

struct World {
    const Bvh16 *spheres, *cylinders;
    const Scene *scene;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    const SingleRay single = single_ray(ray);
    const Hit sphere = closest_hit(world->spheres, &single, ray.far);
    return closest_cylinder(world->cylinders, world->scene, &single,
                            sphere.index == HIT_NONE ? hit_start(ray) : sphere);
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    const SingleRay single = single_ray(ray);
    return any_hit(world->spheres, &single, distance) ||
           any_cylinder(world->cylinders, world->scene, &single, distance);
}

static void gather_row(const WideJob *job, const ShadingContext *context, size_t row) {
    const World world = {job->bvh, job->cylinders, trace_job(job->stage)->scene};
    trace_row(job->stage, &world, context, job->part, row);
}

extern const LightTable ISA_NAME(trace_light_cylinders);
const LightTable ISA_NAME(trace_light_cylinders) = {gather_row};
