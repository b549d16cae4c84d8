/* placing.c: maps from the window to pictures. */
#include "render/placing.h"

#include <math.h>

enum { CORNERS = 4 };
#define FINEST 4.0

static double third(const Homography *of, double x, double y) {
    return of->m[6] * x + of->m[7] * y + of->m[8];
}

static Homography straight(double scale_x, double scale_y, double x, double y) {
    return (Homography){{scale_x, 0, x, 0, scale_y, y, 0, 0, 1}};
}

/* Where the result's corner is drawn: on a whole pixel unless it is magnified. */
static double corner_of(CanvasLook look, double at) {
    return look.scale <= 1 ? round(at) : at;
}

Homography placing_from_window(CanvasLook look) {
    const double x = corner_of(look, look.x), y = corner_of(look, look.y);
    const Homography to_result = straight(1 / look.scale, 1 / look.scale, -x / look.scale - 0.5, -y / look.scale - 0.5);
    const Homography to_edges = straight(1, 1, 0.5, 0.5), half = homography_join(&to_result, &look.map);
    return homography_join(&half, &to_edges);
}

Limits placing_limits(CanvasLook look) {
    const double x = corner_of(look, look.x), y = corner_of(look, look.y);
    const Limits window = {0, 0, look.width, look.height};
    if (look.cut_width == 0)
        return window;
    return (Limits){fmax(x, 0), fmax(y, 0), fmin(x + (double)look.cut_width * look.scale, window.right),
                    fmin(y + (double)look.cut_height * look.scale, window.bottom)};
}

Limits placing_within_part(CanvasLook look, Limits limits) {
    if (look.to_x <= 0)
        return limits;
    return (Limits){fmax(limits.left, look.from_x), fmax(limits.top, look.from_y), fmin(limits.right, look.to_x),
                    fmin(limits.bottom, look.to_y)};
}

Homography placing_in_texels(const Homography *from_window, double scale, double x, double y) {
    const Homography to_texels = straight(scale, scale, -x, -y);
    return homography_join(from_window, &to_texels);
}

/* The determinant of the derivative is that of the matrix by the third power of the third coordinate. */
static double size_at(const Homography *from_window, double x, double y) {
    const double *m = from_window->m, w = third(from_window, x, y);
    const double determinant =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    return w > 0 ? sqrt(w * w * w / fabs(determinant)) : 0;
}

static void corner(Limits window, int i, double *x, double *y) {
    *x = i % 2 ? window.right : window.left;
    *y = i < 2 ? window.top : window.bottom;
}

double placing_size(const Homography *from_window, Limits window) {
    return size_at(from_window, (window.left + window.right) / 2, (window.top + window.bottom) / 2);
}

double placing_finest(const Homography *from_window, Limits window) {
    const double middle = placing_size(from_window, window);
    double finest = middle, x, y;
    for (int i = 0; i < CORNERS; i++) {
        corner(window, i, &x, &y);
        finest = fmax(finest, size_at(from_window, x, y));
    }
    return middle > 0 ? fmin(finest, FINEST * middle) : finest;
}

Limits placing_sight(const Homography *from_window, Limits window, double width, double height) {
    const Limits whole = {0, 0, width, height};
    Limits sight = {width, height, 0, 0};
    for (int i = 0; i < CORNERS; i++) {
        double x, y, u, v;
        corner(window, i, &x, &y);
        if (!(third(from_window, x, y) > 0))
            return whole;
        homography_apply(from_window, x, y, &u, &v);
        sight.left = fmin(sight.left, u);
        sight.top = fmin(sight.top, v);
        sight.right = fmax(sight.right, u);
        sight.bottom = fmax(sight.bottom, v);
    }
    return (Limits){fmax(sight.left, 0), fmax(sight.top, 0), fmin(sight.right, width), fmin(sight.bottom, height)};
}

/* The first pixel, from 0 to `limit`, whose centre lies at `from` or behind. */
static int first_pixel(double from, int limit) {
    return (int)fmin(fmax(ceil(from - 0.5), 0), limit);
}

Rectangle placing_pixels(CanvasLook look, Limits limits) {
    return (Rectangle){first_pixel(limits.left, look.width), first_pixel(limits.top, look.height),
                       first_pixel(limits.right, look.width), first_pixel(limits.bottom, look.height)};
}
