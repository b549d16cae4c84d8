/* point_picker.c: from clicks to parameters. */
#include "app/view/tools/point_picker.h"

#include "app/view/session/viewer.h"
#include "app/view/tools/before_link.h"
#include "core/chain/filters/filters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define SPOT_PERCENT 1.5 /* the radius of a first spot that is clicked, of the longer side */
#define LEAST_PIXELS 3.0 /* of a drag in the window at scale 1: a shorter one is a click */

typedef enum PickerName { PICK_NONE, PICK_WHITE, PICK_SPOT } PickerName;

/* A click, in the pixels that the filter gets. */
typedef struct Pick {
    double x, y, radius; /* 0: it was not dragged */
    Shape in;
} Pick;

/* A filter that takes clicks: the values that it gets by one, behind those of `values` (NULL: it is new). */
typedef struct Picker {
    const char *action, *words;
    const Filter *filter;
    bool many, dragged; /* it takes one click after the other; a drag says how large */
    Status (*spell)(const void *values, Pick pick, char **text);
} Picker;

typedef struct PointPicker {
    PickerName name;
    bool draws;
    double from[2], to[2]; /* of a drag, in the window */
} PointPicker;

static PointPicker *picker_of(const Viewer *viewer) {
    return tool_of(viewer, &point_picker_tool);
}

static Status spelled(int length) {
    return length >= 0 ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the filter's values");
}

/* Shares of the way from the middle of the first pixel to that of the last. */
static Status spell_white(const void *values, Pick pick, char **text) {
    (void)values;
    const double right = fmax((double)pick.in.width - 1, 1), bottom = fmax((double)pick.in.height - 1, 1);
    return spelled(asprintf(text, "at=%.6g%%x%.6g%%", 100 * pick.x / right, 100 * pick.y / bottom));
}

/* Behind the spots that are there; a click makes one as large as the last. */
static Status spell_spot(const void *values, Pick pick, char **text) {
    const double width = (double)pick.in.width, height = (double)pick.in.height;
    const char *spots = values ? param_text(&filter_heal.table.params[0], values) : NULL;
    const char *last = spots && *spots ? strrchr(spots, ';') : NULL;
    double percent = SPOT_PERCENT;
    last = last ? last + 1 : spots;
    if (pick.radius > 0)
        percent = 100 * pick.radius / fmax(width, height);
    else if (last && sscanf(last, "%*f %*f %lf", &percent) != 1)
        percent = SPOT_PERCENT;
    return spelled(asprintf(text, "spots=%s%s%.5g %.5g %.4g 0 0:nearby=yes", spots && *spots ? spots : "",
                            spots && *spots ? "; " : "", 100 * (pick.x + 0.5) / width, 100 * (pick.y + 0.5) / height,
                            percent));
}

static const Picker pickers[] = {
    [PICK_WHITE] = {"pick-white", "Click a thing that is gray or white", &filter_whitebalance, false, false,
                    spell_white},
    [PICK_SPOT] = {"heal-spots", "Click a spot, or drag from its middle to its rim; Return ends that", &filter_heal,
                   true, true, spell_spot},
};

/* ---- the filter ---- */

/* The last one of this kind that acts everywhere; the chain's length if there is none. */
static size_t find_link(const Chain *chain, const Filter *filter) {
    for (size_t i = chain->count; i-- > 0;)
        if (chain->links[i].filter == filter && !chain->links[i].off && !chain_within(&chain->links[i]))
            return i;
    return chain->count;
}

/* Where the mouse is, and how far it was dragged, among the pixels that the link gets. */
static Status find_pick(const Viewer *viewer, size_t link, Pick *pick) {
    const PointPicker *tool = picker_of(viewer);
    const Viewport at = viewer_viewport(viewer);
    double places[2][2] = {{(tool->from[0] - at.x) / at.scale - 0.5, (tool->from[1] - at.y) / at.scale - 0.5},
                           {(tool->to[0] - at.x) / at.scale - 0.5, (tool->to[1] - at.y) / at.scale - 0.5}};
    const double moved = hypot(tool->to[0] - tool->from[0], tool->to[1] - tool->from[1]);
    TRY(points_before_link(viewer, link, places, 2, &pick->in));
    pick->x = places[0][0];
    pick->y = places[0][1];
    if (pick->x < -0.5 || pick->y < -0.5 || pick->x > (double)pick->in.width - 0.5 ||
        pick->y > (double)pick->in.height - 0.5)
        return fail(STATUS_USAGE, "this place is outside the picture: click on it");
    pick->x = fmin(fmax(pick->x, 0), (double)pick->in.width - 1);
    pick->y = fmin(fmax(pick->y, 0), (double)pick->in.height - 1);
    const bool drag = pickers[tool->name].dragged && moved >= LEAST_PIXELS * viewer->scale;
    pick->radius = drag ? hypot(places[1][0] - places[0][0], places[1][1] - places[0][1]) : 0;
    return STATUS_OK;
}

static Status insert(Viewer *viewer, const Picker *picker, size_t link, const char *values) {
    char *text = NULL;
    TRY(spelled(asprintf(&text, "%s=%s", picker->filter->name, values)));
    const Status status = insert_link_before_crop(viewer, link, text);
    free(text);
    return status;
}

static Status take_pick(Viewer *viewer) {
    const Picker *picker = &pickers[picker_of(viewer)->name];
    const Chain *chain = viewer->request->chain;
    const size_t there = find_link(chain, picker->filter);
    const bool is_new = there == chain->count;
    const size_t link = is_new ? link_before_crop(chain) : there;
    Pick pick;
    char *values = NULL;
    TRY(find_pick(viewer, link, &pick));
    TRY(picker->spell(is_new ? NULL : chain->links[link].values, pick, &values));
    const Status status = is_new ? insert(viewer, picker, link, values) : viewer_set_values(viewer, link, values);
    free(values);
    return status;
}

/* ---- the tool ---- */

static bool is_on(const Viewer *viewer, PickerName name) {
    return picker_of(viewer)->name == name && viewer_picture(viewer);
}

static Status toggle(Viewer *viewer, PickerName name) {
    const bool on = !is_on(viewer, name);
    if (on && !viewer_picture(viewer))
        return fail(STATUS_USAGE, "there is no picture to click on: open one");
    if (on)
        tools_close_others(viewer, &point_picker_tool);
    *picker_of(viewer) = (PointPicker){.name = on ? name : PICK_NONE};
    return STATUS_OK;
}

Status point_picker_white(Viewer *viewer) {
    return toggle(viewer, PICK_WHITE);
}

Status point_picker_spots(Viewer *viewer) {
    return toggle(viewer, PICK_SPOT);
}

bool point_picker_on_white(const Viewer *viewer) {
    return is_on(viewer, PICK_WHITE);
}

bool point_picker_on_spots(const Viewer *viewer) {
    return is_on(viewer, PICK_SPOT);
}

static bool is_open(const Viewer *viewer) {
    return picker_of(viewer)->name != PICK_NONE && viewer_picture(viewer);
}

const char *point_picker_words(const Viewer *viewer) {
    return is_open(viewer) ? pickers[picker_of(viewer)->name].words : NULL;
}

bool point_picker_ring(const Viewer *viewer, double *x, double *y, double *radius) {
    const PointPicker *tool = picker_of(viewer);
    *x = tool->from[0];
    *y = tool->from[1];
    *radius = hypot(tool->to[0] - tool->from[0], tool->to[1] - tool->from[1]);
    return tool->draws && pickers[tool->name].dragged;
}

static bool close_picker(Viewer *viewer) {
    const bool on = is_open(viewer);
    *picker_of(viewer) = (PointPicker){.name = PICK_NONE};
    return on;
}

static void finish(Viewer *viewer) {
    PointPicker *tool = picker_of(viewer);
    tool->draws = false;
    const Status status = take_pick(viewer);
    if (status == STATUS_OK && !pickers[tool->name].many)
        tool->name = PICK_NONE;
    viewer_answer(viewer, TOAST_REQUEST, status);
}

static bool take_event(Viewer *viewer, const ToolEvent *event) {
    PointPicker *tool = picker_of(viewer);
    const bool begins = event->kind == TOOL_PRESS && event->button == MOUSE_LEFT && !event->shift && is_open(viewer);
    const bool draws = begins || (event->kind == TOOL_MOVE && tool->draws);
    if (begins) {
        tool->draws = true;
        tool->from[0] = event->result_x;
        tool->from[1] = event->y;
    }
    if (draws) {
        tool->to[0] = event->result_x;
        tool->to[1] = event->y;
    }
    if (event->kind == TOOL_RELEASE && tool->draws)
        finish(viewer);
    return draws;
}

static const char *action_of_key(const Viewer *viewer, const char *key) {
    return is_open(viewer) && strcasecmp(key, "Return") == 0 ? pickers[picker_of(viewer)->name].action : NULL;
}

const ToolKind point_picker_tool = {.name = "point-picker",
                                    .size = sizeof(PointPicker),
                                    .event = take_event,
                                    .close = close_picker,
                                    .action = action_of_key,
                                    .drags = true};
