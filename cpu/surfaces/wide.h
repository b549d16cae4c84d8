/* wide.h: a row of surfaces by vectors. */
#ifndef GLINT_CPU_SURFACES_WIDE_H
#define GLINT_CPU_SURFACES_WIDE_H

#include "core/scene/shading_context.h"
#include "core/stage/stage.h"
#include "cpu/trace/bvh16.h"

typedef void SurfacesRow(const Stage *stage, const Bvh16 *bvh, const ShadingContext *context, size_t row);

extern SurfacesRow *const surfaces_row_portable, *const surfaces_row_avx2, *const surfaces_row_avx512;

#endif
