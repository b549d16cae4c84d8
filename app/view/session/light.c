/* light.c: gathering light step by step, and scenes that move. */
#include "app/view/session/session.h"

#include "app/view/session/figure_view.h"
#include "app/view/session/plan_view.h"

#include "core/run/simulation.h"
#include "core/scene/scene_parts.h"

#include <math.h>

enum { BUILD_EVERY = 8 /* moves of bodies, at least, or of particles by frames */ };
#define FRAME_MS  30.0   /* for a step of light */
#define MOVING_MS 8.0    /* for that of a scene that moves, unless a sample of all pixels takes longer */
#define TOTALS_MS 1000.0 /* from one look at energy and momentum to the next, where that takes longer than steps */

/* Makes the result again of the light that is gathered. */
Status session_show_light(Session *session, Spans *spans) {
    const double start = clock_ms();
    TRY(session_makes_figure(session) ? figure_view_show(session, spans)
                                      : progressive_show(&session->progressive, spans));
    session->shown_at = clock_ms();
    session->show_ms = session->shown_at - start;
    session->shown = !figure_view_is_draft(session);
    session->shown_side = session->progressive.coarse;
    session->result_serial++;
    return STATUS_OK;
}

double session_light_ms(const Session *session) {
    const bool goes_on = session_gathers(session) && !session_moves(session) && !session->stale;
    return goes_on && session->progressive.done > 0 ? FRAME_MS + session->show_ms : 0;
}

static double traced_pixels(const Session *session) {
    const Shape shape = pipeline_unfiltered_shape(session->pipeline);
    return (double)shape.width * (double)shape.height;
}

/* ---- several devices ---- */

static Status plan_other(const void *context, Device *device, Plan **plan) {
    const Measurement *job = context;
    return view_plan_trace(job, device, plan);
}

/* Has the crew trace the job that the session has now. */
static Status plan_crew(Session *session) {
    const Subject *subject = session->subject;
    Measurement job = session_measurement(session);
    job.scene = subject->base->scene; /* as the session's own plan has it */
    session->crew_job = 0;
    const size_t trace = pipeline_find_stage(session->pipeline, &op_trace);
    TRY(crew_plan(session->crew, plan_other, &job, pipeline_level(session->pipeline, trace)->name));
    session->crew_job = session->job_serial;
    return STATUS_OK;
}

/* Whether other devices may gather with the session's. Bodies move on one. */
static bool has_crew(const Session *session) {
    return session->crew && crew_count(session->crew) > 0 && session->device->backend == session->crew_backend &&
           session->request->device == session->crew_first && !session->subject->scene->bodies;
}

static Status step(Session *session, double ms, Spans *spans) {
    Progressive *progressive = &session->progressive;
    if (!has_crew(session) || progressive->coarse > 1)
        return progressive_step(progressive, ms, spans);
    const bool under_way = session->crew_joined && !progressive_even(progressive); /* ends as it began */
    if (!under_way && session->crew_job != session->job_serial) {
        session->crew_joined = false;
        TRY(plan_crew(session));
    }
    if (!session->crew_joined)
        TRY(crew_join(session->crew, progressive));
    session->crew_joined = true;
    return crew_step(session->crew, progressive, ms, spans);
}

/* A step; the first one is a whole picture, in blocks if pixels take long. */
static Status gather_step(Session *session, bool restarts, Spans *spans) {
    Progressive *progressive = &session->progressive;
    const double sample = progressive->cost * traced_pixels(session);
    const double ms = session_moves(session) ? fmax(MOVING_MS, 1.5 * sample) : FRAME_MS;
    if (restarts && !(sample > 0 && sample <= FRAME_MS))
        return progressive_preview(progressive, FRAME_MS, spans);
    do
        TRY(step(session, ms, spans));
    while (restarts && !progressive_even(progressive));
    return STATUS_OK;
}

void session_aim(Session *session) {
    Progressive *progressive = &session->progressive;
    const uint32_t wanted = session->wishes.samples, asked = (uint32_t)session->request->gathering.samples;
    const uint32_t coming = progressive->done + (progressive->row > 0 ? progressive->pass : 0);
    const bool ends_there =
        wanted == 0 || progressive->samples == wanted; /* noise may end it sooner, where asked for */
    const uint32_t last = wanted > 0 ? wanted : asked;
    if (!session_gathers(session) || (session->samples == last && ends_there))
        return;
    session->samples = progressive->samples = last;
    if (progressive->pipeline && coming > session->samples) {
        session->stale = true;
        session->keeps_light = false;
    }
}

/* Where it is low enough, the samples so far suffice. */
static Status note_noise(Session *session) {
    Progressive *progressive = &session->progressive;
    const Stage *traced = pipeline_stage(session->pipeline, pipeline_find_stage(session->pipeline, &op_trace));
    const double wanted = session->request->gathering.noise;
    if (!progressive_even(progressive) || session_moves(session))
        return STATUS_OK;
    if (noise_due(&session->noise, progressive->done))
        TRY(noise_measure(&session->noise, pipeline_queue(session->pipeline), traced->out, progressive->done,
                          exp2(session_exposure(session))));
    const double error = noise_of(&session->noise, progressive->done);
    if (session->wishes.samples == 0 && wanted > 0 && error >= 0 && error <= wanted)
        progressive->samples = progressive->done;
    return STATUS_OK;
}

/* Light outlives a picture of it that was stopped on its way. */
static Status keep_light(Session *session, Status status) {
    if (status != STATUS_INTERRUPTED)
        return status;
    session->keeps_light = true;
    session->progressive.seen = 0; /* surfaces may have been on their way */
    return status;
}

/* Other filters on the light that is gathered; the time of a sample is known. */
static Status filter_again(Session *session) {
    const Stage *traced = pipeline_stage(session->pipeline, pipeline_find_stage(session->pipeline, &op_trace));
    Spans spans = {.profile_trace = session->wishes.profile_trace, .count = 1};
    spans.spans[0] = (Span){.name = traced->label, .ms = session->progressive.cost * traced_pixels(session)};
    TRY(keep_light(session, session_show_light(session, &spans)));
    session_record_run(session, &spans);
    return STATUS_OK;
}

/* Whether enough was gathered, or enough time has passed, for a picture of it. Making one shall not take more than a
 * fifth of the time. */
static bool show_due(const Session *session, bool restarts, bool blocks) {
    const Progressive *progressive = &session->progressive;
    return restarts || progressive_complete(progressive) ||
           (progressive_even(progressive) && (blocks || clock_ms() - session->shown_at > 4 * session->show_ms));
}

/* A step of light, begun again if need be. The record has its time scaled to one sample of all pixels. The window shows
 * the step once all pixels have it, so that no seam runs through the picture. */
Status session_gather(Session *session) {
    Spans spans = {.profile_trace = session->wishes.profile_trace};
    Progressive *progressive = &session->progressive;
    const double cost = progressive->cost, pixels = traced_pixels(session);
    if (session->wishes.samples > 0)
        session_aim(session);
    TRY(figure_view_follow(session));
    if (session->stale && session->keeps_light && !session_moves(session))
        return filter_again(session);
    const bool restarts = progressive->pipeline != session->pipeline || session->stale || session_moves(session) ||
                          progressive_complete(progressive);
    TRY(session_upload(session));
    if (restarts) {
        progressive_begin(progressive, session->pipeline);
        session->crew_joined = false;
        progressive->cost = cost;
        progressive->samples = session->samples;
        noise_begin(&session->noise);
    }
    const size_t coarse = progressive->coarse;
    TRY(gather_step(session, restarts, &spans));
    const bool blocks = coarse > 1 || progressive->coarse > 1;
    if (!blocks)
        TRY(keep_light(session, note_noise(session)));
    if (spans.count > 0 && !blocks)
        spans.spans[0].ms = progressive->cost * pixels;
    session->shown = false;
    if (show_due(session, restarts, blocks))
        TRY(keep_light(session, session_show_light(session, &spans)));
    if (!blocks)
        session_record_run(session, &spans);
    return STATUS_OK;
}

/* ---- motion ---- */

static void note_simulated(Session *session, const Scene *scene) {
    const BodiesTotals now = bodies_totals(scene->bodies);
    Simulated *to = &session->simulated;
    to->known = true;
    to->counted_at = clock_ms();
    to->energy = bodies_energy(&now);
    to->kinetic = now.kinetic;
    to->potential = now.potential;
    to->energy_drift = bodies_energy_drift(scene->bodies, &now);
    to->momentum = sqrt(pow(now.momentum[0], 2) + pow(now.momentum[1], 2) + pow(now.momentum[2], 2));
    to->momentum_drift = bodies_momentum_drift(scene->bodies, &now);
}

/* Many bodies stay on their device: bringing them home takes longer than their steps. */
enum { AT_HOME_MAX = 1 << 16 };

static bool totals_due(const Session *session, const Bodies *bodies) {
    return bodies->state->view.shape.width <= AT_HOME_MAX || clock_ms() - session->simulated.counted_at > TOTALS_MS;
}

/* Boxes that are only refitted grow while bodies mix. The BVH is built again once the boxes' growth has cost as much
 * time as building takes. */
static bool build_due(Session *session, const Bodies *bodies) {
    Refits *refits = &session->refits;
    refits->least_ms = refits->known ? fmin(refits->least_ms, refits->sample_ms) : refits->sample_ms;
    refits->lost += (refits->sample_ms - refits->least_ms) * refits->samples;
    refits->known = true;
    return refits->lost > refits->build_ms || bodies->moves % BUILD_EVERY == 0;
}

static Status build_again(Session *session, const Scene *scene) {
    const Backend *backend = session->device->backend;
    Queue *queue = pipeline_queue(session->pipeline);
    const double start = clock_ms();
    size_t bytes;
    TRY(backend->trace->build(queue, scene, &bytes));
    TRY(backend->sync(queue));
    session->refits = (Refits){.build_ms = clock_ms() - start};
    return STATUS_OK;
}

Status session_settle_frames(Session *session) {
    const Scene *scene = session_scene(session);
    if (!scene || scene->bodies || scene->swings)
        return STATUS_OK;
    const bool other = session->built != scene_geometry(scene);
    if (!other && scene->moves - session->built_moves < BUILD_EVERY)
        return STATUS_OK;
    session->built = scene_geometry(scene);
    session->built_moves = scene->moves;
    return other ? STATUS_OK : build_again(session, scene); /* the first run builds it */
}

/* A frame's steps. */
static Status simulate(Session *session) {
    Scene *scene = session->subject->scene;
    const double start = clock_ms();
    TRY(simulation_begin(&session->simulation, scene->bodies, pipeline_queue(session->pipeline)));
    TRY(simulation_advance(session->simulation, &scene->gravity, scene->gravity.substeps));
    TRY(simulation_show(session->simulation, scene));
    if (totals_due(session, scene->bodies)) {
        TRY(simulation_fetch(session->simulation));
        note_simulated(session, scene);
    }
    session->simulated.steps += scene->gravity.substeps;
    session->simulated.time = scene->bodies->time;
    session_record(session, "gravity", clock_ms() - start);
    return build_due(session, scene->bodies) ? build_again(session, scene) : STATUS_OK;
}

Status session_move_on(Session *session) {
    const double start = clock_ms();
    if (session_scene(session)->bodies)
        return simulate(session);
    TRY(scene_move(session->subject->scene, motion_time(&session->motion, start)));
    session_record(session, "move", clock_ms() - start);
    return STATUS_OK;
}

Status session_settle_bodies(Session *session) {
    const Status status = simulation_settle(session->simulation, session->subject->scene);
    note_simulated(session, session_scene(session));
    return status;
}
