/* placement.c: zoom and pan. */
#include "app/view/placement.h"

#include <math.h>

static double limit(double scale) {
    return fmin(fmax(scale, PLACEMENT_MIN), PLACEMENT_MAX);
}

static Placement centred(Area area, size_t width, size_t height, double scale) {
    return (Placement){.scale = scale,
                       .x = floor(area.x + (area.width - (double)width * scale) / 2),
                       .y = floor(area.y + (area.height - (double)height * scale) / 2)};
}

Placement placement_fit(Area area, size_t width, size_t height) {
    const double scale = limit(fmin(area.width / (double)width, area.height / (double)height));
    Placement placement = centred(area, width, height, scale);
    placement.fitted = true;
    return placement;
}

Placement placement_actual(Area area, size_t width, size_t height) {
    return centred(area, width, height, 1);
}

Placement placement_zoom(Placement from, double factor, double x, double y) {
    const double scale = limit(from.scale * factor), ratio = scale / from.scale;
    return (Placement){.scale = scale, .x = x - (x - from.x) * ratio, .y = y - (y - from.y) * ratio};
}

Placement placement_pan(Placement from, double dx, double dy) {
    return (Placement){.scale = from.scale, .x = from.x + dx, .y = from.y + dy};
}

bool placement_pixel(Placement from, double x, double y, size_t width, size_t height, size_t *px, size_t *py) {
    const double fx = floor((x - from.x) / from.scale), fy = floor((y - from.y) / from.scale);
    if (!(fx >= 0 && fy >= 0 && fx < (double)width && fy < (double)height))
        return false;
    *px = (size_t)fx;
    *py = (size_t)fy;
    return true;
}
