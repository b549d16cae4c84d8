/* rows.h: a row through a step of diffusion by vectors. */
#ifndef GLINT_CPU_DIFFUSE_ROWS_H
#define GLINT_CPU_DIFFUSE_ROWS_H

#include "core/ops/diffuse.h"

/* A step from values that lie as the picture's do, one after the other, to such; NULL: the stage's frames. They are
 * double where one of the frames has 16 bits, else float. */
typedef struct DiffuseStep {
    const Stage *stage;
    const void *from;
    void *to;
} DiffuseStep;

static inline bool diffuse_is_wide(const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U16 || stage->out.shape.type == PIXEL_U16;
}

/* Rows `top` to `bottom` of the step, exclusive. */
typedef void DiffuseRows(const DiffuseStep *step, size_t top, size_t bottom);

extern DiffuseRows *const diffuse_rows_portable, *const diffuse_rows_avx2, *const diffuse_rows_avx512;

#endif
