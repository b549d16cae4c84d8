/* perspective.c: from four clicks to the filter perspective. */
#include "app/view/tools/perspective.h"

#include "app/view/data/quad.h"
#include "app/view/session/viewer.h"
#include "app/view/tools/before_link.h"
#include "app/view/tools/handles.h"
#include "core/chain/filters/filters.h"

#include <stdio.h>
#include <strings.h>

#define MARGIN 16.0 /* of a fitted picture, so that its corners can be clicked */

typedef struct Perspective {
    bool on;
    int count;
    double places[4][2]; /* pixels of the shown result, */
    unsigned of_job;     /* which is the session's of this job_serial */
} Perspective;

static Perspective *perspective_of(const Viewer *viewer) {
    return tool_of(viewer, &perspective_tool);
}

/* The last filter of this kind that is not off; the chain's length if there is none. */
static size_t find_link(const Chain *chain) {
    for (size_t i = chain->count; i-- > 0;)
        if (chain->links[i].filter == &filter_perspective && !chain->links[i].off)
            return i;
    return chain->count;
}

Status perspective_toggle(Viewer *viewer) {
    Perspective *perspective = perspective_of(viewer);
    const Chain *chain = viewer->request->chain;
    const size_t link = find_link(chain);
    if (!perspective->on && !viewer_picture(viewer))
        return fail(STATUS_USAGE, "there is no picture to straighten: open one");
    if (perspective->on || link == chain->count) {
        if (!perspective->on)
            tools_close_others(viewer, &perspective_tool);
        *perspective = (Perspective){.on = !perspective->on};
        return STATUS_OK;
    }
    viewer->selected = link;
    return handles_toggle(viewer);
}

bool perspective_on(const Viewer *viewer) {
    return perspective_of(viewer)->on && viewer_picture(viewer);
}

int perspective_points(const Viewer *viewer, double places[4][2]) {
    const Perspective *perspective = perspective_of(viewer);
    const Viewport at = viewer_viewport(viewer);
    for (int i = 0; i < perspective->count; i++) {
        places[i][0] = at.x + (perspective->places[i][0] + 0.5) * at.scale;
        places[i][1] = at.y + (perspective->places[i][1] + 0.5) * at.scale;
    }
    return perspective->count;
}

static bool close_perspective(Viewer *viewer) {
    const bool on = perspective_on(viewer);
    *perspective_of(viewer) = (Perspective){.on = false};
    return on;
}

/* One edit: the filter, with its corners. */
static Status make_upright(Viewer *viewer, double places[4][2]) {
    const size_t link = link_before_crop(viewer->request->chain);
    char corners[QUAD_TEXT], text[QUAD_TEXT + 16];
    Shape in;
    TRY(points_before_link(viewer, link, places, 4, &in));
    quad_sort(places);
    if (!corners_convex(places))
        return fail(STATUS_USAGE, "these four points are no corners of a rectangle seen from aside: click them again");
    snprintf(text, sizeof text, "perspective=%s", quad_format(places, in, corners, sizeof corners));
    return insert_link_before_crop(viewer, link, text);
}

/* The points are of the picture that is shown now: another one begins with none. */
static void note(Viewer *viewer, const ToolEvent *event) {
    Perspective *perspective = perspective_of(viewer);
    const Viewport at = viewer_viewport(viewer);
    if (perspective->of_job != viewer->session->job_serial)
        perspective->count = 0;
    perspective->of_job = viewer->session->job_serial;
    double *point = perspective->places[perspective->count++];
    point[0] = (event->result_x - at.x) / at.scale - 0.5;
    point[1] = (event->y - at.y) / at.scale - 0.5;
    if (perspective->count < 4)
        return;
    const Status status = make_upright(viewer, perspective->places);
    *perspective = (Perspective){.on = status != STATUS_OK};
    viewer_answer(viewer, TOAST_REQUEST, status);
}

static bool take_event(Viewer *viewer, const ToolEvent *event) {
    const bool takes =
        event->kind == TOOL_PRESS && event->button == MOUSE_LEFT && !event->shift && perspective_on(viewer);
    if (takes)
        note(viewer, event);
    return takes;
}

static const char *action_of_key(const Viewer *viewer, const char *key) {
    return perspective_on(viewer) && strcasecmp(key, "Return") == 0 ? "perspective" : NULL;
}

static double margin(const Viewer *viewer) {
    return perspective_on(viewer) ? MARGIN * viewer->scale : 0;
}

const ToolKind perspective_tool = {.name = "perspective",
                                   .size = sizeof(Perspective),
                                   .event = take_event,
                                   .close = close_perspective,
                                   .action = action_of_key,
                                   .margin = margin,
                                   .drags = true};
