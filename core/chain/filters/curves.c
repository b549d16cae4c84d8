/* curves.c: curves through points of the user's choice: of all colours, of one of them, of luma. */
#include "core/image/knots.h"

#include "core/chain/filters/filters.h"

typedef struct Values {
    char *points, *colours[3], *luma;
} Values;

static const Param params[] = {
    {"points", "pairs of a value and its new value, ascending, ';' between them: 0 0; 25 15; 100 100", PARAM_CURVE,
     PARAM_TEXT, offsetof(Values, points), 0, 0, 0, 0},
    {"red", "the same for red alone, before the curve of all", PARAM_CURVE, PARAM_TEXT, offsetof(Values, colours[0]), 0,
     0, 0, 0},
    {"green", "for green alone", PARAM_CURVE, PARAM_TEXT, offsetof(Values, colours[1]), 0, 0, 0, 0},
    {"blue", "for blue alone", PARAM_CURVE, PARAM_TEXT, offsetof(Values, colours[2]), 0, 0, 0, 0},
    {"luma", "for the luma alone, behind all others: colours keep their differences from it", PARAM_CURVE, PARAM_TEXT,
     offsetof(Values, luma), 0, 0, 0, 0},
};

/* Curves that are not given change nothing. */
typedef struct Curve {
    bool given;
    double parameters[KNOT_PARAMETERS];
    int count;
} Curve;

static Status read_curve(const char *text, Curve *curve) {
    Knots knots;
    curve->given = text != NULL;
    if (!text)
        return STATUS_OK;
    TRY(knots_parse(text, &knots));
    curve->count = knots_parameters(&knots, curve->parameters);
    return STATUS_OK;
}

static double bent(const Curve *curve, double v) {
    return curve->given ? knot_curve(curve->parameters, v) : v;
}

/* The curves of single colours, and of all. */
typedef struct Own {
    Curve colours[3], all;
} Own;

static Status make_table(const Own *own, Bins bins, PixelType type, double white, Image **table) {
    TRY(image_create((Shape){(size_t)bins.count, 3, 1, type}, table));
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < bins.count; i++)
            view_set_value((*table)->view, (size_t)i, (size_t)c, 0,
                           white * bent(&own->all, bent(&own->colours[c], bin_value(bins, i) / white)));
    return STATUS_OK;
}

/* Each colour through a row of a table. */
static Status append_own(Plan *to, int in, PixelType type, void *context, int *out) {
    const double white = plan_value_white(to, in);
    const LookupJob lookup = {.bins = bins_of(type, white)};
    LookupJob job = lookup;
    Image *table;
    int value;
    TRY(make_table(context, lookup.bins, type, white, &table));
    const Status status = plan_own_table(to, table, &value);
    image_destroy(&table);
    TRY(status);
    return plan_append(to, &op_lookup, &job, (const int[STAGE_INPUTS]){in, value, PLAN_NONE}, type, out);
}

static Status append_luma(Plan *to, int in, PixelType type, void *context, int *out) {
    const Curve *curve = context;
    int luma;
    (void)type; /* that of `in` */
    TRY(plan_formula_value(to, "luma", NULL, 0, in, &luma));
    TRY(plan_function(to, POINT_curve, curve->parameters, curve->count, luma, &luma));
    return plan_formula(to, "v + v2 - luma", NULL, 0, (const int[STAGE_INPUTS]){in, luma, PLAN_NONE}, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const bool coloured = shape_colours(plan_value_shape(to, in)) == 3;
    Own own;
    Curve luma;
    bool single = false;
    *out = in;
    if (!v->points && !v->colours[0] && !v->colours[1] && !v->colours[2] && !v->luma)
        return fail(STATUS_USAGE, "curves: want points, as in curves=0 0; 25 15; 100 100");
    TRY(read_curve(v->points, &own.all));
    TRY(read_curve(v->luma, &luma));
    for (int c = 0; c < 3; c++) {
        TRY(read_curve(v->colours[c], &own.colours[c]));
        single |= own.colours[c].given;
    }
    if (single && coloured)
        TRY(plan_straight(to, in, append_own, &own, out));
    else if (own.all.given)
        TRY(plan_function(to, POINT_curve, own.all.parameters, own.all.count, in, out));
    return luma.given ? plan_straight(to, *out, append_luma, &luma, out) : STATUS_OK;
}

const Filter filter_curves = {
    .name = "curves",
    .category = FILTER_POINT,
    .help = "Bends brightness along a smooth curve through given points, of all colours, of one, or of luma.",
    .definition =
        "F. Fritsch and J. Butland, A Method for Constructing Local Monotone Piecewise Cubic Interpolants, 1984, "
        "after F. Fritsch and R. Carlson, 1980; as scipy.interpolate.PchipInterpolator. The curve of a colour comes "
        "before that of all, as in FFmpeg's curves. The curve of luma adds the change of the Rec. 709 luma to all "
        "colours.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "0 0; 25 15; 75 85; 100 100",
    .begin = "0 0; 100 100",
};
