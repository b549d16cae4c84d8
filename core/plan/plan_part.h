/* plan_part.h: plans for rows of a picture that passes in strips (core/run/strips.h).
 * Owns the relation of such a plan to the picture's: heights of the whole, jobs cut for a part, levels of the whole. */
#ifndef GLINT_CORE_PLAN_PLAN_PART_H
#define GLINT_CORE_PLAN_PLAN_PART_H

#include "core/plan/plan.h"

enum { PLAN_BANDS = 4 }; /* stages that may change the picture's height */

/* The plan's picture is rows of a larger one; or all of them, for a picture that will pass in strips. */
typedef struct PlanPart {
    bool cut;      /* the picture is not all; of images that filters read, too, only the first rows and columns are */
    size_t height; /* of the picture that passes in strips; 0: it does not */
    size_t bands[PLAN_BANDS]; /* rows of the part, behind each stage that makes more of them or fewer */
} PlanPart;

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
