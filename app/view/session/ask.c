/* ask.c: carrying out a request: the session gets another pipeline, or another job for the one that it has. Where that
 * fails, the session stays as it was. */
#include "app/view/session/figure_view.h"
#include "app/view/session/front.h"
#include "app/view/session/viewer.h"

#include "app/view/session/tool.h"

#include "core/base/stop.h"
#include "core/run/rendering.h"
#include "core/run/simulation.h"
#include "core/scene/look.h"
#include "kernel/rungs.h"
#include "library/tuning.h"

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
    for (size_t i = 0; *count < RUNGS_MAX && (level = ladder_level(backend, current->op, i)); i++)
        if (level == current || !kernel_rung_closed(level)) {
            const char *why_not = level == current ? NULL : level_why_not(session->device, session->pipeline, level);
            session->rungs[*count] =
                (LadderRow){level, (int)*count + (has_reference ? 0 : 1), why_not, level == current};
            ++*count;
        }
}

/* On an unchanged ladder, the levels' reasons to refuse are asked for once the result is shown. To ask all of them
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

/* The members of a session that another request may replace, as they were. */
typedef struct Before {
    const Request *request;
    Subject *subject;
    Chain *chain;
    Device *device;
    Pipeline *pipeline;
    size_t misfit;
} Before;

/* ---- differences ---- */

/* Whether filters that were read again have the images of the chain before. */
static bool same_images(const Chain *a, const Chain *b) {
    bool same = a && b && a->image_count == b->image_count;
    for (size_t i = 0; same && a != b && i < a->image_count; i++)
        same = a->images[i].image == b->images[i].image;
    return same;
}

/* Paths alone have noise. */
static bool has_denoiser(const Request *request) {
    return request->look == LOOK_PATHS && request->gathering.denoise > 0;
}

static bool same_denoiser(const Request *a, const Request *b) {
    return has_denoiser(a) == has_denoiser(b);
}

/* Whether the pipeline before does all that the session's request has it do. */
static bool same_filters(const Before *before, const Session *session) {
    return same_images(before->chain, session->chain) && request_same_filters(before->request, session->request) &&
           same_denoiser(before->request, session->request);
}

/* Whether the same of a scene is to be traced, wherever the camera looks from, and whatever the surfaces are. */
static bool same_trace(const Request *a, const Request *b) {
    return a->look == b->look && a->figure == b->figure && a->gathering.depth == b->gathering.depth &&
           a->gathering.seed == b->gathering.seed && a->orbit_camera.camera.kind == b->orbit_camera.camera.kind;
}

/* Whether the pipeline has the filters of `next`, or would have them by other jobs of its own stages. */
static bool pipeline_reads(const Before *before, const Session *session) {
    const Request *next = session->request;
    const Subject *subject = session->subject;
    if (!session->pipeline || session->device != before->device || !before->subject)
        return false;
    return subject->scene ? before->subject->scene && before->subject->base == subject->base &&
                                same_trace(before->request, next) &&
                                shape_equal(pipeline_unfiltered_shape(session->pipeline), session_shape(session))
                          : subject == before->subject;
}

/* Whether light that is gathered, or will be once the filters before have run, is that of the next request, too. */
static bool keeps_light(const Before *before, const Session *session) {
    const Request *next = session->request;
    return pipeline_reads(before, session) && look_is_light(next->look) && session->subject == before->subject &&
           strcmp(next->level, before->request->level) == 0 &&
           !orbit_camera_moved(&next->orbit_camera, &before->request->orbit_camera) &&
           session->progressive.pipeline == session->pipeline && (!session->stale || session->keeps_light);
}

/* ---- making ---- */

/* An empty pipeline takes any name; a typing error is one all the same. */
static Status check_level(const Session *session) {
    const Backend *backend = session->device->backend;
    const char *name = session->request->level;
    return strcmp(name, "best") == 0 || ladder_knows(backend, name)
               ? STATUS_OK
               : fail(STATUS_USAGE, "level \"%s\": the %s backend has no such level; `glint list levels` shows them",
                      name, backend->name);
}

static Status set_level(Session *session) {
    if (!session_level(session))
        TRY(check_level(session));
    TRY(pipeline_set_level(session->pipeline, session->request->level));
    note_rungs(session);
    return STATUS_OK;
}

static void set_samples(Session *session) {
    Progressive *progressive = &session->progressive;
    session->samples = progressive->samples = (uint32_t)session->request->gathering.samples;
    if (progressive->pipeline && progressive->done > session->samples) {
        session->stale = true;
        session->keeps_light = false;
    }
}

/* Forgets all spans for another picture, another result's shape or another device; else the stages' alone. */
static void clear_spans(const Before *before, Session *session) {
    const Shape shape = pipeline_result_shape(session->pipeline);
    if (session->subject == before->subject && session->device == before->device && session->uploaded &&
        shape_equal(session->spans_of, shape))
        session_clear_stages(session);
    else
        session_clear_spans(session);
    session->spans_of = shape;
}

/* Hands move the camera many times a second: the pipeline stays. */
static Status adjust(const Before *before, Session *session) {
    const Request *next = session->request, *last = before->request;
    const bool other_level = strcmp(next->level, last->level) != 0;
    const bool moved = session->subject->scene && orbit_camera_moved(&next->orbit_camera, &last->orbit_camera);
    const bool changed = session->subject != before->subject;
    if (other_level)
        TRY(set_level(session));
    if (moved)
        progressive_set_camera(session->pipeline, next->orbit_camera.camera);
    if (changed) {
        progressive_set_scene(session->pipeline, session->subject->scene);
        session->measured.trace_stats_tried = false;
    }
    const bool restyled = next->figure && !figure_style_same(&next->style, &last->style);
    const bool relit = next->figure && (next->style.shadow > 0) != (last->style.shadow > 0);
    const bool restarts = other_level || moved || changed || relit;
    if (restarts || (restyled && !session->stale)) {
        session->stale = true;
        session->keeps_light = !restarts;
        clear_spans(before, session);
    }
    return STATUS_OK;
}

/* "crop 4015×2677", or the name of a filter that takes no part of so many pixels. */
static void describe_link(const ChainLink *link, char *words, size_t size) {
    const ParamTable table = link->filter->table;
    const Param *columns = param_by_unit(table, PARAM_COLUMNS), *rows = param_by_unit(table, PARAM_ROWS);
    const bool pixels = columns && rows && !params_in_percent(table, link->values);
    if (pixels && param_number(columns, link->values) > 0 && param_number(rows, link->values) > 0)
        snprintf(words, size, "%s %.0f×%.0f", link->filter->name, param_number(columns, link->values),
                 param_number(rows, link->values));
    else
        snprintf(words, size, "%s", link->filter->name);
}

/* Notes that this link does not fit, with the sentence of the failure, which begins with the filter's name. */
static void note_misfit(Session *session, size_t link) {
    const ChainLink *of = &session->chain->links[link];
    const Subject *subject = session->subject;
    const Shape shape = session_shape(session);
    const char *slash = strrchr(subject->name, '/'), *why = status_message(), *name = of->filter->name;
    const size_t length = strlen(name);
    char words[96];
    if (strncmp(why, name, length) == 0 && why[length] == ':')
        why += length + 1 + strspn(why + length + 1, " ");
    describe_link(of, words, sizeof words);
    session->misfit = link + 1;
    snprintf(session->misfit_words, sizeof session->misfit_words, "Can't apply %s to %s (%zu×%zu): %s", words,
             slash ? slash + 1 : subject->name, shape.width, shape.height, why);
}

/* Plans as many links as fit the picture. */
static Status plan_fitting(const Measurement *job, Session *session, Plan **plan) {
    Measurement part = *job;
    for (size_t count = 1; count <= job->chain->count; count++) {
        part.misfit = count + 1;
        if (view_plan(&part, job->shape.width, job->shape.height, plan) != STATUS_OK) {
            note_misfit(session, count - 1);
            break;
        }
        plan_destroy(plan);
    }
    part.misfit = session->misfit;
    return view_plan(&part, job->shape.width, job->shape.height, plan);
}

/* A chain that another picture had is carried out as far as it fits; one that is asked for has to fit. */
static Status plan_job(const Before *before, const Measurement *job, Session *session, Plan **plan) {
    const bool other = before->subject && before->subject != session->subject;
    const Status status = view_plan(job, job->shape.width, job->shape.height, plan);
    if (status == STATUS_OK || status == STATUS_DEVICE || !job->picture.pixels || !(other || before->misfit > 0))
        return status;
    return plan_fitting(job, session, plan);
}

/* Plans a scene with changes by its base, which stays as long as the plan serves; runs have the changes. */
static Status plan(const Before *before, Session *session) {
    const Subject *subject = session->subject;
    const bool traced = subject->scene && subject == before->subject && pipeline_reads(before, session);
    const bool keeps = keeps_light(before, session);
    session->misfit = 0;
    Measurement job = session_measurement(session);
    job.scene = subject->base ? subject->base->scene : NULL;
    job.figure = session_makes_figure(session);
    Measured measured = {0};
    Plan *made;
    if (job.options.linear && subject->picture) /* whose profile may not tell */
        TRY(picture_tone(subject->picture, &job.options.tone));
    job.options.tone.premultiplied = subject->tone.premultiplied;
    TRY(plan_job(before, &job, session, &made));
    const Status known = plan_stage_count(made) == 0 ? check_level(session) : STATUS_OK;
    if (known != STATUS_OK) {
        plan_destroy(&made);
        return known;
    }
    TRY(session->pipeline ? pipeline_replace(&session->pipeline, made, session->request->level)
                          : pipeline_create(session->device, made, session->request->level, &session->pipeline));
    pipeline_queue(session->pipeline)->stop = session->stop;
    if (subject->scene)
        progressive_set_scene(session->pipeline, subject->scene);
    session->uploaded &= subject == before->subject && pipeline_uploaded(session->pipeline, PIPELINE_PICTURE);
    session->job_serial++;
    session_note_place(session);
    session->on_device = false;
    session->stale = true;
    session->keeps_light = keeps;
    session->progressive.pipeline = keeps ? session->pipeline : NULL;
    if (!same_denoiser(session->request, before->request)) { /* other films have a frame only where there is one */
        session->progressive.seen = 0;
        session->progressive.bare = true;
    }
    if (traced) {
        measured.trace_stats = session->measured.trace_stats;
        measured.trace_stats_tried = session->measured.trace_stats_tried;
        measured.trace_stats_estimated = session->measured.trace_stats_estimated;
    }
    if (session->device != before->device) /* the same job elsewhere */
        memcpy(measured.sides, session->measured.sides, sizeof measured.sides);
    session->measured = measured;
    note_rungs(session);
    clear_spans(before, session);
    return STATUS_OK;
}

/* Leaves what Before holds for the caller to take back where it fails, and all else as it was. */
static Status make(const Before *before, Session *session) {
    if (!session->subject)
        return check_level(session);
    TRY(pipeline_reads(before, session) && same_filters(before, session) ? adjust(before, session)
                                                                         : plan(before, session));
    if (session->subject->scene)
        set_samples(session);
    return STATUS_OK;
}

/* Whether the ladder of any stage has a level of this name. */
static bool on_a_ladder(const Session *session, const char *name) {
    bool there = false;
    for (size_t i = 0; i < pipeline_stage_count(session->pipeline); i++)
        there |= level_by_name(session->device->backend, pipeline_stage(session->pipeline, i)->op, name) != NULL;
    return there;
}

static Status take_best(Session *session) {
    const Request *made;
    Request values = *session->request;
    snprintf(values.level, sizeof values.level, "best");
    TRY(request_make(&values, &made));
    request_release(&session->request);
    session->request = made;
    return STATUS_OK;
}

/* Once more with the best level, if only the one that was chosen stands against it; says so. */
static Status make_with_best(Viewer *viewer, const Before *before) {
    char level[NAME_MAX_CHARACTERS], why[TOAST_MAX];
    Session *session = viewer->session;
    snprintf(level, sizeof level, "%s", session->request->level);
    snprintf(why, sizeof why, "%s", status_message());
    if (take_best(session) != STATUS_OK || make(before, session) != STATUS_OK)
        return fail(STATUS_USAGE, "%s", why);
    const Level *best = session_level(session);
    if (best && !on_a_ladder(session, level))
        viewer_say(viewer, true, "%s on %s has no level %s; taking the best, %s", best->op->name,
                   session->device->backend->name, level, best->name);
    else
        viewer_say(viewer, true, "%s; the best level takes over", why);
    return STATUS_OK;
}

static Status make_or_take_best(Viewer *viewer, const Before *before, Fallback fallback) {
    Session *session = viewer->session;
    const Status status = make(before, session);
    const bool other_level = fallback == FALLBACK_BEST && strcmp(session->request->level, "best") != 0;
    return status == STATUS_USAGE && other_level ? make_with_best(viewer, before) : status;
}

static Status open_device(const Before *before, int threads, Session *session) {
    const char *name = session->request->backend, *passed_over;
    const Backend *backend = backend_by_name(name);
    const bool host = backend && backend->host_frames;
    const int index = host ? 0 : session->request->device;
    if (strcmp(name, session->device->backend->name) == 0 && (host || index == before->request->device))
        return STATUS_OK;
    TRY(backend_open(name, index, threads, &session->device, &passed_over));
    tuning_load(session->device);
    session->pipeline = NULL; /* its frames live on the old device */
    return STATUS_OK;
}

/* The request's chain with the images that its filters name; sliders do not read files again. */
static Status read_chain(const Before *before, Session *session) {
    Chain *chain;
    if (before->chain && session->request->chain == before->request->chain)
        return STATUS_OK;
    TRY(chain_copy(session->request->chain, &chain));
    if (before->chain)
        chain_share_images(chain, before->chain);
    const Status status = chain_read_images(chain);
    if (status == STATUS_OK)
        session->chain = chain;
    else
        chain_destroy(&chain);
    return status;
}

static const Bodies *bodies_of(const Subject *subject) {
    return subject && subject->scene ? subject->scene->bodies : NULL;
}

/* The device before: its port needs OpenGL's context, and that is another thread's. */
static void leave_device(Viewer *viewer, Before *before) {
    viewer->session->peak = (Ceiling){0};
    viewer->session->machine->asked = 0;
    viewer->power_time = 0;
    pipeline_destroy(&before->pipeline);
    front_free(&viewer->session->front);
    if (viewer->present->port) {
        viewer->left = before->device;
        memcpy(viewer->left_present, viewer->present, sizeof *viewer->present);
        viewer->present->port = NULL;
        viewer->present->sent = false;
    } else {
        device_close(&before->device);
    }
    present_forget(viewer->present);
}

/* Puts the changes of a scene that a request has into the subject, which is a new one then. */
static Status change_scene(const Viewer *viewer, const char *text, Subject **subject) {
    Subject *changed;
    if (strcmp(text, (*subject)->name) == 0)
        return STATUS_OK;
    if (viewer->session->simulation) /* the copy's bodies go on from where they have come to */
        TRY(simulation_settle(viewer->session->simulation, viewer->session->subject->scene));
    TRY(subject_change_scene(*subject, text, &changed));
    *subject = changed;
    return STATUS_OK;
}

/* Has the text and the subject say the same of the scene: of another one, the subject does; of the same, the text. */
static Status take_scene(const Viewer *viewer, Subject **subject, const Request **next) {
    const Request *made;
    if (!*subject || !(*subject)->scene)
        return STATUS_OK;
    if (*subject == viewer->session->subject)
        return change_scene(viewer, (*next)->scene, subject);
    Request values = **next;
    const char *name = (*subject)->name;
    const SceneWork *known = scene_works_now(&viewer->scenes, name);
    snprintf(values.scene, sizeof values.scene, "%s", name);
    snprintf(values.opened, sizeof values.opened, "%s", known ? known->opened : name);
    TRY(request_make(&values, &made));
    request_release(next);
    *next = made;
    return STATUS_OK;
}

static void take_back(Session *session, const Before *before) {
    if (session->pipeline != before->pipeline)
        pipeline_destroy(&session->pipeline);
    if (session->device != before->device)
        device_close(&session->device);
    if (session->chain != before->chain)
        chain_destroy(&session->chain);
    request_release(&session->request);
    session->request = before->request;
    session->subject = before->subject;
    session->chain = before->chain;
    session->device = before->device;
    session->pipeline = before->pipeline;
    session->misfit = before->misfit;
}

/* Ends the members of the session that were replaced. */
static void leave(Viewer *viewer, Before *before) {
    Session *session = viewer->session;
    const bool other_device = session->device != before->device;
    if (bodies_of(before->subject) != bodies_of(session->subject) || other_device)
        (void)simulation_close(&session->simulation);
    if (other_device)
        leave_device(viewer, before);
    else if (session->pipeline != before->pipeline)
        present_forget_costs(viewer->present); /* they were of another job */
    if (session->chain != before->chain)
        chain_destroy(&before->chain);
    request_release(&before->request);
}

static Status carry_out(Viewer *viewer, Subject *subject, const Request *next, Fallback fallback) {
    Session *session = viewer_session(viewer);
    if (session_end_run(session) != STATUS_OK) /* it is due again if this cannot be carried out, and then says why */
        session->stale = true;
    session->halted = session->interrupted = false;
    Before before = {session->request, session->subject,  session->chain,
                     session->device,  session->pipeline, session->misfit};
    session->request = request_retain(next);
    session->subject = subject;
    Status status = read_chain(&before, session);
    if (status == STATUS_OK)
        status = open_device(&before, viewer->threads, session);
    if (status == STATUS_OK)
        status = make_or_take_best(viewer, &before, fallback);
    if (status == STATUS_OK && session->misfit > 0 && session->subject != before.subject)
        viewer_say(viewer, true, "%s", session->misfit_words);
    if (status == STATUS_OK)
        leave(viewer, &before);
    else
        take_back(session, &before);
    return status;
}

/* ---- owners ---- */

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

static bool tools_ask(const Viewer *viewer) {
    bool asks = false;
    for (size_t i = 0; i < tool_count && !asks; i++)
        asks = tool_kinds[i]->asks && tool_kinds[i]->asks(viewer);
    return asks;
}

bool viewer_asks(const Viewer *viewer) {
    return viewer->asks || tools_ask(viewer);
}

bool viewer_changes_result(const Viewer *viewer) {
    const Request *now = viewer->session->request, *next = viewer->request;
    const bool same = viewer_picture(viewer) && viewer->subject == viewer->session->subject &&
                      strcmp(now->level, next->level) == 0 && strcmp(now->backend, next->backend) == 0 &&
                      now->device == next->device && request_same_filters(now, next);
    return (viewer->asks && !same) || tools_ask(viewer);
}

static EditOf edit_of(const Subject *subject, bool other) {
    return (EditOf){.scene = subject && subject->scene, .other = other};
}

/* Carries the request out, as an edit of its own. Takes the subject over. */
static Status make_edit(Viewer *viewer, Subject *subject, const Request *next, Fallback fallback, EditStep step) {
    const bool other = subject != viewer->session->subject;
    const Request *taken = request_retain(next);
    Subject *shown = subject;
    Status status = take_scene(viewer, &shown, &taken);
    if (status == STATUS_OK)
        status = carry_out(viewer, shown, taken, fallback);
    if (status != STATUS_OK && shown != subject)
        subject_go_back(subject);
    keep_subject(viewer, shown, status == STATUS_OK);
    if (status == STATUS_OK)
        edits_note(&viewer->edits, viewer->session->request, edit_of(shown, other), step);
    request_release(&taken);
    return status;
}

/* Makes an edit of its own of the request's difference from the one before. */
static void note_waiting(Viewer *viewer, const Subject *subject, const Request *next) {
    Edits *waiting = &viewer->waiting;
    const EditOf of = edit_of(subject, false);
    if (waiting->count == 0)
        edits_note(waiting, viewer->session->request, of, (EditStep){0});
    edits_note(waiting, next, of, viewer->step);
}

static Status ask(Viewer *viewer, Subject *subject, const Request *next, Fallback fallback) {
    Status status = STATUS_OK;
    if (viewer->postpones)
        note_waiting(viewer, subject, next);
    else
        status = make_edit(viewer, subject, next, fallback, viewer->step);
    if (!viewer->postpones)
        edits_free(&viewer->waiting);
    request_replace(&viewer->request, viewer->postpones ? next : viewer->session->request);
    viewer->subject = viewer->postpones ? subject : viewer->session->subject;
    viewer->asks = viewer->postpones;
    viewer->fallback = fallback;
    if (viewer->subject && viewer->subject->scene)
        scene_works_note(&viewer->scenes, viewer->request->opened, viewer->request->scene);
    for (size_t i = 0; i < tool_count && !viewer->postpones; i++)
        if (tool_kinds[i]->follow)
            tool_kinds[i]->follow(viewer);
    return status;
}

static Status ask_now(Viewer *viewer, Subject *subject, const Request *next, Fallback fallback) {
    viewer->step = (EditStep){viewer->held || tools_move(viewer) ? viewer->movement : 0, clock_ms()};
    return ask(viewer, subject, next, fallback);
}

Status viewer_ask_of(Viewer *viewer, Subject *subject, Request next, Fallback fallback) {
    const Request *made;
    Status status = request_make(&next, &made);
    if (status != STATUS_OK) {
        keep_subject(viewer, subject, false);
        return status;
    }
    status = ask_now(viewer, subject, made, fallback);
    request_release(&made);
    return status;
}

Status viewer_ask(Viewer *viewer, Request next, Fallback fallback) {
    return viewer_ask_of(viewer, viewer->subject, next, fallback);
}

Status viewer_ask_again(Viewer *viewer, const Request *request, Fallback fallback) {
    return ask_now(viewer, viewer->subject, request, fallback);
}

/* One that came before the last. */
static Status make_waiting(Viewer *viewer, const Edits *waiting, size_t index) {
    const Request *next;
    TRY(edits_request(waiting, index, &next));
    const Status status = make_edit(viewer, viewer->session->subject, next, FALLBACK_BEST, waiting->list[index].last);
    request_release(&next);
    return status;
}

/* Each step of its own, so that each can be undone; where one cannot be done, the others are. */
static Status settle_steps(Viewer *viewer) {
    Edits waiting = viewer->waiting;
    const Subject *before = viewer->session->subject;
    Status failed = STATUS_OK;
    viewer->waiting = (Edits){0};
    for (size_t i = 1; i + 1 < waiting.count; i++) {
        const Status status = make_waiting(viewer, &waiting, i);
        failed = status == STATUS_OK ? failed : status;
    }
    edits_free(&waiting);
    if (viewer->subject == before)
        viewer->subject = viewer->session->subject;
    const Request *last = request_retain(viewer->request);
    const Status status = ask(viewer, viewer->subject, last, viewer->fallback);
    request_release(&last);
    return status == STATUS_OK ? failed : status;
}

Status viewer_settle(Viewer *viewer) {
    const Status status = viewer->asks ? settle_steps(viewer) : STATUS_OK;
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->asks && tool_kinds[i]->asks(viewer))
            TRY(tool_kinds[i]->settle(viewer));
    return status;
}
