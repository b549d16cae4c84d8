/* wide.isa.c: a row of surfaces for each instruction set, a ray after the other. */
#define SPHERES_ONLY /* scenes with other primitives are not accepted */
#include "cpu/surfaces/wide.h"
#include "cpu/trace/bvh16_world.h"

#include "cpu/surfaces/rows.h"

static void make_row(const Stage *stage, const Bvh16 *bvh, const ShadingContext *context, size_t row) {
    const World world = {bvh};
    surfaces_row(stage, &world, context, row);
}

SurfacesRow *const ISA_NAME(surfaces_row) = make_row;
