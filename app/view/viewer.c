/* viewer.c: the viewer's state and what changes it. */
#include "app/view/viewer_internal.h"

#include "app/tuning.h"
#include "core/codec.h"
#include "core/stop.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SCENE "spheres"

/* ---- what is shown ---- */

const char *viewer_title(const Viewer *viewer) {
    if (viewer->in_scene)
        return viewer->scene_name;
    return viewer->picture ? viewer->pictures.paths[viewer->pictures.current] : "";
}

Shape viewer_shape(const Viewer *viewer) {
    if (viewer->in_scene)
        return (Shape){(size_t)viewer->width, (size_t)viewer->height, 3, PIXEL_U8};
    return viewer->picture ? viewer->picture->view.shape : (Shape){0};
}

Shape viewer_shown_shape(const Viewer *viewer) {
    return viewer->pipeline && !viewer->in_scene ? pipeline_result_shape(viewer->pipeline) : viewer_shape(viewer);
}

const Level *viewer_level(const Viewer *viewer) {
    if (!viewer->pipeline || pipeline_stage_count(viewer->pipeline) == 0)
        return NULL;
    return pipeline_level(viewer->pipeline, pipeline_main_stage(viewer->pipeline));
}

size_t viewer_rungs(const Viewer *viewer, LadderRow rungs[RUNGS_MAX]) {
    memcpy(rungs, viewer->rungs, viewer->rung_count * sizeof *rungs);
    return viewer->rung_count;
}

/* The ladder of the pipeline that is there now. */
static void note_rungs(Viewer *viewer) {
    const Level *current = viewer_level(viewer), *level;
    size_t *count = &viewer->rung_count;
    *count = 0;
    if (!current)
        return;
    const Backend *backend = viewer->device->backend;
    const bool has_reference = ladder_level(backend, current->op, 0) == level_reference(current->op);
    for (; *count < RUNGS_MAX && (level = ladder_level(backend, current->op, *count)); ++*count)
        viewer->rungs[*count] = (LadderRow){
            level, (int)*count + (has_reference ? 0 : 1),
            level == current ? NULL : level_why_not(viewer->device, viewer->pipeline, level), level == current};
}

Measurement viewer_measurement(const Viewer *viewer) {
    return (Measurement){.device = viewer->device,
                         .device_index = viewer->device->backend->host_frames ? 0 : viewer->device_index,
                         .chain = viewer->chain,
                         .options = viewer->options,
                         .picture = viewer->in_scene ? (ImageView){.stride = 0} : viewer->picture->view,
                         .scene = viewer->in_scene ? viewer->scene : NULL,
                         .camera = viewer->orbit_camera.camera,
                         .look = viewer->look,
                         .exposure = (float)exp2(viewer->exposure),
                         .shape = viewer_shape(viewer)};
}

/* Makes the pipeline for what is asked for now; on failure the old one stays, and the caller takes its change back. */
static Status bind(Viewer *viewer) {
    Plan *plan;
    if (!viewer->in_scene && !viewer->picture)
        return STATUS_OK;
    const Measurement job = viewer_measurement(viewer);
    const Shape before = viewer_shown_shape(viewer);
    TRY(measurement_plan(&job, job.shape.width, job.shape.height, &plan));
    TRY(viewer->pipeline ? pipeline_replace(&viewer->pipeline, plan, viewer->level)
                         : pipeline_create(viewer->device, plan, viewer->level, &viewer->pipeline));
    pipeline_queue(viewer->pipeline)->stop = viewer->stop;
    viewer->uploaded &= pipeline_uploaded(viewer->pipeline, PIPELINE_PICTURE);
    note_rungs(viewer);
    viewer->on_device = false;
    viewer->stale = true;
    viewer->progressive.pipeline = NULL;
    viewer_clear_spans(viewer);
    const Shape now = viewer_shown_shape(viewer);
    if (!viewer->in_scene && viewer->viewport.fitted && (now.width != before.width || now.height != before.height))
        viewer_fit(viewer);
    return STATUS_OK;
}

/* As bind, for another job than before: nothing measured for the old one holds. */
static Status rebind(Viewer *viewer) {
    TRY(bind(viewer));
    viewer->yardsticks = (Yardsticks){0};
    viewer->race = (LevelRace){0};
    viewer->trace_stats = (TraceStats){0};
    viewer->trace_stats_tried = viewer->trace_stats_estimated = false;
    viewer->graph = (History){0};
    memset(viewer->level_times, 0, sizeof viewer->level_times);
    memset(viewer->sides, 0, sizeof viewer->sides);
    present_forget_costs(&viewer->present);
    return STATUS_OK;
}

/* Whether the ladder of any stage has a level of this name. */
static bool on_a_ladder(const Viewer *viewer, const char *name) {
    bool there = false;
    for (size_t i = 0; i < pipeline_stage_count(viewer->pipeline); i++)
        there |= level_by_name(viewer->device->backend, pipeline_stage(viewer->pipeline, i)->op, name) != NULL;
    return there;
}

/* Runs `set` and, if only the chosen level stands against it, once more with the best level, and says so. */
static Status with_best_level(Viewer *viewer, Status (*set)(Viewer *viewer, const void *to), const void *to) {
    const Status status = set(viewer, to);
    if (status != STATUS_USAGE || strcmp(viewer->level, "best") == 0)
        return status;
    char level[sizeof viewer->level], why[TOAST_MAX];
    snprintf(level, sizeof level, "%s", viewer->level);
    snprintf(why, sizeof why, "%s", status_message());
    snprintf(viewer->level, sizeof viewer->level, "best");
    if (set(viewer, to) != STATUS_OK) {
        snprintf(viewer->level, sizeof viewer->level, "%s", level);
        return fail(status, "%s", why);
    }
    const Level *best = viewer_level(viewer);
    if (best && !on_a_ladder(viewer, level))
        viewer_say(viewer, true, "%s on %s has no level %s; taking the best, %s", best->op->name,
                   viewer->device->backend->name, level, best->name);
    else
        viewer_say(viewer, true, "%s; the best level takes over", why);
    return STATUS_OK;
}

static Status bind_to(Viewer *viewer, const void *unused) {
    (void)unused;
    return rebind(viewer);
}

/* As rebind, for what takes the place of something else: a level chosen for that gives way to the best. What comes
 * first has to take the level that was asked for with it. */
static Status bind_instead(Viewer *viewer) {
    return viewer->pipeline ? with_best_level(viewer, bind_to, NULL) : rebind(viewer);
}

/* ---- pictures ---- */

static bool show_shape_changed(Image *a, Image *b) {
    return !a || a->view.shape.width != b->view.shape.width || a->view.shape.height != b->view.shape.height;
}

/* To the picture or to the scene, each of which keeps its exposure. */
static void enter(Viewer *viewer, bool in_scene) {
    const double exposure = viewer->exposure;
    if (viewer->in_scene == in_scene)
        return;
    viewer->exposure = viewer->other_exposure;
    viewer->other_exposure = exposure;
    viewer->in_scene = in_scene;
}

/* Decodes picture `index` and shows it; on failure all stays as it was. */
static Status show(Viewer *viewer, size_t index) {
    Image *decoded;
    const double start = clock_ms();
    TRY(codec_load(viewer->pictures.paths[index], &decoded));
    const double ms = clock_ms() - start;
    profile_trace_add(viewer->profile_trace, TRACK_MAIN, "decode", NULL, start, ms);
    const Viewer before = *viewer;
    const bool again = viewer->picture && !viewer->in_scene && viewer->pictures.current == index;
    enter(viewer, false);
    viewer->picture = decoded;
    viewer->decode_ms = ms;
    viewer->pictures.current = index;
    viewer->exposure = again ? viewer->exposure : 0;
    viewer->uploaded = false;
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK) {
        viewer->uploaded = before.uploaded;
        viewer->picture = before.picture;
        viewer->decode_ms = before.decode_ms;
        viewer->in_scene = before.in_scene;
        viewer->pictures.current = before.pictures.current;
        viewer->exposure = before.exposure;
        viewer->other_exposure = before.other_exposure;
        image_destroy(&decoded);
        return status;
    }
    viewer->picture_serial++;
    Image *old = before.picture;
    if (viewer->viewport.fitted || show_shape_changed(old, decoded))
        viewer_fit(viewer);
    image_destroy(&old);
    return STATUS_OK;
}

Status viewer_show_first(Viewer *viewer, size_t from) {
    Status status = fail(STATUS_INPUT, "no picture to show");
    for (size_t i = from; i < viewer->pictures.count; i++) {
        status = show(viewer, i);
        if (status == STATUS_OK)
            return STATUS_OK;
        viewer_say(viewer, true, "%s", status_message());
    }
    return status;
}

Status viewer_open(Viewer *viewer, const char *path) {
    if (scene_recognize(path))
        return viewer_open_scene(viewer, path);
    const size_t before = viewer->pictures.count;
    Status status = file_list_add(&viewer->pictures, path);
    if (status == STATUS_OK)
        status = viewer_show_first(viewer, before);
    if (status != STATUS_OK)
        file_list_shorten(&viewer->pictures, before);
    return status;
}

Status viewer_step_picture(Viewer *viewer, int steps) {
    const size_t count = viewer->pictures.count;
    if (viewer->in_scene || count < 2)
        return fail(STATUS_USAGE, viewer->in_scene ? "a scene is shown: i goes back to the pictures"
                                                   : "there is no other picture; open a folder or several files");
    size_t index = viewer->pictures.current;
    for (size_t tried = 1; tried < count; tried++) {
        index = (index + (steps > 0 ? 1 : count - 1)) % count;
        if (show(viewer, index) == STATUS_OK)
            return STATUS_OK;
        viewer_say(viewer, true, "%s", status_message());
    }
    return fail(STATUS_INPUT, "none of the other pictures can be shown");
}

Status viewer_reload(Viewer *viewer) {
    if (viewer->in_scene) {
        char name[PATH_CAPACITY];
        snprintf(name, sizeof name, "%s", viewer->scene_name);
        return viewer_open_scene(viewer, name);
    }
    return viewer->picture ? show(viewer, viewer->pictures.current) : fail(STATUS_USAGE, "nothing is open");
}

/* ---- scenes ---- */

static void fit_eye(Viewer *viewer) {
    orbit_camera_fit(&viewer->orbit_camera, viewer->scene, viewer->area, viewer->width, viewer->height);
}

/* Whether the scene says what light does to it: it has lights, a sky, a ground, or surfaces other than plain colours.
 */
static bool is_of_light(const Scene *scene) {
    return scene->light_count > 0 || scene->sky.kind != SKY_NONE || scene->has_ground || scene->material_count > 1;
}

/* Scenes of light open in it; others as before, if that was not for the sake of the scene before. */
static void take_look(Viewer *viewer, const Scene *scene) {
    if (is_of_light(scene) && !look_is_light(viewer->look)) {
        viewer->look_before = viewer->look;
        viewer->look = LOOK_PATHS;
        viewer->look_taken = true;
    } else if (!is_of_light(scene) && viewer->look_taken) {
        viewer->look = viewer->look_before;
        viewer->look_taken = false;
    }
}

/* Begins with the exposure that suits the scene's light; where that cannot be measured, with none. */
static void take_exposure(Viewer *viewer) {
    const Measurement job = viewer_measurement(viewer);
    viewer->default_exposure = 0;
    if (viewer_gathers(viewer) && is_of_light(viewer->scene))
        (void)measurement_exposure(&job, &viewer->default_exposure);
    (void)viewer_set_exposure(viewer, viewer->default_exposure);
}

Status viewer_open_scene(Viewer *viewer, const char *text) {
    Scene *opened;
    TRY(scene_open(text, &opened));
    const Viewer before = *viewer;
    const bool again = viewer->in_scene && strcmp(viewer->scene_name, text) == 0;
    enter(viewer, true);
    viewer->scene = opened;
    if (!again)
        take_look(viewer, opened);
    orbit_camera_reset(&viewer->orbit_camera, opened, viewer->area, viewer->width, viewer->height);
    if (!opened->has_viewpoint)
        fit_eye(viewer);
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK) {
        viewer->scene = before.scene;
        viewer->in_scene = before.in_scene;
        viewer->exposure = before.exposure;
        viewer->other_exposure = before.other_exposure;
        viewer->look = before.look;
        viewer->look_taken = before.look_taken;
        viewer->orbit_camera = before.orbit_camera;
        scene_destroy(&opened);
        return status;
    }
    if (!again)
        take_exposure(viewer);
    Scene *old = before.scene;
    scene_destroy(&old);
    viewer->motion = (Motion){.on = viewer->motion.on};
    snprintf(viewer->scene_name, sizeof viewer->scene_name, "%s", text);
    return STATUS_OK;
}

Status viewer_show_scene(Viewer *viewer, bool in_scene) {
    if (in_scene == viewer->in_scene)
        return STATUS_OK;
    if (in_scene && !viewer->scene)
        return viewer_open_scene(viewer, DEFAULT_SCENE);
    if (!in_scene && !viewer->picture)
        return fail(STATUS_USAGE, "no picture is open: glint view PICTURE");
    enter(viewer, in_scene);
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK)
        enter(viewer, !in_scene);
    return status;
}

/* ---- chain, level, border, backend ---- */

Status viewer_set_chain(Viewer *viewer, const char *text) {
    Chain *parsed, *old = viewer->chain;
    TRY(chain_open(text, &parsed));
    viewer->chain = parsed;
    const Status status = viewer->in_scene ? STATUS_OK : rebind(viewer);
    if (status != STATUS_OK)
        viewer->chain = old;
    else if (parsed->count != old->count)
        viewer->selected = SIZE_MAX;
    chain_destroy(status == STATUS_OK ? &old : &parsed);
    return status;
}

/* An empty pipeline takes any name; a typing error is one all the same. */
static bool level_known(const Backend *backend, const char *name) {
    bool known = strcmp(name, "best") == 0;
    for (size_t i = 0; i < backend->level_count; i++)
        known |= strcmp(backend->levels[i]->name, name) == 0;
    return known;
}

Status viewer_set_level(Viewer *viewer, const char *name) {
    const bool staged = viewer->pipeline && pipeline_stage_count(viewer->pipeline) > 0;
    if (!staged && !level_known(viewer->device->backend, name))
        return fail(STATUS_USAGE, "level \"%s\": the %s backend has no such level; `glint list levels` shows them",
                    name, viewer->device->backend->name);
    if (viewer->pipeline)
        TRY(pipeline_set_level(viewer->pipeline, name));
    note_rungs(viewer);
    snprintf(viewer->level, sizeof viewer->level, "%s", name);
    viewer->stale = viewer->pipeline != NULL;
    viewer_clear_spans(viewer);
    return STATUS_OK;
}

Status viewer_set_border(Viewer *viewer, Border border) {
    const Border old = viewer->options.border;
    viewer->options.border = border;
    const Status status = viewer->in_scene ? STATUS_OK : rebind(viewer);
    if (status != STATUS_OK)
        viewer->options.border = old;
    return status;
}

static Status set_chain(Viewer *viewer, const void *text) {
    return viewer_set_chain(viewer, text);
}
static Status set_border(Viewer *viewer, const void *border) {
    return viewer_set_border(viewer, *(const Border *)border);
}

Status viewer_pick_chain(Viewer *viewer, const char *text) {
    return with_best_level(viewer, set_chain, text);
}
Status viewer_pick_border(Viewer *viewer, Border border) {
    return with_best_level(viewer, set_border, &border);
}

Status viewer_set_backend(Viewer *viewer, const char *name) {
    Device *opened;
    const char *passed_over;
    const Backend *backend = backend_by_name(name);
    const int index = backend && backend->host_frames ? 0 : viewer->device_index; /* the host is one device */
    if (strcmp(name, viewer->device->backend->name) == 0)
        return STATUS_OK;
    TRY(backend_open(name, index, viewer->threads, &opened, &passed_over));
    tuning_load(opened);
    Device *old = viewer->device;
    BackendTime sides[BACKENDS_MAX]; /* the job stays the same */
    memcpy(sides, viewer->sides, sizeof sides);
    Pipeline *pipeline = viewer->pipeline;
    viewer->pipeline = NULL; /* its frames live on the old device: it is destroyed, or taken back, below */
    viewer->device = opened;
    const Status status = with_best_level(viewer, bind_to, NULL);
    if (status != STATUS_OK) {
        viewer->pipeline = pipeline;
        viewer->device = old;
        device_close(&opened);
        return status;
    }
    memcpy(viewer->sides, sides, sizeof sides);
    viewer->peak = (Ceiling){0};
    viewer->power_time = 0;
    pipeline_destroy(&pipeline);
    if (viewer->present.port) { /* which needs OpenGL's context, and that is another thread's */
        viewer->left = old;
        viewer->left_present = viewer->present;
        viewer->present.port = NULL;
    } else {
        device_close(&old);
    }
    present_forget(&viewer->present);
    return STATUS_OK;
}

Status viewer_set_route(Viewer *viewer, const char *name) {
    TRY(present_choose(&viewer->present, viewer->device->backend, name));
    viewer->stale = viewer->pipeline != NULL;
    viewer_clear_spans(viewer);
    return STATUS_OK;
}

Status viewer_set_param(Viewer *viewer, size_t link, const Param *param, double number) {
    void *values = viewer->chain->links[link].values;
    const double old = param_number(param, values);
    param_set_number(param, values, number);
    const double now = param_number(param, values);
    if (!(now < old || now > old))
        return STATUS_OK;
    const size_t size = chain_format(viewer->chain, NULL, 0) + 1;
    char *text = malloc(size);
    if (text)
        chain_format(viewer->chain, text, size);
    param_set_number(param, values, old);
    const Status status = text ? viewer_pick_chain(viewer, text) : fail(STATUS_DEVICE, "no memory for the chain");
    free(text);
    return status;
}

Border viewer_default_border(const Viewer *viewer, BorderMode mode) {
    const Border now = viewer->options.border;
    Border border = {mode, 0};
    if (borders[mode].takes_value && viewer->picture)
        border.value = now.mode == mode ? now.value : (float)(pixel_type_white(viewer->picture->view.shape.type) / 2);
    return border;
}

Param viewer_param(const Viewer *viewer, const Param *param) {
    return viewer->picture ? param_for_white(param, pixel_type_white(viewer->picture->view.shape.type)) : *param;
}

Status viewer_replace_link(Viewer *viewer, size_t link, const char *filter) {
    const size_t size = chain_format(viewer->chain, NULL, 0) + strlen(filter) + 2; /* a comma, and the zero */
    char *text = calloc(size, 1);
    size_t length = 0;
    if (!text)
        return fail(STATUS_DEVICE, "no memory for the chain");
    for (size_t i = 0; i < viewer->chain->count || i == link; i++) {
        const Chain one = {.count = 1, .links = {i < viewer->chain->count ? viewer->chain->links[i] : (ChainLink){0}}};
        if (i == link && !filter[0])
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s", length ? "," : "", i == link ? filter : "");
        length += i == link ? 0 : chain_format(&one, text + length, size - length);
    }
    const Status status = viewer_pick_chain(viewer, text);
    free(text);
    return status;
}

Status viewer_remove_link(Viewer *viewer, size_t link) {
    return viewer_replace_link(viewer, link, "");
}

size_t viewer_selected(const Viewer *viewer) {
    const size_t count = viewer->chain->count;
    return count == 0 ? 0 : viewer->selected < count ? viewer->selected : count - 1;
}

/* ---- the view ---- */

Viewport viewer_viewport(const Viewer *viewer) {
    return viewer->in_scene ? (Viewport){.scale = 1} : viewer->viewport;
}

/* Hands move it many times a second: the pipeline stays, where it can. */
static void camera_moved(Viewer *viewer) {
    const Pipeline *pipeline = viewer->pipeline;
    const size_t traced = pipeline ? pipeline_find_stage(pipeline, &op_trace) : 0;
    const Stage *stage = pipeline && traced < pipeline_stage_count(pipeline) ? pipeline_stage(pipeline, traced) : NULL;
    if (stage && trace_job(stage)->camera.kind == viewer->orbit_camera.camera.kind &&
        shape_equal(pipeline_result_shape(viewer->pipeline), viewer_shape(viewer))) {
        progressive_set_camera(viewer->pipeline, viewer->orbit_camera.camera);
        viewer->stale = true;
        viewer_clear_spans(viewer);
    } else if (bind(viewer) != STATUS_OK) {
        viewer_say(viewer, true, "%s", status_message());
    }
}

void viewer_fit(Viewer *viewer) {
    if (viewer->in_scene) {
        fit_eye(viewer);
        camera_moved(viewer);
    } else if (viewer->picture) {
        const Shape shape = viewer_shown_shape(viewer);
        viewer->viewport = viewport_fit(viewer->area, shape.width, shape.height);
    } else {
        viewer->viewport = (Viewport){.scale = 1, .fitted = true};
    }
}

bool viewer_gathers(const Viewer *viewer) {
    return viewer->in_scene && look_is_light(viewer->look);
}

Status viewer_set_exposure(Viewer *viewer, double stops) {
    Spans unrecorded = {0};
    viewer->exposure = stops;
    if (!viewer_gathers(viewer) || !viewer->pipeline)
        return STATUS_OK;
    progressive_set_exposure(viewer->pipeline, (float)exp2(stops));
    return viewer->on_device ? viewer_show_light(viewer, &unrecorded) : STATUS_OK;
}

void viewer_reset_view(Viewer *viewer) {
    (void)viewer_set_exposure(viewer, viewer->in_scene ? viewer->default_exposure : 0);
    if (viewer->in_scene) {
        orbit_camera_reset(&viewer->orbit_camera, viewer->scene, viewer->area, viewer->width, viewer->height);
        camera_moved(viewer);
    } else if (viewer->picture) {
        const Shape shape = viewer_shown_shape(viewer);
        viewer->viewport = viewport_actual(viewer->area, shape.width, shape.height);
    }
}

void viewer_zoom(Viewer *viewer, double factor, double x, double y) {
    if (!viewer->in_scene) {
        viewer->viewport = viewport_zoom(viewer->viewport, factor, x, y);
        return;
    }
    orbit_camera_zoom(&viewer->orbit_camera, factor, x - viewer->width / 2.0, y - viewer->height / 2.0);
    camera_moved(viewer);
}

void viewer_pan(Viewer *viewer, double dx, double dy) {
    if (!viewer->in_scene) {
        viewer->viewport = viewport_pan(viewer->viewport, dx, dy);
        return;
    }
    orbit_camera_pan(&viewer->orbit_camera, dx, dy, viewer->height);
    camera_moved(viewer);
}

void viewer_orbit(Viewer *viewer, double dx, double dy) {
    orbit_camera_orbit(&viewer->orbit_camera, dx, dy, viewer->height);
    camera_moved(viewer);
}

Status viewer_switch_camera(Viewer *viewer) {
    const OrbitCamera before = viewer->orbit_camera;
    orbit_camera_switch(&viewer->orbit_camera, viewer->scene, viewer->area, viewer->width, viewer->height);
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK)
        viewer->orbit_camera = before;
    return status;
}

Status viewer_set_look(Viewer *viewer, Look look) {
    const Look before = viewer->look;
    viewer->look = look;
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK)
        viewer->look = before;
    else
        viewer->look_taken = false;
    return status;
}

bool viewer_moves(const Viewer *viewer) {
    return viewer->in_scene && viewer->motion.on;
}

void viewer_toggle_motion(Viewer *viewer) {
    motion_toggle(&viewer->motion);
    viewer->stale = viewer->pipeline != NULL;
    viewer_clear_spans(viewer);
}

static bool area_equal(Area a, Area b) {
    const double away = fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.width - b.width) + fabs(a.height - b.height);
    return away < 0.5;
}

static void follow_window(Viewer *viewer) {
    if (viewer->in_scene && viewer->orbit_camera.fitted)
        fit_eye(viewer);
    if (viewer->in_scene)
        camera_moved(viewer);
    if (viewer->viewport.fitted && !viewer->in_scene)
        viewer_fit(viewer);
}

void viewer_resize(Viewer *viewer, int width, int height) {
    if (width == viewer->width && height == viewer->height)
        return;
    viewer->width = width;
    viewer->height = height;
    viewer->area = (Area){0, 0, width, height};
    viewer->yardsticks = viewer->in_scene ? (Yardsticks){0} : viewer->yardsticks;
    follow_window(viewer);
}

void viewer_set_area(Viewer *viewer, Area area) {
    if (area_equal(area, viewer->area) || area.width < 1 || area.height < 1)
        return;
    viewer->area = area;
    if (!viewer->in_scene || viewer->orbit_camera.fitted)
        follow_window(viewer);
}

/* ---- birth and death ---- */

Status viewer_create(Device *device, const char *chain, const char *level, PlanOptions options, Viewer **viewer) {
    Viewer *made = *viewer = calloc(1, sizeof *made);
    if (!made) {
        device_close(&device);
        return fail(STATUS_DEVICE, "no memory for the viewer");
    }
    *made = (Viewer){.device = device,
                     .options = options,
                     .orbit_camera = orbit_camera_default(),
                     .width = 1280,
                     .height = 800,
                     .area = {0, 0, 1280, 800},
                     .viewport = {.scale = 1, .fitted = true},
                     .overlay = OVERLAY_FULL,
                     .facts = true,
                     .present = {.wanted = "best"},
                     .samples = LIGHT_MAX,
                     .draws = {.since = clock_ms()},
                     .split = 0.5,
                     .selected = SIZE_MAX,
                     .scale = 1};
    made->stop = calloc(1, sizeof *made->stop);
    Status status = made->stop ? chain_open(chain, &made->chain) : fail(STATUS_DEVICE, "no memory for the viewer");
    if (status == STATUS_OK)
        status = viewer_set_level(made, level);
    if (status != STATUS_OK)
        viewer_destroy(viewer);
    return status;
}

void viewer_destroy(Viewer **viewer) {
    Viewer *old = *viewer;
    if (!old)
        return;
    viewer_release(old);
    pipeline_destroy(&old->pipeline);
    device_close(&old->device);
    image_destroy(&old->picture);
    image_destroy(&old->result);
    scene_destroy(&old->scene);
    chain_destroy(&old->chain);
    file_list_free(&old->pictures);
    free(old->stop);
    free(old);
    *viewer = NULL;
}
