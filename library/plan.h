/* plan.h: plans as handles: pipelines of one kind, one for each run that goes on. */
#ifndef GLINT_LIBRARY_PLAN_H
#define GLINT_LIBRARY_PLAN_H

#include "core/base/stop.h"
#include "library/library.h"

/* A pipeline of a plan, which serves one run at a time. Lanes live as long as their plan. */
typedef struct Lane Lane;
struct Lane {
    Lane *next; /* made before this one */
    Pipeline *pipeline;
    Stop stop;
    bool busy;
};

struct GlintPlan {
    unsigned life;
    GlintDevice *device;
    Chain *chain; /* its own copy, images and all */
    char *level;
    Shape shape, result;
    PlanOptions how;
    size_t pictures;
    StripRoom room;
    Strips strips;
    pthread_mutex_t lock; /* guards the next two */
    Lane *lanes;
    GlintCopied copied;
    pthread_mutex_t planes_lock; /* guards the next two */
    bool planes_sought;
    GlintPlan *planes; /* of one plane, where the chain filters each channel by itself; else NULL */
};

/* Plans a chain for pictures of this shape, with a first lane. All but the device is copied. Fails as strips_open does.
 */
Status plan_open(GlintDevice *device, const Chain *chain, Shape shape, PlanOptions how, const char *level,
                 size_t pictures, GlintPlan **plan);
/* A lane of the caller's until plan_leave. Fails as plan_open does. */
Status plan_take(GlintPlan *plan, Lane **lane);
void plan_leave(GlintPlan *plan, Lane *lane);
void plan_count(GlintPlan *plan, const GlintCopied *copied);
/* The plan of one plane of the plan's pictures; NULL if its chain mixes colours, or there is no memory for another. */
GlintPlan *plan_of_planes(GlintPlan *plan);
/* Waits for the work of all lanes. STATUS_DEVICE. */
Status plan_wait(GlintPlan *plan);
/* Runs the plan on pixels in the host's memory: one picture of its shape to one of its result's. Fails as glint_run
 * does. */
Status plan_run_views(GlintPlan *plan, ImageView in, ImageView out);
/* Bytes that its lanes take. */
size_t plan_bytes(GlintPlan *plan);

#endif
