/* crop.c: a part of the picture. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double width, height, x, y, measure, ratio;
} Values;

enum { IN_PIXELS, IN_PERCENT };

static const Param params[] = {
    {"width", "columns of the part; 0: all from x on", PARAM_COLUMNS, PARAM_NUMBER, offsetof(Values, width), 0, 0,
     1000000, 16},
    {"height", "rows of the part; 0: all from y on", PARAM_ROWS, PARAM_NUMBER, offsetof(Values, height), 0, 0, 1000000,
     16},
    {"x", "its first column, from 0; -1: in the middle", PARAM_COLUMN, PARAM_NUMBER, offsetof(Values, x), -1, -1,
     1000000, 16},
    {"y", "its first row, from 0; -1: in the middle", PARAM_ROW, PARAM_NUMBER, offsetof(Values, y), -1, -1, 1000000,
     16},
    {"in", "the unit of these four: whole pixels, or percent of the picture's sides, which fit pictures of every size",
     PARAM_MEASURE, PARAM_CHOICE, offsetof(Values, measure), IN_PIXELS, IN_PIXELS, IN_PERCENT, 1},
    {"ratio", "width by height of the result, as in 3/2: the largest such part in the middle of that one; 0: any", "",
     PARAM_NUMBER, offsetof(Values, ratio), 0, 0, 1000, 0.1},
};

typedef struct Side {
    size_t first, count;
} Side;

/* Edges are rounded, so that parts that touch share none of the `n` pixels and leave none out. False beyond 100. */
static bool fit_percent(size_t n, double wanted, double at, Side *side) {
    const double each = (double)n / 100, hair = 1e-9, start = fmax(at, 0);
    const double length = wanted > 0 ? wanted : 100 - start;
    if (length <= 0 || start + length > 100 + hair)
        return false;
    side->first = (size_t)floor(start * each + 0.5 + hair);
    side->count = (size_t)floor(fmin(start + length, 100) * each + 0.5 + hair) - side->first;
    side->count += side->count == 0;
    side->first -= side->first == n;
    if (at < 0)
        side->first = (n - side->count) / 2;
    return true;
}

/* Where a part of `wanted` of `n` pixels begins, and how long it is; false if it does not fit. */
static bool fit_pixels(size_t n, double wanted, double at, Side *side) {
    const double all = (double)n, start = at < 0 ? 0 : at;
    side->count = wanted > 0 ? (size_t)wanted : start < all ? n - (size_t)start : 0;
    if (side->count == 0 || start + (double)side->count > all)
        return false;
    side->first = at < 0 ? (n - side->count) / 2 : (size_t)at;
    return true;
}

/* Names the lines that the picture lacks. */
static Status does_not_fit(const Values *v, size_t n, double wanted, double at, const char *lines, const char *size) {
    const double first = fmax(at, 0);
    if (v->measure > IN_PIXELS && !(wanted > 0))
        return fail(STATUS_USAGE, "crop: no %s are left from %g percent of the picture on", lines, first);
    if (v->measure > IN_PIXELS)
        return fail(STATUS_USAGE, "crop: the part's %s reach from %g to %g percent of the picture, want at most 100",
                    lines, first, first + wanted);
    return fail(STATUS_INPUT, "crop: there are no %s %.0f to %.0f in a picture that is %zu %s", lines, first,
                first + fmax(wanted, 1) - 1, n, size);
}

static Status fit(const Values *v, size_t n, double wanted, double at, const char *const words[2], Side *side) {
    const bool fits = v->measure > IN_PIXELS ? fit_percent(n, wanted, at, side) : fit_pixels(n, wanted, at, side);
    return fits ? STATUS_OK : does_not_fit(v, n, wanted, at, words[0], words[1]);
}

/* Leaves the middle of a side. */
static void shorten(Side *side, double wanted) {
    if (!(wanted < (double)side->count))
        return;
    const size_t count = (size_t)fmax(nearbyint(wanted), 1);
    side->first += (side->count - count) / 2;
    side->count = count;
}

static bool is_whole(double number) {
    return !(fabs(number - nearbyint(number)) > 0);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_whole_shape(to, in);
    Side x, y;
    if (!(v->measure > IN_PIXELS) && !(is_whole(v->width) && is_whole(v->height) && is_whole(v->x) && is_whole(v->y)))
        return fail(STATUS_USAGE, "crop: %g x %g pixels from (%g, %g), want whole numbers", v->width, v->height, v->x,
                    v->y);
    TRY(fit(v, shape.width, v->width, v->x, (const char *const[]){"columns", "wide"}, &x));
    TRY(fit(v, shape.height, v->height, v->y, (const char *const[]){"rows", "high"}, &y));
    const double wide = (double)x.count, high = (double)y.count;
    if (v->ratio > 0 && wide > high * v->ratio)
        shorten(&x, high * v->ratio);
    else if (v->ratio > 0)
        shorten(&y, wide / v->ratio);
    *out = in;
    if (x.count == shape.width && y.count == shape.height)
        return STATUS_OK;
    return plan_move(to, in,
                     (MoveJob){.width = x.count,
                               .height = y.count,
                               .left = (ptrdiff_t)x.first,
                               .top = (ptrdiff_t)y.first,
                               .border = BORDER_CLAMP},
                     out);
}

const Filter filter_crop = {
    .name = "crop",
    .category = FILTER_GEOMETRY,
    .help = "A part of the picture, from its middle or from anywhere, in pixels or in shares of its sides.",
    .definition = "numpy's image[y:y + height, x:x + width]. In percent, edges lie at whole pixels, halves up.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "32:32",
    .begin = "100:100:0:0:percent",
};
