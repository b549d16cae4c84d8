/* disk.c: the mean of a disk, as a lens that is out of focus leaves it. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double radius;
} Values;

static const Param params[] = {
    {"radius", "radius of the disk", "pixels", PARAM_NUMBER, offsetof(Values, radius), 0.5, 5, 127, 0.5},
};

/* The area of the disk between its centre and (x, y); negative where just one of them is. */
static double quadrant(double radius, double x, double y) {
    const double r2 = radius * radius, u = fmin(fabs(x), radius), v = fmin(fabs(y), radius), sign = copysign(1, x * y);
    if (u * u + v * v <= r2)
        return sign * u * v;
    const double begin = sqrt(r2 - v * v); /* from here on, the arc is below v */
    const double arc = (u * sqrt(r2 - u * u) - begin * v + r2 * (asin(u / radius) - asin(begin / radius))) / 2;
    return sign * (begin * v + arc);
}

static double covered(double radius, double x, double y) {
    return quadrant(radius, x + 0.5, y + 0.5) - quadrant(radius, x - 0.5, y + 0.5) -
           quadrant(radius, x + 0.5, y - 0.5) + quadrant(radius, x - 0.5, y - 0.5);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const double radius = ((const Values *)values)->radius;
    const int side = mask_side(radius);
    Mask *mask;
    TRY(mask_create(side, side, &mask));
    double sum = 0;
    for (int i = 0; i < side * side; i++) {
        const double weight = covered(radius, i % side - side / 2, i / side - side / 2);
        sum += mask->weights[i] = weight > MASK_NOTHING ? (float)weight : 0;
    }
    mask->divisor = (float)sum;
    return plan_convolve(to, in, mask, 0, plan_value_shape(to, in).type, out);
}

const Filter filter_disk = {
    .name = "disk",
    .category = FILTER_LINEAR,
    .help = "Blurs with a disk, as a lens that is out of focus does.",
    .definition = "The mean over a disk: each pixel weighs by the area of it that the disk covers.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
