/* canny.c: thin edges of a smoothed picture. */
#include "core/ops/canny.h"
#include "core/chain/filters/filters.h"

typedef struct Values {
    double low, high, sigma;
} Values;

static const Param params[] = {
    {"high", "slope that makes an edge: Sobel's to the right and downwards, added", "of white", PARAM_NUMBER,
     offsetof(Values, high), 0, 0.8, 8, 0.05},
    {"low", "slope that continues one", "of white", PARAM_NUMBER, offsetof(Values, low), 0, 0.4, 8, 0.05},
    {"sigma", "standard deviation of the gaussian before it; 0: none", "pixels", PARAM_NUMBER, offsetof(Values, sigma),
     0, 1.4, 42, 0.1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    const double white = plan_value_white(to, in);
    if (v->low > v->high)
        return fail(STATUS_USAGE, "canny: low %g is more than high %g", v->low, v->high);
    const bool cut = plan_passes_in_strips(to);
    CannyJob job = {.low = v->low * white,
                    .high = v->high * white,
                    .white = white,
                    .alpha = shape_has_alpha(shape) && plan_options(to)->alpha == ALPHA_PREMULTIPLY,
                    .border = plan_border(to, in),
                    .cut = cut};
    int smooth = in, seen, classes, seams = PLAN_NONE;
    if (v->sigma > 0) {
        Mask *mask;
        TRY(mask_gaussian(v->sigma, 0, &mask));
        TRY(plan_convolve(to, in, mask, 0, shape.type, &smooth));
    }
    TRY(plan_seen(to, smooth, &seen));
    TRY(plan_append(to, &op_canny_peaks, &job, (const int[STAGE_INPUTS]){seen, PLAN_NONE, PLAN_NONE}, PIXEL_U8,
                    &classes));
    if (cut)
        TRY(plan_append(to, &op_canny_seams, &job, (const int[STAGE_INPUTS]){classes, PLAN_NONE, PLAN_NONE}, PIXEL_U32,
                        &seams));
    return plan_append(to, &op_canny_edges, &job, (const int[STAGE_INPUTS]){classes, in, seams}, shape.type, out);
}

const Filter filter_canny = {
    .name = "canny",
    .category = FILTER_EDGES,
    .help = "Draws the edges of the picture as thin white lines.",
    .definition = "J. Canny, A Computational Approach to Edge Detection, 1986; as cv2.Canny with apertures of 3 and "
                  "magnitudes |x| + |y|. Colours are times alpha where there is some; alpha stays.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
