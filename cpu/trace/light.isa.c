/* light.isa.c: light through the BVH, for each instruction set. Paths go in batches, a path in each lane
 * (cpu/trace/wavefront.h). Whitted's light, and paths under the picture of a sky, go one ray after the other. */
#define SPHERES_ONLY /* scenes with other primitives are not accepted */
#include "core/scene/shading_context.h"
#include "cpu/trace/bvh16_world.h"
#include "cpu/trace/single_ray.h"
#include "cpu/trace/wavefront.h"
#include "cpu/trace/wide.h"

static void gather_row(const WideJob *job, const ShadingContext *context, size_t row) {
    const World world = {job->bvh};
    if (wavefront_takes(job, context))
        wavefront_gather(job, context, row);
    else
        trace_row(job->stage, &world, context, job->part, row);
}

extern const LightTable ISA_NAME(trace_light);
const LightTable ISA_NAME(trace_light) = {gather_row};
