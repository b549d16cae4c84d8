/* plan_cut.h: a part of a plan's stages as a plan of its own.
 * Owns the rule: such a plan makes the values of the whole, since it has the same stages, jobs and values. */
#ifndef GLINT_CORE_PLAN_PLAN_CUT_H
#define GLINT_CORE_PLAN_PLAN_CUT_H

#include "core/plan/plan.h"

/* Leaves the stages from `first` to before `end` in an unfused plan. The value in front of them, the result of the
 * stage before, becomes its picture, and their last value its result. False, and the plan is of no use, if one of them
 * reads another value that was made before, or the picture itself. */
bool plan_cut(Plan *plan, size_t first, size_t end);
/* Leaves a stage out: those behind it read its first input in the place of its result. */
void plan_skip(Plan *plan, size_t stage);
/* Has the same stages, with the same jobs, make pictures of another size. Images of the picture's size go along: of
 * them, too, only a part is read. Fails as op->shape does. */
Status plan_resize(Plan *plan, size_t width, size_t height);
/* Fuses the stages of a plan that was made unfused. */
void plan_fuse(Plan *plan);

#endif
