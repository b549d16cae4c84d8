/* viewer.c: the viewer's state and its changes: each change is another request. */
#include "app/view/session/viewer.h"

#include "app/listing/listing.h"
#include "app/view/data/film.h"
#include "app/view/data/labels.h"
#include "app/view/data/shared.h"
#include "app/view/session/figure_view.h"
#include "app/view/session/flip_errors.h"
#include "app/view/session/front.h"
#include "app/view/session/keep.h"
#include "app/view/session/preview.h"
#include "app/view/session/strip.h"
#include "app/view/session/structure.h"
#include "app/view/session/tool.h"
#include "core/base/stop.h"
#include "core/device/added.h"
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
    const Subject *subject = viewer->session->subject;
    return subject ? subject->kind : &subject_picture;
}

const char *viewer_title(const Viewer *viewer) {
    const Subject *subject = viewer->session->subject;
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
    Subject *subject = viewer->open[place];
    if (place == viewer_kind(viewer)->place)
        return STATUS_OK;
    if (!subject)
        return place == SUBJECT_SCENE ? viewer_open_scene(viewer, DEFAULT_SCENE)
                                      : fail(STATUS_USAGE, "%s", subject_kinds[place]->missing);
    return keep_go_back(viewer, subject, instead(viewer));
}

Status viewer_reload(Viewer *viewer) {
    return viewer->session->subject ? viewer_kind(viewer)->reopen(viewer) : fail(STATUS_USAGE, "nothing is open");
}

/* Whether this subject is shown already. */
static bool shown_again(const Viewer *viewer, const Subject *subject) {
    return viewer_kind(viewer) == subject->kind && strcmp(viewer_title(viewer), subject->name) == 0;
}

/* ---- pictures ---- */

/* The list's entry is shown. */
static void note_shown(Viewer *viewer, size_t index) {
    strip_follow(viewer, index);
    viewer->pictures.current = index;
    viewer->ui->welcome = false;
}

/* A file that is half-written never replaces the whole picture that is shown of it. */
static Status check_whole_again(const Viewer *viewer, Subject **opened) {
    const Subject *shown = viewer->open[SUBJECT_PICTURE];
    if (!(*opened)->ends_early[0] || !shown || shown->ends_early[0] || strcmp(shown->name, (*opened)->name) != 0)
        return STATUS_OK;
    const Status status = fail(STATUS_INPUT, "%s", (*opened)->ends_early);
    subject_close(opened);
    return status;
}

Status viewer_open_picture(Viewer *viewer, size_t index) {
    Subject *opened;
    if (viewer->pictures.marks[index].scene) {
        TRY(viewer_open_scene(viewer, viewer->pictures.paths[index]));
        note_shown(viewer, index);
        return STATUS_OK;
    }
    TRY(subject_open_picture(viewer->pictures.paths[index], viewer->raw, viewer->hdr, &opened));
    TRY(check_whole_again(viewer, &opened));
    profile_trace_add(viewer->profile_trace, TRACK_MAIN, "decode", NULL, clock_ms() - opened->decode_ms,
                      opened->decode_ms);
    const Subject *before = viewer->open[SUBJECT_PICTURE];
    const Shape shape = opened->picture->view.shape, old = before ? before->picture->view.shape : (Shape){0};
    opened->exposure = shown_again(viewer, opened) ? viewer_exposure(viewer) : 0;
    TRY(keep_show(viewer, opened, instead(viewer)));
    note_shown(viewer, index);
    keep_note_picture(viewer, index);
    if (opened->ends_early[0])
        viewer_say(viewer, true, "%s", opened->ends_early);
    if (opened->colours_trouble[0])
        viewer_say(viewer, true, "%s: %s", viewer->pictures.paths[index], opened->colours_trouble);
    viewer->viewport.fitted |= shape.width != old.width || shape.height != old.height;
    return STATUS_OK;
}

/* ---- scenes ---- */

/* Scenes of light open in it; others as before, if that was not for the sake of the scene before. */
static void take_look(Request *request, const Scene *scene) {
    if (scene_is_of_light(scene) && !look_is_light(request->look)) {
        request->look_before = request->look;
        request->look = LOOK_PATHS;
        request->look_taken = true;
    } else if (!scene_is_of_light(scene) && request->look_taken) {
        request->look = request->look_before;
        request->look_taken = false;
    }
}

/* Begins with the exposure that suits the scene's light; where that cannot be measured, with none. */
static void take_exposure(Viewer *viewer) {
    const Measurement job = session_measurement(viewer_session(viewer));
    double *stops = &viewer->session->subject->default_exposure;
    if (viewer_gathers(viewer) && scene_is_of_light(job.scene) && !viewer->request->figure)
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

Status viewer_begin_scene(const Viewer *viewer, const char *text, Subject **opened, Request *next) {
    TRY(subject_open_scene(text, opened));
    const Scene *scene = (*opened)->scene;
    *next = viewer_request(viewer);
    if (shown_again(viewer, *opened)) {
        (*opened)->exposure = viewer_exposure(viewer);
        (*opened)->default_exposure = viewer->session->subject->default_exposure;
    } else {
        take_look(next, scene);
    }
    orbit_camera_reset(&next->orbit_camera, scene, viewer->area, viewer->width, viewer->height);
    if (!scene->has_viewpoint)
        orbit_camera_fit(&next->orbit_camera, scene, viewer->area, viewer->width, viewer->height);
    return STATUS_OK;
}

static void stop_motion(Viewer *viewer) {
    viewer->session->motion = (Motion){.on = viewer->session->motion.on};
    viewer->session->simulated = (Simulated){0};
    keep_note_scene(viewer);
}

void viewer_scene_shown(Viewer *viewer) {
    stop_motion(viewer);
    take_exposure(viewer);
}

static Status open_text(Viewer *viewer, const char *text) {
    Subject *opened;
    Request next;
    if (is_changed(viewer, text)) {
        next = viewer_request(viewer);
        snprintf(next.scene, sizeof next.scene, "%s", text);
        return viewer_ask(viewer, next, instead(viewer));
    }
    keep_write_before(viewer);
    TRY(viewer_begin_scene(viewer, text, &opened, &next));
    const bool again = shown_again(viewer, opened);
    TRY(viewer_ask_of(viewer, opened, next, instead(viewer)));
    stop_motion(viewer);
    if (!again)
        take_exposure(viewer);
    return STATUS_OK;
}

Status viewer_open_scene(Viewer *viewer, const char *text) {
    const SceneWork *work = scene_works_opened(&viewer->scenes, text);
    const bool shown =
        viewer_scene(viewer) && (strcmp(viewer->request->opened, text) == 0 || strcmp(viewer_title(viewer), text) == 0);
    char now[SCENE_TEXT_MAX], name[SCENE_TEXT_MAX];
    if (keep_has_sidecars(viewer) && !shown && !is_changed(viewer, text))
        return keep_open_scene(viewer, text, instead(viewer));
    if (!work || shown || strcmp(work->now, text) == 0)
        return open_text(viewer, text);
    snprintf(now, sizeof now, "%s", work->now);
    if (open_text(viewer, now) != STATUS_OK)
        return open_text(viewer, text);
    viewer_say(viewer, false, "Restored the changes of %.200s", scene_text_name(text, name));
    return STATUS_OK;
}

bool viewer_denoises(const Viewer *viewer) {
    const Request *request = viewer->session->request;
    return viewer_scene(viewer) && request->look == LOOK_PATHS && request->gathering.denoise > 0;
}

Status viewer_set_exposure(Viewer *viewer, double stops) {
    Session *session = viewer->session;
    Spans unrecorded = {0};
    if (!session->subject)
        return STATUS_OK;
    session->subject->exposure = stops;
    if (!viewer_gathers(viewer))
        return STATUS_OK;
    progressive_set_exposure(session->pipeline, (float)exp2(stops));
    session->shown_at = 0; /* the next result has it */
    if (session_makes_figure(session) && session->on_device && !session->stale)
        session->stale = session->keeps_light = true;
    if (session_makes_figure(session))
        return STATUS_OK;
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

void viewer_toggle_motion(Viewer *viewer) {
    Session *session = viewer->session;
    motion_toggle(&session->motion);
    session->stale = session->pipeline != NULL;
    session->halted = false;
    session_clear_spans(session);
}

/* ---- level, border, backend ---- */

Status viewer_set_level(Viewer *viewer, const char *name) {
    Request next = viewer_request(viewer);
    snprintf(next.level, sizeof next.level, "%s", name);
    return viewer_ask(viewer, next, FALLBACK_NONE);
}

void viewer_forget_kernels(Viewer *viewer) {
    Session *session = viewer->session;
    const Level *level;
    for (size_t i = 0; i < LEVELS_MAX && (level = level_at(session->device->backend, i)); i++)
        if (ladder_added(level))
            session->measured.level_times[i] = (Timing){0};
    session->job_serial++; /* another job, as far as results go */
    session->measured.judgement = (Judgement){0};
    session->measured.race = (LevelRace){0};
    structure_forget(session);
    session->rungs_due = session->pipeline != NULL;
    session->stale = session->pipeline != NULL;
    session->halted = false;
    session_clear_spans(session);
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
    session->halted = false;
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

/* A turn that keeps the part without empty corners straightens: up to 45 degrees to either side of a quarter. */
static Param fit_turn(Param turn, const ChainLink *link) {
    const Param *size = param_by_name(link->filter->table, "size");
    const char *word = size ? param_choice(size, (size_t)param_number(size, link->values), &(size_t){0}) : NULL;
    if (word && strncmp(word, "inside", strlen("inside")) == 0) {
        const double quarter = 90 * round(param_number(&turn, link->values) / 90);
        turn.min = fmax(turn.min, quarter - 45);
        turn.max = fmin(turn.max, quarter + 45);
        turn.default_value = quarter;
        turn.step = 0.1;
    }
    return turn;
}

Param viewer_param(const Viewer *viewer, size_t link, const Param *param) {
    const Chain *chain = viewer->request->chain;
    const Shape picture = viewer_shape(viewer);
    const Param fitted = param_for_white(param, pixel_type_white(picture.type));
    Geometry before;
    if (link < chain->count && strcmp(param->unit, PARAM_CLOCKWISE) == 0)
        return fit_turn(fitted, &chain->links[link]);
    if (!param_counts_lines(param) || link >= chain->count)
        return fitted;
    (void)chain_geometry(chain, 0, link, picture, viewer->request->options, &before); /* as far as its links fit */
    return param_for_size(chain->links[link].filter->table, &fitted, chain->links[link].values, before.result.width,
                          before.result.height);
}

const char *viewer_idle_words(const Viewer *viewer, const Filter *filter) {
    const bool gray = viewer->session->subject && viewer_shape(viewer).channels < 3;
    return gray && filter_needs_colours(filter->name) ? "nothing to do: the picture has no colours" : NULL;
}

/* ---- undo ---- */

Status viewer_go_to_edit(Viewer *viewer, size_t index) {
    Edits *edits = &viewer->edits;
    const size_t at = edits->at;
    const Request *request;
    TRY(edits_request(edits, index, &request));
    edits->at = index; /* so that it is no edit of its own */
    const Status status = viewer_ask_again(viewer, request, FALLBACK_BEST);
    request_release(&request);
    edits->at = status == STATUS_OK ? index : at;
    return status;
}

Status viewer_undo(Viewer *viewer) {
    const Edits *edits = &viewer->edits;
    const size_t at = edits->at;
    if (at == 0)
        return fail(STATUS_USAGE, "there is nothing to undo");
    TRY(viewer_go_to_edit(viewer, at - 1));
    viewer_say(viewer, false, "Undo: %s", edits->list[at].words);
    return STATUS_OK;
}

Status viewer_redo(Viewer *viewer) {
    const Edits *edits = &viewer->edits;
    if (edits->at + 1 >= edits->count)
        return fail(STATUS_USAGE, "there is nothing to redo");
    TRY(viewer_go_to_edit(viewer, edits->at + 1));
    viewer_say(viewer, false, "Redo: %s", edits->list[edits->at].words);
    return STATUS_OK;
}

/* ---- the view ---- */

Viewport viewer_viewport(const Viewer *viewer) {
    return viewer_kind(viewer)->viewport(viewer);
}

Area viewer_result_area(const Viewer *viewer) {
    Area area = viewer->area;
    if (viewer_shows_sides(viewer)) {
        area.width /= 2;
        area.x += area.width;
    }
    return area;
}

Area viewer_seen_area(const Viewer *viewer) {
    const Area area = viewer_result_area(viewer);
    const Viewport at = viewer_viewport(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    const double left = fmax(at.x, area.x), top = fmax(at.y, area.y);
    const double right = fmin(at.x + (double)shape.width * at.scale, area.x + area.width);
    const double bottom = fmin(at.y + (double)shape.height * at.scale, area.y + area.height);
    return (Area){left, top, fmax(right - left, 0), fmax(bottom - top, 0)};
}

double viewer_split_x(const Viewer *viewer) {
    const Area seen = viewer_seen_area(viewer), on = seen.width > 0 ? seen : viewer->area;
    return fmin(fmax(viewer->split * viewer->width, on.x), on.x + on.width);
}

bool viewer_flickers(const Viewer *viewer) {
    return viewer->compare == COMPARE_FLICKER && fmod(clock_ms(), 2 * FLICKER_MS) < FLICKER_MS;
}

/* Whether the sides can be compared in one place. */
static bool in_place(const Viewer *viewer) {
    Homography map;
    return viewer_fit_of_sides(viewer, &map) != SIDES_APART;
}

bool viewer_shows_sides(const Viewer *viewer) {
    unsigned serial;
    return viewer->compare == COMPARE_SIDES && viewer_source(viewer, &serial);
}

bool viewer_shows_source(const Viewer *viewer) {
    const bool asked = viewer->unfiltered || (viewer->compare == COMPARE_FLICKER && viewer->flickers);
    return asked && !viewer_shows_sides(viewer) && in_place(viewer);
}

bool viewer_shows_split(const Viewer *viewer) {
    return viewer->compare == COMPARE_SPLIT && !viewer->unfiltered && in_place(viewer);
}

bool viewer_asks_difference(const Viewer *viewer) {
    return viewer->compare == COMPARE_DIFFERENCE && !viewer->unfiltered && in_place(viewer);
}

bool viewer_shows_difference(const Viewer *viewer) {
    unsigned serial;
    if (!viewer_asks_difference(viewer) || !viewer->session->has_result || preview_shown(viewer->session))
        return false;
    return viewer->difference_view == DIFFERENCE_FLIP ? viewer_flip(viewer) != NULL
                                                      : viewer_aligned(viewer, &serial) != NULL;
}

const char *viewer_why_apart(const Viewer *viewer, char *buffer, size_t size) {
    const bool asked = viewer->unfiltered || viewer->compare == COMPARE_SPLIT || viewer->compare == COMPARE_FLICKER ||
                       viewer->compare == COMPARE_DIFFERENCE;
    buffer[0] = '\0';
    return asked && !viewer_shows_sides(viewer) ? session_why_apart(viewer_session(viewer), buffer, size) : buffer;
}

static Status fail_uncompared(const Viewer *viewer, const char *remedy) {
    char why[160] = "";
    if (viewer->compare != COMPARE_NONE && viewer_why_no_figures(viewer, why, sizeof why)[0])
        return fail(STATUS_USAGE, "can't compare: %s", why);
    return fail(STATUS_USAGE, "nothing is compared yet: %s", remedy);
}

double *viewer_gain(Viewer *viewer) {
    return viewer->difference_view == DIFFERENCE_FLIP ? &viewer->flip_gain : &viewer->gain;
}

bool viewer_shows_flip(const Viewer *viewer) {
    return viewer->difference_view == DIFFERENCE_FLIP && viewer_shows_difference(viewer);
}

/* Errors are 1 at most, and seldom near it. */
static Status fit_flip_gain(Viewer *viewer) {
    const FlipErrors *errors = viewer_flip(viewer);
    if (!errors)
        return fail(STATUS_USAGE, "FLIP's errors are not there yet");
    if (!(errors->figures.max > 0))
        return fail(STATUS_USAGE, "nothing differs");
    viewer->flip_gain = fmin(floor(-2 * log2(errors->figures.max)) / 2, EXPOSURE_MAX);
    return STATUS_OK;
}

Status viewer_fit_gain(Viewer *viewer) {
    const Difference *difference = viewer_difference(viewer);
    if (viewer->compare == COMPARE_NONE || !difference)
        return fail_uncompared(viewer, "difference first");
    if (viewer_asks_difference(viewer) && viewer->difference_view == DIFFERENCE_FLIP)
        return fit_flip_gain(viewer);
    if (!(difference->max > 0) || !isfinite(difference->max))
        return fail(STATUS_USAGE, difference->max > 0 ? "the largest difference has no size" : "nothing differs");
    viewer->gain = fmin(difference_gain(difference, viewer_shown_shape(viewer)), EXPOSURE_MAX);
    return STATUS_OK;
}

Status viewer_show_worst(Viewer *viewer) {
    const Area area = viewer_result_area(viewer);
    size_t px = 0, py = 0;
    if (viewer->compare == COMPARE_NONE || !viewer_difference(viewer))
        return fail_uncompared(viewer, "split or difference first");
    (void)viewer_worst(viewer, &px, &py);
    const Viewport now = viewer_viewport(viewer);
    const double scale = fmax(now.scale, WORST_SCALE);
    viewer->viewport = (Viewport){.scale = scale,
                                  .x = area.x + area.width / 2 - ((double)px + 0.5) * scale,
                                  .y = area.y + area.height / 2 - ((double)py + 0.5) * scale,
                                  .width = now.width,
                                  .height = now.height};
    return STATUS_OK;
}

void viewer_fit(Viewer *viewer) {
    viewer_kind(viewer)->fit(viewer);
}

void viewer_reset_view(Viewer *viewer) {
    if (viewer->session->subject)
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

bool viewer_shows_speed(const Viewer *viewer) {
    const bool scene = viewer_kind(viewer)->place == SUBJECT_SCENE;
    return viewer->ui->tour.on || viewer->mode == MODE_SPEED || (viewer->mode == MODE_UNDECIDED && scene);
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
    Session sessions[2];
    Present present, left_present;
    Pacing pacing;
    WindowRequests requests;
    Interface ui;
} Room;

static void set_up(Room *room, Device *device) {
    room->sessions[0].device = device;
    room->sessions[0].samples = (uint32_t)gathering_default().samples;
    room->present = (Present){.wanted = "best"};
    room->viewer = (Viewer){.session = &room->sessions[0],
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

/* Makes the first request, which nothing is shown by. */
static Status begin(Viewer *viewer, const char *chain, Request first) {
    TRY(chain_parse(chain, &first.chain));
    const Status status = request_make(&first, &viewer->request);
    chain_destroy(&first.chain);
    TRY(status);
    viewer->session->request = request_retain(viewer->request);
    return viewer_ask_again(viewer, viewer->request, FALLBACK_NONE);
}

Status viewer_create(Device *device, int number, const char *chain, const char *level, PlanOptions options,
                     Viewer **viewer) {
    Room *room = calloc(1, sizeof *room);
    *viewer = NULL;
    if (!room) {
        device_close(&device);
        return fail(STATUS_DEVICE, "no memory for the viewer");
    }
    set_up(room, device);
    Viewer *made = &room->viewer;
    *viewer = made;
    Session *session = made->session;
    Request first = {.options = options, .device = number, .orbit_camera = orbit_camera_default()};
    first.gathering = gathering_default();
    first.style = figure_style_default();
    snprintf(first.backend, sizeof first.backend, "%s", device->backend->name);
    snprintf(first.level, sizeof first.level, "%s", level);
    session->stop = calloc(1, sizeof *session->stop);
    session->partial = calloc(1, sizeof *session->partial); /* NULL: results are seen once they are there */
    session->spans = shared_create(SPANS_MAX * sizeof *session->spans);
    session->machine = shared_create(sizeof *session->machine);
    Status status = tools_create(&made->tools);
    if (status == STATUS_OK)
        status = session->stop && session->spans && session->machine ? begin(made, chain, first)
                                                                     : fail(STATUS_DEVICE, "no memory for the viewer");
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
    front_free(&session->front);
    figure_view_free(&session->figure);
    listing_free(&session->listing);
    listing_free(&session->listing_before);
    crew_destroy(&session->crew);
    pipeline_destroy(&session->pipeline);
    device_close(&session->device);
    image_destroy(&session->result);
    image_destroy(&session->unfiltered);
    image_destroy(&session->aligned.image);
    flip_errors_free(&session->flip);
    preview_free(&session->preview);
    image_destroy(&session->near.image);
    free(session->stop);
    free(session->partial);
    shared_release(session->spans);
    shared_release(session->machine);
    chain_destroy(&session->chain);
    request_release(&session->request);
}

void viewer_destroy(Viewer **place) {
    Viewer *old = *place;
    if (!old)
        return;
    (void)keep_end(old);
    viewer_release(old);
    tools_destroy(&old->tools);
    free_session(old->session);
    request_release(&old->request);
    request_release(&old->saved);
    scene_works_free(&old->scenes);
    for (int i = 0; i < SUBJECTS; i++)
        subject_close(&old->open[i]);
    file_list_free(&old->pictures);
    edits_free(&old->edits);
    edits_free(&old->waiting);
    choices_clear(&old->ui->choices);
    free((Room *)old); /* the viewer is its first member */
    *place = NULL;
}
