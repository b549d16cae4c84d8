/* turned.c: pictures turned by any angle, and the rectangles that are full within them. */
#include "core/chain/filters/turned.h"

#include <math.h>

#define HAIR 1e-9 /* an upper bound of the part that rounding takes from a whole side */

static Size whole(double width, double height) {
    return (Size){fmax(floor(width + HAIR), 1), fmax(floor(height + HAIR), 1)};
}

/* Let a rectangle of the same middle and proportions be f times as large. It reaches to f (w cos + h sin) / 2 across
 * the turned picture, and to f (w sin + h cos) / 2 down it. It lies inside while these are at most w / 2 and h / 2: the
 * longer side decides. Beyond 45 degrees the proportions are those of the picture turned by a quarter. */
Size turned_inside(Size of, double cosine, double sine) {
    const bool steep = sine > cosine;
    const double ratio = fmax(of.width, of.height) / fmin(of.width, of.height);
    const double part = 1 / (fmax(cosine, sine) + ratio * fmin(cosine, sine));
    const double width = steep ? of.height : of.width, height = steep ? of.width : of.height;
    return whole(part * width, part * height);
}

/* A rectangle of w x h turned by an angle reaches to w cos + h sin across and w sin + h cos down. Only the
 * long sides of the picture limit it if the short side is at most 2 sin cos times the long one. Its product w h is then
 * largest where w sin = h cos, half of the short side each. They change places if the long side goes down. Else all
 * sides limit it: the sums are the picture's sides. */
Size turned_largest(Size of, double cosine, double sine) {
    const bool wide = of.width >= of.height;
    const double longer = fmax(of.width, of.height), shorter = fmin(of.width, of.height);
    if (shorter <= 2 * sine * cosine * longer) {
        const double along = shorter / 2 / sine, across = shorter / 2 / cosine;
        return wide ? whole(along, across) : whole(across, along);
    }
    const double twice = cosine * cosine - sine * sine;
    return whole((of.width * cosine - of.height * sine) / twice, (of.height * cosine - of.width * sine) / twice);
}

Status turned_plan(Plan *to, int in, double degrees, Size size, WarpKernel kernel, const char *colour, int *out) {
    const Shape shape = plan_value_shape(to, in);
    const double cosine = cos(degrees * M_PI / 180), sine = sin(degrees * M_PI / 180);
    const double x = (size.width - 1) / 2, y = (size.height - 1) / 2;
    const double u = ((double)shape.width - 1) / 2, w = ((double)shape.height - 1) / 2;
    return plan_warp(to, in,
                     (WarpWish){.width = (size_t)size.width,
                                .height = (size_t)size.height,
                                .map = {.matrix = {cosine, sine, u - cosine * x - sine * y, -sine, cosine,
                                                   w + sine * x - cosine * y, 0, 0, 1}},
                                .kernel = kernel,
                                .colour = colour},
                     out);
}
