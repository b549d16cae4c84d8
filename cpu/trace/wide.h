/* wide.h: traversing BVHs with vectors.
 * Owns the interfaces of wide_spheres.isa.c and light.isa.c, and of those for scenes with cylinders. */
#ifndef GLINT_CPU_TRACE_WIDE_H
#define GLINT_CPU_TRACE_WIDE_H

#include "core/scene/shading_context.h"
#include "cpu/trace/bvh16.h"

enum { WIDE_ROWS = 8 }; /* of the picture, that are traced together */

typedef struct WideJob {
    const Stage *stage;
    const Bvh16 *bvh;
    const Bvh16 *cylinders; /* NULL: there are none */
    Part part;              /* of the picture, that is wanted */
} WideJob;

/* The functions that wide_spheres.isa.c and wide_cylinders.isa.c export for each instruction set. */
typedef struct WideTable {
    /* Traces the part's rows from `top` on, at most WIDE_ROWS. */
    void (*trace_rows)(const WideJob *job, size_t top);
} WideTable;

/* The functions that light.isa.c and light_cylinders.isa.c export for each instruction set. */
typedef struct LightTable {
    /* A row of the part's blocks (cpu/trace/shade_pixel.h). */
    void (*gather_row)(const WideJob *job, const ShadingContext *context, size_t row);
} LightTable;

#endif
