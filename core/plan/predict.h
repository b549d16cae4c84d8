/* predict.h: how long a plan is predicted to take, all its stages in one unit.
 * Owns the measured times of operations by type, on a processor and on a GPU. */
#ifndef GLINT_CORE_PLAN_PREDICT_H
#define GLINT_CORE_PLAN_PREDICT_H

#include "core/device/backend.h"
#include "core/plan/plan.h"

/* Seconds that the stages take on one thread of a processor, or on a GPU, as one and the other were measured once. The
 * device says which of the two it is, and nothing more: neither its speed, its number of threads nor the table of
 * `glint tune` counts. Starts of kernels do not count either, so that pictures of all sizes compare alike. Infinite
 * where nobody measured an operation of the plan. */
double plan_seconds(const Plan *plan, const Device *device);
/* The same for a stage of a plan. */
double stage_seconds(const Stage *stage, const Device *device);

#endif
