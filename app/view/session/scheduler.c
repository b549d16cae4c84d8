/* scheduler.c: what the viewer does between events: runs, light that is gathered, measurements, and results. */
#include "app/view/session/viewer_internal.h"

#include "core/base/stop.h"
#include "core/codec/save.h"
#include "core/image/opaque.h"
#include "core/scene/bodies.h"
#include "core/scene/look.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FILES_MAX = 999,
    SETTLING_RUNS = 15, /* after a change, so that medians mean something */
    MEDIAN_RUNS = 3,    /* the fewest that have one */
    DIFFERENCE_ROWS = 8,
    ROUNDS = 8,      /* of a race, at most */
    ESTIMATES = 3,   /* of a time, in a race */
    BUILD_EVERY = 8, /* moves of bodies, at least */
};
#define SETTLING_MS     400.0  /* runs that have taken this long together suffice if there are MEDIAN_RUNS */
#define SLOW_MS         700.0  /* runs that take longer are not repeated for the sake of medians */
#define YARDSTICK_MS    50.0   /* for a measurement: the user waits no longer */
#define LANE_MS         200.0  /* for a level of a race */
#define SPREAD_MAX      0.02   /* of a time, that half its interval may be */
#define COMPARED_PIXELS 4096.0 /* of a level, with the reference */
#define AGAIN_MS        500.0  /* before what was disturbed is measured again */
#define POWER_MS        100.0  /* asking takes up to a millisecond */
#define FRAME_MS        30.0   /* for a step of light */
#define MOVING_MS       8.0    /* for that of a scene that moves, unless a sample of all pixels takes longer */
#define QUICK_RUN_MS    4.0    /* the window waits for these, as for the change that they follow */
#define TOTALS_MS       1000.0 /* from one look at what is conserved to the next, where that takes longer than steps */

/* ---- runs ---- */

/* The result again, of what is gathered. */
Status viewer_show_light(Viewer *viewer, Spans *spans) {
    Session *session = &viewer->session;
    const double start = clock_ms();
    TRY(progressive_show(&session->progressive, spans));
    session->shown_at = clock_ms();
    session->show_ms = session->shown_at - start;
    session->shown = true;
    session->result_serial++;
    return STATUS_OK;
}

static Status upload_once(Viewer *viewer) {
    Session *session = &viewer->session;
    const Image *picture = viewer_picture(viewer);
    const double start = clock_ms();
    if (session->uploaded)
        return STATUS_OK;
    if (picture)
        TRY(pipeline_upload(session->pipeline, PIPELINE_PICTURE, picture->view));
    session->uploaded = true;
    session->upload_ms = clock_ms() - start;
    if (picture)
        viewer_record(viewer, "upload", session->upload_ms);
    return STATUS_OK;
}

static void record_run(Viewer *viewer, const Spans *spans) {
    Session *session = &viewer->session;
    const size_t main = pipeline_main_stage(session->pipeline);
    const LaunchFacts *facts = pipeline_facts(session->pipeline, main);
    for (size_t i = 0; i < spans->count; i++)
        session_record_span(session, spans->spans[i].name, spans->spans[i].ms, true);
    runs_add(&session->measured.runs, spans_total(spans), session->totals.count == 0);
    history_add(&session->totals, spans_total(spans));
    session->run_count++;
    session->facts = facts ? *facts : (LaunchFacts){0};
    session_note_times(session);
}

/* After the first run with these levels. */
static void note_card(Session *session) {
    const Pipeline *pipeline = session->pipeline;
    const size_t main = pipeline_main_stage(pipeline);
    if (session->card_known || pipeline_stage_count(pipeline) == 0)
        return;
    session->partition = pipeline_partition(pipeline, main);
    session->has_card = card_of(pipeline_stage(pipeline, main), session->partition, &session->card);
    session->card_known = true;
}

static Status time_run(Viewer *viewer) {
    Spans spans = {.profile_trace = viewer->profile_trace};
    Session *session = &viewer->session;
    TRY(upload_once(viewer));
    pipeline_tell(session->pipeline, session->tells ? session->partial : NULL);
    const Status status = pipeline_run(session->pipeline, &spans);
    pipeline_tell(session->pipeline, NULL);
    TRY(status);
    note_card(session);
    record_run(viewer, &spans);
    return STATUS_OK;
}

static double traced_pixels(const Session *session) {
    const Shape shape = pipeline_unfiltered_shape(session->pipeline);
    return (double)shape.width * (double)shape.height;
}

/* A step; the first one is a whole picture, in blocks if pixels take long. */
static Status gather_step(Viewer *viewer, bool restarts, Spans *spans) {
    Progressive *progressive = &viewer->session.progressive;
    const double sample = progressive->cost * traced_pixels(&viewer->session);
    const double ms = viewer_moves(viewer) ? fmax(MOVING_MS, 1.5 * sample) : FRAME_MS;
    if (restarts && !(sample > 0 && sample <= FRAME_MS))
        return progressive_preview(progressive, FRAME_MS, spans);
    do
        TRY(progressive_step(progressive, ms, spans));
    while (restarts && !progressive_even(progressive));
    return STATUS_OK;
}

/* Where it is low enough, what is gathered suffices. */
static Status note_noise(Viewer *viewer) {
    Session *session = &viewer->session;
    Progressive *progressive = &session->progressive;
    const Stage *traced = pipeline_stage(session->pipeline, pipeline_find_stage(session->pipeline, &op_trace));
    const double wanted = session->request.gathering.noise;
    if (!progressive_even(progressive) || viewer_moves(viewer))
        return STATUS_OK;
    if (noise_due(&session->noise, progressive->done))
        TRY(noise_measure(&session->noise, pipeline_queue(session->pipeline), traced->out, progressive->done,
                          exp2(viewer_exposure(viewer))));
    const double error = noise_of(&session->noise, progressive->done);
    if (wanted > 0 && error >= 0 && error <= wanted)
        progressive->samples = progressive->done;
    return STATUS_OK;
}

/* The same light, by other filters; what a sample of it takes is known. */
static Status filter_again(Viewer *viewer) {
    Session *session = &viewer->session;
    const Stage *traced = pipeline_stage(session->pipeline, pipeline_find_stage(session->pipeline, &op_trace));
    Spans spans = {.profile_trace = viewer->profile_trace, .count = 1};
    spans.spans[0] = (Span){.name = traced->label, .ms = session->progressive.cost * traced_pixels(session)};
    TRY(viewer_show_light(viewer, &spans));
    record_run(viewer, &spans);
    return STATUS_OK;
}

/* A step of light, begun again if need be. What it took is recorded as what one sample of all pixels takes. It is
 * shown once all pixels have it, so that no seam runs through the picture. */
static Status gather(Viewer *viewer) {
    Session *session = &viewer->session;
    Spans spans = {.profile_trace = viewer->profile_trace};
    Progressive *progressive = &session->progressive;
    const double cost = progressive->cost, pixels = traced_pixels(session);
    if (session->stale && session->keeps_light && !viewer_moves(viewer))
        return filter_again(viewer);
    const bool restarts = progressive->pipeline != session->pipeline || session->stale || viewer_moves(viewer) ||
                          progressive_complete(progressive);
    TRY(upload_once(viewer));
    if (restarts) {
        progressive_begin(progressive, session->pipeline);
        progressive->cost = cost;
        progressive->samples = session->samples;
        noise_begin(&session->noise);
    }
    const size_t coarse = progressive->coarse;
    TRY(gather_step(viewer, restarts, &spans));
    const bool blocks = coarse > 1 || progressive->coarse > 1;
    if (!blocks)
        TRY(note_noise(viewer));
    if (spans.count > 0 && !blocks)
        spans.spans[0].ms = progressive->cost * pixels;
    session->shown = false;
    /* Making a picture shall not take more than a fifth of the time. */
    if (restarts || progressive_complete(progressive) ||
        (progressive_even(progressive) && (blocks || clock_ms() - session->shown_at > 4 * session->show_ms)))
        TRY(viewer_show_light(viewer, &spans));
    if (!blocks)
        record_run(viewer, &spans);
    return STATUS_OK;
}

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

/* Boxes that are only refitted grow while bodies mix: the BVH is built again once what that has cost so far, since the
 * last time, is what building takes. */
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

/* A frame's steps. */
static Status simulate(Viewer *viewer) {
    Session *session = &viewer->session;
    Scene *scene = session->request.subject->scene;
    Queue *queue = pipeline_queue(session->pipeline);
    const double start = clock_ms();
    TRY(bodies_advance(scene->bodies, &scene->gravity, scene->gravity.substeps, queue));
    TRY(bodies_show(scene));
    if (totals_due(session, scene->bodies)) {
        TRY(bodies_fetch(scene->bodies));
        note_simulated(session, scene);
    }
    session->simulated.steps += scene->gravity.substeps;
    session->simulated.time = scene->bodies->time;
    viewer_record(viewer, "gravity", clock_ms() - start);
    return build_due(session, scene->bodies) ? build_again(session, scene) : STATUS_OK;
}

static Status move_on(Viewer *viewer) {
    const double start = clock_ms();
    if (viewer_scene(viewer)->bodies)
        return simulate(viewer);
    TRY(scene_move(viewer->session.request.subject->scene, motion_time(&viewer->session.motion, start)));
    viewer_record(viewer, "move", clock_ms() - start);
    return STATUS_OK;
}

/* The result's pixels, with the picture's colour profile, as batch saves them. */
static Status make_result(Viewer *viewer, Shape shape) {
    Session *session = &viewer->session;
    image_destroy(&session->result);
    TRY(image_create_unfilled(shape, &session->result));
    const Image *picture = viewer_picture(viewer);
    if (!picture || !picture->profile)
        return STATUS_OK;
    session->result->profile = malloc(picture->profile_size);
    if (!session->result->profile)
        return fail(STATUS_DEVICE, "no memory for the colour profile");
    memcpy(session->result->profile, picture->profile, picture->profile_size);
    session->result->profile_size = picture->profile_size;
    return STATUS_OK;
}

Status viewer_fetch(Viewer *viewer) {
    Session *session = &viewer->session;
    TRY(viewer_end_run(viewer));
    if (session->result && session->result_fetched == session->result_serial)
        return STATUS_OK;
    if (!session->on_device)
        return fail(STATUS_USAGE, "there is no result yet");
    const Shape shape = pipeline_result_shape(session->pipeline);
    const bool fits = session->result && session->result != viewer->pin.image &&
                      shape_equal(session->result->view.shape, shape) &&
                      session->result_of == session->request.subject->serial;
    if (!fits)
        TRY(make_result(viewer, shape));
    session->result_of = session->request.subject->serial;
    const double start = clock_ms();
    TRY(pipeline_download(session->pipeline, session->result->view));
    viewer_record(viewer, "download", clock_ms() - start);
    session->result_fetched = session->result_serial;
    return STATUS_OK;
}

bool viewer_pixels(const Viewer *viewer, size_t x, size_t y, ImageView part) {
    const Session *session = &viewer->session;
    if (!session->on_device || viewer->lent)
        return false;
    const Frame frame = pipeline_result(session->pipeline);
    const size_t width = part.shape.width, height = part.shape.height;
    return x + width <= frame.shape.width && y + height <= frame.shape.height &&
           session->device->backend->download(pipeline_queue(session->pipeline), view_crop(frame, x, y, width, height),
                                              part) == STATUS_OK;
}

Status viewer_send(Viewer *viewer, unsigned object) {
    const Session *session = &viewer->session;
    if (!session->on_device)
        return fail(STATUS_USAGE, "there is no result to send yet");
    return present_send(&viewer->present, pipeline_queue(session->pipeline), object,
                        pipeline_result(session->pipeline));
}

Status viewer_await_sent(Viewer *viewer, double *ms) {
    Session *session = &viewer->session;
    Spans spans = {.profile_trace = viewer->profile_trace};
    *ms = 0;
    const Status ran = viewer_end_run(viewer);
    if (ran != STATUS_OK) {
        char why[TOAST_MAX];
        snprintf(why, sizeof why, "%s", status_message());
        (void)present_wait(&viewer->present, pipeline_queue(session->pipeline), &spans);
        return fail(ran, "%s", why);
    }
    if (!viewer->present.sent)
        return STATUS_OK;
    TRY(present_wait(&viewer->present, pipeline_queue(session->pipeline), &spans));
    for (size_t i = 0; i < spans.count; i++)
        session_record_span(session, spans.spans[i].name, spans.spans[i].ms, false);
    *ms = spans_total(&spans);
    return STATUS_OK;
}

void viewer_release(Viewer *viewer) {
    viewer_release_left(viewer);
    present_close(&viewer->present, viewer->session.device);
}

void viewer_release_left(Viewer *viewer) {
    if (!viewer->left)
        return;
    present_close(&viewer->left_present, viewer->left);
    device_close(&viewer->left);
}

void viewer_route_trouble(const Viewer *viewer, char *buffer, size_t size) {
    const Backend *backend = viewer->session.device->backend;
    const char *trouble = present_trouble(&viewer->present, backend);
    snprintf(buffer, size, "%s%s%s%s%s", trouble ? present_route(&viewer->present, backend)->name : "",
             trouble ? ", since OpenGL is " : "", trouble ? viewer->renderer : "", trouble ? ": " : "",
             trouble ? trouble : "");
}

static void note_result(Session *session) {
    session->has_result = session->on_device = true;
    session->result_job = session->job_serial;
}

/* Of a run that failed. */
static void lose_result(Session *session, Status status) {
    session->on_device = false;
    if (status == STATUS_INTERRUPTED) {
        session->stale = true;
        return;
    }
    session->has_result = false;
    image_destroy(&session->result); /* it is of another job */
}

/* Whether the run that is due takes no longer than handing it over to another thread would, as far as is known. */
static bool is_quick(const Viewer *viewer) {
    const Session *session = &viewer->session;
    const Level *level = session_level(session);
    if (!session->stale || !level || viewer_gathers(viewer) || viewer_moves(viewer))
        return false;
    const Timing known = viewer_level_time(viewer, level);
    double max;
    const double ms = known.known ? known.ms : session_paced_ms(session, &max);
    return ms > 0 && ms < QUICK_RUN_MS;
}

bool viewer_start_run(Viewer *viewer) {
    Session *session = &viewer->session;
    if (!session->pipeline || !is_quick(viewer) || !pipeline_can_start(session->pipeline) || !session->uploaded ||
        present_route(&viewer->present, session->device->backend)->target != ROUTE_TEXTURE ||
        present_route(&viewer->present, session->device->backend) == &route_copy || unfiltered_wanted(viewer) ||
        viewer_end_run(viewer) != STATUS_OK)
        return false; /* viewer_work has the same to do, and says what is wrong */
    if (pipeline_start(session->pipeline) != STATUS_OK)
        return false;
    note_result(session);
    session->result_serial++;
    session->runs = true;
    session->stale = session->keeps_light = session->settled = false;
    viewer_delay_measurements(viewer, REST_MS);
    return true;
}

Status viewer_end_run(Viewer *viewer) {
    Spans spans = {.profile_trace = viewer->profile_trace};
    Session *session = &viewer->session;
    if (!session->runs)
        return STATUS_OK;
    session->runs = false;
    const Status status = pipeline_end(session->pipeline, &spans);
    if (status != STATUS_OK) {
        lose_result(session, status);
        return status;
    }
    note_card(session);
    record_run(viewer, &spans);
    return STATUS_OK;
}

Status viewer_run(Viewer *viewer) {
    Session *session = &viewer->session;
    if (!session->pipeline)
        return STATUS_OK;
    TRY(viewer_end_run(viewer));
    session->on_device = false;
    Status status = viewer_moves(viewer) ? move_on(viewer) : STATUS_OK;
    const double start = clock_ms();
    if (status == STATUS_OK)
        status = viewer_gathers(viewer) ? gather(viewer) : time_run(viewer);
    session->refits.samples = viewer_gathers(viewer) ? fmax(session->progressive.done, 1) : 1;
    session->refits.sample_ms = (clock_ms() - start) / session->refits.samples;
    session->stale = false;
    session->keeps_light &= status == STATUS_INTERRUPTED;
    if (status == STATUS_OK) {
        note_result(session);
        session->result_serial += !viewer_gathers(viewer);
    }
    if (status == STATUS_OK && present_route(&viewer->present, session->device->backend) == &route_copy)
        status = viewer_fetch(viewer);
    if (status == STATUS_OK && unfiltered_due(viewer))
        status = unfiltered_fetch(viewer);
    if (status != STATUS_OK)
        lose_result(session, status);
    return status;
}

void viewer_ask_power(Viewer *viewer) {
    const Telemetry *telemetry = backend_telemetry(viewer->session.device->backend);
    const double now = clock_ms();
    if (viewer->power_time > 0 && now - viewer->power_time < POWER_MS)
        return;
    viewer->power_time = now;
    viewer->power = telemetry->power ? telemetry->power(viewer->session.device) : (Power){-1, -1};
}

/* ---- measurements ---- */

/* What the level that is shown reached of the two ceilings. */
static double reached_bytes(const Viewer *viewer) {
    return viewer_figures(viewer).gigabytes * 1e9;
}

/* The highest dot of the roofline. */
static double reached_flops(const Viewer *viewer) {
    const Session *session = &viewer->session;
    const Figures figures = viewer_figures(viewer);
    double min = figures.ms;
    for (size_t i = 0; i < session->device->backend->level_count && i < LEVELS_MAX; i++)
        if (session->measured.level_times[i].known)
            min = fmin(min, session->measured.level_times[i].ms);
    return figures.flops / fmax(min, 1e-6) * 1e3;
}

static bool copies_due(const Viewer *viewer) {
    return ceiling_doubtful(&viewer->session.measured.yardsticks.copies, reached_bytes(viewer));
}

/* What was measured while the machine was busy is measured again when that may have passed. */
static Status measured(Viewer *viewer, const Ceiling *ceiling, Status status) {
    if (ceiling->busy)
        viewer->session.measure_at = clock_ms() + AGAIN_MS;
    return status;
}

static Status measure_copies(Viewer *viewer) {
    Session *session = &viewer->session;
    Ceiling *copies = &session->measured.yardsticks.copies;
    const Status status =
        ceiling_measure_copies(pipeline_queue(session->pipeline), pipeline_result_shape(session->pipeline), copies);
    copies->tries = status == STATUS_OK ? copies->tries : CEILING_TRIES;
    return measured(viewer, copies, STATUS_OK);
}

static bool difference_due(const Viewer *viewer) {
    const Session *session = &viewer->session;
    unsigned serial;
    const Image *source = viewer_source(viewer, &serial);
    const bool alike =
        source && session->on_device && shape_equal(source->view.shape, pipeline_result_shape(session->pipeline));
    return viewer->compare != COMPARE_NONE && alike &&
           (!viewer_difference(viewer) || session->difference.row < source->view.shape.height);
}

/* What sums say, then as many rows as there is time for, until it is asked to stop. */
static Status compare_rows(Viewer *viewer) {
    Session *session = &viewer->session;
    unsigned serial;
    const ImageView source = viewer_source(viewer, &serial)->view;
    const Queue *queue = pipeline_queue(session->pipeline);
    const double start = clock_ms();
    TRY(viewer_fetch(viewer));
    if (!viewer_difference(viewer)) {
        const Status status =
            likeness_of(pipeline_queue(session->pipeline), source, session->result->view, &session->likeness);
        if (status == STATUS_INTERRUPTED)
            return STATUS_OK; /* it is still due, and the result is what it was */
        if (status != STATUS_OK)
            session->likeness = (Likeness){NAN, NAN, NAN}; /* without these figures the others are still worth having */
        session->difference = (Difference){0};
    }
    session->difference_of_result = session->result_serial;
    session->difference_of_source = serial;
    while (difference_go_on(&session->difference, source, session->result->view, DIFFERENCE_ROWS) &&
           clock_ms() - start < YARDSTICK_MS && !queue_stops(queue))
        continue;
    return STATUS_OK;
}

static Status measure_difference(Viewer *viewer) {
    Stop *stop = viewer->session.stop;
    atomic_store(&stop->gives_way, true);
    const Status status = compare_rows(viewer);
    atomic_store(&stop->gives_way, false);
    return status;
}

static bool lowest_due(const Viewer *viewer) {
    return !viewer->session.measured.yardsticks.unmeasurable && !viewer_lowest_time(viewer).known;
}

static Status measure_lowest(Viewer *viewer) {
    Session *session = &viewer->session;
    Yardsticks *yardsticks = &session->measured.yardsticks;
    const Measurement job = viewer_measurement(viewer);
    Timing timing;
    yardsticks->lowest_level = lowest_level(session->device, session->pipeline);
    yardsticks->unmeasurable = !yardsticks->lowest_level || measurement_time(&job, yardsticks->lowest_level->name,
                                                                             YARDSTICK_MS, 0, &timing) != STATUS_OK;
    if (!yardsticks->unmeasurable)
        session_note_level_time(session, yardsticks->lowest_level, timing);
    return STATUS_OK;
}

/* Without a figure the roofline has no roof, and that is all. */
static bool peak_due(const Viewer *viewer) {
    return ceiling_doubtful(&viewer->session.peak, reached_flops(viewer));
}

static Status measure_peak(Viewer *viewer) {
    Session *session = &viewer->session;
    const Status status = ceiling_measure_flops(pipeline_queue(session->pipeline), &session->peak);
    session->peak.tries = status == STATUS_OK ? session->peak.tries : CEILING_TRIES;
    return measured(viewer, &session->peak, STATUS_OK);
}

static bool trace_stats_due(const Viewer *viewer) {
    return viewer_scene(viewer) && !viewer->session.measured.trace_stats_tried && !viewer_moves(viewer);
}

static Status count_rays(Viewer *viewer) {
    Session *session = &viewer->session;
    const Measurement job = viewer_measurement(viewer);
    session->measured.trace_stats_tried = true;
    return measurement_count_rays(&job, YARDSTICK_MS, history_median(&session->totals), &session->measured.trace_stats,
                                  &session->measured.trace_stats_estimated);
}

/* Whether the time of a lane is known as well as can be. */
static bool lane_settled(const Viewer *viewer, const LevelRaceLane *lane) {
    const Timing known = viewer_level_time(viewer, lane->level);
    return lane->why_not || (known.known && known.estimated && lane->estimates >= ESTIMATES) ||
           trials_interval(&lane->trials) <= SPREAD_MAX * trials_mean(&lane->trials);
}

static bool race_due(const Viewer *viewer) {
    const LevelRace *race = &viewer->session.measured.race;
    bool settled = true;
    for (size_t i = 0; i < race->count; i++)
        settled &= lane_settled(viewer, &race->lanes[i]);
    return viewer->racing && (race->count == 0 || race->next < race->count || (!settled && race->round + 1 < ROUNDS));
}

static void start_race(Viewer *viewer) {
    LadderRow rungs[RUNGS_MAX];
    LevelRace *race = &viewer->session.measured.race;
    if (viewer->session.rungs_due)
        session_note_rungs(&viewer->session);
    *race = (LevelRace){.count = viewer_rungs(viewer, rungs)};
    for (size_t i = 0; i < race->count; i++)
        race->lanes[i] = (LevelRaceLane){.level = rungs[i].level, .why_not = rungs[i].why_not, .error = -1};
}

/* The current rung may be the best for the main stage and still not be able to do another one. */
static const char *lane_level(const Viewer *viewer, const Level *level) {
    const Session *session = &viewer->session;
    return level_why_not(session->device, session->pipeline, level) ? "best" : level->name;
}

/* The pixels that the reference has time for; 0 where that is not known, and of light, which is not the same twice. */
static double compared_pixels(const Viewer *viewer, const Measurement *job) {
    return viewer_gathers(viewer) ? 0 : fmin(measurement_reference_pixels(job, viewer->comparison_ms), COMPARED_PIXELS);
}

/* Whether the level has time for so many of the job's pixels; a job that has fewer is compared as a whole. */
static bool has_time(const Viewer *viewer, const Level *level, const Measurement *job, double pixels) {
    const Timing known = viewer_level_time(viewer, level);
    const double all = (double)job->shape.width * (double)job->shape.height;
    return pixels >= 1 && known.known && known.ms * fmin(pixels / all, 1) <= viewer->comparison_ms;
}

/* How far the level is from the reference, which is run once a job. Where that is not to be had, it stays unknown. */
static void compare_lane(Viewer *viewer, LevelRaceLane *lane) {
    const Measurement job = viewer_measurement(viewer);
    const double pixels = compared_pixels(viewer, &job);
    ReferencePart *part = &viewer->session.reference;
    lane->compared = true;
    if (lane->level == level_reference(lane->level->op)) {
        lane->error = 0;
        return;
    }
    if (!has_time(viewer, lane->level, &job, pixels) ||
        (part->of != viewer->session.job_serial &&
         judge_reference(&job, viewer->session.job_serial, pixels, part) != STATUS_OK))
        return;
    (void)judge_error(&job, part, lane_level(viewer, lane->level), &lane->error);
}

static bool judgement_due(const Viewer *viewer) {
    return viewer->compare != COMPARE_NONE && viewer->session.measured.judgement.level != viewer_level(viewer);
}

/* Where a level fails at it, it is not judged, and that is all. */
static Status judge_level(Viewer *viewer) {
    const Measurement job = viewer_measurement(viewer);
    const double pixels = compared_pixels(viewer, &job);
    Judgement *judgement = &viewer->session.measured.judgement;
    const Level *level = viewer_level(viewer);
    *judgement = (Judgement){.level = level};
    if (has_time(viewer, level, &job, pixels))
        (void)judge_job(&job, lane_level(viewer, level), pixels, judgement);
    return STATUS_OK;
}

static Status time_lane(Viewer *viewer, LevelRaceLane *lane) {
    Session *session = &viewer->session;
    const Measurement job = viewer_measurement(viewer);
    const Timing before = viewer_level_time(viewer, lane->level);
    Timing timing;
    TRY(measurement_time(&job, lane_level(viewer, lane->level), LANE_MS, 0, &timing));
    if (timing.estimated) {
        timing.ms = lane->estimates++ > 0 && before.estimated ? fmin(timing.ms, before.ms) : timing.ms;
    } else {
        trials_add(&lane->trials, timing.ms);
        timing.ms = trials_mean(&lane->trials);
    }
    if (lane->level != session_level(session) || session->measured.race.round == 0) /* the headline's stays */
        session_note_level_time(session, lane->level, timing);
    return STATUS_OK;
}

/* The fastest rungs first: they are what one waits for. Every rung has a time after the first round, in which what was
 * measured in full is not measured again. */
static Status run_lane(Viewer *viewer) {
    LevelRace *race = &viewer->session.measured.race;
    if (race->count == 0)
        start_race(viewer);
    if (race->count == 0)
        return fail(STATUS_USAGE, "nothing here has levels to race");
    if (race->next == race->count) {
        race->next = 0;
        race->round++;
    }
    LevelRaceLane *lane = &race->lanes[race->count - 1 - race->next++];
    const Timing known = viewer_level_time(viewer, lane->level);
    const bool enough = race->round == 0 ? known.known && !known.estimated : lane_settled(viewer, lane);
    if (!lane->why_not && !enough)
        TRY(time_lane(viewer, lane));
    if (!lane->why_not && !lane->compared)
        compare_lane(viewer, lane);
    return STATUS_OK;
}

/* In this order, one piece at a time. */
static const struct {
    bool (*due)(const Viewer *viewer);
    Status (*measure)(Viewer *viewer);
} measurements[] = {
    {difference_due, measure_difference},
    {judgement_due, judge_level},
    {copies_due, measure_copies},
    {lowest_due, measure_lowest},
    {peak_due, measure_peak},
    {trace_stats_due, count_rays},
    {race_due, run_lane},
    {inspector_due, inspector_compute},
};
enum { MEASUREMENTS = sizeof measurements / sizeof measurements[0] };

/* The first that is due, or MEASUREMENTS. */
static size_t measurement_due(const Viewer *viewer) {
    const Session *session = &viewer->session;
    size_t next = 0;
    if (!session->pipeline || pipeline_stage_count(session->pipeline) == 0 || session->totals.count == 0)
        return MEASUREMENTS;
    while (next < MEASUREMENTS && !measurements[next].due(viewer))
        next++;
    return next;
}

void viewer_delay_measurements(Viewer *viewer, double ms) {
    viewer->session.measure_at = fmax(viewer->session.measure_at, clock_ms() + ms);
}

double viewer_waits_ms(const Viewer *viewer) {
    return measurement_due(viewer) < MEASUREMENTS || histogram_due(viewer) || machine_page_due(viewer)
               ? fmax(viewer->session.measure_at - clock_ms(), 0)
               : -1;
}

/* ---- one piece of work after the other ---- */

/* Whether the median is one: of SETTLING_RUNS, of fewer that have taken long, or of none where a run takes very long.
 */
static bool has_median(const Viewer *viewer) {
    const History *totals = &viewer->session.totals;
    const double ms = history_median(totals);
    return totals->count >= SETTLING_RUNS || ms > SLOW_MS ||
           (totals->count >= MEDIAN_RUNS && ms * (double)totals->count > SETTLING_MS);
}

/* One piece of what is due besides endless measuring and moving; false if nothing is. Measurements `wait` until the
 * user's hands rest. */
static bool work_due(Viewer *viewer, bool wait, Status *status) {
    Session *session = &viewer->session;
    const bool staged = session->pipeline && pipeline_stage_count(session->pipeline) > 0;
    const bool gathers = viewer_gathers(viewer), moves = viewer_moves(viewer);
    *status = viewer_end_run(viewer);
    if (!session->pipeline || *status != STATUS_OK)
        return *status != STATUS_OK;
    if (!moves && viewer_scene(viewer) && bodies_behind(viewer_scene(viewer)->bodies)) { /* others look at them now */
        *status = bodies_settle(session->request.subject->scene);
        note_simulated(session, viewer_scene(viewer));
        return true;
    }
    if (session->stale) {
        *status = viewer_run(viewer);
        session->settled = *status != STATUS_OK;
        viewer_delay_measurements(viewer, REST_MS);
        return true;
    }
    if (staged && gathers && !moves && session->totals.count == 0) { /* a preview is there */
        *status = viewer_run(viewer);
        return true;
    }
    if (session->rungs_due && !moves) {
        session_note_rungs(session);
        return true;
    }
    if (unfiltered_due(viewer)) {
        *status = unfiltered_fetch(viewer);
        return true;
    }
    if (mask_editor_response_due(viewer)) {
        *status = mask_editor_respond(viewer);
        return true;
    }
    if (histogram_due_soon(viewer) || (histogram_due(viewer) && (!wait || clock_ms() >= session->measure_at))) {
        *status = histogram_measure(viewer);
        return true;
    }
    if (machine_page_due(viewer) && (!wait || clock_ms() >= session->measure_at)) {
        *status = machine_page_measure(viewer);
        return true;
    }
    if (!staged || session->totals.count == 0)
        return false;
    if (!session->settled && !viewer->held && !viewer->measuring && !moves && !gathers && !has_median(viewer)) {
        *status = time_run(viewer);
        session->settled = *status != STATUS_OK;
        return true;
    }
    const size_t next = measurement_due(viewer);
    if (next < MEASUREMENTS && (!wait || clock_ms() >= session->measure_at)) {
        *status = measurements[next].measure(viewer);
        return true;
    }
    if (gathers && !moves && !progressive_complete(&session->progressive)) {
        *status = viewer_run(viewer);
        return true;
    }
    return false;
}

bool viewer_work(Viewer *viewer) {
    Session *session = &viewer->session;
    Status status;
    const bool stale = session->stale;
    bool worked = work_due(viewer, true, &status);
    const bool endless = viewer_moves(viewer) ? !stale : viewer->measuring && !worked; /* measurements stop no motion */
    if (status == STATUS_OK && endless && session->pipeline) {
        status = viewer_run(viewer);
        worked = true;
    }
    if (status == STATUS_INTERRUPTED) { /* what the device holds is worth nothing */
        session->stale = true;
        session->on_device = false;
        return true;
    }
    if (worked)
        viewer_answer(viewer, TOAST_WORK, status);
    if (status != STATUS_OK)
        viewer->measuring = session->motion.on = false;
    return worked;
}

void viewer_lend(Viewer *viewer, Viewer *borrower) {
    *borrower = *viewer;
    if (viewer->session.unfiltered) /* each may let go of it */
        image_retain(viewer->session.unfiltered);
    viewer->lent = true;
}

void viewer_take_back(Viewer *viewer, const Viewer *borrower) {
    const Toast *said = &borrower->toast;
    viewer->lent = false;
    image_destroy(&viewer->session.unfiltered);
    viewer->session = borrower->session;
    viewer->measuring &= borrower->measuring;
    if (said->until > viewer->toast.until || (viewer->toast.kind == TOAST_WORK && !said->text[0]))
        viewer->toast = *said;
}

double viewer_expected_ms(Viewer *viewer) {
    const Level *level = viewer_level(viewer);
    if (!viewer->session.stale || !level || viewer_gathers(viewer))
        return 0;
    const Timing known = viewer_level_time(viewer, level);
    if (known.known)
        return known.ms;
    double max;
    const double paced = session_paced_ms(&viewer->session, &max);
    if ((paced > 0 && paced < SLOW_MS / 2) || (max > 0 && max < SLOW_MS / 2))
        return paced;
    const Measurement job = viewer_measurement(viewer);
    Timing timing;
    if (measurement_time(&job, viewer->session.request.level, YARDSTICK_MS, SLOW_MS / 2, &timing) != STATUS_OK)
        return 0; /* the run itself will say why */
    session_note_level_time(&viewer->session, level, timing);
    return timing.ms;
}

/* What is waited for: the samples that were asked for, or else as many as suit the look. */
static uint32_t enough_samples(const Session *session) {
    const uint32_t asked = (uint32_t)session->request.gathering.samples;
    return asked != (uint32_t)gathering_default().samples ? asked : looks[session->request.look].samples;
}

Status viewer_finish(Viewer *viewer) {
    Session *session = &viewer->session;
    Status status = STATUS_OK;
    session->samples = session->progressive.samples = enough_samples(session);
    while (status == STATUS_OK && work_due(viewer, false, &status))
        continue;
    session->samples = session->progressive.samples = (uint32_t)session->request.gathering.samples;
    return status;
}

/* A picture with at least the default number of samples of the look. */
static Status gather_enough(Viewer *viewer) {
    Session *session = &viewer->session;
    Spans unrecorded = {0};
    session->samples = session->progressive.samples = enough_samples(session);
    Status status = session->stale || !session->has_result ? viewer_run(viewer) : STATUS_OK;
    while (status == STATUS_OK && !progressive_complete(&session->progressive))
        status = viewer_run(viewer);
    session->samples = session->progressive.samples = (uint32_t)session->request.gathering.samples;
    return status == STATUS_OK && !session->shown ? viewer_show_light(viewer, &unrecorded) : status;
}

/* ---- saving ---- */

/* The result of what is asked for, here. */
static Status bring_result(Viewer *viewer) {
    const Session *session = &viewer->session;
    if (!session->pipeline)
        return fail(STATUS_USAGE, "nothing is open");
    TRY(handles_leave(viewer));
    if (viewer_gathers(viewer))
        TRY(gather_enough(viewer));
    else if (session->stale || !session->has_result)
        TRY(viewer_run(viewer));
    return viewer_fetch(viewer);
}

/* Saves what is shown as its file has it: colours times alpha, and light where that is 0. */
static Status save_premultiplied(const char *path, OutputRules rules, Image *shown) {
    Image *image;
    TRY(image_clone(shown->view, &image));
    view_scale_by_alpha(image->view, false);
    image_pass_on(shown, image);
    image->premultiplied = true;
    const Status status = output_save_picture(path, rules, image, (SaveOptions){0});
    image->premultiplied = false;
    image_pass_on(image, shown);
    image_destroy(&image);
    return status;
}

Status viewer_save_result(Viewer *viewer, const char *path, bool overwrite) {
    TRY(bring_result(viewer));
    const OutputRules rules = {.writer = "frame", .overwrite = overwrite};
    Image *result = viewer->session.result;
    const Subject *subject = viewer->session.request.subject;
    const bool lit = subject->tone.premultiplied && result->view.shape.type == PIXEL_F32;
    return lit && shape_has_alpha(result->view.shape) ? save_premultiplied(path, rules, result)
                                                      : output_save_picture(path, rules, result, (SaveOptions){0});
}

/* Floats between black and white as 16 bits; NaN is black. */
static Status as_u16(ImageView from, Image **image) {
    TRY(image_create(shape_with_type(from.shape, PIXEL_U16), image));
    for (size_t y = 0; y < from.shape.height; y++) {
        const float *values = view_row(from, y);
        uint16_t *to = view_row((*image)->view, y);
        for (size_t i = 0; i < from.shape.width * (size_t)from.shape.channels; i++)
            to[i] = (uint16_t)lrintf(65535 * fminf(fmaxf(values[i], 0), 1));
    }
    return STATUS_OK;
}

Status viewer_encode_result(Viewer *viewer, Bytes *png) {
    Image *converted = NULL;
    TRY(bring_result(viewer));
    const Image *result = viewer->session.result;
    if (result->view.shape.type == PIXEL_F32)
        TRY(as_u16(result->view, &converted));
    const Status status = codec_encode(format_by_name("png"), converted ? converted : result, (SaveOptions){0}, png);
    image_destroy(&converted);
    return status;
}

const char *viewer_result_format(const Viewer *viewer) {
    static const char *const exact[] = {"png", "pfm"};
    const size_t count = sizeof exact / sizeof exact[0];
    char name[16];
    for (size_t i = 0; viewer->session.pipeline && i < count; i++) {
        snprintf(name, sizeof name, "out.%s", exact[i]);
        if (codec_check(name, pipeline_result_shape(viewer->session.pipeline)) == STATUS_OK)
            return exact[i];
    }
    return exact[0]; /* saving says why not */
}

Status viewer_fresh_name(const char *stem, const char *format, char *path, size_t size) {
    for (int number = 1; number <= FILES_MAX; number++) {
        snprintf(path, size, "%s-%03d.%s", stem, number, format);
        if (access(path, F_OK) != 0)
            return STATUS_OK;
    }
    return fail(STATUS_INPUT, "there are %d files named %s-*.%s already", FILES_MAX, stem, format);
}
