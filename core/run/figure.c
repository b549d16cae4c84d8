/* figure.c: a figure, pixel by pixel. */
#include "core/run/figure.h"

#include "core/base/share.h"
#include "core/math/tone.h"
#include "core/scene/scene_parts.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = LAYERS_SIDE, RIGHT = 1, BELOW = 2 };

/* By which part of the depths of all objects an object is farther behind a line around another. */
#define JUMP 0.03F

Figure figure_of_style(const FigureStyle *style) {
    const double shade = (int)style->background == BACKGROUND_BLACK ? 0 : 1;
    return (Figure){.transparent = figure_style_is_clear(style),
                    .background = {shade, shade, shade},
                    .outline = style->outline,
                    .crease = style->crease >= 1 ? style->crease : 0,
                    .cue = style->cue,
                    .shadow = style->shadow > 0};
}

unsigned figure_layers(const Figure *figure) {
    return (figure->outline > 0 ? 1U << LAYER_RAYS : 0) |
           (figure->outline > 0 && figure->crease > 0 ? 1U << LAYER_TURNS : 0) |
           (figure->cue > 0 ? 1U << LAYER_DEPTH : 0);
}

/* ---- masks ---- */

static Status black_copy(const Scene *scene, Scene **copy) {
    TRY(scene_copy(scene, copy));
    for (size_t i = 0; i < (*copy)->material_count; i++)
        (*copy)->materials[i] = (Material){.kind = MATERIAL_DIFFUSE, .refraction = 1};
    (*copy)->light_count = 0;
    return STATUS_OK;
}

Status figure_past_scene(const Scene *scene, Scene **past) {
    return black_copy(scene, past);
}

Status figure_mask_scene(const Scene *scene, bool ground, Scene **mask) {
    const Colour red = {1, 0, 0}, green = {0, 1, 0};
    TRY(black_copy(scene, mask));
    Scene *made = *mask;
    made->sky = (Sky){.kind = SKY_GRADIENT, .horizon = red, .zenith = red};
    made->ground.even = made->ground.odd = green;
    if (!ground || !made->has_ground)
        return STATUS_OK;
    const Status status = scene_add_material(made, (Material){.kind = MATERIAL_LIGHT, .refraction = 1, .emission = 1},
                                             &made->ground.material);
    if (status != STATUS_OK)
        scene_copy_free(scene, mask);
    return status;
}

/* ---- what a pixel is made of ---- */

typedef struct Making {
    const Figure *figure;
    const FigureLight *light;
    const Layers *layers;
    float near, far;        /* of all surfaces */
    float turn;             /* the cosine of the angle of creases */
    unsigned char *creases; /* by ray: RIGHT and BELOW, where one is before the next; or NULL */
    ImageView to;
} Making;

/* Light, times alpha. */
typedef struct Pixel {
    double light[3], alpha;
} Pixel;

static const float *at(ImageView view, size_t x, size_t y) {
    return (const float *)view_row(view, y) + x * (size_t)view.shape.channels;
}

/* The share of light that reaches a pixel of ground alone; negative: other things are in it. */
static double openness(const Making *making, size_t x, size_t y) {
    const float *light = at(making->light->light, x, y), *mask = at(making->light->mask, x, y),
                *past = at(making->light->past, x, y);
    const Vec open = making->figure->open;
    const float ground = mask[1], all = open.x + open.y + open.z;
    if (ground <= 0 || ground + mask[0] < 1 - 1e-4F || !(all > 0))
        return -1;
    const float sum = light[0] + light[1] + light[2] - past[0] - past[1] - past[2];
    return clamp_unit((double)(sum / (ground * all)));
}

/* The same for a pixel that shows other things, too: the mean of its neighbours; 1 without any. */
static double openness_near(const Making *making, size_t x, size_t y) {
    enum { REACH = 2 };
    const Shape shape = making->to.shape;
    const double own = openness(making, x, y);
    double sum = 0, count = 0;
    if (own >= 0)
        return own;
    for (size_t v = y < REACH ? 0 : y - REACH; v <= y + REACH && v < shape.height; v++)
        for (size_t u = x < REACH ? 0 : x - REACH; u <= x + REACH && u < shape.width; u++) {
            const double open = openness(making, u, v);
            sum += open >= 0 ? open : 0;
            count += open >= 0;
        }
    return count > 0 ? sum / count : 1;
}

/* Objects, and shadows on the ground. */
static Pixel objects_of(const Making *making, size_t x, size_t y) {
    const float *light = at(making->light->light, x, y), *mask = at(making->light->mask, x, y),
                *past = at(making->light->past, x, y);
    const Figure *figure = making->figure;
    Pixel pixel = {{(double)(light[0] - past[0]), (double)(light[1] - past[1]), (double)(light[2] - past[2])},
                   clamp_unit(1 - (double)mask[0])};
    const double ground = figure->shadow ? (double)mask[1] : 0;
    if (ground > 0) {
        const double open = openness_near(making, x, y);
        const Vec whole = figure->open;
        const double lit[3] = {(double)whole.x, (double)whole.y, (double)whole.z};
        const bool alone = pixel.alpha - ground < 1e-4;
        for (int c = 0; c < 3; c++)
            pixel.light[c] = alone ? 0 : pixel.light[c] - ground * open * lit[c];
        pixel.alpha = clamp_unit(pixel.alpha - ground) + ground * (1 - open);
    }
    for (int c = 0; c < 3; c++)
        pixel.light[c] = pixel.alpha > 0 ? fmax(pixel.light[c], 0) : 0;
    return pixel;
}

/* ---- depths ---- */

static void fade(const Making *making, size_t x, size_t y, Pixel *pixel) {
    const float *depths = making->layers->planes[LAYER_DEPTH];
    const float depth = depths[y * making->layers->width + x];
    if (!(depth < INFINITY) || !(making->far > making->near))
        return;
    const double share = (double)((depth - making->near) / (making->far - making->near));
    const double kept = 1 - making->figure->cue * clamp_unit(share);
    for (int c = 0; c < 3; c++)
        pixel->light[c] *= kept;
    pixel->alpha *= kept;
}

/* How far a ray's depth is from the plane through its neighbours; INFINITY where one of the three hits no mesh. */
static float bend_at(const Making *making, size_t before, size_t ray, size_t behind) {
    const float *depths = making->layers->planes[LAYER_RAYS];
    const uint32_t *turns = making->layers->planes[LAYER_TURNS];
    return turns[before] && turns[ray] && turns[behind] ? fabsf(depths[before] + depths[behind] - 2 * depths[ray])
                                                        : INFINITY;
}

/* Whether a mesh turns between a ray and the next one, or a part of it stands before another. Depths then leave the
 * planes on both sides. Rays are `step` apart, and `place` is the first one's in a row or column of `count`. */
static bool is_crease(const Making *making, size_t ray, size_t step, size_t place, size_t count) {
    const uint32_t *turns = making->layers->planes[LAYER_TURNS];
    const size_t next = ray + step;
    if (place + 1 >= count || turns[ray] == 0 || turns[next] == 0)
        return false;
    if (vec_dot(layers_turned(turns[ray]), layers_turned(turns[next])) < making->turn)
        return true;
    const float jump = JUMP * (making->far - making->near);
    return place > 0 && place + 2 < count && bend_at(making, ray - step, ray, next) > jump &&
           bend_at(making, ray, next, next + step) > jump;
}

static void mark_creases(const void *job, size_t y) {
    const Making *making = job;
    const size_t width = making->layers->width * SIDE, height = making->layers->height * SIDE;
    for (size_t x = 0, ray = y * width; x < width; x++, ray++)
        making->creases[ray] = (unsigned char)((is_crease(making, ray, 1, x, width) ? RIGHT : 0) |
                                               (is_crease(making, ray, width, y, height) ? BELOW : 0));
}

/* Whether, within a disc around a ray, something else is seen, nearer or farther by a jump, or a crease. */
static bool ray_is_on_line(const Making *making, size_t px, size_t py, long reach, double square) {
    const size_t width = making->layers->width * SIDE, height = making->layers->height * SIDE;
    const float *depths = making->layers->planes[LAYER_RAYS];
    const uint32_t *objects = (const uint32_t *)(const void *)(depths + width * height);
    const float own = depths[py * width + px], jump = JUMP * (making->far - making->near);
    for (long v = -reach; v <= reach; v++)
        for (long u = -reach; u <= reach; u++) {
            const size_t x = px + (size_t)u, y = py + (size_t)v; /* below 0 they are beyond the other side */
            if ((double)(u * u + v * v) > square || x >= width || y >= height)
                continue;
            const size_t ray = y * width + x;
            const float other = depths[ray];
            const bool another = objects[ray] != objects[py * width + px];
            if ((own < INFINITY) != (other < INFINITY) || (own < INFINITY && another && fabsf(own - other) > jump))
                return true;
            const int creases = making->creases ? making->creases[ray] : 0;
            if ((creases & RIGHT && (double)((u + 1) * (u + 1) + v * v) <= square) ||
                (creases & BELOW && (double)(u * u + (v + 1) * (v + 1)) <= square))
                return true;
        }
    return false;
}

/* The share of a pixel that lines take. A jump lies between the rays on its two sides, on a mean a quarter of their
 * distance beyond the nearer one. */
static double line_share(const Making *making, size_t x, size_t y) {
    const double radius = making->figure->outline * SIDE / 2 + 0.25;
    int on = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        on += ray_is_on_line(making, x * SIDE + i % SIDE, y * SIDE + i / SIDE, (long)radius, radius * radius);
    return (double)on / (SIDE * SIDE);
}

static void find_depths(Making *making) {
    const Layers *layers = making->layers;
    const float *depths = layers->planes[LAYER_RAYS] ? layers->planes[LAYER_RAYS] : layers->planes[LAYER_DEPTH];
    const size_t count = layers->width * layers->height * (layers->planes[LAYER_RAYS] ? SIDE * SIDE : 1);
    making->near = INFINITY;
    making->far = -INFINITY;
    for (size_t i = 0; i < count && depths; i++)
        if (depths[i] < INFINITY) {
            making->near = fminf(making->near, depths[i]);
            making->far = fmaxf(making->far, depths[i]);
        }
}

/* ---- all of it ---- */

static void store(const Making *making, Pixel pixel, size_t x, size_t y) {
    const Figure *figure = making->figure;
    const bool light = making->to.shape.type == PIXEL_F32;
    const int channels = making->to.shape.channels;
    const size_t first = x * (size_t)channels;
    unsigned char *bytes = (unsigned char *)view_row(making->to, y) + (light ? 0 : first);
    float *values = (float *)view_row(making->to, y) + (light ? first : 0);
    for (int c = 0; c < 3; c++) {
        double value = pixel.light[c]; /* times alpha */
        if (!light && pixel.alpha > 0)
            value = pixel.alpha * clamp_unit(figure->film ? film_curve(value / pixel.alpha) : value / pixel.alpha);
        if (!figure->transparent)
            value += (1 - pixel.alpha) * srgb_decode(figure->background[c]);
        else if (!light && pixel.alpha > 0)
            value /= pixel.alpha;
        if (light)
            values[c] = (float)value;
        else
            bytes[c] = (unsigned char)lrint(255 * clamp_unit(srgb_encode(value)));
    }
    if (channels == 4 && light)
        values[3] = (float)pixel.alpha;
    else if (channels == 4)
        bytes[3] = (unsigned char)lrint(255 * pixel.alpha);
}

static void make_row(const void *job, size_t y) {
    const Making *making = job;
    for (size_t x = 0; x < making->to.shape.width; x++) {
        Pixel pixel = objects_of(making, x, y);
        if (making->figure->cue > 0)
            fade(making, x, y, &pixel);
        const double line = making->figure->outline > 0 ? line_share(making, x, y) : 0;
        for (int c = 0; c < 3; c++)
            pixel.light[c] *= 1 - line;
        pixel.alpha = pixel.alpha * (1 - line) + line;
        store(making, pixel, x, y);
    }
}

Status figure_make(const Figure *figure, const FigureLight *light, const Layers *layers, ImageView to) {
    Making making = {.figure = figure, .light = light, .layers = layers, .to = to};
    const size_t rows = layers->height * SIDE;
    making.turn = cosf((float)figure->crease * 0.01745329252F);
    find_depths(&making);
    if (layers->planes[LAYER_TURNS] && layers->planes[LAYER_RAYS] && figure->crease > 0) {
        making.creases = malloc(rows * layers->width * SIDE + 1);
        if (!making.creases)
            return fail(STATUS_DEVICE, "no memory for lines of %zu x %zu pixels", layers->width, layers->height);
        share_pieces(rows, mark_creases, &making);
    }
    share_pieces(to.shape.height, make_row, &making);
    free(making.creases);
    return STATUS_OK;
}
