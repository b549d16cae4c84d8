/* viewer.c: the viewer's state and its changes: each change is another request. */
#include "app/view/session/viewer.h"

#include "app/view/data/film.h"
#include "app/view/session/tool.h"
#include "core/base/stop.h"
#include "core/device/backend.h"
#include "core/device/partial.h"
#include "core/run/simulation.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SCENE "spheres"
#define WORST_SCALE   32.0 /* window pixels a picture pixel, at least */

enum { SEAMLESS = 8 /* samples of a pixel, of which nobody sees one more */ };

/* ---- the picture or scene that is shown ---- */

Request viewer_request(const Viewer *viewer) {
    const Request *request = viewer->request;
    return *request;
}

const SubjectKind *viewer_kind(const Viewer *viewer) {
    const Subject *subject = viewer->session->request.subject;
    return subject ? subject->kind : &subject_picture;
}

const char *viewer_title(const Viewer *viewer) {
    const Subject *subject = viewer->session->request.subject;
    return subject ? subject->name : "";
}

bool viewer_keeps_size(const Viewer *viewer) {
    const Shape picture = viewer_shape(viewer), shown = viewer_shown_shape(viewer);
    return picture.width == shown.width && picture.height == shown.height;
}

size_t viewer_rungs(const Viewer *viewer, LadderRow rungs[RUNGS_MAX]) {
    memcpy(rungs, viewer->session->rungs, viewer->session->rung_count * sizeof *rungs);
    return viewer->session->rung_count;
}

/* A job in the place of another one need not fit the level that was chosen for that. The first job has to take the
 * level that was asked for with it. */
static Fallback instead(const Viewer *viewer) {
    return viewer->session->pipeline ? FALLBACK_BEST : FALLBACK_NONE;
}

Status viewer_show(Viewer *viewer, SubjectPlace place) {
    Request next = viewer_request(viewer);
    if (place == viewer_kind(viewer)->place)
        return STATUS_OK;
    next.subject = viewer->open[place];
    if (!next.subject)
        return place == SUBJECT_SCENE ? viewer_open_scene(viewer, DEFAULT_SCENE)
                                      : fail(STATUS_USAGE, "%s", subject_kinds[place]->missing);
    return viewer_ask(viewer, next, instead(viewer));
}

Status viewer_reload(Viewer *viewer) {
    return viewer->session->request.subject ? viewer_kind(viewer)->reopen(viewer)
                                            : fail(STATUS_USAGE, "nothing is open");
}

/* Whether this subject is shown already. */
static bool shown_again(const Viewer *viewer, const Subject *subject) {
    return viewer_kind(viewer) == subject->kind && strcmp(viewer_title(viewer), subject->name) == 0;
}

/* ---- pictures ---- */

Status viewer_open_picture(Viewer *viewer, size_t index) {
    Subject *opened;
    TRY(subject_open_picture(viewer->pictures.paths[index], &opened));
    profile_trace_add(viewer->profile_trace, TRACK_MAIN, "decode", NULL, clock_ms() - opened->decode_ms,
                      opened->decode_ms);
    const Subject *before = viewer->open[SUBJECT_PICTURE];
    const Shape shape = opened->picture->view.shape, old = before ? before->picture->view.shape : (Shape){0};
    opened->exposure = shown_again(viewer, opened) ? viewer_exposure(viewer) : 0;
    Request next = viewer_request(viewer);
    next.subject = opened;
    TRY(viewer_ask(viewer, next, instead(viewer)));
    viewer->pictures.current = index;
    viewer->viewport.fitted |= shape.width != old.width || shape.height != old.height;
    return STATUS_OK;
}

Status viewer_show_first(Viewer *viewer, size_t from) {
    Status status = fail(STATUS_INPUT, "no picture to show");
    for (size_t i = from; i < viewer->pictures.count; i++) {
        status = viewer_open_picture(viewer, i);
        if (status == STATUS_OK)
            return STATUS_OK;
        viewer_say(viewer, true, "%s", status_message());
    }
    return status;
}

Status viewer_open(Viewer *viewer, const char *path) {
    char *const paths[] = {(char *)(size_t)path};
    return viewer_open_all(viewer, paths, 1);
}

Status viewer_open_all(Viewer *viewer, char *const paths[], size_t count) {
    const size_t before = viewer->pictures.count;
    Status status = STATUS_OK;
    bool opened = false;
    for (size_t i = 0; i < count; i++) {
        const bool scene = scene_text_recognize(paths[i]);
        status = scene ? viewer_open_scene(viewer, paths[i]) : file_list_add(&viewer->pictures, paths[i]);
        opened |= scene && status == STATUS_OK;
        if (status != STATUS_OK && count > 1)
            viewer_say(viewer, true, "%s", status_message());
    }
    if (viewer->pictures.count > before)
        status = viewer_show_first(viewer, before);
    if (status != STATUS_OK)
        file_list_shorten(&viewer->pictures, before);
    return opened ? STATUS_OK : status;
}

Status viewer_step_picture(Viewer *viewer, int steps) {
    const size_t count = viewer->pictures.count;
    if (viewer_scene(viewer))
        return fail(STATUS_USAGE, "a scene is shown: i goes back to the pictures");
    if (count < 2)
        return fail(STATUS_USAGE, "there is no other picture; open a folder or several files");
    size_t index = viewer->pictures.current;
    for (size_t tried = 1; tried < count; tried++) {
        index = (index + (steps > 0 ? 1 : count - 1)) % count;
        if (viewer_open_picture(viewer, index) == STATUS_OK)
            return STATUS_OK;
        viewer_say(viewer, true, "%s", status_message());
    }
    return fail(STATUS_INPUT, "none of the other pictures can be shown");
}

/* ---- scenes ---- */

/* Whether the scene is made for light: it has lights, a sky, a ground, or surfaces other than plain colours. */
static bool is_of_light(const Scene *scene) {
    return scene->light_count > 0 || scene->sky.kind != SKY_NONE || scene->has_ground || scene->material_count > 1;
}

/* Scenes of light open in it; others as before, if that was not for the sake of the scene before. */
static void take_look(Request *request, const Scene *scene) {
    if (is_of_light(scene) && !look_is_light(request->look)) {
        request->look_before = request->look;
        request->look = LOOK_PATHS;
        request->look_taken = true;
    } else if (!is_of_light(scene) && request->look_taken) {
        request->look = request->look_before;
        request->look_taken = false;
    }
}

/* Begins with the exposure that suits the scene's light; where that cannot be measured, with none. */
static void take_exposure(Viewer *viewer) {
    const Measurement job = session_measurement(viewer_session(viewer));
    double *stops = &viewer->session->request.subject->default_exposure;
    if (viewer_gathers(viewer) && is_of_light(job.scene))
        (void)measurement_exposure(&job, stops);
    (void)viewer_set_exposure(viewer, *stops);
}

/* Whether another text is of the scene that is shown, but for changes. */
static bool is_changed(const Viewer *viewer, const char *text) {
    const char *now = viewer_title(viewer);
    const size_t base = scene_text_base(text);
    return viewer_scene(viewer) && base == scene_text_base(now) && strncmp(text, now, base) == 0 &&
           strcmp(text, now) != 0 && strlen(text) < SCENE_TEXT_MAX;
}

Status viewer_open_scene(Viewer *viewer, const char *text) {
    Subject *opened;
    if (is_changed(viewer, text)) {
        Request next = viewer_request(viewer);
        snprintf(next.scene, sizeof next.scene, "%s", text);
        return viewer_ask(viewer, next, instead(viewer));
    }
    TRY(subject_open_scene(text, &opened));
    const Scene *scene = opened->scene;
    const bool again = shown_again(viewer, opened);
    Request next = viewer_request(viewer);
    next.subject = opened;
    if (again) {
        opened->exposure = viewer_exposure(viewer);
        opened->default_exposure = viewer->session->request.subject->default_exposure;
    } else {
        take_look(&next, scene);
    }
    orbit_camera_reset(&next.orbit_camera, scene, viewer->area, viewer->width, viewer->height);
    if (!scene->has_viewpoint)
        orbit_camera_fit(&next.orbit_camera, scene, viewer->area, viewer->width, viewer->height);
    TRY(viewer_ask(viewer, next, instead(viewer)));
    viewer->session->motion = (Motion){.on = viewer->session->motion.on};
    viewer->session->simulated = (Simulated){0};
    if (!again)
        take_exposure(viewer);
    return STATUS_OK;
}

bool viewer_denoises(const Viewer *viewer) {
    const Request *request = &viewer->session->request;
    return viewer_scene(viewer) && request->look == LOOK_PATHS && request->gathering.denoise > 0;
}

Status viewer_set_exposure(Viewer *viewer, double stops) {
    Session *session = viewer->session;
    Spans unrecorded = {0};
    if (!session->request.subject)
        return STATUS_OK;
    session->request.subject->exposure = stops;
    if (!viewer_gathers(viewer))
        return STATUS_OK;
    progressive_set_exposure(session->pipeline, (float)exp2(stops));
    session->shown_at = 0; /* the next result has it */
    const bool seam = session->progressive.done < SEAMLESS && !progressive_even(&session->progressive);
    return session->on_device && !seam ? session_show_light(viewer_session(viewer), &unrecorded) : STATUS_OK;
}

Tone viewer_tone(const Viewer *viewer) {
    return (Tone){viewer_exposure(viewer), viewer->grade.gamma};
}

Status viewer_change_tone(Viewer *viewer, const char *text) {
    Tone tone = viewer_tone(viewer);
    const char *at;
    TRY(params_parse(tone_table, "tone", text, text + strlen(text), &tone, &at));
    viewer->grade.gamma = tone.gamma;
    return viewer_set_exposure(viewer, tone.exposure);
}

Status viewer_switch_camera(Viewer *viewer) {
    Request next = viewer_request(viewer);
    orbit_camera_switch(&next.orbit_camera, viewer_scene(viewer), viewer->area, viewer->width, viewer->height);
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status viewer_set_look(Viewer *viewer, Look look) {
    Request next = viewer_request(viewer);
    next.look = look;
    next.look_taken = false;
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

void viewer_toggle_motion(Viewer *viewer) {
    Session *session = viewer->session;
    motion_toggle(&session->motion);
    session->stale = session->pipeline != NULL;
    session_clear_spans(session);
}

/* ---- level, border, backend ---- */

Status viewer_set_level(Viewer *viewer, const char *name) {
    Request next = viewer_request(viewer);
    snprintf(next.level, sizeof next.level, "%s", name);
    return viewer_ask(viewer, next, FALLBACK_NONE);
}

Status viewer_set_border(Viewer *viewer, Border border, Fallback fallback) {
    Request next = viewer_request(viewer);
    next.options.border = border;
    return viewer_ask(viewer, next, fallback);
}

Status viewer_set_backend(Viewer *viewer, const char *name) {
    Request next = viewer_request(viewer);
    snprintf(next.backend, sizeof next.backend, "%s", name);
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status viewer_set_device(Viewer *viewer, int number) {
    Request next = viewer_request(viewer);
    const Backend *backend = backend_by_name(next.backend);
    int count = 0;
    if (!backend || backend->host_frames)
        return fail(STATUS_USAGE, "%s is one device", next.backend);
    TRY(backend->device_count(&count));
    if (number < 0 || number >= count)
        return fail(STATUS_USAGE, "%s has %d device%s, counted from 0", next.backend, count, count == 1 ? "" : "s");
    next.device = number;
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status viewer_set_route(Viewer *viewer, const char *name) {
    Session *session = viewer->session;
    TRY(present_choose(viewer->present, session->device->backend, name));
    session->stale = session->pipeline != NULL;
    session_clear_spans(session);
    return STATUS_OK;
}

Border viewer_default_border(const Viewer *viewer, BorderMode mode) {
    const Border now = viewer->request->options.border;
    Border border = {mode, 0};
    if (borders[mode].takes_value)
        border.value = now.mode == mode ? now.value : (float)(pixel_type_white(viewer_shape(viewer).type) / 2);
    return border;
}

Param viewer_param(const Viewer *viewer, const Param *param) {
    return param_for_white(param, pixel_type_white(viewer_shape(viewer).type));
}

/* ---- undo ---- */

Status viewer_go_to_edit(Viewer *viewer, size_t index) {
    Edits *edits = &viewer->edits;
    const size_t at = edits->at;
    Request request;
    TRY(edits_request(edits, index, viewer_request(viewer), &request));
    edits->at = index; /* so that it is no edit of its own */
    const Status status = viewer_ask(viewer, request, FALLBACK_BEST);
    edits->at = status == STATUS_OK ? index : at;
    return status;
}

Status viewer_undo(Viewer *viewer) {
    const Edits *edits = &viewer->edits;
    const size_t at = edits->at;
    if (at == 0)
        return fail(STATUS_USAGE, "there is nothing to undo");
    TRY(viewer_go_to_edit(viewer, at - 1));
    viewer_say(viewer, false, "undone: %s", edits->list[at].words);
    return STATUS_OK;
}

Status viewer_redo(Viewer *viewer) {
    const Edits *edits = &viewer->edits;
    if (edits->at + 1 >= edits->count)
        return fail(STATUS_USAGE, "there is nothing to do again");
    TRY(viewer_go_to_edit(viewer, edits->at + 1));
    viewer_say(viewer, false, "done again: %s", edits->list[edits->at].words);
    return STATUS_OK;
}

/* ---- the view ---- */

Viewport viewer_viewport(const Viewer *viewer) {
    return viewer_kind(viewer)->viewport(viewer);
}

Area viewer_result_area(const Viewer *viewer) {
    Area area = viewer->area;
    unsigned serial;
    if (viewer->compare == COMPARE_SIDES && viewer_source(viewer, &serial)) {
        area.width /= 2;
        area.x += area.width;
    }
    return area;
}

double viewer_split_x(const Viewer *viewer) {
    const Area area = viewer->area;
    return fmin(fmax(viewer->split * viewer->width, area.x), area.x + area.width);
}

bool viewer_flickers(const Viewer *viewer) {
    return viewer->compare == COMPARE_FLICKER && fmod(clock_ms(), 2 * FLICKER_MS) < FLICKER_MS;
}

bool viewer_shows_difference(const Viewer *viewer) {
    unsigned serial;
    return viewer->compare == COMPARE_DIFFERENCE && !viewer->unfiltered && viewer_source(viewer, &serial);
}

Status viewer_fit_gain(Viewer *viewer) {
    const Difference *difference = viewer_difference(viewer);
    if (viewer->compare == COMPARE_NONE || !difference)
        return fail(STATUS_USAGE, "nothing is compared yet: difference first");
    if (!(difference->max > 0) || !isfinite(difference->max))
        return fail(STATUS_USAGE, difference->max > 0 ? "the largest difference has no size" : "nothing differs");
    viewer->gain = fmin(difference_gain(difference, viewer_shown_shape(viewer)), EXPOSURE_MAX);
    return STATUS_OK;
}

Status viewer_show_worst(Viewer *viewer) {
    const Difference *difference = viewer_difference(viewer);
    const Area area = viewer_result_area(viewer);
    if (viewer->compare == COMPARE_NONE || !difference)
        return fail(STATUS_USAGE, "nothing is compared yet: split or difference first");
    const double scale = fmax(viewer_viewport(viewer).scale, WORST_SCALE);
    viewer->viewport = (Viewport){.scale = scale,
                                  .x = area.x + area.width / 2 - ((double)difference->x + 0.5) * scale,
                                  .y = area.y + area.height / 2 - ((double)difference->y + 0.5) * scale};
    return STATUS_OK;
}

void viewer_fit(Viewer *viewer) {
    viewer_kind(viewer)->fit(viewer);
}

void viewer_reset_view(Viewer *viewer) {
    if (viewer->session->request.subject)
        viewer_kind(viewer)->reset(viewer);
}

void viewer_zoom(Viewer *viewer, double factor, double x, double y) {
    viewer_kind(viewer)->zoom(viewer, factor, x, y);
}

void viewer_pan(Viewer *viewer, double dx, double dy) {
    viewer_kind(viewer)->pan(viewer, dx, dy);
}

static bool area_equal(Area a, Area b) {
    const double away = fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.width - b.width) + fabs(a.height - b.height);
    return away < 0.5;
}

void viewer_resize(Viewer *viewer, int width, int height) {
    if (width == viewer->width && height == viewer->height)
        return;
    viewer->width = width;
    viewer->height = height;
    viewer->area = (Area){0, 0, width, height};
    viewer_kind(viewer)->follow(viewer, true);
}

void viewer_set_area(Viewer *viewer, Area area) {
    if (viewer->lent || area_equal(area, viewer->area) || area.width < 1 || area.height < 1)
        return;
    viewer->area = area;
    viewer_kind(viewer)->follow(viewer, false);
}

/* ---- birth and death ---- */

/* A viewer and the structs that it points to, but for tools. */
typedef struct Room {
    Viewer viewer;
    Request request;
    Session sessions[2];
    Present present, left_present;
    Pacing pacing;
    WindowRequests requests;
    Interface ui;
} Room;

static void set_up(Room *room, Device *device, PlanOptions options) {
    room->request = (Request){.options = options, .orbit_camera = orbit_camera_default()};
    room->request.gathering = gathering_default();
    room->sessions[0].device = device;
    room->sessions[0].samples = (uint32_t)room->request.gathering.samples;
    room->present = (Present){.wanted = "best"};
    room->viewer = (Viewer){.request = &room->request,
                            .session = &room->sessions[0],
                            .other = &room->sessions[1],
                            .left_present = &room->left_present,
                            .present = &room->present,
                            .pacing = &room->pacing,
                            .requests = &room->requests,
                            .ui = &room->ui,
                            .width = 1280,
                            .height = 800,
                            .area = {0, 0, 1280, 800},
                            .viewport = {.scale = 1, .fitted = true},
                            .overlay = OVERLAY_FULL,
                            .facts = true,
                            .draws = {.since = clock_ms()},
                            .began = clock_ms(),
                            .rate = RATE_DEFAULT,
                            .split = 0.5,
                            .selected = SIZE_MAX,
                            .comparison_ms = 50,
                            .grade = grade_default(),
                            .scale = 1};
}

Status viewer_create(Device *device, const char *chain, const char *level, PlanOptions options, Viewer **viewer) {
    Room *room = calloc(1, sizeof *room);
    *viewer = NULL;
    if (!room) {
        device_close(&device);
        return fail(STATUS_DEVICE, "no memory for the viewer");
    }
    set_up(room, device, options);
    Viewer *made = &room->viewer;
    *viewer = made;
    Session *session = made->session;
    Request first = room->request;
    snprintf(first.backend, sizeof first.backend, "%s", device->backend->name);
    snprintf(first.level, sizeof first.level, "%s", level);
    session->stop = calloc(1, sizeof *session->stop);
    session->partial = calloc(1, sizeof *session->partial); /* NULL: results are seen once they are there */
    Status status = tools_create(&made->tools);
    if (status == STATUS_OK)
        status = session->stop ? chain_parse(chain, &first.chain) : fail(STATUS_DEVICE, "no memory for the viewer");
    if (status == STATUS_OK)
        status = viewer_ask(made, first, FALLBACK_NONE);
    if (status != STATUS_OK)
        viewer_destroy(viewer);
    return status;
}

static void free_session(Session *session) {
    ahead_free(&session->ahead);
    counted_free(&session->counted);
    response_free(&session->response);
    noise_free(&session->noise);
    reference_part_free(&session->reference);
    (void)simulation_close(&session->simulation);
    pipeline_destroy(&session->pipeline);
    device_close(&session->device);
    image_destroy(&session->result);
    image_destroy(&session->unfiltered);
    preview_free(&session->preview);
    free(session->stop);
    free(session->partial);
}

void viewer_destroy(Viewer **place) {
    Viewer *old = *place;
    if (!old)
        return;
    viewer_release(old);
    tools_destroy(&old->tools);
    free_session(old->session);
    if (old->request->chain != old->session->request.chain)
        chain_destroy(&old->request->chain);
    chain_destroy(&old->session->request.chain);
    for (int i = 0; i < SUBJECTS; i++)
        subject_close(&old->open[i]);
    file_list_free(&old->pictures);
    edits_free(&old->edits);
    edits_free(&old->waiting);
    choices_clear(&old->ui->choices);
    free((Room *)old); /* the viewer is its first member */
    *place = NULL;
}
