/* screen.c: from the viewer's state to pixels. */
#include "app/view/window/screen.h"
#include "app/view/data/blocks.h"
#include "app/view/session/near.h"

#include "app/view/session/preview.h"
#include "app/view/window/monitor.h"

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

/* Whether the look shows the source, next to the result or in its place. */
static bool shows_source(CanvasLook look) {
    return look.show != CANVAS_SHOW_RESULT || look.split >= 0;
}

/* The source's place on the result, unless it is drawn pixel by pixel. */
static void place_source(const Viewer *viewer, CanvasLook *look) {
    const Shape result = viewer_shown_shape(viewer);
    unsigned serial;
    const Image *source = viewer_source(viewer, &serial);
    const SideFit fit = viewer_fit_of_sides(viewer, &look->map);
    look->placed = source && (fit == SIDES_PLACED || (fit == SIDES_APART && look->shift > 0));
    if (!look->placed)
        return;
    if (look->shift > 0)
        look->map = viewer_beside(viewer);
    look->source_width = source->view.shape.width;
    look->source_height = source->view.shape.height;
    if (!viewer->unfiltered || look->shift > 0) { /* else all of it is seen */
        look->cut_width = result.width;
        look->cut_height = result.height;
    }
}

/* A scene ends where panels begin. Its frame, as large as the window, lies in the middle of the area between them, and
 * would leave a margin at one side. */
static void keep_within(Area area, CanvasLook *look) {
    look->from_x = round(area.x);
    look->from_y = round(area.y);
    look->to_x = round(area.x + area.width);
    look->to_y = round(area.y + area.height);
}

static CanvasLook current_look(const Screen *screen) {
    const Viewer *viewer = screen->viewer;
    const Viewport viewport = viewer_viewport(viewer);
    const Area right = viewer_result_area(viewer);
    const bool sides = viewer_shows_sides(viewer);
    const bool difference = viewer_shows_difference(viewer), flip = viewer_shows_flip(viewer);
    const bool heat = difference && viewer->difference_view != DIFFERENCE_COLOURS;
    CanvasLook look = {.width = viewer->width,
                       .height = viewer->height,
                       .x = viewport.x,
                       .y = viewport.y,
                       .scale = viewport.scale,
                       .split = viewer_shows_split(viewer) ? round(viewer_split_x(viewer))
                                : sides                    ? round(right.x)
                                                           : -1,
                       .shift = sides ? round(right.width) : 0,
                       .show = flip                          ? CANVAS_SHOW_ERRORS
                               : difference                  ? CANVAS_SHOW_DIFFERENCE
                               : viewer_shows_source(viewer) ? CANVAS_SHOW_SOURCE
                                                             : CANVAS_SHOW_RESULT,
                       .exposure = flip                     ? viewer->flip_gain
                                   : difference             ? viewer->gain
                                   : viewer_gathers(viewer) ? 0 /* it is in the result */
                                                            : viewer_exposure(viewer),
                       .graded = grade_changes(viewer->grade) || heat,
                       .channel = (int)viewer->grade.channel,
                       .false_colour = viewer->grade.false_colour || heat,
                       .gamma = viewer->grade.gamma,
                       .ground = ground_grey(viewer->ui->ground, viewer->ui->theme) / 255.0,
                       .zebra = viewer->grade.zebra ? round(ZEBRA * viewer->scale) : 0,
                       .checker = round(CHECKER * viewer->scale)};
    if (viewer_kind(viewer)->turns)
        keep_within(viewer->area, &look);
    if (shows_source(look) && !flip)
        place_source(viewer, &look);
    colours_apply(&screen->colours, viewer, &look);
    return look;
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

/* Sends a new result by the best route that is left. A route that fails is refused from then on. The last one is the
 * copy through the host, which pictures larger than a texture also take. *through_host: that is the route; the result's
 * pixels are there. */
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
    const Viewer *viewer = screen->viewer;
    return viewer->compare == COMPARE_FLICKER && viewer_flickers(viewer) != viewer->flickers;
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

/* The picture for the source's slot; of a difference it lies as the result does, and so does FLIP's map. */
static const Image *other_side(const Screen *screen, unsigned *serial) {
    const FlipErrors *errors = screen->look.show == CANVAS_SHOW_ERRORS ? viewer_flip(screen->viewer) : NULL;
    if (errors) {
        *serial = errors->serial;
        return errors->map;
    }
    return screen->look.show == CANVAS_SHOW_DIFFERENCE ? viewer_aligned(screen->viewer, serial)
                                                       : viewer_source(screen->viewer, serial);
}

/* The picture that fills a slot through the host, where it lies next to the result in the same way, or NULL. A picture
 * that stands in the place of the first result has a serial that no result has. */
static const Image *through_host(const Screen *screen, CanvasSlot slot, unsigned *serial) {
    const Viewer *viewer = screen->viewer;
    const Session *session = viewer->session;
    unsigned source_serial;
    const Image *source = other_side(screen, &source_serial), *picture = viewer_picture(viewer);
    const bool awaits = viewer_awaits_result(viewer), result = slot == CANVAS_RESULT;
    const bool own_place = screen->look.placed && screen->look.show != CANVAS_SHOW_DIFFERENCE;
    const bool there = screen->through_host && session->result && session->result_fetched == screen->result_serial;
    *serial = source_serial;
    if (!result)
        return (awaits || there || own_place) && shows_source(screen->look) ? source : NULL;
    *serial = awaits ? session->subject->serial | ~(~0u >> 1) : screen->result_serial;
    return awaits ? picture : there ? session->result : NULL;
}

/* In the place of the result that is still to come, with a serial that no result has. */
static Status fill_preview(Screen *screen, const Preview *preview) {
    viewer_release(screen->viewer); /* the texture may be made again */
    screen->filled_serial = 0;
    return canvas_fill_small(screen->canvas, CANVAS_RESULT, preview->result, preview->image->view,
                             preview->serial | 1u << 30);
}

/* Fills a slot's texture with the visible part of a picture in host memory. The viewer counts the pixels that this
 * thread averages for it: screen_reduce has left them. */
static Status fill_visible(Screen *screen, CanvasSlot slot, const Image *image, unsigned serial) {
    screen->viewer->draws.averaged += canvas_reduces(screen->canvas, slot, image->view, serial, screen->look);
    return canvas_fill(screen->canvas, slot, image->view, serial, screen->look);
}

/* Whether the result is light in blocks of pixels, to be drawn smoothly. */
static bool is_in_blocks(const Screen *screen, const Image *image) {
    const Session *session = screen->viewer->session;
    return image == session->result && session_gathers(session) && session->shown_side > 1 &&
           image->view.shape.type == PIXEL_U8 && screen->look.show != CANVAS_SHOW_DIFFERENCE;
}

/* OpenGL magnifies a pixel for each block, and goes from one to the next in even steps. */
static Status fill_blocks(Screen *screen, const Image *image, unsigned serial) {
    Image *small;
    if (screen->filled_serial == serial)
        return STATUS_OK;
    TRY(blocks_smooth(image->view, screen->viewer->session->shown_side, &small));
    const Status status = canvas_fill_small(screen->canvas, CANVAS_RESULT, image->view.shape, small->view, serial);
    image_destroy(&small);
    return status;
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
    TRY(is_in_blocks(screen, image) ? fill_blocks(screen, image, serial)
                                    : fill_visible(screen, CANVAS_RESULT, image, serial));
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
    const Image *image = through_host(screen, CANVAS_SOURCE, &serial), *source = other_side(screen, &serial);
    if (!source)
        canvas_clear(screen->canvas, CANVAS_SOURCE);
    if (image)
        return fill_visible(screen, CANVAS_SOURCE, image, serial);
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
    screen->viewer->flickers = viewer_flickers(screen->viewer);
    screen->input.seconds = (now - screen->built_at) / 1e3;
    screen->built_at = now;
    screen->viewer->scale = screen_text_scale(screen->viewer->height, screen->dpi);
    const bool settled = overlay_build(screen->overlay, screen->viewer, &screen->input);
    screen->build_ms += clock_ms() - now;
    screen->input.wheel = 0;
    screen->input.control = screen->input.shift = false;
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
    if (screen->button_due)
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
        canvas_draw_background(screen->look);
}

/* A profile that cannot be used leaves the monitor unknown. */
static void follow_monitor(Screen *screen) {
    ColourSpace *space;
    if (!monitor_changed())
        return;
    if (monitor_read(&space) != STATUS_OK)
        viewer_say(screen->viewer, true, "%s; colours are shown as on a monitor of sRGB", status_message());
    colours_set_monitor(&screen->colours, space);
}

/* Pictures that stand for a result that is to come are the latest subject's. */
static void follow_colours(Screen *screen, bool taken) {
    const Viewer *viewer = screen->viewer;
    follow_monitor(screen);
    const bool stands_in = viewer_awaits_result(viewer) || preview_shown(viewer->session);
    colours_follow(&screen->colours, viewer, taken || stands_in || !viewer->session->has_result);
}

/* A result whose run has only started is shown next to the panels of the build before. The draw that follows at once
 * shows their new figures: the hand waits for the picture. */
void screen_begin(Screen *screen) {
    const bool started = screen->viewer->session->runs;
    screen->begun_at = clock_ms();
    viewer_release_left(screen->viewer);
    const unsigned before = screen->result_serial;
    say_failure(screen, take_result(screen));
    follow_colours(screen, screen->result_serial != before);
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
    return pixels > REDUCED_AT_ONCE || colours_due(&screen->colours);
}

Status screen_reduce(Screen *screen) {
    (void)colours_make(&screen->colours); /* screen_end tells a failure */
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
    const Subject *subject = viewer->session->subject;
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

/* The parts that there are of a result that is to come, over the one before. */
static Status draw_parts(Screen *screen, Partial *partial) {
    const Near *near = near_shown(screen->viewer->session);
    return partial || near ? parts_draw(&screen->parts, screen->canvas, partial, near, screen->look) : STATUS_OK;
}

Status screen_end(Screen *screen) {
    Viewer *viewer = screen->viewer;
    present_release(present_ahead(viewer->present));
    Status status = fill_result(screen);
    if (status == STATUS_OK)
        status = fill_source(screen);
    say_failure(screen, status);
    if (colours_due(&screen->colours) && colours_finish(&screen->colours) != STATUS_OK)
        viewer_say(viewer, true, "%s", status_message());
    colours_apply(&screen->colours, viewer, &screen->look);
    draw_timer_mark(&screen->timer, 0);
    record_draw(screen);
    TRY(canvas_draw(screen->canvas, screen->look));
    TRY(draw_parts(screen, NULL));
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

void screen_draw_sign(Screen *screen) {
    overlay_draw_sign(screen->overlay);
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
    const bool tiles = partial_open(partial);
    if (follows || tiles) {
        screen_build(screen);
        screen->look = current_look(screen);
        say_failure(screen, fill_source(screen));
    }
    TRY(canvas_draw(screen->canvas, screen->look));
    if (screen->viewer->lent) /* else the worker has the session itself */
        TRY(draw_parts(screen, tiles ? partial : NULL));
    overlay_draw(screen->overlay);
    overlay_draw_sign(screen->overlay);
    if (share >= 0)
        canvas_draw_bar(screen->look.width, screen->look.height, BAR_PIXELS, share);
    glFinish();
    screen->drawn_at = clock_ms();
    return STATUS_OK;
}

Status screen_capture(Screen *screen, const char *path, bool overwrite) {
    const Viewer *viewer = screen->viewer;
    const OutputRules rules = {.writer = "the screenshot", .overwrite = overwrite, .by_hand = !viewer->scripted};
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
        status = output_save_picture(path, rules, image, (SaveOptions){0});
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
    colours_free(&screen->colours);
    overlay_destroy(&screen->overlay);
    canvas_destroy(&screen->canvas);
    draw_timer_destroy(&screen->timer);
}
