/* stage.h: one operation with its inputs and its job, as a step of a pipeline that a level carries out.
 * It knows no operation: core/stage/op.h describes them, and core/ops/NAME.h has the job of each. */
#ifndef GLINT_CORE_STAGE_STAGE_H
#define GLINT_CORE_STAGE_STAGE_H

#include "core/image/image.h"

enum { STAGE_INPUTS = 3 };

/* Pixels as in an ImageView, but held by a backend, where its kernels can reach them (host or device memory). */
typedef ImageView Frame;

/* The frame of a picture of `height` rows of which only the rows from `top` on, in `rows`, are there. The others lie at
 * addresses that nobody is to use. */
static inline Frame frame_around(Frame rows, size_t top, size_t height) {
    rows.pixels = (void *)((uintptr_t)rows.pixels - top * rows.stride);
    rows.shape.height = height;
    return rows;
}

typedef struct Op Op; /* core/stage/op.h */

/* Programs of functions of single pixels (core/stage/point.h), which a level that takes them (Level.points_ms)
 * carries out while it reads and writes pixels. The operation itself then reads other values than in[0], and makes
 * others than out. */
enum { STAGE_MADE = -1 }; /* what the operation made */
typedef struct StagePoints {
    const struct PointJob *before, *after; /* NULL: none */
    int reads[STAGE_INPUTS]; /* by input of `after`: which of the stage's it is, or STAGE_MADE; `before` has them alike
                              */
    Shape in, out;           /* of what the operation reads, which is stored so for a moment, and makes */
} StagePoints;

/* Copied by value; borrows everything. */
typedef struct Stage {
    const Op *op;
    const char *label;      /* for spans and messages: "gaussian" */
    Frame in[STAGE_INPUTS]; /* zeroed where there is no input */
    Frame out;
    const void *job;           /* the op's own struct: convolve_job(stage), point_job(stage), ... */
    const StagePoints *points; /* NULL: none */
} Stage;

/* The shapes that the operation itself reads and makes. */
static inline Shape stage_shape_read(const Stage *stage) {
    return stage->points ? stage->points->in : stage->in[0].shape;
}
static inline Shape stage_shape_made(const Stage *stage) {
    return stage->points ? stage->points->out : stage->out.shape;
}
/* The stage without its points, for questions about the operation. It has no pixels. */
static inline Stage stage_alone(const Stage *stage) {
    Stage alone = *stage;
    alone.in[0].shape = stage_shape_read(stage);
    alone.out.shape = stage_shape_made(stage);
    alone.points = NULL;
    return alone;
}

#endif
