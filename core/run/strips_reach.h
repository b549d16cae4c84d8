/* strips_reach.h: how far rows of a plan's result are from the rows of the picture that they need.
 * Owns what cuts depend on: the rows at a cut that are wrong, and whether strips will do at all. */
#ifndef GLINT_CORE_RUN_STRIPS_REACH_H
#define GLINT_CORE_RUN_STRIPS_REACH_H

#include "core/plan/part.h"
#include "core/plan/plan.h"

enum {
    STRIP_STEP = 12 /* rows: strips begin at multiples, so that levels that take rows in groups group them alike */
};

/* Stages between two that change the picture's height. */
typedef struct StripsBand {
    size_t height;
    size_t rows;           /* how far rows at its end are from rows at its beginning that they depend on */
    size_t step;           /* groups of rows begin at multiples of this */
    const PlanStage *from; /* the stage that makes its first rows; NULL: they are the picture's */
} StripsBand;

typedef struct StripsReach {
    StripsBand bands[PLAN_BANDS + 1];
    size_t count;    /* of these */
    size_t gathered; /* stages whose results are gathered over all parts */
    bool bounded;    /* somewhere, values beyond the first and the last row are made up; */
    bool periodic;   /* somewhere, these are the neighbours of each other */
    bool placed;     /* somewhere, it matters which rows they are */
    bool local;      /* strips will do */
} StripsReach;

/* The reach of all stages. */
StripsReach strips_reach(const Plan *plan);
/* Rows at a cut that are wrong before a stage that is stitched, and so for stages that read the stitched result. */
size_t strips_margin(const Plan *plan, const PlanStage *planned);

#endif
