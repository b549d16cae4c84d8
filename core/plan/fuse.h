/* fuse.h: stages that follow one another, made one.
 * Owns the rule: fused stages give the same values, bit for bit, on the same level. */
#ifndef GLINT_CORE_PLAN_FUSE_H
#define GLINT_CORE_PLAN_FUSE_H

#include "core/device/backend.h"
#include "core/plan/plan.h"

/* Joins each point stage with the one whose first input it makes, if no other stage reads that value. Both together may
 * have no more steps, parameters and inputs than a job holds. They stay apart where the plan's device is predicted to
 * take longer for both together. The plan is complete, its result is set. */
void fuse_points(Plan *plan);

/* A stage as a device runs it: one of a plan, or up to three by a level that takes points in. */
typedef struct FusedStage {
    PlanStage planned;
    const Level *level;
    size_t index;       /* which stage of the plan has the operation */
    int before, after;  /* the point stages that it took in, or PLAN_NONE */
    StagePoints points; /* of these; the caller that runs it sets the jobs, and planned.stage.points */
} FusedStage;

/* The plan's stages, each with its level, in `fused`, which has room for all; returns how many they come to. A level
 * that takes points takes in the point stage that makes its only input and the one that reads its result. It does so if
 * no other stage reads these values, and it is predicted to take no longer than both apart on this device. */
size_t fuse_around(const Plan *plan, const Device *device, const Level *const *levels, FusedStage *fused);

#endif
