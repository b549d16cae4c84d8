/* scene_parts.c: reading and writing each part; the table is at the bottom. */
#include "core/scene/scene_parts.h"

#include "core/base/bytes.h"
#include "core/scene/daylight.h"
#include "core/scene/shading_context.h"
#include "core/scene/sky.h"
#include "core/scene/spectrum.h"

#include <stdlib.h>
#include <string.h>

#define THETA_MAX    1.15 /* beyond it cells are opened all the same */
#define SUBSTEPS_MAX 64
#define FARTHEST     ((double)SPHERE_FARTHEST)
#define BRIGHTEST    ((double)BRIGHTNESS_MAX)

/* Rows of tables: `member` is that of the values' struct. */
#define ROW(Values, name, help, unit, member, min, default_value, max, step)                                           \
    { name, help, unit, PARAM_NUMBER, offsetof(Values, member), min, default_value, max, step }
#define NUMBER(Values)                                                                                                 \
    { "number", "which one, from 1 on", "", PARAM_WHOLE, offsetof(Values, number), 1, 1, 4294967295, 1 }
/* NOLINTBEGIN(bugprone-macro-parentheses): offsetof takes none */
#define COLOUR(Values, r, g, b, of, member)                                                                            \
    ROW(Values, #r, of, "", member.red, 0, 1, 1, 0.01), ROW(Values, #g, of, "", member.green, 0, 1, 1, 0.01),          \
        ROW(Values, #b, of, "", member.blue, 0, 1, 1, 0.01)
#define KELVIN(Values, member)                                                                                         \
    ROW(Values, "kelvin", "the temperature of a black body of this colour; 0: red, green and blue tell it", "K",       \
        member.kelvin, 0, 0, KELVIN_MAX, 100)
/* NOLINTEND(bugprone-macro-parentheses) */
#define PLACE(Values, name) ROW(Values, #name, "the position", "world units", name, -FARTHEST, 0, FARTHEST, 1)

/* A colour in numbers as tables have them. */
typedef struct Tint {
    double red, green, blue;
    double kelvin; /* above 0: the colour is a black body's */
} Tint;

static Tint tint_of(float red, float green, float blue) {
    return (Tint){(double)red, (double)green, (double)blue, 0};
}

static Colour colour_from(Tint tint, double strength) {
    if (tint.kelvin > 0) {
        const Colour glow = black_body(fmax(tint.kelvin, KELVIN_MIN));
        tint = tint_of(glow.red, glow.green, glow.blue);
    }
    return (Colour){(float)(tint.red * strength), (float)(tint.green * strength), (float)(tint.blue * strength)};
}

static double brightest(Colour colour) {
    return (double)fmaxf(colour.red, fmaxf(colour.green, colour.blue));
}

/* A colour divided by its strength; white for black. */
static Tint tint_at(Colour colour, double strength) {
    return strength > 0 ? (Tint){(double)colour.red / strength, (double)colour.green / strength,
                                 (double)colour.blue / strength, 0}
                        : (Tint){1, 1, 1, 0};
}

/* ---- materials ---- */

typedef struct Finish {
    double kind, diffuse, specular, shine, roughness, refraction, transmittance, emission, coat, coat_roughness;
    double film, film_refraction;
} Finish;

#define FINISH(Values)                                                                                                 \
    {"material",                                                                                                       \
     "the surface's effect on light",                                                                                  \
     "diffuse|metal|glass|light",                                                                                      \
     PARAM_CHOICE,                                                                                                     \
     offsetof(Values, finish.kind),                                                                                    \
     0,                                                                                                                \
     0,                                                                                                                \
     MATERIAL_KINDS - 1,                                                                                               \
     1},                                                                                                               \
        ROW(Values, "diffuse", "the share of the light that is scattered", "", finish.diffuse, 0, 1, 1, 0.01),         \
        ROW(Values, "specular", "the share that is mirrored or, for diffuse surfaces, in the highlight", "",           \
            finish.specular, 0, 0, 1, 0.01),                                                                           \
        ROW(Values, "shine", "Phong's exponent: the higher, the smaller the highlight", "", finish.shine, 0, 0,        \
            (double)MATERIAL_PHONG_EXPONENT_MAX, 1),                                                                   \
        ROW(Values, "roughness", "of metal and glass: 0 is clean", "", finish.roughness, 0, 0, 1, 0.01),               \
        ROW(Values, "refraction", "the index of refraction; glass has 1.5, water 1.33", "", finish.refraction,         \
            (double)MATERIAL_REFRACTION_MIN, 1, (double)MATERIAL_REFRACTION_MAX, 0.01),                                \
        ROW(Values, "transmittance", "the share that goes through", "", finish.transmittance, 0, 0, 1, 0.01),          \
        ROW(Values, "emission", "a factor on the colour that shines", "", finish.emission, 0, 0, BRIGHTEST, 0.1),      \
        ROW(Values, "coat", "the share of a diffuse surface or metal that lacquer covers", "", finish.coat, 0, 0, 1,   \
            0.01),                                                                                                     \
        ROW(Values, "coat_roughness", "0 is clean lacquer", "", finish.coat_roughness, 0, 0, 1, 0.01),                 \
        ROW(Values, "film", "the thickness of a clear film on metal or glass, 0: none", "nm", finish.film, 0, 0,       \
            (double)MATERIAL_FILM_MAX, 10),                                                                            \
        ROW(Values, "film_refraction", "the film's index of refraction", "", finish.film_refraction,                   \
            (double)MATERIAL_FILM_REFRACTION_MIN, (double)MATERIAL_FILM_REFRACTION_DEFAULT,                            \
            (double)MATERIAL_FILM_REFRACTION_MAX, 0.01)

const char *const material_examples[MATERIAL_KINDS] = {
    [MATERIAL_DIFFUSE] =
        "material=diffuse:diffuse=1:specular=0:shine=0:roughness=0:refraction=1:transmittance=0:emission=0",
    [MATERIAL_METAL] = "material=metal:diffuse=0:specular=0.95:roughness=0.1:transmittance=0:emission=0",
    [MATERIAL_GLASS] = "material=glass:diffuse=0:specular=1:roughness=0:refraction=1.5:transmittance=0.95:emission=0",
    [MATERIAL_LIGHT] = "material=light:diffuse=0:specular=0:transmittance=0:emission=4",
};

static Finish finish_of(const Scene *scene, uint32_t index) {
    const Material *m = &scene->materials[index];
    return (Finish){
        (double)m->kind,          (double)m->diffuse,
        (double)m->specular,      (double)m->phong_exponent,
        (double)m->roughness,     (double)m->refraction,
        (double)m->transmittance, (double)m->emission,
        (double)m->coat,          (double)m->coat_roughness,
        (double)m->film,          (double)(m->film > 0 ? m->film_refraction : MATERIAL_FILM_REFRACTION_DEFAULT)};
}

static bool finish_equal(Finish a, Finish b) {
    const double apart = fabs(a.kind - b.kind) + fabs(a.diffuse - b.diffuse) + fabs(a.specular - b.specular) +
                         fabs(a.shine - b.shine) + fabs(a.roughness - b.roughness) + fabs(a.refraction - b.refraction) +
                         fabs(a.transmittance - b.transmittance) + fabs(a.emission - b.emission) +
                         fabs(a.coat - b.coat) + fabs(a.coat_roughness - b.coat_roughness) + fabs(a.film - b.film);
    const bool has_film = a.film > 0 || b.film > 0;
    return !(apart > 0) && !(has_film && fabs(a.film_refraction - b.film_refraction) > 0);
}

/* A material of its own, unless nothing is other than before. */
static Status write_finish(Scene *scene, Finish finish, uint32_t *index) {
    const Finish now = finish_of(scene, *index);
    const Material material = {.kind = (MaterialKind)finish.kind,
                               .diffuse = (float)finish.diffuse,
                               .specular = (float)finish.specular,
                               .phong_exponent = (float)finish.shine,
                               .roughness = (float)finish.roughness,
                               .refraction = (float)finish.refraction,
                               .transmittance = (float)finish.transmittance,
                               .emission = (float)finish.emission,
                               .coat = (float)finish.coat,
                               .coat_roughness = (float)finish.coat_roughness,
                               .film = (float)finish.film,
                               .film_refraction = finish.film > 0 ? (float)finish.film_refraction : 0};
    return finish_equal(now, finish) ? STATUS_OK : scene_add_material(scene, material, index);
}

/* ---- spheres, triangles and cylinders ---- */

typedef struct Surface {
    double number;
    Tint colour;
    Finish finish;
    double x, y, z, radius; /* of a sphere; of a cylinder the radius */
} Surface;

#define SURFACE NUMBER(Surface), COLOUR(Surface, red, green, blue, "the surface's colour", colour), FINISH(Surface)

static const Param surface_params[] = {SURFACE, KELVIN(Surface, colour)};
static const Param sphere_params[] = {
    SURFACE,
    PLACE(Surface, x),
    PLACE(Surface, y),
    PLACE(Surface, z),
    ROW(Surface, "radius", "0 makes it invisible; one behind the last sphere adds a sphere", "world units", radius, 0,
        0, FARTHEST, 0.1),
    KELVIN(Surface, colour),
};

static const Param cylinder_params[] = {
    SURFACE,
    ROW(Surface, "radius", "0 makes it invisible", "world units", radius, 0, 0, FARTHEST, 0.1),
    KELVIN(Surface, colour),
};

static size_t count_spheres(const Scene *scene) {
    return scene->count;
}

static void read_sphere(const Scene *scene, size_t index, void *values) {
    const Sphere *sphere = &scene->spheres[index];
    *(Surface *)values = (Surface){.number = (double)index + 1,
                                   .colour = tint_of(sphere->red, sphere->green, sphere->blue),
                                   .finish = finish_of(scene, sphere->material),
                                   .x = (double)sphere->x,
                                   .y = (double)sphere->y,
                                   .z = (double)sphere->z,
                                   .radius = (double)sphere->radius};
}

/* Other places make another geometry. A hash of all of them is its number: whoever undoes a change, or has another
 * colour, finds the same BVH again. Numbers of scenes that are no copies never have the hash's first bit. `index` is
 * that of the primitive. */
static void note_geometry(Scene *scene, size_t index, Vec at, float radius) {
    const struct {
        uint64_t before, index;
        float place[4];
    } all = {scene_geometry(scene), index, {at.x, at.y, at.z, radius}};
    const uint64_t hash = bytes_hash((Bytes){(unsigned char *)(uintptr_t)&all, sizeof all});
    scene->serial = (scene->serial - scene_geometry(scene)) | UINT64_C(1) << (GEOMETRY_BITS - 1) |
                    (hash & ((UINT64_C(1) << (GEOMETRY_BITS - 1)) - 1));
}

/* Bodies are where gravity has moved them. */
static Status place_sphere(Scene *scene, const Scene *base, size_t index, const Surface *v) {
    Sphere *sphere = &scene->spheres[index], before = *sphere;
    const bool is_body = scene->bodies && index < scene->bodies->state->view.shape.width;
    sphere->x = (float)v->x;
    sphere->y = (float)v->y;
    sphere->z = (float)v->z;
    sphere->radius = v->radius > 0 ? fmaxf((float)v->radius, SPHERE_RADIUS_MIN) : 0;
    const Vec way = vec_minus(sphere_centre(sphere), sphere_centre(&before));
    const bool moved = vec_dot(way, way) > 0, resized = fabsf(sphere->radius - before.radius) > 0;
    if (moved && is_body)
        return fail(STATUS_USAGE, "sphere %zu: gravity moves it; want a sphere that is no body", index + 1);
    if (base && (moved || resized))
        note_geometry(scene, index, sphere_centre(sphere), sphere->radius);
    return STATUS_OK;
}

/* One that is not seen yet. */
static Status add_sphere(Scene *scene) {
    return scene_add_sphere(scene, (Sphere){.red = 1, .green = 1, .blue = 1});
}

static Status write_sphere(Scene *scene, const Scene *base, size_t index, const void *values) {
    const Surface *v = values;
    TRY(place_sphere(scene, base, index, v));
    Sphere *sphere = &scene->spheres[index];
    const Colour colour = colour_from(v->colour, 1);
    sphere->red = colour.red;
    sphere->green = colour.green;
    sphere->blue = colour.blue;
    return write_finish(scene, v->finish, &sphere->material);
}

static size_t count_triangles(const Scene *scene) {
    return scene->triangle_count;
}

static void read_triangle(const Scene *scene, size_t index, void *values) {
    const Triangle *triangle = &scene->triangles[index];
    const Colour colour = triangle->colour;
    *(Surface *)values = (Surface){.number = (double)index + 1,
                                   .colour = tint_of(colour.red, colour.green, colour.blue),
                                   .finish = finish_of(scene, triangle->material)};
}

static Status write_triangle(Scene *scene, const Scene *base, size_t index, const void *values) {
    const Surface *v = values;
    TRY(scene_own_triangles(scene, base));
    scene->triangles[index].colour = colour_from(v->colour, 1);
    return write_finish(scene, v->finish, &scene->triangles[index].material);
}

static size_t count_cylinders(const Scene *scene) {
    return scene->cylinder_count;
}

/* The colour is that of the first half. */
static void read_cylinder(const Scene *scene, size_t index, void *values) {
    const Cylinder *cylinder = &scene->cylinders[index];
    const Colour colour = cylinder->colours[0];
    *(Surface *)values = (Surface){.number = (double)index + 1,
                                   .colour = tint_of(colour.red, colour.green, colour.blue),
                                   .finish = finish_of(scene, cylinder->material),
                                   .radius = (double)cylinder->radius};
}

/* Both halves take another colour, and keep their own if the first one's is as before. */
static Status write_cylinder(Scene *scene, const Scene *base, size_t index, const void *values) {
    const Surface *v = values;
    TRY(scene_own_cylinders(scene, base));
    Cylinder *cylinder = &scene->cylinders[index];
    const Colour before = cylinder->colours[0], colour = colour_from(v->colour, 1);
    const float radius = v->radius > 0 ? fmaxf((float)v->radius, SPHERE_RADIUS_MIN) : 0;
    const bool resized = fabsf(radius - cylinder->radius) > 0;
    cylinder->radius = radius;
    if (fabsf(colour.red - before.red) + fabsf(colour.green - before.green) + fabsf(colour.blue - before.blue) > 0)
        cylinder->colours[0] = cylinder->colours[1] = colour;
    if (base && resized)
        note_geometry(scene, scene->count + scene->triangle_count + index, cylinder->ends[0], radius);
    return write_finish(scene, v->finish, &cylinder->material);
}

/* ---- the ground ---- */

typedef struct GroundValues {
    double height, side;
    Tint even, odd;
    Finish finish;
} GroundValues;

static const Param ground_params[] = {
    ROW(GroundValues, "height", "of the plane", "world units", height, -FARTHEST, 0, FARTHEST, 1),
    ROW(GroundValues, "side", "of a square of the chequerboard", "world units", side, (double)SPHERE_RADIUS_MIN, 1,
        FARTHEST, 1),
    COLOUR(GroundValues, even_red, even_green, even_blue, "of every other square", even),
    COLOUR(GroundValues, odd_red, odd_green, odd_blue, "of the squares between", odd),
    FINISH(GroundValues),
};

static size_t count_grounds(const Scene *scene) {
    return scene->has_ground;
}

static void read_ground(const Scene *scene, size_t index, void *values) {
    const Ground *g = &scene->ground;
    (void)index;
    *(GroundValues *)values =
        (GroundValues){(double)g->height, (double)g->side, tint_of(g->even.red, g->even.green, g->even.blue),
                       tint_of(g->odd.red, g->odd.green, g->odd.blue), finish_of(scene, g->material)};
}

static Status write_ground(Scene *scene, const Scene *base, size_t index, const void *values) {
    const GroundValues *v = values;
    Ground *g = &scene->ground;
    (void)base, (void)index;
    g->height = (float)v->height;
    g->side = (float)v->side;
    g->even = colour_from(v->even, 1);
    g->odd = colour_from(v->odd, 1);
    return write_finish(scene, v->finish, &g->material);
}

/* ---- light ---- */

/* Frees the sky's image, unless a copy borrows it. */
static void free_sky(Scene *scene, const Scene *base) {
    if (!base || scene->sky_file != base->sky_file)
        free(scene->sky_file);
    if (!base || scene->sky_image.texels != base->sky_image.texels)
        sky_free(&scene->sky_image);
    scene->sky_file = NULL;
    scene->sky_image = (SkyImage){0};
}

/* Whether nothing in the scene shines, so that it is shown by a sun and a sky that are not its own. */
static bool is_unlit(const Scene *scene) {
    bool shines = scene->light_count > 0 || scene->sky.kind != SKY_NONE;
    for (size_t m = 0; m < scene->material_count && !shines; m++) {
        if (scene->materials[m].kind != MATERIAL_LIGHT)
            continue;
        for (size_t i = 0; i < scene->count && !shines; i++)
            shines = scene->spheres[i].material == m && scene->spheres[i].radius > 0;
        for (size_t i = 0; i < scene->triangle_count && !shines; i++)
            shines = scene->triangles[i].material == m;
        for (size_t i = 0; i < scene->cylinder_count && !shines; i++)
            shines = scene->cylinders[i].material == m;
    }
    return !shines;
}

/* The light of scenes that have none. */
static void default_light(Light *sun, Sky *sky) {
    Material plain = material_plain();
    const Scene dark = {.materials = &plain, .material_count = 1};
    ShadingContext context;
    *sun = (Light){.kind = LIGHT_SUN, .at = {0, 1, 0}};
    *sky = (Sky){.kind = SKY_NONE};
    if (shading_context_create(&dark, &context) != STATUS_OK)
        return;
    *sun = context.lights[0];
    *sky = context.sky;
    shading_context_free(&context);
}

/* Makes that light the scene's own, if it is shown by it. */
static Status own_light(Scene *scene) {
    Light sun;
    Sky sky;
    if (!is_unlit(scene))
        return STATUS_OK;
    default_light(&sun, &sky);
    TRY(scene_add_light(scene, sun));
    scene->sky = sky;
    return STATUS_OK;
}

static size_t one(const Scene *scene) {
    (void)scene;
    return 1;
}

typedef struct Sun {
    double azimuth, altitude, strength;
    Tint colour;
    double angle;
} Sun;

static const Param sun_params[] = {
    ROW(Sun, "azimuth", "where it stands: 0 is ahead of the default camera (-z), 90 to the right (+x)", "degrees",
        azimuth, -360, 0, 360, 1),
    ROW(Sun, "altitude", "above the horizon; 90 is straight up (+y)", "degrees", altitude, -90, 45, 90, 1),
    ROW(Sun, "strength", "the light that a surface facing it receives; 0 is no sun", "", strength, 0, 0, BRIGHTEST,
        0.1),
    COLOUR(Sun, red, green, blue, "the sun's colour", colour),
    ROW(Sun, "angle", "that its disc fills: the larger, the softer the shadows", "degrees", angle, 0,
        (double)SUN_ANGLE_DEFAULT, (double)SUN_ANGLE_MAX, 0.1),
    KELVIN(Sun, colour),
};

#define DEGREES (180 / 3.14159265358979323846)

static Light *find_sun(const Scene *scene) {
    for (size_t i = 0; i < scene->light_count; i++)
        if (scene->lights[i].kind == LIGHT_SUN)
            return &scene->lights[i];
    return NULL;
}

static void read_sun(const Scene *scene, size_t index, void *values) {
    Light light;
    Sky sky;
    const Light *own = find_sun(scene);
    (void)index;
    default_light(&light, &sky);
    if (own)
        light = *own;
    else if (!is_unlit(scene))
        light.colour = (Colour){0, 0, 0};
    const double x = (double)light.at.x, y = (double)light.at.y, z = (double)light.at.z;
    const double strength = brightest(light.colour);
    *(Sun *)values = (Sun){atan2(x, -z) * DEGREES, atan2(y, hypot(x, z)) * DEGREES, strength,
                           tint_at(light.colour, strength), (double)light.angle};
}

static Status write_sun(Scene *scene, const Scene *base, size_t index, const void *values) {
    const Sun *v = values;
    const double level = cos(v->altitude / DEGREES), azimuth = v->azimuth / DEGREES;
    const Vec at = {(float)(sin(azimuth) * level), (float)sin(v->altitude / DEGREES), (float)(-cos(azimuth) * level)};
    const Light light = {LIGHT_SUN, at, colour_from(v->colour, v->strength), (float)v->angle};
    (void)base, (void)index;
    TRY(own_light(scene));
    Light *own = find_sun(scene);
    if (!own)
        return v->strength > 0 ? scene_add_light(scene, light) : STATUS_OK;
    *own = light;
    return STATUS_OK;
}

typedef struct DayValues {
    double altitude, azimuth, turbidity, albedo, height;
} DayValues;

static const Param day_params[] = {
    ROW(DayValues, "altitude", "of the sun above the horizon; below 0 is twilight", "degrees", altitude,
        DAYLIGHT_LOWEST, 45, 90, 1),
    ROW(DayValues, "azimuth", "where the sun stands: 0 is ahead of the default camera (-z), 90 to the right (+x)",
        "degrees", azimuth, -SKY_AZIMUTH_MAX, 0, SKY_AZIMUTH_MAX, 1),
    ROW(DayValues, "turbidity", "of the air: 2 is clear, 6 hazy", "", turbidity, 2, 3, 10, 0.1),
    ROW(DayValues, "albedo", "the share of light that the ground below the horizon sends back", "", albedo, 0, 0.2, 1,
        0.01),
    ROW(DayValues, "height", "of the eye above the ground: from a mountain or an aeroplane", "m", height, 0, 0,
        DAYLIGHT_HIGHEST, 100),
};

/* A scene without such a sky has the default one here. */
static void read_day(const Scene *scene, size_t index, void *values) {
    DayValues *v = values;
    Daylight day;
    bool is = false;
    (void)index;
    *v = (DayValues){45, 0, 3, 0.2, 0};
    if (scene->sky.kind != SKY_IMAGE || daylight_parse(scene->sky_file, &is, &day) != STATUS_OK || !is)
        return;
    *v = (DayValues){(double)day.altitude, (double)scene->sky.azimuth, (double)day.turbidity, (double)day.albedo,
                     (double)day.height};
}

/* Takes the place of the sky, which a copy borrows, and of the first sun. */
static Status write_day(Scene *scene, const Scene *base, size_t index, const void *values) {
    const DayValues *v = values;
    const Daylight day = {(float)v->altitude, (float)v->turbidity, (float)v->albedo, (float)v->height};
    const float azimuth = (float)v->azimuth;
    const Light sun = daylight_sun(&day, (double)azimuth);
    char name[DAYLIGHT_NAME];
    SkyImage image;
    (void)index;
    daylight_name(&day, name);
    Light *own = find_sun(scene);
    if (own)
        *own = sun;
    else
        TRY(scene_add_light(scene, sun));
    TRY(sky_of_day(&day, &image));
    char *file = strdup(name);
    if (!file) {
        sky_free(&image);
        return fail(STATUS_DEVICE, "no memory for a name");
    }
    free_sky(scene, base);
    scene->sky = (Sky){.kind = SKY_IMAGE, .azimuth = azimuth};
    scene->sky_file = file;
    scene->sky_image = image;
    return STATUS_OK;
}

typedef struct SkyValues {
    double strength;
    Tint horizon, zenith;
} SkyValues;

static const Param sky_params[] = {
    ROW(SkyValues, "strength", "a factor on its colours; 0 is a black sky", "", strength, 0, 1, BRIGHTEST, 0.1),
    COLOUR(SkyValues, horizon_red, horizon_green, horizon_blue, "where rays run level or downwards", horizon),
    COLOUR(SkyValues, zenith_red, zenith_green, zenith_blue, "straight up", zenith),
};

/* A sky that is an image is the part "environment". */
static size_t count_skies(const Scene *scene) {
    return scene->sky.kind != SKY_IMAGE;
}

static void read_sky(const Scene *scene, size_t index, void *values) {
    Light sun;
    Sky sky;
    (void)index;
    default_light(&sun, &sky);
    if (!is_unlit(scene))
        sky = scene->sky;
    const double strength = sky.kind == SKY_NONE ? 0 : fmax(brightest(sky.horizon), brightest(sky.zenith));
    *(SkyValues *)values = (SkyValues){strength, tint_at(sky.horizon, strength), tint_at(sky.zenith, strength)};
}

static Status write_sky(Scene *scene, const Scene *base, size_t index, const void *values) {
    const SkyValues *v = values;
    (void)base, (void)index;
    TRY(own_light(scene));
    scene->sky = (Sky){.kind = SKY_GRADIENT,
                       .horizon = colour_from(v->horizon, v->strength),
                       .zenith = colour_from(v->zenith, v->strength)};
    return STATUS_OK;
}

typedef struct EnvironmentValues {
    double azimuth;
} EnvironmentValues;

static const Param environment_params[] = {
    ROW(EnvironmentValues, "azimuth",
        "where the image's middle is: 0 is ahead of the default camera (-z), 90 to the right (+x)", "degrees", azimuth,
        -SKY_AZIMUTH_MAX, 0, SKY_AZIMUTH_MAX, 1),
};

static size_t count_environments(const Scene *scene) {
    return scene->sky.kind == SKY_IMAGE;
}

static void read_environment(const Scene *scene, size_t index, void *values) {
    (void)index;
    *(EnvironmentValues *)values = (EnvironmentValues){(double)scene->sky.azimuth};
}

static Status write_environment(Scene *scene, const Scene *base, size_t index, const void *values) {
    (void)base, (void)index;
    scene->sky.azimuth = (float)((const EnvironmentValues *)values)->azimuth;
    return STATUS_OK;
}

typedef struct Lamp {
    double number, x, y, z, strength;
    Tint colour;
} Lamp;

static const Param lamp_params[] = {
    NUMBER(Lamp),
    PLACE(Lamp, x),
    PLACE(Lamp, y),
    PLACE(Lamp, z),
    ROW(Lamp, "strength", "its light at a distance of 1", "", strength, 0, 1, BRIGHTEST, 0.1),
    COLOUR(Lamp, red, green, blue, "the light's colour", colour),
    KELVIN(Lamp, colour),
};

static size_t count_lamps(const Scene *scene) {
    size_t count = 0;
    for (size_t i = 0; i < scene->light_count; i++)
        count += scene->lights[i].kind != LIGHT_SUN;
    return count;
}

static Light *find_lamp(const Scene *scene, size_t index) {
    size_t at = 0;
    while (scene->lights[at].kind == LIGHT_SUN || index-- > 0)
        at++;
    return &scene->lights[at];
}

static void read_lamp(const Scene *scene, size_t index, void *values) {
    const Light *light = find_lamp(scene, index);
    const double strength = brightest(light->colour);
    *(Lamp *)values = (Lamp){(double)index + 1,
                             (double)light->at.x,
                             (double)light->at.y,
                             (double)light->at.z,
                             strength,
                             tint_at(light->colour, strength)};
}

static Status write_lamp(Scene *scene, const Scene *base, size_t index, const void *values) {
    const Lamp *v = values;
    Light *light = find_lamp(scene, index);
    (void)base;
    light->at = vec((float)v->x, (float)v->y, (float)v->z);
    light->colour = colour_from(v->colour, v->strength);
    return STATUS_OK;
}

/* A dark one. */
static Status add_lamp(Scene *scene) {
    return scene_add_light(scene, (Light){.kind = LIGHT_POINT});
}

/* ---- gravity ---- */

typedef struct GravityValues {
    double theta, softening, step, substeps;
} GravityValues;

static const Param gravity_params[] = {
    ROW(GravityValues, "theta", "how wide a cell of bodies may appear that pulls as one: its side by its distance", "",
        theta, 0, 0.7, THETA_MAX, 0.05),
    ROW(GravityValues, "softening", "distances below it pull hardly more", "the scene's lengths", softening, 0, 0.05, 1,
        0.005),
    ROW(GravityValues, "step", "of leapfrog; below 0 time runs back", "the scene's time", step, -0.1, 0.02, 0.1, 0.001),
    {"substeps", "steps in a sixtieth of a second, or from frame to frame where that takes longer", "", PARAM_WHOLE,
     offsetof(GravityValues, substeps), 1, 1, SUBSTEPS_MAX, 1},
};

static size_t count_gravities(const Scene *scene) {
    return scene->bodies != NULL;
}

static void read_gravity(const Scene *scene, size_t index, void *values) {
    const Gravity *g = &scene->gravity;
    (void)index;
    *(GravityValues *)values =
        (GravityValues){(double)g->theta, (double)g->softening, (double)g->step, (double)g->substeps};
}

/* The bodies, which copies share, go on from where they are. */
static Status write_gravity(Scene *scene, const Scene *base, size_t index, const void *values) {
    const GravityValues *v = values;
    Gravity *g = &scene->gravity;
    (void)base, (void)index;
    *g = (Gravity){g->constant, (float)v->softening, (float)v->theta, (float)v->step, (unsigned)v->substeps};
    return STATUS_OK;
}

/* ---- the table ---- */

#define TABLE(params, Values)                                                                                          \
    { params, sizeof(params) / sizeof(params)[0], sizeof(Values) }

/* Parts that light come first: the code asks whether a scene has light of its own before anything in it becomes a
 * lamp. */
const ScenePart scene_parts[] = {
    {"day", "a clear sky and its sun, in place of both", TABLE(day_params, DayValues), false, one, read_day, write_day,
     NULL, NULL},
    {"sun", "the first sun, or one more light", TABLE(sun_params, Sun), false, one, read_sun, write_sun, NULL, NULL},
    {"sky", "the sky's colours", TABLE(sky_params, SkyValues), false, count_skies, read_sky, write_sky, NULL, NULL},
    {"environment", "the sky's image", TABLE(environment_params, EnvironmentValues), false, count_environments,
     read_environment, write_environment, NULL, NULL},
    {"lamp", "a point light", TABLE(lamp_params, Lamp), true, count_lamps, read_lamp, write_lamp, "strength", add_lamp},
    {"sphere", "a sphere's surface and place", TABLE(sphere_params, Surface), true, count_spheres, read_sphere,
     write_sphere, "radius", add_sphere},
    {"triangle", "a triangle's surface", TABLE(surface_params, Surface), true, count_triangles, read_triangle,
     write_triangle, NULL, NULL},
    {"cylinder", "a cylinder's or disc's surface and radius", TABLE(cylinder_params, Surface), true, count_cylinders,
     read_cylinder, write_cylinder, NULL, NULL},
    {"ground", "the ground, where there is one", TABLE(ground_params, GroundValues), false, count_grounds, read_ground,
     write_ground, NULL, NULL},
    {"gravity", "how bodies that attract each other are moved", TABLE(gravity_params, GravityValues), false,
     count_gravities, read_gravity, write_gravity, NULL, NULL},
};
const size_t scene_part_count = sizeof scene_parts / sizeof scene_parts[0];

const ScenePart *scene_part_by_name(const char *name, size_t length) {
    for (size_t i = 0; i < scene_part_count; i++)
        if (strlen(scene_parts[i].name) == length && strncmp(scene_parts[i].name, name, length) == 0)
            return &scene_parts[i];
    return NULL;
}
