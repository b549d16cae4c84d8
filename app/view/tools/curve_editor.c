/* curve_editor.c: points that follow the mouse. */
#include "app/view/tools/curve_editor.h"

#include "app/view/session/viewer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNTED_PIXELS = 1 << 17 /* at most: enough for a curve as high as a thumb */, TEXT_CAPACITY = KNOTS_MAX * 24 };

typedef struct CurveEditor {
    bool drags;
    Knots before;          /* the drag */
    int held;              /* of them */
    double grip_x, grip_y; /* from the pointer to the point */
    const Param *chosen;   /* the curve, of the filter that has it; else that filter's first */
    unsigned counted_of;   /* the subject's serial, and the colour: */
    CurveColour counted;
    double shares[CURVE_BINS];
} CurveEditor;

static CurveEditor *editor_of(const Viewer *viewer) {
    return tool_of(viewer, &curve_editor_tool);
}

static double within(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

/* ---- points ---- */

int curve_near(const Knots *knots, double x, double y, double radius_x, double radius_y) {
    int nearest = -1;
    double least = 1;
    for (int i = 0; i < knots->count; i++) {
        const double away = hypot((knots->list[i].x - x) / radius_x, (knots->list[i].y - y) / radius_y);
        if (away <= least) {
            least = away;
            nearest = i;
        }
    }
    return nearest;
}

int curve_add(Knots *knots, double x, double y) {
    int at = 0;
    x = within(x, 0, 1);
    while (at < knots->count && knots->list[at].x < x)
        at++;
    if (knots->count == KNOTS_MAX || (at > 0 && x - knots->list[at - 1].x < CURVE_GAP) ||
        (at < knots->count && knots->list[at].x - x < CURVE_GAP))
        return -1;
    memmove(&knots->list[at + 1], &knots->list[at], (size_t)(knots->count - at) * sizeof knots->list[0]);
    knots->list[at] = (Knot){x, within(y, 0, 1), 0};
    knots->count++;
    return at;
}

void curve_move(Knots *knots, int point, double x, double y) {
    const double low = point > 0 ? knots->list[point - 1].x + CURVE_GAP : 0;
    const double high = point + 1 < knots->count ? knots->list[point + 1].x - CURVE_GAP : 1;
    knots->list[point].x = low <= high ? within(x, low, high) : knots->list[point].x;
    knots->list[point].y = within(y, 0, 1);
}

void curve_remove(Knots *knots, int point) {
    if (knots->count <= 2)
        return;
    knots->count--;
    memmove(&knots->list[point], &knots->list[point + 1], (size_t)(knots->count - point) * sizeof knots->list[0]);
}

void curve_drag(const Knots *before, int point, double x, double y, Knots *knots) {
    *knots = *before;
    const double beyond = fmax(fmax(-x, x - 1), fmax(-y, y - 1));
    if (beyond > CURVE_OUTSIDE && before->count > 2)
        curve_remove(knots, point);
    else
        curve_move(knots, point, x, y);
}

size_t curve_format(const Knots *knots, char *buffer, size_t size) {
    size_t length = 0;
    for (int i = 0; i < knots->count; i++)
        length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0,
                                   "%s%.4g %.4g", i > 0 ? "; " : "", round(1000 * knots->list[i].x) / 10,
                                   round(1000 * knots->list[i].y) / 10);
    return length;
}

void curve_values(const Knots *knots, double *values, int count) {
    double parameters[KNOT_PARAMETERS];
    (void)knots_parameters(knots, parameters);
    for (int i = 0; i < count; i++)
        values[i] = knot_curve(parameters, (double)i / (count - 1));
}

/* ---- the picture's brightness ---- */

static double brightness(ImageView view, CurveColour colour, size_t x, size_t y) {
    if (view.shape.channels < 3)
        return view_value(view, x, y, 0);
    if (colour <= CURVE_BLUE)
        return view_value(view, x, y, (int)colour);
    return 0.2126 * view_value(view, x, y, 0) + 0.7152 * view_value(view, x, y, 1) + 0.0722 * view_value(view, x, y, 2);
}

void curve_count(ImageView picture, CurveColour colour, double shares[CURVE_BINS]) {
    const size_t width = picture.shape.width, height = picture.shape.height;
    const double all = (double)width * (double)height, white = pixel_type_white(picture.shape.type);
    const size_t step = (size_t)fmax(1, ceil(sqrt(all / COUNTED_PIXELS)));
    double counted = 0;
    memset(shares, 0, CURVE_BINS * sizeof *shares);
    for (size_t y = 0; y < height; y += step)
        for (size_t x = 0; x < width; x += step) {
            const double share = brightness(picture, colour, x, y) / white;
            if (!(share >= 0 && share <= 1)) /* light that no curve changes, or NaN */
                continue;
            shares[(size_t)fmin(share * CURVE_BINS, CURVE_BINS - 1)] += 1;
            counted += 1;
        }
    for (int i = 0; i < CURVE_BINS && counted > 0; i++)
        shares[i] /= counted;
}

const double *curve_editor_shares(Viewer *viewer) {
    CurveEditor *editor = editor_of(viewer);
    size_t link;
    unsigned serial;
    const Param *param = curve_editor_param(viewer, &link);
    const CurveColour colour = param ? curve_colour(param) : CURVE_ALL;
    const Image *picture = viewer_unfiltered(viewer, &serial);
    if (picture && (serial != editor->counted_of || colour != editor->counted)) {
        curve_count(picture->view, colour, editor->shares);
        editor->counted_of = serial;
        editor->counted = colour;
    }
    return editor->shares;
}

/* ---- the chain ---- */

#define STRAIGHT "0 0; 100 100"

static bool is_curve(const Param *param) {
    return strcmp(param->unit, PARAM_CURVE) == 0;
}

CurveColour curve_colour(const Param *param) {
    static const char *const names[] = {"red", "green", "blue", "luma"};
    int colour = 0;
    while (colour < CURVE_ALL && strcmp(names[colour], param->name) != 0)
        colour++;
    return (CurveColour)colour;
}

const Param *curve_editor_param(const Viewer *viewer, size_t *link) {
    const Param *first = viewer_selected_param(viewer, PARAM_CURVE, link), *chosen = editor_of(viewer)->chosen;
    return first && chosen && viewer_has_param(viewer, *link, chosen) ? chosen : first;
}

const Param *curve_editor_curve(const Viewer *viewer, size_t place) {
    size_t link;
    if (!viewer_selected_param(viewer, PARAM_CURVE, &link))
        return NULL;
    const ParamTable table = viewer->request->chain->links[link].filter->table;
    for (size_t i = 0; i < table.count; i++)
        if (is_curve(&table.params[i]) && place-- == 0)
            return &table.params[i];
    return NULL;
}

Status curve_editor_choose(Viewer *viewer, const char *name) {
    const Param *param = NULL;
    if (!curve_editor_curve(viewer, 0))
        return fail(STATUS_USAGE, "the selected filter has no curve: add curves");
    for (size_t i = 0; (param = curve_editor_curve(viewer, i)) && strcmp(param->name, name) != 0; i++)
        continue;
    if (!param)
        return fail(STATUS_USAGE, "curve \"%s\", want points, red, green, blue or luma", name);
    editor_of(viewer)->chosen = param;
    viewer->editing = true;
    return STATUS_OK;
}

bool curve_editor_knots_of(const Viewer *viewer, const Param *param, Knots *knots) {
    size_t link;
    const bool there = viewer_selected_param(viewer, PARAM_CURVE, &link) != NULL;
    const char *text = there ? param_text(param, viewer->request->chain->links[link].values) : NULL;
    return there && knots_parse(text ? text : STRAIGHT, knots) == STATUS_OK;
}

bool curve_editor_knots(const Viewer *viewer, Knots *knots) {
    size_t link;
    const Param *param = curve_editor_param(viewer, &link);
    return param && curve_editor_knots_of(viewer, param, knots);
}

/* A straight curve is none, but for the first one: a filter without any is refused. */
Status curve_editor_put(Viewer *viewer, const char *text) {
    size_t link;
    const Param *param = curve_editor_param(viewer, &link), *first = curve_editor_curve(viewer, 0);
    if (!param)
        return fail(STATUS_USAGE, "the selected filter has no curve: add curves");
    const bool none =
        param != first && strcmp(text, STRAIGHT) == 0 && param_text(first, viewer->request->chain->links[link].values);
    return viewer_set_params(viewer, link, &(ParamChange){.param = param, .text = none ? "" : text}, 1);
}

static Status put(Viewer *viewer, const Knots *knots) {
    char line[TEXT_CAPACITY];
    curve_format(knots, line, sizeof line);
    return curve_editor_put(viewer, line);
}

Status curve_editor_press(Viewer *viewer, double x, double y, double radius_x, double radius_y) {
    CurveEditor *editor = editor_of(viewer);
    Knots knots;
    editor->drags = false;
    if (!curve_editor_knots(viewer, &knots))
        return STATUS_OK;
    int point = curve_near(&knots, x, y, radius_x, radius_y);
    const bool adds = point < 0;
    point = adds ? curve_add(&knots, x, y) : point;
    if (point < 0)
        return fail(STATUS_USAGE, "a curve has %d points at most, and none so near to another", KNOTS_MAX);
    editor->drags = true;
    editor->before = knots;
    editor->held = point;
    editor->grip_x = knots.list[point].x - x;
    editor->grip_y = knots.list[point].y - y;
    return adds ? put(viewer, &knots) : STATUS_OK;
}

Status curve_editor_remove(Viewer *viewer, double x, double y, double radius_x, double radius_y) {
    Knots knots;
    const int point = curve_editor_knots(viewer, &knots) ? curve_near(&knots, x, y, radius_x, radius_y) : -1;
    editor_of(viewer)->drags = false;
    if (point < 0)
        return STATUS_OK;
    curve_remove(&knots, point);
    return put(viewer, &knots);
}

Status curve_editor_drag(Viewer *viewer, double x, double y) {
    const CurveEditor *editor = editor_of(viewer);
    Knots knots;
    if (!editor->drags)
        return STATUS_OK;
    curve_drag(&editor->before, editor->held, x + editor->grip_x, y + editor->grip_y, &knots);
    return put(viewer, &knots);
}

/* The curve lies over how bright the picture is before the filters. */
static void wish(const Viewer *viewer, Wishes *wishes) {
    size_t link;
    wishes->unfiltered |= viewer->editing && viewer_selected_param(viewer, PARAM_CURVE, &link);
}

/* The curve and the mask of the selected filter are drawn, or neither: this closes both. */
static bool close_editors(Viewer *viewer) {
    const bool editing = viewer->editing;
    viewer->editing = false;
    return editing;
}

const ToolKind curve_editor_tool = {
    .name = "curve editor", .size = sizeof(CurveEditor), .wish = wish, .close = close_editors};
