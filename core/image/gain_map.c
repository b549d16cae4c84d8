/* gain_map.c: gain maps. */
#include "core/image/gain_map.h"

#include "core/math/tone.h"

#include <math.h>
#include <stdlib.h>

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

Shape gain_map_shape(Shape decoded) {
    if (decoded.channels != 1 && decoded.channels != 3)
        return (Shape){0};
    return decoded.type == PIXEL_U16 ? shape_with_type(decoded, PIXEL_F32) : decoded;
}

/* Values of 16 bits as parts of 1. */
static Status make_floats(Image **map) {
    const ImageView from = (*map)->view;
    const double white = pixel_type_white(from.shape.type);
    Image *made;
    if (from.shape.type != PIXEL_U16)
        return STATUS_OK;
    TRY(image_create_unfilled(shape_with_type(from.shape, PIXEL_F32), &made));
    for (size_t y = 0; y < from.shape.height; y++)
        for (size_t x = 0; x < from.shape.width; x++)
            for (int c = 0; c < from.shape.channels; c++)
                view_set_value(made->view, x, y, c, view_value(from, x, y, c) / white);
    image_destroy(map);
    *map = made;
    return STATUS_OK;
}

Status gain_map_give(Image **map, const GainCurve *curve, Image *image) {
    if (!*map || gain_map_shape((*map)->view.shape).channels == 0) {
        image_destroy(map);
        image->extras |= EXTRA_BESIDE;
        return STATUS_OK;
    }
    const Status status = make_floats(map);
    if (status != STATUS_OK) {
        image_destroy(map);
        return status;
    }
    image_strip(*map);
    free((*map)->profile);
    (*map)->profile = NULL;
    (*map)->profile_size = 0;
    (*map)->extras = 0;
    image->gain_map = *map;
    image->gain_curve = *curve;
    *map = NULL;
    return STATUS_OK;
}
