/* part.h: rows of a picture, as the plan for them is told of it. */
#ifndef GLINT_CORE_PLAN_PART_H
#define GLINT_CORE_PLAN_PART_H

#include <stdbool.h>
#include <stddef.h>

enum { PLAN_BANDS = 4 }; /* stages that may change the picture's height */

/* The plan's picture is rows of a larger one; or all of them, for a picture that will pass in strips. */
typedef struct PlanPart {
    bool cut;      /* the picture is not all; of images that filters read, too, only the first rows and columns are */
    size_t height; /* of the picture that passes in strips; 0: it does not */
    size_t bands[PLAN_BANDS]; /* rows of the part, behind each stage that makes more of them or fewer */
} PlanPart;

#endif
