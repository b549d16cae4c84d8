/* gain_map.c: gain maps. */
#include "core/image/gain_map.h"

#include "core/math/tone.h"

#include <math.h>

#define OFFSET   (1.0 / 64) /* of light, so that black has a logarithm (Adobe's default) */
#define GAIN_MAX 64.0       /* stops */

GainCurve gain_curve_default(void) {
    GainCurve curve = {.headroom_max = 1};
    for (int c = 0; c < GAIN_CHANNELS; c++) {
        curve.gamma[c] = 1;
        curve.offset[c] = curve.offset_hdr[c] = OFFSET;
    }
    return curve;
}

static bool is_within(double value, double min, double max) {
    return value >= min && value <= max; /* NaN is not */
}

bool gain_curve_is_sound(const GainCurve *curve) {
    bool sound =
        is_within(curve->headroom_min, 0, GAIN_MAX) && is_within(curve->headroom_max, curve->headroom_min, GAIN_MAX);
    for (int c = 0; c < GAIN_CHANNELS; c++)
        sound = sound && is_within(curve->min[c], -GAIN_MAX, GAIN_MAX) &&
                is_within(curve->max[c], curve->min[c], GAIN_MAX) && is_within(curve->gamma[c], 1e-3, 1e3) &&
                is_within(curve->offset[c], -1, 1) && is_within(curve->offset_hdr[c], -1, 1);
    return sound;
}

static double between(double at, size_t count, size_t *from, size_t *to) {
    const double last = (double)(count - 1), inside = at > 0 ? at < last ? at : last : 0;
    *from = (size_t)inside;
    *to = *from + 1 < count ? *from + 1 : *from;
    return inside - (double)*from;
}

double gain_map_value(ImageView map, double x, double y, int c) {
    size_t left, right, top, bottom;
    const double across = between(x, map.shape.width, &left, &right);
    const double down = between(y, map.shape.height, &top, &bottom);
    const double above = (1 - across) * view_value(map, left, top, c) + across * view_value(map, right, top, c);
    const double below = (1 - across) * view_value(map, left, bottom, c) + across * view_value(map, right, bottom, c);
    return ((1 - down) * above + down * below) / pixel_type_white(map.shape.type);
}

double gain_map_factor(ImageView map, const GainCurve *curve, Shape picture, size_t x, size_t y, int c) {
    const double across = (double)map.shape.width / (double)picture.width;
    const double down = (double)map.shape.height / (double)picture.height;
    const double value = clamp_unit(gain_map_value(map, ((double)x + 0.5) * across - 0.5,
                                                   ((double)y + 0.5) * down - 0.5, map.shape.channels < 3 ? 0 : c));
    const double share = curve->gamma[c] < 1 || curve->gamma[c] > 1 ? pow(value, 1 / curve->gamma[c]) : value;
    return exp2(curve->min[c] + (curve->max[c] - curve->min[c]) * share);
}
