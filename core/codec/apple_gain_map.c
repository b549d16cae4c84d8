/* apple_gain_map.c: Apple's gain maps. */
#include "core/codec/apple_gain_map.h"

#include "core/codec/formats.h"
#include "core/codec/gain_metadata.h"

#include <math.h>

/* Numbers of entries in the maker's notes. */
enum { HDR_HEADROOM = 33, HDR_GAIN = 48 };

/* Stops by the two numbers, as the documentation gives them. */
static double stops_of(double headroom, double gain) {
    if (headroom < 1)
        return gain <= 0.01 ? -20 * gain + 1.8 : -0.101 * gain + 1.601;
    return gain <= 0.01 ? -70 * gain + 3.0 : -0.303 * gain + 2.303;
}

double apple_headroom_of_exif(ImageBlock exif) {
    double headroom, gain;
    if (!exif.data || !exif_apple_fraction(exif, HDR_HEADROOM, &headroom) ||
        !exif_apple_fraction(exif, HDR_GAIN, &gain))
        return 0;
    return exp2(fmax(stops_of(headroom, gain), 0));
}

double apple_headroom_of_xmp(ImageBlock xmp) {
    return xmp.data ? gain_xmp_number((const char *)xmp.data, xmp.size, "http://ns.apple.com/HDRGainMap/1.0/",
                                      "HDRGainMap", "HDRGainMapHeadroom")
                    : 0;
}

bool apple_headroom_is_sound(double headroom) {
    return headroom > 1 && headroom <= 65536;
}

/* The light that a value of ITU-R BT.709-6, 1.2, stands for. */
static double light_of(double value) {
    return value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45);
}

Status apple_gain_map_make(double headroom, Image **map, GainCurve *curve) {
    const ImageView from = (*map)->view;
    const double white = pixel_type_white(from.shape.type), most = log2(headroom);
    Image *made;
    TRY(image_create_unfilled(shape_with_type(from.shape, PIXEL_F32), &made));
    for (size_t y = 0; y < from.shape.height; y++)
        for (size_t x = 0; x < from.shape.width; x++)
            view_set_value(made->view, x, y, 0,
                           log2(1 + (headroom - 1) * light_of(view_value(from, x, y, 0) / white)) / most);
    image_destroy(map);
    *map = made;
    *curve = gain_curve_default();
    for (int c = 0; c < GAIN_CHANNELS; c++) {
        curve->max[c] = most;
        curve->offset[c] = curve->offset_hdr[c] = 0;
    }
    curve->headroom_max = most;
    return STATUS_OK;
}
