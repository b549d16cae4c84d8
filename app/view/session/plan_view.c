/* plan_view.c: from a job to its plan. */
#include "app/view/session/plan_view.h"

#include "app/view/session/request.h"
#include "core/plan/plan_part.h"
#include "core/tracer/plan_trace.h"

static Status plan_scene(const Measurement *job, Shape shape, Plan *plan, int *view) {
    TraceJob trace = {.scene = job->scene,
                      .camera = job->camera,
                      .look = job->look,
                      .sampling = gathering_sampling(job->gathering, job->look)};
    trace.camera.unit *=
        (float)job->shape.width / (float)shape.width; /* perspective views are the same by themselves */
    return plan_trace(plan, trace, job->exposure, shape, view);
}

Status view_plan(const Measurement *job, size_t width, size_t height, Plan **plan) {
    const Shape shape = {width, height, job->shape.channels, job->shape.type};
    const Chain chain = chain_without(job->chain, job->set_aside);
    PlanOptions options = job->options;
    int unfiltered;
    options.part = &(PlanPart){.cut = true};
    options.denoise = job->scene && job->gathering.denoise > 0;
    TRY(plan_create(options, plan));
    Status status = job->scene ? plan_scene(job, shape, *plan, &unfiltered) : plan_source(*plan, shape, &unfiltered);
    if (status == STATUS_OK)
        status = chain_append(&chain, *plan, unfiltered);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}
