/* spheres.c: spheres of columns, in passes that all cores share. */
#include "core/scene/particles/spheres.h"

#include "core/base/memory.h"
#include "core/base/share.h"
#include "core/scene/particles/elements.h"
#include "core/scene/particles/legend.h"
#include "core/scene/particles/order.h"
#include "core/scene/particles/roles.h"
#include "core/scene/particles/spacing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 14 /* spheres that a thread takes at once */, COLOURS = 1024 };

/* Balls by which bonds are seen: a quarter of van der Waals radii, as viewers have it, and half of what touches. */
#define BALL       0.25f
#define BALL_APART 0.5f
#define STICK      0.15 /* Angstrom, the radius of bonds of elements */
/* Atoms that are nearer to each other than this are places of the same one. Angstrom, as in Open Babel (O'Boyle et al.,
 * Open Babel: An Open Chemical Toolbox, Journal of Cheminformatics 3, 2011). */
#define SAME_ATOM 0.4

/* How a sphere is wrong. */
typedef enum Fault { FAULT_NONE, FAULT_PLACE, FAULT_RADIUS, FAULT_ELEMENT } Fault;

/* The result of a piece of spheres. */
typedef struct Outcome {
    size_t kept;      /* they are its first */
    double low, high; /* of the values that colours stand for, or of red, green and blue */
    Vec min, max;     /* of the spheres that are kept */
    Fault fault;
    size_t at; /* the sphere that is wrong */
    double value;
} Outcome;

typedef struct Build {
    const Particles *particles;
    const ParticleOptions *options;
    const Roles *roles;
    Scene *scene;
    ParticleFrame *frame; /* what others shall match */
    Outcome *outcomes;    /* of each piece */
    Box box;              /* from which the origin is subtracted */
    double inverse[3][3]; /* of its sides */
    float *reaches;       /* of the bonds of each particle: bonds.h; of BONDS_DISTANCE one for all */
    uint32_t *numbers;    /* of each particle, for BONDS_FILE */
    uint32_t *rows;       /* of each particle, for discs */
    Sphere *normals;      /* of each row, as a centre; NULL: discs are not wanted */
} Build;

/* Without a call for each: fminf and fmaxf have rules for NAN. */
static inline float lower(float a, float b) {
    return a < b ? a : b;
}
static inline float higher(float a, float b) {
    return a > b ? a : b;
}

/* ---- places ---- */

/* A place of shares of the sides. */
static void from_shares(const Box *box, double at[3]) {
    const double shares[3] = {at[0], at[1], at[2]};
    for (int k = 0; k < 3; k++)
        at[k] =
            box->corner[k] + shares[0] * box->sides[0][k] + shares[1] * box->sides[1][k] + shares[2] * box->sides[2][k];
}

static void wrap(const Build *build, double at[3]) {
    double shares[3] = {0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            shares[i] += (at[k] - build->box.corner[k]) * build->inverse[k][i];
    for (int i = 0; i < 3; i++)
        shares[i] -= build->box.open[i] ? 0 : floor(shares[i]);
    from_shares(&build->box, shares);
    memcpy(at, shares, sizeof shares);
}

/* Whether the options' box has it; its numbers are those of the file. */
static bool is_clipped(const ParticleOptions *options, const double at[3]) {
    for (int k = 0; k < 3; k++)
        if (at[k] + options->origin[k] < options->clip[k] || at[k] + options->origin[k] > options->clip[k + 3])
            return true;
    return false;
}

/* Puts a sphere where it belongs; false if it is to be left out. */
static bool place(const Build *build, Sphere *sphere) {
    const ParticleOptions *options = build->options;
    double at[3] = {(double)sphere->x, (double)sphere->y, (double)sphere->z};
    if (!isfinite(at[0] + at[1] + at[2]))
        return false;
    if (build->roles->fractional)
        from_shares(&build->box, at);
    if (options->wrap > 0)
        wrap(build, at);
    if (is_clipped(options, at))
        return false;
    sphere->x = (float)(at[0] * options->scale);
    sphere->y = (float)(at[1] * options->scale);
    sphere->z = (float)(at[2] * options->scale);
    return true;
}

/* ---- the first pass: places and radii ---- */

static Fault size(const Build *build, Sphere *sphere, double *value) {
    const Roles *roles = build->roles;
    const Element *element;
    *value = (double)sphere->radius;
    switch (roles->radius_by) {
    case RADIUS_SPACING:
        sphere->radius = 0;
        return FAULT_NONE;
    case RADIUS_CONSTANT:
        sphere->radius = (float)roles->radius;
        return FAULT_NONE;
    case RADIUS_ELEMENT:
        element = element_by_number((int)fminf(fmaxf(sphere->radius, 0), 1000));
        sphere->radius = element ? element->radius * (float)build->options->scale : 0;
        sphere->radius *= roles->bonds_by == BONDS_NONE ? 1 : BALL;
        return element ? FAULT_NONE : FAULT_ELEMENT;
    default:
        sphere->radius *= (float)(roles->radius * build->options->scale);
        break;
    }
    *value = (double)sphere->radius;
    const bool seen = sphere->radius >= SPHERE_RADIUS_MIN && sphere->radius <= SPHERE_FARTHEST;
    return seen || (sphere->radius <= 0 && sphere->radius >= 0) ? FAULT_NONE : FAULT_RADIUS;
}

static Fault check(const Build *build, Sphere *sphere, double *value) {
    const float farthest = higher(higher(fabsf(sphere->x), fabsf(sphere->y)), fabsf(sphere->z));
    *value = (double)farthest;
    if (!(farthest <= SPHERE_FARTHEST))
        return FAULT_PLACE;
    const Fault fault = size(build, sphere, value);
    const bool of_element = build->roles->colour_by == COLOUR_VALUE && build->roles->map == MAP_ELEMENTS;
    if (fault != FAULT_NONE || !of_element)
        return fault;
    *value = (double)sphere->red;
    return element_by_number((int)fminf(fmaxf(sphere->red, 0), 1000)) ? FAULT_NONE : FAULT_ELEMENT;
}

static void note_sphere(const Roles *roles, const Sphere *s, Outcome *outcome) {
    const float r = s->radius;
    const Vec min = outcome->min, max = outcome->max;
    outcome->min = vec(lower(min.x, s->x - r), lower(min.y, s->y - r), lower(min.z, s->z - r));
    outcome->max = vec(higher(max.x, s->x + r), higher(max.y, s->y + r), higher(max.z, s->z + r));
    const float value = roles->colour_by == COLOUR_RGB ? higher(s->red, higher(s->green, s->blue)) : s->red;
    if (isfinite(value)) {
        outcome->low = (double)value < outcome->low ? (double)value : outcome->low;
        outcome->high = (double)value > outcome->high ? (double)value : outcome->high;
    }
}

static size_t piece_end(const Scene *scene, size_t piece) {
    const size_t end = (piece + 1) * PIECE;
    return end < scene->count ? end : scene->count;
}

static void place_piece(const void *job, size_t piece) {
    const Build *build = job;
    Sphere *spheres = build->scene->spheres;
    const size_t first = piece * PIECE, end = piece_end(build->scene, piece);
    Outcome outcome = {.low = INFINITY,
                       .high = -INFINITY,
                       .min = {INFINITY, INFINITY, INFINITY},
                       .max = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = first; i < end && outcome.fault == FAULT_NONE; i++) {
        if (!place(build, &spheres[i]))
            continue;
        outcome.fault = check(build, &spheres[i], &outcome.value);
        outcome.at = i;
        if (build->normals)
            spheres[i].material = (uint32_t)i;
        spheres[first + outcome.kept] = spheres[i];
        note_sphere(build->roles, &spheres[first + outcome.kept], &outcome);
        outcome.kept++;
    }
    build->outcomes[piece] = outcome;
}

static Status faulty(const Build *build, const Outcome *outcome) {
    const char *name = build->particles->name;
    const size_t row = outcome->at * (size_t)build->options->every + 1;
    switch (outcome->fault) {
    case FAULT_PLACE:
        return fail(STATUS_INPUT,
                    "%s: row %zu is %.4g from the origin along an axis, want 1e9 at most (scale=... or "
                    "origin=... brings it there)",
                    name, row, outcome->value);
    case FAULT_RADIUS:
        return fail(STATUS_INPUT, "%s: row %zu has a radius of %.4g, want 0, or 1e-6 to 1e9 (scale=... multiplies)",
                    name, row, outcome->value);
    default:
        return fail(STATUS_INPUT,
                    "%s: row %zu: element %.4g, want one whose size is known (radius=... and color=... need "
                    "none)",
                    name, row, outcome->value);
    }
}

/* Moves what pieces have kept together; all of it in *sum. */
static Status gather(const Build *build, size_t pieces, Outcome *sum) {
    Scene *scene = build->scene;
    *sum = (Outcome){.low = INFINITY,
                     .high = -INFINITY,
                     .min = {INFINITY, INFINITY, INFINITY},
                     .max = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < pieces; i++) {
        const Outcome *outcome = &build->outcomes[i];
        if (outcome->fault != FAULT_NONE)
            return faulty(build, outcome);
        if (sum->kept < i * PIECE)
            memmove(scene->spheres + sum->kept, scene->spheres + i * PIECE, outcome->kept * sizeof *scene->spheres);
        sum->kept += outcome->kept;
        sum->low = fmin(sum->low, outcome->low);
        sum->high = fmax(sum->high, outcome->high);
        const Vec a = outcome->min, b = outcome->max;
        sum->min = vec(fminf(sum->min.x, a.x), fminf(sum->min.y, a.y), fminf(sum->min.z, a.z));
        sum->max = vec(fmaxf(sum->max.x, b.x), fmaxf(sum->max.y, b.y), fmaxf(sum->max.z, b.z));
    }
    scene->count = sum->kept;
    return sum->kept > 0 ? STATUS_OK
                         : fail(STATUS_INPUT, "%s: no particle is within clip, or has a place", build->particles->name);
}

static Status place_all(Build *build, Outcome *sum) {
    const size_t pieces = (build->scene->count + PIECE - 1) / PIECE;
    build->outcomes = malloc(pieces * sizeof *build->outcomes);
    if (!build->outcomes)
        return fail(STATUS_DEVICE, "%s: no memory", build->particles->name);
    share_pieces(pieces, place_piece, build);
    const Status status = gather(build, pieces, sum);
    free(build->outcomes);
    return status;
}

/* ---- numbers ---- */

/* Orders the spheres by the numbers in their materials; numbers that no two have are kept in the frame. */
static Status take_ids(const Build *build) {
    Scene *scene = build->scene;
    uint32_t *ids = malloc(scene->count * sizeof *ids);
    bool apart = true;
    if (!ids)
        return fail(STATUS_DEVICE, "%s: no memory for the numbers of its particles", build->particles->name);
    const Status status = order_spheres(scene->spheres, scene->count);
    for (size_t i = 0; i < scene->count; i++) {
        ids[i] = scene->spheres[i].material;
        scene->spheres[i].material = 0;
        apart &= i == 0 || ids[i] > ids[i - 1];
    }
    if (status == STATUS_OK && apart)
        build->frame->ids = ids;
    else
        free(ids);
    return status;
}

/* ---- bonds ---- */

/* Keeps what tells bonds, before colours take its place. */
static Status note_bonds(Build *build) {
    const Roles *roles = build->roles;
    const Scene *scene = build->scene;
    const double scale = build->options->scale;
    const size_t count = roles->bonds_by == BONDS_DISTANCE ? 1 : scene->count;
    if (roles->bonds_by == BONDS_NONE)
        return STATUS_OK;
    void *made = malloc(count * (roles->bonds_by == BONDS_FILE ? sizeof(uint32_t) : sizeof(float)));
    if (!made)
        return fail(STATUS_DEVICE, "%s: no memory to find bonds", build->particles->name);
    if (roles->bonds_by == BONDS_FILE)
        build->numbers = made;
    else
        build->reaches = made;
    for (size_t i = 0; i < count; i++) {
        const Sphere *s = &scene->spheres[i];
        const bool of_element = roles->bonds_by == BONDS_FACTOR;
        const Element *element = of_element ? element_by_number((int)lower(higher(s->blue, 0), 1000)) : NULL;
        const double part = !of_element ? 0.5 : element ? (double)element->covalent : 0;
        if (build->reaches)
            build->reaches[i] = (float)(scale * roles->bonds * part);
        else
            build->numbers[i] = s->green >= 0 && s->green < 0x1p24f ? (uint32_t)s->green : UINT32_MAX;
    }
    return STATUS_OK;
}

static Status find_bonds(const Build *build, Bonds *bonds) {
    const char *const name = build->particles->name;
    const Scene *scene = build->scene;
    const size_t count = build->frame->count;
    const bool by_factor = build->roles->bonds_by == BONDS_FACTOR, periodic = build->frame->is_periodic;
    const Box *cell = &build->frame->box, all = box_repeated(cell, build->options->images);
    if (build->roles->bonds_by != BONDS_FILE)
        return bonds_by_distance(name, scene->spheres, scene->count, build->reaches, by_factor ? count : 1,
                                 (float)(by_factor ? SAME_ATOM * build->options->scale : 0), periodic ? &all : NULL,
                                 bonds);
    Bonds pairs;
    TRY(build->particles->bonds(build->particles, &pairs));
    const Status status = bonds_by_number(name, &pairs, build->numbers, scene->spheres, count, scene->count / count,
                                          periodic ? cell : NULL, bonds);
    bonds_free(&pairs);
    return status;
}

static Status add_bonds(const Build *build) {
    const ParticleOptions *options = build->options;
    const double thick = options->bond_radius > 0                   ? options->bond_radius
                         : build->roles->bonds_by == BONDS_DISTANCE ? 0.1 * build->roles->bonds
                                                                    : STICK;
    const float radius = (float)(thick * options->scale);
    if (build->roles->bonds_by == BONDS_NONE)
        return STATUS_OK;
    TRY(find_bonds(build, &build->frame->bonds));
    return bonds_draw(build->particles->name, &build->frame->bonds,
                      fminf(fmaxf(radius, SPHERE_RADIUS_MIN), SPHERE_FARTHEST), build->scene);
}

/* ---- discs ---- */

#define DISC 1.5f /* of spheres that touch: discs on a grid then leave no holes */

static Status read_normals(Build *build) {
    const Target *targets = build->roles->normals;
    const size_t rows = build->scene->count;
    if (!targets[0].column)
        return STATUS_OK;
    TRY(memory_fits(memory_product(rows, 2 * sizeof(Sphere) + sizeof(Cylinder)), build->particles->name));
    build->normals = calloc(rows, sizeof *build->normals);
    if (!build->normals)
        return fail(STATUS_DEVICE, "%s: no memory for %zu normals", build->particles->name, rows);
    return particles_fill(build->particles, targets, 3, (size_t)build->options->every, build->normals);
}

/* Keeps the rows, before colours take their place. */
static Status note_rows(Build *build) {
    const size_t count = build->scene->count;
    if (!build->normals)
        return STATUS_OK;
    build->rows = malloc(count * sizeof *build->rows);
    for (size_t i = 0; i < count && build->rows; i++)
        build->rows[i] = build->scene->spheres[i].material;
    return build->rows ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory for its discs", build->particles->name);
}

/* Discs take the place of spheres; those without a normal are left out. */
static Status make_discs(const Build *build) {
    Scene *scene = build->scene;
    if (!build->normals)
        return STATUS_OK;
    TRY(memory_fits(memory_sum(scene_bytes(scene), memory_product(scene->count, sizeof(Cylinder))),
                    build->particles->name));
    scene->cylinders = malloc(scene->count * sizeof *scene->cylinders);
    if (!scene->cylinders)
        return fail(STATUS_DEVICE, "%s: no memory for %zu discs", build->particles->name, scene->count);
    scene->capacity.cylinders = scene->count;
    for (size_t i = 0; i < scene->count; i++) {
        const Sphere *s = &scene->spheres[i];
        const Vec normal = sphere_centre(&build->normals[build->rows[i % build->frame->count]]);
        const float length = sqrtf(vec_dot(normal, normal));
        const Colour colour = {s->red, s->green, s->blue};
        if (length > 0 && isfinite(length))
            scene->cylinders[scene->cylinder_count++] =
                (Cylinder){.ends = {sphere_centre(s), vec_times(normal, 1 / length)},
                           .radius = s->radius,
                           .colours = {colour, colour},
                           .flat = 1,
                           .material = s->material};
    }
    return scene_resize(build->particles->name, 0, scene);
}

/* ---- the second pass: colours ---- */

typedef struct Paint {
    const Roles *roles;
    Scene *scene;
    Colour colours[COLOURS]; /* from the range's beginning to its end */
    double low, high;        /* of the range; equal: it has none */
    double factor;           /* (value - low) * factor is the index */
    float white, radius;     /* what 1 is stored as; the radius of all, or 0 */
    uint32_t material;       /* of all */
} Paint;

/* Okabe and Ito, Color Universal Design (2008), without black. */
static const Colour kinds[] = {
    {0.90f, 0.62f, 0.00f}, {0.34f, 0.71f, 0.91f}, {0.00f, 0.62f, 0.45f}, {0.94f, 0.89f, 0.26f},
    {0.00f, 0.45f, 0.70f}, {0.84f, 0.37f, 0.00f}, {0.80f, 0.47f, 0.65f}, {0.60f, 0.60f, 0.60f},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The colour of values that are not finite, and of all where nothing has a colour. */
static const Colour plain = {0.8f, 0.8f, 0.8f};

static Colour colour_of(const Paint *paint, float value) {
    if (!isfinite(value))
        return plain;
    if (paint->roles->map == MAP_ELEMENTS) {
        const Element *element = element_by_number((int)value);
        return element ? element->colour : plain;
    }
    if (paint->roles->map == MAP_KINDS)
        return kinds[(size_t)fmodf(fabsf(floorf(value)) + KINDS - 1, KINDS)];
    const double at = ((double)value - paint->low) * paint->factor;
    return paint->colours[at > 0 ? (at < COLOURS - 1 ? (size_t)at : COLOURS - 1) : 0];
}

static float share(float value, float white) {
    return lower(higher(value / white, 0), 1); /* NAN is 0 */
}

static void paint_piece(const void *job, size_t piece) {
    const Paint *paint = job;
    Sphere *spheres = paint->scene->spheres;
    const ColourBy by = paint->roles->colour_by;
    for (size_t i = piece * PIECE, end = piece_end(paint->scene, piece); i < end; i++) {
        Sphere *s = &spheres[i];
        const Colour colour = by == COLOUR_RGB ? (Colour){share(s->red, paint->white), share(s->green, paint->white),
                                                          share(s->blue, paint->white)}
                              : by == COLOUR_VALUE ? colour_of(paint, s->red)
                                                   : plain;
        s->red = colour.red;
        s->green = colour.green;
        s->blue = colour.blue;
        s->radius = paint->radius > 0 ? paint->radius : s->radius;
        s->material = paint->material;
    }
}

static void make_map(Paint *paint, const ParticleOptions *options, double low, double high) {
    if (options->range[0] < options->range[1] || options->range[0] > options->range[1]) {
        low = options->range[0];
        high = options->range[1];
    }
    const bool spread = high < low || high > low;
    paint->low = spread ? low : 0;
    paint->high = spread ? high : 0;
    paint->factor = spread ? COLOURS / (high - low) : 0;
    for (size_t i = 0; i < COLOURS; i++) {
        double rgb[3];
        particles_map_colour(paint->roles->map, low, high, (double)i / (COLOURS - 1), rgb);
        paint->colours[i] = (Colour){(float)rgb[0], (float)rgb[1], (float)rgb[2]};
    }
}

/* Colours of files are shares of 1, of 255 or of 65535: the first that no value exceeds. */
static float white_of(const Roles *roles, double high) {
    return roles->bytes || (high > 1 && high <= 255) ? 255 : high > 255 ? 65535 : 1;
}

static const char *column_of_colours(const Roles *roles) {
    for (size_t i = 0; i < roles->count; i++)
        if (roles->targets[i].member == offsetof(Sphere, red))
            return roles->targets[i].column->name;
    return "";
}

/* Words for figures. */
static void keep_legend(const Build *build, const Paint *paint) {
    const ParticleOptions *options = build->options;
    const bool mapped =
        build->roles->colour_by == COLOUR_VALUE && build->roles->map != MAP_KINDS && build->roles->map != MAP_ELEMENTS;
    ParticleLegend legend = {.scene = build->scene->serial,
                             .map = build->roles->map,
                             .low = paint->low,
                             .high = paint->high,
                             .scale = options->scale,
                             .has_box = build->particles->has_box && box_is_solid(&build->particles->box),
                             .box = build->box};
    for (int i = 0; i < 3; i++) {
        legend.origin[i] = options->origin[i];
        legend.box.corner[i] *= options->scale;
        for (int k = 0; k < 3; k++)
            legend.box.sides[i][k] *= options->scale * options->images[i];
    }
    snprintf(legend.column, sizeof legend.column, "%s", mapped ? column_of_colours(build->roles) : "");
    particles_legend_keep(&legend);
}

static Status paint_all(const Build *build, const Outcome *sum, float radius) {
    Paint paint = {.roles = build->roles, .scene = build->scene, .radius = radius};
    paint.white = white_of(build->roles, sum->high);
    make_map(&paint, build->options, sum->low, sum->high);
    if (build->options->emission > 0)
        TRY(scene_add_material(
            build->scene,
            (Material){.kind = MATERIAL_LIGHT, .refraction = 1, .emission = (float)build->options->emission},
            &paint.material));
    share_pieces((build->scene->count + PIECE - 1) / PIECE, paint_piece, &paint);
    keep_legend(build, &paint);
    return STATUS_OK;
}

/* ---- images ---- */

static size_t images_of(const ParticleOptions *options) {
    return memory_product((size_t)options->images[0],
                          memory_product((size_t)options->images[1], (size_t)options->images[2]));
}

static void copy_image(const void *job, size_t image) {
    const Build *build = job;
    const size_t along = (size_t)build->options->images[0], across = (size_t)build->options->images[1];
    const size_t count = build->scene->count;
    const double steps[3] = {(double)((image + 1) % along), (double)((image + 1) / along % across),
                             (double)((image + 1) / along / across)};
    double shift[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            shift[k] += steps[i] * build->box.sides[i][k] * build->options->scale;
    const Sphere *from = build->scene->spheres;
    Sphere *to = build->scene->spheres + (image + 1) * count;
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        to[i].x = (float)((double)from[i].x + shift[0]);
        to[i].y = (float)((double)from[i].y + shift[1]);
        to[i].z = (float)((double)from[i].z + shift[2]);
    }
}

/* The corners of the box around all images. */
static void widen(const Build *build, Vec *min, Vec *max) {
    for (int i = 0; i < 3; i++) {
        const double steps = (build->options->images[i] - 1) * build->options->scale, *side = build->box.sides[i];
        const Vec way = {(float)(steps * side[0]), (float)(steps * side[1]), (float)(steps * side[2])};
        *min = vec(min->x + fminf(way.x, 0), min->y + fminf(way.y, 0), min->z + fminf(way.z, 0));
        *max = vec(max->x + fmaxf(way.x, 0), max->y + fmaxf(way.y, 0), max->z + fmaxf(way.z, 0));
    }
}

static Status add_images(Build *build, Vec *min, Vec *max) {
    Scene *scene = build->scene;
    const size_t images = images_of(build->options), all = memory_product(images, scene->count);
    if (images <= 1)
        return STATUS_OK;
    widen(build, min, max);
    const float farthest = fmaxf(fmaxf(fmaxf(-min->x, max->x), fmaxf(-min->y, max->y)), fmaxf(-min->z, max->z));
    if (!(farthest <= SPHERE_FARTHEST))
        return fail(STATUS_USAGE, "%s: its images reach as far as %.4g, want 1e9 at most", build->particles->name,
                    (double)farthest);
    TRY(scene_resize(build->particles->name, all, scene));
    scene->count = all / images;
    share_pieces(images - 1, copy_image, build);
    scene->count = all;
    return STATUS_OK;
}

/* ---- all of it ---- */

Viewpoint particles_view(Vec min, Vec max) {
    const float angle = 30, sine = 0.258819045f; /* of half the angle */
    const Vec middle = vec_times(vec_along(min, 1, max), 0.5f), half = vec_minus(max, middle);
    const float least = 1e-6f * fabsf(middle.z); /* eight steps of single precision there: the eye is not the middle */
    const float away = fmaxf(sqrtf(vec_dot(half, half)) / sine, least);
    return (Viewpoint){vec(middle.x, middle.y, middle.z + away), middle, vec(0, 1, 0), angle};
}

static Status prepare_box(Build *build) {
    const Particles *particles = build->particles;
    const ParticleOptions *options = build->options;
    const bool solid = particles->has_box && box_is_solid(&particles->box);
    const char *needs = build->roles->fractional ? "coordinates in shares of it"
                        : options->wrap > 0      ? "wrap"
                        : images_of(options) > 1 ? "images"
                                                 : NULL;
    if (needs && !solid)
        return fail(build->roles->fractional ? STATUS_INPUT : STATUS_USAGE,
                    "%s: has no box of its own, which %s want%s", particles->name, needs,
                    options->wrap > 0 && !build->roles->fractional ? "s" : "");
    if (!solid)
        return STATUS_OK;
    build->box = particles->box;
    for (int k = 0; k < 3; k++)
        build->box.corner[k] -= options->origin[k];
    box_invert(&build->box, build->inverse);
    return STATUS_OK;
}

static Status fetch(Particles *particles, Roles *roles) {
    Column *columns[TARGETS_MAX + 3];
    size_t count = roles->count;
    for (size_t i = 0; i < count; i++)
        columns[i] = &particles->columns[roles->targets[i].column - particles->columns];
    for (size_t i = 0; i < 3 && roles->normals[i].column; i++)
        columns[count++] = &particles->columns[roles->normals[i].column - particles->columns];
    return particles->fetch ? particles->fetch(particles, columns, count) : STATUS_OK;
}

/* Has the frame's ranges decide where they are known. */
static void share_ranges(ParticleRanges *ranges, Outcome *sum, float *radius) {
    if (!ranges->known)
        *ranges = (ParticleRanges){true, sum->low, sum->high, *radius};
    sum->low = ranges->low;
    sum->high = ranges->high;
    *radius = ranges->radius;
}

static Status build_spheres(Build *build) {
    Scene *scene = build->scene;
    ParticleFrame *frame = build->frame;
    Outcome sum = {0};
    TRY(particles_fill(build->particles, build->roles->targets, build->roles->count, (size_t)build->options->every,
                       scene->spheres));
    TRY(read_normals(build));
    TRY(place_all(build, &sum));
    if (build->roles->has_ids)
        TRY(take_ids(build));
    float radius = 0;
    if (build->roles->radius_by == RADIUS_SPACING && !frame->ranges.known)
        radius = spacing_radius(scene->spheres, scene->count) * (build->roles->bonds_by == BONDS_NONE ? 1 : BALL_APART);
    if (build->normals)
        radius *= DISC;
    share_ranges(&frame->ranges, &sum, &radius);
    frame->count = scene->count;
    if (radius > 0) {
        sum.min = vec_minus(sum.min, vec(radius, radius, radius));
        sum.max = vec_along(sum.max, 1, vec(radius, radius, radius));
    }
    TRY(note_rows(build));
    TRY(note_bonds(build));
    TRY(paint_all(build, &sum, radius));
    TRY(add_images(build, &sum.min, &sum.max));
    TRY(add_bonds(build));
    TRY(make_discs(build));
    scene->viewpoint = particles_view(sum.min, sum.max);
    scene->has_viewpoint = true;
    return STATUS_OK;
}

/* The options, with the file's own origin where they have none. */
static ParticleOptions with_origin(const Particles *particles, const ParticleOptions *given) {
    ParticleOptions options = *given;
    const double *origin = given->origin;
    const bool chosen =
        origin[0] < 0 || origin[0] > 0 || origin[1] < 0 || origin[1] > 0 || origin[2] < 0 || origin[2] > 0;
    if (!chosen)
        memcpy(options.origin, particles->origin, sizeof options.origin);
    return options;
}

/* The box of places that are periodic, as the scene has it. */
static void keep_box(const Build *build) {
    ParticleFrame *frame = build->frame;
    const Box *box = &build->box;
    frame->is_periodic = build->particles->has_box && box_is_solid(&build->particles->box) && !build->roles->unwrapped;
    frame->box = *box;
    for (int i = 0; i < 3; i++) {
        frame->box.corner[i] *= build->options->scale;
        for (int k = 0; k < 3; k++)
            frame->box.sides[i][k] *= build->options->scale;
    }
}

void particle_frame_free(ParticleFrame *frame) {
    free(frame->ids);
    frame->ids = NULL;
    bonds_free(&frame->bonds);
}

Status particles_spheres(Particles *particles, const ParticleOptions *given, ParticleFrame *frame, Scene *scene) {
    const ParticleOptions chosen = with_origin(particles, given), *options = &chosen;
    Roles roles;
    ParticleFrame nobodys = {0};
    Build build = {
        .particles = particles, .options = options, .roles = &roles, .scene = scene, .frame = frame ? frame : &nobodys};
    TRY(roles_choose(particles, options, &roles));
    TRY(prepare_box(&build));
    TRY(fetch(particles, &roles));
    const size_t every = (size_t)options->every, rows = particles->rows / every + (particles->rows % every != 0);
    if (rows == 0)
        return fail(STATUS_INPUT, "%s: has no particles", particles->name);
    if (roles.normals[0].column && (frame || roles.bonds_by != BONDS_NONE))
        return fail(STATUS_USAGE, "%s: normals=discs is for files of one frame, and not for bonds", particles->name);
    TRY(memory_fits(memory_sum(particles->file.size, memory_product(rows, sizeof(Sphere))), particles->name));
    TRY(scene_resize(particles->name, rows, scene));
    keep_box(&build);
    const Status status = build_spheres(&build);
    free(build.reaches);
    free(build.numbers);
    free(build.rows);
    free(build.normals);
    if (!frame || status != STATUS_OK)
        particle_frame_free(build.frame);
    return status;
}
