/* viewer.c: the viewer's state and what changes it. */
#include "app/view/viewer.h"

#include "core/codec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTLING_RUNS = 15, FILES_MOST = 999 };
#define SETTLING_MS 400.0 /* after a change the job is repeated this long, so that medians mean something */
#define LOWEST_MS   250.0 /* for the lowest rung */
#define LANE_MS     700.0 /* for each level of a race */
#define TOAST_MS    6000.0
#define POWER_MS    100.0 /* asking takes up to a millisecond */
#define FRAME_MS    30.0  /* for a step of light: hands wait no longer */
#define USUAL_SCENE "spheres"

/* ---- messages and timings ---- */

void viewer_say(Viewer *viewer, bool error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(viewer->toast.text, sizeof viewer->toast.text, format, arguments);
    va_end(arguments);
    viewer->toast.error = error;
    viewer->toast.until = clock_ms() + TOAST_MS;
}

static SpanHistory *span_named(Viewer *viewer, const char *name) {
    for (size_t i = 0; i < viewer->span_count; i++)
        if (strcmp(viewer->spans[i].name, name) == 0)
            return &viewer->spans[i];
    if (viewer->span_count == SPANS_MOST)
        return NULL;
    viewer->spans[viewer->span_count] = (SpanHistory){.name = name};
    return &viewer->spans[viewer->span_count++];
}

static void record(Viewer *viewer, const char *name, double ms, bool stage) {
    SpanHistory *span = span_named(viewer, name);
    if (!span)
        return;
    span->stage = stage;
    history_add(&span->history, ms);
}

void viewer_record(Viewer *viewer, const char *name, double ms) {
    record(viewer, name, ms, false);
    recorder_add(viewer->recorder, TRACK_MAIN, name, NULL, clock_ms() - ms, ms);
}

const SpanHistory *viewer_span(const Viewer *viewer, const char *name) {
    for (size_t i = 0; i < viewer->span_count; i++)
        if (strcmp(viewer->spans[i].name, name) == 0)
            return &viewer->spans[i];
    return NULL;
}

/* The order in which the overlay lists them. */
static void clear_spans(Viewer *viewer) {
    viewer->span_count = 0;
    viewer->totals = (History){0};
    if (viewer->picture && !viewer->in_scene)
        viewer_record(viewer, "decode", viewer->decode_ms);
    if (viewer->uploaded && !viewer->in_scene && viewer->pipeline)
        viewer_record(viewer, "upload", viewer->upload_ms);
}

Figures viewer_figures(const Viewer *viewer) {
    Figures figures = {.ms = history_median(&viewer->totals)};
    if (!viewer->pipeline || viewer->totals.count == 0 || pipeline_stage_count(viewer->pipeline) == 0)
        return (Figures){0};
    const Shape shape = pipeline_result_shape(viewer->pipeline);
    const double ms = fmax(figures.ms, 1e-6);
    Cost cost = {0};
    for (size_t i = 0; i < pipeline_stage_count(viewer->pipeline); i++) {
        const Cost part = stage_cost(pipeline_stage(viewer->pipeline, i));
        cost.bytes += part.bytes;
        cost.flops += part.flops;
    }
    figures.mpixels = (double)shape.width * (double)shape.height / ms / 1e3;
    figures.gigabytes = cost.bytes / ms / 1e6;
    figures.gigaflops = cost.flops / ms / 1e6;
    figures.bytes = cost.bytes;
    figures.flops = cost.flops;
    if (viewer->yardsticks.copy_ms > 0) {
        figures.copies = ms / viewer->yardsticks.copy_ms;
        figures.bandwidth = cost.bytes / viewer->yardsticks.copy_ms / 1e6;
    }
    const Timing *lowest = &viewer->yardsticks.lowest;
    const bool is_lowest = lowest->known && viewer->yardsticks.lowest_level == viewer_level(viewer);
    if (lowest->known)
        figures.speedup = is_lowest ? 1 : lowest->ms / ms;
    figures.speedup_estimated = lowest->estimated && !is_lowest;
    return figures;
}

/* Where what is known of a level is kept, or NULL. */
static Timing *level_time(Viewer *viewer, const Level *level) {
    const size_t place = (size_t)(level - viewer->device->backend->levels);
    return place < LEVELS_MOST ? &viewer->level_times[place] : NULL;
}

Timing viewer_level_time(const Viewer *viewer, const Level *level) {
    const size_t place = (size_t)(level - viewer->device->backend->levels);
    return place < LEVELS_MOST ? viewer->level_times[place] : (Timing){0};
}

static void note_level_time(Viewer *viewer, const Level *level, Timing timing) {
    Timing *known = level_time(viewer, level);
    if (known && timing.known && (!timing.estimated || !known->known || known->estimated))
        *known = timing;
}

/* The medians since the last change: of the level, and of its backend. */
static void note_times(Viewer *viewer) {
    const Level *level = viewer_level(viewer);
    if (!level)
        return;
    const double ms = history_median(&viewer->totals);
    note_level_time(viewer, level, (Timing){.known = true, .ms = ms});
    for (size_t i = 0; i < backend_count && i < BACKENDS_MOST; i++)
        if (backends[i] == viewer->device->backend)
            viewer->sides[i] = (Side){level, ms};
}

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

const Level *viewer_level(const Viewer *viewer) {
    if (!viewer->pipeline || pipeline_stage_count(viewer->pipeline) == 0)
        return NULL;
    return pipeline_level(viewer->pipeline, pipeline_main_stage(viewer->pipeline));
}

size_t viewer_rungs(const Viewer *viewer, Rung rungs[RUNGS_MOST]) {
    const Level *current = viewer_level(viewer), *level;
    size_t count = 0;
    if (!current)
        return 0;
    const Backend *backend = viewer->device->backend;
    const bool has_reference = ladder_level(backend, current->operation, 0) == level_reference(current->operation);
    for (; count < RUNGS_MOST && (level = ladder_level(backend, current->operation, count)); count++)
        rungs[count] =
            (Rung){level, (int)count + (has_reference ? 0 : 1),
                   level == current ? NULL : level_why_not(viewer->device, viewer->pipeline, level), level == current};
    return count;
}

static Job current_job(const Viewer *viewer) {
    return (Job){.device = viewer->device,
                 .chain = viewer->chain,
                 .options = viewer->options,
                 .picture = viewer->in_scene ? (ImageView){.stride = 0} : viewer->picture->view,
                 .scene = viewer->in_scene ? viewer->scene : NULL,
                 .camera = viewer->eye.camera,
                 .look = viewer->look,
                 .exposure = (float)exp2(viewer->exposure),
                 .shape = viewer_shape(viewer)};
}

/* Makes the pipeline for what is asked for now; on failure the old one stays, and the caller takes its change back. */
static Status bind(Viewer *viewer) {
    Plan *plan;
    Pipeline *made;
    if (!viewer->in_scene && !viewer->picture)
        return STATUS_OK;
    const Job job = current_job(viewer);
    TRY(job_plan(&job, 1, &plan));
    TRY(pipeline_create(viewer->device, plan, viewer->level, &made));
    pipeline_destroy(&viewer->pipeline);
    viewer->pipeline = made;
    viewer->uploaded = viewer->on_device = false;
    viewer->stale = true;
    viewer->render.pipeline = NULL;
    clear_spans(viewer);
    return STATUS_OK;
}

/* As bind, for another job than before: nothing measured for the old one holds. */
static Status bind_anew(Viewer *viewer) {
    TRY(bind(viewer));
    viewer->yardsticks = (Yardsticks){0};
    viewer->race = (Race){0};
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
        there |= level_by_name(viewer->device->backend, pipeline_stage(viewer->pipeline, i)->operation, name) != NULL;
    return there;
}

/* Runs `set` and, if only the chosen level stands against it, once more with the best level, and says so. */
static Status with_best_level(Viewer *viewer, Status (*set)(Viewer *viewer, const void *to), const void *to) {
    const Status status = set(viewer, to);
    if (status != STATUS_USAGE || strcmp(viewer->level, "best") == 0)
        return status;
    char level[sizeof viewer->level], why[TOAST_MOST];
    snprintf(level, sizeof level, "%s", viewer->level);
    snprintf(why, sizeof why, "%s", status_message());
    snprintf(viewer->level, sizeof viewer->level, "best");
    if (set(viewer, to) != STATUS_OK) {
        snprintf(viewer->level, sizeof viewer->level, "%s", level);
        return fail(status, "%s", why);
    }
    const Level *best = viewer_level(viewer);
    if (best && !on_a_ladder(viewer, level))
        viewer_say(viewer, true, "%s on %s has no level %s; taking the best, %s", operations[best->operation].name,
                   viewer->device->backend->name, level, best->name);
    else
        viewer_say(viewer, true, "%s; the best level takes over", why);
    return STATUS_OK;
}

static Status bind_to(Viewer *viewer, const void *unused) {
    (void)unused;
    return bind_anew(viewer);
}

/* As bind_anew, for what takes the place of something else: a level chosen for that gives way to the best. What comes
 * first has to take the level that was asked for with it. */
static Status bind_instead(Viewer *viewer) {
    return viewer->pipeline ? with_best_level(viewer, bind_to, NULL) : bind_anew(viewer);
}

/* ---- pictures ---- */

static bool show_shape_changed(Image *a, Image *b) {
    return !a || a->view.shape.width != b->view.shape.width || a->view.shape.height != b->view.shape.height;
}

/* Decodes picture `index` and shows it; on failure all stays as it was. */
static Status show(Viewer *viewer, size_t index) {
    Image *decoded;
    const double start = clock_ms();
    TRY(codec_load(viewer->pictures.paths[index], &decoded));
    const double ms = clock_ms() - start;
    const Viewer before = *viewer;
    viewer->picture = decoded;
    viewer->decode_ms = ms;
    viewer->in_scene = false;
    viewer->pictures.current = index;
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK) {
        viewer->picture = before.picture;
        viewer->decode_ms = before.decode_ms;
        viewer->in_scene = before.in_scene;
        viewer->pictures.current = before.pictures.current;
        image_destroy(&decoded);
        return status;
    }
    viewer->picture_serial++;
    Image *old = before.picture;
    if (viewer->placement.fitted || show_shape_changed(old, decoded))
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
    Status status = paths_add(&viewer->pictures, path);
    if (status == STATUS_OK)
        status = viewer_show_first(viewer, before);
    if (status != STATUS_OK)
        paths_shorten(&viewer->pictures, before);
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
        char name[PATH_MOST];
        snprintf(name, sizeof name, "%s", viewer->scene_name);
        return viewer_open_scene(viewer, name);
    }
    return viewer->picture ? show(viewer, viewer->pictures.current) : fail(STATUS_USAGE, "nothing is open");
}

/* ---- scenes ---- */

static void fit_eye(Viewer *viewer) {
    eye_fit(&viewer->eye, viewer->scene, viewer->area, viewer->width, viewer->height);
}

Status viewer_open_scene(Viewer *viewer, const char *text) {
    Scene *opened;
    TRY(scene_open(text, &opened));
    Scene *old = viewer->scene;
    const Eye eye = viewer->eye;
    const bool in_scene = viewer->in_scene;
    viewer->scene = opened;
    viewer->in_scene = true;
    eye_reset(&viewer->eye, opened, viewer->area, viewer->width, viewer->height);
    if (!opened->has_viewpoint)
        fit_eye(viewer);
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK) {
        viewer->scene = old;
        viewer->in_scene = in_scene;
        viewer->eye = eye;
        scene_destroy(&opened);
        return status;
    }
    scene_destroy(&old);
    snprintf(viewer->scene_name, sizeof viewer->scene_name, "%s", text);
    return STATUS_OK;
}

Status viewer_show_scene(Viewer *viewer, bool in_scene) {
    if (in_scene == viewer->in_scene)
        return STATUS_OK;
    if (in_scene && !viewer->scene)
        return viewer_open_scene(viewer, USUAL_SCENE);
    if (!in_scene && !viewer->picture)
        return fail(STATUS_USAGE, "no picture is open: glint view PICTURE");
    viewer->in_scene = in_scene;
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK)
        viewer->in_scene = !in_scene;
    return status;
}

/* ---- chain, level, border, backend ---- */

Status viewer_set_chain(Viewer *viewer, const char *text) {
    Chain *parsed, *old = viewer->chain;
    TRY(chain_parse(text, &parsed));
    viewer->chain = parsed;
    const Status status = viewer->in_scene ? STATUS_OK : bind_anew(viewer);
    if (status != STATUS_OK)
        viewer->chain = old;
    chain_destroy(status == STATUS_OK ? &old : &parsed);
    return status;
}

/* An empty pipeline takes any name; a typing error is one all the same. */
static bool level_known(const Backend *backend, const char *name) {
    bool known = strcmp(name, "best") == 0;
    for (size_t i = 0; i < backend->level_count; i++)
        known |= strcmp(backend->levels[i].name, name) == 0;
    return known;
}

Status viewer_set_level(Viewer *viewer, const char *name) {
    const bool staged = viewer->pipeline && pipeline_stage_count(viewer->pipeline) > 0;
    if (!staged && !level_known(viewer->device->backend, name))
        return fail(STATUS_USAGE, "level \"%s\": the %s backend has no such level; `glint list levels` shows them",
                    name, viewer->device->backend->name);
    if (viewer->pipeline)
        TRY(pipeline_set_level(viewer->pipeline, name));
    snprintf(viewer->level, sizeof viewer->level, "%s", name);
    viewer->stale = viewer->pipeline != NULL;
    clear_spans(viewer);
    return STATUS_OK;
}

Status viewer_set_border(Viewer *viewer, Border border) {
    const Border old = viewer->options.border;
    viewer->options.border = border;
    const Status status = viewer->in_scene ? STATUS_OK : bind_anew(viewer);
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
    const char *why_not_cuda;
    if (strcmp(name, viewer->device->backend->name) == 0)
        return STATUS_OK;
    const bool is_cpu = strcmp(name, backends[0]->name) == 0; /* which has one device, whichever GPU was asked for */
    TRY(backend_open(name, is_cpu ? 0 : viewer->device_index, viewer->threads, &opened, &why_not_cuda));
    Device *old = viewer->device;
    Side sides[BACKENDS_MOST]; /* the job stays the same */
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
    viewer->peak = 0;
    viewer->peak_tried = false;
    viewer->power_time = 0;
    present_close(&viewer->present, old);
    present_forget(&viewer->present);
    pipeline_destroy(&pipeline);
    device_close(&old);
    return STATUS_OK;
}

Status viewer_set_route(Viewer *viewer, const char *name) {
    TRY(present_choose(&viewer->present, viewer->device, name));
    viewer->stale = viewer->pipeline != NULL;
    clear_spans(viewer);
    return STATUS_OK;
}

Status viewer_set_param(Viewer *viewer, size_t link, const Param *param, double number) {
    void *values = viewer->chain->links[link].values;
    const double old = param_number(param, values);
    param_set_number(param, values, number);
    const double now = param_number(param, values);
    if (!(now < old || now > old))
        return STATUS_OK;
    char text[PATH_MOST];
    chain_format(viewer->chain, text, sizeof text);
    param_set_number(param, values, old);
    return viewer_pick_chain(viewer, text);
}

Status viewer_remove_link(Viewer *viewer, size_t link) {
    char text[PATH_MOST] = "";
    Chain rest = {0};
    for (size_t i = 0; i < viewer->chain->count; i++)
        if (i != link)
            rest.links[rest.count++] = viewer->chain->links[i];
    chain_format(&rest, text, sizeof text);
    return viewer_pick_chain(viewer, text);
}

/* ---- typing a chain ---- */

void viewer_begin_entry(Viewer *viewer) {
    viewer->typing = true;
    chain_format(viewer->chain, viewer->entry, sizeof viewer->entry);
}

Status viewer_type(Viewer *viewer, char character) {
    enum { BACKSPACE = 8, RETURN = 13, ESCAPE = 27, DELETE = 127 };
    const size_t length = strlen(viewer->entry);
    if (character == RETURN)
        TRY(viewer_pick_chain(viewer, viewer->entry));
    if (character == RETURN || character == ESCAPE)
        viewer->typing = false;
    else if ((character == BACKSPACE || character == DELETE) && length > 0)
        viewer->entry[length - 1] = '\0';
    else if (character >= ' ' && character < DELETE && length + 1 < sizeof viewer->entry)
        memcpy(viewer->entry + length, (const char[]){character, '\0'}, 2);
    return STATUS_OK;
}

/* ---- the view ---- */

Placement viewer_placement(const Viewer *viewer) {
    return viewer->in_scene ? (Placement){.scale = 1} : viewer->placement;
}

static void camera_moved(Viewer *viewer) {
    if (bind(viewer) != STATUS_OK)
        viewer_say(viewer, true, "%s", status_message());
}

void viewer_fit(Viewer *viewer) {
    if (viewer->in_scene) {
        fit_eye(viewer);
        camera_moved(viewer);
    } else if (viewer->picture) {
        const Shape shape = viewer->picture->view.shape;
        viewer->placement = placement_fit(viewer->area, shape.width, shape.height);
    } else {
        viewer->placement = (Placement){.scale = 1, .fitted = true};
    }
}

bool viewer_gathers(const Viewer *viewer) {
    return viewer->in_scene && look_is_light(viewer->look);
}

/* The result anew, of what is gathered. */
static Status show_light(Viewer *viewer, Spans *spans) {
    const double start = clock_ms();
    TRY(render_show(&viewer->render, spans));
    viewer->shown_at = clock_ms();
    viewer->show_ms = viewer->shown_at - start;
    viewer->result_serial++;
    return STATUS_OK;
}

Status viewer_set_exposure(Viewer *viewer, double stops) {
    Spans unrecorded = {0};
    viewer->exposure = stops;
    if (!viewer_gathers(viewer) || !viewer->pipeline)
        return STATUS_OK;
    pipeline_set_exposure(viewer->pipeline, (float)exp2(stops));
    return viewer->on_device ? show_light(viewer, &unrecorded) : STATUS_OK;
}

void viewer_reset_view(Viewer *viewer) {
    (void)viewer_set_exposure(viewer, 0);
    if (viewer->in_scene) {
        eye_reset(&viewer->eye, viewer->scene, viewer->area, viewer->width, viewer->height);
        camera_moved(viewer);
    } else if (viewer->picture) {
        const Shape shape = viewer->picture->view.shape;
        viewer->placement = placement_actual(viewer->area, shape.width, shape.height);
    }
}

void viewer_zoom(Viewer *viewer, double factor, double x, double y) {
    if (!viewer->in_scene) {
        viewer->placement = placement_zoom(viewer->placement, factor, x, y);
        return;
    }
    eye_zoom(&viewer->eye, factor, x - viewer->width / 2.0, y - viewer->height / 2.0);
    camera_moved(viewer);
}

void viewer_pan(Viewer *viewer, double dx, double dy) {
    if (!viewer->in_scene) {
        viewer->placement = placement_pan(viewer->placement, dx, dy);
        return;
    }
    eye_pan(&viewer->eye, dx, dy, viewer->height);
    camera_moved(viewer);
}

void viewer_orbit(Viewer *viewer, double dx, double dy) {
    eye_orbit(&viewer->eye, dx, dy, viewer->height);
    camera_moved(viewer);
}

Status viewer_switch_camera(Viewer *viewer) {
    const Eye before = viewer->eye;
    eye_switch(&viewer->eye, viewer->scene, viewer->area, viewer->width, viewer->height);
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK)
        viewer->eye = before;
    return status;
}

Status viewer_set_look(Viewer *viewer, Look look) {
    const Look before = viewer->look;
    viewer->look = look;
    const Status status = bind_instead(viewer);
    if (status != STATUS_OK)
        viewer->look = before;
    return status;
}

static bool area_equal(Area a, Area b) {
    const double away = fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.width - b.width) + fabs(a.height - b.height);
    return away < 0.5;
}

static void follow_window(Viewer *viewer) {
    if (viewer->in_scene && viewer->eye.fitted)
        fit_eye(viewer);
    if (viewer->in_scene)
        camera_moved(viewer);
    if (viewer->placement.fitted && !viewer->in_scene)
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
    if (!viewer->in_scene || viewer->eye.fitted)
        follow_window(viewer);
}

/* ---- work ---- */

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
        record(viewer, spans->spans[i].name, spans->spans[i].ms, true);
    history_add(&viewer->totals, spans_total(spans));
    history_add(&viewer->graph, spans_total(spans));
    note_times(viewer);
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
    const bool anew = render->pipeline != viewer->pipeline || viewer->stale || render_complete(render);
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
    /* Making a picture shall not take more than a fifth of the time. */
    if (anew || render_complete(render) || clock_ms() - viewer->shown_at > 4 * viewer->show_ms)
        TRY(show_light(viewer, &spans));
    if (!coarse)
        record_run(viewer, &spans);
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
        record(viewer, spans.spans[i].name, spans.spans[i].ms, false);
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
    Status status = viewer_gathers(viewer) ? gather(viewer) : time_run(viewer);
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
    const Job job = current_job(viewer);
    TRY(job_time(&job, yardsticks->lowest_level->name, LOWEST_MS, &yardsticks->lowest));
    note_level_time(viewer, yardsticks->lowest_level, yardsticks->lowest);
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
    const Job job = current_job(viewer);
    TRY(job_time(&job, alone ? lane->level->name : "best", LANE_MS, &lane->timing));
    note_level_time(viewer, lane->level, lane->timing);
    if (lane->level == viewer->yardsticks.lowest_level && !lane->timing.estimated)
        viewer->yardsticks.lowest = lane->timing;
    return STATUS_OK;
}

static void settle(Viewer *viewer) {
    viewer->settling = SETTLING_RUNS;
    viewer->settle_until = clock_ms() + SETTLING_MS;
}

/* One piece of what is due besides endless measuring; false if nothing is. */
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
    if (staged && viewer_gathers(viewer) && viewer->totals.count == 0) { /* a preview is there */
        *status = viewer_run(viewer);
        return true;
    }
    if (!staged || viewer->totals.count == 0)
        return false;
    if (viewer->settling > 0 && !viewer->measuring && !viewer_gathers(viewer)) {
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
    if (viewer->racing && viewer->race.count == 0)
        start_race(viewer);
    if (viewer->racing && viewer->race.next < viewer->race.count) {
        *status = run_lane(viewer);
        return true;
    }
    if (viewer_gathers(viewer) && !render_complete(&viewer->render)) {
        *status = viewer_run(viewer);
        return true;
    }
    return false;
}

bool viewer_work(Viewer *viewer) {
    Status status;
    bool worked = work_due(viewer, &status);
    if (!worked && viewer->measuring && viewer->pipeline) {
        status = viewer_run(viewer);
        worked = true;
    }
    if (status != STATUS_OK) {
        viewer_say(viewer, true, "%s", status_message());
        viewer->measuring = false;
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

/* ---- saving ---- */

Status viewer_save_result(Viewer *viewer, const char *path, bool overwrite) {
    if (!viewer->pipeline)
        return fail(STATUS_USAGE, "nothing is open");
    if (viewer->stale || !viewer->has_result)
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

/* ---- birth and death ---- */

Status viewer_create(Device *device, const char *chain, const char *level, PlanOptions options, Viewer **viewer) {
    Viewer *made = *viewer = calloc(1, sizeof *made);
    if (!made) {
        device_close(&device);
        return fail(STATUS_DEVICE, "no memory for the viewer");
    }
    *made = (Viewer){.device = device,
                     .options = options,
                     .eye = eye_usual(),
                     .width = 1280,
                     .height = 800,
                     .area = {0, 0, 1280, 800},
                     .placement = {.scale = 1, .fitted = true},
                     .overlay = OVERLAY_FULL,
                     .facts = true,
                     .present = {.wanted = "best"},
                     .samples = LIGHT_MOST,
                     .split = 0.5,
                     .scale = 1};
    Status status = chain_parse(chain, &made->chain);
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
    paths_free(&old->pictures);
    free(old);
    *viewer = NULL;
}
