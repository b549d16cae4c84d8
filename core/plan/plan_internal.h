/* plan_internal.h: what a plan holds, for the files that make and change plans: plan.c and fuse.c; and how many
 * values that can be. */
#ifndef GLINT_CORE_PLAN_PLAN_INTERNAL_H
#define GLINT_CORE_PLAN_PLAN_INTERNAL_H

#include "core/plan/plan.h"

enum { PLAN_MAX = 256, PLAN_SOURCES = 64 }; /* stages; images that they begin with */
enum { PLAN_VALUES = PLAN_SOURCES + PLAN_MAX };

/* What flows between stages: a source's image, or what a stage makes. */
typedef struct Value {
    Shape shape;
    double white;      /* full intensity in these values, which f32 intermediates keep from their source */
    int source, stage; /* which it is, or which makes it; PLAN_NONE */
    size_t height;     /* if the picture were whole */
    size_t band;
    bool premultiplied; /* colours stay multiplied by alpha, as the file has them */
} Value;

typedef struct Source {
    int value;
    Image *image; /* what it always holds, or NULL: it is uploaded for each run */
    bool table;   /* of this, all: also where the picture is a part of one */
    bool own;     /* it was made for the plan */
} Source;

struct Plan {
    PlanOptions options;
    Plan *whole; /* or NULL */
    const char *label;
    const PlanImage *images; /* that filters may ask for; borrowed */
    size_t image_count, source_count, stage_count, value_count;
    int result, unfiltered;
    Source sources[PLAN_SOURCES];
    PlanStage stages[PLAN_MAX];
    void *jobs[PLAN_MAX]; /* by stage */
    Value values[PLAN_VALUES];
};

#endif
