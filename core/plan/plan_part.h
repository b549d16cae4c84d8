/* plan_part.h: plans for rows of a picture that passes in strips (core/run/strips.h).
 * Owns the relation of such a plan to the picture's: heights of the whole, jobs cut for a part, levels of the whole. */
#ifndef GLINT_CORE_PLAN_PLAN_PART_H
#define GLINT_CORE_PLAN_PLAN_PART_H

#include "core/plan/part.h"
#include "core/plan/plan.h"

/* Whether the plan is for a picture that passes in strips: one strip of it, or all of it. */
bool plan_passes_in_strips(const Plan *plan);
/* The shape of a value if the picture were whole. */
Shape plan_whole_shape(const Plan *plan, int value);
/* How many stages before a value have made more rows of the picture, or fewer, if it passes in strips. */
size_t plan_value_band(const Plan *plan, int value);

/* Gives sources that hold images, in the plan for `part` of a picture, the images of `whole`. The plan `whole` was made
 * of the same chain for all of the picture. */
void plan_share_own_images(Plan *part, const Plan *whole);
/* The plan of the whole picture (taken over), of which `part` is one of a part: levels are chosen as for that one. */
void plan_keep_whole(Plan *part, Plan *whole);
const Plan *plan_whole(const Plan *plan); /* itself, if it is no part's */

#endif
