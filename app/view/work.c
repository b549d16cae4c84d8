/* work.c: what the viewer does between events: runs, light that is gathered, measurements, and results. */
#include "app/view/inside.h"

#include "core/codec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SETTLING_RUNS = 15,
    FILES_MOST = 999,
    COUNTED_MOST = 1 << 21 /* spheres, for their hierarchy to be built again */
};
#define SETTLING_MS 400.0 /* after a change the job is repeated this long, so that medians mean something */
#define LOWEST_MS   250.0 /* for the lowest rung */
#define LANE_MS     700.0 /* for each level of a race */
#define POWER_MS    100.0 /* asking takes up to a millisecond */
#define COUNT_MOST  400.0 /* ms that a trace may take for its rays to be counted, which takes several times as long */
#define FRAME_MS    30.0  /* for a step of light: hands wait no longer */

/* ---- runs ---- */

/* The result anew, of what is gathered. */
Status viewer_show_light(Viewer *viewer, Spans *spans) {
    const double start = clock_ms();
    TRY(render_show(&viewer->render, spans));
    viewer->shown_at = clock_ms();
    viewer->show_ms = viewer->shown_at - start;
    viewer->shown = true;
    viewer->result_serial++;
    return STATUS_OK;
}

static Status upload_once(Viewer *viewer) {
    const double start = clock_ms();
    if (viewer->uploaded)
        return STATUS_OK;
    if (!viewer->in_scene)
        TRY(pipeline_upload(viewer->pipeline, viewer->picture->view));
    viewer->uploaded = true;
    viewer->upload_ms = clock_ms() - start;
    if (!viewer->in_scene)
        viewer_record(viewer, "upload", viewer->upload_ms);
    return STATUS_OK;
}

static void record_run(Viewer *viewer, const Spans *spans) {
    for (size_t i = 0; i < spans->count; i++)
        viewer_record_span(viewer, spans->spans[i].name, spans->spans[i].ms, true);
    history_add(&viewer->totals, spans_total(spans));
    history_add(&viewer->graph, spans_total(spans));
    viewer_note_times(viewer);
    if (viewer_level(viewer) &&
        viewer->yardsticks.lowest_level == viewer_level(viewer)) /* better than an estimate, and of all pixels */
        viewer->yardsticks.lowest = (Timing){.known = true, .ms = history_median(&viewer->totals)};
}

static Status time_run(Viewer *viewer) {
    Spans spans = {.recorder = viewer->recorder};
    TRY(upload_once(viewer));
    TRY(pipeline_run(viewer->pipeline, &spans));
    record_run(viewer, &spans);
    return STATUS_OK;
}

/* A step of light, begun anew if need be. What it took is recorded as what one sample of all pixels takes. */
static Status gather(Viewer *viewer) {
    Spans spans = {.recorder = viewer->recorder};
    Render *render = &viewer->render;
    const Shape shape = pipeline_result_shape(viewer->pipeline);
    const double cost = render->cost, pixels = (double)shape.width * (double)shape.height;
    const bool anew =
        render->pipeline != viewer->pipeline || viewer->stale || viewer_moves(viewer) || render_complete(render);
    TRY(upload_once(viewer));
    if (anew) {
        render_begin(render, viewer->pipeline);
        render->cost = cost;
        render->samples = viewer->samples;
    }
    const bool coarse = anew && !(cost > 0 && cost * pixels <= FRAME_MS);
    TRY(coarse ? render_preview(render, FRAME_MS, &spans) : render_step(render, FRAME_MS, &spans));
    if (spans.count > 0 && !coarse)
        spans.spans[0].ms = render->cost * pixels;
    viewer->shown = false;
    /* Making a picture shall not take more than a fifth of the time. */
    if (anew || render_complete(render) || clock_ms() - viewer->shown_at > 4 * viewer->show_ms)
        TRY(viewer_show_light(viewer, &spans));
    if (!coarse)
        record_run(viewer, &spans);
    return STATUS_OK;
}

static Status move_on(Viewer *viewer) {
    const double start = clock_ms();
    TRY(scene_move(viewer->scene, motion_time(&viewer->motion, start)));
    viewer_record(viewer, "move", clock_ms() - start);
    return STATUS_OK;
}

/* The result's pixels, with the picture's colour profile, as batch saves them. */
static Status make_result(Viewer *viewer, Shape shape) {
    image_destroy(&viewer->result);
    TRY(image_create(shape, &viewer->result));
    const Image *picture = viewer->picture;
    if (viewer->in_scene || !picture->profile)
        return STATUS_OK;
    viewer->result->profile = malloc(picture->profile_size);
    if (!viewer->result->profile)
        return fail(STATUS_DEVICE, "no memory for the colour profile");
    memcpy(viewer->result->profile, picture->profile, picture->profile_size);
    viewer->result->profile_size = picture->profile_size;
    return STATUS_OK;
}

Status viewer_fetch(Viewer *viewer) {
    if (viewer->result && viewer->result_fetched == viewer->result_serial)
        return STATUS_OK;
    if (!viewer->on_device)
        return fail(STATUS_USAGE, "there is no result yet");
    const Shape shape = pipeline_result_shape(viewer->pipeline);
    const bool fits = viewer->result && shape_equal(viewer->result->view.shape, shape) &&
                      viewer->result_of == viewer->picture_serial && viewer->result_in_scene == viewer->in_scene;
    if (!fits)
        TRY(make_result(viewer, shape));
    viewer->result_of = viewer->picture_serial;
    viewer->result_in_scene = viewer->in_scene;
    const double start = clock_ms();
    TRY(pipeline_download(viewer->pipeline, viewer->result->view));
    viewer_record(viewer, "download", clock_ms() - start);
    viewer->result_fetched = viewer->result_serial;
    return STATUS_OK;
}

bool viewer_pixel(const Viewer *viewer, size_t x, size_t y, ImageView pixel) {
    if (!viewer->on_device)
        return false;
    const Frame frame = pipeline_result(viewer->pipeline);
    return x < frame.shape.width && y < frame.shape.height &&
           viewer->device->backend->download(viewer->device, view_crop(frame, x, y, 1, 1), pixel) == STATUS_OK;
}

Status viewer_send(Viewer *viewer, unsigned object) {
    Spans spans = {.recorder = viewer->recorder};
    if (!viewer->on_device)
        return fail(STATUS_USAGE, "there is no result to send yet");
    TRY(present_send(&viewer->present, viewer->device, object, pipeline_result(viewer->pipeline), &spans));
    for (size_t i = 0; i < spans.count; i++)
        viewer_record_span(viewer, spans.spans[i].name, spans.spans[i].ms, false);
    return STATUS_OK;
}

void viewer_release(Viewer *viewer) {
    present_close(&viewer->present, viewer->device);
}

void viewer_route_trouble(const Viewer *viewer, char *buffer, size_t size) {
    const Backend *backend = viewer->device->backend;
    const char *trouble = present_trouble(&viewer->present, backend);
    snprintf(buffer, size, "%s%s%s%s%s", trouble ? present_route(&viewer->present, backend)->name : "",
             trouble ? ", since OpenGL is " : "", trouble ? viewer->renderer : "", trouble ? ": " : "",
             trouble ? trouble : "");
}

Status viewer_run(Viewer *viewer) {
    if (!viewer->pipeline)
        return STATUS_OK;
    viewer->on_device = false;
    Status status = viewer_moves(viewer) ? move_on(viewer) : STATUS_OK;
    if (status == STATUS_OK)
        status = viewer_gathers(viewer) ? gather(viewer) : time_run(viewer);
    viewer->stale = false;
    if (status == STATUS_OK) {
        viewer->has_result = viewer->on_device = true;
        viewer->result_serial += !viewer_gathers(viewer);
    }
    if (status == STATUS_OK && present_route(&viewer->present, viewer->device->backend) == &route_copy)
        status = viewer_fetch(viewer);
    if (status != STATUS_OK) {
        viewer->has_result = viewer->on_device = false;
        image_destroy(&viewer->result); /* it is of another job */
    }
    return status;
}

static Status measure_yardsticks(Viewer *viewer) {
    Yardsticks *yardsticks = &viewer->yardsticks;
    if (!(yardsticks->copy_ms > 0))
        return copy_time(viewer->device, viewer->pipeline, &yardsticks->copy_ms);
    yardsticks->lowest_level = lowest_level(viewer->device, viewer->pipeline);
    if (!yardsticks->lowest_level)
        return fail(STATUS_USAGE, "no rung to compare with");
    const Job job = viewer_job(viewer);
    TRY(job_time(&job, yardsticks->lowest_level->name, LOWEST_MS, &yardsticks->lowest));
    viewer_note_level_time(viewer, yardsticks->lowest_level, yardsticks->lowest);
    return STATUS_OK;
}

void viewer_ask_power(Viewer *viewer) {
    const Backend *backend = viewer->device->backend;
    const double now = clock_ms();
    if (viewer->power_time > 0 && now - viewer->power_time < POWER_MS)
        return;
    viewer->power_time = now;
    viewer->power = backend->power ? backend->power(viewer->device) : (Power){-1, -1};
}

/* Without a figure the roofline has no roof, and that is all. */
static void measure_peak(Viewer *viewer) {
    const Backend *backend = viewer->device->backend;
    viewer->peak_tried = true;
    if (backend->peak && backend->peak(viewer->device, &viewer->peak) != STATUS_OK)
        viewer->peak = 0;
}

/* Light is counted by one sample of each pixel; a job that would hold hands up for long is not counted. */
static Status count_rays(Viewer *viewer) {
    Stage stage = *pipeline_stage(viewer->pipeline, 0);
    viewer->rays_tried = true;
    if (history_median(&viewer->totals) > COUNT_MOST || viewer->scene->count > COUNTED_MOST)
        return STATUS_OK;
    stage.trace.sampling.first = 0;
    stage.trace.sampling.samples = 1;
    stage.trace.part = (Part){0};
    Status status = viewer->device->backend->frame_create(viewer->device, stage.out.shape, &stage.out);
    if (status == STATUS_OK)
        status = rays_measure(viewer->device, &stage, 5, &viewer->rays);
    viewer->device->backend->frame_destroy(viewer->device, &stage.out);
    return status;
}

static void start_race(Viewer *viewer) {
    Rung rungs[RUNGS_MOST];
    Race *race = &viewer->race;
    race->count = viewer_rungs(viewer, rungs);
    for (size_t i = 0; i < race->count; i++)
        race->lanes[i] = (RaceLane){.level = rungs[i].level, .why_not = rungs[i].why_not};
    race->next = 0;
}

/* The fastest rungs first: they are what one waits for. */
static Status run_lane(Viewer *viewer) {
    Race *race = &viewer->race;
    RaceLane *lane = &race->lanes[race->count - 1 - race->next++];
    if (lane->why_not)
        return STATUS_OK;
    /* The current rung may be the best for the main stage and still not be able to do another one. */
    const bool alone = !level_why_not(viewer->device, viewer->pipeline, lane->level);
    const Job job = viewer_job(viewer);
    TRY(job_time(&job, alone ? lane->level->name : "best", LANE_MS, &lane->timing));
    viewer_note_level_time(viewer, lane->level, lane->timing);
    if (lane->level == viewer->yardsticks.lowest_level && !lane->timing.estimated)
        viewer->yardsticks.lowest = lane->timing;
    return STATUS_OK;
}

static void settle(Viewer *viewer) {
    viewer->settling = SETTLING_RUNS;
    viewer->settle_until = clock_ms() + SETTLING_MS;
}

/* One piece of what is due besides endless measuring and moving; false if nothing is. */
static bool work_due(Viewer *viewer, Status *status) {
    const bool staged = viewer->pipeline && pipeline_stage_count(viewer->pipeline) > 0;
    *status = STATUS_OK;
    if (!viewer->pipeline)
        return false;
    if (viewer->stale) {
        *status = viewer_run(viewer);
        settle(viewer);
        return true;
    }
    if (staged && viewer_gathers(viewer) && !viewer_moves(viewer) &&
        viewer->totals.count == 0) { /* a preview is there */
        *status = viewer_run(viewer);
        return true;
    }
    if (!staged || viewer->totals.count == 0)
        return false;
    if (viewer->settling > 0 && !viewer->measuring && !viewer_moves(viewer) && !viewer_gathers(viewer)) {
        const bool time_left = clock_ms() + history_latest(&viewer->totals) < viewer->settle_until;
        viewer->settling = time_left ? viewer->settling - 1 : 0;
        if (time_left) {
            *status = time_run(viewer);
            return true;
        }
    }
    if (!viewer->yardsticks.unmeasurable && !viewer->yardsticks.lowest.known) {
        viewer->yardsticks.unmeasurable = measure_yardsticks(viewer) != STATUS_OK;
        return true;
    }
    if (!viewer->peak_tried) {
        measure_peak(viewer);
        return true;
    }
    if (viewer->in_scene && !viewer->rays_tried && !viewer_moves(viewer)) {
        *status = count_rays(viewer);
        return true;
    }
    if (viewer->racing && viewer->race.count == 0)
        start_race(viewer);
    if (viewer->racing && viewer->race.next < viewer->race.count) {
        *status = run_lane(viewer);
        return true;
    }
    if (viewer_gathers(viewer) && !viewer_moves(viewer) && !render_complete(&viewer->render)) {
        *status = viewer_run(viewer);
        return true;
    }
    return false;
}

bool viewer_work(Viewer *viewer) {
    Status status;
    bool worked = work_due(viewer, &status);
    if (!worked && (viewer->measuring || viewer_moves(viewer)) && viewer->pipeline) {
        status = viewer_run(viewer);
        worked = true;
    }
    if (status != STATUS_OK) {
        viewer_say(viewer, true, "%s", status_message());
        viewer->measuring = viewer->motion.on = false;
        viewer->settling = 0;
    }
    return worked;
}

double viewer_expected_ms(const Viewer *viewer) {
    const Level *level = viewer_level(viewer);
    for (size_t i = 0; i < viewer->race.count; i++)
        if (viewer->race.lanes[i].level == level)
            return viewer->race.lanes[i].timing.ms;
    return level && viewer->yardsticks.lowest_level == level ? viewer->yardsticks.lowest.ms : 0;
}

Status viewer_finish(Viewer *viewer) {
    Status status = STATUS_OK;
    viewer->samples = viewer->render.samples = looks[viewer->look].samples;
    while (status == STATUS_OK && work_due(viewer, &status))
        continue;
    viewer->samples = viewer->render.samples = LIGHT_MOST;
    return status;
}

/* A picture with at least the samples that are usual for the look. */
static Status gather_enough(Viewer *viewer) {
    Spans unrecorded = {0};
    viewer->samples = viewer->render.samples = looks[viewer->look].samples;
    Status status = viewer->stale || !viewer->has_result ? viewer_run(viewer) : STATUS_OK;
    while (status == STATUS_OK && !render_complete(&viewer->render))
        status = viewer_run(viewer);
    viewer->samples = viewer->render.samples = LIGHT_MOST;
    return status == STATUS_OK && !viewer->shown ? viewer_show_light(viewer, &unrecorded) : status;
}

/* ---- saving ---- */

Status viewer_save_result(Viewer *viewer, const char *path, bool overwrite) {
    if (!viewer->pipeline)
        return fail(STATUS_USAGE, "nothing is open");
    if (viewer_gathers(viewer))
        TRY(gather_enough(viewer));
    else if (viewer->stale || !viewer->has_result)
        TRY(viewer_run(viewer));
    TRY(viewer_fetch(viewer));
    return codec_save(path, viewer->result, (SaveOptions){0}, overwrite);
}

Status viewer_fresh_name(const char *stem, char *path, size_t size) {
    for (int number = 1; number <= FILES_MOST; number++) {
        snprintf(path, size, "%s-%03d.png", stem, number);
        if (access(path, F_OK) != 0)
            return STATUS_OK;
    }
    return fail(STATUS_INPUT, "there are %d files named %s-*.png already", FILES_MOST, stem);
}
