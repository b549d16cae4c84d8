/* triangles.c: scenes with triangles. */
#include "tests/levels/harness.h"
#include "tests/levels/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Triangles that make bad trees and bad edges: anywhere, large and small, all alike, without area, slivers, and one
 * around all others. Some are smooth, and a sphere is among them. */
typedef enum Soup { ANYWHERE, SIZES, SAME, NO_AREA, SLIVERS, SOUPS } Soup;

static Vec draw_place(Pcg *pcg, float size) {
    const float x = pcg_float(pcg), y = pcg_float(pcg), z = pcg_float(pcg);
    return vec(size * (x - 0.5F), size * (y - 0.5F), size * (z - 0.5F));
}

static Scene *soup_scene(Soup kind, size_t count) {
    Pcg pcg = pcg_seed(21, kind);
    Scene *scene;
    REQUIRE(scene_create("soup", 0, &scene));
    REQUIRE(scene_add_sphere(scene, (Sphere){20, -10, 5, 60, 0.9F, 0.5F, 0.2F, 0}));
    for (size_t i = 0; i < count; i++) {
        const float size = kind == SIZES ? ldexpf(1, (int)draw(&pcg, 10)) : 90;
        const Vec at = kind == SAME ? vec(30, 40, 50) : draw_place(&pcg, 500);
        Triangle triangle = {.colour = {pcg_float(&pcg), 0.5F, 0.9F}, .smooth = (uint32_t)draw(&pcg, 2)};
        for (int k = 0; k < 3; k++) {
            const Vec off = kind == SAME ? vec(k == 1 ? 150 : -70, k == 2 ? 150 : -70, 10) : draw_place(&pcg, size);
            triangle.points[k] = vec_along(at, 1, off);
            triangle.normals[k] = vec_along(vec(0, 0, 1), 0.7F, draw_place(&pcg, 1));
        }
        if (kind == NO_AREA && i % 3)
            triangle.points[2] = i % 3 == 1 ? triangle.points[0] : at;
        if (kind == NO_AREA && i % 3 == 2)
            triangle.points[0] = triangle.points[1] = at;
        if (kind == SLIVERS)
            triangle.points[2] = vec_along(triangle.points[1], 1e-3F, draw_place(&pcg, size));
        REQUIRE(scene_add_triangle(scene, triangle));
    }
    return scene;
}

static Scene *made_scene(int kind, size_t count) {
    return soup_scene((Soup)kind, count);
}

static void trace_triangles(void **state) {
    check_sights(*state, made_scene, SOUPS);
}

/* A globe of triangles, as wide as high; its corners are where they would be on a sphere, the same for all neighbours.
 */
static Scene *globe_scene(int rings, float radius, Vec centre) {
    Scene *scene;
    REQUIRE(scene_create("globe", 0, &scene));
    for (int y = 0; y < rings; y++)
        for (int x = 0; x < 2 * rings; x++) {
            Vec corners[4];
            for (int k = 0; k < 4; k++) {
                const int row = y + k / 2, column = (x + k % 2) % (2 * rings);
                const float polar = PI_F * (float)row / (float)rings, turn = PI_F * (float)column / (float)rings;
                const float sine = row == 0 || row == rings ? 0 : sinf(polar);
                corners[k] = vec_along(centre, radius, vec(sine * cosf(turn), cosf(polar), sine * sinf(turn)));
            }
            for (int half = 0; half < 2; half++) {
                const Triangle triangle = {.points = {corners[half], corners[half ? 3 : 1], corners[2]},
                                           .colour = {1, 1, 1}};
                REQUIRE(scene_add_triangle(scene, triangle));
            }
        }
    return scene;
}

/* From within a closed mesh every ray hits it, on every level: its edges and corners, too. Levels that try every
 * triangle have no tree to lose one in: they make a smaller picture of many. */
static void closed_meshes_leak_no_ray(void **state) {
    const Bench *benches = *state;
    const struct {
        int rings;
        float radius;
        Vec centre, eye;
    } globes[] = {{4, 10, {0, 0, 0}, {0, 0, 0}},
                  {40, 100, {3, 5, 7}, {40, -30, 20}},
                  {23, 0.5F, {2000, -700, 90}, {2000.1F, -700, 90.2F}}};
    const Shape large = {211, 193, 4, PIXEL_U8};
    for (size_t g = 0; g < (is_quick() ? 1 : sizeof globes / sizeof globes[0]); g++)
        for (int side = 0; side < 2; side++) {
            Scene *scene = globe_scene(globes[g].rings, globes[g].radius, globes[g].centre);
            Camera camera;
            TraceJob job = {.scene = scene, .look = LOOK_DEPTH};
            Stage stage = {.op = &op_trace, .job = &job};
            const Vec eye = globes[g].eye;
            REQUIRE(camera_look_at(eye, vec_along(eye, 1, vec(side ? 1 : 0, 0.3F, side ? 0 : -1)), 150, &camera));
            job.camera = camera;
            for (size_t b = 0; b < backend_count(); b++)
                for (size_t i = 0; benches[b].device && i < ladder_count(backend_at(b), &op_trace); i++) {
                    const Level *level = ladder_level(backend_at(b), &op_trace, i);
                    const char *why_not;
                    Shape shape = large;
                    while (i < first_rung(backend_at(b), &op_trace, "bvh") &&
                           shape.width * shape.height * scene->triangle_count > TESTS_MAX / 10)
                        shape.width--, shape.height--;
                    stage.out = (Frame){.shape = shape};
                    if (!level_accepts(level, benches[b].device, &stage, &why_not))
                        continue;
                    Image *got = run_level(benches[b].queue, level, &stage);
                    for (size_t y = 0; y < shape.height; y++)
                        for (size_t x = 0; x < shape.width; x++)
                            if (!(view_value(got->view, x, y, 0) > 0))
                                fail_msg("%s/%s: a ray leaks at (%zu, %zu) of globe %zu", backend_at(b)->name,
                                         level->name, x, y, g);
                    image_destroy(&got);
                }
            scene_destroy(&scene);
        }
}

/* Levels that know only spheres are not chosen, whatever the camera and the look. */
static void triangles_fall_to_bvh(void **state) {
    static const char *const sights[] = {"orthographic", "perspective", "random"};
    const Bench *benches = *state;
    Scene *scene = soup_scene(ANYWHERE, 3);
    for (size_t c = 0; c < sizeof sights / sizeof sights[0]; c++)
        for (int look = 0; look <= LOOK_NODES; look++)
            for (size_t b = 0; b < backend_count(); b++) {
                TraceJob job = {.scene = scene, .look = (Look)look};
                const Stage stage = {.op = &op_trace, .out = {.shape = {64, 64, 4, PIXEL_U8}}, .job = &job};
                REQUIRE(camera_parse(sights[c], &job.camera));
                if (benches[b].device && level_by_name(backend_at(b), &op_trace, "bvh"))
                    assert_string_equal(level_best(benches[b].device, &stage)->name, "bvh");
            }
    scene_destroy(&scene);
}

int levels_triangles(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_triangles),
        cmocka_unit_test(closed_meshes_leak_no_ray),
        cmocka_unit_test(triangles_fall_to_bvh),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, triangles", tests, open_devices, close_devices);
}
