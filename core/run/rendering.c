/* rendering.c: renderings by gain maps, row by row on all cores. */
#include "core/run/rendering.h"

#include "core/base/share.h"
#include "core/codec/formats.h"
#include "core/codec/save.h"
#include "core/image/icc.h"
#include "core/math/tone.h"
#include "core/stage/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OFFSET     (1.0 / 64)   /* of a new map */
#define GAIN_APART (1.0 / 1024) /* stops at least from a new map's least gain to its largest */

enum { CODES = 256 };

/* Light by values of a picture with a profile, and back to bytes. */
typedef struct Light {
    ToneCurve tone;
    double knots[KNOT_PARAMETERS];
    double of[CODES];    /* bytes */
    double below[CODES]; /* the light from which on a byte is nearest; of byte 0, unused */
} Light;

static double light_of(const Light *light, double value) {
    if (light->tone.count > 0)
        return knot_curve(light->knots, value);
    return light->tone.gamma > 0 ? pow(fmax(value, 0), light->tone.gamma) : srgb_decode(value);
}

static Status open_light(const Image *image, Light *light) {
    Knots knots;
    TRY(icc_tone(image->profile, image->profile_size, &light->tone));
    if (light->tone.count > 0) {
        tone_knots(&light->tone, false, &knots);
        (void)knots_parameters(&knots, light->knots);
    }
    for (int i = 0; i < CODES; i++) {
        light->of[i] = light_of(light, i / 255.0);
        light->below[i] = light_of(light, (i - 0.5) / 255);
    }
    return STATUS_OK;
}

static double light_at(const Light *light, ImageView view, size_t x, size_t y, int c) {
    const double value = view_value(view, x, y, c);
    return view.shape.type == PIXEL_U8 ? light->of[(size_t)value]
                                       : light_of(light, value / pixel_type_white(view.shape.type));
}

/* The nearest byte: how many of them begin at this light, or below it. */
static unsigned char byte_of(const Light *light, double wanted) {
    int low = 0, high = CODES; /* `low` begins below it, `high` does not */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (wanted >= light->below[middle])
            low = middle;
        else
            high = middle;
    }
    return (unsigned char)low;
}

static int colours_of(Shape shape) {
    return shape.channels < 3 ? 1 : 3;
}

/* ---- the rendering ---- */

typedef struct Job {
    ImageView from, to;
    ImageView map;
    const GainCurve *curve;
    const Light *light;
} Job;

Shape rendering_shape(Shape picture, Shape map) {
    const int colours = picture.channels < 3 && map.channels < 3 ? 1 : 3;
    return (Shape){picture.width, picture.height, colours + shape_has_alpha(picture), PIXEL_F32};
}

static void render_row(const void *data, size_t y) {
    const Job *job = data;
    const Shape from = job->from.shape, to = job->to.shape;
    const GainCurve *curve = job->curve;
    const int colours = colours_of(to), colour_step = colours_of(from) == 3;
    float *pixel = view_row(job->to, y);
    for (size_t x = 0; x < to.width; x++, pixel += to.channels) {
        for (int c = 0; c < colours; c++)
            pixel[c] = (float)((light_at(job->light, job->from, x, y, c * colour_step) + curve->offset[c]) *
                                   gain_map_factor(job->map, curve, to, x, y, c) -
                               curve->offset_hdr[c]);
        if (to.channels > colours)
            pixel[colours] = (float)(view_value(job->from, x, y, from.channels - 1) / pixel_type_white(from.type));
    }
}

Status rendering_make(Image **image) {
    const Image *from = *image;
    Light light;
    Image *made;
    if (!from->gain_map || from->rendered)
        return STATUS_OK;
    TRY(open_light(from, &light));
    TRY(image_create_unfilled(rendering_shape(from->view.shape, from->gain_map->view.shape), &made));
    share_pieces(made->view.shape.height, render_row,
                 &(Job){from->view, made->view, from->gain_map->view, &from->gain_curve, &light});
    image_replace(image, made);
    made->rendered = true;
    return STATUS_OK;
}

/* ---- the way back ---- */

static void unrender_row(const void *data, size_t y) {
    const Job *job = data;
    const GainCurve *curve = job->curve;
    const int colours = colours_of(job->to.shape), channels = job->to.shape.channels;
    unsigned char *pixel = view_row(job->to, y);
    for (size_t x = 0; x < job->to.shape.width; x++, pixel += channels) {
        for (int c = 0; c < colours; c++)
            pixel[c] = byte_of(job->light, (view_value(job->from, x, y, c) + curve->offset_hdr[c]) /
                                                   gain_map_factor(job->map, curve, job->to.shape, x, y, c) -
                                               curve->offset[c]);
        if (channels > colours)
            view_set_value(job->to, x, y, colours, 255 * view_value(job->from, x, y, colours));
    }
}

/* Stops from the picture to the rendering, as f32. Light below black counts as black. */
typedef struct Stops {
    ImageView picture, rendering, to;
    const Light *light;
} Stops;

static void stops_of_row(const void *data, size_t y) {
    const Stops *job = data;
    const int colours = job->to.shape.channels;
    float *stops = view_row(job->to, y);
    for (size_t x = 0; x < job->to.shape.width; x++)
        for (int c = 0; c < colours; c++)
            *stops++ = (float)log2((fmax(view_value(job->rendering, x, y, c), 0) + OFFSET) /
                                   (light_at(job->light, job->picture, x, y, c) + OFFSET));
}

static void find_range(ImageView stops, int c, double *min, double *max) {
    *min = INFINITY;
    *max = -INFINITY;
    for (size_t y = 0; y < stops.shape.height; y++)
        for (size_t x = 0; x < stops.shape.width; x++) {
            const double value = view_value(stops, x, y, c);
            *min = fmin(*min, value);
            *max = fmax(*max, value);
        }
    *min = isfinite(*min) ? *min : 0; /* NaN and infinity of a rendering */
    *max = isfinite(*max) ? fmax(*max, *min + GAIN_APART) : *min + GAIN_APART;
}

/* Makes 0 to 1 of the stops; gives the curve that says so. */
static GainCurve scale_stops(ImageView stops, const GainCurve *old) {
    GainCurve curve = gain_curve_default();
    curve.headroom_min = old->headroom_min;
    curve.headroom_max = fmax(old->headroom_min + GAIN_APART, 0);
    for (int c = 0; c < GAIN_CHANNELS; c++) {
        const int channel = stops.shape.channels < 3 ? 0 : c;
        if (channel < c) {
            curve.min[c] = curve.min[0];
            curve.max[c] = curve.max[0];
            continue;
        }
        find_range(stops, c, &curve.min[c], &curve.max[c]);
        curve.headroom_max = fmax(curve.headroom_max, curve.max[c]);
        for (size_t y = 0; y < stops.shape.height; y++)
            for (size_t x = 0; x < stops.shape.width; x++)
                view_set_value(stops, x, y, c,
                               clamp_unit((view_value(stops, x, y, c) - curve.min[c]) / (curve.max[c] - curve.min[c])));
    }
    return curve;
}

static Status new_map(const Image *rendering, const Image *picture, const Light *light, Image **map, GainCurve *curve) {
    Shape shape = shape_with_type(picture->view.shape, PIXEL_F32);
    shape.channels = colours_of(shape);
    TRY(image_create_unfilled(shape, map));
    share_pieces((*map)->view.shape.height, stops_of_row,
                 &(Stops){picture->view, rendering->view, (*map)->view, light});
    *curve = scale_stops((*map)->view, &rendering->gain_curve);
    return STATUS_OK;
}

/* Coding rounds the picture, and at this quality files need not be small: the map then makes up for that, too. A number
 * of bytes to keep to would be reached by another quality, which is not known yet. */
static bool is_exact(const Format *format, const SaveOptions *how) {
    enum { EXACT_QUALITY = 100 };
    return format && !(save_value(how, "quality") < EXACT_QUALITY) && save_bytes(how) == SIZE_MAX;
}

/* The picture as it comes back from a file. *seen stays NULL where the format does not take it: encoding says why. */
static Status pass_coding(const Format *format, SaveOptions how, const Image *about, const Image *picture,
                          Image **seen) {
    const Image bare = {.view = picture->view, .profile = about->profile, .profile_size = about->profile_size};
    Bytes file;
    if (!format_writes(format, bare.view.shape))
        return STATUS_OK;
    how.lost = NULL;
    TRY(codec_encode(format, &bare, how, &file));
    const Status status = codec_decode(file, seen);
    bytes_free(&file);
    if (status == STATUS_OK && !shape_equal((*seen)->view.shape, bare.view.shape))
        image_destroy(seen);
    return status;
}

Status rendering_split(const Format *format, const SaveOptions *how, Image **image) {
    const Image *from = *image;
    const Shape shape = shape_with_type(from->view.shape, PIXEL_U8);
    Light light;
    Image *made, *map, *seen = NULL;
    GainCurve curve;
    if (!from->rendered || !from->gain_map)
        return STATUS_OK;
    TRY(open_light(from, &light));
    TRY(image_create_unfilled(shape, &made));
    share_pieces(shape.height, unrender_row,
                 &(Job){from->view, made->view, from->gain_map->view, &from->gain_curve, &light});
    Status status = picture_fit_channels(format, &made);
    if (status == STATUS_OK && is_exact(format, how))
        status = pass_coding(format, *how, from, made, &seen);
    if (status == STATUS_OK)
        status = new_map(from, seen ? seen : made, &light, &map, &curve);
    image_destroy(&seen);
    if (status != STATUS_OK) {
        image_destroy(&made);
        return status;
    }
    image_replace(image, made);
    image_destroy(&made->gain_map);
    made->gain_map = map;
    made->gain_curve = curve;
    made->rendered = false;
    return STATUS_OK;
}

Status rendering_settle(Image *image) {
    if (!image->rendered)
        return STATUS_OK;
    if (image->profile)
        TRY(icc_linear_to_srgb(image->view, image->profile, image->profile_size));
    free(image->profile);
    image->profile = NULL;
    image->profile_size = 0;
    image_destroy(&image->gain_map);
    image->rendered = false;
    return STATUS_OK;
}

bool rendering_is_wanted(const Format *format) {
    return format && format->writes & F32 && !(format->writes & (U8 | U16));
}

Status rendering_fit(const Format *format, const SaveOptions *how, Image **image) {
    if (rendering_is_wanted(format))
        TRY(rendering_make(image));
    else if (format && format->holds & EXTRA_GAIN_MAP)
        TRY(rendering_split(format, how, image));
    return rendering_settle(*image);
}

Status picture_tone(const Image *picture, ToneCurve *tone) {
    if (!picture->rendered)
        return icc_tone(picture->profile, picture->profile_size, tone);
    *tone = (ToneCurve){.gamma = 1};
    return STATUS_OK;
}
