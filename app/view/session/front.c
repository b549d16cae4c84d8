/* front.c: parting a chain, and running its parts. */
#include "app/view/session/front.h"

#include "core/base/memory.h"
#include "core/chain/chain_cut.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONG_FLOPS 1e9 /* of a link: two cores take some 10 ms for it */

/* ---- parts of chains ---- */

static bool acts(const Chain *chain, size_t from, size_t end) {
    for (size_t i = from; i < end; i++)
        if (!chain->links[i].off)
            return true;
    return false;
}

static bool reads_weights(const ChainLink *link) {
    const Param *param = param_by_unit(link->filter->table, PARAM_FILE);
    return param && param_text(param, link->values);
}

/* Behind a link that takes long: the last one of the first `selected`, else the last one of all; 0 if none does. */
static size_t best_cut(const Chain *chain, size_t selected, PlanOptions options, Shape shape) {
    size_t in_front = 0, last = 0;
    double before = 0, flops;
    for (size_t i = 0; i < chain->count && !reads_weights(&chain->links[i]); i++) {
        if (chain_flops(chain, i + 1, shape, options, &flops) != STATUS_OK)
            break;
        if (flops - before >= LONG_FLOPS) {
            last = i + 1;
            in_front = i < selected ? last : in_front;
        }
        before = flops;
    }
    return in_front > 0 ? in_front : last;
}

/* ---- the kept frame ---- */

void front_free(Front *front) {
    image_destroy(&front->image);
    chain_destroy(&front->chain);
    pipeline_destroy(&front->tail);
}

static Chain job_chain(const Session *session) {
    return chain_without(session->chain, session->request->set_aside);
}

static PlanOptions job_options(const Session *session) {
    PlanOptions options = request_options(session->request, session->subject);
    options.device = session->device;
    return options;
}

static bool same_images(const Chain *a, const Chain *b) {
    for (size_t i = 0; i < a->image_count; i++)
        for (size_t k = 0; k < b->image_count; k++)
            if (strcmp(a->images[i].path, b->images[k].path) == 0 && a->images[i].image != b->images[k].image)
                return false;
    return true;
}

/* How many of the job's first links made the kept frame: no more than `most`, or 0. */
static size_t kept_links(const Session *session, size_t most) {
    const Front *front = &session->front;
    const PlanOptions options = job_options(session);
    if (!front->image)
        return 0;
    const Chain chain = job_chain(session), made = chain_without(front->chain, front->set_aside);
    bool same = front->links <= most && front->subject == session->subject->serial &&
                plan_options_equal(&front->options, &options) && strcmp(front->level, session->request->level) == 0 &&
                same_images(&made, &chain);
    for (size_t i = 0; i < front->links && same; i++)
        same = link_same(&made.links[i], &chain.links[i]);
    return same ? front->links : 0;
}

static bool is_kept(const Session *session) {
    return session->front.cut > 0 && kept_links(session, session->front.cut) == session->front.cut;
}

/* Takes the image over, as the frame behind the job's first `cut` links. */
static void keep(Session *session, Image *image, const Spans *spans, Partition partition) {
    Front *front = &session->front;
    image_destroy(&front->image);
    chain_destroy(&front->chain);
    front->image = image;
    front->chain = chain_retain(session->chain);
    front->set_aside = session->request->set_aside;
    front->links = front->cut;
    front->options = job_options(session);
    front->subject = session->subject->serial;
    front->spans = *spans;
    front->spans.profile_trace = NULL;
    front->partition = partition;
    snprintf(front->level, sizeof front->level, "%s", session->request->level);
}

/* ---- the place ---- */

const char *front_level(const Session *session, const Plan *plan) {
    const char *name = session->request->level;
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        if (level_by_name(session->device->backend, plan_stage(plan, i)->stage.op, name))
            return name;
    return "best";
}

/* A pipeline for a plan, taken over, in the place of an older one. */
static Status make_pipeline(const Session *session, Plan *plan, Pipeline **pipeline) {
    const char *level = front_level(session, plan);
    TRY(*pipeline ? pipeline_replace(pipeline, plan, level) : pipeline_create(session->device, plan, level, pipeline));
    pipeline_queue(*pipeline)->stop = session->stop;
    return STATUS_OK;
}

static bool keeps_frames(const Session *session) {
    return session->pipeline && session_picture(session) && session->device->backend->host_frames &&
           session_has_clock(session) && session->chain->count > 0;
}

/* The plan of some of the job's links; NULL where there is none. */
static Status plan_links(const Session *session, size_t from, size_t end, Plan **plan) {
    const Chain chain = job_chain(session);
    return chain_plan_links(&chain, from, end, session_picture(session)->view.shape, job_options(session), plan);
}

/* Makes the pipeline behind the cut; false where the chain cannot be parted there, or where memory is short. */
static bool make_tail(Session *session) {
    Front *front = &session->front;
    Plan *plan;
    if (plan_links(session, front->cut, session->chain->count, &plan) != STATUS_OK || !plan)
        return false;
    const size_t frame = shape_bytes(plan_value_shape(plan, plan_source_value(plan, PIPELINE_PICTURE)));
    if (plan_stage_count(plan) == 0) {
        plan_destroy(&plan);
        pipeline_destroy(&front->tail);
    } else if (make_pipeline(session, plan, &front->tail) != STATUS_OK) {
        return false;
    }
    const size_t bytes = memory_sum(pipeline_memory(session->pipeline), frame);
    return memory_fits(memory_sum(bytes, front->tail ? pipeline_memory(front->tail) : 0), "the frame that is kept") ==
           STATUS_OK;
}

void front_find(Session *session) {
    Front *front = &session->front;
    if (front->of_job == session->job_serial && front->selected == session->wishes.selected &&
        strcmp(front->of_level, session->request->level) == 0)
        return;
    front->of_job = session->job_serial;
    snprintf(front->of_level, sizeof front->of_level, "%s", session->request->level);
    front->selected = session->wishes.selected;
    front->cut = 0;
    if (!keeps_frames(session)) {
        front_free(front);
        return;
    }
    const Chain chain = job_chain(session);
    const size_t last = chain.count - 1, selected = front->selected < last ? front->selected : last;
    front->cut = best_cut(&chain, selected, job_options(session), session_picture(session)->view.shape);
    front->edits = acts(&chain, front->cut, chain.count);
    if (front->cut > 0 && !make_tail(session))
        front->cut = 0;
    if (front->cut == 0)
        front_free(front);
}

double front_spares_ms(Session *session) {
    front_find(session);
    return is_kept(session) ? spans_total(&session->front.spans) : 0;
}

ImageView front_input(Session *session) {
    front_find(session);
    return is_kept(session) ? session->front.image->view : session_picture(session)->view;
}

Status front_plan(const Session *session, Plan **plan) {
    const Chain chain = job_chain(session);
    PlanOptions options = job_options(session);
    options.unfused = true;
    return chain_plan_links(&chain, is_kept(session) ? session->front.cut : 0, chain.count,
                            session_picture(session)->view.shape, options, plan);
}

/* A result with no links behind the frame is better made as a whole: its tiles are seen as they come. */
bool front_due(Session *session) {
    front_find(session);
    return session->front.cut > 0 && (session->front.edits || is_kept(session));
}

/* ---- runs ---- */

/* The launches of the stage with the most arithmetic. */
static Partition main_partition(const Session *session, const Pipeline *pipeline) {
    const size_t main = plan_main_stage(pipeline_plan(session->pipeline));
    const char *label = plan_stage(pipeline_plan(session->pipeline), main)->stage.label;
    const size_t index = pipeline_main_stage(pipeline);
    const bool here = strcmp(pipeline_stage(pipeline, index)->label, label) == 0;
    return here ? pipeline_partition(pipeline, index) : session->front.partition;
}

/* The plan of the links up to the cut, from those on whose frame is kept, if there is one. */
static Status plan_front(const Session *session, size_t *from, Plan **plan) {
    *from = kept_links(session, session->front.cut);
    TRY(plan_links(session, *from, session->front.cut, plan));
    if (*plan)
        return STATUS_OK;
    *from = 0;
    return plan_links(session, 0, session->front.cut, plan);
}

/* Runs these links. */
static Status run_front(Session *session, Spans *spans) {
    Front *front = &session->front;
    size_t from;
    Plan *plan;
    Pipeline *pipeline = NULL;
    Image *image = NULL;
    TRY(plan_front(session, &from, &plan));
    const ImageView in = from > 0 ? front->image->view : session_picture(session)->view;
    if (from > 0)
        *spans = front->spans;
    else
        image_destroy(&front->image); /* it is of no use for this job */
    spans->profile_trace = session->wishes.profile_trace;
    TRY(make_pipeline(session, plan, &pipeline));
    Status status = image_create_unfilled(pipeline_result_shape(pipeline), &image);
    if (status == STATUS_OK)
        status = pipeline_process(pipeline, in, image->view, spans);
    if (status == STATUS_OK)
        keep(session, image, spans, main_partition(session, pipeline));
    else
        image_destroy(&image);
    front->runs += status == STATUS_OK;
    pipeline_destroy(&pipeline);
    return status;
}

static Status run_tail(Session *session, Spans *spans) {
    const Front *front = &session->front;
    const ImageView kept = front->image->view, result = pipeline_result(session->pipeline);
    if (!front->tail) {
        view_copy(kept, result);
        return STATUS_OK;
    }
    pipeline_tell(front->tail, session->tells ? session->partial : NULL);
    const Status status = pipeline_process(front->tail, kept, result, spans);
    pipeline_tell(front->tail, NULL);
    return status;
}

Status front_run(Session *session) {
    Front *front = &session->front;
    Spans spans = {.count = 0};
    TRY(session_upload(session));
    if (!is_kept(session))
        TRY(run_front(session, &spans));
    spans = front->spans;
    spans.profile_trace = session->wishes.profile_trace;
    TRY(run_tail(session, &spans));
    session_note_card(session, front->tail ? main_partition(session, front->tail) : front->partition);
    session_record_run(session, &spans);
    return STATUS_OK;
}

bool front_keep_due(const Session *session) {
    const Front *front = &session->front;
    return session->pipeline && front->of_job == session->job_serial && front->cut > 0 && !front->tail &&
           !session->stale && session->on_device && session->result_job == session->job_serial && !is_kept(session);
}

Status front_keep(Session *session) {
    Spans spans = {.count = 0};
    const ImageView result = pipeline_result(session->pipeline);
    Image *image;
    if (image_create_unfilled(result.shape, &image) != STATUS_OK) {
        session->front.cut = 0; /* without it all goes on */
        return STATUS_OK;
    }
    view_copy(result, image->view);
    for (size_t i = 0; i < session->span_count; i++)
        if (session->spans[i].stage && session->spans[i].at > 0)
            spans_add(&spans, session->spans[i].name, 0, history_latest(&session->spans[i].history));
    keep(session, image, &spans, session->partition);
    return STATUS_OK;
}
