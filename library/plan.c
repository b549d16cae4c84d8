/* plan.c: plans, and the lanes of their runs. */
#include "library/plan.h"

#include "core/base/memory.h"
#include "library/json.h"
#include "library/planes.h"

#include <stdlib.h>
#include <string.h>

static Status make_lane(const GlintPlan *plan, Strips *strips, Lane **lane) {
    Lane *made = *lane = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a plan");
    const Status status = strips_open(plan->chain, plan->shape, plan->how, plan->device->device, plan->level,
                                      plan->room, strips, &made->pipeline);
    if (status == STATUS_OK) {
        pipeline_queue(made->pipeline)->stop = &made->stop;
    } else {
        free(made);
        *lane = NULL;
    }
    return status;
}

/* Queues serve again, in other hands. */
static void free_lane(Lane *lane) {
    pipeline_queue(lane->pipeline)->stop = NULL;
    pipeline_destroy(&lane->pipeline);
    free(lane);
}

static Status begin(GlintPlan *plan) {
    Lane *lane;
    TRY(strips_room(plan->device->device, 1, &plan->room));
    TRY(make_lane(plan, &plan->strips, &lane));
    plan->lanes = lane;
    plan->result = strips_result(&plan->strips, pipeline_result_shape(lane->pipeline));
    return STATUS_OK;
}

Status plan_open(GlintDevice *device, const Chain *chain, Shape shape, PlanOptions how, const char *level,
                 size_t pictures, GlintPlan **plan) {
    *plan = NULL;
    GlintPlan *made = calloc(1, sizeof *made);
    char *name = strdup(level);
    if (!made || !name) {
        free(made);
        free(name);
        return fail(STATUS_DEVICE, "no memory for a plan");
    }
    *made = (GlintPlan){.life = library_life(),
                        .device = device,
                        .chain = chain_retain((Chain *)chain),
                        .level = name,
                        .shape = shape,
                        .how = how,
                        .pictures = pictures,
                        .copied = GLINT_COPIED};
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_init(&made->planes_lock, NULL);
    const Entered entered = library_enter(device);
    const Status status = begin(made);
    library_leave(entered);
    if (status == STATUS_OK)
        *plan = made;
    else
        glint_plan_free(made);
    return status;
}

void glint_plan_free(GlintPlan *plan) {
    if (!plan || plan->life != library_life())
        return;
    const Entered entered = library_enter(plan->device);
    for (Lane *lane = plan->lanes, *next; lane; lane = next) {
        next = lane->next;
        free_lane(lane);
    }
    library_leave(entered);
    glint_plan_free(plan->planes);
    pthread_mutex_destroy(&plan->planes_lock);
    pthread_mutex_destroy(&plan->lock);
    chain_destroy(&plan->chain);
    free(plan->level);
    free(plan);
}

static Lane *find_idle(GlintPlan *plan) {
    pthread_mutex_lock(&plan->lock);
    Lane *lane = plan->lanes;
    while (lane && lane->busy)
        lane = lane->next;
    if (lane)
        lane->busy = true;
    pthread_mutex_unlock(&plan->lock);
    return lane;
}

Status plan_take(GlintPlan *plan, Lane **lane) {
    Strips strips;
    *lane = find_idle(plan);
    if (!*lane) {
        TRY(make_lane(plan, &strips, lane));
        (*lane)->busy = true;
        pthread_mutex_lock(&plan->lock);
        (*lane)->next = plan->lanes;
        plan->lanes = *lane;
        pthread_mutex_unlock(&plan->lock);
    }
    atomic_store(&(*lane)->stop.asked, false);
    return STATUS_OK;
}

void plan_leave(GlintPlan *plan, Lane *lane) {
    pthread_mutex_lock(&plan->lock);
    lane->busy = false;
    pthread_mutex_unlock(&plan->lock);
}

void plan_count(GlintPlan *plan, const GlintCopied *copied) {
    pthread_mutex_lock(&plan->lock);
    plan->copied.to_device += copied->to_device;
    plan->copied.from_device += copied->from_device;
    plan->copied.rearranged += copied->rearranged;
    plan->copied.runs += copied->runs;
    pthread_mutex_unlock(&plan->lock);
}

static Lane *first_lane(GlintPlan *plan) {
    pthread_mutex_lock(&plan->lock);
    Lane *lane = plan->lanes;
    pthread_mutex_unlock(&plan->lock);
    return lane;
}

static void seek_planes(GlintPlan *plan) {
    Shape plane = plan->shape;
    GlintPlan *made = NULL;
    plane.channels = 1;
    plan->planes_sought = true;
    if (plan->shape.channels != 3 || plan->result.channels != 3 || strips_are_cut(&plan->strips) ||
        plan_open(plan->device, plan->chain, plane, plan->how, plan->level, 1, &made) != STATUS_OK)
        return;
    if (!strips_are_cut(&made->strips) && made->result.channels == 1 &&
        planes_are_alone(pipeline_plan(first_lane(plan)->pipeline), pipeline_plan(first_lane(made)->pipeline)))
        plan->planes = made;
    else
        glint_plan_free(made);
}

GlintPlan *plan_of_planes(GlintPlan *plan) {
    pthread_mutex_lock(&plan->planes_lock);
    if (!plan->planes_sought)
        seek_planes(plan);
    GlintPlan *planes = plan->planes;
    pthread_mutex_unlock(&plan->planes_lock);
    return planes;
}

/* Lanes are only added, at the beginning. */
Status plan_wait(GlintPlan *plan) {
    for (const Lane *lane = first_lane(plan); lane; lane = lane->next)
        TRY(plan->device->device->backend->sync(pipeline_queue(lane->pipeline)));
    pthread_mutex_lock(&plan->planes_lock);
    GlintPlan *planes = plan->planes;
    pthread_mutex_unlock(&plan->planes_lock);
    return planes ? plan_wait(planes) : STATUS_OK;
}

size_t plan_bytes(GlintPlan *plan) {
    size_t bytes = 0;
    for (const Lane *lane = first_lane(plan); lane; lane = lane->next)
        bytes = memory_sum(bytes, pipeline_bytes(lane->pipeline));
    return bytes;
}

/* ---- the functions of glint.h ---- */

static Status alive(const GlintPlan *plan) {
    return library_alive("plan", plan, plan ? plan->life : 0);
}

static Status make(GlintDevice *device, const GlintChain *chain, const GlintShape *shape,
                   const GlintPlanOptions *options, GlintPlan **plan) {
    PlanOptions how;
    const char *level;
    size_t pictures;
    Shape core;
    TRY(library_given("glint_plan", "plan", plan));
    *plan = NULL;
    TRY(library_alive("device", device, device ? device->life : 0));
    TRY(library_given("glint_plan", "chain", chain));
    TRY(library_shape(shape, &core));
    TRY(library_plan_options(options, &how, &level, &pictures));
    if (chain_reads_picture(chain->chain))
        return fail(STATUS_USAGE,
                    "chain: it looks at the picture itself, which a plan has not: want an image (glint_filter)");
    how.shot.known = true; /* and tells of no camera: the chain names it */
    return plan_open(device, chain->chain, core, how, level, pictures, plan);
}

GlintStatus glint_plan(GlintDevice *device, const GlintChain *chain, const GlintShape *shape,
                       const GlintPlanOptions *options, GlintPlan **plan, GlintError *error) {
    return library_settle(make(device, chain, shape, options, plan), error);
}

GlintShape glint_plan_result(const GlintPlan *plan) {
    return plan ? library_shape_back(plan->result) : (GlintShape){0};
}

static json_t *stages_json(const Pipeline *pipeline) {
    json_t *stages = json_array();
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++)
        json_array_append_new(stages, json_pack("{s:s, s:s, s:s}", "label", pipeline_stage(pipeline, i)->label,
                                                "operation", pipeline_stage(pipeline, i)->op->name, "level",
                                                pipeline_level(pipeline, i)->name));
    return stages;
}

static Status describe(GlintPlan *plan, char **json) {
    Lane *lane;
    TRY(library_given("glint_describe_plan", "json", json));
    *json = NULL;
    TRY(alive(plan));
    const Entered entered = library_enter(plan->device);
    Status status = plan_take(plan, &lane);
    if (status == STATUS_OK) {
        const Shape made = plan->result;
        status =
            library_json(json_pack("{s:o, s:{s:I, s:I, s:i, s:s}, s:I, s:b}", "stages", stages_json(lane->pipeline),
                                   "result", "width", (json_int_t)made.width, "height", (json_int_t)made.height,
                                   "channels", made.channels, "type", pixel_type_name(made.type), "bytes",
                                   (json_int_t)pipeline_bytes(lane->pipeline), "strips", strips_are_cut(&plan->strips)),
                         json);
        plan_leave(plan, lane);
    }
    library_leave(entered);
    return status;
}

GlintStatus glint_describe_plan(GlintPlan *plan, char **json, GlintError *error) {
    return library_settle(describe(plan, json), error);
}

static Status wait_for(GlintPlan *plan) {
    TRY(alive(plan));
    const Entered entered = library_enter(plan->device);
    const Status status = plan_wait(plan);
    library_leave(entered);
    return status;
}

GlintStatus glint_wait(GlintPlan *plan, GlintError *error) {
    return library_settle(wait_for(plan), error);
}

void glint_stop(GlintPlan *plan) {
    if (alive(plan) != STATUS_OK)
        return;
    pthread_mutex_lock(&plan->lock);
    for (Lane *lane = plan->lanes; lane; lane = lane->next)
        if (lane->busy)
            atomic_store(&lane->stop.asked, true);
    pthread_mutex_unlock(&plan->lock);
    pthread_mutex_lock(&plan->planes_lock);
    GlintPlan *planes = plan->planes;
    pthread_mutex_unlock(&plan->planes_lock);
    if (planes)
        glint_stop(planes);
}

static Status tell_copied(GlintPlan *plan, GlintCopied *copied) {
    TRY(library_given("glint_copied", "copied", copied));
    TRY(alive(plan));
    pthread_mutex_lock(&plan->lock);
    const GlintCopied so_far = plan->copied;
    pthread_mutex_unlock(&plan->lock);
    return library_give("copied", &so_far, copied);
}

GlintStatus glint_copied(GlintPlan *plan, GlintCopied *copied, GlintError *error) {
    return library_settle(tell_copied(plan, copied), error);
}
