/* deconvolve.c: the picture that became this one by a known blur. */
#include "core/chain/filters/filters.h"
#include "core/ops/convolve.h"

#define SIGMA_MAX 9
#define NOTHING   1e-6 /* of white: blurred values below it tell nothing */
enum { ITERATIONS_MAX = 50 };

typedef struct Values {
    double sigma, iterations;
    char *mask, *file;
} Values;

static const Param params[] = {
    {"sigma", "width of the blur, a Gaussian", "pixels", PARAM_NUMBER, offsetof(Values, sigma), 0.1, 1.5, SIGMA_MAX,
     0.1},
    {"iterations", "steps towards the sharp picture; each one also raises noise", "", PARAM_WHOLE,
     offsetof(Values, iterations), 1, 10, ITERATIONS_MAX, 1},
    {"mask", "in the place of the Gaussian, the blur's weights row by row, ';' between the rows unless it is square",
     PARAM_MASK, PARAM_TEXT, offsetof(Values, mask), 0, 0, 0, 0},
    {"file", "a text file with the weights, a row a line", PARAM_FILE, PARAM_TEXT, offsetof(Values, file), 0, 0, 0, 0},
};

/* The blur, and the same turned by 180 degrees. */
typedef struct Blur {
    Mask *mask, *back;
    int iterations;
} Blur;

static Status convolve(Plan *to, int in, const Mask *mask, Border border, int *out) {
    ConvolveJob job = {NULL, border, 0};
    TRY(mask_clone(mask, &job.mask));
    return plan_append(to, &op_convolve, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, PIXEL_F32, out);
}

/* x becomes x times the mean of y / blur(x) over the pixels to which it spreads. Beyond a border of one value, the
 * picture is that value before and after, and the ratio is 1. */
static Status step(Plan *to, int y, int x, const Blur *blur, PixelType type, int *out) {
    const Border border = plan_border(to, y);
    Border ratio = border;
    int value;
    if (border.mode == BORDER_CONSTANT)
        ratio.value = (float)plan_value_white(to, y);
    TRY(convolve(to, x, blur->mask, border, &value));
    TRY(plan_point_with(to, POINT_ratio, (const double[]){NOTHING}, 1, (const int[STAGE_INPUTS]){y, value, PLAN_NONE},
                        PIXEL_F32, &value));
    TRY(convolve(to, value, blur->back, ratio, &value));
    return plan_point(to, POINT_product, x, value, type, out);
}

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    const Blur *blur = context;
    int x;
    TRY(plan_point_with(to, POINT_linear, (const double[]){0, 0.5}, 2,
                        (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, PIXEL_F32, &x));
    for (int i = 0; i < blur->iterations; i++)
        TRY(step(to, in, x, blur, i + 1 < blur->iterations ? PIXEL_F32 : type, &x));
    *out = x;
    return STATUS_OK;
}

/* The mask's weights divided by their sum. */
static Status read_mask(const Values *v, Mask **mask) {
    if (v->mask && v->file)
        return fail(STATUS_USAGE, "deconvolve: want a mask or a file, not both");
    TRY(v->mask ? mask_parse(v->mask, mask) : v->file ? mask_load(v->file, mask) : mask_gaussian(v->sigma, 0, mask));
    double sum = 0, smallest = 0;
    for (int i = 0; i < (*mask)->width * (*mask)->height; i++) {
        sum += (double)(*mask)->weights[i];
        smallest = fmin(smallest, (double)(*mask)->weights[i]);
    }
    if (sum > 0 && !(smallest < 0)) {
        (*mask)->divisor = (float)sum;
        return STATUS_OK;
    }
    mask_destroy(mask);
    return fail(STATUS_USAGE,
                "deconvolve: the mask's weights sum to %g, the smallest is %g; want none below 0, and one "
                "above",
                sum, smallest);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    Blur blur = {.iterations = (int)v->iterations};
    TRY(read_mask(v, &blur.mask));
    Status status = mask_clone(blur.mask, &blur.back);
    if (status == STATUS_OK)
        status = mask_flip(&blur.back);
    if (status == STATUS_OK)
        status = plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &blur, 1, true}, out);
    mask_destroy(&blur.mask);
    mask_destroy(&blur.back);
    return status;
}

const Filter filter_deconvolve = {
    .name = "deconvolve",
    .category = FILTER_LINEAR,
    .help = "Sharpens by finding the picture that a known blur made this one of: a Gaussian, or a mask of your own.",
    .definition =
        "W. Richardson, Bayesian-Based Iterative Method of Image Restoration, 1972, and L. Lucy, 1974, from "
        "middle gray on; as skimage.restoration.richardson_lucy with filter_epsilon 1e-6, unclipped, which has "
        "the border zero.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
