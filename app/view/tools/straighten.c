/* straighten.c: from the line to the filter rotate. */
#include "app/view/tools/straighten.h"

#include "app/view/session/viewer.h"
#include "app/view/tools/before_link.h"
#include "app/view/tools/handles.h"
#include "core/chain/filters/filters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LEAST_PIXELS 12.0 /* of a line in the window at scale 1: a shorter one is a click */

typedef struct Straighten {
    bool on, draws;
    double line[4];
} Straighten;

static Straighten *straighten_of(const Viewer *viewer) {
    return tool_of(viewer, &straighten_tool);
}

double straighten_angle(double across, double down) {
    const double angle = atan2(down, across) * 180 / M_PI; /* clockwise from the right */
    return 90 * round(angle / 90) - angle;
}

/* ---- the filter ---- */

static bool turns(const ChainLink *link) {
    return link->filter == &filter_rotate && !link->off && !chain_within(link);
}

/* The filter that turns: the selected one, or the last. The chain's length if there is none. */
static size_t find_turn(const Viewer *viewer) {
    const Chain *chain = viewer->request->chain;
    const size_t selected = viewer_selected(viewer);
    size_t link = chain->count;
    if (link > 0 && turns(&chain->links[selected]))
        return selected;
    while (link > 0 && !turns(&chain->links[link - 1]))
        link--;
    return link > 0 ? link - 1 : chain->count;
}

/* The line's step among the pixels before the links from `link` on. */
static Status find_step(const Viewer *viewer, size_t link, double *across, double *down) {
    const double *line = straighten_of(viewer)->line;
    const Viewport at = viewer_viewport(viewer);
    double ends[2][2];
    Shape in;
    for (int i = 0; i < 2; i++) {
        ends[i][0] = (line[2 * i] - at.x) / at.scale - 0.5;
        ends[i][1] = (line[2 * i + 1] - at.y) / at.scale - 0.5;
    }
    TRY(points_before_link(viewer, link, ends, 2, &in));
    *across = ends[1][0] - ends[0][0];
    *down = ends[1][1] - ends[0][1];
    return STATUS_OK;
}

/* Hundredths of a degree, within half a turn. */
static double fitting(double degrees) {
    return round(100 * (degrees - 360 * round(degrees / 360))) / 100;
}

static Status turn_more(Viewer *viewer, size_t link) {
    const ParamTable table = filter_rotate.table;
    const Param *degrees = param_by_unit(table, PARAM_CLOCKWISE);
    const double before = param_number(degrees, viewer->request->chain->links[link].values);
    double across = 0, down = 0;
    char text[48];
    TRY(find_step(viewer, link + 1, &across, &down));
    snprintf(text, sizeof text, "%s=%.9g:size=inside", degrees->name, fitting(before + straighten_angle(across, down)));
    return viewer_set_values(viewer, link, text);
}

static Status turn_new(Viewer *viewer, size_t link) {
    double across = 0, down = 0;
    char text[48];
    TRY(find_step(viewer, link, &across, &down));
    snprintf(text, sizeof text, "rotate=%.9g:inside", fitting(straighten_angle(across, down)));
    return insert_link_before_crop(viewer, link, text);
}

static Status turn(Viewer *viewer) {
    const size_t link = find_turn(viewer);
    const Chain *chain = viewer->request->chain;
    return link < chain->count ? turn_more(viewer, link) : turn_new(viewer, link_before_crop(chain));
}

/* ---- the tool ---- */

Status straighten_toggle(Viewer *viewer) {
    Straighten *straighten = straighten_of(viewer);
    if (!straighten->on && !viewer_picture(viewer))
        return fail(STATUS_USAGE, "there is no picture to straighten: open one");
    if (!straighten->on)
        tools_close_others(viewer, &straighten_tool);
    *straighten = (Straighten){.on = !straighten->on};
    return STATUS_OK;
}

bool straighten_on(const Viewer *viewer) {
    return straighten_of(viewer)->on && viewer_picture(viewer);
}

bool straighten_line(const Viewer *viewer, double line[4]) {
    const Straighten *straighten = straighten_of(viewer);
    memcpy(line, straighten->line, sizeof straighten->line);
    return straighten->draws;
}

static bool close_straighten(Viewer *viewer) {
    const bool on = straighten_on(viewer);
    *straighten_of(viewer) = (Straighten){.on = false};
    return on;
}

/* A click draws no line, and leaves the tool open. */
static void finish(Viewer *viewer) {
    Straighten *straighten = straighten_of(viewer);
    const double *line = straighten->line;
    straighten->draws = false;
    if (hypot(line[2] - line[0], line[3] - line[1]) < LEAST_PIXELS * viewer->scale)
        return;
    const Status status = turn(viewer);
    straighten->on = status != STATUS_OK;
    viewer_answer(viewer, TOAST_REQUEST, status);
}

static bool take_event(Viewer *viewer, const ToolEvent *event) {
    Straighten *straighten = straighten_of(viewer);
    const bool begins = event->kind == TOOL_PRESS && event->button == MOUSE_LEFT && straighten_on(viewer);
    const bool draws = begins || (event->kind == TOOL_MOVE && straighten->draws);
    if (begins) {
        straighten->draws = true;
        straighten->line[0] = event->result_x;
        straighten->line[1] = event->y;
    }
    if (draws) {
        straighten->line[2] = event->result_x;
        straighten->line[3] = event->y;
    }
    if (event->kind == TOOL_RELEASE && straighten->draws)
        finish(viewer);
    return draws;
}

static const char *action_of_key(const Viewer *viewer, const char *key) {
    return straighten_on(viewer) && strcasecmp(key, "Return") == 0 ? "straighten" : NULL;
}

const ToolKind straighten_tool = {.name = "straighten",
                                  .size = sizeof(Straighten),
                                  .event = take_event,
                                  .close = close_straighten,
                                  .action = action_of_key,
                                  .drags = true,
                                  .within = &handles_tool};
