/* annotate.c: places in space, places in the picture, and what is written there. */
#include "core/run/annotate.h"

#include "core/image/ink.h"
#include "core/math/tone.h"
#include "core/scene/figure_light.h"
#include "core/scene/particles/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TICKS_MAX = 32, NUMBER = 32 };

typedef struct Drawing {
    const Annotations *wanted;
    const ParticleLegend *legend; /* or NULL */
    const Camera *camera;
    const Layers *layers;
    Letters *letters;
    Ink ink;
    double em, line; /* the size of letters, the width of lines, in pixels */
    Box box;
} Drawing;

/* ---- what is wanted ---- */

static Status take_item(const char *item, size_t length, Annotations *wanted) {
    static const char *const names[] = {"bar", "axes", "box"};
    const size_t name = strcspn(item, "=") < length ? strcspn(item, "=") : length;
    size_t i = 0;
    while (i < 3 && (strlen(names[i]) != name || strncmp(names[i], item, name) != 0))
        i++;
    if (i == 3 || (i == 2 && name < length))
        return fail(STATUS_USAGE, "no annotation \"%.*s\"; there is bar, bar=TITLE, axes, axes=UNIT, box", (int)length,
                    item);
    char *const text = i == 0 ? wanted->title : wanted->unit;
    wanted->bar |= i == 0;
    wanted->axes |= i == 1;
    wanted->box |= i == 2;
    if (name == length)
        return STATUS_OK;
    return snprintf(text, ANNOTATE_TITLE, "%.*s", (int)(length - name - 1), item + name + 1) < ANNOTATE_TITLE
               ? STATUS_OK
               : fail(STATUS_USAGE, "a text of %zu bytes; want fewer than %d", length - name - 1, ANNOTATE_TITLE);
}

Annotations annotations_of_style(const FigureStyle *style) {
    return (Annotations){.box = style->box > 0, .axes = style->axes > 0, .bar = style->bar > 0};
}

Status annotations_parse(const char *text, Annotations *wanted) {
    *wanted = (Annotations){.bar = false};
    for (size_t length;; text += length + 1) {
        length = strcspn(text, ",");
        TRY(take_item(text, length, wanted));
        if (text[length] == '\0')
            return STATUS_OK;
    }
}

Status annotations_check(const Annotations *wanted, const Scene *scene) {
    const ParticleLegend *legend = particles_legend(scene);
    Letters *letters;
    Vec min, max;
    if (wanted->bar && (!legend || !legend->column[0]))
        return fail(STATUS_USAGE, "--annotate bar: the scene's colours are of no map; want particles with color=COLUMN "
                                  "and map=viridis, inferno, gray or kelvin");
    if (wanted->bar && !(legend->low < legend->high || legend->low > legend->high))
        return fail(STATUS_USAGE, "--annotate bar: all values are equal; want range=LOW:HIGH");
    if ((wanted->box || wanted->axes) && !figure_bounds(scene, &min, &max))
        return fail(STATUS_USAGE, "--annotate: the scene is empty, and has no box");
    if (!wanted->bar && !wanted->axes)
        return STATUS_OK;
    TRY(letters_open(&letters));
    letters_close(&letters);
    return STATUS_OK;
}

unsigned annotations_layers(const Annotations *wanted) {
    return wanted->box || wanted->axes ? 1U << LAYER_DEPTH : 0;
}

/* ---- places ---- */

/* A place in the picture, in pixels, and its depth as LAYER_DEPTH has it. */
typedef struct Spot {
    double x, y, depth;
} Spot;

static Spot project(const Drawing *drawing, const double at[3]) {
    const Camera *c = drawing->camera;
    const double width = (double)drawing->ink.to.shape.width, height = (double)drawing->ink.to.shape.height;
    if (c->kind != CAMERA_PERSPECTIVE)
        return (Spot){(at[0] - (double)c->centre_x) / (double)c->unit + floor(width / 2) + 0.5,
                      floor(height / 2) + 0.5 - (at[1] - (double)c->centre_y) / (double)c->unit, -at[2]};
    const double to[3] = {at[0] - (double)c->from.x, at[1] - (double)c->from.y, at[2] - (double)c->from.z};
    const Vec axes[3] = {c->right, c->up, c->forward};
    double along[3];
    for (int i = 0; i < 3; i++)
        along[i] = to[0] * (double)axes[i].x + to[1] * (double)axes[i].y + to[2] * (double)axes[i].z;
    const double pixel = 2 * (double)c->tangent / height;
    return (Spot){width / 2 + along[0] / along[2] / pixel, height / 2 - along[1] / along[2] / pixel, along[2]};
}

/* A place of the box, by shares of its sides. */
static void place(const Box *box, const double shares[3], double at[3]) {
    for (int k = 0; k < 3; k++)
        at[k] =
            box->corner[k] + shares[0] * box->sides[0][k] + shares[1] * box->sides[1][k] + shares[2] * box->sides[2][k];
}

static Spot spot_at(const Drawing *drawing, const double shares[3]) {
    double at[3];
    place(&drawing->box, shares, at);
    return project(drawing, at);
}

static bool is_ahead(const Drawing *drawing, Spot spot) {
    return drawing->camera->kind != CAMERA_PERSPECTIVE || spot.depth > 0;
}

/* ---- the box ---- */

/* Edge number 0 to 3 of those along a side: the shares at its ends. */
static void edge_ends(int side, int number, double from[3], double to[3]) {
    const int other = (side + 1) % 3, third = (side + 2) % 3;
    from[side] = 0;
    to[side] = 1;
    from[other] = to[other] = number & 1;
    from[third] = to[third] = number >> 1;
}

static bool is_hidden(const Drawing *drawing, Spot spot, double slack) {
    const Layers *layers = drawing->layers;
    if (!(spot.x >= 0 && spot.y >= 0 && spot.x < (double)layers->width && spot.y < (double)layers->height))
        return false;
    const float *depths = layers->planes[LAYER_DEPTH];
    return (double)depths[(size_t)spot.y * layers->width + (size_t)spot.x] < spot.depth - slack;
}

/* Draws an edge where nothing hides it, in steps of about a pixel. */
static void draw_edge(const Drawing *drawing, const double from[3], const double to[3]) {
    const Spot a = spot_at(drawing, from), b = spot_at(drawing, to);
    if (!is_ahead(drawing, a) || !is_ahead(drawing, b))
        return;
    const double length = hypot(b.x - a.x, b.y - a.y), slack = 1e-3 * fabs(drawing->box.sides[0][0]);
    const size_t steps = (size_t)fmin(fmax(ceil(length), 1), 1e5);
    Spot begin = a, before = a;
    bool visible = false;
    for (size_t i = 0; i <= steps; i++) {
        double shares[3];
        for (int k = 0; k < 3; k++)
            shares[k] = from[k] + (to[k] - from[k]) * (double)i / (double)steps;
        const Spot spot = spot_at(drawing, shares);
        const bool seen = !is_hidden(drawing, spot, slack);
        if (seen && !visible)
            begin = spot;
        if (visible && (!seen || i == steps))
            ink_line(&drawing->ink, begin.x, begin.y, seen ? spot.x : before.x, seen ? spot.y : before.y,
                     drawing->line);
        visible = seen;
        before = spot;
    }
}

static void draw_box(const Drawing *drawing) {
    for (int side = 0; side < 3; side++)
        for (int number = 0; number < 4; number++) {
            double from[3], to[3];
            edge_ends(side, number, from, to);
            draw_edge(drawing, from, to);
        }
}

/* ---- numbers ---- */

/* Steps of 1, 2 or 5 times a power of ten, of which about `wanted` fit. */
static double step_for(double range, double wanted) {
    const double rough = fabs(range) / fmax(wanted, 1), power = pow(10, floor(log10(rough)));
    return power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
}

typedef struct Ticks {
    double values[TICKS_MAX];
    size_t count;
    int decimals; /* negative: as %g has them */
} Ticks;

static Ticks ticks_between(double low, double high, double wanted) {
    Ticks ticks = {.count = 0};
    const double step = step_for(high - low, wanted), first = ceil(fmin(low, high) / step - 1e-9);
    for (double i = first; i * step <= fmax(low, high) + 1e-9 * step && ticks.count < TICKS_MAX; i++)
        ticks.values[ticks.count++] = fabs(i * step) < step / 2 ? 0 : i * step;
    const double most = fmax(fabs(low), fabs(high));
    ticks.decimals = most >= 1e6 || step < 1e-5 ? -1 : (int)fmax(0, -floor(log10(step) + 1e-9));
    return ticks;
}

static void spell(const Ticks *ticks, size_t i, char text[NUMBER]) {
    char plain[NUMBER];
    if (ticks->decimals < 0)
        snprintf(plain, NUMBER, "%.6g", ticks->values[i]);
    else
        snprintf(plain, NUMBER, "%.*f", ticks->decimals, ticks->values[i]);
    snprintf(text, NUMBER, "%s%.28s", plain[0] == '-' ? "\u2212" : "", plain + (plain[0] == '-')); /* a minus sign */
}

static double text_width(const Drawing *drawing, const char *text) {
    return letters_width(drawing->letters, drawing->em, text);
}

/* Writes a text whose middle is there. */
static void write_at(const Drawing *drawing, double x, double y, const char *text) {
    letters_draw(drawing->letters, &drawing->ink, drawing->em, x - text_width(drawing, text) / 2,
                 y + 0.36 * drawing->em, text);
}

/* ---- axes ---- */

/* The file's number for a coordinate of the scene. */
static double number_of(const Drawing *drawing, int axis, double value) {
    const ParticleLegend *legend = drawing->legend;
    return legend ? value / legend->scale + legend->origin[axis] : value;
}

/* The edge along a side that lies outermost: level ones below, upright ones to the left. */
static bool choose_edge(const Drawing *drawing, int side, double from[3], double to[3]) {
    double best = -INFINITY, begin[3] = {0.5, 0.5, 0.5}, end[3] = {0.5, 0.5, 0.5};
    begin[side] = 0;
    end[side] = 1;
    const Spot first = spot_at(drawing, begin), last = spot_at(drawing, end); /* of the line through the middle */
    const bool level = fabs(last.x - first.x) >= fabs(last.y - first.y);
    for (int number = 0; number < 4; number++) {
        double ends[2][3];
        edge_ends(side, number, ends[0], ends[1]);
        const Spot a = spot_at(drawing, ends[0]), b = spot_at(drawing, ends[1]);
        if (!is_ahead(drawing, a) || !is_ahead(drawing, b) || hypot(b.x - a.x, b.y - a.y) < 4 * drawing->em)
            return false;
        const double score = level ? a.y + b.y + 1e-3 * (a.x + b.x) : -(a.x + b.x) + 1e-3 * (a.y + b.y);
        if (score <= best)
            continue;
        best = score;
        memcpy(from, ends[0], sizeof ends[0]);
        memcpy(to, ends[1], sizeof ends[1]);
    }
    return true;
}

/* The coordinate that changes most along a side, which names it. */
static int axis_of(const double side[3]) {
    const double x = fabs(side[0]), y = fabs(side[1]), z = fabs(side[2]);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static void draw_axis(const Drawing *drawing, int side) {
    double from[3], to[3], low[3], high[3];
    if (!choose_edge(drawing, side, from, to))
        return;
    place(&drawing->box, from, low);
    place(&drawing->box, to, high);
    const int axis = axis_of(drawing->box.sides[side]);
    const Spot a = spot_at(drawing, from), b = spot_at(drawing, to);
    const Spot middle = spot_at(drawing, (const double[]){0.5, 0.5, 0.5});
    const double length = hypot(b.x - a.x, b.y - a.y), em = drawing->em;
    double out[2] = {(b.y - a.y) / length, -(b.x - a.x) / length}; /* at right angles to it, away from the box */
    if (out[0] * (a.x + b.x - 2 * middle.x) + out[1] * (a.y + b.y - 2 * middle.y) < 0) {
        out[0] = -out[0];
        out[1] = -out[1];
    }
    const double begin = number_of(drawing, axis, low[axis]), end = number_of(drawing, axis, high[axis]);
    const Ticks ticks = ticks_between(begin, end, fmin(fmax(length / (6 * em), 2), 6));
    double widest = 0;
    draw_edge(drawing, from, to);
    for (size_t i = 0; i < ticks.count; i++) {
        char text[NUMBER];
        double shares[3];
        const double along = (ticks.values[i] - begin) / (end - begin);
        for (int k = 0; k < 3; k++)
            shares[k] = from[k] + (to[k] - from[k]) * along;
        const Spot spot = spot_at(drawing, shares);
        spell(&ticks, i, text);
        const double half = text_width(drawing, text) / 2,
                     away = 0.8 * em + fabs(out[0]) * half + fabs(out[1]) * 0.4 * em;
        widest = fmax(widest, half);
        ink_line(&drawing->ink, spot.x, spot.y, spot.x + 0.4 * em * out[0], spot.y + 0.4 * em * out[1], drawing->line);
        write_at(drawing, spot.x + away * out[0], spot.y + away * out[1], text);
    }
    char name[ANNOTATE_TITLE + 8];
    snprintf(name, sizeof name, drawing->wanted->unit[0] ? "%c (%s)" : "%c", "xyz"[axis], drawing -> wanted -> unit);
    const double half = text_width(drawing, name) / 2;
    const double away = 0.8 * em + fabs(out[0]) * (2 * widest + half + 0.8 * em) + fabs(out[1]) * 1.6 * em;
    write_at(drawing, (a.x + b.x) / 2 + away * out[0], (a.y + b.y) / 2 + away * out[1], name);
}

/* ---- the bar ---- */

/* On the right side, half as high as the picture, with numbers to its right and the title above. */
static void draw_bar(Drawing *drawing) {
    const ParticleLegend *legend = drawing->legend;
    const double em = drawing->em, width = (double)drawing->ink.to.shape.width,
                 height = (double)drawing->ink.to.shape.height;
    const double high = fmax(rint(0.45 * height), 4 * em), wide = rint(1.2 * em), top = rint((height - high) / 2);
    const Ticks ticks = ticks_between(legend->low, legend->high, 5);
    const char *title = drawing->wanted->title[0] ? drawing->wanted->title : legend->column;
    double widest = 0;
    char text[NUMBER];
    for (size_t i = 0; i < ticks.count; i++) {
        spell(&ticks, i, text);
        widest = fmax(widest, text_width(drawing, text));
    }
    const double room = fmax(wide + 0.9 * em + widest, text_width(drawing, title));
    const double left = rint(width - em - room);
    Ink colours = drawing->ink;
    for (size_t i = 0; i < (size_t)high; i++) {
        particles_map_colour(legend->map, legend->low, legend->high, 1 - ((double)i + 0.5) / high, colours.colour);
        ink_area(&colours, left, top + (double)i, wide, 1);
    }
    const Ink *ink = &drawing->ink;
    const double line = drawing->line, half = line / 2;
    ink_area(ink, left - half, top - half, wide + line, line);
    ink_area(ink, left - half, top + high - half, wide + line, line);
    ink_area(ink, left - half, top - half, line, high + line);
    ink_area(ink, left + wide - half, top - half, line, high + line);
    for (size_t i = 0; i < ticks.count; i++) {
        const double share = (ticks.values[i] - legend->low) / (legend->high - legend->low),
                     y = top + (1 - share) * high;
        spell(&ticks, i, text);
        ink_area(ink, left + wide, y - half, 0.4 * em, line);
        letters_draw(drawing->letters, ink, em, left + wide + 0.7 * em, y + 0.36 * em, text);
    }
    letters_draw(drawing->letters, ink, em, left, top - em, title);
}

/* ---- all of it ---- */

/* The lightness of the picture's rim: ink is black on bright ones. */
static bool is_dark(ImageView picture) {
    const Shape shape = picture.shape;
    double sum = 0, count = 0;
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width;
             x += y == 0 || y + 1 == shape.height || shape.width < 2 ? 1 : shape.width - 1) {
            const double white = shape.type == PIXEL_U8 ? 255 : 1;
            const double alpha = shape.channels == 4 ? view_value(picture, x, y, 3) / white : 1;
            double value = 0;
            for (int c = 0; c < 3; c++)
                value += view_value(picture, x, y, c) / white / 3;
            value = shape.type == PIXEL_F32 ? srgb_encode(value) : value;
            sum += alpha * value + (1 - alpha); /* pages are white */
            count++;
        }
    return sum < 0.4 * count;
}

/* The particles' own box, else one around all that there is. */
static Box box_of(const Scene *scene, const ParticleLegend *legend) {
    Vec min, max;
    if (legend && legend->has_box)
        return legend->box;
    (void)figure_bounds(scene, &min, &max);
    return box_along_axes((const double[]){(double)min.x, (double)min.y, (double)min.z},
                          (const double[]){(double)(max.x - min.x), (double)(max.y - min.y), (double)(max.z - min.z)});
}

Status annotate(const Annotations *wanted, const Scene *scene, const Camera *camera, const Layers *layers,
                ImageView picture) {
    const double side = fmin((double)picture.shape.width, (double)picture.shape.height);
    Drawing drawing = {.wanted = wanted,
                       .legend = particles_legend(scene),
                       .camera = camera,
                       .layers = layers,
                       .ink = {.to = picture},
                       .em = fmax(side / 36, 10),
                       .line = fmax(side / 700, 1)};
    TRY(annotations_check(wanted, scene));
    const double shade = is_dark(picture) ? 1 : 0;
    for (int c = 0; c < 3; c++)
        drawing.ink.colour[c] = shade;
    if (wanted->box || wanted->axes)
        drawing.box = box_of(scene, drawing.legend);
    if (wanted->box)
        draw_box(&drawing);
    if (!wanted->bar && !wanted->axes)
        return STATUS_OK;
    TRY(letters_open(&drawing.letters));
    for (int side_of = 0; side_of < 3 && wanted->axes; side_of++)
        draw_axis(&drawing, side_of);
    if (wanted->bar)
        draw_bar(&drawing);
    letters_close(&drawing.letters);
    return STATUS_OK;
}
