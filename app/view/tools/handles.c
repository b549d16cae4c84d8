/* handles.c: from parameters to the window, and back. */
#include "app/view/tools/handles.h"

#include "app/view/data/quad.h"
#include "app/view/session/viewer.h"
#include "core/chain/filters/filters.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

#define REACH        12.0 /* pixels of the window at scale 1 around a handle */
#define MARGIN       16.0 /* of a fitted picture, so that a handle and its reach are within the window */
#define DIAL_MINIMUM 56.0
#define DIAL_MAXIMUM 170.0
#define DIAL_SHARE   0.3 /* of the smaller side of the shown result */
#define WHOLE_ANGLE  360.0

typedef struct Handles {
    bool on;
    /* of the job that is shown */
    bool known;
    unsigned of_job;
    size_t of_link, of_aside;
    Shape in, out;                     /* of the filter */
    Homography to_result, from_result; /* from the filter's result to the chain's, and back */
    /* the drag */
    int grip;
    double from_x, from_y; /* the pointer then */
    double turn, away;     /* of the pointer about a dial's middle */
    bool locks;            /* it keeps the ratio of the rectangle before */
    HandleValues before;
    /* the last request: one that was refused is not made again */
    const struct Chain *asked_of;
    size_t asked;
} Handles;

static Handles *handles_of(const Viewer *viewer) {
    return tool_of(viewer, &handles_tool);
}

static double within(double value, double low, double high) {
    return fmin(fmax(value, low), fmax(low, high));
}

/* ---- arithmetic ---- */

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
    const Param *column, *row, *columns, *rows, *ratio, *angle, *length, *matrix, *corners;
    bool clockwise;
} Selected;

static Selected select_params(const ChainLink *of, size_t link) {
    Selected selected = {.of = of, .link = link};
    const ParamTable table = of->filter->table;
    selected.column = param_by_unit(table, PARAM_COLUMN);
    selected.row = param_by_unit(table, PARAM_ROW);
    selected.columns = param_by_unit(table, PARAM_COLUMNS);
    selected.rows = param_by_unit(table, PARAM_ROWS);
    selected.length = param_by_unit(table, PARAM_LENGTH);
    selected.ratio = param_by_name(table, "ratio");
    selected.matrix = param_by_unit(table, PARAM_HOMOGRAPHY);
    selected.corners = of->filter == &filter_perspective ? param_by_name(table, "corners") : NULL;
    selected.angle = param_by_unit(table, PARAM_CLOCKWISE);
    selected.clockwise = selected.angle != NULL;
    if (!selected.clockwise)
        selected.angle = param_by_unit(table, PARAM_COUNTERCLOCKWISE);
    return selected;
}

static Selected select_link(const Viewer *viewer) {
    const Chain *chain = viewer->request->chain;
    const size_t link = viewer_selected(viewer);
    if (!viewer->session->subject || chain->count == 0 || chain->links[link].off)
        return (Selected){.link = link};
    return select_params(&chain->links[link], link);
}

static HandlesKind kind_of(const Selected *selected) {
    const bool place = selected->column && selected->row;
    return !selected->of                                  ? HANDLES_NONE
           : place && selected->columns && selected->rows ? HANDLES_RECTANGLE
           : place                                        ? HANDLES_PLACE
           : selected->angle                              ? HANDLES_ANGLE
           : selected->matrix                             ? HANDLES_CORNERS
           : selected->corners                            ? HANDLES_THING
                                                          : HANDLES_NONE;
}

HandlesKind handles_kind(const Viewer *viewer) {
    const Selected selected = select_link(viewer);
    return kind_of(&selected);
}

/* Such handles lie on what the filter is given: it is set aside meanwhile. */
static bool is_aside(HandlesKind kind) {
    return kind == HANDLES_RECTANGLE || kind == HANDLES_THING;
}

/* ---- places in the result ---- */

/* The geometry of some of the links, as far as there is one. */
static bool find_geometry(const Session *session, size_t first, size_t count, Shape in, Geometry *geometry) {
    const Chain carried = session_carried(session);
    return chain_geometry(&carried, first, count, in, session->request->options, geometry) == STATUS_OK &&
           geometry->origin != ORIGIN_NONE;
}

/* By the job that is shown, whose chain may be older than the request's. */
static bool find_places(const Viewer *viewer, Handles *handles, size_t link) {
    const Session *session = viewer->session;
    const Shape picture = viewer_shape(viewer);
    const size_t count = session->misfit > 0 ? session->misfit - 1 : session->chain->count;
    Geometry before, own, behind;
    if (link >= count)
        return false;
    (void)find_geometry(session, 0, link, picture, &before);
    (void)find_geometry(session, link, 1, before.result, &own);
    handles->in = before.result;
    handles->out = own.result;
    if (!find_geometry(session, link + 1, count - link - 1, handles->out, &behind))
        return false;
    handles->from_result = behind.to_picture;
    return homography_invert(&handles->from_result, &handles->to_result);
}

static Status set_aside(Viewer *viewer, size_t number) {
    Handles *handles = handles_of(viewer);
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
    const Handles *handles = handles_of(viewer);
    return viewer->request->set_aside != number && !viewer->asks && handles->asked == number &&
           handles->asked_of == viewer->request->chain;
}

static void find(Viewer *viewer) {
    Handles *handles = handles_of(viewer);
    if (!handles->on || !viewer->session->subject || handles_kind(viewer) == HANDLES_NONE)
        return;
    const size_t link = viewer_selected(viewer), aside = viewer->session->request->set_aside;
    if (handles->known && handles->of_job == viewer->session->job_serial && handles->of_link == link &&
        handles->of_aside == aside)
        return;
    handles->known = find_places(viewer, handles, link);
    handles->of_aside = aside;
    handles->of_job = viewer->session->job_serial;
    handles->of_link = link;
}

bool handles_follow(Viewer *viewer) {
    Handles *handles = handles_of(viewer);
    const Selected selected = select_link(viewer);
    const HandlesKind kind = kind_of(&selected);
    const size_t aside = handles->on && is_aside(kind) ? selected.link + 1 : 0;
    if (was_refused(viewer, aside) || set_aside(viewer, aside) != STATUS_OK)
        handles->on = false;
    if (!handles->on || kind == HANDLES_NONE || viewer->session->request->set_aside != aside)
        return false;
    find(viewer);
    return handles->known;
}

static void open_handles(Viewer *viewer) {
    tools_close_others(viewer, &handles_tool);
    handles_of(viewer)->on = true;
}

Status handles_toggle(Viewer *viewer) {
    if (!handles_of(viewer)->on && handles_kind(viewer) == HANDLES_NONE)
        return fail(STATUS_USAGE, "the selected filter has nothing on the picture to drag, as crop, rotate, motion, "
                                  "distort and warp have");
    if (handles_of(viewer)->on)
        handles_of(viewer)->on = false;
    else
        open_handles(viewer);
    (void)handles_follow(viewer);
    return STATUS_OK;
}

HandlesView handles_view(const Viewer *viewer) {
    const Handles *handles = handles_of(viewer);
    return (HandlesView){handles->in, handles->out, handles->of_job, handles->grip};
}

bool handles_on(const Viewer *viewer) {
    return handles_of(viewer)->on;
}

static bool close_handles(Viewer *viewer) {
    const bool on = handles_of(viewer)->on;
    handles_of(viewer)->on = false;
    return on;
}

/* Saves the result whole: no filter is set aside. */
static Status leave(Viewer *viewer) {
    handles_of(viewer)->on &= !is_aside(handles_kind(viewer));
    return set_aside(viewer, 0);
}

/* ---- values ---- */

static double number_of(const Selected *selected, const Param *param) {
    return param ? param_number(param, selected->of->values) : 0;
}

/* The part of its input that a crop takes; all of it where the crop does not fit. */
static Rectangle part_of(const Viewer *viewer, size_t link) {
    const Shape in = handles_of(viewer)->in;
    Geometry own;
    if (chain_geometry(viewer->request->chain, link, 1, in, viewer->request->options, &own) != STATUS_OK)
        return (Rectangle){0, 0, (double)in.width, (double)in.height};
    return (Rectangle){own.to_picture.m[2], own.to_picture.m[5], (double)own.result.width, (double)own.result.height};
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
    const Handles *handles = handles_of(viewer);
    const HandlesKind kind = kind_of(&selected);
    const double width = (double)handles->in.width, height = (double)handles->in.height;
    HandleValues values = {.x = number_of(&selected, selected.column),
                           .y = number_of(&selected, selected.row),
                           .angle = number_of(&selected, selected.angle),
                           .length = number_of(&selected, selected.length)};
    if (kind == HANDLES_RECTANGLE) {
        values.rectangle = part_of(viewer, selected.link);
        values.ratio = number_of(&selected, selected.ratio);
    }
    values.x = values.x < 0 ? (width - 1) / 2 : values.x;
    values.y = values.y < 0 ? (height - 1) / 2 : values.y;
    if (kind == HANDLES_CORNERS)
        read_corners(&selected, handles->in, values.corners);
    if (kind == HANDLES_THING && selected.of)
        quad_read(param_text(selected.corners, selected.of->values), handles->in, values.corners);
    return values;
}

#define SHARES 1e4 /* steps of a percent: a hundredth of a pixel where a side has 10000 */

/* Percent of a side, from one place to another. Edges are rounded, so that a part never ends beyond 100. */
static double share_of(double from, double to, size_t side) {
    const double each = 100 * SHARES / (double)side;
    return (round(to * each) - round(from * each)) / SHARES;
}

/* With the ratio, if the filter has one: the rectangle is of that already. */
static Status put_rectangle(Viewer *viewer, const Selected *selected, Rectangle rectangle, double ratio) {
    const Shape in = handles_of(viewer)->in;
    if (!selected->of)
        return STATUS_OK; /* it went meanwhile */
    if (params_in_percent(selected->of->filter->table, selected->of->values))
        rectangle = (Rectangle){share_of(0, rectangle.x, in.width), share_of(0, rectangle.y, in.height),
                                share_of(rectangle.x, rectangle.x + rectangle.width, in.width),
                                share_of(rectangle.y, rectangle.y + rectangle.height, in.height)};
    return viewer_set_params(viewer, selected->link,
                             (ParamChange[]){{selected->columns, rectangle.width, NULL},
                                             {selected->rows, rectangle.height, NULL},
                                             {selected->column, rectangle.x, NULL},
                                             {selected->row, rectangle.y, NULL},
                                             {selected->ratio, ratio, NULL}},
                             selected->ratio ? 5 : 4);
}

/* Six numbers of a parallelogram, else nine. */
static Status put_corners(Viewer *viewer, const Selected *selected, double corners[4][2]) {
    const double right = (double)handles_of(viewer)->in.width - 0.5,
                 bottom = (double)handles_of(viewer)->in.height - 0.5;
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

static Status put_thing(Viewer *viewer, const Selected *selected, double corners[4][2]) {
    char text[QUAD_TEXT];
    if (!selected->corners || !corners_convex(corners))
        return STATUS_OK; /* it went meanwhile, or stays where it was */
    quad_format(corners, handles_of(viewer)->in, text, sizeof text);
    return viewer_set_params(viewer, selected->link, &(ParamChange){.param = selected->corners, .text = text}, 1);
}

/* ---- the window ---- */

void handles_place(const Viewer *viewer, double x, double y, double *window_x, double *window_y) {
    const Viewport at = viewer_viewport(viewer);
    homography_apply(&handles_of(viewer)->to_result, x, y, window_x, window_y);
    *window_x = at.x + (*window_x + 0.5) * at.scale;
    *window_y = at.y + (*window_y + 0.5) * at.scale;
}

static void pixel_at(const Viewer *viewer, double window_x, double window_y, double *x, double *y) {
    const Viewport at = viewer_viewport(viewer);
    homography_apply(&handles_of(viewer)->from_result, (window_x - at.x) / at.scale - 0.5,
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
    const Shape out = handles_of(viewer)->out, shown = viewer_shown_shape(viewer);
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
                                      [HANDLES_CORNERS] = list_corners,
                                      [HANDLES_THING] = list_corners};
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
    bool in = kind == HANDLES_CORNERS || kind == HANDLES_THING;
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
    const Shape out = handles_of(viewer)->out;
    double px, py;
    pixel_at(viewer, x, y, &px, &py);
    *turn = atan2(((double)out.height - 1) / 2 - py, px - ((double)out.width - 1) / 2) * 180 / M_PI;
    *away = hypot(x - dial->x, y - dial->y);
}

bool handles_press(Viewer *viewer, double x, double y, bool locks) {
    Handles *handles = handles_of(viewer);
    handles->grip = handles_follow(viewer) ? handles_at(viewer, x, y) : GRIP_NONE;
    if (handles->grip == GRIP_NONE)
        return false;
    const Selected selected = select_link(viewer);
    handles->locks = locks;
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
    const Handles *handles = handles_of(viewer);
    const Dial dial = dial_of(viewer, selected, handles->before.angle);
    double turn, away;
    if (!selected->angle)
        return STATUS_OK; /* it went meanwhile */
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
    HandleValues values = handles_of(viewer)->before;
    for (int i = 0; i < 4; i++)
        if (handles_of(viewer)->grip == GRIP_ALL || handles_of(viewer)->grip == GRIP_POINT + i) {
            values.corners[i][0] += dx;
            values.corners[i][1] += dy;
        }
    return (selected->corners ? put_thing : put_corners)(viewer, selected, values.corners);
}

static Status drag_rectangle(Viewer *viewer, const Selected *selected, double dx, double dy) {
    const Handles *handles = handles_of(viewer);
    const Rectangle before = handles->before.rectangle;
    const double kept = handles->before.ratio;
    const double ratio = kept > 0 ? kept : handles->locks ? before.width / before.height : 0;
    const Rectangle now =
        rectangle_drag(before, handles->grip, dx, dy, ratio, (double)handles->in.width, (double)handles->in.height);
    return put_rectangle(viewer, selected, now, kept);
}

Status handles_drag(Viewer *viewer, double x, double y) {
    const Handles *handles = handles_of(viewer);
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
        return drag_rectangle(viewer, &selected, dx, dy);
    if (kind == HANDLES_CORNERS || kind == HANDLES_THING)
        return drag_corners(viewer, &selected, dx, dy);
    return viewer_set_params(
        viewer, selected.link,
        (ParamChange[]){{selected.column, round(within(handles->before.x + dx, 0, width - 1)), NULL},
                        {selected.row, round(within(handles->before.y + dy, 0, height - 1)), NULL}},
        2);
}

/* Whether a side or corner of a rectangle is there: elsewhere a drag with Shift moves the picture. */
static bool on_side(Viewer *viewer, double x, double y) {
    const int grip =
        handles_kind(viewer) == HANDLES_RECTANGLE && handles_follow(viewer) ? handles_at(viewer, x, y) : GRIP_NONE;
    return grip != GRIP_NONE && grip != GRIP_ALL;
}

static bool take_event(Viewer *viewer, const ToolEvent *event) {
    if (event->kind == TOOL_PRESS)
        return event->button == MOUSE_LEFT && (!event->shift || on_side(viewer, event->x, event->y)) &&
               handles_press(viewer, event->x, event->y, event->shift);
    if (event->kind != TOOL_MOVE)
        return false;
    viewer_answer(viewer, TOAST_REQUEST, handles_drag(viewer, event->x, event->y));
    return true;
}

/* ---- cropping ---- */

const CropRatio crop_ratios[] = {
    {"free", "any width and height", 0},
    {"original", "as the picture", 0},
    {"1:1", "a square", 1},
    {"3:2", "as cameras with mirrors, and film of 35 mm", 3.0 / 2},
    {"4:3", "as telephones and older screens", 4.0 / 3},
    {"16:9", "as television", 16.0 / 9},
};
const size_t crop_ratio_count = sizeof crop_ratios / sizeof crop_ratios[0];

bool handles_cropping(const Viewer *viewer) {
    return handles_of(viewer)->on && handles_kind(viewer) == HANDLES_RECTANGLE;
}

static HandlesKind kind_of_link(const ChainLink *link) {
    const Selected selected = select_params(link, 0);
    return kind_of(&selected);
}

Status handles_add(Viewer *viewer, const char *filter) {
    Chain *added;
    TRY(chain_parse(filter, &added));
    const HandlesKind kind = added->count == 1 ? kind_of_link(&added->links[0]) : HANDLES_NONE;
    chain_destroy(&added);
    TRY(viewer_add_link(viewer, filter, is_aside(kind)));
    if (is_aside(kind) || kind == HANDLES_CORNERS)
        open_handles(viewer);
    (void)handles_follow(viewer);
    return STATUS_OK;
}

Status handles_crop(Viewer *viewer) {
    const Chain *chain = viewer->request->chain;
    char begin[ENTRY_MAX];
    size_t link = chain->count;
    if (handles_cropping(viewer))
        return handles_toggle(viewer);
    if (handles_kind(viewer) == HANDLES_RECTANGLE)
        link = viewer_selected(viewer);
    for (size_t i = chain->count; link == chain->count && i-- > 0;)
        if (!chain->links[i].off && kind_of_link(&chain->links[i]) == HANDLES_RECTANGLE)
            link = i;
    if (link == chain->count) {
        filter_format_begin(&filter_crop, begin, sizeof begin);
        return handles_add(viewer, begin);
    }
    viewer->selected = link;
    open_handles(viewer);
    (void)handles_follow(viewer);
    return STATUS_OK;
}

/* Opens the handles of the selected rectangle. */
static Status begin_cropping(Viewer *viewer) {
    const Selected selected = select_link(viewer);
    if (kind_of(&selected) != HANDLES_RECTANGLE || !selected.ratio)
        return fail(STATUS_USAGE, "the selected filter takes no part of the picture: crop adds one that does");
    open_handles(viewer);
    return handles_follow(viewer) ? STATUS_OK : fail(STATUS_USAGE, "the picture before the crop is not there yet");
}

Status handles_set_ratio(Viewer *viewer, double ratio) {
    TRY(begin_cropping(viewer));
    const Selected selected = select_link(viewer);
    const Shape in = handles_of(viewer)->in;
    const Rectangle now = handles_values(viewer).rectangle;
    return put_rectangle(viewer, &selected,
                         ratio > 0 ? rectangle_with_ratio(now, ratio, (double)in.width, (double)in.height) : now,
                         ratio);
}

Status handles_flip(Viewer *viewer) {
    TRY(begin_cropping(viewer));
    const Selected selected = select_link(viewer);
    const Shape in = handles_of(viewer)->in;
    const HandleValues values = handles_values(viewer);
    const double ratio = values.ratio > 0 ? 1 / values.ratio : values.rectangle.height / values.rectangle.width;
    return put_rectangle(viewer, &selected,
                         rectangle_with_ratio(values.rectangle, ratio, (double)in.width, (double)in.height),
                         values.ratio > 0 ? ratio : 0);
}

/* The handles of a side or a corner lie half outside of the picture. */
static double margin(const Viewer *viewer) {
    const HandlesKind kind = handles_of(viewer)->on ? handles_kind(viewer) : HANDLES_NONE;
    return is_aside(kind) || kind == HANDLES_CORNERS ? MARGIN * viewer->scale : 0;
}

static const char *action_of_key(const Viewer *viewer, const char *key) {
    if (!handles_of(viewer)->on || handles_kind(viewer) == HANDLES_NONE)
        return NULL;
    if (strcasecmp(key, "Return") == 0)
        return "handles";
    return handles_cropping(viewer) && strcasecmp(key, "x") == 0 ? "flip-crop" : NULL;
}

const ToolKind handles_tool = {.name = "handles",
                               .size = sizeof(Handles),
                               .follow = find,
                               .leave = leave,
                               .event = take_event,
                               .close = close_handles,
                               .action = action_of_key,
                               .margin = margin,
                               .drags = true};
