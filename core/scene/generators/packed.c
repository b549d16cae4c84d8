/* packed.c: spheres of many materials that lie on a plane and do not overlap, with a sun, a sky and a camera.
 * Two spheres on a plane touch where the squared distance of their centres along it is 4 r r'. The largest sphere at a
 * point therefore follows from its neighbours. */
#include "core/math/pcg.h"
#include "core/scene/generators/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM = 4, DARTS = 24 }; /* of PCG32; how many places are tried for a sphere */

#define UNIT       50.0 /* the side of the square that each sphere has on average, in world units */
#define RADIUS_MIN 0.12 /* radii, in UNITs */
#define RADIUS_MAX 0.75
#define SMALLEST   0.01 /* where it is crowded; darts that have room for it land nearly everywhere */
#define GAP        1e-3 /* that neighbours keep, as a share of their size: rounding cannot make them overlap */

typedef struct Values {
    double count, seed;
} Values;

static const Param params[] = {
    {"count", "number of spheres", "", PARAM_WHOLE, offsetof(Values, count), 1, 400, 1e6, 50},
    {"seed", "seed of the random scenes", "", PARAM_WHOLE, offsetof(Values, seed), 0, 1, 4294967295, 1},
};

/* The materials, and the share of the spheres that has each; the shares add up to 1. */
static const struct {
    float share;
    Material material;
} mix[] = {
    {0.40f, {.kind = MATERIAL_DIFFUSE, .diffuse = 0.9f, .refraction = 1}},
    {0.22f, {.kind = MATERIAL_DIFFUSE, .diffuse = 0.8f, .specular = 0.3f, .phong_exponent = 60, .refraction = 1}},
    {0.12f, {.kind = MATERIAL_METAL, .diffuse = 0.1f, .specular = 0.85f, .phong_exponent = 400, .refraction = 1}},
    {0.08f,
     {.kind = MATERIAL_METAL,
      .diffuse = 0.1f,
      .specular = 0.8f,
      .phong_exponent = 40,
      .roughness = 0.2f,
      .refraction = 1}},
    {0.13f, {.kind = MATERIAL_GLASS, .specular = 1, .phong_exponent = 400, .refraction = 1.5f, .transmittance = 0.95f}},
    {0.05f, {.kind = MATERIAL_LIGHT, .refraction = 1, .emission = 4}},
};
enum { KINDS = sizeof mix / sizeof mix[0] };

/* The plane in UNITs, cut into cells so wide that spheres reach no farther than into the next one. */
typedef struct Plane {
    const Scene *scene;
    double side;
    size_t cells; /* along a side */
    uint32_t *first, *next;
} Plane;

static Status count(const void *values, size_t *spheres) {
    *spheres = (size_t)((const Values *)values)->count;
    return STATUS_OK;
}

static size_t cell_of(const Plane *plane, double at) {
    const size_t cell = (size_t)fmax(0, (at / plane->side + 0.5) * (double)plane->cells);
    return cell < plane->cells ? cell : plane->cells - 1;
}

/* The radius of the largest sphere that fits at (x, z), RADIUS_MAX at most. */
static double fits(const Plane *plane, double x, double z) {
    const size_t cx = cell_of(plane, x), cz = cell_of(plane, z), last = plane->cells - 1;
    double radius = RADIUS_MAX;
    for (size_t j = cz ? cz - 1 : 0; j <= (cz < last ? cz + 1 : last); j++)
        for (size_t i = cx ? cx - 1 : 0; i <= (cx < last ? cx + 1 : last); i++)
            for (uint32_t s = plane->first[j * plane->cells + i]; s != SPHERE_NONE; s = plane->next[s]) {
                const Sphere *other = &plane->scene->spheres[s];
                const double dx = (double)other->x / UNIT - x, dz = (double)other->z / UNIT - z;
                radius = fmin(radius, (dx * dx + dz * dz) / (4 * (double)other->radius / UNIT) * (1 - GAP));
            }
    return radius;
}

/* A coordinate that f32 holds in world units. */
static double throw_dart(const Plane *plane, Pcg *pcg) {
    return (double)(float)(plane->side * UNIT * ((double)pcg_float(pcg) - 0.5)) / UNIT;
}

/* Throws darts until one has room for `wanted`, or takes the one with the most room. */
static void place(const Plane *plane, double wanted, Pcg *pcg, Sphere *sphere) {
    double best = 0, best_x = 0, best_z = 0;
    for (int dart = 0; best < wanted && (dart < DARTS || best < SMALLEST); dart++) {
        const double x = throw_dart(plane, pcg), z = throw_dart(plane, pcg);
        const double room = fits(plane, x, z);
        if (room > best) {
            best = room;
            best_x = x;
            best_z = z;
        }
    }
    sphere->radius = (float)(fmin(best, wanted) * UNIT);
    sphere->x = (float)(best_x * UNIT);
    sphere->y = sphere->radius;
    sphere->z = (float)(best_z * UNIT);
}

static uint32_t draw_kind(Pcg *pcg) {
    float left = pcg_float(pcg);
    uint32_t kind = 0;
    while (kind + 1 < KINDS && left >= mix[kind].share)
        left -= mix[kind++].share;
    return kind;
}

/* The large ones first, as one fills a jar. */
static void place_all(Plane *plane, uint32_t first_material, uint64_t seed, Scene *scene) {
    Pcg pcg = pcg_seed(seed, STREAM);
    for (size_t i = 0; i < scene->count; i++) {
        Sphere *sphere = &scene->spheres[i];
        const double rank = (double)i / (double)scene->count;
        place(plane, RADIUS_MIN + (RADIUS_MAX - RADIUS_MIN) * (1 - rank) * (1 - rank) * (1 - rank), &pcg, sphere);
        uint32_t *first = &plane->first[cell_of(plane, (double)sphere->z / UNIT) * plane->cells +
                                        cell_of(plane, (double)sphere->x / UNIT)];
        plane->next[i] = *first;
        *first = (uint32_t)i;
        sphere->material = first_material + draw_kind(&pcg);
        sphere->red = 0.15f + 0.8f * pcg_float(&pcg);
        sphere->green = 0.15f + 0.8f * pcg_float(&pcg);
        sphere->blue = 0.15f + 0.8f * pcg_float(&pcg);
    }
}

static Status surround(double side, Scene *scene, uint32_t *first_material) {
    uint32_t last;
    TRY(scene_add_material(scene, mix[0].material, first_material));
    for (size_t i = 1; i < KINDS; i++)
        TRY(scene_add_material(scene, mix[i].material, &last));
    TRY(scene_add_light(scene, (Light){LIGHT_SUN, {-0.5f, 0.8f, 0.35f}, {2.6f, 2.4f, 2.1f}, SUN_ANGLE_DEFAULT}));
    scene->ground = (Ground){0, (float)UNIT, {0.75f, 0.73f, 0.68f}, {0.28f, 0.30f, 0.33f}, 0};
    scene->has_ground = true;
    scene->sky = (Sky){.kind = SKY_GRADIENT, .horizon = {0.85f, 0.90f, 0.95f}, .zenith = {0.25f, 0.45f, 0.85f}};
    const float half = (float)(side * UNIT / 2);
    scene->viewpoint =
        (Viewpoint){{0.25f * half, 0.55f * half + 60, 1.7f * half + 150}, {0, 0, 0.1f * half}, {0, 1, 0}, 40};
    scene->has_viewpoint = true;
    return STATUS_OK;
}

static Status generate(const void *values, Scene *scene) {
    const Values *v = values;
    const double side = sqrt((double)scene->count);
    const size_t cells = (size_t)fmax(1, floor(side / (2 * RADIUS_MAX)));
    Plane plane = {.scene = scene, .side = side, .cells = cells};
    uint32_t first_material;
    TRY(surround(side, scene, &first_material));
    plane.first = malloc(cells * cells * sizeof *plane.first);
    plane.next = malloc(scene->count * sizeof *plane.next);
    Status status = fail(STATUS_DEVICE, "packed: no memory for %zu spheres", scene->count);
    if (plane.first && plane.next) {
        memset(plane.first, 0xFF, cells * cells * sizeof *plane.first); /* SPHERE_NONE */
        place_all(&plane, first_material, (uint64_t)v->seed, scene);
        status = STATUS_OK;
    }
    free(plane.first);
    free(plane.next);
    return status;
}

const SceneGenerator scene_packed = {"packed",
                                     "Spheres of many materials side by side on a plane, in the sun.",
                                     {params, sizeof params / sizeof params[0], sizeof(Values)},
                                     count,
                                     generate};
