/* sphereflake.c: "balls" of the Standard Procedural Databases (E. Haines, A Proposal for Standard Graphics
 * Environments, IEEE Computer Graphics and Applications 7, 1987), turned so that y is up. */
#include "core/scene/generators/scenes.h"

#include <math.h>

#define TURN 6.283185307179586476925

enum { CHILDREN = 9, DEPTH_MAX = 7 };

typedef struct Values {
    double depth;
} Values;

static const Param params[] = {
    {"depth", "how often spheres sprout nine smaller ones", "", PARAM_WHOLE, offsetof(Values, depth), 0, 4, DEPTH_MAX,
     1},
};

/* The database's axes, in which z is up: what is known of it can be compared. */
typedef struct Point {
    double x, y, z;
} Point;

typedef struct Flake {
    Scene *scene;
    size_t made;
    uint32_t material;
    Point children[CHILDREN]; /* where they sit on a sphere whose axis is z */
} Flake;

static Status count(const void *values, size_t *spheres) {
    const Values *v = values;
    size_t layer = 1;
    *spheres = 1;
    for (int i = 0; i < (int)v->depth; i++)
        *spheres += layer *= CHILDREN;
    return STATUS_OK;
}

static Point at_angles(double azimuth, double level, double height) {
    return (Point){level * cos(azimuth), level * sin(azimuth), height};
}

/* Three times one above and two on the equator. */
static void place_children(Point *children) {
    for (int i = 0; i < CHILDREN; i += 3) {
        const double turn = TURN * i / 9;
        children[i] = at_angles(turn + TURN / 8, sqrt(1.0 / 3), sqrt(2.0 / 3));
        children[i + 1] = at_angles(turn + TURN / 24, 1, 0);
        children[i + 2] = at_angles(turn + TURN * 5 / 24, 1, 0);
    }
}

/* `p` turned as the shortest way from z to `axis` turns (Rodrigues). */
static Point turned(Point p, Point axis) {
    const double sine = hypot(axis.x, axis.y);
    if (sine < 1e-12)
        return axis.z > 0 ? p : (Point){-p.x, p.y, -p.z};
    const double x = -axis.y / sine, y = axis.x / sine; /* what it turns around: z cross axis */
    const double along = (x * p.x + y * p.y) * (1 - axis.z);
    return (Point){p.x * axis.z + y * p.z * sine + x * along, p.y * axis.z - x * p.z * sine + y * along,
                   p.z * axis.z + (x * p.y - y * p.x) * sine};
}

static void sprout(Flake *flake, int depth, Point centre, double radius, Point axis) {
    flake->scene->spheres[flake->made++] = (Sphere){.x = (float)centre.x,
                                                    .y = (float)centre.z,
                                                    .z = (float)-centre.y,
                                                    .radius = (float)radius,
                                                    .red = 1,
                                                    .green = 0.9f,
                                                    .blue = 0.7f,
                                                    .material = flake->material};
    const double away = radius * 4 / 3;
    for (int i = 0; depth > 0 && i < CHILDREN; i++) {
        const Point way = turned(flake->children[i], axis);
        const Point child = {centre.x + away * way.x, centre.y + away * way.y, centre.z + away * way.z};
        sprout(flake, depth - 1, child, radius / 3, way);
    }
}

static Status generate(const void *values, Scene *scene) {
    const Values *v = values;
    const Vec lights[] = {{4, 2, -3}, {1, 4, 4}, {-3, 5, -1}};
    const Colour floor = {1, 0.75f, 0.33f}, background = {0.078f, 0.361f, 0.753f};
    const float each = sqrtf(1.0f / 3);
    const Material shiny = {.kind = MATERIAL_METAL,
                            .diffuse = 0.5f,
                            .specular = 0.5f,
                            .phong_exponent = 3.0827f, /* half as bright 37 degrees off */
                            .refraction = 1};
    const Material dull = {.kind = MATERIAL_DIFFUSE, .diffuse = 0.8f, .refraction = 1};
    Flake flake = {.scene = scene};
    TRY(scene_add_material(scene, dull, &scene->ground.material));
    TRY(scene_add_material(scene, shiny, &flake.material));
    for (size_t i = 0; i < sizeof lights / sizeof lights[0]; i++)
        TRY(scene_add_light(scene, (Light){LIGHT_STEADY, lights[i], {each, each, each}, 0}));
    scene->ground = (Ground){-0.5f, 1, floor, floor, scene->ground.material};
    scene->has_ground = true;
    scene->sky = (Sky){.kind = SKY_GRADIENT, .horizon = background, .zenith = background};
    scene->viewpoint = (Viewpoint){{2.1f, 1.7f, -1.3f}, {0, 0, 0}, {0, 1, 0}, 45};
    scene->has_viewpoint = true;
    place_children(flake.children);
    sprout(&flake, (int)v->depth, (Point){0, 0, 0}, 0.5, (Point){0, 0, 1});
    return STATUS_OK;
}

const SceneGenerator scene_sphereflake = {"sphereflake",
                                          "Spheres on spheres on spheres, as in Haines' databases.",
                                          {params, sizeof params / sizeof params[0], sizeof(Values)},
                                          count,
                                          generate};
