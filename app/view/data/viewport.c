/* viewport.c: zoom and pan. */
#include "app/view/data/viewport.h"

#include <math.h>

static double limit(double scale) {
    return fmin(fmax(scale, VIEWPORT_SCALE_MIN), VIEWPORT_SCALE_MAX);
}

static Viewport centred(Area area, size_t width, size_t height, double scale) {
    return (Viewport){.scale = scale,
                      .x = floor(area.x + (area.width - (double)width * scale) / 2),
                      .y = floor(area.y + (area.height - (double)height * scale) / 2),
                      .width = width,
                      .height = height};
}

Area area_within(Area area, double margin) {
    const double across = fmin(margin, area.width / 4), down = fmin(margin, area.height / 4);
    return (Area){area.x + across, area.y + down, area.width - 2 * across, area.height - 2 * down};
}

static double common_length(double a, double a_length, double b, double b_length) {
    return fmax(fmin(a + a_length, b + b_length) - fmax(a, b), 0);
}

size_t area_with_most(const Area *areas, size_t count, Area part) {
    size_t best = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const double common = common_length(areas[i].x, areas[i].width, part.x, part.width) *
                              common_length(areas[i].y, areas[i].height, part.y, part.height);
        best = common > most ? i : best;
        most = fmax(common, most);
    }
    return best;
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
    from.scale = scale;
    from.x = x - (x - from.x) * ratio;
    from.y = y - (y - from.y) * ratio;
    from.fitted = false;
    return from;
}

Viewport viewport_pan(Viewport from, double dx, double dy) {
    from.x += dx;
    from.y += dy;
    from.fitted = false;
    return from;
}

Viewport viewport_resize(Viewport from, size_t width, size_t height) {
    if (from.width > 0) {
        from.x += floor(((double)from.width - (double)width) * from.scale / 2);
        from.y += floor(((double)from.height - (double)height) * from.scale / 2);
    }
    from.width = width;
    from.height = height;
    return from;
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
