/* whitebalance.c: the channels scaled so that the light has no colour. */
#include "core/base/text.h"

#include "core/chain/filters/filters.h"

typedef enum Rule { GRAY_WORLD, WHITE_PATCH } Rule;

typedef struct Values {
    double rule, share, range, side;
    char *at;
} Values;

static const Param params[] = {
    {"rule", "the part taken for colourless: the mean of the picture, or its brightest values", "gray|patch",
     PARAM_CHOICE, offsetof(Values, rule), GRAY_WORLD, GRAY_WORLD, WHITE_PATCH, 1},
    {"share", "patch: share of the values that may be brighter than the ones compared", "%", PARAM_NUMBER,
     offsetof(Values, share), 0, 1, 50, 0.5},
    PARAM_RANGE(Values),
    {"at", "the middle of a square that counts alone: 120x80, column and row in pixels, or 50%x20% of the sides", "",
     PARAM_TEXT, offsetof(Values, at), 0, 0, 0, 0},
    {"side", "at: the side of the square", "pixels", PARAM_WHOLE, offsetof(Values, side), 1, 5, 1000, 2},
};

/* A place as in "120x80" or "50%x20%"; false if the text is none. */
static bool read_place(const char *text, Shape picture, double *x, double *y) {
    const bool first = text_number(text, &text, x), shares = *text == '%';
    text += shares;
    if (!first || *text++ != 'x' || !text_number(text, &text, y) || (*text == '%') != shares || text[shares])
        return false;
    *x = shares ? *x / 100 * ((double)picture.width - 1) : *x;
    *y = shares ? *y / 100 * ((double)picture.height - 1) : *y;
    return *x >= 0 && *y >= 0;
}

/* The pixels of a side of `count` in the square around `at`, as far as there are any. */
static void span_of(double at, double side, size_t count, ptrdiff_t *first, size_t *length) {
    const ptrdiff_t middle = (ptrdiff_t)floor(at + 0.5), before = (ptrdiff_t)side / 2, end = (ptrdiff_t)count;
    const ptrdiff_t low = middle - before > 0 ? middle - before : 0, high = middle - before + (ptrdiff_t)side;
    *first = low;
    *length = (size_t)((high < end ? high : end) - low);
}

/* The square alone, or all where no place is given. */
static Status plan_counted(const Values *v, Plan *to, int in, int *counted) {
    const Shape whole = plan_whole_shape(to, in);
    MoveJob square = {.border = BORDER_CLAMP};
    double x, y;
    *counted = in;
    if (!v->at)
        return STATUS_OK;
    if (!read_place(v->at, whole, &x, &y))
        return fail(STATUS_USAGE, "whitebalance: at=%s is no place, want one as 120x80 or 50%%x20%%", v->at);
    if (x > (double)whole.width - 1 || y > (double)whole.height - 1)
        return fail(STATUS_INPUT, "whitebalance: at=%s lies beyond the picture, which is %zux%zu", v->at, whole.width,
                    whole.height);
    span_of(x, v->side, whole.width, &square.left, &square.width);
    span_of(y, v->side, whole.height, &square.top, &square.height);
    return plan_move(to, in, square, counted);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const CurveJob curve = {.kind = (Rule)v->rule == GRAY_WORLD ? CURVE_gray : CURVE_patch,
                            .parameters = {0, v->share / 100}};
    int counted;
    *out = in;
    if (shape_colours(plan_value_shape(to, in)) < 3)
        return STATUS_OK; /* gray has no colour to balance */
    TRY(plan_counted(v, to, in, &counted));
    return plan_by_statistics_of(to, counted, in, (Statistics){BY_CHANNEL, v->range}, curve,
                                 (LookupJob){.extend = true}, out);
}

const Filter filter_whitebalance = {
    .name = "whitebalance",
    .category = FILTER_STATISTICS,
    .help = "Takes the colour of the light away: scales the channels until a gray or white thing has none.",
    .definition = "gray: G. Buchsbaum's gray world (1980), every channel's mean becomes the mean of the three; patch: "
                  "the white patch of E. Land's Retinex (1977), the brightest of every channel, less a share, become "
                  "the brightest of the three. With `at`, the square there stands for the picture.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
