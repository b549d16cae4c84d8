/* point.h: the operation point: each pixel goes through a program of functions of itself. core/stage/point.def has the
 * functions, core/stage/point.h their arithmetic. */
#ifndef GLINT_CORE_OPS_POINT_H
#define GLINT_CORE_OPS_POINT_H

#include "core/stage/point.h"
#include "core/stage/stage.h"
#include "core/stage/stairs.h"

typedef struct PointInfo {
    const char *name, *help;
    int inputs; /* 1 to STAGE_INPUTS */
    PointReach reach;
} PointInfo;

extern const PointInfo points[POINT_FUNCTIONS]; /* by PointFunction */
extern const Op op_point;

static inline const PointJob *point_job(const Stage *stage) {
    return (const PointJob *)stage->job;
}

/* A program of one step, stored as `type`, which takes its inputs in the order of the stage's. At most POINT_POOL
 * parameters. */
PointJob point_single(PointFunction function, double white, const double *parameters, int count, PixelType type);
/* How many steps from step `first` on are functions of one value alone in pictures of so many channels. One table holds
 * their results. */
int point_value_steps(const PointJob *job, int first, int channels);
/* The value `v`, stored as u8 or u16, after the `count` steps from `first` on, which are functions of one value. For
 * alpha, which only changes its type in them, there is point_alpha. */
double point_value(const PointJob *job, int first, int count, double v);
double point_alpha(const PointJob *job, int first, int count, double v);
/* Whether step `index`, from values of type `from`, makes u8 of f32 by a slow function that never falls. For such a
 * step, point_stairs makes stairs. STATUS_DEVICE as stairs_create. */
bool point_rises(const PointJob *job, int index, PixelType from);
Status point_stairs(const PointJob *job, int index, Stairs *stairs);

#endif
