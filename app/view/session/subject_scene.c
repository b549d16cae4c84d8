/* subject_scene.c: a scene: a camera looks at it, and its picture is as large as the window. */
#include "app/view/session/viewer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Status reopen(Viewer *viewer) {
    char name[PATH_CAPACITY];
    snprintf(name, sizeof name, "%s", viewer_title(viewer));
    return viewer_open_scene(viewer, name);
}

static Shape shape(const Subject *subject, int width, int height) {
    (void)subject;
    return (Shape){(size_t)width, (size_t)height, 3, PIXEL_U8};
}

/* A perspective camera looks at the middle of its picture, which lies in the middle of the free area. Nothing is
 * drawn outside of that, so that no margin of the window is left. An orthographic camera sees that area in its place
 * (orbit_camera_fit). Filters may make the picture another size, which changes no middle. Next to the other side, it is
 * that of its half. */
static Viewport viewport(const Viewer *viewer) {
    const Shape shown = viewer_shown_shape(viewer);
    const Area area = viewer->area, right = viewer_result_area(viewer);
    const bool centred = viewer->request->orbit_camera.orbits;
    const double middle_x = area.x + area.width / 2, middle_y = area.y + area.height / 2;
    const double aside = right.x + right.width / 2 - middle_x + (centred ? middle_x - viewer->width / 2.0 : 0);
    const double below = centred ? middle_y - viewer->height / 2.0 : 0;
    return (Viewport){.x = floor((viewer->width - (double)shown.width) / 2) + round(aside),
                      .y = floor((viewer->height - (double)shown.height) / 2) + round(below),
                      .scale = 1};
}

static void look_from(Viewer *viewer, OrbitCamera camera) {
    Request next = viewer_request(viewer);
    next.orbit_camera = camera;
    if (viewer_ask(viewer, next, FALLBACK_NONE) != STATUS_OK)
        viewer_say(viewer, true, "%s", status_message());
}

static void fit(Viewer *viewer) {
    OrbitCamera camera = viewer->request->orbit_camera;
    orbit_camera_fit(&camera, viewer_scene(viewer), viewer->area, viewer->width, viewer->height);
    look_from(viewer, camera);
}

static void reset(Viewer *viewer) {
    OrbitCamera camera = viewer->request->orbit_camera;
    (void)viewer_set_exposure(viewer, viewer->session->subject->default_exposure);
    orbit_camera_reset(&camera, viewer_scene(viewer), viewer->area, viewer->width, viewer->height);
    look_from(viewer, camera);
}

static void follow(Viewer *viewer, bool resized) {
    if (viewer->request->orbit_camera.fitted)
        fit(viewer);
    else if (resized)
        look_from(viewer, viewer->request->orbit_camera);
}

static void zoom(Viewer *viewer, double factor, double x, double y) {
    OrbitCamera camera = viewer->request->orbit_camera;
    orbit_camera_zoom(&camera, factor, x - viewer->width / 2.0, y - viewer->height / 2.0);
    look_from(viewer, camera);
}

static void pan(Viewer *viewer, double dx, double dy) {
    OrbitCamera camera = viewer->request->orbit_camera;
    orbit_camera_pan(&camera, dx, dy, viewer->height);
    look_from(viewer, camera);
}

static void format_shape(const Viewer *viewer, char *buffer, size_t size) {
    const Shape of = viewer_shape(viewer);
    char count[80];
    scene_count_text(viewer_scene(viewer), count, sizeof count);
    snprintf(buffer, size, "%s · %zu × %zu", count, of.width, of.height);
}

static void format_zoom(const Viewer *viewer, char *buffer, size_t size) {
    const OrbitCamera *camera = &viewer->request->orbit_camera;
    snprintf(buffer, size, camera->orbits ? "%.4g units away" : "%.3g units a pixel",
             (double)(camera->orbits ? camera->distance : camera->camera.unit));
}

const SubjectKind subject_scene = {
    .place = SUBJECT_SCENE,
    .missing = "no scene is open: glint view SCENE",
    .turns = true,
    .command = "trace",
    .reopen = reopen,
    .shape = shape,
    .viewport = viewport,
    .fit = fit,
    .reset = reset,
    .follow = follow,
    .zoom = zoom,
    .pan = pan,
    .format_shape = format_shape,
    .format_zoom = format_zoom,
};
