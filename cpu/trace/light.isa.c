/* light.isa.c: light through the BVH, for each instruction set: paths in batches, a path in each lane
 * (cpu/trace/wavefront.h); Whitted's light, and paths under the picture of a sky, one ray after the other. */
#define SPHERES_ONLY /* scenes with triangles are not accepted */
#include "core/shading_context.h"
#include "cpu/trace/single_ray.h"
#include "cpu/trace/wavefront.h"
#include "cpu/trace/wide.h"

struct World {
    const Bvh16 *bvh;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    const SingleRay single = single_ray(ray);
    const Hit hit = closest_hit(world->bvh, &single, ray.far);
    return hit.index == HIT_NONE ? hit_start(ray) : hit;
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    const SingleRay single = single_ray(ray);
    return any_hit(world->bvh, &single, distance);
}

static void gather_row(const WideJob *job, const ShadingContext *context, Part part, size_t row) {
    const World world = {job->bvh};
    if (wavefront_takes(job, context))
        wavefront_gather(job, context, part, row);
    else
        trace_row(job->stage, &world, context, part, row);
}

extern const LightTable ISA_NAME(trace_light);
const LightTable ISA_NAME(trace_light) = {gather_row};
