/* placement.h: the places of a result's pixels in its input, as far as that is a homography.
 * Knows no window. */
#ifndef GLINT_APP_VIEW_DATA_PLACEMENT_H
#define GLINT_APP_VIEW_DATA_PLACEMENT_H

#include "core/param/homography.h"
#include "core/plan/plan.h"

/* From the plan's result to its first source; pixels' centres have whole coordinates. Lenses count as if they bent
 * nothing. False if that source does not lead to the result pixel by pixel. */
bool placement_of_plan(const Plan *plan, Homography *placement);

#endif
