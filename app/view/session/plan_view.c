/* plan_view.c: from a job to its plan. */
#include "app/view/session/plan_view.h"

#include "app/view/session/request.h"
#include "core/plan/plan_part.h"
#include "core/run/figure_traced.h"
#include "core/tracer/plan_trace.h"

static Status plan_scene(const Measurement *job, Shape shape, Plan *plan, int *view) {
    TraceJob trace = {.scene = job->scene,
                      .camera = job->camera,
                      .look = job->look,
                      .sampling = gathering_sampling(job->gathering, job->look)};
    trace.camera.unit *=
        (float)job->shape.width / (float)shape.width; /* perspective views are the same by themselves */
    const TraceOptions options = {job->exposure, job->gathering.denoise > 0};
    return job->figure ? figure_plan(plan, trace, options, shape, view) : plan_trace(plan, trace, options, shape, view);
}

/* Turns pixels of a side into shares of it; where there are none, in the middle or to the end, they stay. */
static void take_share(ParamTable table, void *values, const char *unit, size_t side) {
    const Param *param = param_by_unit(table, unit);
    const double number = param ? param_number(param, values) : 0;
    if (number > 0)
        param_set_number(param, values, 100 * number / (double)side);
}

/* Has rectangles in pixels be shares of the whole job's picture. Links that change get values of their own. */
static Status take_shares(const Measurement *job, Chain *chain) {
    const Chain whole = *chain;
    for (size_t i = 0; i < chain->count; i++) {
        ChainLink *link = &chain->links[i];
        const ParamTable table = link->filter->table;
        const Param *measure = param_by_unit(table, PARAM_MEASURE);
        Geometry before;
        if (link->off || !measure || params_in_percent(table, link->values))
            continue;
        TRY(chain_geometry(&whole, 0, i, job->shape, job->options, &before));
        TRY(params_clone(table, link->values, &link->values));
        param_set_number(measure, link->values, 1);
        take_share(table, link->values, PARAM_COLUMN, before.result.width);
        take_share(table, link->values, PARAM_COLUMNS, before.result.width);
        take_share(table, link->values, PARAM_ROW, before.result.height);
        take_share(table, link->values, PARAM_ROWS, before.result.height);
    }
    return STATUS_OK;
}

Status view_plan(const Measurement *job, size_t width, size_t height, Plan **plan) {
    const Shape shape = {width, height, job->shape.channels, job->shape.type};
    Chain whole = chain_without(job->chain, job->set_aside);
    if (job->misfit > 0 && job->misfit <= whole.count)
        whole.count = job->misfit - 1;
    Chain chain = whole;
    PlanOptions options = job->options;
    int unfiltered;
    options.part = &(PlanPart){.cut = true};
    TRY(plan_create(options, plan));
    Status status = job->scene ? plan_scene(job, shape, *plan, &unfiltered) : plan_source(*plan, shape, &unfiltered);
    if (status == STATUS_OK && !(width == job->shape.width && height == job->shape.height))
        status = take_shares(job, &chain);
    if (status == STATUS_OK)
        status = chain_append(&chain, *plan, unfiltered);
    for (size_t i = 0; i < chain.count; i++)
        if (chain.links[i].values != whole.links[i].values)
            params_destroy(chain.links[i].filter->table, &chain.links[i].values);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

Status view_plan_trace(const Measurement *job, Device *device, Plan **plan) {
    PlanOptions options = job->options;
    int unfiltered;
    options.device = device;
    TRY(plan_create(options, plan));
    const Status status = plan_scene(job, job->shape, *plan, &unfiltered);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}
