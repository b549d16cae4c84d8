/* move.h: the operation move: pixels that change their places and not their values: cut out, surrounded, mirrored,
 * turned by quarters.
 * The picture is transposed (its rows become columns) if `transpose`; then its columns are reversed if `mirror_x`, its
 * rows if `mirror_y`. The result is the part from (left, top) on; beyond the picture's edges the border's rule holds.
 * All of it is exact: every value, NaN too, is a copy. */
#ifndef GLINT_CORE_OPS_MOVE_H
#define GLINT_CORE_OPS_MOVE_H

#include "core/image/border.h"
#include "core/stage/op.h"

enum { MOVE_PIXEL_MAX = 16 }; /* bytes */

/* in[0] -> out: equal type and channels. */
typedef struct MoveJob {
    size_t width, height; /* of the result */
    ptrdiff_t left, top;  /* negative: beyond the edge; at most INT32_MAX away from the picture */
    ptrdiff_t part;       /* of a part: how far `top` was moved, from the picture to the part's own rows */
    bool transpose, mirror_x, mirror_y;
    BorderMode border;
    float outside[4]; /* where the border has a value: the pixel there, in stored values */
} MoveJob;

extern const Op op_move;

static inline const MoveJob *move_job(const Stage *stage) {
    return (const MoveJob *)stage->job;
}
/* The column or row of the transposed picture that column x or row y of the result shows; -1: the border's value. */
static inline ptrdiff_t move_column(const MoveJob *job, Shape in, size_t x) {
    const ptrdiff_t n = (ptrdiff_t)(job->transpose ? in.height : in.width);
    const ptrdiff_t at = border_index(job->border, (ptrdiff_t)x + job->left, n);
    return at < 0 || !job->mirror_x ? at : n - 1 - at;
}
static inline ptrdiff_t move_row(const MoveJob *job, Shape in, size_t y) {
    const ptrdiff_t n = (ptrdiff_t)(job->transpose ? in.width : in.height);
    const ptrdiff_t at = border_index(job->border, (ptrdiff_t)y + job->top, n);
    return at < 0 || !job->mirror_y ? at : n - 1 - at;
}
/* The job that turns a picture of this shape upright, as the orientation of its file (TIFF 6.0, 1 to 8) says. */
MoveJob move_upright(Shape shape, int orientation);
/* `outside` as it is stored in pixels of this shape; returns its bytes. */
size_t move_outside(const MoveJob *job, Shape shape, unsigned char pixel[MOVE_PIXEL_MAX]);

#endif
