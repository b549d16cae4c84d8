/* handles.c: from parameters to the window, and back. */
#include "app/view/tools/handles.h"

#include "app/view/data/placement.h"
#include "app/view/session/viewer.h"
#include "core/chain/filters/filters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REACH        12.0 /* pixels of the window at scale 1 around a handle */
#define DIAL_MINIMUM 56.0
#define DIAL_MAXIMUM 170.0
#define DIAL_SHARE   0.3 /* of the smaller side of the shown result */
#define WHOLE_ANGLE  360.0

static double within(double value, double low, double high) {
    return fmin(fmax(value, low), fmax(low, high));
}

/* ---- arithmetic ---- */

Rectangle rectangle_drag(Rectangle before, int grip, double dx, double dy, double width, double height) {
    const double right = before.x + before.width, bottom = before.y + before.height;
    Rectangle now = before;
    dx = round(dx);
    dy = round(dy);
    if (grip == GRIP_ALL) {
        now.x = within(before.x + dx, 0, width - before.width);
        now.y = within(before.y + dy, 0, height - before.height);
        return now;
    }
    if (grip & GRIP_LEFT)
        now.x = within(before.x + dx, 0, right - 1);
    if (grip & GRIP_TOP)
        now.y = within(before.y + dy, 0, bottom - 1);
    now.width = (grip & GRIP_RIGHT ? within(right + dx, before.x + 1, width) : right) - now.x;
    now.height = (grip & GRIP_BOTTOM ? within(bottom + dy, before.y + 1, height) : bottom) - now.y;
    return now;
}

bool corners_convex(double corners[4][2]) {
    bool convex = true;
    for (int i = 0; i < 4; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 4], *c = corners[(i + 2) % 4];
        convex &= (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 1;
    }
    return convex;
}

/* An angle as its parameter takes it: within the limits, if turns allow that, in tenths of a degree. */
static double fitting_angle(const Param *param, double angle) {
    while (angle > param->max)
        angle -= WHOLE_ANGLE;
    while (angle < param->min)
        angle += WHOLE_ANGLE;
    return round(10 * angle) / 10;
}

/* ---- the selected filter ---- */

typedef struct Selected {
    const ChainLink *of;
    size_t link;
    const Param *column, *row, *columns, *rows, *angle, *length, *matrix;
    bool clockwise;
} Selected;

static Selected select_link(const Viewer *viewer) {
    const Chain *chain = viewer->request->chain;
    Selected selected = {.link = viewer_selected(viewer)};
    if (!viewer->session->request.subject || chain->count == 0 || chain->links[selected.link].off)
        return selected;
    selected.of = &chain->links[selected.link];
    const ParamTable table = selected.of->filter->table;
    selected.column = param_by_unit(table, PARAM_COLUMN);
    selected.row = param_by_unit(table, PARAM_ROW);
    selected.columns = param_by_unit(table, PARAM_COLUMNS);
    selected.rows = param_by_unit(table, PARAM_ROWS);
    selected.length = param_by_unit(table, PARAM_LENGTH);
    selected.matrix = param_by_unit(table, PARAM_HOMOGRAPHY);
    selected.angle = param_by_unit(table, PARAM_CLOCKWISE);
    selected.clockwise = selected.angle != NULL;
    if (!selected.clockwise)
        selected.angle = param_by_unit(table, PARAM_COUNTERCLOCKWISE);
    return selected;
}

static HandlesKind kind_of(const Selected *selected) {
    const bool place = selected->column && selected->row;
    return !selected->of                                  ? HANDLES_NONE
           : place && selected->columns && selected->rows ? HANDLES_RECTANGLE
           : place                                        ? HANDLES_PLACE
           : selected->angle                              ? HANDLES_ANGLE
           : selected->matrix                             ? HANDLES_CORNERS
                                                          : HANDLES_NONE;
}

HandlesKind handles_kind(const Viewer *viewer) {
    const Selected selected = select_link(viewer);
    return kind_of(&selected);
}

/* ---- places in the result ---- */

/* Some of the chain's links, planned for an input; the plan's result and where its pixels come from. */
static bool plan_links(const Request *request, size_t first, size_t count, Shape in, Shape *out,
                       Homography *placement) {
    Chain part = *request->chain;
    Plan *plan;
    memmove(part.links, part.links + first, count * sizeof part.links[0]);
    part.count = count;
    if (chain_plan(&part, in, request->options, &plan) != STATUS_OK)
        return false;
    *out = plan_value_shape(plan, plan_result(plan));
    const bool placed = placement_of_plan(plan, placement);
    plan_destroy(&plan);
    return placed;
}

/* By the job that is shown, whose chain may be older than the request's. */
static bool find_places(const Viewer *viewer, Handles *handles, size_t link) {
    const Request *request = &viewer->session->request;
    const Shape picture = viewer_shape(viewer);
    Homography own;
    Shape result;
    if (link >= request->chain->count)
        return false;
    (void)plan_links(request, 0, link, picture, &handles->in, &own);
    if (request->set_aside == link + 1)
        handles->out = handles->in;
    else
        (void)plan_links(request, link, 1, handles->in, &handles->out, &own);
    return plan_links(request, link + 1, request->chain->count - link - 1, handles->out, &result,
                      &handles->from_result) &&
           homography_invert(&handles->from_result, &handles->to_result);
}

static Status set_aside(Viewer *viewer, size_t number) {
    Handles *handles = viewer->tools->handles;
    Request next = viewer_request(viewer);
    if (next.set_aside == number)
        return STATUS_OK;
    next.set_aside = number;
    handles->asked = number;
    handles->asked_of = next.chain;
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

/* Without the filter, or with it, the rest of the chain may not fit the picture. */
static bool was_refused(const Viewer *viewer, size_t number) {
    const Handles *handles = viewer->tools->handles;
    return viewer->request->set_aside != number && !viewer->asks && handles->asked == number &&
           handles->asked_of == viewer->request->chain;
}

static void find(Viewer *viewer) {
    Handles *handles = viewer->tools->handles;
    if (!handles->on || !viewer->session->request.subject || handles_kind(viewer) == HANDLES_NONE)
        return;
    const size_t link = viewer_selected(viewer);
    if (handles->known && handles->of_job == viewer->session->job_serial && handles->of_link == link)
        return;
    handles->known = find_places(viewer, handles, link);
    handles->of_job = viewer->session->job_serial;
    handles->of_link = link;
}

bool handles_follow(Viewer *viewer) {
    Handles *handles = viewer->tools->handles;
    const Selected selected = select_link(viewer);
    const HandlesKind kind = kind_of(&selected);
    const size_t aside = handles->on && kind == HANDLES_RECTANGLE ? selected.link + 1 : 0;
    if (was_refused(viewer, aside) || set_aside(viewer, aside) != STATUS_OK)
        handles->on = false;
    if (!handles->on || kind == HANDLES_NONE || viewer->session->request.set_aside != aside)
        return false;
    find(viewer);
    return handles->known;
}

Status handles_toggle(Viewer *viewer) {
    if (!viewer->tools->handles->on && handles_kind(viewer) == HANDLES_NONE)
        return fail(STATUS_USAGE, "the selected filter has nothing on the picture to drag, as crop, rotate, motion, "
                                  "distort and warp have");
    viewer->tools->handles->on = !viewer->tools->handles->on;
    (void)handles_follow(viewer);
    return STATUS_OK;
}

/* Saves the result whole: no filter is set aside. */
static Status leave(Viewer *viewer) {
    viewer->tools->handles->on &= handles_kind(viewer) != HANDLES_RECTANGLE;
    return set_aside(viewer, 0);
}

/* ---- values ---- */

static double number_of(const Selected *selected, const Param *param) {
    return param ? param_number(param, selected->of->values) : 0;
}

/* The part that a crop takes, of which 0 means all and negative the middle. */
static void part_of(double at, double wanted, double all, double *first, double *count) {
    const double start = fmax(at, 0);
    *count = within(wanted > 0 ? wanted : all - start, 1, all);
    *first = at < 0 ? floor((all - *count) / 2) : within(at, 0, all - *count);
}

static void read_corners(const Selected *selected, Shape in, double corners[4][2]) {
    Homography matrix = homography_identity();
    const char *text = param_text(selected->matrix, selected->of->values);
    if (text)
        (void)filter_numbers(text, matrix.m, 9);
    for (int i = 0; i < 4; i++)
        homography_apply(&matrix, i == 1 || i == 2 ? (double)in.width - 0.5 : -0.5,
                         i >= 2 ? (double)in.height - 0.5 : -0.5, &corners[i][0], &corners[i][1]);
}

HandleValues handles_values(const Viewer *viewer) {
    const Selected selected = select_link(viewer);
    const Handles *handles = viewer->tools->handles;
    const HandlesKind kind = kind_of(&selected);
    const double width = (double)handles->in.width, height = (double)handles->in.height;
    HandleValues values = {.x = number_of(&selected, selected.column),
                           .y = number_of(&selected, selected.row),
                           .angle = number_of(&selected, selected.angle),
                           .length = number_of(&selected, selected.length)};
    Rectangle *rectangle = &values.rectangle;
    if (kind == HANDLES_RECTANGLE) {
        part_of(values.x, number_of(&selected, selected.columns), width, &rectangle->x, &rectangle->width);
        part_of(values.y, number_of(&selected, selected.rows), height, &rectangle->y, &rectangle->height);
    }
    values.x = values.x < 0 ? (width - 1) / 2 : values.x;
    values.y = values.y < 0 ? (height - 1) / 2 : values.y;
    if (kind == HANDLES_CORNERS)
        read_corners(&selected, handles->in, values.corners);
    return values;
}

static Status put_rectangle(Viewer *viewer, const Selected *selected, Rectangle rectangle) {
    return viewer_set_params(viewer, selected->link,
                             (ParamChange[]){{selected->columns, rectangle.width, NULL},
                                             {selected->rows, rectangle.height, NULL},
                                             {selected->column, rectangle.x, NULL},
                                             {selected->row, rectangle.y, NULL}},
                             4);
}

/* Six numbers of a parallelogram, else nine. */
static Status put_corners(Viewer *viewer, const Selected *selected, double corners[4][2]) {
    const double right = (double)viewer->tools->handles->in.width - 0.5,
                 bottom = (double)viewer->tools->handles->in.height - 0.5;
    double from[4][2] = {{-0.5, -0.5}, {right, -0.5}, {right, bottom}, {-0.5, bottom}};
    Homography matrix;
    char text[9 * 24];
    size_t length = 0;
    if (!corners_convex(corners) || !homography_of_points(from, corners, &matrix))
        return STATUS_OK; /* it stays where it was */
    const bool affine = fabs(matrix.m[6] * right) < 1e-9 && fabs(matrix.m[7] * bottom) < 1e-9;
    for (int i = 0; i < (affine ? 6 : 9); i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.8g",
                                   i == 0       ? ""
                                   : i % 3 == 0 ? "  "
                                                : " ",
                                   fabs(matrix.m[i]) < 1e-12 ? 0 : matrix.m[i]);
    return viewer_set_params(viewer, selected->link, &(ParamChange){.param = selected->matrix, .text = text}, 1);
}

/* ---- the window ---- */

void handles_place(const Viewer *viewer, double x, double y, double *window_x, double *window_y) {
    const Viewport at = viewer_viewport(viewer);
    homography_apply(&viewer->tools->handles->to_result, x, y, window_x, window_y);
    *window_x = at.x + (*window_x + 0.5) * at.scale;
    *window_y = at.y + (*window_y + 0.5) * at.scale;
}

static void pixel_at(const Viewer *viewer, double window_x, double window_y, double *x, double *y) {
    const Viewport at = viewer_viewport(viewer);
    homography_apply(&viewer->tools->handles->from_result, (window_x - at.x) / at.scale - 0.5,
                     (window_y - at.y) / at.scale - 0.5, x, y);
}

/* The dial of an angle: its middle, a step of a pixel in the angle's direction, and its radius, all in the window. */
typedef struct Dial {
    double x, y, across, down, scale, radius;
} Dial;

static double radians(bool clockwise, double angle) {
    return (clockwise ? 90 - angle : angle) * M_PI / 180; /* counterclockwise from the right */
}

static Dial dial_of(const Viewer *viewer, const Selected *selected, double angle) {
    const Shape out = viewer->tools->handles->out, shown = viewer_shown_shape(viewer);
    const double x = ((double)out.width - 1) / 2, y = ((double)out.height - 1) / 2;
    const double turn = radians(selected->clockwise, angle);
    const double side = fmin((double)shown.width, (double)shown.height) * viewer_viewport(viewer).scale;
    Dial dial;
    handles_place(viewer, x, y, &dial.x, &dial.y);
    handles_place(viewer, x + cos(turn), y - sin(turn), &dial.across, &dial.down);
    dial.across -= dial.x;
    dial.down -= dial.y;
    dial.scale = hypot(dial.across, dial.down);
    dial.radius = within(DIAL_SHARE * side, DIAL_MINIMUM * viewer->scale, DIAL_MAXIMUM * viewer->scale);
    return dial;
}

typedef int Lister(const Viewer *viewer, const Selected *selected, const HandleValues *values,
                   Handle handles[HANDLES_MAX]);

static int list_rectangle(const Viewer *viewer, const Selected *selected, const HandleValues *values,
                          Handle handles[HANDLES_MAX]) {
    static const int grips[HANDLES_MAX] = {
        GRIP_LEFT | GRIP_TOP,    GRIP_TOP,    GRIP_RIGHT | GRIP_TOP,   GRIP_LEFT, GRIP_RIGHT,
        GRIP_LEFT | GRIP_BOTTOM, GRIP_BOTTOM, GRIP_RIGHT | GRIP_BOTTOM};
    const Rectangle of = values->rectangle;
    (void)selected;
    for (int i = 0; i < HANDLES_MAX; i++) {
        const double across = grips[i] & GRIP_LEFT ? 0 : grips[i] & GRIP_RIGHT ? 1 : 0.5;
        const double down = grips[i] & GRIP_TOP ? 0 : grips[i] & GRIP_BOTTOM ? 1 : 0.5;
        handles_place(viewer, of.x + across * of.width - 0.5, of.y + down * of.height - 0.5, &handles[i].x,
                      &handles[i].y);
        handles[i].grip = grips[i];
    }
    return HANDLES_MAX;
}

static int list_place(const Viewer *viewer, const Selected *selected, const HandleValues *values,
                      Handle handles[HANDLES_MAX]) {
    (void)selected;
    handles[0].grip = GRIP_POINT;
    handles_place(viewer, values->x, values->y, &handles[0].x, &handles[0].y);
    return 1;
}

static int list_angle(const Viewer *viewer, const Selected *selected, const HandleValues *values,
                      Handle handles[HANDLES_MAX]) {
    const Dial dial = dial_of(viewer, selected, values->angle);
    const double away = dial.radius / dial.scale + values->length / 2;
    handles[0] = (Handle){dial.x + away * dial.across, dial.y + away * dial.down, GRIP_POINT};
    return 1;
}

static int list_corners(const Viewer *viewer, const Selected *selected, const HandleValues *values,
                        Handle handles[HANDLES_MAX]) {
    (void)selected;
    for (int i = 0; i < 4; i++) {
        handles[i].grip = GRIP_POINT + i;
        handles_place(viewer, values->corners[i][0], values->corners[i][1], &handles[i].x, &handles[i].y);
    }
    return 4;
}

int handles_list(const Viewer *viewer, Handle handles[HANDLES_MAX]) {
    static Lister *const listers[] = {[HANDLES_RECTANGLE] = list_rectangle,
                                      [HANDLES_PLACE] = list_place,
                                      [HANDLES_ANGLE] = list_angle,
                                      [HANDLES_CORNERS] = list_corners};
    const Selected selected = select_link(viewer);
    const HandleValues values = handles_values(viewer);
    Lister *list = listers[kind_of(&selected)];
    return list ? list(viewer, &selected, &values, handles) : 0;
}

/* Within a rectangle or a quadrilateral. */
static bool inside(const Viewer *viewer, HandlesKind kind, double x, double y) {
    HandleValues values = handles_values(viewer);
    const Rectangle of = values.rectangle;
    double px, py;
    bool in = kind == HANDLES_CORNERS;
    pixel_at(viewer, x, y, &px, &py);
    if (kind == HANDLES_RECTANGLE)
        return px + 0.5 > of.x && py + 0.5 > of.y && px + 0.5 < of.x + of.width && py + 0.5 < of.y + of.height;
    for (int i = 0; i < 4; i++) {
        const double *a = values.corners[i], *b = values.corners[(i + 1) % 4];
        in &= (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]) > 0;
    }
    return in;
}

int handles_at(const Viewer *viewer, double x, double y) {
    Handle handles[HANDLES_MAX];
    const HandlesKind kind = handles_kind(viewer);
    const int count = handles_list(viewer, handles);
    double least = REACH * viewer->scale;
    int grip = GRIP_NONE;
    for (int i = 0; i < count; i++) {
        const double away = hypot(handles[i].x - x, handles[i].y - y);
        if (away < least) {
            least = away;
            grip = handles[i].grip;
        }
    }
    return grip != GRIP_NONE || !inside(viewer, kind, x, y) ? grip : GRIP_ALL;
}

/* ---- the mouse ---- */

/* Where the pointer is about a dial's middle: degrees counterclockwise in the filter's result, pixels of the window. */
static void read_dial(const Viewer *viewer, const Dial *dial, double x, double y, double *turn, double *away) {
    const Shape out = viewer->tools->handles->out;
    double px, py;
    pixel_at(viewer, x, y, &px, &py);
    *turn = atan2(((double)out.height - 1) / 2 - py, px - ((double)out.width - 1) / 2) * 180 / M_PI;
    *away = hypot(x - dial->x, y - dial->y);
}

bool handles_press(Viewer *viewer, double x, double y) {
    Handles *handles = viewer->tools->handles;
    handles->grip = handles_follow(viewer) ? handles_at(viewer, x, y) : GRIP_NONE;
    if (handles->grip == GRIP_NONE)
        return false;
    const Selected selected = select_link(viewer);
    handles->from_x = x;
    handles->from_y = y;
    handles->before = handles_values(viewer);
    if (kind_of(&selected) == HANDLES_ANGLE) {
        const Dial dial = dial_of(viewer, &selected, handles->before.angle);
        read_dial(viewer, &dial, x, y, &handles->turn, &handles->away);
    }
    return true;
}

static Status drag_angle(Viewer *viewer, const Selected *selected, double x, double y) {
    const Handles *handles = viewer->tools->handles;
    const Dial dial = dial_of(viewer, selected, handles->before.angle);
    double turn, away;
    read_dial(viewer, &dial, x, y, &turn, &away);
    turn -= handles->turn;
    away -= handles->away;
    const double angle = handles->before.angle + (selected->clockwise ? -turn : turn);
    ParamChange changes[2] = {{selected->angle, fitting_angle(selected->angle, angle), NULL}};
    if (selected->length)
        changes[1] = (ParamChange){selected->length, round(handles->before.length + 2 * away / dial.scale), NULL};
    return viewer_set_params(viewer, selected->link, changes, selected->length ? 2 : 1);
}

static Status drag_corners(Viewer *viewer, const Selected *selected, double dx, double dy) {
    HandleValues values = viewer->tools->handles->before;
    for (int i = 0; i < 4; i++)
        if (viewer->tools->handles->grip == GRIP_ALL || viewer->tools->handles->grip == GRIP_POINT + i) {
            values.corners[i][0] += dx;
            values.corners[i][1] += dy;
        }
    return put_corners(viewer, selected, values.corners);
}

Status handles_drag(Viewer *viewer, double x, double y) {
    const Handles *handles = viewer->tools->handles;
    const Selected selected = select_link(viewer);
    const HandlesKind kind = kind_of(&selected);
    const double width = (double)handles->in.width, height = (double)handles->in.height;
    double from_x, from_y, dx, dy;
    if (!handles_follow(viewer))
        return STATUS_OK;
    if (kind == HANDLES_ANGLE)
        return drag_angle(viewer, &selected, x, y);
    pixel_at(viewer, handles->from_x, handles->from_y, &from_x, &from_y);
    pixel_at(viewer, x, y, &dx, &dy);
    dx -= from_x;
    dy -= from_y;
    if (kind == HANDLES_RECTANGLE)
        return put_rectangle(viewer, &selected,
                             rectangle_drag(handles->before.rectangle, handles->grip, dx, dy, width, height));
    if (kind == HANDLES_CORNERS)
        return drag_corners(viewer, &selected, dx, dy);
    return viewer_set_params(
        viewer, selected.link,
        (ParamChange[]){{selected.column, round(within(handles->before.x + dx, 0, width - 1)), NULL},
                        {selected.row, round(within(handles->before.y + dy, 0, height - 1)), NULL}},
        2);
}

const ToolKind handles_tool = {
    .name = "handles", .place = offsetof(Tools, handles), .size = sizeof(Handles), .follow = find, .leave = leave};
