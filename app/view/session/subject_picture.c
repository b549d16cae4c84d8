/* subject_picture.c: a picture: a viewport says where it lies in the window. */
#include "app/view/session/tool.h"
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
    if (!viewer_picture(viewer))
        return viewer->viewport;
    if (!viewer->viewport.fitted)
        return viewport_resize(viewer->viewport, shown.width, shown.height);
    return viewport_fit(area_within(viewer_result_area(viewer), tools_margin(viewer)), shown.width, shown.height);
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

/* "8-bit RGB" */
static const char *const type_words[] = {[PIXEL_U8] = "8-bit", [PIXEL_U16] = "16-bit", [PIXEL_F32] = "32-bit float"};
static const char *const channel_words[] = {"gray", "gray with alpha", "RGB", "RGB with alpha"};

static void format_shape(const Viewer *viewer, char *buffer, size_t size) {
    const Shape of = viewer_shape(viewer), shown = viewer_shown_shape(viewer);
    char result[64] = "";
    buffer[0] = '\0';
    if (!viewer_keeps_size(viewer))
        snprintf(result, sizeof result, " → %zu × %zu", shown.width, shown.height);
    const Subject *subject = viewer->session->subject;
    char place[64] = "";
    if (subject && subject->in_file > 1)
        snprintf(place, sizeof place, " · frame 1 of %zu", subject->in_file);
    if (subject && subject->stands_in)
        snprintf(place, sizeof place, " · developing …");
    const ColourSpace *space = subject ? subject->colours.space : NULL;
    char colours[64] = "";
    if (space && space->name[0])
        snprintf(colours, sizeof colours, " · %.40s", space->name);
    if (of.width > 0)
        snprintf(buffer, size, "%zu × %zu%s · %s %s%s%s", of.width, of.height, result, type_words[of.type],
                 channel_words[of.channels - 1], colours, place);
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
