/* subject_picture.c: a picture: a viewport says where it lies in the window. */
#include "app/view/session/viewer.h"

#include <stdio.h>

static Status reopen(Viewer *viewer) {
    return viewer_open_picture(viewer, viewer->pictures.current);
}

static Shape shape(const Subject *subject, int width, int height) {
    (void)width, (void)height;
    return subject->picture->view.shape;
}

static Viewport viewport(const Viewer *viewer) {
    const Shape shown = viewer_shown_shape(viewer);
    return viewer->viewport.fitted && viewer_picture(viewer)
               ? viewport_fit(viewer_result_area(viewer), shown.width, shown.height)
               : viewer->viewport;
}

static void fit(Viewer *viewer) {
    viewer->viewport.fitted = true;
}

static void reset(Viewer *viewer) {
    const Shape shown = viewer_shown_shape(viewer);
    (void)viewer_set_exposure(viewer, 0);
    viewer->viewport = viewport_actual(viewer_result_area(viewer), shown.width, shown.height);
}

/* Where it is fitted, that is asked for again at every draw. */
static void follow(Viewer *viewer, bool resized) {
    (void)viewer, (void)resized;
}

static void zoom(Viewer *viewer, double factor, double x, double y) {
    viewer->viewport = viewport_zoom(viewport(viewer), factor, x, y);
}

static void pan(Viewer *viewer, double dx, double dy) {
    viewer->viewport = viewport_pan(viewport(viewer), dx, dy);
}

static void format_shape(const Viewer *viewer, char *buffer, size_t size) {
    const Shape of = viewer_shape(viewer);
    buffer[0] = '\0';
    if (of.width > 0)
        snprintf(buffer, size, "%zu × %zu · %s × %d", of.width, of.height, pixel_type_name(of.type), of.channels);
}

static void format_zoom(const Viewer *viewer, char *buffer, size_t size) {
    const double percent = viewport(viewer).scale * 100;
    snprintf(buffer, size, "%.*f %%", percent < 9.95 ? 1 : 0, percent);
}

const SubjectKind subject_picture = {
    .place = SUBJECT_PICTURE,
    .missing = "no picture is open: glint view PICTURE",
    .command = "batch",
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
