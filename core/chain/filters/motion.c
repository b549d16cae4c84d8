/* motion.c: the mean along a line, as a camera or its subject that moves leaves it. */
#include "core/chain/filters/filters.h"

#include <math.h>

enum { CORNERS_MAX = 8 }; /* of a rectangle cut by a square */

typedef struct Values {
    double length, angle;
} Values;

static const Param params[] = {
    {"length", "length of the line", PARAM_LENGTH, PARAM_NUMBER, offsetof(Values, length), 1, 15, 250, 1},
    {"angle", "its direction, counterclockwise from the right", PARAM_COUNTERCLOCKWISE, PARAM_NUMBER,
     offsetof(Values, angle), -180, 0, 180, 5},
};

typedef struct Polygon {
    int count;
    double corners[CORNERS_MAX][2];
} Polygon;

/* The part of a convex polygon where `sign` times coordinate `axis` is at most `limit` (Sutherland and Hodgman
 * 1974). */
static Polygon cut(const Polygon *from, int axis, double sign, double limit) {
    Polygon left = {0};
    for (int i = 0; i < from->count; i++) {
        const double *a = from->corners[i], *b = from->corners[(i + 1) % from->count];
        const double beyond_a = sign * a[axis] - limit, beyond_b = sign * b[axis] - limit;
        if (beyond_a <= 0) {
            left.corners[left.count][0] = a[0];
            left.corners[left.count++][1] = a[1];
        }
        if ((beyond_a < 0 && beyond_b > 0) || (beyond_a > 0 && beyond_b < 0)) {
            const double t = beyond_a / (beyond_a - beyond_b);
            left.corners[left.count][0] = a[0] + t * (b[0] - a[0]);
            left.corners[left.count++][1] = a[1] + t * (b[1] - a[1]);
        }
    }
    return left;
}

static double area(const Polygon *polygon) {
    double twice = 0;
    for (int i = 0; i < polygon->count; i++) {
        const double *a = polygon->corners[i], *b = polygon->corners[(i + 1) % polygon->count];
        twice += a[0] * b[1] - b[0] * a[1];
    }
    return fabs(twice) / 2;
}

static double covered(Polygon line, double x, double y) {
    line = cut(&line, 0, 1, x + 0.5);
    line = cut(&line, 0, -1, 0.5 - x);
    line = cut(&line, 1, 1, y + 0.5);
    line = cut(&line, 1, -1, 0.5 - y);
    return area(&line);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const double turn = v->angle * M_PI / 180, half = v->length / 2;
    const double across[2] = {cos(turn), -sin(turn)}, down[2] = {sin(turn), cos(turn)}; /* rows go down */
    static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    Polygon line = {.count = 4};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            line.corners[i][k] = corners[i][0] * half * across[k] + corners[i][1] * 0.5 * down[k];
    Mask *mask;
    TRY(mask_create(mask_side(half * fabs(across[0]) + 0.5 * fabs(down[0])),
                    mask_side(half * fabs(across[1]) + 0.5 * fabs(down[1])), &mask));
    double sum = 0;
    for (int j = 0; j < mask->height; j++)
        for (int i = 0; i < mask->width; i++) {
            const double weight = covered(line, i - mask->width / 2, j - mask->height / 2);
            sum += mask->weights[j * mask->width + i] = weight > MASK_NOTHING ? (float)weight : 0;
        }
    mask->divisor = (float)sum;
    return plan_convolve(to, in, mask, 0, plan_value_shape(to, in).type, out);
}

const Filter filter_motion = {
    .name = "motion",
    .category = FILTER_LINEAR,
    .help = "Blurs along a line, as a moving camera does.",
    .definition = "The mean over a line one pixel thick: each pixel weighs by the area of it that the line covers.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
