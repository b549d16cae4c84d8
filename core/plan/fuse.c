/* fuse.c: point stages that follow one another become one program; those around other operations go along. */
#include "core/plan/fuse.h"

#include "core/ops/point.h"
#include "core/plan/plan_internal.h"
#include "core/plan/plan_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The stage's inputs with those of a later one that reads its result first. moved[k] becomes the index of the later
 * one's input k among them. False if they are too many. */
static bool join_inputs(int from[STAGE_INPUTS], const int later[STAGE_INPUTS], int moved[STAGE_INPUTS]) {
    moved[0] = 0; /* the result of the steps before */
    for (int k = 1; k < STAGE_INPUTS && later[k] != PLAN_NONE; k++) {
        int at = 0;
        while (at < STAGE_INPUTS && from[at] != later[k] && from[at] != PLAN_NONE)
            at++;
        if (at == STAGE_INPUTS)
            return false;
        from[at] = later[k];
        moved[k] = at;
    }
    return true;
}

/* The steps of `later` behind those of `job`. False if they are too many. */
static bool join_jobs(PointJob *job, const PointJob *later, const int moved[STAGE_INPUTS]) {
    if (job->count + later->count > POINT_STEPS || job->pool_count + later->pool_count > POINT_POOL)
        return false;
    memcpy(job->pool + job->pool_count, later->pool, (size_t)later->pool_count * sizeof *later->pool);
    for (int i = 0; i < later->count; i++) {
        PointStep *step = &job->steps[job->count + i];
        *step = later->steps[i];
        step->parameters += job->pool_count;
        for (int k = 1; k < points[step->function].inputs; k++)
            step->reads[k] = moved[step->reads[k]];
    }
    job->count += later->count;
    job->pool_count += later->pool_count;
    return true;
}

/* Whether stage `index` may be joined with the one that makes its first input, which *before then is. */
static bool joins_before(const Plan *plan, size_t index, size_t *before) {
    const PlanStage *later = &plan->stages[index];
    const int between = later->from[0];
    if (!later->stage.op->of_points || plan_is_bound(plan, later->to) || between < 0 ||
        plan->values[between].stage == PLAN_NONE || plan_is_bound(plan, between) ||
        plan_count_readers(plan, between) != 1)
        return false;
    *before = (size_t)plan->values[between].stage;
    return plan->stages[*before].stage.op->of_points;
}

/* Point stages that follow one another, by their numbers in the plan. */
typedef struct Run {
    size_t stages[PLAN_MAX];
    int count;
} Run;

/* Some of them as one stage. */
typedef struct Joined {
    PointJob job;
    int from[STAGE_INPUTS];
} Joined;

/* All that are joined with this stage, the last of them. */
static void run_before(const Plan *plan, size_t index, Run *run) {
    size_t backwards[PLAN_MAX];
    run->count = 0;
    do
        backwards[run->count++] = index;
    while (joins_before(plan, index, &index));
    for (int i = 0; i < run->count; i++)
        run->stages[i] = backwards[run->count - 1 - i];
}

static Joined joined_of(const Plan *plan, size_t index) {
    Joined joined = {.job = *(const PointJob *)plan->jobs[index]};
    memcpy(joined.from, plan->stages[index].from, sizeof joined.from);
    return joined;
}

/* With stage `index` behind. False if they are too many. */
static bool join(const Plan *plan, Joined *joined, size_t index) {
    int moved[STAGE_INPUTS];
    return join_inputs(joined->from, plan->stages[index].from, moved) &&
           join_jobs(&joined->job, plan->jobs[index], moved);
}

/* How long these are predicted to take as one stage that makes the value of stage `index`, for all rows of the picture.
 * A plan of a part is fused as that of the whole. */
static double joined_ms(const Plan *plan, const Joined *joined, size_t index) {
    Stage stage = plan->stages[index].stage;
    stage.job = &joined->job;
    for (int k = 0; k < STAGE_INPUTS; k++)
        stage.in[k].shape = joined->from[k] >= 0 ? plan_whole_shape(plan, joined->from[k]) : (Shape){0};
    stage.out.shape = plan_whole_shape(plan, plan->stages[index].to);
    return level_best_ms(plan->options.device, &stage);
}

/* The fastest way to cut a run: the last `taken` of the stages before cut k become one. */
typedef struct Cuts {
    double ms[PLAN_MAX + 1]; /* of all stages before the cut */
    int taken[PLAN_MAX + 1];
} Cuts;

/* Where ways take equally long, fewer stages. Without measurements each stage is taken to cost the same: a frame is
 * saved. False if the device has none of some stage. */
static bool find_cuts(const Plan *plan, const Run *run, bool measured, Cuts *cuts) {
    for (int k = 1; k <= run->count; k++) {
        cuts->ms[k] = INFINITY;
        cuts->taken[k] = 1;
    }
    cuts->ms[0] = 0;
    for (int first = 0; first < run->count; first++) {
        Joined joined = joined_of(plan, run->stages[first]);
        int end = first;
        do {
            const double ms = cuts->ms[first] + (measured ? joined_ms(plan, &joined, run->stages[end]) : 1);
            end++;
            if (ms < cuts->ms[end]) {
                cuts->ms[end] = ms;
                cuts->taken[end] = end - first;
            }
        } while (end < run->count && join(plan, &joined, run->stages[end]));
        if (!isfinite(cuts->ms[first + 1]))
            return false;
    }
    return true;
}

/* The stages from `first` to `last` of the run, as the last one. */
static void join_stages(Plan *plan, const Run *run, int first, int last) {
    const size_t index = run->stages[last];
    PlanStage *stage = &plan->stages[index];
    Joined joined = joined_of(plan, run->stages[first]);
    for (int i = first + 1; i <= last; i++)
        join(plan, &joined, run->stages[i]);
    for (int i = first; i < last; i++)
        if (strcmp(stage->stage.label, plan->stages[run->stages[i]].stage.label) != 0)
            stage->stage.label = "points"; /* borrowed by the keepers of times, as every label */
    memcpy(plan->jobs[index], &joined.job, sizeof joined.job);
    memcpy(stage->from, joined.from, sizeof joined.from);
    for (int k = 0; k < STAGE_INPUTS; k++)
        stage->stage.in[k].shape = joined.from[k] >= 0 ? plan->values[joined.from[k]].shape : (Shape){0};
    for (int i = last; i-- > first;)
        plan_drop_stage(plan, run->stages[i]);
}

/* Joins the stages of a run that ends with stage `index`; returns how many stages the plan has less. */
static size_t join_run(Plan *plan, size_t index) {
    const size_t before = plan->stage_count;
    Run run;
    Cuts cuts;
    run_before(plan, index, &run);
    if (run.count == 1)
        return 0;
    const bool measures = plan->options.device && !plan->options.fused;
    if (!measures || !find_cuts(plan, &run, true, &cuts))
        find_cuts(plan, &run, false, &cuts);
    for (int end = run.count; end > 0; end -= cuts.taken[end])
        join_stages(plan, &run, end - cuts.taken[end], end - 1);
    return before - plan->stage_count;
}

/* A point stage that may be carried out within another stage: nobody else reads the value between them. */
static bool goes_along(const Plan *plan, int stage, int between) {
    return stage != PLAN_NONE && plan->stages[stage].stage.op->of_points &&
           !plan_is_bound(plan, plan->stages[stage].to) && plan_count_readers(plan, between) == 1;
}

static int reader_of(const Plan *plan, int value) {
    for (size_t i = 0; i < plan->stage_count; i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            if (plan->stages[i].from[k] == value)
                return (int)i;
    return PLAN_NONE;
}

static void take_before(const Plan *plan, FusedStage *fused, int stage) {
    const PlanStage *before = &plan->stages[stage];
    fused->before = stage;
    memcpy(fused->planned.from, before->from, sizeof before->from);
    memcpy(fused->planned.stage.in, before->stage.in, sizeof before->stage.in);
}

/* With the inputs that it has besides: not if one is made later, or if they are too many. */
static void take_after(const Plan *plan, FusedStage *fused, int stage) {
    const PlanStage *after = &plan->stages[stage];
    FusedStage taken = *fused;
    for (int k = 0; k < STAGE_INPUTS && after->from[k] != PLAN_NONE; k++) {
        const int value = after->from[k], maker = plan->values[value].stage;
        int at = 0;
        if (value == fused->planned.to) {
            taken.points.reads[k] = STAGE_MADE;
            continue;
        }
        while (at < STAGE_INPUTS && taken.planned.from[at] != value && taken.planned.from[at] != PLAN_NONE)
            at++;
        if (at == STAGE_INPUTS || (maker != PLAN_NONE && maker > (int)fused->index))
            return;
        taken.points.reads[k] = at;
        taken.planned.from[at] = value;
        taken.planned.stage.in[at] = (Frame){.shape = plan->values[value].shape};
    }
    taken.after = stage;
    taken.planned.to = after->to;
    taken.planned.stage.out = after->stage.out;
    *fused = taken;
}

/* How much longer the level takes for the points that the stage took in; negative: it cannot carry them out. */
static double points_ms(const Plan *plan, const FusedStage *fused) {
    StagePoints taken = fused->points;
    Stage stage = fused->planned.stage;
    taken.before = fused->before != PLAN_NONE ? plan->jobs[fused->before] : NULL;
    taken.after = fused->after != PLAN_NONE ? plan->jobs[fused->after] : NULL;
    stage.points = &taken;
    return fused->level->points_ms(&stage);
}

static double alone_ms(const Plan *plan, const Device *device, int stage) {
    return stage != PLAN_NONE ? level_best_ms(device, &plan->stages[stage].stage) : 0;
}

/* How many ms less both take together than apart, as predicted. Negative: more, or the level cannot carry them out. */
static double saved_ms(const Plan *plan, const Device *device, const FusedStage *fused) {
    const double more = points_ms(plan, fused);
    const double saved = alone_ms(plan, device, fused->before) + alone_ms(plan, device, fused->after) - more;
    const bool unknown = isnan(saved); /* without measurements a frame is saved */
    return more < 0 ? -1 : plan->options.fused || unknown ? 0 : saved;
}

/* With the point stages `before` and `after`, or PLAN_NONE, where they can go along. */
static FusedStage fuse_with(const Plan *plan, const FusedStage *alone, int before, int after) {
    FusedStage fused = *alone;
    if (before != PLAN_NONE)
        take_before(plan, &fused, before);
    if (after != PLAN_NONE)
        take_after(plan, &fused, after);
    return fused;
}

/* With as many as possible, if ways take equally long. */
static FusedStage fuse_stage(const Plan *plan, const Device *device, size_t index, const Level *level,
                             bool taken[PLAN_MAX]) {
    const PlanStage *planned = &plan->stages[index];
    FusedStage alone = {.planned = *planned, .level = level, .index = index, .before = PLAN_NONE, .after = PLAN_NONE};
    if (plan->options.unfused || !level->points_ms || planned->from[0] == PLAN_NONE || planned->from[1] != PLAN_NONE)
        return alone;
    int before = plan->values[planned->from[0]].stage, after = reader_of(plan, planned->to);
    if (!goes_along(plan, before, planned->from[0]) || taken[before])
        before = PLAN_NONE;
    if (!goes_along(plan, after, planned->to))
        after = PLAN_NONE;
    alone.points.in = planned->stage.in[0].shape;
    alone.points.out = planned->stage.out.shape;
    const int ways[][2] = {{before, after}, {before, PLAN_NONE}, {PLAN_NONE, after}};
    FusedStage best = alone;
    double most = -1;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const FusedStage fused = fuse_with(plan, &alone, ways[i][0], ways[i][1]);
        if (fused.before == PLAN_NONE && fused.after == PLAN_NONE)
            continue;
        const double saved = saved_ms(plan, device, &fused);
        if (saved >= 0 && saved > most) {
            best = fused;
            most = saved;
        }
    }
    if (best.before != PLAN_NONE)
        taken[best.before] = true;
    if (best.after != PLAN_NONE)
        taken[best.after] = true;
    return best;
}

size_t fuse_around(const Plan *plan, const Device *device, const Level *const *levels, FusedStage *fused) {
    bool taken[PLAN_MAX] = {false};
    size_t count = 0;
    for (size_t i = 0; i < plan->stage_count; i++)
        fused[i] = fuse_stage(plan, device, i, levels[i], taken);
    for (size_t i = 0; i < plan->stage_count; i++)
        if (!taken[i])
            fused[count++] = fused[i];
    return count;
}

void fuse_points(Plan *plan) {
    for (size_t i = plan->stage_count; i-- > 0;)
        i -= join_run(plan, i);
}
