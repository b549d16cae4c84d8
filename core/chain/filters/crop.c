/* crop.c: a part of the picture. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double width, height, x, y;
} Values;

static const Param params[] = {
    {"width", "columns of the part; 0: all from x on", PARAM_COLUMNS, PARAM_WHOLE, offsetof(Values, width), 0, 0,
     1000000, 16},
    {"height", "rows of the part; 0: all from y on", PARAM_ROWS, PARAM_WHOLE, offsetof(Values, height), 0, 0, 1000000,
     16},
    {"x", "its first column, from 0; -1: in the middle", PARAM_COLUMN, PARAM_WHOLE, offsetof(Values, x), -1, -1,
     1000000, 16},
    {"y", "its first row, from 0; -1: in the middle", PARAM_ROW, PARAM_WHOLE, offsetof(Values, y), -1, -1, 1000000, 16},
};

/* Where a part of `wanted` of `n` pixels begins, and how long it is; false if it does not fit. */
static bool fit(size_t n, double wanted, double at, ptrdiff_t *first, size_t *count) {
    const double all = (double)n, start = at < 0 ? 0 : at;
    *count = wanted > 0 ? (size_t)wanted : start < all ? n - (size_t)start : 0;
    if (*count == 0 || start + (double)*count > all)
        return false;
    *first = at < 0 ? (ptrdiff_t)((n - *count) / 2) : (ptrdiff_t)at;
    return true;
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_whole_shape(to, in);
    MoveJob job = {.border = BORDER_CLAMP};
    if (!fit(shape.width, v->width, v->x, &job.left, &job.width))
        return fail(STATUS_INPUT, "crop: there are no columns %.0f to %.0f in a picture that is %zu wide",
                    v->x < 0 ? 0 : v->x, (v->x < 0 ? 0 : v->x) + (v->width > 1 ? v->width : 1) - 1, shape.width);
    if (!fit(shape.height, v->height, v->y, &job.top, &job.height))
        return fail(STATUS_INPUT, "crop: there are no rows %.0f to %.0f in a picture that is %zu high",
                    v->y < 0 ? 0 : v->y, (v->y < 0 ? 0 : v->y) + (v->height > 1 ? v->height : 1) - 1, shape.height);
    *out = in;
    if (job.width == shape.width && job.height == shape.height)
        return STATUS_OK;
    return plan_move(to, in, job, out);
}

const Filter filter_crop = {
    .name = "crop",
    .category = FILTER_GEOMETRY,
    .help = "A part of the picture, from its middle or from anywhere.",
    .definition = "numpy's image[y:y + height, x:x + width].",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "32:32",
};
