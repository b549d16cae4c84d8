/* light.isa.c: light through the hierarchy, each ray alone with a vector of boxes or spheres, for each instruction set.
 */
#define SPHERES_ALONE /* scenes with triangles are not accepted */
#include "core/setting.h"
#include "cpu/trace/lonely.h"
#include "cpu/trace/pixel.h"
#include "cpu/trace/wide.h"

struct World {
    const Hierarchy *hierarchy;
};

static inline void set_out(Walker *walker, const World *world, Ray ray, float farthest) {
    const Floats from = {ray.origin.x, ray.origin.y, ray.origin.z};
    const Floats direction = {ray.direction.x, ray.direction.y, ray.direction.z};
    Floats inverse, enter, leave;
    slabs_between(from, direction, &inverse, &enter, &leave);
    start(walker, world->hierarchy, ray, farthest);
    walker->slabs = slabs_of(vec(inverse[0], inverse[1], inverse[2]), vec(enter[0], enter[1], enter[2]),
                             vec(leave[0], leave[1], leave[2]));
}

HD Hit world_closest(const World *world, Ray ray) {
    Walker walker;
    set_out(&walker, world, ray, ray.far);
    while (step(&walker, world->hierarchy, ray.least))
        continue;
    const Hit hit = settle(&walker.state);
    return hit.distance < ray.far ? hit : hit_start(ray);
}

HD bool world_blocked(const World *world, Ray ray, float distance) {
    Walker walker;
    set_out(&walker, world, ray, distance);
    while (step(&walker, world->hierarchy, ray.least))
        if (walker.farthest < distance)
            return true;
    return walker.farthest < distance;
}

static void gather_row(const WideJob *job, const Setting *setting, Part part, size_t row) {
    const World world = {job->hierarchy};
    trace_row(job->stage, &world, setting, part, row);
}

extern const LightTable ISA_NAME(trace_light);
const LightTable ISA_NAME(trace_light) = {gather_row};
