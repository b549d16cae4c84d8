/* fuse.h: stages of a plan that follow one another, made one.
 * Owns the rule: a fused plan gives the same values, bit for bit, on the same level. */
#ifndef GLINT_CORE_FUSE_H
#define GLINT_CORE_FUSE_H

#include "core/plan.h"

/* Joins each point stage with the one whose first input it makes, if nobody else reads that value, and if both together
 * have no more steps, parameters and inputs than a job holds. The plan is complete, its result is set. */
void fuse_points(Plan *plan);

#endif
