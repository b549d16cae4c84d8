/* planes.h: chains that filter each channel by itself, so that planes pass one after the other as gray pictures. */
#ifndef GLINT_LIBRARY_PLANES_H
#define GLINT_LIBRARY_PLANES_H

#include "core/plan/plan.h"

/* Whether the stages of a plan for RGB do to each channel what those of a plan of the same chain for gray do. */
bool planes_are_alone(const Plan *colour, const Plan *gray);

#endif
