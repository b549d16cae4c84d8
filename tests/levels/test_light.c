/* test_light.c: light on every level of every backend, where a closed form gives it.
 * Scenes whose parts differ in size by 1e9 and are seen from 1 to 1e5 away. GLINT_TEST_BACKEND names one backend. */
#include "app/backends.h"
#include "core/device/backend.h"
#include "core/plan/plan.h"
#include "core/scene/files/glint.h"
#include "core/scene/scene.h"
#include "core/tracer/surfaces.h"
#include "core/tracer/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 3, WIDTH = 40, HEIGHT = 30, TEXT_MAX = 1000 };

#define REQUIRE(expression)                                                                                            \
    do {                                                                                                               \
        if ((expression) != STATUS_OK)                                                                                 \
            fail_msg("%s: %s", #expression, status_message());                                                         \
    } while (0)

typedef struct Benches {
    Queue *queues[8]; /* by backend; NULL: there is none, or another one is asked for */
} Benches;

/* A scene as one sees it. */
typedef struct View {
    const Scene *scene;
    Camera camera;
    Look look;
    Sampling sampling;
    const char *what; /* for messages */
} View;

typedef void (*Check)(const View *view, ImageView light, const char *level, const void *want);

/* The stage's job is `*job`. */
static Stage stage_of(const View *view, TraceJob *job) {
    *job = (TraceJob){.scene = view->scene, .camera = view->camera, .look = view->look, .sampling = view->sampling};
    return (Stage){.op = &op_trace, .out = {.shape = {WIDTH, HEIGHT, 4, PIXEL_F32}}, .job = job};
}

/* The light that a level gathers; the caller destroys it. */
static Image *gather(Queue *queue, const Level *level, Stage stage) {
    const Backend *backend = queue->device->backend;
    Image *light = NULL;
    REQUIRE(image_create(stage.out.shape, &light));
    REQUIRE(backend->frame_create(queue->device, light->view.shape, &stage.out));
    REQUIRE(level_run(level, queue, &stage));
    REQUIRE(backend->download(queue, stage.out, light->view));
    REQUIRE(backend->sync(queue));
    backend->frame_destroy(queue->device, &stage.out);
    return light;
}

/* Gathers light on every level that accepts the view, and has each result checked. */
static void check_levels(const Benches *benches, const View *view, Check check, const void *want) {
    for (size_t b = 0; b < backend_count(); b++) {
        Queue *queue = benches->queues[b];
        const Level *level;
        for (size_t i = 0; queue && (level = ladder_level(backend_at(b), &op_trace, i)); i++) {
            TraceJob job;
            const Stage stage = stage_of(view, &job);
            const char *why_not;
            char name[100];
            if (!level_accepts(level, queue->device, &stage, &why_not))
                continue;
            snprintf(name, sizeof name, "%s/%s", backend_at(b)->name, level->name);
            Image *light = gather(queue, level, stage);
            check(view, light->view, name, want);
            image_destroy(&light);
        }
    }
}

/* The mean light of a pixel. */
static double light_at(ImageView light, size_t x, size_t y) {
    const float *pixel = (const float *)view_row(light, y) + 4 * x;
    return (double)pixel[0] / (double)pixel[3];
}

/* The mean over the picture, and its standard error. */
static double mean_light(ImageView light, double *error) {
    const double count = WIDTH * HEIGHT;
    double sum = 0, squares = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            sum += light_at(light, x, y) / count;
            squares += light_at(light, x, y) * light_at(light, x, y) / count;
        }
    *error = sqrt(fmax(squares - sum * sum, 0) / count);
    return sum;
}

static Scene *scene_of(const char *text) {
    Scene *scene;
    REQUIRE(scene_parse("test", text, &scene));
    return scene;
}

static Camera camera_at(Vec from, Vec at, double angle) {
    Camera camera;
    REQUIRE(camera_from((Viewpoint){from, at, {0, 1, 0}, (float)angle}, &camera));
    return camera;
}

/* ---- shadows ---- */

typedef enum Floor { FLOOR_SPHERE, FLOOR_PLANE, FLOOR_TRIANGLES, FLOORS } Floor;

/* A ball that touches a floor in the origin, under a sun, and nothing else. */
typedef struct Contact {
    Floor floor;
    double extent; /* of a sphere, the radius; of triangles, half the side */
    double radius; /* of the ball */
} Contact;

typedef struct Double3 {
    double x, y, z;
} Double3;

static const Double3 to_sun = {0.48, 0.8, 0.36};

static Double3 along(Double3 a, double s, Double3 b) {
    return (Double3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static double dot(Double3 a, Double3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* How far along a ray of length 1 the sphere about (0, y, 0) is entered, INFINITY: it is not, or not from outside. */
static double entry(Double3 from, Double3 way, double y, double radius) {
    const Double3 to = {-from.x, y - from.y, -from.z};
    const double middle = dot(to, way), power = dot(to, to) - radius * radius, capacity = middle * middle - power;
    return power > 0 && middle > 0 && capacity > 0 ? power / (middle + sqrt(capacity)) : INFINITY;
}

/* The light along a ray, by way of one surface: albedo / pi times the sun's irradiance pi times the cosine of its
 * direction. It is 0 in the shadow of the ball and where the surface faces away. -1: nothing is there. */
static double contact_light(const Contact *contact, Double3 from, Double3 way) {
    const double ball = entry(from, way, contact->radius, contact->radius);
    double floor = contact->floor == FLOOR_SPHERE ? entry(from, way, -contact->extent, contact->extent)
                   : way.y < 0                    ? -from.y / way.y
                                                  : INFINITY;
    if (contact->floor == FLOOR_TRIANGLES && floor < INFINITY) {
        const Double3 at = along(from, floor, way);
        floor = fmax(fabs(at.x), fabs(at.z)) < contact->extent ? floor : INFINITY;
    }
    if (!(fmin(ball, floor) < INFINITY))
        return -1;
    const Double3 at = along(from, fmin(ball, floor), way);
    const double middle = ball < floor ? contact->radius : -contact->extent, size = fabs(middle);
    const Double3 up = {0, 1, 0}, out = {at.x / size, (at.y - middle) / size, at.z / size};
    const double facing = dot(ball < floor || contact->floor == FLOOR_SPHERE ? out : up, to_sun);
    return facing > 0 && (ball < floor || !(entry(at, to_sun, contact->radius, contact->radius) < INFINITY)) ? facing
                                                                                                             : 0;
}

/* A pixel's light if it is nearly the same all over it and a little beyond. */
static bool contact_pixel(const Contact *contact, Camera camera, size_t px, size_t py, double *want) {
    double min = INFINITY, max = -INFINITY;
    for (int i = 0; i < 9; i++) {
        const Ray ray =
            camera_ray_at(camera, px, py, 0.7F * (float)(i % 3 - 1), 0.7F * (float)(i / 3 - 1), WIDTH, HEIGHT);
        const Double3 from = {(double)ray.origin.x, (double)ray.origin.y, (double)ray.origin.z};
        Double3 way = {(double)ray.direction.x, (double)ray.direction.y, (double)ray.direction.z};
        way = along((Double3){0, 0, 0}, 1 / sqrt(dot(way, way)), way);
        const double light = contact_light(contact, from, way);
        min = fmin(min, light);
        max = fmax(max, light);
        if (i == 4)
            *want = fmax(light, 0);
    }
    return min == max || (min > 0 && max - min < 0.1);
}

static void check_contact(const View *view, ImageView light, const char *level, const void *want) {
    const Contact *contact = want;
    size_t shadows = 0, lit = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            double expected = 0;
            if (!contact_pixel(contact, view->camera, x, y, &expected))
                continue;
            const double got = light_at(light, x, y), slack = view->look == LOOK_WHITTED ? 4e-3 : 0.1;
            shadows += expected == 0;
            lit += expected > 0;
            if (fabs(got - expected) > (expected > 0 ? slack : 0))
                fail_msg("%s: %s: light %g at (%zu, %zu), want %g", view->what, level, got, x, y, expected);
        }
    if (!(shadows > WIDTH * HEIGHT / 50 && lit > WIDTH * HEIGHT / 4)) /* enough of both */
        fail_msg("%s: %zu pixels of shadow, %zu of light", view->what, shadows, lit);
}

static Scene *contact_scene(const Contact *contact) {
    char text[TEXT_MAX];
    const double e = contact->extent;
    int used = snprintf(text, sizeof text, "glint-scene 2\nlight sun 0.48 0.8 0.36 %.9g %.9g %.9g\n", 3.14159265,
                        3.14159265, 3.14159265);
    if (contact->floor == FLOOR_SPHERE)
        used += snprintf(text + used, sizeof text - (size_t)used, "sphere 0 %.9g 0 %.9g 1 1 1\n", -e, e);
    else if (contact->floor == FLOOR_PLANE)
        used += snprintf(text + used, sizeof text - (size_t)used, "ground 0 1 1 1 1 1 1 1\n");
    else
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "triangle %.9g 0 %.9g %.9g 0 %.9g %.9g 0 %.9g 1 1 1\ntriangle %.9g 0 %.9g %.9g 0 %.9g %.9g 0 "
                         "%.9g 1 1 1\n",
                         -e, -e, -e, e, e, e, -e, -e, e, e, e, -e);
    snprintf(text + used, sizeof text - (size_t)used, "sphere 0 %.9g 0 %.9g 1 1 1\n", contact->radius, contact->radius);
    return scene_of(text);
}

/* A ball casts its shadow up to the point where it touches the floor, and no surface shadows itself. This holds
 * whatever the sizes of both and however far away the eye is. */
static void balls_stand_in_their_shadows(void **state) {
    static const struct {
        Contact contact;
        double distance; /* of the eye */
    } cases[] = {
        {{FLOOR_SPHERE, 1, 1e-3}, 1},      {{FLOOR_SPHERE, 1000, 1e-3}, 1},   {{FLOOR_SPHERE, 1000, 0.05}, 10},
        {{FLOOR_SPHERE, 1000, 0.2}, 10},   {{FLOOR_SPHERE, 1e6, 1e-3}, 1},    {{FLOOR_SPHERE, 1e6, 0.05}, 10},
        {{FLOOR_SPHERE, 1e6, 1}, 1000},    {{FLOOR_SPHERE, 1e6, 50}, 1e5},    {{FLOOR_PLANE, 1, 1e-3}, 1},
        {{FLOOR_PLANE, 1, 1}, 1000},       {{FLOOR_PLANE, 1, 50}, 1e5},       {{FLOOR_TRIANGLES, 10, 1e-3}, 1},
        {{FLOOR_TRIANGLES, 1e6, 1e-3}, 1}, {{FLOOR_TRIANGLES, 1e6, 50}, 1e5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Contact contact = cases[i].contact;
        const float far = (float)cases[i].distance, r = (float)contact.radius;
        char what[100];
        Scene *scene = contact_scene(&contact);
        snprintf(what, sizeof what, "a ball of %g on floor %d of %g from %g", contact.radius, (int)contact.floor,
                 contact.extent, cases[i].distance);
        const Vec from = {0.48F * far, 0.6F * far, -0.64F * far}; /* across the sun's way */
        const Camera camera =
            camera_at(from, vec(-0.3F * r, 0.3F * r, -0.2F * r), 4 * 57.3 * contact.radius / cases[i].distance);
        const View sharp = {scene, camera, LOOK_WHITTED, {0, 1, 1, 1}, what},
                   soft = {scene, camera, LOOK_PATHS, {0, 4, 1, 1}, what};
        check_levels(*state, &sharp, check_contact, &contact);
        check_levels(*state, &soft, check_contact, &contact);
        scene_destroy(&scene);
    }
}

/* ---- furnaces ---- */

typedef struct Range {
    double min, max;
} Range;

static void check_range(const View *view, ImageView light, const char *level, const void *want) {
    const Range *range = want;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            if (!(light_at(light, x, y) >= range->min && light_at(light, x, y) <= range->max))
                fail_msg("%s: %s: light %.9g at (%zu, %zu), want %g to %g", view->what, level, light_at(light, x, y), x,
                         y, range->min, range->max);
}

/* The sky sends light 1 from all sides. A path that leaves a convex surface of albedo 1/2 brings back 1/2, unless it
 * hits that surface. The ground sees the same. */
static void nothing_shadows_itself(void **state) {
    for (int plane = 0; plane < 2; plane++)
        for (int size = -3; size <= (plane ? -3 : 6); size++)
            for (int distance = size < 0 ? size : 0; distance <= 5; distance += 2) {
                char text[TEXT_MAX];
                const double radius = pow(10, size);
                const float far = powf(10, (float)distance);
                const int used = snprintf(text, sizeof text, "glint-scene 2\nsky gradient 1 1 1 1 1 1\n");
                if (plane)
                    snprintf(text + used, sizeof text - (size_t)used, "ground 0 1 .5 .5 .5 .5 .5 .5\n");
                else
                    snprintf(text + used, sizeof text - (size_t)used, "sphere 0 %g 0 %g .5 .5 .5\n", -radius, radius);
                Scene *scene = scene_of(text);
                const Camera camera = camera_at(vec(0.6F * far, 0.1F * far, 0), vec(0, 0, 0), 40);
                const View paths = {scene, camera, LOOK_PATHS, {0, 4, 1, DEPTH_ENDLESS}, text};
                check_levels(*state, &paths, check_range, &(Range){0.5 - 1e-5, 1 + 1e-5});
                scene_destroy(&scene);
            }
}

/* A clean mirror that takes nothing shows that sky everywhere, by Whitted's rays, too. */
static void mirrors_do_not_see_themselves(void **state) {
    for (int size = -3; size <= 6; size++)
        for (int distance = size < 0 ? size : 0; distance <= 5; distance += 2) {
            char text[TEXT_MAX];
            const double radius = pow(10, size);
            const float far = powf(10, (float)distance);
            snprintf(
                text, sizeof text,
                "glint-scene 2\nsky gradient 1 1 1 1 1 1\nmaterial metal 0 1 1 0 1 0 0\nsphere 0 %g 0 %g 1 1 1 1\n",
                -radius, radius);
            Scene *scene = scene_of(text);
            const Camera camera = camera_at(vec(0.6F * far, 0.1F * far, 0), vec(0, 0, 0), 40);
            const View sharp = {scene, camera, LOOK_WHITTED, {0, 1, 1, 5}, text};
            check_levels(*state, &sharp, check_range, &(Range){1 - 1e-5, 1 + 1e-5});
            scene_destroy(&scene);
        }
}

static void check_mean(const View *view, ImageView light, const char *level, const void *want) {
    double error;
    const double mean = mean_light(light, &error), expected = *(const double *)want;
    if (!(fabs(mean - expected) < 4.5 * error + 1e-4))
        fail_msg("%s: %s: mean light %g, want %g, with a standard error of %g", view->what, level, mean, expected,
                 error);
}

/* A surface that takes no light cannot be seen in a furnace of light 1. Here balls of radius 1e-3 to 1e3 stand side by
 * side on floors of up to 1e6, diffuse, of glass and of metal. Each is in the middle of a picture of its own. */
static void white_balls_of_all_sizes_vanish(void **state) {
    static const char *const floors[] = {"ground 0 1 1 1 1 1 1 1\n", "sphere 0 -1e6 0 1e6 1 1 1\n",
                                         "triangle -1e5 0 -1e5 0 0 2e5 1e5 0 -1e5 1 1 1\n"};
    for (size_t f = 0; f < sizeof floors / sizeof floors[0]; f++) {
        char text[TEXT_MAX];
        int used = snprintf(text, sizeof text,
                            "glint-scene 2\nsky gradient 1 1 1 1 1 1\nmaterial metal 0 1 1 0 1 0 0\n"
                            "material glass 0 1 1 0 1.5 1 0\n%s",
                            floors[f]);
        for (int size = -3; size <= 3; size++)
            used += snprintf(text + used, sizeof text - (size_t)used, "sphere %g %g 0 %g 1 1 1 %d\n", 3 * pow(10, size),
                             pow(10, size), pow(10, size), (size + 3) % 3);
        Scene *scene = scene_of(text);
        for (int size = -3; size <= 3; size += 2) {
            const float r = powf(10, (float)size), far = 30;
            const Vec at = {3 * r, r, 0};
            const Camera camera = camera_at(vec_along(at, far * r, vec(0, 0.3F, 1)), at, 10);
            const View paths = {scene, camera, LOOK_PATHS, {0, 4, 1, DEPTH_ENDLESS}, text};
            check_levels(*state, &paths, check_mean, &(double){1});
        }
        scene_destroy(&scene);
    }
}

/* ---- glass ---- */

/* Glass of index n has n^2 of the radiance that is outside (E. Veach, Robust Monte Carlo Methods for Light Transport
 * Simulation, 1997, section 5.2). Straight on, its surface mirrors F = ((n - 1) / (n + 1))^2. A lamp of light 1 in the
 * middle of a glass ball is therefore seen as (1 - F) / n^2. The light that the glass mirrors inward ends at the lamp.
 * An eye in the middle of glass under a sky of 1 sees (1 - F) n^2 (1 + F + F^2 + ...) = n^2. A furnace of 1 hides a
 * white ball within glass, however often light goes back and forth. */
static void radiance_is_denser_in_glass(void **state) {
    static const double indices[] = {1.5, 2.4, 0.75};
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        const double n = indices[i], mirrored = pow((n - 1) / (n + 1), 2);
        const struct {
            const char *what, *shines, *within;
            Vec eye;
            double angle, want;
        } cases[] = {
            {"a lamp in glass", "0 0 0 0 0 0", "sphere 0 0 0 1 1 1 1 2\n", {0, 0, 50}, 0.1, (1 - mirrored) / (n * n)},
            {"an eye in glass", "1 1 1 1 1 1", "", {0, 0, 1e-4F}, 60, n * n},
            {"a white ball in glass", "1 1 1 1 1 1", "sphere 0 0 0 1 1 1 1\n", {0, 0, 9}, 10, 1},
        };
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            for (int look = k == 2 ? LOOK_PATHS : LOOK_WHITTED; look < LOOKS; look++) {
                char text[TEXT_MAX];
                snprintf(text, sizeof text,
                         "glint-scene 2\nsky gradient %s\nmaterial glass 0 0 1 0 %g 1 0\n"
                         "material light 0 0 0 0 1 0 1\nsphere 0 0 0 2 1 1 1 1\n%s",
                         cases[k].shines, n, cases[k].within);
                Scene *scene = scene_of(text);
                const Camera camera = camera_at(cases[k].eye, vec(0, 0, 0), cases[k].angle);
                const View view = {scene, camera, (Look)look, {0, look == LOOK_PATHS ? 256 : 1, 1, 64}, cases[k].what};
                check_levels(*state, &view, check_mean, &cases[k].want);
                scene_destroy(&scene);
            }
    }
}

/* ---- rough surfaces ---- */

/* A ball that takes no light is invisible in a furnace, however its facets, its coat and its film split the light. */
static void rough_balls_vanish(void **state) {
    static const char *const materials[] = {
        "metal 0 1 1 %g 1 0 0",       "glass 0 1 1 %g 1.5 1 0",           "diffuse 1 0 0 0 1 0 0 1 %g",
        "metal 0 1 1 .5 1 0 0 .5 %g", "metal 0 1 1 %g 1 0 0 0 0 300 1.6", "glass 0 1 1 %g 1.5 1 0 0 0 300 1.8"};
    for (size_t i = 0; i < sizeof materials / sizeof materials[0]; i++)
        for (int tenths = 2; tenths <= 10; tenths += 2) {
            char text[TEXT_MAX], material[TEXT_MAX / 2];
            snprintf(material, sizeof material, materials[i], tenths / 10.0);
            snprintf(text, sizeof text,
                     "glint-scene 2\nsky gradient 1 1 1 1 1 1\nmaterial %s\nsphere 0 0 0 1 1 1 1 1\n", material);
            Scene *scene = scene_of(text);
            const Camera camera = camera_at(vec(0, 0, 5), vec(0, 0, 0), 25);
            const View paths = {scene, camera, LOOK_PATHS, {0, 64, 1, DEPTH_ENDLESS}, material};
            check_levels(*state, &paths, check_mean, &(double){1});
            scene_destroy(&scene);
        }
}

/* ---- sources of light ---- */

/* Inside of a sphere that shines with 1, a diffuse sphere of albedo 1/2 sends on 1/2. So does a sphere that touches it
 * from within. This holds at every depth, and also where other lamps are aimed at. */
static void diffuse_spheres_in_a_shining_one_are_lit(void **state) {
    static const char *const scenes[] = {"", "sphere 0 0 -49 1 .5 .5 .5\n", "sphere 0 300 0 1 1 1 1 1\n"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        for (uint32_t depth = 1; depth <= 2; depth++) {
            char text[TEXT_MAX];
            snprintf(
                text, sizeof text,
                "glint-scene 2\nmaterial light 0 0 0 0 1 0 1\nsphere 0 0 0 50 1 1 1 1\nsphere 0 0 0 1 .5 .5 .5\n%s",
                scenes[i]);
            Scene *scene = scene_of(text);
            const Camera camera = camera_at(vec(0, 0, 5), vec(0, 0, 0), 20);
            const View paths = {scene, camera, LOOK_PATHS, {0, 8, 1, depth}, text};
            check_levels(*state, &paths, check_range, &(Range){0.5 - 1e-5, 1 + 1e-5});
            scene_destroy(&scene);
        }
}

/* ---- depth ---- */

/* A closed room of albedo 0.9 that shines by itself cannot be, but a sphere of albedo a around a lamp is nearly that.
 * If the lamp's light on the wall is E, the wall sends on E / pi (1 + a + a^2 + ...): seen from within, it is E / (pi
 * (1 - a)). A lamp of light L and radius r is in the middle of a room of radius R. It gives E = pi L (r / R)^2 on all
 * of the wall. The wall sees itself but for the lamp, which fills the share (r / R)^2 of each point's half of all
 * directions, by cosine. The wall therefore gets 1 - (r / R)^2 of its own light. The wall's light is a L (r / R)^2 / (1
 * - a (1 - (r / R)^2)), and after D surfaces the first D terms of that geometric series. */
static void rooms_are_as_bright_as_their_series(void **state) {
    const double albedo = 0.9, share = 0.01, light = 100;
    Scene *scene = scene_of("glint-scene 2\nmaterial light 0 0 0 0 1 0 100\nsphere 0 0 0 10 .9 .9 .9\n"
                            "sphere 0 0 0 1 1 1 1 1\n");
    const Camera camera = camera_at(vec(0, 0, 5), vec(0, 0, 9), 90);
    const uint32_t depths[] = {1, 2, 3, 16, DEPTH_ENDLESS};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        double want = 0, term = albedo * light * share;
        for (uint32_t d = 0; d < depths[i] && term > 1e-12; d++, term *= albedo * (1 - share))
            want += term;
        const View paths = {scene, camera, LOOK_PATHS, {0, 32, 1, depths[i]}, "a room around a lamp"};
        check_levels(*state, &paths, check_mean, &want);
    }
    scene_destroy(&scene);
}

/* By way of one surface of albedo 1/2, a sky of light 1 sends 1/2. The sky is a gradient, or a sphere that shines
 * around all of it. */
static void depth_is_the_same_for_all_that_shines(void **state) {
    static const char *const skies[] = {"sky gradient 1 1 1 1 1 1\n",
                                        "material light 0 0 0 0 1 0 1\nsphere 0 0 0 1e4 1 1 1 1\n"};
    for (size_t i = 0; i < sizeof skies / sizeof skies[0]; i++)
        for (uint32_t depth = 1; depth <= 3; depth++) {
            char text[TEXT_MAX];
            snprintf(text, sizeof text, "glint-scene 2\n%ssphere 0 0 0 1 .5 .5 .5\n", skies[i]);
            Scene *scene = scene_of(text);
            const Camera camera = camera_at(vec(0, 0, 5), vec(0, 0, 0), 10);
            const View paths = {scene, camera, LOOK_PATHS, {0, 4, 1, depth}, text};
            check_levels(*state, &paths, check_range, &(Range){0.5 - 1e-5, 0.5 + 1e-5});
            scene_destroy(&scene);
        }
}

/* ---- both strategies ---- */

/* Scenes of bench/mitsuba-noise: their lights, and the material of one of two balls on a floor. */
#define MITSUBA_FLOOR                                                                                                  \
    "triangle -6 0 6  6 0 6  6 0 -6 .6 .6 .6\ntriangle -6 0 6  6 0 -6  -6 0 -6 .6 .6 .6\n"                             \
    "sphere .9 .6 .4 .6 .5 .5 .5\n"
#define MITSUBA_BALL "material light 0 0 0 0 1 0 20\nsphere -1.5 3 1 .4 1 1 1 1\n"
#define MITSUBA_PANEL                                                                                                  \
    "material light 0 0 0 0 1 0 5\ntriangle -1 3 -1  1 3 -1  1 3 1 1 1 1 1\ntriangle -1 3 -1  1 3 1  -1 3 1 1 1 1 1\n"
#define MITSUBA_SUN "light sun -.48 .8 .36 3 3 3 5\n"

static const struct {
    const char *name, *text;
    double mean, variance;
} mitsuba_scenes[] = {
    {"diffuse-ball", MITSUBA_BALL "sphere -1 .8 0 .8 .8 .8 .8\n", 0.07547, 9.492e-5},
    {"metal.3-ball", MITSUBA_BALL "material metal 0 1 1 .3 1 0 0\nsphere -1 .8 0 .8 1 1 1 2\n", 0.07686, 8.778e-3},
    {"diffuse-panel", MITSUBA_PANEL "sphere -1 .8 0 .8 .8 .8 .8\n", 0.09905, 6.472e-4},
    {"metal.3-panel", MITSUBA_PANEL "material metal 0 1 1 .3 1 0 0\nsphere -1 .8 0 .8 1 1 1 2\n", 0.11097, 3.762e-3},
    {"metal.1-panel", MITSUBA_PANEL "material metal 0 1 1 .1 1 0 0\nsphere -1 .8 0 .8 1 1 1 2\n", 0.11099, 3.148e-3},
    {"glass-panel", MITSUBA_PANEL "material glass 0 1 1 0 1.5 1 0\nsphere -1 .8 0 .8 1 1 1 2\n", 0.09227, 2.51e-3},
    {"glass.3-panel", MITSUBA_PANEL "material glass 0 1 1 .3 1.5 1 0\nsphere -1 .8 0 .8 1 1 1 2\n", 0.09423, 3.391e-3},
    {"diffuse-wide", MITSUBA_SUN "sphere -1 .8 0 .8 .8 .8 .8\n", 0.26878, 4.824e-4},
    {"metal.5-even", "sky gradient .5 .5 .5 .5 .5 .5\nmaterial metal 0 1 1 .5 1 0 0\nsphere -1 .8 0 .8 1 1 1 1\n",
     0.37064, 4.79e-4},
    {"glass.6-even", "sky gradient .5 .5 .5 .5 .5 .5\nmaterial glass 0 1 1 .6 1.5 1 0\nsphere -1 .8 0 .8 1 1 1 1\n",
     0.36978, 1.258e-3},
};

/* Figures of Mitsuba 3.9.1's integrator `path` (variant scalar_rgb) for the scenes of bench/mitsuba-noise. The mean
 * comes from 8192 samples; the variance of a pixel of 16 samples comes from 48 seeds. Our variance may be 1.1 times
 * that. */
static void check_mitsuba(Queue *queue, const View *view, double mean, double variance) {
    enum { RUNS = 8 };
    TraceJob job;
    const Stage stage = stage_of(view, &job);
    static double sums[WIDTH * HEIGHT], squares[WIDTH * HEIGHT];
    double got = 0, got_variance = 0;
    memset(sums, 0, sizeof sums);
    memset(squares, 0, sizeof squares);
    for (uint32_t run = 0; run < RUNS; run++) {
        job.sampling.seed = run + 1;
        Image *light = gather(queue, level_best(queue->device, &stage), stage);
        for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
            const double value = light_at(light->view, i % WIDTH, i / WIDTH);
            sums[i] += value / RUNS;
            squares[i] += value * value / RUNS;
        }
        image_destroy(&light);
    }
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        got += sums[i] / (WIDTH * HEIGHT);
        got_variance += (squares[i] - sums[i] * sums[i]) * RUNS / (RUNS - 1) / (WIDTH * HEIGHT);
    }
    const double error = sqrt(got_variance / (RUNS * WIDTH * HEIGHT));
    if (!(fabs(got - mean) < 5 * error + 0.002 * mean))
        fail_msg("%s: %s: mean light %g, Mitsuba's is %g", view->what, queue->device->backend->name, got, mean);
    if (!(got_variance <= 1.1 * variance))
        fail_msg("%s: %s: variance %g, Mitsuba's is %g", view->what, queue->device->backend->name, got_variance,
                 variance);
}

static void noise_is_no_more_than_mitsubas(void **state) {
    const Benches *benches = *state;
    for (size_t i = 0; i < sizeof mitsuba_scenes / sizeof mitsuba_scenes[0]; i++) {
        char text[TEXT_MAX];
        snprintf(text, sizeof text, "glint-scene 2\n%s%s", mitsuba_scenes[i].text, MITSUBA_FLOOR);
        Scene *scene = scene_of(text);
        const Camera camera = camera_at(vec(0, 2.2F, 6), vec(0, 0.7F, 0), 35);
        const View view = {scene, camera, LOOK_PATHS, {0, 16, 1, DEPTH_ENDLESS}, mitsuba_scenes[i].name};
        for (size_t b = 0; b < backend_count(); b++)
            if (benches->queues[b])
                check_mitsuba(benches->queues[b], &view, mitsuba_scenes[i].mean, mitsuba_scenes[i].variance);
        scene_destroy(&scene);
    }
}

/* A sun one degree wide, in a picture of two degrees, seen directly and in a mirror. It fills pi tan^2 of half a degree
 * of the picture's 4 tan^2 of one by 4 : 3. Its radiance is its irradiance pi by pi sin^2 of half a degree. */
static void mirrors_show_suns(void **state) {
    const double half = 3.14159265358979 / 360;
    const double want = pow(tan(half) / sin(half), 2) * 3.14159265358979 / (4 * pow(tan(2 * half), 2) * 4 / 3);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        Scene *scene = scene_of("glint-scene 2\nmaterial metal 0 1 1 0 1 0 0\nground -1 1 1 1 1 1 1 1 1\n"
                                "light sun 0 .6 -.8 3.14159265 3.14159265 3.14159265 1\n");
        const Camera camera = camera_at(vec(0, 0, 0), vec(0, mirrored ? -0.6F : 0.6F, -0.8F), 2);
        const View paths = {scene, camera, LOOK_PATHS, {0, 64, 1, 1}, mirrored ? "a sun in a mirror" : "a sun"};
        check_levels(*state, &paths, check_mean, &want);
        scene_destroy(&scene);
    }
}

/* ---- surfaces ---- */

/* Pixels do not depend on how their rays are shared out among runs. */
static void surfaces_go_on(void **state) {
    static const uint32_t cuts[][3] = {{12}, {5, 7}, {1, 3, 8}};
    const Benches *benches = *state;
    Scene *scene = scene_of("glint-scene 2\n" MITSUBA_PANEL
                            "material glass 0 1 1 0 1.5 1 0\nsphere -1 .8 0 .8 1 1 1 2\n" MITSUBA_FLOOR);
    SurfacesJob job = {.scene = scene,
                       .camera = camera_at(vec(0, 2.2F, 6), vec(0, 0.7F, 0), 35),
                       .seed = 3,
                       .width = WIDTH,
                       .height = HEIGHT};
    for (size_t b = 0; b < backend_count(); b++) {
        Queue *queue = benches->queues[b];
        const Level *level;
        for (size_t i = 0; queue && (level = ladder_level(backend_at(b), &op_surfaces, i)); i++) {
            Image *made[sizeof cuts / sizeof cuts[0]];
            Stage stage = {.op = &op_surfaces, .job = &job};
            const char *why_not;
            if (!level_accepts(level, queue->device, &stage, &why_not))
                continue;
            for (size_t k = 0; k < sizeof cuts / sizeof cuts[0]; k++) {
                REQUIRE(image_create((Shape){WIDTH, 2 * HEIGHT, 4, PIXEL_F32}, &made[k]));
                REQUIRE(backend_at(b)->frame_create(queue->device, made[k]->view.shape, &stage.out));
                job.first = 0;
                for (size_t part = 0; part < 3 && cuts[k][part] > 0; part++, job.first += job.samples) {
                    job.samples = cuts[k][part];
                    REQUIRE(level_run(level, queue, &stage));
                }
                REQUIRE(backend_at(b)->download(queue, stage.out, made[k]->view));
                REQUIRE(backend_at(b)->sync(queue));
                backend_at(b)->frame_destroy(queue->device, &stage.out);
                if (memcmp(made[0]->view.pixels, made[k]->view.pixels, shape_bytes(made[0]->view.shape)) != 0)
                    fail_msg("%s/%s: surfaces in %zu parts are others", backend_at(b)->name, level->name, k + 1);
            }
            for (size_t k = 0; k < sizeof cuts / sizeof cuts[0]; k++)
                image_destroy(&made[k]);
        }
    }
    scene_destroy(&scene);
}

static int open_devices(void **state) {
    static Benches benches;
    const char *only = getenv("GLINT_TEST_BACKEND");
    assert_true(backend_count() <= sizeof benches.queues / sizeof benches.queues[0]);
    for (size_t b = 0; b < backend_count(); b++) {
        Device *device = NULL;
        if ((!only || strcmp(backend_at(b)->name, only) == 0) &&
            backend_at(b)->open(0, b == 0 ? THREADS : 0, &device) == STATUS_OK)
            REQUIRE(queue_open(device, &benches.queues[b]));
    }
    *state = &benches;
    return 0;
}

static int close_devices(void **state) {
    Benches *benches = *state;
    for (size_t b = 0; b < backend_count(); b++)
        if (benches->queues[b]) {
            Device *device = benches->queues[b]->device;
            queue_close(&benches->queues[b]);
            device_close(&device);
        }
    return 0;
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_stand_in_their_shadows),
        cmocka_unit_test(nothing_shadows_itself),
        cmocka_unit_test(mirrors_do_not_see_themselves),
        cmocka_unit_test(white_balls_of_all_sizes_vanish),
        cmocka_unit_test(radiance_is_denser_in_glass),
        cmocka_unit_test(rough_balls_vanish),
        cmocka_unit_test(diffuse_spheres_in_a_shining_one_are_lit),
        cmocka_unit_test(rooms_are_as_bright_as_their_series),
        cmocka_unit_test(depth_is_the_same_for_all_that_shines),
        cmocka_unit_test(noise_is_no_more_than_mitsubas),
        cmocka_unit_test(mirrors_show_suns),
        cmocka_unit_test(surfaces_go_on),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
