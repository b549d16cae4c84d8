/* placed.c: mixing pixels, and looking for the largest rectangle. */
#include "app/view/data/placed.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 4, SAMPLES_MAX = 8 /* of a pixel, along a side */, ROWS_MAX = 2048 /* that rectangles begin at */ };
#define HAIR 1e-4 /* of a pixel, by which maps miss whole ones */

/* The place in the source, or false behind the eye. */
static bool find(const Homography *map, double x, double y, double *u, double *v) {
    if (!(map->m[6] * x + map->m[7] * y + map->m[8] > 0))
        return false;
    homography_apply(map, x, y, u, v);
    return true;
}

/* Whether all of the pixel lies on the source. */
static bool on_source(Shape from, const Homography *map, double x, double y) {
    for (int i = 0; i < CORNERS; i++) {
        double u, v;
        if (!find(map, x + (i % 2 ? 0.5 : -0.5), y + (i < 2 ? -0.5 : 0.5), &u, &v) || u < -0.5 - HAIR ||
            v < -0.5 - HAIR || u > (double)from.width - 0.5 + HAIR || v > (double)from.height - 0.5 + HAIR)
            return false;
    }
    return true;
}

/* ---- values ---- */

/* The two pixels around a place along a side, and the second one's weight. */
typedef struct Pair {
    size_t first, second;
    double weight;
} Pair;

static Pair pair_at(double at, size_t length) {
    const double whole = round(at), low = fabs(at - whole) < HAIR ? whole : floor(at), last = (double)length - 1;
    const double first = fmin(fmax(low, 0), last), second = fmin(fmax(low + 1, 0), last);
    return (Pair){(size_t)first, (size_t)second, fabs(at - whole) < HAIR ? 0 : at - low};
}

/* Adds a share of the source's values at a place. */
static void add_sample(ImageView from, double u, double v, double share, double sums[4]) {
    const Pair x = pair_at(u, from.shape.width), y = pair_at(v, from.shape.height);
    for (int c = 0; c < from.shape.channels; c++) {
        const double top = view_value(from, x.first, y.first, c), down = view_value(from, x.first, y.second, c);
        const double right = view_value(from, x.second, y.first, c), both = view_value(from, x.second, y.second, c);
        const double upper = x.weight > 0 ? top + x.weight * (right - top) : top;
        const double lower = x.weight > 0 ? down + x.weight * (both - down) : down;
        sums[c] += share * (y.weight > 0 ? upper + y.weight * (lower - upper) : upper);
    }
}

/* As many samples a side of a pixel as it has pixels of the source there. */
static int samples_at(const Homography *map, double x, double y) {
    double u, v, right_u, right_v, down_u, down_v;
    if (!find(map, x, y, &u, &v) || !find(map, x + 1, y, &right_u, &right_v) || !find(map, x, y + 1, &down_u, &down_v))
        return 1;
    const double longest = fmax(hypot(right_u - u, right_v - v), hypot(down_u - u, down_v - v));
    return (int)fmin(fmax(ceil(longest - HAIR), 1), SAMPLES_MAX);
}

static bool is_whole(double at) {
    return fabs(at - round(at)) < HAIR;
}

/* ---- the pixels that are there ---- */

/* The pixels of a row that lie on the source: they follow each other, since its picture has no dents. */
typedef struct Run {
    size_t from, to;
} Run;

/* Looks from the row before on, whose ends lie near; anywhere behind an empty one. */
static Run run_of(Shape from, const Homography *map, size_t width, size_t y, Run before) {
    Run run = before.to > before.from ? before : (Run){0, width};
    while (run.from < width && !on_source(from, map, (double)run.from, (double)y))
        run.from++;
    while (run.from > 0 && run.from < width && on_source(from, map, (double)run.from - 1, (double)y))
        run.from--;
    if (run.from >= width)
        return before.to > before.from ? run_of(from, map, width, y, (Run){0, 0}) : (Run){0, 0};
    run.to = run.to > run.from ? run.to : run.from + 1;
    while (run.to > run.from + 1 && !on_source(from, map, (double)run.to - 1, (double)y))
        run.to--;
    while (run.to < width && on_source(from, map, (double)run.to, (double)y))
        run.to++;
    return run;
}

/* ---- rows ---- */

/* Whether a place is on the source, or no more than `beyond` pixels from the middle of its last ones. */
static bool reaches(Shape from, double u, double v, double beyond) {
    return u >= -beyond && v >= -beyond && u <= (double)from.width - 1 + beyond &&
           v <= (double)from.height - 1 + beyond;
}

static void make_pixel(ImageView from, const Homography *map, int samples, ImageView to, size_t x, size_t y) {
    const int channels = to.shape.channels;
    const size_t bytes = (size_t)channels * pixel_type_size(to.shape.type);
    double sums[4] = {0}, u, v;
    homography_apply(map, (double)x, (double)y, &u, &v);
    const bool whole = is_whole(u) && is_whole(v) && reaches(from.shape, u, v, HAIR);
    if (samples == 1 && from.shape.type == to.shape.type && whole) {
        memcpy((char *)view_row(to, y) + x * bytes,
               (const char *)view_row(from, (size_t)round(v)) + (size_t)round(u) * bytes, bytes);
        return;
    }
    for (int i = 0; i < samples * samples; i++) {
        const double right = (i % samples + 0.5) / samples - 0.5;
        const double down = ((double)(i / samples) + 0.5) / samples - 0.5;
        homography_apply(map, (double)x + right, (double)y + down, &u, &v);
        add_sample(from, u, v, 1.0 / (samples * samples), sums);
    }
    const double scale = pixel_type_white(to.shape.type) / pixel_type_white(from.shape.type);
    for (int c = 0; c < channels; c++)
        view_set_value(to, x, y, c, sums[c] * scale);
}

void placed_rows(ImageView from, const Homography *map, ImageView to, size_t first, size_t count) {
    Run run = {0, 0};
    for (size_t y = first; y < first + count; y++) {
        memset(view_row(to, y), 0, shape_row_bytes(to.shape));
        run = run_of(from.shape, map, to.shape.width, y, run);
        const int samples = samples_at(map, (double)(run.from + run.to) / 2, (double)y);
        for (size_t x = 0; x < to.shape.width; x++) {
            double u, v;
            const bool inside = x >= run.from && x < run.to;
            if (inside || (find(map, (double)x, (double)y, &u, &v) && reaches(from.shape, u, v, 1)))
                make_pixel(from, map, samples, to, x, y);
        }
    }
}

/* ---- the largest rectangle ---- */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Ends of runs bend one way along the rows, so that the first row and the last limit all between. */
static PlacedPart largest(const Run *runs, size_t rows, size_t height, size_t step) {
    PlacedPart part = {0};
    for (size_t i = 0; i < rows; i++)
        for (size_t k = i; k < rows; k++) {
            const size_t from = most(runs[i].from, runs[k].from), to = least(runs[i].to, runs[k].to);
            const size_t high = least(k * step, height - 1) - i * step + 1;
            if (to > from && (to - from) * high > part.width * part.height)
                part = (PlacedPart){from, i * step, to - from, high};
        }
    return part;
}

PlacedPart placed_part(Shape from, const Homography *map, size_t width, size_t height) {
    Run runs[ROWS_MAX + 1], run = {0, 0};
    const size_t step = (height + ROWS_MAX - 1) / ROWS_MAX; /* of tall pictures, rows between are left out */
    size_t rows = 0;
    for (size_t y = 0; y < height; y += step)
        runs[rows++] = run = run_of(from, map, width, y, run);
    if ((rows - 1) * step < height - 1)
        runs[rows++] = run_of(from, map, width, height - 1, run);
    return largest(runs, rows, height, step);
}
