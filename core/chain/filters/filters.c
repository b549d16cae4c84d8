/* filters.c: the list of filters, expanded from filters.def, and stages that several of them append. */
#include "core/chain/filters/filters.h"

#include "core/chain/detail.h"
#include "core/plan/geometry.h"

#include <float.h>
#include <string.h>

const Filter *const filters[] = {
#define FILTER(name) &filter_##name,
#include "core/chain/filters/filters.def"
#undef FILTER
};
const size_t filter_count = sizeof filters / sizeof filters[0];

bool filter_follows_detail(const Filter *filter) {
    static const Filter *const following[] = {
#define FILTER(name)
#define FILTER_OF_DETAIL(name) &filter_##name,
#include "core/chain/filters/filters.def"
#undef FILTER
    };
    bool follows = false;
    for (size_t i = 0; i < sizeof following / sizeof following[0]; i++)
        follows |= following[i] == filter;
    return follows;
}

Status plan_convolve_3x3(Plan *plan, int in, const float weights[9], double divisor, double bias, PixelType type,
                         int *out) {
    Mask *mask;
    TRY(mask_create(3, 3, &mask));
    memcpy(mask->weights, weights, 9 * sizeof *weights);
    mask->divisor = (float)divisor;
    return plan_convolve(plan, in, mask, (float)bias, type, out);
}

Status plan_function(Plan *plan, PointFunction function, const double *parameters, int count, int in, int *out) {
    const int one[STAGE_INPUTS] = {in, PLAN_NONE, PLAN_NONE};
    return plan_point_with(plan, function, parameters, count, one, plan_value_shape(plan, in).type, out);
}

/* A picture of which the result shows each pixel at its place. */
static bool stays(const Plan *plan) {
    const Geometry geometry = plan_geometry(plan);
    const Homography none = homography_identity();
    const Shape before = plan_value_shape(plan, plan_unfiltered(plan));
    bool same = geometry.origin == ORIGIN_EXACT;
    for (int i = 0; i < 9; i++)
        same &= !(fabs(geometry.to_picture.m[i] - none.m[i]) > 0);
    return same && geometry.result.width == before.width && geometry.result.height == before.height;
}

Status plan_look(const Plan *plan, const Filter *filter, ImageView *picture, bool *there) {
    const PlanOptions *options = plan_options(plan);
    *there = options->picture != NULL;
    if (*there)
        *picture = options->picture->view;
    if (!stays(plan))
        return fail(STATUS_USAGE, "%s: it looks at the picture itself, want it before filters that move pixels",
                    filter->name);
    return *there || !options->shot.known
               ? STATUS_OK
               : fail(STATUS_INPUT, "%s: it looks at all of the picture, which is too large for memory", filter->name);
}

double exact_steps(Shape picture, int bits) {
    int pixels;
    frexp((double)picture.width * (double)picture.height, &pixels); /* fewer than 2^pixels */
    return ldexp(1, DBL_MANT_DIG - pixels - bits);
}

Status plan_single(Plan *plan, PointFunction function, const double *parameters, int count, const int in[STAGE_INPUTS],
                   int *out) {
    PointJob job = point_single(function, plan_value_white(plan, in[0]), parameters, count, PIXEL_F32);
    job.steps[0].channels = 1;
    return plan_append(plan, &op_point, &job, in, PIXEL_F32, out);
}

/* `matrix` by whole numbers and their divisor, the smallest power of ten that has them. Not if f32 does not hold the
 * sums of bytes. */
static bool find_mix(const double matrix[12], double mix[13]) {
    enum { DIVISOR_MAX = 10000 };
    const double near = 1e-7; /* of a factor, which may have been read as float */
    for (mix[12] = 1; mix[12] <= DIVISOR_MAX; mix[12] *= 10) {
        double most = 0;
        bool whole = true;
        for (int i = 0; i < 12; i++) {
            mix[i] = rint(matrix[i] * mix[12]);
            whole &= fabs(matrix[i] * mix[12] - mix[i]) <= near * fabs(mix[i]);
        }
        for (int c = 0; c < 3; c++)
            most = fmax(most, fabs(mix[4 * c]) + fabs(mix[4 * c + 1]) + fabs(mix[4 * c + 2]) + fabs(mix[4 * c + 3]));
        if (whole)
            return most * 255 <= 0x1p24;
    }
    return false;
}

Status plan_matrix(Plan *plan, const double matrix[12], int in, int *out) {
    static const double luma[3] = {0.2126, 0.7152, 0.0722};
    const Shape shape = plan_value_shape(plan, in);
    double mix[13];
    if (shape.channels >= 3 && shape.type == PIXEL_U8 && find_mix(matrix, mix))
        return plan_function(plan, POINT_mix, mix, 13, in, out);
    if (shape.channels >= 3)
        return plan_function(plan, POINT_matrix, matrix, 12, in, out);
    double line[2] = {0};
    for (int c = 0; c < 3; c++) {
        line[0] += luma[c] * (matrix[4 * c] + matrix[4 * c + 1] + matrix[4 * c + 2]);
        line[1] += luma[c] * matrix[4 * c + 3];
    }
    return plan_function(plan, POINT_linear, line, 2, in, out);
}
