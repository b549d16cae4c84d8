/* bank.c: a filter bank, and its answers side by side. */
#include "core/ops/bank.h"
#include "core/chain/filters/filters.h"

typedef enum Kind { KIND_GABOR, KIND_LEUNG_MALIK } Kind;

typedef struct Values {
    double kind, gain, step, side, orientations, wavelength;
    char *file;
} Values;

static const Param params[] = {
    {"masks", "which ones are shipped", "gabor|leung-malik", PARAM_CHOICE, offsetof(Values, kind), 0, 0, 1, 1},
    {"gain", "factor on the answers, the same for all: 0 is mid-gray", "", PARAM_NUMBER, offsetof(Values, gain), 0.1, 8,
     50, 0.1},
    {"step", "every how many pixels there is an answer; 0: so that the sheet is as wide as the picture", "pixels",
     PARAM_WHOLE, offsetof(Values, step), 0, 0, 64, 1},
    {"side", "of a mask that is shipped; it is made odd", "pixels", PARAM_WHOLE, offsetof(Values, side), 5, 31, 127, 2},
    {"orientations", "directions of gabor", "", PARAM_WHOLE, offsetof(Values, orientations), 1, 6, 32, 1},
    {"wavelength", "of gabor's stripes", "pixels", PARAM_NUMBER, offsetof(Values, wavelength), 2, 16, 60, 0.5},
    {"file", "a text file with masks of one size instead, a row a line, a blank line between two masks", PARAM_FILE,
     PARAM_TEXT, offsetof(Values, file), 0, 0, 0, 0},
};

static Status open_bank(const Values *v, Bank **bank, int *across) {
    const int side = (int)v->side | 1;
    if (v->file) {
        TRY(bank_load(v->file, bank));
        *across = (int)ceil(sqrt((*bank)->count));
        return STATUS_OK;
    }
    *across = (int)v->orientations;
    if ((Kind)v->kind == KIND_GABOR)
        return bank_gabor(*across, v->wavelength, side, bank);
    *across = 6; /* a row for each scale of edges and bars */
    return bank_leung_malik(side, bank);
}

/* One gray picture in, one out: mid-gray plus the answers times `gain`. */
static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    const double white = plan_value_white(to, in), middle = plan_stored(to, in, 0.5 * white) / white;
    BankJob job = {.border = plan_border(to, in)};
    TRY(plan_seen(to, in, &in));
    if (shape.channels > 2)
        TRY(plan_point(to, POINT_grayscale, in, PLAN_NONE, PIXEL_F32, &in));
    TRY(open_bank(v, &job.bank, &job.across));
    job.step = v->step > 0 ? (int)v->step : job.across;
    TRY(plan_append(to, &op_bank, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, PIXEL_F32, out));
    return plan_point_with(to, POINT_linear, (const double[]){v->gain, middle}, 2,
                           (const int[STAGE_INPUTS]){*out, PLAN_NONE, PLAN_NONE}, shape.type, out);
}

const Filter filter_bank = {
    .name = "bank",
    .category = FILTER_EDGES,
    .help = "Shows the answers of a filter bank's masks, side by side.",
    .definition =
        "scipy.ndimage.correlate of the Rec. 709 luma, of colours times alpha where there is some, with each mask. "
        "Gabor's waves; T. Leung and J. Malik, "
        "Representing and Recognizing the Visual Appearance of Materials using Three-dimensional Textons, 2001.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
