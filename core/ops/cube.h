/* cube.h: the operation cube: each colour becomes the one that a table of colours has for it.
 * in[0] is the picture, in[1] the table (core/codec/cube.h). Alpha stays. */
#ifndef GLINT_CORE_OPS_CUBE_H
#define GLINT_CORE_OPS_CUBE_H

#include "core/math/cube.h"
#include "core/stage/stage.h"

extern const Op op_cube;

static inline const CubeJob *cube_job(const Stage *stage) {
    return (const CubeJob *)stage->job;
}

#endif
