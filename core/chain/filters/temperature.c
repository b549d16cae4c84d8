/* temperature.c: the colour of the light, from candle to blue sky. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double kelvin;
} Values;

static const Param params[] = {
    {"kelvin", "the light that the picture is corrected for: above 6500 it becomes warmer, below cooler", "K",
     PARAM_NUMBER, offsetof(Values, kelvin), 1667, 8000, 25000, 100},
};

#define NEUTRAL_KELVIN 6500.0

typedef struct Matrix {
    double at[3][3];
} Matrix;

static Matrix product(Matrix a, Matrix b) {
    Matrix result;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            result.at[i][k] = a.at[i][0] * b.at[0][k] + a.at[i][1] * b.at[1][k] + a.at[i][2] * b.at[2][k];
    return result;
}

/* The cone responses of an incandescent body (B. Kang et al., Design of Advanced Color Temperature Control System for
 * HDTV Applications, 2002: cubics along the Planckian locus), of luminance 1. */
static void cones_of(double kelvin, Matrix cones, double response[3]) {
    const double t = 1e3 / kelvin;
    const double x = kelvin <= 4000 ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
                                    : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390;
    const double y = kelvin <= 2222   ? ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
                     : kelvin <= 4000 ? ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
                                      : ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483;
    const double white[3] = {x / y, 1, (1 - x - y) / y};
    for (int i = 0; i < 3; i++)
        response[i] = cones.at[i][0] * white[0] + cones.at[i][1] * white[1] + cones.at[i][2] * white[2];
}

/* Bradford's cone responses and back; IEC 61966-2-1's linear RGB to XYZ and back. */
static const Matrix bradford = {{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
static const Matrix bradford_inverse = {
    {{0.9869929, -0.1470543, 0.1599627}, {0.4323053, 0.5183603, 0.0492912}, {-0.0085287, 0.0400428, 0.9684867}}};
static const Matrix to_xyz = {
    {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
static const Matrix from_xyz = {
    {{3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}}};

/* On linear light: a colour that is white under the light of `kelvin` becomes as white as under that of 6500 K. */
static Matrix adaptation(double kelvin) {
    double from[3], to[3];
    Matrix gains = {0};
    cones_of(kelvin, bradford, from);
    cones_of(NEUTRAL_KELVIN, bradford, to);
    for (int i = 0; i < 3; i++)
        gains.at[i][i] = to[i] / from[i];
    return product(from_xyz, product(bradford_inverse, product(gains, product(bradford, to_xyz))));
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Matrix mixed = adaptation(((const Values *)values)->kelvin);
    const PixelType type = plan_value_shape(to, in).type;
    const bool linear = plan_options(to)->linear;
    double matrix[12] = {0};
    for (int i = 0; i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = mixed.at[i / 3][i % 3];
    if (linear)
        return plan_matrix(to, matrix, in, out);
    TRY(plan_decode(to, in, out));
    TRY(plan_matrix(to, matrix, *out, out));
    return plan_encode(to, *out, type, out);
}

const Filter filter_temperature = {
    .name = "temperature",
    .category = FILTER_POINT,
    .help = "Makes the light of the picture warmer or cooler.",
    .definition =
        "K. Lam's Bradford transform in linear light, from the Planckian locus at the temperature to that at 6500 K.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "6500",
};
