/* viewport.c: zoom and pan. */
#include "app/view/data/viewport.h"

#include <math.h>

static double limit(double scale) {
    return fmin(fmax(scale, VIEWPORT_SCALE_MIN), VIEWPORT_SCALE_MAX);
}

static Viewport centred(Area area, size_t width, size_t height, double scale) {
    return (Viewport){.scale = scale,
                      .x = floor(area.x + (area.width - (double)width * scale) / 2),
                      .y = floor(area.y + (area.height - (double)height * scale) / 2)};
}

Viewport viewport_fit(Area area, size_t width, size_t height) {
    const double scale = limit(fmin(area.width / (double)width, area.height / (double)height));
    Viewport viewport = centred(area, width, height, scale);
    viewport.fitted = true;
    return viewport;
}

Viewport viewport_actual(Area area, size_t width, size_t height) {
    return centred(area, width, height, 1);
}

Viewport viewport_zoom(Viewport from, double factor, double x, double y) {
    const double scale = limit(from.scale * factor), ratio = scale / from.scale;
    return (Viewport){.scale = scale, .x = x - (x - from.x) * ratio, .y = y - (y - from.y) * ratio};
}

Viewport viewport_pan(Viewport from, double dx, double dy) {
    return (Viewport){.scale = from.scale, .x = from.x + dx, .y = from.y + dy};
}

bool viewport_pixel(Viewport from, double x, double y, size_t width, size_t height, size_t *px, size_t *py) {
    const double fx = floor((x - from.x) / from.scale), fy = floor((y - from.y) / from.scale);
    if (!(fx >= 0 && fy >= 0 && fx < (double)width && fy < (double)height))
        return false;
    *px = (size_t)fx;
    *py = (size_t)fy;
    return true;
}

size_t viewport_bound(double at, size_t length) {
    return (size_t)fmin(fmax(at, 0), (double)length);
}
