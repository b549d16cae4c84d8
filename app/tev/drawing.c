/* drawing.c: commands by a table; a path as points of the window; fills and strokes of it as areas. */
#include "app/tev/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

#define PI          3.14159265358979323846
#define TOLERANCE   0.1  /* window pixels between a curve and its lines */
#define NEAR        1e-3 /* window pixels: nearer points are one */
#define MITER_LIMIT 10.0 /* of NanoVG: longer corners are cut */
#define TEXT_SIZE   4096.0

enum { SAVED_MAX = 32 /* of NanoVG */, CURVE_MAX = 1024 /* lines of a curve */, SOLID = 1, HOLE = 2 };

/* The state that save and restore keep. */
typedef struct Style {
    double fill[4], stroke[4]; /* colours */
    double width, size;        /* window pixels */
    unsigned align;
    bool bold, mono;
} Style;

/* A part of a path: points one behind the other. */
typedef struct Part {
    size_t first, count;
    bool closed;
    int winding;
} Part;

typedef struct Painter {
    const DrawingPlace *place;
    Drawing *drawing;
    size_t capacity; /* of marks */
    Style styles[SAVED_MAX];
    int depth; /* of saves; those beyond SAVED_MAX keep nothing */
    FillPoint *points;
    size_t point_count, point_capacity;
    Part *parts;
    size_t part_count, part_capacity;
    FillPoint at; /* the picture's, of the last point */
} Painter;

typedef Status Doer(Painter *painter, const TevCommand *command);

static Status short_of_memory(void) {
    return fail(STATUS_DEVICE, "no memory for a drawing");
}

static Style *style_of(Painter *painter) {
    return &painter->styles[painter->depth < SAVED_MAX ? painter->depth : SAVED_MAX - 1];
}

static bool is_near(FillPoint a, FillPoint b) {
    return hypot(a.x - b.x, a.y - b.y) <= NEAR;
}

static FillPoint along(FillPoint from, FillPoint direction, double length) {
    return (FillPoint){from.x + direction.x * length, from.y + direction.y * length};
}

/* Its length is 1; it is not finite if both are the same. */
static FillPoint direction(FillPoint from, FillPoint to) {
    const double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    return (FillPoint){x / length, y / length};
}

static double cross(FillPoint a, FillPoint b) {
    return a.x * b.y - a.y * b.x;
}

static double dot(FillPoint a, FillPoint b) {
    return a.x * b.x + a.y * b.y;
}

/* ---- the path ---- */

static Status begin_part(Painter *painter) {
    if (!ARRAY_ROOM(painter->parts, painter->part_capacity, painter->part_count + 1))
        return short_of_memory();
    painter->parts[painter->part_count++] = (Part){.first = painter->point_count, .winding = SOLID};
    return STATUS_OK;
}

static Part *last_part(Painter *painter) {
    return painter->part_count > 0 ? &painter->parts[painter->part_count - 1] : NULL;
}

/* False behind the horizon of a map with one, as seen from the picture's first corner, and for places out of number. */
static bool to_window(const DrawingPlace *place, double x, double y, FillPoint *to) {
    const double *m = place->to_window.m;
    homography_apply(&place->to_window, x, y, &to->x, &to->y);
    return (m[6] * x + m[7] * y + m[8]) * m[8] > 0 && isfinite(to->x) && isfinite(to->y);
}

/* A line of the last part to a point of the picture. As NanoVG has it, lines before any part are not drawn. */
static Status line(Painter *painter, double x, double y) {
    Part *part = last_part(painter);
    FillPoint to;
    painter->at = (FillPoint){x, y};
    TRY(fill_spend(&painter->drawing->fill, 1));
    if (!part || !to_window(painter->place, x, y, &to) ||
        (part->count > 0 && is_near(to, painter->points[painter->point_count - 1])))
        return STATUS_OK;
    if (painter->point_count == DRAWING_POINTS)
        return fail(STATUS_INPUT, "a drawing has a path of more than %d points", DRAWING_POINTS);
    if (!ARRAY_ROOM(painter->points, painter->point_capacity, painter->point_count + 1))
        return short_of_memory();
    painter->points[painter->point_count++] = to;
    part->count++;
    return STATUS_OK;
}

static Status move(Painter *painter, double x, double y) {
    TRY(begin_part(painter));
    return line(painter, x, y);
}

static void close_part(Painter *painter) {
    if (painter->part_count > 0)
        last_part(painter)->closed = true;
}

/* How many lines stand for a curve whose second derivative is at most `bend` picture pixels, over a parameter from 0 to
 * 1. So many, n, are bend / 8 n^2 away from it. */
static int lines_of(const Painter *painter, double bend) {
    return (int)fmax(fmin(ceil(sqrt(bend * painter->place->scale / (8 * TOLERANCE))), CURVE_MAX), 1);
}

/* An ellipse's arc from an angle on, which grows clockwise in the window. Its first point is a line's end, too. */
static Status arc(Painter *painter, FillPoint centre, double radius_x, double radius_y, double from, double sweep) {
    const int count = lines_of(painter, fmax(fabs(radius_x), fabs(radius_y)) * sweep * sweep);
    for (int i = 0; i <= count; i++) {
        const double angle = from + sweep * i / count;
        TRY(line(painter, centre.x + radius_x * cos(angle), centre.y + radius_y * sin(angle)));
    }
    return STATUS_OK;
}

static Status bezier(Painter *painter, FillPoint b, FillPoint c, FillPoint d) {
    const FillPoint a = painter->at;
    const double first = hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y);
    const double then = hypot(b.x - 2 * c.x + d.x, b.y - 2 * c.y + d.y);
    const int count = lines_of(painter, 6 * fmax(first, then));
    for (int i = 1; i <= count; i++) {
        const double t = (double)i / count, u = 1 - t;
        const double w[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
        TRY(line(painter, w[0] * a.x + w[1] * b.x + w[2] * c.x + w[3] * d.x,
                 w[0] * a.y + w[1] * b.y + w[2] * c.y + w[3] * d.y));
    }
    return STATUS_OK;
}

/* A rectangle with round corners: top left, top right, bottom right, bottom left. */
static Status rounded(Painter *painter, const float box[4], const double radii[4]) {
    const double wide = (double)box[2] / 2, high = (double)box[3] / 2;
    const double middle_x = (double)box[0] + wide, middle_y = (double)box[1] + high;
    static const int sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    TRY(begin_part(painter));
    for (int i = 0; i < 4; i++) {
        const double radius = fmax(radii[i], 0);
        const double x = copysign(fmin(radius, fabs(wide)), wide), y = copysign(fmin(radius, fabs(high)), high);
        const FillPoint centre = {middle_x + sides[i][0] * (wide - x), middle_y + sides[i][1] * (high - y)};
        if (radius > 0)
            TRY(arc(painter, centre, x, y, PI + i * PI / 2, PI / 2));
        else
            TRY(line(painter, centre.x, centre.y));
    }
    close_part(painter);
    return STATUS_OK;
}

/* ---- areas ---- */

static double double_area(const FillPoint *points, size_t count) {
    double area = 0;
    for (size_t i = 0; i < count; i++)
        area += cross(points[i], points[i + 1 < count ? i + 1 : 0]);
    return area;
}

/* Adds a polygon that leads this way round: solid, or a hole in others. */
static Status add_polygon(Painter *painter, const FillPoint *points, size_t count, int winding) {
    return fill_add(&painter->drawing->fill, points, count, (double_area(points, count) < 0) != (winding == HOLE));
}

/* The corner at the outer side of a bend. */
static Status join(Painter *painter, FillPoint before, FillPoint at, FillPoint after, double half) {
    const FillPoint in = direction(before, at), out = direction(at, after);
    const double outer = cross(in, out) > 0 ? half : -half, square = (1 + dot(in, out)) / 2;
    const FillPoint across = {in.y, -in.x}, then = {out.y, -out.x}, both = {across.x + then.x, across.y + then.y};
    FillPoint corner[4] = {at, along(at, across, outer), along(at, then, outer)};
    if (!(square * MITER_LIMIT * MITER_LIMIT >= 1))
        return add_polygon(painter, corner, 3, SOLID);
    corner[3] = corner[2];
    corner[2] = along(at, both, outer / (2 * square));
    return add_polygon(painter, corner, 4, SOLID);
}

/* A part that ends where it begins is closed. */
static Status stroke_part(Painter *painter, const Part *part, double half) {
    const FillPoint *points = painter->points + part->first;
    const bool meets = part->count > 2 && is_near(points[0], points[part->count - 1]);
    const bool closed = part->closed || meets;
    const size_t count = part->count - meets, segments = closed ? count : count - 1;
    TRY(fill_spend(&painter->drawing->fill, 1));
    if (count < 2)
        return STATUS_OK;
    for (size_t i = 0; i < segments; i++) {
        const FillPoint a = points[i], b = points[(i + 1) % count], ahead = direction(a, b);
        const FillPoint across = {ahead.y, -ahead.x};
        FillPoint box[] = {along(a, across, half), along(b, across, half), along(b, across, -half),
                           along(a, across, -half)};
        TRY(add_polygon(painter, box, 4, SOLID));
        if (closed || i + 1 < segments)
            TRY(join(painter, a, b, points[(i + 2) % count], half));
    }
    return STATUS_OK;
}

/* ---- marks ---- */

static Status add_mark(Painter *painter, const double colour[4], DrawingMark mark) {
    Drawing *drawing = painter->drawing;
    if (!ARRAY_ROOM(drawing->marks, painter->capacity, drawing->count + 1))
        return short_of_memory();
    for (int c = 0; c < 4; c++)
        mark.colour[c] = (uint8_t)lrint(fmax(fmin(colour[c], 1), 0) * 255);
    drawing->marks[drawing->count++] = mark;
    return STATUS_OK;
}

static Status end_area(Painter *painter, const double colour[4]) {
    const size_t first = painter->drawing->fill.box_count;
    const Status status = fill_end(&painter->drawing->fill);
    const size_t count = painter->drawing->fill.box_count - first;
    if (count > 0)
        TRY(add_mark(painter, colour, (DrawingMark){.first = first, .count = count}));
    return status;
}

/* ---- commands ---- */

static Status save(Painter *painter, const TevCommand *command) {
    (void)command;
    const Style style = *style_of(painter);
    painter->depth++;
    *style_of(painter) = style;
    return STATUS_OK;
}

static Status restore(Painter *painter, const TevCommand *command) {
    (void)command;
    painter->depth -= painter->depth > 0;
    return STATUS_OK;
}

static Status set_fill_colour(Painter *painter, const TevCommand *command) {
    for (int c = 0; c < 4; c++)
        style_of(painter)->fill[c] = (double)command->numbers[c];
    return STATUS_OK;
}

static Status set_stroke_colour(Painter *painter, const TevCommand *command) {
    for (int c = 0; c < 4; c++)
        style_of(painter)->stroke[c] = (double)command->numbers[c];
    return STATUS_OK;
}

/* Window pixels: the second number says whether the first has the picture's. */
static double scaled(const Painter *painter, const TevCommand *command) {
    return (double)command->numbers[0] * ((double)command->numbers[1] > 0 ? 1 : painter->place->scale);
}

static Status set_width(Painter *painter, const TevCommand *command) {
    style_of(painter)->width = scaled(painter, command);
    return STATUS_OK;
}

static Status set_size(Painter *painter, const TevCommand *command) {
    style_of(painter)->size = fmin(scaled(painter, command), TEXT_SIZE);
    return STATUS_OK;
}

static Status set_align(Painter *painter, const TevCommand *command) {
    style_of(painter)->align = (unsigned)fmax(fmin((double)command->numbers[0], 127), 0);
    return STATUS_OK;
}

/* The faces that tev has: sans, sans-bold, mono. */
static Status set_face(Painter *painter, const TevCommand *command) {
    style_of(painter)->bold = strstr(command->text, "bold");
    style_of(painter)->mono = strstr(command->text, "mono");
    return STATUS_OK;
}

static Status begin_path(Painter *painter, const TevCommand *command) {
    (void)command;
    painter->point_count = painter->part_count = 0;
    return STATUS_OK;
}

static Status close_path(Painter *painter, const TevCommand *command) {
    (void)command;
    close_part(painter);
    return STATUS_OK;
}

static Status set_winding(Painter *painter, const TevCommand *command) {
    if (painter->part_count > 0)
        last_part(painter)->winding = command->numbers[0] >= HOLE ? HOLE : SOLID;
    return STATUS_OK;
}

static Status dump(Painter *painter, const TevCommand *command) {
    (void)painter, (void)command;
    return STATUS_OK;
}

static Status fill_path(Painter *painter, const TevCommand *command) {
    (void)command;
    for (size_t i = 0; i < painter->part_count; i++) {
        const Part part = painter->parts[i];
        TRY(add_polygon(painter, painter->points + part.first, part.count, part.winding));
    }
    return end_area(painter, style_of(painter)->fill);
}

static Status stroke_path(Painter *painter, const TevCommand *command) {
    (void)command;
    const double half = style_of(painter)->width / 2;
    for (size_t i = 0; half > 0 && i < painter->part_count; i++)
        TRY(stroke_part(painter, &painter->parts[i], half));
    return end_area(painter, style_of(painter)->stroke);
}

static Status move_to(Painter *painter, const TevCommand *command) {
    return move(painter, (double)command->numbers[0], (double)command->numbers[1]);
}

static Status line_to(Painter *painter, const TevCommand *command) {
    return line(painter, (double)command->numbers[0], (double)command->numbers[1]);
}

static FillPoint point_of(const TevCommand *command, int first) {
    return (FillPoint){(double)command->numbers[first], (double)command->numbers[first + 1]};
}

static Status bezier_to(Painter *painter, const TevCommand *command) {
    return bezier(painter, point_of(command, 0), point_of(command, 2), point_of(command, 4));
}

/* As a cubic, whose control points lie at two thirds of the way to the one of this. */
static Status quad_to(Painter *painter, const TevCommand *command) {
    const FillPoint from = painter->at, control = point_of(command, 0), to = point_of(command, 2);
    return bezier(painter, (FillPoint){from.x + 2 * (control.x - from.x) / 3, from.y + 2 * (control.y - from.y) / 3},
                  (FillPoint){to.x + 2 * (control.x - to.x) / 3, to.y + 2 * (control.y - to.y) / 3}, to);
}

/* The arc that touches the lines from the last point to a corner and from there to the next point. */
static Status arc_to(Painter *painter, const TevCommand *command) {
    const FillPoint corner = point_of(command, 0);
    const FillPoint back = direction(corner, painter->at), ahead = direction(corner, point_of(command, 2));
    const double radius = (double)command->numbers[4], side = cross(back, ahead);
    const double reach = radius * (1 + dot(back, ahead)) / fabs(side); /* radius / tan of half the angle */
    if (!(radius > 0 && isfinite(reach)))
        return line(painter, corner.x, corner.y);
    const FillPoint inwards = {side > 0 ? -back.y : back.y, side > 0 ? back.x : -back.x};
    const FillPoint centre = along(along(corner, back, reach), inwards, radius);
    const FillPoint last = along(corner, ahead, reach);
    const double from = atan2(-inwards.y, -inwards.x);
    const double sweep = remainder(atan2(last.y - centre.y, last.x - centre.x) - from, 2 * PI);
    return arc(painter, centre, radius, radius, from, sweep);
}

/* Angles of more than a turn make a turn. A first part begins with it. */
static Status draw_arc(Painter *painter, const TevCommand *command) {
    const double radius = (double)command->numbers[2], from = (double)command->numbers[3];
    const double angle = (double)command->numbers[4] - from, way = (double)command->numbers[5] >= 2 ? 1 : -1;
    const double rest = fmod(angle, 2 * PI);
    const double sweep = fabs(angle) >= 2 * PI ? way * 2 * PI : rest * way < 0 ? rest + way * 2 * PI : rest;
    if (painter->part_count == 0)
        TRY(begin_part(painter));
    return arc(painter, point_of(command, 0), radius, radius, from, sweep);
}

static Status whole_ellipse(Painter *painter, FillPoint centre, double radius_x, double radius_y) {
    TRY(begin_part(painter));
    TRY(arc(painter, centre, radius_x, radius_y, 0, 2 * PI));
    close_part(painter);
    return STATUS_OK;
}

static Status circle(Painter *painter, const TevCommand *command) {
    return whole_ellipse(painter, point_of(command, 0), (double)command->numbers[2], (double)command->numbers[2]);
}

static Status ellipse(Painter *painter, const TevCommand *command) {
    return whole_ellipse(painter, point_of(command, 0), (double)command->numbers[2], (double)command->numbers[3]);
}

static Status rect(Painter *painter, const TevCommand *command) {
    return rounded(painter, command->numbers, (double[4]){0});
}

static Status rounded_rect(Painter *painter, const TevCommand *command) {
    const double radius = (double)command->numbers[4];
    return rounded(painter, command->numbers, (double[4]){radius, radius, radius, radius});
}

static Status rounded_corners(Painter *painter, const TevCommand *command) {
    const float *radii = command->numbers + 4;
    return rounded(painter, command->numbers,
                   (double[4]){(double)radii[0], (double)radii[1], (double)radii[2], (double)radii[3]});
}

static Status text(Painter *painter, const TevCommand *command) {
    const Style *style = style_of(painter);
    DrawingMark mark = {
        .text = command->text, .size = style->size, .align = style->align, .bold = style->bold, .mono = style->mono};
    const bool seen = to_window(painter->place, (double)command->numbers[0], (double)command->numbers[1], &mark.at);
    return seen && style->size > 0 ? add_mark(painter, style->fill, mark) : STATUS_OK;
}

static Doer *const doers[TEV_VERBS] = {
    [TEV_SAVE] = save,
    [TEV_RESTORE] = restore,
    [TEV_FILL_COLOUR] = set_fill_colour,
    [TEV_FILL] = fill_path,
    [TEV_STROKE_COLOUR] = set_stroke_colour,
    [TEV_STROKE] = stroke_path,
    [TEV_BEGIN_PATH] = begin_path,
    [TEV_CLOSE_PATH] = close_path,
    [TEV_PATH_WINDING] = set_winding,
    [TEV_DUMP] = dump,
    [TEV_MOVE_TO] = move_to,
    [TEV_LINE_TO] = line_to,
    [TEV_ARC_TO] = arc_to,
    [TEV_ARC] = draw_arc,
    [TEV_BEZIER_TO] = bezier_to,
    [TEV_CIRCLE] = circle,
    [TEV_ELLIPSE] = ellipse,
    [TEV_QUAD_TO] = quad_to,
    [TEV_RECT] = rect,
    [TEV_ROUNDED_RECT] = rounded_rect,
    [TEV_ROUNDED_CORNERS] = rounded_corners,
    [TEV_TEXT] = text,
    [TEV_TEXT_ALIGN] = set_align,
    [TEV_FONT_FACE] = set_face,
    [TEV_FONT_SIZE] = set_size,
    [TEV_STROKE_WIDTH] = set_width,
};

static bool all_finite(const TevCommand *command) {
    bool finite = true;
    for (int i = 0; i < TEV_NUMBERS_MAX; i++)
        finite &= isfinite(command->numbers[i]) != 0;
    return finite;
}

Status drawing_make(Bytes commands, const DrawingPlace *place, Drawing *drawing) {
    /* tev's colour of pictures, its width of lines, NanoVG's size of letters. */
    static const Style first = {.fill = {0.35, 0.35, 0.8, 1}, .stroke = {0.35, 0.35, 0.8, 1}, .width = 3, .size = 16};
    Painter painter = {.place = place, .drawing = drawing, .styles = {first}};
    TevCommand command;
    size_t at = 0;
    Status status = STATUS_OK;
    *drawing = (Drawing){.fill = {.width = place->width, .height = place->height, .work_max = DRAWING_WORK},
                         .commands = commands};
    while (status == STATUS_OK && tev_next_command(commands, &at, &command))
        if (all_finite(&command))
            status = doers[command.verb](&painter, &command);
    free(painter.points);
    free(painter.parts);
    return status;
}

void drawing_free(Drawing *drawing) {
    fill_free(&drawing->fill);
    bytes_free(&drawing->commands);
    free(drawing->marks);
    *drawing = (Drawing){0};
}
