/* rank.h: the operation rank: each value becomes the one of a given rank among its window's in the same channel.
 * The window's values, those beyond the border among them, are sorted in ascending order; the result is the one with
 * number `rank`, counted from 0. NaN sorts above all numbers, infinity included; zeros of both signs are equal. */
#ifndef GLINT_CORE_OPS_RANK_H
#define GLINT_CORE_OPS_RANK_H

#include "core/image/border.h"
#include "core/param/element.h"
#include "core/stage/stage.h"

/* in[0] -> out: equal shapes. */
typedef struct RankJob {
    Mask *window; /* a set of cells (core/param/element.h); the job's owner owns it */
    int rank;     /* 0 to element_count(window) - 1 */
    Border border;
} RankJob;

extern const Op op_rank;

static inline const RankJob *rank_job(const Stage *stage) {
    return (const RankJob *)stage->job;
}

#endif
