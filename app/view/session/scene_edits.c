/* scene_edits.c: changes of a scene, of the camera and of the light: each is another request, by tables of parameters.
 */
#include "app/view/session/viewer.h"

#include "app/view/session/figure_view.h"
#include "core/base/output.h"
#include "core/base/text.h"
#include "core/scene/files/glint.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a tenth add up to 2.3; and scenes are in single precision. */
static double rounded(double number) {
    char text[32];
    snprintf(text, sizeof text, "%.7g", number);
    return strtod(text, NULL);
}

static Status check_scene(const Viewer *viewer) {
    const Subject *subject = viewer->subject;
    return subject && subject->scene ? STATUS_OK : fail(STATUS_USAGE, "no scene is shown");
}

/* ---- the scene ---- */

static Status ask_for_text(Viewer *viewer, const char text[SCENE_TEXT_MAX]) {
    Request next = viewer_request(viewer);
    memcpy(next.scene, text, sizeof next.scene);
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status viewer_set_scene_param(Viewer *viewer, const ScenePart *part, size_t index, const Param *param, double number) {
    char text[SCENE_TEXT_MAX] = "";
    TRY(check_scene(viewer));
    TRY(scene_text_set(viewer->request->scene, part, index, param, rounded(number), text));
    return ask_for_text(viewer, text);
}

Status viewer_change_scene(Viewer *viewer, const char *changes) {
    char text[SCENE_TEXT_MAX] = "";
    TRY(check_scene(viewer));
    TRY(scene_text_merge(viewer->request->scene, changes, text));
    return ask_for_text(viewer, text);
}

Status viewer_reset_scene(Viewer *viewer, const ScenePart *part, size_t index) {
    char text[SCENE_TEXT_MAX] = "";
    TRY(check_scene(viewer));
    TRY(scene_text_reset(viewer->request->scene, part, index, text));
    return ask_for_text(viewer, text);
}

/* The first numbers of a part that scenes have one of; false if this one has none. */
static bool read_part(const Viewer *viewer, const char *name, double *numbers, size_t count) {
    const ScenePart *part = scene_part_by_name(name, strlen(name));
    const Scene *scene = viewer_scene(viewer);
    void *values;
    if (!scene || part->count(scene) == 0 ||
        scene_text_read(viewer->request->scene, scene, part, 0, &values) != STATUS_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        numbers[i] = param_number(&part->table.params[i], values);
    params_destroy(part->table, &values);
    return true;
}

static double around(double azimuth) {
    return azimuth - 360 * round(azimuth / 360);
}

bool viewer_sun(const Viewer *viewer, double *azimuth, double *altitude) {
    double sun[3], sky; /* the third is its strength */
    if (!read_part(viewer, "sun", sun, 3) || (sun[2] <= 0 && viewer_sky(viewer, &sky)))
        return false;
    *azimuth = sun[0];
    *altitude = sun[1];
    return true;
}

Status viewer_set_sun(Viewer *viewer, double azimuth, double altitude) {
    char changes[64];
    snprintf(changes, sizeof changes, "sun=azimuth=%.1f:altitude=%.1f", around(azimuth), fmin(fmax(altitude, -90), 90));
    return viewer_change_scene(viewer, changes);
}

bool viewer_sky(const Viewer *viewer, double *azimuth) {
    return read_part(viewer, "environment", azimuth, 1);
}

Status viewer_set_sky(Viewer *viewer, double azimuth) {
    char changes[64];
    snprintf(changes, sizeof changes, "environment=azimuth=%.1f", around(azimuth));
    return viewer_change_scene(viewer, changes);
}

/* ---- the camera ---- */

static Status ask_for_camera(Viewer *viewer, const void *values) {
    Request next = viewer_request(viewer);
    TRY(orbit_camera_take(&next.orbit_camera, values));
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status viewer_set_camera_param(Viewer *viewer, const Param *param, double number) {
    void *values;
    TRY(check_scene(viewer));
    TRY(orbit_camera_values(&viewer->request->orbit_camera, &values));
    param_set_number(param, values, rounded(number));
    const Status status = ask_for_camera(viewer, values);
    params_destroy(cameras[viewer->request->orbit_camera.camera.kind].table, &values);
    return status;
}

Status viewer_change_camera(Viewer *viewer, const char *text) {
    const CameraInfo *info = &cameras[viewer->request->orbit_camera.camera.kind];
    const char *at;
    void *values;
    TRY(check_scene(viewer));
    TRY(orbit_camera_values(&viewer->request->orbit_camera, &values));
    Status status = params_parse(info->table, info->name, text, text + strlen(text), values, &at);
    if (status == STATUS_OK)
        status = ask_for_camera(viewer, values);
    params_destroy(info->table, &values);
    return status;
}

/* ---- the light ---- */

Status viewer_set_gathering_param(Viewer *viewer, const Param *param, double number) {
    Request next = viewer_request(viewer);
    param_set_number(param, &next.gathering, rounded(number));
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status viewer_change_gathering(Viewer *viewer, const char *text) {
    Request next = viewer_request(viewer);
    const char *at;
    TRY(params_parse(gathering_table, "light", text, text + strlen(text), &next.gathering, &at));
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

/* ---- looks ---- */

/* Light of figures suits an exposure of 0, whatever suits the scene's own. */
static Status follow_exposure(Viewer *viewer) {
    const Subject *subject = viewer->session->subject;
    const double own = subject->default_exposure, from = viewer->request->figure ? own : 0;
    const bool chosen = subject->exposure < from || subject->exposure > from;
    return chosen ? STATUS_OK : viewer_set_exposure(viewer, viewer->request->figure ? 0 : own);
}

Status viewer_set_look(Viewer *viewer, Look look) {
    return viewer_take_look(viewer, looks[look].name);
}

Status viewer_take_look(Viewer *viewer, const char *name) {
    Request next = viewer_request(viewer);
    const bool was = next.figure;
    TRY(request_take_look(&next, name));
    next.look_taken = false;
    TRY(viewer_ask(viewer, next, FALLBACK_BEST));
    return was == next.figure ? STATUS_OK : follow_exposure(viewer);
}

/* ---- figures ---- */

/* Annotations that are new are for scenes that have something for them. */
static Status ask_for_style(Viewer *viewer, FigureStyle style) {
    Request next = viewer_request(viewer);
    FigureStyle more = style;
    TRY(check_scene(viewer));
    more.box -= fmin(style.box, next.style.box);
    more.axes -= fmin(style.axes, next.style.axes);
    more.bar -= fmin(style.bar, next.style.bar);
    TRY(figure_view_check(viewer->subject, &more));
    next.style = style;
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status viewer_set_style_param(Viewer *viewer, const Param *param, double number) {
    FigureStyle style = viewer->request->style;
    param_set_number(param, &style, rounded(number));
    return ask_for_style(viewer, style);
}

Status viewer_change_style(Viewer *viewer, const char *text) {
    FigureStyle style = viewer->request->style;
    const char *at;
    TRY(params_parse(figure_style_table, "figure", text, text + strlen(text), &style, &at));
    return ask_for_style(viewer, style);
}

/* ---- saving ---- */

/* The scene with the camera it is seen by now. It borrows `sky`, room for the absolute path of its sky, since the saved
 * file may lie in another folder. */
static Scene scene_as_seen(const Viewer *viewer, char sky[PATH_MAX]) {
    const OrbitCamera *camera = &viewer->request->orbit_camera;
    const Scene *shown = viewer_scene(viewer);
    Scene scene = *shown;
    char path[PATH_MAX];
    if (camera->orbits) {
        scene.viewpoint = (Viewpoint){camera->camera.from, camera->target, camera->up, camera->angle};
        scene.has_viewpoint = true;
    }
    if (scene_sky_path(&scene, path, sizeof path) > 0 && realpath(path, sky))
        scene.sky_file = sky;
    return scene;
}

static bool is_dark(const Light *light) {
    return light->colour.red + light->colour.green + light->colour.blue <= 0;
}

/* Leaves out the spheres and lights that changes have removed, in arrays of the scene's own. `base` is the scene
 * without changes. */
static Status leave_out_removed(const Scene *base, Scene *scene) {
    const Sphere *spheres = scene->spheres;
    const Light *lights = scene->lights;
    const size_t count = scene->count, light_count = scene->light_count;
    scene->spheres = malloc((count + 1) * sizeof *spheres);
    scene->lights = malloc((light_count + 1) * sizeof *lights);
    if (!scene->spheres || !scene->lights)
        return fail(STATUS_DEVICE, "no memory for a scene of %zu spheres", count);
    scene->count = scene->light_count = 0;
    for (size_t i = 0; i < count; i++)
        if (spheres[i].radius > 0 || (i < base->count && base->spheres[i].radius <= 0))
            scene->spheres[scene->count++] = spheres[i];
    for (size_t i = 0; i < light_count; i++)
        if (!is_dark(&lights[i]) || (i < base->light_count && is_dark(&base->lights[i])))
            scene->lights[scene->light_count++] = lights[i];
    return STATUS_OK;
}

static Status write_scene(const Scene *scene, const char *path, OutputRules rules) {
    Output *output = NULL;
    const size_t size = scene_format(scene, NULL, 0);
    char *text = malloc(size + 1);
    Status status = text ? output_claim(path, rules, &output) : fail(STATUS_DEVICE, "no memory for the scene's text");
    if (status == STATUS_OK)
        status = output_begin(output);
    if (status == STATUS_OK) {
        scene_format(scene, text, size + 1);
        status = output_append(output, (Bytes){.data = (unsigned char *)text, .size = size});
    }
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    output_destroy(&output);
    free(text);
    return status;
}

Status viewer_save_scene(Viewer *viewer, const char *path, bool overwrite) {
    const OutputRules rules = {.writer = "the scene", .overwrite = overwrite, .by_hand = !viewer->scripted};
    char sky[PATH_MAX];
    TRY(check_scene(viewer));
    Scene scene = scene_as_seen(viewer, sky);
    Status status = leave_out_removed(subject_base(viewer->subject)->scene, &scene);
    if (status == STATUS_OK)
        status = write_scene(&scene, path, rules);
    free(scene.spheres);
    free(scene.lights);
    if (status == STATUS_OK)
        scene_works_save(&viewer->scenes, viewer->request->opened);
    return status;
}
