/* ask.c: carrying out a request: a session is made for it, next to the one that is there, and takes its place. */
#include "app/view/session/viewer.h"

#include "app/view/session/tool.h"

#include "app/tuning.h"
#include "core/base/stop.h"
#include "core/image/icc.h"
#include "core/run/simulation.h"
#include "core/scene/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The ladder of the pipeline that is there now. */
void session_note_rungs(Session *session) {
    const Level *current = session_level(session), *level;
    size_t *count = &session->rung_count;
    *count = 0;
    session->rungs_due = false;
    if (!current)
        return;
    const Backend *backend = session->device->backend;
    const bool has_reference = ladder_level(backend, current->op, 0) == level_reference(current->op);
    for (; *count < RUNGS_MAX && (level = ladder_level(backend, current->op, *count)); ++*count)
        session->rungs[*count] = (LadderRow){
            level, (int)*count + (has_reference ? 0 : 1),
            level == current ? NULL : level_why_not(session->device, session->pipeline, level), level == current};
}

/* On an unchanged ladder, the levels' reasons to refuse are asked for once the result is shown: asking all of them
 * takes as long as a run. */
static void note_rungs(Session *session) {
    const Level *current = session_level(session);
    if (!current || session->rung_count == 0 ||
        session->rungs[0].level != ladder_level(session->device->backend, current->op, 0)) {
        session_note_rungs(session);
        return;
    }
    session->rungs_due = true;
    for (size_t i = 0; i < session->rung_count; i++) {
        LadderRow *row = &session->rungs[i];
        row->current = row->level == current;
        row->why_not = row->current ? NULL : row->why_not;
    }
}

/* ---- differences ---- */

static bool same_filters(const Request *a, const Request *b) {
    return a->chain == b->chain && a->set_aside == b->set_aside && plan_options_equal(&a->options, &b->options);
}

/* Whether the same of a scene is to be traced, wherever the camera looks from, and whatever the surfaces are. */
static bool same_trace(const Request *a, const Request *b) {
    return a->subject->base == b->subject->base && a->look == b->look && a->gathering.depth == b->gathering.depth &&
           a->gathering.seed == b->gathering.seed && (a->gathering.denoise > 0) == (b->gathering.denoise > 0) &&
           a->orbit_camera.camera.kind == b->orbit_camera.camera.kind;
}

/* Whether the pipeline has the filters of `next`, or would have them by other jobs of its own stages. */
static bool pipeline_reads(const Session *now, const Session *session, const Request *next) {
    const Subject *subject = next->subject;
    if (!session->pipeline || session->device != now->device || !now->request.subject)
        return false;
    return subject->scene
               ? now->request.subject->scene && same_trace(&now->request, next) &&
                     shape_equal(pipeline_unfiltered_shape(session->pipeline),
                                 subject->kind->shape(subject, session->wishes.width, session->wishes.height))
               : subject == now->request.subject;
}

/* Whether light that is gathered, or will be once the filters before have run, is that of the next request, too. */
static bool keeps_light(const Session *now, const Session *session) {
    const Request *next = &session->request, *before = &now->request;
    return pipeline_reads(now, session, next) && look_is_light(next->look) && next->subject == before->subject &&
           strcmp(next->level, before->level) == 0 && !orbit_camera_moved(&next->orbit_camera, &before->orbit_camera) &&
           session->progressive.pipeline == session->pipeline && (!session->stale || session->keeps_light);
}

/* ---- making ---- */

static Status set_level(Session *session) {
    TRY(pipeline_set_level(session->pipeline, session->request.level));
    note_rungs(session);
    return STATUS_OK;
}

static void set_samples(Session *session) {
    Progressive *progressive = &session->progressive;
    session->samples = progressive->samples = (uint32_t)session->request.gathering.samples;
    if (progressive->pipeline && progressive->done > session->samples) {
        session->stale = true;
        session->keeps_light = false;
    }
}

/* Forgets all spans for another picture, another result's shape or another device; else the stages' alone. */
static void clear_spans(const Session *now, Session *session) {
    const Shape shape = pipeline_result_shape(session->pipeline);
    if (session->request.subject == now->request.subject && session->device == now->device && session->uploaded &&
        shape_equal(session->spans_of, shape))
        session_clear_stages(session);
    else
        session_clear_spans(session);
    session->spans_of = shape;
}

/* Hands move the camera many times a second: the pipeline stays. */
static Status adjust(const Session *now, Session *session) {
    const Request *next = &session->request, *before = &now->request;
    const bool other_level = strcmp(next->level, before->level) != 0;
    const bool moved = next->subject->scene && orbit_camera_moved(&next->orbit_camera, &before->orbit_camera);
    const bool changed = next->subject != before->subject;
    if (other_level)
        TRY(set_level(session));
    if (moved)
        progressive_set_camera(session->pipeline, next->orbit_camera.camera);
    if (changed) {
        progressive_set_scene(session->pipeline, next->subject->scene);
        session->measured.trace_stats_tried = false;
    }
    if (other_level || moved || changed) {
        session->stale = true;
        session->keeps_light = false;
        clear_spans(now, session);
    }
    return STATUS_OK;
}

/* Plans a scene with changes by its base, which stays as long as the plan serves; runs have the changes. */
static Status plan(const Session *now, Session *session) {
    const Subject *subject = session->request.subject;
    const bool traced =
        subject->scene && subject == now->request.subject && pipeline_reads(now, session, &session->request);
    const bool keeps = keeps_light(now, session);
    Measurement job = session_measurement(session);
    job.scene = subject->base ? subject->base->scene : NULL;
    Measured measured = {0};
    Plan *made;
    if (job.options.linear && subject->picture) /* whose profile may not tell */
        TRY(icc_tone(subject->picture->profile, subject->picture->profile_size, &job.options.tone));
    job.options.tone.premultiplied = subject->tone.premultiplied;
    TRY(view_plan(&job, job.shape.width, job.shape.height, &made));
    TRY(session->pipeline ? pipeline_replace(&session->pipeline, made, session->request.level)
                          : pipeline_create(session->device, made, session->request.level, &session->pipeline));
    pipeline_queue(session->pipeline)->stop = session->stop;
    if (subject->scene)
        progressive_set_scene(session->pipeline, subject->scene);
    session->uploaded &= subject == now->request.subject && pipeline_uploaded(session->pipeline, PIPELINE_PICTURE);
    session->job_serial++;
    session->on_device = false;
    session->stale = true;
    session->keeps_light = keeps;
    session->progressive.pipeline = keeps ? session->pipeline : NULL;
    if (traced) {
        measured.trace_stats = session->measured.trace_stats;
        measured.trace_stats_tried = session->measured.trace_stats_tried;
        measured.trace_stats_estimated = session->measured.trace_stats_estimated;
    }
    if (session->device != now->device) /* the same job elsewhere */
        memcpy(measured.sides, session->measured.sides, sizeof measured.sides);
    session->measured = measured;
    note_rungs(session);
    clear_spans(now, session);
    return STATUS_OK;
}

/* An empty pipeline takes any name; a typing error is one all the same. */
static Status check_level(const Session *session) {
    const Backend *backend = session->device->backend;
    const char *name = session->request.level;
    bool known = strcmp(name, "best") == 0;
    for (size_t i = 0; i < backend->level_count; i++)
        known |= strcmp(backend->levels[i]->name, name) == 0;
    return known ? STATUS_OK
                 : fail(STATUS_USAGE, "level \"%s\": the %s backend has no such level; `glint list levels` shows them",
                        name, backend->name);
}

static Status make(const Session *now, Session *session) {
    Status status = STATUS_OK;
    if (session->request.subject)
        status = pipeline_reads(now, session, &session->request) && same_filters(&session->request, &now->request)
                     ? adjust(now, session)
                     : plan(now, session);
    if (status == STATUS_OK && session->request.subject && session->request.subject->scene)
        set_samples(session);
    return status == STATUS_OK && !session_level(session) ? check_level(session) : status;
}

/* Whether the ladder of any stage has a level of this name. */
static bool on_a_ladder(const Session *session, const char *name) {
    bool there = false;
    for (size_t i = 0; i < pipeline_stage_count(session->pipeline); i++)
        there |= level_by_name(session->device->backend, pipeline_stage(session->pipeline, i)->op, name) != NULL;
    return there;
}

/* Once more with the best level, if only the one that was chosen stands against it; says so. */
static Status make_with_best(Viewer *viewer, Session *session) {
    char level[NAME_MAX_CHARACTERS], why[TOAST_MAX];
    snprintf(level, sizeof level, "%s", session->request.level);
    snprintf(why, sizeof why, "%s", status_message());
    snprintf(session->request.level, sizeof session->request.level, "best");
    if (make(viewer->session, session) != STATUS_OK)
        return fail(STATUS_USAGE, "%s", why);
    const Level *best = session_level(session);
    if (best && !on_a_ladder(session, level))
        viewer_say(viewer, true, "%s on %s has no level %s; taking the best, %s", best->op->name,
                   session->device->backend->name, level, best->name);
    else
        viewer_say(viewer, true, "%s; the best level takes over", why);
    return STATUS_OK;
}

static Status open_device(const Viewer *viewer, Session *session) {
    const char *name = session->request.backend, *passed_over;
    const Backend *backend = backend_by_name(name);
    const bool host = backend && backend->host_frames;
    const int index = host ? 0 : session->request.device;
    if (strcmp(name, session->device->backend->name) == 0 && (host || index == viewer->session->request.device))
        return STATUS_OK;
    TRY(backend_open(name, index, viewer->threads, &session->device, &passed_over));
    tuning_load(session->device);
    session->pipeline = NULL; /* its frames live on the old device */
    session->peak = (Ceiling){0};
    session->machine.asked = 0;
    return STATUS_OK;
}

static const Bodies *bodies_of(const Session *session) {
    const Subject *subject = session->request.subject;
    return subject && subject->scene ? subject->scene->bodies : NULL;
}

/* Ends the simulation before its bodies or its device are left. */
static void leave_bodies(const Session *old, Session *now) {
    if (bodies_of(old) != bodies_of(now) || old->device != now->device)
        (void)simulation_close(&now->simulation);
}

/* The device of the session before: its port needs OpenGL's context, and that is another thread's. */
static void leave_device(Viewer *viewer, Session *old) {
    viewer->power_time = 0;
    pipeline_destroy(&old->pipeline);
    if (viewer->present->port) {
        viewer->left = old->device;
        memcpy(viewer->left_present, viewer->present, sizeof *viewer->present);
        viewer->present->port = NULL;
        viewer->present->sent = false;
    } else {
        device_close(&old->device);
    }
    present_forget(viewer->present);
}

/* The text and the subject say the same of the scene: of another one, the subject does; of the same, the text. Where it
 * is changed, the subject is a new one. */
static Status take_scene(const Viewer *viewer, Request *next) {
    Subject *changed;
    const Subject *subject = next->subject;
    if (!subject || !subject->scene)
        return STATUS_OK;
    if (subject != viewer->session->request.subject)
        snprintf(next->scene, sizeof next->scene, "%s", subject->name);
    if (strcmp(next->scene, subject->name) == 0)
        return STATUS_OK;
    if (viewer->session->simulation) /* the copy's bodies go on from where they have come to */
        TRY(simulation_settle(viewer->session->simulation, viewer->session->request.subject->scene));
    TRY(subject_change_scene(subject, next->scene, &changed));
    next->subject = changed;
    return STATUS_OK;
}

static Status carry_out(Viewer *viewer, Request next, Fallback fallback) {
    Session *session = viewer_session(viewer);
    if (session_end_run(session) != STATUS_OK) /* it is due again if this cannot be carried out, and then says why */
        session->stale = true;
    Session old = *session, made = old;
    made.request = next;
    if (old.request.chain) /* sliders do not read files again */
        chain_share_images(next.chain, old.request.chain);
    TRY(chain_read_images(next.chain));
    TRY(open_device(viewer, &made));
    Status status = make(&old, &made);
    if (status == STATUS_USAGE && fallback == FALLBACK_BEST && strcmp(next.level, "best") != 0)
        status = make_with_best(viewer, &made);
    const bool other_device = made.device != old.device;
    if (status != STATUS_OK) {
        if (other_device)
            device_close(&made.device);
        return status;
    }
    *session = made;
    leave_bodies(&old, session);
    if (other_device)
        leave_device(viewer, &old);
    else if (made.pipeline != old.pipeline)
        present_forget_costs(viewer->present); /* they were of another job */
    return STATUS_OK;
}

/* ---- owners ---- */

/* Ends the chains that neither the latest request nor the session's has any more. */
static void drop_chains(const Viewer *viewer, Chain *const chains[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        Chain *chain = chains[i];
        bool kept = chain == viewer->request->chain || chain == viewer->session->request.chain;
        for (size_t before = 0; before < i; before++)
            kept |= chain == chains[before];
        if (!kept)
            chain_destroy(&chain);
    }
}

/* A subject that is shown takes the place of the one of its kind; one that is not to be had goes. */
static void keep_subject(Viewer *viewer, Subject *subject, bool shown) {
    Subject **place = subject ? &viewer->open[subject->kind->place] : NULL, *other = subject;
    if (!subject || *place == subject)
        return;
    if (shown) {
        other = *place;
        *place = subject;
    }
    subject_close(&other);
}

bool viewer_asks(const Viewer *viewer) {
    bool asks = viewer->asks;
    for (size_t i = 0; i < tool_count && !asks; i++)
        asks = tool_kinds[i]->asks && tool_kinds[i]->asks(viewer);
    return asks;
}

/* Carries the request out, as an edit of its own. */
static Status make_edit(Viewer *viewer, Request next, Fallback fallback, EditStep step) {
    const bool other = next.subject != viewer->session->request.subject;
    Status status = take_scene(viewer, &next);
    if (status == STATUS_OK)
        status = carry_out(viewer, next, fallback);
    keep_subject(viewer, next.subject, status == STATUS_OK);
    if (status == STATUS_OK)
        edits_note(&viewer->edits, &viewer->session->request, other, step);
    return status;
}

/* Makes an edit of its own of the request's difference from the one before. */
static void note_waiting(Viewer *viewer, const Request *next) {
    Edits *waiting = &viewer->waiting;
    if (waiting->count == 0)
        edits_note(waiting, &viewer->session->request, false, (EditStep){0});
    edits_note(waiting, next, false, viewer->step);
}

static Status ask(Viewer *viewer, Request next, Fallback fallback) {
    Chain *const chains[] = {viewer->session->request.chain, viewer->request->chain, next.chain};
    Status status = STATUS_OK;
    if (viewer->postpones)
        note_waiting(viewer, &next);
    else
        status = make_edit(viewer, next, fallback, viewer->step);
    if (!viewer->postpones)
        edits_free(&viewer->waiting);
    *viewer->request = viewer->postpones ? next : viewer->session->request;
    viewer->asks = viewer->postpones;
    viewer->fallback = fallback;
    for (size_t i = 0; i < tool_count && !viewer->postpones; i++)
        if (tool_kinds[i]->follow)
            tool_kinds[i]->follow(viewer);
    drop_chains(viewer, chains, sizeof chains / sizeof chains[0]);
    return status;
}

Status viewer_ask(Viewer *viewer, Request next, Fallback fallback) {
    bool moves = viewer->held;
    for (size_t i = 0; i < tool_count; i++)
        moves |= tool_kinds[i]->moves && tool_kinds[i]->moves(viewer);
    viewer->step = (EditStep){moves ? viewer->movement : 0, clock_ms()};
    return ask(viewer, next, fallback);
}

/* One that came before the last, which nothing else refers to. */
static Status make_waiting(Viewer *viewer, const Edits *waiting, size_t index) {
    Chain *const before = viewer->session->request.chain;
    Request next;
    TRY(edits_request(waiting, index, viewer->session->request, &next));
    const Status status = make_edit(viewer, next, FALLBACK_BEST, waiting->list[index].last);
    drop_chains(viewer, (Chain *const[]){before, next.chain}, 2);
    return status;
}

/* Each step of its own, so that each can be undone; where one cannot be done, the others are. */
static Status settle_steps(Viewer *viewer) {
    Edits waiting = viewer->waiting;
    const Subject *before = viewer->session->request.subject;
    Status failed = STATUS_OK;
    viewer->waiting = (Edits){0};
    for (size_t i = 1; i + 1 < waiting.count; i++) {
        const Status status = make_waiting(viewer, &waiting, i);
        failed = status == STATUS_OK ? failed : status;
    }
    edits_free(&waiting);
    if (viewer->request->subject == before)
        viewer->request->subject = viewer->session->request.subject;
    const Status status = ask(viewer, viewer_request(viewer), viewer->fallback);
    return status == STATUS_OK ? failed : status;
}

Status viewer_settle(Viewer *viewer) {
    const Status status = viewer->asks ? settle_steps(viewer) : STATUS_OK;
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->asks && tool_kinds[i]->asks(viewer))
            TRY(tool_kinds[i]->settle(viewer));
    return status;
}
