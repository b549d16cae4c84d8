/* brush.c: strokes, and the files that chains name. */
#include "app/view/brush.h"

#include "app/view/viewer.h"
#include "core/codec.h"
#include "core/output.h"
#include "core/within.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RADIUS_MIN   1.0
#define RADIUS_MAX   2000.0
#define RADIUS_STEP  1.25
#define RADIUS_SHARE 0.04      /* of the picture's shorter side, to begin with */
#define RIM          (1.0 / 3) /* of the radius */

static void format_stroke(const Brush *brush, unsigned number, char *path, size_t size) {
    snprintf(path, size, "%.*s/%u.pgm", (int)(size - 16), brush->folder, number);
}

void brush_free(Brush *brush) {
    char path[BRUSH_PATH + 16];
    for (; brush->strokes > 0; brush->strokes--) {
        format_stroke(brush, brush->strokes, path, sizeof path);
        (void)unlink(path);
    }
    if (brush->folder[0])
        (void)rmdir(brush->folder);
    image_destroy(&brush->mask);
    *brush = (Brush){0};
}

/* ---- strokes ---- */

static double distance(BrushPoint from, BrushPoint to, double x, double y) {
    const double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    const double along = square > 0 ? fmin(fmax(((x - from.x) * dx + (y - from.y) * dy) / square, 0), 1) : 0;
    return hypot(x - from.x - along * dx, y - from.y - along * dy);
}

static size_t bound(double at, size_t length) {
    return (size_t)fmin(fmax(at, 0), (double)length);
}

void brush_line(ImageView mask, BrushPoint from, BrushPoint to, double radius, bool erases) {
    const size_t width = mask.shape.width, height = mask.shape.height;
    const size_t right = bound(ceil(fmax(from.x, to.x) + radius), width),
                 left = bound(fmin(from.x, to.x) - radius, width);
    const size_t bottom = bound(ceil(fmax(from.y, to.y) + radius), height),
                 top = bound(fmin(from.y, to.y) - radius, height);
    for (size_t y = top; y < bottom; y++) {
        unsigned char *row = view_row(mask, y);
        for (size_t x = left; x < right; x++) {
            const double inside = radius - distance(from, to, (double)x + 0.5, (double)y + 0.5);
            const unsigned char paint = (unsigned char)lround(255 * fmin(fmax(inside / (RIM * radius), 0), 1));
            const unsigned char rest = (unsigned char)(255 - paint);
            if (erases)
                row[x] = row[x] < rest ? row[x] : rest;
            else
                row[x] = row[x] > paint ? row[x] : paint;
        }
    }
}

/* ---- the mask ---- */

static const char *within_now(const Viewer *viewer) {
    const Chain *chain = viewer->request.chain;
    const char *within = chain->count > 0 ? chain_within(&chain->links[viewer_selected(viewer)]) : NULL;
    return within ? within : "";
}

static Status load(Brush *brush, const char *within, Shape picture) {
    Region part;
    TRY(image_create((Shape){picture.width, picture.height, 1, PIXEL_U8}, &brush->mask));
    for (size_t y = 0; y < picture.height; y++)
        memset(view_row(brush->mask->view, y), 0, picture.width);
    if (within_is_rectangle(within, &part)) {
        within_fill(brush->mask->view, part);
    } else if (within[0]) {
        Image *there;
        TRY(codec_load(within, &there));
        const Shape shape = there->view.shape;
        if (shape.width == picture.width && shape.height == picture.height) {
            const double white = pixel_type_white(shape.type);
            for (size_t y = 0; y < shape.height; y++)
                for (size_t x = 0; x < shape.width; x++)
                    view_set_value(brush->mask->view, x, y, 0, 255 * view_value(there->view, x, y, 0) / white);
        }
        image_destroy(&there);
    }
    return STATUS_OK;
}

/* The mask as the chain has it: what was undone, or typed, is not what was painted last. */
static Status follow(Viewer *viewer) {
    Brush *brush = &viewer->brush;
    const Shape picture = viewer_shape(viewer);
    const char *within = within_now(viewer);
    const bool fits = brush->mask && brush->mask->view.shape.width == picture.width &&
                      brush->mask->view.shape.height == picture.height;
    if (fits && strcmp(brush->path, within) == 0)
        return STATUS_OK;
    image_destroy(&brush->mask);
    snprintf(brush->path, sizeof brush->path, "%s", within);
    const Status status = load(brush, within, picture);
    if (status != STATUS_OK)
        image_destroy(&brush->mask);
    return status;
}

static Status write_mask(Viewer *viewer, const char *path) {
    Brush *brush = &viewer->brush;
    const OutputRules rules = {.writer = "the painted mask"};
    TRY(output_save_picture(path, rules, brush->mask, (SaveOptions){0}));
    snprintf(brush->path, sizeof brush->path, "%s", path);
    return viewer_confine(viewer, viewer_selected(viewer), path);
}

Status brush_apply(Viewer *viewer) {
    Brush *brush = &viewer->brush;
    char path[BRUSH_PATH];
    const char *temporary = getenv("TMPDIR");
    brush->due = false;
    brush->point_count = 0;
    if (!brush->folder[0]) {
        snprintf(path, sizeof path, "%.200s/glint-masks-XXXXXX", temporary && temporary[0] ? temporary : "/tmp");
        if (!mkdtemp(path))
            return fail(STATUS_DEVICE, "%s: no folder for the painted mask: %m", path);
        snprintf(brush->folder, sizeof brush->folder, "%s", path);
    }
    format_stroke(brush, ++brush->strokes, path, sizeof path);
    return write_mask(viewer, path);
}

/* ---- the hand ---- */

static bool paints(const Viewer *viewer) {
    const Shape picture = viewer_shape(viewer), shown = viewer_shown_shape(viewer);
    return viewer->brush.on && viewer_picture(viewer) && viewer->request.chain->count > 0 &&
           picture.width == shown.width && picture.height == shown.height;
}

static BrushPoint point_of(const Viewer *viewer, double x, double y) {
    const Viewport at = viewer_viewport(viewer);
    return (BrushPoint){(x - at.x) / at.scale, (y - at.y) / at.scale};
}

static void note(Brush *brush, BrushPoint point) {
    if (brush->point_count == BRUSH_POINTS)
        memmove(brush->points, brush->points + 1, --brush->point_count * sizeof brush->points[0]);
    brush->points[brush->point_count++] = point;
}

bool brush_press(Viewer *viewer, double x, double y, bool erases) {
    Brush *brush = &viewer->brush;
    const BrushPoint point = point_of(viewer, x, y);
    if (!paints(viewer) || viewer->lent)
        return false;
    const Status status = follow(viewer);
    viewer_answer(viewer, TOAST_REQUEST, status);
    if (status != STATUS_OK)
        return false;
    brush->down = true;
    brush->erases = erases;
    brush->point_count = 0;
    note(brush, point);
    brush_line(brush->mask->view, point, point, brush->radius, erases);
    return true;
}

void brush_move(Viewer *viewer, double x, double y) {
    Brush *brush = &viewer->brush;
    const BrushPoint point = point_of(viewer, x, y);
    if (!brush->down)
        return;
    brush_line(brush->mask->view, brush->points[brush->point_count - 1], point, brush->radius, brush->erases);
    note(brush, point);
}

void brush_release(Viewer *viewer) {
    viewer->brush.due |= viewer->brush.down;
    viewer->brush.down = false;
}

void brush_resize(Viewer *viewer, int direction) {
    Brush *brush = &viewer->brush;
    brush->radius = fmin(fmax(brush->radius * pow(RADIUS_STEP, direction), RADIUS_MIN), RADIUS_MAX);
}

static Status end(Viewer *viewer) {
    Brush *brush = &viewer->brush;
    char path[BRUSH_PATH];
    brush->on = false;
    if (!brush->mask || strncmp(within_now(viewer), brush->folder, strlen(brush->folder)) != 0 || !brush->folder[0])
        return STATUS_OK;
    TRY(follow(viewer));
    TRY(viewer_fresh_name("glint-mask", "png", path, sizeof path));
    TRY(write_mask(viewer, path));
    viewer_say(viewer, false, "the mask is in %s", path);
    return STATUS_OK;
}

Status brush_toggle(Viewer *viewer) {
    Brush *brush = &viewer->brush;
    const Shape picture = viewer_shape(viewer);
    if (brush->on)
        return end(viewer);
    brush->on = true;
    if (!paints(viewer)) {
        brush->on = false;
        return fail(STATUS_USAGE, "want a picture and a filter that keeps its size: its mask is painted");
    }
    if (brush->radius < RADIUS_MIN)
        brush->radius = fmax(RADIUS_SHARE * (double)(picture.width < picture.height ? picture.width : picture.height),
                             2 * RADIUS_MIN);
    viewer_say(viewer, false,
               "a drag paints where the filter acts, with Shift where not; Ctrl and the wheel: how wide");
    return STATUS_OK;
}
