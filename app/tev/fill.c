/* fill.c: the scan. Edges are sorted by their tops. Each of FILL_STEPS lines of a row crosses the active edges. The
 * crossings, sorted by place, give the intervals inside. Their shares are summed as differences between neighbours. */
#include "app/tev/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

/* A row that is being made. */
typedef struct Row {
    Fill *fill;
    int y;
    size_t active;   /* edges */
    int left, right; /* pixels with differences; none: left > right */
} Row;

static Status short_of_memory(void) {
    return fail(STATUS_DEVICE, "no memory for a drawing");
}

Status fill_spend(Fill *fill, size_t work) {
    fill->work += work;
    return fill->work <= fill->work_max ? STATUS_OK
                                        : fail(STATUS_INPUT, "a drawing takes more than %zu steps", fill->work_max);
}

Status fill_add(Fill *fill, const FillPoint *points, size_t count, bool backwards) {
    if (!ARRAY_ROOM(fill->edges, fill->edge_capacity, fill->edge_count + count))
        return short_of_memory();
    for (size_t i = 0; i < count; i++) {
        const FillPoint a = points[i], b = points[i + 1 < count ? i + 1 : 0];
        const double slope = (b.x - a.x) / (b.y - a.y), top = fmin(a.y, b.y), bottom = fmax(a.y, b.y);
        if (!(bottom > 0 && top < fill->height && isfinite(slope)))
            continue; /* level, or out of sight above or below */
        fill->edges[fill->edge_count++] = (FillEdge){top, bottom, a.x, a.y, slope, (b.y > a.y) != backwards ? 1 : -1};
    }
    return fill_spend(fill, count + 1);
}

static int by_top(const void *a, const void *b) {
    const FillEdge *first = a, *then = b;
    return (first->top > then->top) - (first->top < then->top);
}

static int by_place(const void *a, const void *b) {
    const FillCrossing *first = a, *then = b;
    return (first->x > then->x) - (first->x < then->x);
}

/* ---- a row ---- */

/* All that lies at the right of x has `share` more. */
static void begin_share(Row *row, double x, float share) {
    const double within = fmin(fmax(x, 0), row->fill->width);
    const int pixel = (int)within;
    const float beyond = (float)(within - pixel);
    row->fill->shares[pixel] += share * (1 - beyond);
    row->fill->shares[pixel + 1] += share * beyond;
    row->left = pixel < row->left ? pixel : row->left;
    row->right = pixel + 1 > row->right ? pixel + 1 : row->right;
}

/* Adds what lies inside along a line of the window, by a share of the row. */
static void add_line(Row *row, double y, float share) {
    Fill *fill = row->fill;
    size_t count = 0;
    int turns = 0;
    for (size_t i = 0; i < row->active; i++) {
        const FillEdge *edge = fill->active[i];
        if (edge->top <= y && y < edge->bottom)
            fill->crossings[count++] = (FillCrossing){edge->x + (y - edge->y) * edge->slope, edge->turn};
    }
    qsort(fill->crossings, count, sizeof *fill->crossings, by_place);
    for (size_t i = 0; i < count; i++) {
        const int before = turns;
        turns += fill->crossings[i].turn;
        if ((before == 0) != (turns == 0))
            begin_share(row, fill->crossings[i].x, before == 0 ? share : -share);
    }
}

/* Whether one line of the row stands for all: its edges are upright, and go through it. */
static bool is_even(const Row *row) {
    for (size_t i = 0; i < row->active; i++) {
        const FillEdge *edge = row->fill->active[i];
        if (!(fabs(edge->slope) <= 0 && edge->top <= row->y && edge->bottom >= row->y + 1))
            return false;
    }
    return true;
}

/* The edges that the row meets: those of the row before that go on, and others up to `*next`. */
static void find_active(Row *row, size_t *next) {
    Fill *fill = row->fill;
    size_t kept = 0;
    for (size_t i = 0; i < row->active; i++)
        if (fill->active[i]->bottom > row->y)
            fill->active[kept++] = fill->active[i];
    for (; *next < fill->edge_count && fill->edges[*next].top < row->y + 1; ++*next)
        if (fill->edges[*next].bottom > row->y)
            fill->active[kept++] = &fill->edges[*next];
    row->active = kept;
}

/* ---- boxes ---- */

static Status add_box(Fill *fill, FillBox box) {
    if (!ARRAY_ROOM(fill->boxes, fill->box_capacity, fill->box_count + 1))
        return short_of_memory();
    fill->boxes[fill->box_count++] = box;
    return STATUS_OK;
}

/* Makes boxes of neighbours with equal shares, and clears the row for the next one. */
static Status add_boxes(Row *row) {
    Fill *fill = row->fill;
    float sum = 0;
    FillBox box = {.y = row->y, .height = 1};
    for (int x = row->left; x <= row->right; x++) {
        sum += fill->shares[x];
        fill->shares[x] = 0;
        const uint8_t share = x < fill->width ? (uint8_t)lrintf(fminf(fmaxf(sum, 0), 1) * 255) : 0;
        if (box.width > 0 && share == box.share) {
            box.width++;
            continue;
        }
        if (box.share > 0)
            TRY(add_box(fill, box));
        box.x = x;
        box.width = 1;
        box.share = share;
    }
    return box.share > 0 ? add_box(fill, box) : STATUS_OK;
}

/* Joins a row's boxes with those right above if these are the same ones: `above` is where the latter begin, `first` the
 * former. Returns where those that the next row may join begin. */
static size_t join_boxes(Fill *fill, size_t above, size_t first) {
    const size_t count = fill->box_count - first;
    FillBox *boxes = fill->boxes;
    if (count == 0 || first - above != count || boxes[above].y + boxes[above].height != boxes[first].y)
        return first;
    for (size_t i = 0; i < count; i++) {
        const FillBox *upper = &boxes[above + i], *lower = &boxes[first + i];
        if (upper->x != lower->x || upper->width != lower->width || upper->share != lower->share)
            return first;
    }
    for (size_t i = 0; i < count; i++)
        boxes[above + i].height++;
    fill->box_count = first;
    return above;
}

static Status reserve_row(Fill *fill) {
    fill->shares = fill->shares ? fill->shares : calloc((size_t)fill->width + 2, sizeof *fill->shares);
    if (!fill->shares)
        return short_of_memory();
    return ARRAY_ROOM(fill->active, fill->active_capacity, fill->edge_count) &&
                   ARRAY_ROOM(fill->crossings, fill->crossing_capacity, fill->edge_count)
               ? STATUS_OK
               : short_of_memory();
}

static Status make_row(Row *row) {
    Fill *fill = row->fill;
    const int steps = is_even(row) ? 1 : FILL_STEPS;
    row->left = fill->width + 1;
    row->right = -1;
    for (int i = 0; i < steps; i++)
        add_line(row, row->y + (i + 0.5) / steps, 1 / (float)steps);
    return add_boxes(row);
}

Status fill_end(Fill *fill) {
    size_t next = 0, above = fill->box_count;
    Row row = {.fill = fill};
    if (fill->edge_count == 0 || fill->width < 1)
        return STATUS_OK;
    TRY(reserve_row(fill));
    qsort(fill->edges, fill->edge_count, sizeof *fill->edges, by_top);
    row.y = (int)fmax(floor(fill->edges[0].top), 0);
    for (; row.y < fill->height && (row.active > 0 || next < fill->edge_count); row.y++) {
        const size_t first = fill->box_count;
        find_active(&row, &next);
        TRY(make_row(&row));
        TRY(fill_spend(fill, 1 + FILL_STEPS * row.active + fill->box_count - first));
        above = join_boxes(fill, above, first);
    }
    fill->edge_count = 0;
    return STATUS_OK;
}

void fill_free(Fill *fill) {
    free(fill->boxes);
    free(fill->edges);
    free((void *)fill->active);
    free(fill->crossings);
    free(fill->shares);
    *fill = (Fill){0};
}
