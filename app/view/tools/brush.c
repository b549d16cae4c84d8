/* brush.c: strokes, and the files that chains name. */
#include "app/view/tools/brush.h"

#include "app/view/session/keep.h"
#include "app/view/session/mask_store.h"
#include "app/view/session/viewer.h"
#include "core/chain/within.h"
#include "core/chain/within_mask.h"
#include "core/codec/codec.h"
#include "core/codec/save.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BRUSH_PATH = 256, STROKE_NAME = 16 };

#define RADIUS_MIN   1.0
#define RADIUS_MAX   600.0 /* a move of the hand fills that many pixels squared, in some ms */
#define RADIUS_STEP  1.25
#define RADIUS_SHARE 0.04      /* of the picture's shorter side, to begin with */
#define RIM          (1.0 / 3) /* of the radius */

typedef struct Brush {
    bool on;                         /* a drag paints */
    bool down, erases;               /* a stroke is under way; it takes away */
    bool due;                        /* one has ended */
    double radius;                   /* of the picture's pixels */
    BrushPoint points[BRUSH_POINTS]; /* the stroke's last, to be seen until it counts */
    size_t point_count;
    Image *mask;             /* one channel of bytes, as large as the picture; NULL until the first stroke */
    char path[BRUSH_PATH];   /* that it was last written to */
    char folder[BRUSH_PATH]; /* of the strokes' files; "" until there is one */
    unsigned strokes;        /* files in it */
    bool kept;               /* it stays: a transcript or a sidecar names them */
    bool recorded;           /* a transcript does */
} Brush;

static Brush *brush_of(const Viewer *viewer) {
    return tool_of(viewer, &brush_tool);
}

static void format_stroke(const Brush *brush, unsigned number, char *path, size_t size) {
    snprintf(path, size, "%.*s/%u.png", (int)(size - STROKE_NAME), brush->folder, number);
}

/* ---- strokes ---- */

/* A segment of a stroke. */
typedef struct Segment {
    double x, y, across, down;
    double per_square; /* 1 by its length squared; 0 of a point */
} Segment;

static Segment segment_of(BrushPoint from, BrushPoint to) {
    const double across = to.x - from.x, down = to.y - from.y, square = across * across + down * down;
    return (Segment){from.x, from.y, across, down, square > 0 ? 1 / square : 0};
}

static double square_distance(const Segment *of, double x, double y) {
    const double share = ((x - of->x) * of->across + (y - of->y) * of->down) * of->per_square;
    const double along = share < 0 ? 0 : share > 1 ? 1 : share;
    const double dx = x - of->x - along * of->across, dy = y - of->y - along * of->down;
    return dx * dx + dy * dy;
}

void brush_line(ImageView mask, BrushPoint from, BrushPoint to, double radius, bool erases) {
    const size_t width = mask.shape.width, height = mask.shape.height;
    const size_t right = viewport_bound(ceil(fmax(from.x, to.x) + radius), width),
                 left = viewport_bound(fmin(from.x, to.x) - radius, width);
    const size_t bottom = viewport_bound(ceil(fmax(from.y, to.y) + radius), height),
                 top = viewport_bound(fmin(from.y, to.y) - radius, height);
    const Segment segment = segment_of(from, to);
    const double outer = radius * radius, core = (1 - RIM) * radius, inner = core * core;
    for (size_t y = top; y < bottom; y++) {
        unsigned char *row = view_row(mask, y);
        for (size_t x = left; x < right; x++) {
            const double square = square_distance(&segment, (double)x + 0.5, (double)y + 0.5);
            if (square >= outer)
                continue;
            const double share = square <= inner ? 1 : (radius - sqrt(square)) / (RIM * radius);
            const unsigned char paint = (unsigned char)lround(255 * share);
            const unsigned char rest = (unsigned char)(255 - paint);
            if (erases)
                row[x] = row[x] < rest ? row[x] : rest;
            else
                row[x] = row[x] > paint ? row[x] : paint;
        }
    }
}

/* ---- the mask ---- */

/* The share of white, by which a blend takes it. */
static double share_at(ImageView mask, size_t x, size_t y) {
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    const int colours = mask.shape.channels >= 3 ? 3 : 1;
    double value = 0;
    for (int c = 0; c < colours; c++)
        value += (colours == 3 ? weights[c] : 1) * view_value(mask, x, y, c);
    return value / pixel_type_white(mask.shape.type);
}

/* The mask's image if the chain that was carried out has read it already, or NULL. */
static Image *find_mask(const Viewer *viewer, const char *within) {
    const Chain *chain = viewer->session->chain;
    for (size_t i = 0; i < chain->image_count; i++)
        if (chain->images[i].path && chain->images[i].image && strcmp(chain->images[i].path, within) == 0)
            return image_retain(chain->images[i].image);
    return NULL;
}

/* Copies a mask of this size. */
static void copy_mask(ImageView from, ImageView to) {
    for (size_t y = 0; y < to.shape.height; y++)
        if (shape_equal(from.shape, to.shape)) /* as strokes' files are */
            memcpy(view_row(to, y), view_row(from, y), to.shape.width);
        else
            for (size_t x = 0; x < to.shape.width; x++)
                view_set_value(to, x, y, 0, 255 * share_at(from, x, y));
}

/* A mask of another size is painted on in its shares of the picture, as the chain has it. */
static Status take_mask(Image *from, ImageView to) {
    Image *fitting;
    if (from->view.shape.width == to.shape.width && from->view.shape.height == to.shape.height) {
        copy_mask(from->view, to);
        return STATUS_OK;
    }
    TRY(within_mask_resize(from, to.shape.width, to.shape.height, &fitting));
    copy_mask(fitting->view, to);
    image_destroy(&fitting);
    return STATUS_OK;
}

static Status load(const Viewer *viewer, const char *within, Image **mask) {
    const Shape picture = viewer_shape(viewer);
    Region part;
    Image *there = find_mask(viewer, within);
    Status status = image_create((Shape){picture.width, picture.height, 1, PIXEL_U8}, mask);
    if (status == STATUS_OK && within_rectangle(within, picture, &part))
        within_fill((*mask)->view, part);
    else if (status == STATUS_OK && within[0] && !there)
        status = codec_load(within, &there);
    if (status == STATUS_OK && there)
        status = take_mask(there, (*mask)->view);
    image_destroy(&there);
    return status;
}

/* Takes the mask as the chain has it: it differs from the painted one after an undo, or a typed path. */
static Status follow(Viewer *viewer) {
    Brush *brush = brush_of(viewer);
    const Shape picture = viewer_shape(viewer);
    const char *within = viewer_within(viewer) ? viewer_within(viewer) : "";
    const bool fits = brush->mask && brush->mask->view.shape.width == picture.width &&
                      brush->mask->view.shape.height == picture.height;
    if (fits && strcmp(brush->path, within) == 0)
        return STATUS_OK;
    image_destroy(&brush->mask);
    snprintf(brush->path, sizeof brush->path, "%s", within);
    const Status status = load(viewer, within, &brush->mask);
    if (status != STATUS_OK)
        image_destroy(&brush->mask);
    return status;
}

static Status write_mask(Viewer *viewer, const char *path) {
    Brush *brush = brush_of(viewer);
    const OutputRules rules = {.writer = "the painted mask", .by_hand = true};
    TRY(output_save_picture(path, rules, brush->mask, (SaveOptions){0}));
    snprintf(brush->path, sizeof brush->path, "%s", path);
    return viewer_confine(viewer, viewer_selected(viewer), path);
}

/* Forgets the points that the mask has by now; a stroke under way goes on from its last point. */
static void forget_points(Brush *brush) {
    const size_t kept = brush->down && brush->point_count > 0 ? 1 : 0;
    if (kept)
        brush->points[0] = brush->points[brush->point_count - 1];
    brush->point_count = kept;
}

/* A transcript names the masks: they stay, in the folder of the state as well (mask_store.h). */
static void mark_kept(const Brush *brush) {
    char path[BRUSH_PATH + 16];
    if (!brush->recorded || !brush->folder[0])
        return;
    snprintf(path, sizeof path, "%s/" MASK_KEPT_NAME, brush->folder);
    const int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
}

/* Has the filter act within the painted mask. */
static Status apply(Viewer *viewer) {
    Brush *brush = brush_of(viewer);
    char path[BRUSH_PATH];
    const char *temporary = getenv("TMPDIR");
    brush->due = false;
    forget_points(brush);
    if (!brush->folder[0]) {
        if (keep_mask_folder(viewer, path, sizeof path - STROKE_NAME))
            brush->kept = true;
        else
            snprintf(path, sizeof path, "%.200s/glint-masks-XXXXXX", temporary && temporary[0] ? temporary : "/tmp");
        if (!mkdtemp(path))
            return fail(STATUS_DEVICE, "%s: no folder for the painted mask: %m", path);
        snprintf(brush->folder, sizeof brush->folder, "%s", path);
        mark_kept(brush);
    }
    format_stroke(brush, ++brush->strokes, path, sizeof path);
    return write_mask(viewer, path);
}

/* ---- the hand ---- */

static bool paints(const Viewer *viewer) {
    return brush_of(viewer)->on && viewer->session->subject && viewer->request->chain->count > 0 &&
           viewer_keeps_size(viewer);
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
    Brush *brush = brush_of(viewer);
    const BrushPoint point = point_of(viewer, x, y);
    if (!paints(viewer))
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
    Brush *brush = brush_of(viewer);
    const BrushPoint point = point_of(viewer, x, y);
    if (!brush->down)
        return;
    brush_line(brush->mask->view, brush->points[brush->point_count - 1], point, brush->radius, brush->erases);
    note(brush, point);
}

void brush_release(Viewer *viewer) {
    brush_of(viewer)->due |= brush_of(viewer)->down;
    brush_of(viewer)->down = false;
}

void brush_resize(Viewer *viewer, int direction) {
    Brush *brush = brush_of(viewer);
    brush->radius = fmin(fmax(brush->radius * pow(RADIUS_STEP, direction), RADIUS_MIN), RADIUS_MAX);
}

static bool is_stroke(const Brush *brush, const char *within) {
    return within && brush->folder[0] && strncmp(within, brush->folder, strlen(brush->folder)) == 0;
}

/* Puts a link's stroke next to where the program was started. */
static Status keep(Viewer *viewer, size_t link, const char *stroke) {
    const OutputRules rules = {.writer = "the painted mask", .by_hand = true};
    char path[BRUSH_PATH];
    Image *mask;
    TRY(viewer_fresh_name("glint-mask", "png", path, sizeof path));
    TRY(codec_load(stroke, &mask));
    const Status status = output_save_picture(path, rules, mask, (SaveOptions){0});
    image_destroy(&mask);
    TRY(status);
    TRY(viewer_confine(viewer, link, path));
    viewer_say_file(viewer, "Saved the mask to", path, "");
    return STATUS_OK;
}

Status brush_keep(Viewer *viewer) {
    for (size_t i = 0; i < viewer->request->chain->count; i++) {
        const char *within = chain_within(&viewer->request->chain->links[i]);
        if (is_stroke(brush_of(viewer), within))
            TRY(keep(viewer, i, within));
    }
    return STATUS_OK;
}

Status brush_toggle(Viewer *viewer) {
    Brush *brush = brush_of(viewer);
    const Shape picture = viewer_shape(viewer);
    if (brush->on) {
        brush->on = brush->down = false;
        return brush_keep(viewer);
    }
    brush->on = true;
    if (!paints(viewer)) {
        brush->on = false;
        return fail(STATUS_USAGE, "want a picture or scene and a filter that keeps its size: its mask is painted");
    }
    tools_close_others(viewer, &brush_tool);
    if (brush->radius < RADIUS_MIN)
        brush->radius = fmax(RADIUS_SHARE * (double)(picture.width < picture.height ? picture.width : picture.height),
                             2 * RADIUS_MIN);
    viewer_say(viewer, false, "Drag to paint where the filter acts, Shift to erase; Ctrl and the wheel set the width");
    return STATUS_OK;
}

bool brush_on(const Viewer *viewer) {
    return brush_of(viewer)->on;
}

BrushView brush_view(const Viewer *viewer) {
    const Brush *brush = brush_of(viewer);
    return (BrushView){brush->points, brush->point_count, brush->radius, brush->erases, brush->mask, brush->path};
}

void brush_keep_strokes(Viewer *viewer) {
    brush_of(viewer)->kept = brush_of(viewer)->recorded = true;
    mark_kept(brush_of(viewer));
}

/* ---- the row ---- */

/* Removes the folder, unless it is kept. */
static void end(void *tool) {
    Brush *brush = tool;
    char path[BRUSH_PATH + 16];
    for (; brush->strokes > 0 && !brush->kept; brush->strokes--) {
        format_stroke(brush, brush->strokes, path, sizeof path);
        (void)unlink(path);
    }
    if (brush->folder[0] && !brush->kept)
        (void)rmdir(brush->folder);
    image_destroy(&brush->mask);
}

/* A stroke has ended. */
static bool asks(const Viewer *viewer) {
    return brush_of(viewer)->due;
}

static bool take_event(Viewer *viewer, const ToolEvent *event) {
    switch (event->kind) {
    case TOOL_PRESS:
        return event->button == MOUSE_LEFT && brush_press(viewer, event->result_x, event->y, event->shift);
    case TOOL_MOVE:
        brush_move(viewer, event->result_x, event->y);
        return true;
    case TOOL_RELEASE:
        brush_release(viewer);
        return false;
    case TOOL_WHEEL:
        if (event->ctrl && brush_on(viewer))
            brush_resize(viewer, event->direction);
        return event->ctrl && brush_on(viewer);
    default:
        return false;
    }
}

/* The strokes stay. */
static bool close_brush(Viewer *viewer) {
    const bool on = brush_on(viewer);
    if (on)
        viewer_answer(viewer, TOAST_REQUEST, brush_toggle(viewer));
    return on;
}

const ToolKind brush_tool = {.name = "brush",
                             .size = sizeof(Brush),
                             .end = end,
                             .asks = asks,
                             .settle = apply,
                             .event = take_event,
                             .close = close_brush,
                             .drags = true};
