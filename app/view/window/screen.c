/* screen.c: from the viewer's state to pixels. */
#include "app/view/window/screen.h"

#include "app/view/session/preview.h"

#include "core/codec/save.h"
#include "render/capture.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_HEIGHT  1080.0 /* pixels: a window of this height has texts at scale 1 */
#define DEFAULT_DPI     96.0
#define SCALE_MINIMUM   (15.0 / TEXT_PIXELS)
#define SCALE_MAXIMUM   4.0
#define CHECKER         8.0 /* pixels a square at scale 1 */
#define ZEBRA           4.0 /* pixels a stripe at scale 1 */
#define REDUCED_AT_ONCE 3e5 /* pixels that are averaged in less than a ms */

enum { BAR_PIXELS = 3 };

/* ---- textures ---- */

static CanvasLook current_look(const Screen *screen) {
    const Viewer *viewer = screen->viewer;
    const Viewport viewport = viewer_viewport(viewer);
    const Area right = viewer_result_area(viewer);
    unsigned serial;
    const bool split = viewer->compare == COMPARE_SPLIT && viewer_source(viewer, &serial);
    const bool sides = right.width < viewer->area.width;
    const bool difference = viewer_shows_difference(viewer), heat = difference && !viewer->plain_difference;
    CanvasShow show = difference ? CANVAS_SHOW_DIFFERENCE : CANVAS_SHOW_RESULT;
    show = viewer->unfiltered || viewer_flickers(viewer) ? CANVAS_SHOW_SOURCE : show;
    return (CanvasLook){.width = viewer->width,
                        .height = viewer->height,
                        .x = viewport.x,
                        .y = viewport.y,
                        .scale = viewport.scale,
                        .split = split   ? round(viewer_split_x(viewer))
                                 : sides ? round(right.x)
                                         : -1,
                        .shift = sides ? round(right.width) : 0,
                        .show = show,
                        .exposure = difference               ? viewer->gain
                                    : viewer_gathers(viewer) ? 0 /* it is in the result */
                                                             : viewer_exposure(viewer),
                        .graded = grade_changes(viewer->grade) || heat,
                        .channel = (int)viewer->grade.channel,
                        .false_colour = viewer->grade.false_colour || heat,
                        .gamma = viewer->grade.gamma,
                        .zebra = viewer->grade.zebra ? round(ZEBRA * viewer->scale) : 0,
                        .checker = round(CHECKER * viewer->scale)};
}

/* A texture is written while the draw that shows it is prepared: OpenGL waits for CUDA, and nobody for either. */
static Status send_result(Screen *screen, const Route *route) {
    Viewer *viewer = screen->viewer;
    const Shape shape = pipeline_result_shape(viewer->session->pipeline);
    unsigned texture, object;
    if (!shape_equal(viewer->present->port_shape, shape))
        viewer_release(viewer);
    TRY(canvas_reserve(screen->canvas, CANVAS_RESULT, shape, &texture));
    object = texture;
    if (route->target == ROUTE_BUFFER)
        TRY(canvas_reserve_buffer(screen->canvas, shape, &object));
    TRY(viewer_send(viewer, object));
    if (route->target != ROUTE_BUFFER)
        return STATUS_OK;
    double cost;
    TRY(viewer_await_sent(viewer, &cost));
    const double start = clock_ms();
    TRY(canvas_update(screen->canvas, CANVAS_RESULT));
    glFinish();
    const double update = clock_ms() - start;
    viewer_record(viewer, "update", update);
    present_took(viewer->present, viewer->session->device->backend, cost + update);
    return STATUS_OK;
}

/* Sends a new result by the best route that is left: each that fails is refused, down to the copy through the host,
 * which pictures larger than a texture take, too. *through_host: that is the route; the result's pixels are there. */
static Status present_result(Screen *screen, bool *through_host) {
    Viewer *viewer = screen->viewer;
    const Backend *backend = viewer->session->device->backend;
    const Route *route;
    *through_host = false;
    while (canvas_holds(screen->canvas, pipeline_result_shape(viewer->session->pipeline)) &&
           (route = present_route(viewer->present, backend)) != &route_copy) {
        if (send_result(screen, route) == STATUS_OK)
            return STATUS_OK;
        if (present_route(viewer->present, backend) == route) /* the route has not failed */
            return fail_within(STATUS_DEVICE, "route %s: ", route->name);
        viewer_say(viewer, true, "route %s is not to be had here: %s", route->name, status_message());
    }
    *through_host = true;
    return viewer_fetch(viewer);
}

bool screen_flickers(const Screen *screen) {
    return screen->viewer->compare == COMPARE_FLICKER && current_look(screen).show != screen->look.show;
}

bool screen_result_due(const Screen *screen) {
    return screen->viewer->session->on_device && screen->viewer->session->result_serial != screen->result_serial;
}

/* Takes a new result from the pipeline, into a texture or into host memory. A result that the pipeline no longer holds,
 * since there is a new job, stays on the screen until that has run. */
static Status take_result(Screen *screen) {
    const Viewer *viewer = screen->viewer;
    if (!viewer->session->has_result) {
        viewer_release(screen->viewer);
        canvas_clear(screen->canvas, CANVAS_RESULT);
        screen->result_serial = screen->filled_serial = 0;
        screen->through_host = false;
    } else if (screen_result_due(screen)) {
        TRY(present_result(screen, &screen->through_host));
        screen->result_serial = viewer->session->result_serial;
        screen->viewer->shown++;
    }
    return STATUS_OK;
}

/* Whether the look shows the source, next to the result or in its place. */
static bool shows_source(CanvasLook look) {
    return look.show != CANVAS_SHOW_RESULT || look.split >= 0;
}

/* The picture that fills a slot through the host, where it lies next to the result in the same way, or NULL. A picture
 * that stands in the place of the first result has a serial that no result has. */
static const Image *through_host(const Screen *screen, CanvasSlot slot, unsigned *serial) {
    const Viewer *viewer = screen->viewer;
    const Session *session = viewer->session;
    unsigned source_serial;
    const Image *source = viewer_source(viewer, &source_serial), *picture = viewer_picture(viewer);
    const bool awaits = viewer_awaits_result(viewer), result = slot == CANVAS_RESULT;
    const bool there = screen->through_host && session->result && session->result_fetched == screen->result_serial;
    *serial = source_serial;
    if (!result)
        return (awaits || there) && shows_source(screen->look) ? source : NULL;
    *serial = awaits ? session->request.subject->serial | ~(~0u >> 1) : screen->result_serial;
    return awaits ? picture : there ? session->result : NULL;
}

/* In the place of the result that is still to come, with a serial that no result has. */
static Status fill_preview(Screen *screen, const Preview *preview) {
    viewer_release(screen->viewer); /* the texture may be made again */
    screen->filled_serial = 0;
    return canvas_fill_small(screen->canvas, CANVAS_RESULT, preview->result, preview->image->view,
                             preview->serial | 1u << 30);
}

/* Fills the texture with the visible part of a result in host memory. The first time this is a part of the result's
 * way. */
static Status fill_result(Screen *screen) {
    Viewer *viewer = screen->viewer;
    unsigned serial;
    if (preview_shown(viewer->session))
        return fill_preview(screen, preview_shown(viewer->session));
    const Image *image = through_host(screen, CANVAS_RESULT, &serial);
    const bool first = serial == screen->result_serial && screen->filled_serial != serial;
    if (!image)
        return STATUS_OK;
    viewer_release(viewer); /* its texture may be made again */
    const double start = clock_ms();
    TRY(canvas_fill(screen->canvas, CANVAS_RESULT, image->view, serial, screen->look));
    if (!first)
        return STATUS_OK;
    screen->filled_serial = serial;
    glFinish();
    const SpanHistory *download = viewer_span(viewer, "download");
    const double cost = clock_ms() - start;
    viewer_record(viewer, "present", cost);
    present_took(viewer->present, viewer->session->device->backend,
                 cost + (download ? history_latest(&download->history) : 0));
    return STATUS_OK;
}

/* The source lies next to the result in the same way, so that the two can be compared; only where that is asked for. */
static Status fill_source(Screen *screen) {
    unsigned serial;
    const Image *image = through_host(screen, CANVAS_SOURCE, &serial), *source = viewer_source(screen->viewer, &serial);
    if (!source)
        canvas_clear(screen->canvas, CANVAS_SOURCE);
    if (image)
        return canvas_fill(screen->canvas, CANVAS_SOURCE, image->view, serial, screen->look);
    return source && shows_source(screen->look) && !screen->through_host
               ? canvas_fill_whole(screen->canvas, CANVAS_SOURCE, source->view, serial)
               : STATUS_OK;
}

/* ---- panels ---- */

/* In whole pixels of the text, so that fonts are not made again at every step of a resize. */
double screen_text_scale(double height, double dpi) {
    const double scale = fmax(fmax(height / DEFAULT_HEIGHT, dpi / DEFAULT_DPI), SCALE_MINIMUM);
    return round(fmin(scale, SCALE_MAXIMUM) * TEXT_PIXELS) / TEXT_PIXELS;
}

bool screen_build(Screen *screen) {
    const double now = clock_ms();
    screen->input.seconds = (now - screen->built_at) / 1e3;
    screen->built_at = now;
    screen->viewer->scale = screen_text_scale(screen->viewer->height, screen->dpi);
    const bool settled = overlay_build(screen->overlay, screen->viewer, &screen->input);
    screen->build_ms += clock_ms() - now;
    screen->input.wheel = 0;
    screen->input.coarse = false;
    memset(screen->input.clicked, 0, sizeof screen->input.clicked);
    return settled;
}

void screen_touch(Screen *screen) {
    screen->input_due = screen->pointer_due = screen->draw_due = true;
}

void screen_touch_by_key(Screen *screen) {
    screen->input_due = screen->draw_due = true;
}

void screen_take_clicks(Screen *screen) {
    bool clicked = false;
    for (int i = 0; i < OVERLAY_BUTTONS; i++)
        clicked |= screen->input.clicked[i];
    if (clicked)
        screen_take_input(screen);
}

/* The last build of those that input needs is the draw's own. */
void screen_take_input(Screen *screen) {
    if (!screen->input_due)
        return;
    const bool opens = screen->button_due || screen->viewer->menu || screen->viewer->typing;
    bool settled = !screen->pointer_due;
    screen->settles = settled && !opens;
    screen->answers = !opens;
    screen->input_due = screen->pointer_due = screen->button_due = false;
    for (int i = 1; i < SETTLING_BUILDS && (opens || !settled); i++)
        settled = screen_build(screen);
}

/* ---- draws ---- */

/* Tells a failure to show the result in the window, and does not try again. */
static void say_failure(Screen *screen, Status status) {
    if (status == STATUS_OK)
        return;
    viewer_say(screen->viewer, true, "%s", status_message());
    screen->result_serial = screen->filled_serial = screen->viewer->session->result_serial;
    screen->through_host = false;
    canvas_clear(screen->canvas, CANVAS_RESULT);
}

/* Panels that a key has changed find their size before they are drawn. */
static bool build_settled(Screen *screen) {
    bool settled = screen_build(screen);
    for (int i = 1; i < SETTLING_BUILDS && screen->settles && !settled; i++)
        settled = screen_build(screen);
    screen->settles = false;
    return settled;
}

void screen_prepare(Screen *screen) {
    draw_timer_await(&screen->timer);
    if (!screen->timer.software)
        canvas_draw_background(screen->look.width, screen->look.height);
}

/* A result whose run has only started is shown next to the panels of the build before. The draw that follows at once
 * shows their new figures: the hand waits for the picture. */
void screen_begin(Screen *screen) {
    const bool started = screen->viewer->session->runs;
    screen->begun_at = clock_ms();
    viewer_release_left(screen->viewer);
    say_failure(screen, take_result(screen));
    screen->panels_due = started && screen->answers && !screen->viewer->recording;
    screen->settled = !screen->panels_due && build_settled(screen);
    screen->answers = false;
    screen->look = current_look(screen);
}

bool screen_reduces(const Screen *screen) {
    double pixels = 0;
    for (int slot = 0; slot < CANVAS_SLOTS && !preview_shown(screen->viewer->session); slot++) {
        unsigned serial;
        const Image *image = through_host(screen, (CanvasSlot)slot, &serial);
        pixels += image ? canvas_reduces(screen->canvas, (CanvasSlot)slot, image->view, serial, screen->look) : 0;
    }
    return pixels > REDUCED_AT_ONCE;
}

Status screen_reduce(Screen *screen) {
    for (int slot = 0; slot < CANVAS_SLOTS; slot++) {
        unsigned serial;
        const Image *image = through_host(screen, (CanvasSlot)slot, &serial);
        if (image)
            TRY(canvas_reduce(screen->canvas, (CanvasSlot)slot, image->view, serial, screen->look));
    }
    return STATUS_OK;
}

/* 0: nothing is open. */
static unsigned subject_serial(const Viewer *viewer) {
    const Subject *subject = viewer->session->request.subject;
    return subject ? subject->serial : 0;
}

/* Records the times of the last draw that are known by now, if it drew the present picture. */
static void record_draw(Screen *screen) {
    Viewer *viewer = screen->viewer;
    double parts[DRAW_PARTS];
    if (!draw_timer_read(&screen->timer, parts) || viewer->session->totals.count == 0 ||
        screen->timed.of != subject_serial(viewer))
        return;
    viewer_record(viewer, "draw", parts[0]);
    viewer_record(viewer, "overlay", parts[1] + screen->timed.build_ms);
}

Status screen_end(Screen *screen) {
    Viewer *viewer = screen->viewer;
    present_release(present_ahead(viewer->present));
    Status status = fill_result(screen);
    if (status == STATUS_OK)
        status = fill_source(screen);
    say_failure(screen, status);
    draw_timer_mark(&screen->timer, 0);
    record_draw(screen);
    TRY(canvas_draw(screen->canvas, screen->look));
    draw_timer_mark(&screen->timer, 1);
    overlay_draw(screen->overlay);
    draw_timer_mark(&screen->timer, 2);
    screen->drawn_at = clock_ms();
    screen->timed = (DrawTimed){subject_serial(viewer), screen->build_ms};
    screen->build_ms = 0;
    record_draw(screen);
    viewer->draws.count++;
    history_add(&viewer->draws.ms, screen->drawn_at - screen->begun_at);
    screen->unsettled = screen->settled || screen->panels_due ? 0 : screen->unsettled + 1;
    screen->draw_due = screen->panels_due || (!screen->settled && screen->unsettled < SETTLING_BUILDS);
    return STATUS_OK;
}

void screen_await_sent(Screen *screen) {
    Viewer *viewer = screen->viewer;
    double ms;
    const Status status = viewer_await_sent(viewer, &ms);
    if (status == STATUS_OK && ms > 0)
        present_took(viewer->present, viewer->session->device->backend, ms);
    if (status == STATUS_OK)
        return;
    viewer_say(viewer, true, "%s", status_message());
    screen->result_serial = viewer->session->result_serial - 1;
    screen->draw_due = true;
}

Status screen_draw(Screen *screen) {
    screen_begin(screen);
    return screen_end(screen);
}

Status screen_redraw(Screen *screen, bool follows, double share) {
    Partial *partial = screen->viewer->lent ? screen->viewer->session->partial : NULL;
    const bool parts = partial_open(partial);
    if (follows || parts) {
        screen_build(screen);
        screen->look = current_look(screen);
    }
    TRY(canvas_draw(screen->canvas, screen->look));
    if (parts)
        TRY(parts_draw(&screen->parts, screen->canvas, partial, screen->look));
    overlay_draw(screen->overlay);
    if (share >= 0)
        canvas_draw_bar(screen->look.width, screen->look.height, BAR_PIXELS, share);
    glFinish();
    screen->drawn_at = clock_ms();
    return STATUS_OK;
}

Status screen_capture(Screen *screen, const char *path, bool overwrite) {
    const Viewer *viewer = screen->viewer;
    Capture taken;
    Image *image = NULL;
    TRY(capture_begin(&taken, viewer->width, viewer->height));
    screen->input.still = true;
    Status status = screen_draw(screen);
    screen->input.still = false;
    if (status == STATUS_OK)
        status = capture_read(&taken, &image);
    capture_end(&taken);
    screen_await_sent(screen);
    screen->draw_due = true; /* the window was not drawn */
    if (status == STATUS_OK)
        status = output_save_picture(path, (OutputRules){.writer = "screenshot", .overwrite = overwrite}, image,
                                     (SaveOptions){0});
    image_destroy(&image);
    return status;
}

/* ---- birth and death ---- */

Status screen_create(Viewer *viewer, double dpi, Fonts *fonts, Screen *screen) {
    *screen = (Screen){.viewer = viewer, .dpi = dpi, .input = {.x = -1, .y = -1}, .input_due = true, .draw_due = true};
    viewer->pointer_x = viewer->pointer_y = -1;
    snprintf(viewer->renderer, sizeof viewer->renderer, "%s", (const char *)glGetString(GL_RENDERER));
    draw_timer_create(&screen->timer);
    Status status = canvas_create(&screen->canvas);
    if (status == STATUS_OK)
        status = canvas_warm(screen->canvas);
    if (status == STATUS_OK)
        return overlay_create(fonts, &screen->overlay);
    overlay_drop_fonts(fonts);
    return status;
}

void screen_destroy(Screen *screen) {
    if (screen->viewer)
        viewer_release(screen->viewer);
    overlay_destroy(&screen->overlay);
    canvas_destroy(&screen->canvas);
    draw_timer_destroy(&screen->timer);
}
