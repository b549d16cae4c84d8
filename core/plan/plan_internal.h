/* plan_internal.h: the contents of a plan, for the files that make and change plans: plan.c, and above it plan_part.c,
 * lower.c, fuse.c and plan_cut.c. */
#ifndef GLINT_CORE_PLAN_PLAN_INTERNAL_H
#define GLINT_CORE_PLAN_PLAN_INTERNAL_H

#include "core/plan/part.h"
#include "core/plan/plan.h"

enum { PLAN_PARAMETERS = 16 };

/* A value that flows between stages: a source's image, or a stage's result. */
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
    Image *image; /* the pixels that it always holds, or NULL: it is uploaded for each run */
    bool table;   /* of this, all: also where the picture is a part of one */
    bool own;     /* it was made for the plan */
} Source;

struct Plan {
    PlanOptions options; /* whose part is `part`, or NULL */
    PlanPart part;
    Plan *whole; /* or NULL */
    const char *label;
    const PlanImage *images; /* that filters may ask for; borrowed */
    size_t image_count, source_count, stage_count, value_count;
    int result, unfiltered;
    Source sources[PLAN_SOURCES];
    PlanStage stages[PLAN_MAX];
    void *jobs[PLAN_MAX]; /* by stage */
    Value values[PLAN_VALUES];
    PlanParameter parameters[PLAN_PARAMETERS];
    size_t parameter_count, note_count;
    char notes[PLAN_NOTES][PLAN_NOTE];
};

/* The source of an offered image, as a picture or as a table. STATUS_USAGE if it was not offered. */
Status plan_offered(Plan *plan, const char *path, bool table, size_t *source);
/* Says so of a value of f32 with alpha; of others ignored. */
void plan_set_premultiplied(Plan *plan, int value, bool premultiplied);
/* How often the value is read: as the result or as the chain's first value, and by every input of a stage. */
int plan_count_readers(const Plan *plan, int value);
/* Whether a parameter of the stage that makes the value has a name: by that it is found in a job of its own. */
bool plan_is_bound(const Plan *plan, int value);
/* Takes a stage out, with its job. Nothing reads its value any more. */
void plan_drop_stage(Plan *plan, size_t index);

#endif
