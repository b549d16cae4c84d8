/* convolve.c: the user's own mask. */
#include "core/chain/filters/filters.h"

#include <float.h>
#include <math.h>

typedef struct Values {
    char *mask, *file;
    double scale, bias, flip;
} Values;

static const Param params[] = {
    {"mask", "weights row by row, ';' between the rows unless it is square", PARAM_MASK, PARAM_TEXT,
     offsetof(Values, mask), 0, 0, 0, 0},
    {"scale", "factor on the sum, also as a fraction: 1/9", "", PARAM_NUMBER, offsetof(Values, scale), -1e6, 1, 1e6,
     0.1},
    {"bias", "added to the result", PARAM_STORED, PARAM_NUMBER, offsetof(Values, bias), -65535, 0, 65535, 8},
    {"flip", "1 turns the mask by 180 degrees, and its anchor with it (the mathematical convolution)", "", PARAM_SWITCH,
     offsetof(Values, flip), 0, 0, 1, 1},
    {"file", "a text file with the weights, a row a line", PARAM_FILE, PARAM_TEXT, offsetof(Values, file), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    Mask *mask;
    if ((v->mask != NULL) == (v->file != NULL))
        return fail(STATUS_USAGE, "convolve: want a mask, as in convolve=0 -1 0 -1 5 -1 0 -1 0, or file=PATH");
    if (fabs(v->scale) < 1 / (double)FLT_MAX)
        return fail(STATUS_USAGE, "convolve: scale %g leaves nothing of the picture", v->scale);
    TRY(v->mask ? mask_parse(v->mask, &mask) : mask_load(v->file, &mask));
    mask->divisor = (float)(1 / v->scale);
    const Status flipped = v->flip > 0 ? mask_flip(&mask) : STATUS_OK;
    if (flipped != STATUS_OK) {
        mask_destroy(&mask);
        return flipped;
    }
    return plan_convolve(to, in, mask, (float)v->bias, plan_value_shape(to, in).type, out);
}

const Filter filter_convolve = {
    .name = "convolve",
    .category = FILTER_LINEAR,
    .help = "Applies a mask of your own.",
    .definition = "scipy.ndimage.correlate: the mask as written; with flip=1, scipy.ndimage.convolve.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "0 -1 0 -1 5 -1 0 -1 0",
};
