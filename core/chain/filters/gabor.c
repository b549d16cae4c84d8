/* gabor.c: a wave within a Gaussian, which answers to stripes of one direction and width. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double wavelength, angle, sigma, phase, aspect, scale, bias;
} Values;

static const Param params[] = {
    {"wavelength", "distance of the stripes", "pixels", PARAM_NUMBER, offsetof(Values, wavelength), 2, 8, 100, 0.5},
    {"angle", "the direction across the stripes, counterclockwise from the right", PARAM_COUNTERCLOCKWISE, PARAM_NUMBER,
     offsetof(Values, angle), -180, 0, 180, 5},
    {"sigma", "width of the Gaussian; 0 takes 0.56 wavelength, a bandwidth of one octave", "pixels", PARAM_NUMBER,
     offsetof(Values, sigma), 0, 0, 42, 0.5},
    {"phase", "where the wave begins: 0 answers to lines, 90 to edges", "degrees", PARAM_NUMBER,
     offsetof(Values, phase), -180, 0, 180, 15},
    {"aspect", "width of the Gaussian across the stripes, divided by that along them", "", PARAM_NUMBER,
     offsetof(Values, aspect), 0.2, 0.5, 5, 0.1},
    PARAM_SIGNED(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const double across = v->sigma > 0 ? v->sigma : 0.56 * v->wavelength, along = across / v->aspect;
    const double turn = v->angle * M_PI / 180, c = cos(turn), s = -sin(turn); /* rows go down */
    const double width = 3 * hypot(across * c, along * s), height = 3 * hypot(across * s, along * c);
    const int rx = (int)ceil(width), ry = (int)ceil(height);
    if (2 * fmax(rx, ry) + 1 > MASK_MAX)
        return fail(STATUS_USAGE, "gabor: a sigma of %g by %g comes to %d x %d weights, want at most %d a side", across,
                    along, 2 * rx + 1, 2 * ry + 1, MASK_MAX);
    Mask *mask;
    TRY(mask_create(2 * rx + 1, 2 * ry + 1, &mask));
    for (int y = -ry; y <= ry; y++)
        for (int x = -rx; x <= rx; x++) {
            const double u = (x * c + y * s) / across, w = (y * c - x * s) / along;
            const double wave = cos(2 * M_PI * (x * c + y * s) / v->wavelength - v->phase * M_PI / 180);
            mask->weights[(y + ry) * mask->width + x + rx] =
                (float)(exp(-0.5 * (u * u + w * w)) * wave / (2 * M_PI * across * along));
        }
    mask->divisor = (float)(1 / v->scale);
    return plan_convolve(to, in, mask, (float)v->bias, plan_value_shape(to, in).type, out);
}

const Filter filter_gabor = {
    .name = "gabor",
    .category = FILTER_EDGES,
    .help = "Shows stripes of one direction and width.",
    .definition = "cv2.getGaborKernel divided by 2 pi sigma^2 / aspect, as skimage.filters.gabor_kernel is; 3 sigma to "
                  "each side. J. Daugman, Uncertainty Relation for Resolution in Space, Spatial Frequency, and "
                  "Orientation, 1985.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "8:angle=45:scale=4:bias=128",
};
