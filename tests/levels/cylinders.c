/* cylinders.c: scenes with cylinders and discs. */
#include "tests/levels/harness.h"
#include "tests/levels/scenes.h"

#include <math.h>
#include <string.h>

/* Cylinders that make bad trees and bad edges: anywhere, hairs, plates, of all sizes, alike, far from the origin, of no
 * length, discs. Some are around others, and a sphere is among them; a triangle, too, in every other pile. */
typedef enum Pile { ANYWHERE, HAIRS, PLATES, SIZES, SAME, AWAY, NOTHING, DISCS, PILES } Pile;

static Vec draw_place(Pcg *pcg, float size) {
    const float x = pcg_float(pcg), y = pcg_float(pcg), z = pcg_float(pcg);
    return vec(size * (x - 0.5F), size * (y - 0.5F), size * (z - 0.5F));
}

static Cylinder draw_cylinder(Pcg *pcg, Pile kind, size_t i) {
    const float size = kind == SIZES ? ldexpf(1, (int)draw(pcg, 10)) : kind == PLATES ? 0.01F : 90;
    const Vec at = kind == SAME ? vec(30, 40, 50) : draw_place(pcg, 500);
    const Vec off = kind == SAME ? vec(70, 20, 10) : draw_place(pcg, size);
    Cylinder cylinder = {.ends = {at, vec_along(at, 1, off)},
                         .radius = kind == HAIRS   ? 0.05F
                                   : kind == SIZES ? 0.2F * size
                                                   : 5 + 30 * pcg_float(pcg),
                         .colours = {{pcg_float(pcg), 0.5F, 0.9F}, {0.9F, pcg_float(pcg), 0.2F}}};
    if (kind == AWAY) {
        cylinder.ends[0].z -= 1e5F;
        cylinder.ends[1].z -= 1e5F;
    }
    if (kind == NOTHING && i % 2)
        cylinder.ends[1] = cylinder.ends[0];
    if (kind == DISCS) {
        cylinder.ends[1] = off;
        cylinder.colours[1] = cylinder.colours[0];
        cylinder.flat = 1;
    }
    if (i % 16 == 5 && kind != AWAY) /* along the rays of the orthographic camera */
        cylinder.ends[1] = kind == DISCS ? vec(0, 0, 3) : vec_along(at, 40, vec(0, 0, 1));
    return cylinder;
}

static Scene *pile_scene(Pile kind, size_t count) {
    Pcg pcg = pcg_seed(22, kind);
    Scene *scene;
    REQUIRE(scene_create("pile", 0, &scene));
    REQUIRE(scene_add_sphere(scene, (Sphere){20, -10, 5, 60, 0.9F, 0.5F, 0.2F, 0}));
    if (kind % 2)
        REQUIRE(scene_add_triangle(scene,
                                   (Triangle){.points = {{-90, 0, 0}, {0, 90, 9}, {10, 0, 40}}, .colour = {1, 0, 1}}));
    for (size_t i = 0; i < count; i++)
        REQUIRE(scene_add_cylinder(scene, draw_cylinder(&pcg, kind, i)));
    return scene;
}

static Scene *made_scene(int kind, size_t count) {
    return pile_scene((Pile)kind, count);
}

static void trace_cylinders(void **state) {
    check_sights(*state, made_scene, PILES);
}

/* Light through glass and off metal: both looks, on every level that takes them. */
static void light_cylinders(void **state) {
    const Shape shape = {31, 17, 4, PIXEL_U8};
    for (int look = LOOK_WHITTED; look <= LOOK_PATHS; look++)
        for (int kind = 0; kind < PILES; kind += DISCS) {
            Scene *scene = pile_scene((Pile)kind, 40);
            uint32_t glass, metal;
            REQUIRE(scene_add_material(
                scene, (Material){.kind = MATERIAL_GLASS, .specular = 1, .refraction = 1.4F, .transmittance = 0.9F},
                &glass));
            REQUIRE(scene_add_material(
                scene,
                (Material){
                    .kind = MATERIAL_METAL, .diffuse = 0.1F, .specular = 0.8F, .roughness = 0.1F, .refraction = 1},
                &metal));
            for (size_t i = 0; i < scene->cylinder_count; i++)
                scene->cylinders[i].material = i % 3 == 0 ? glass : i % 3 == 1 ? metal : 0;
            Plan *plan = plan_of(scene, "perspective=z=900", (Look)look, shape);
            check_plan(*state, plan);
            scene_destroy(&scene);
        }
}

/* Levels that know only spheres are not chosen, whatever the camera and the look: wide is where it takes cylinders. */
static void cylinders_go_to_a_bvh(void **state) {
    static const char *const sights[] = {"orthographic", "perspective", "random"};
    const Bench *benches = *state;
    Scene *scene;
    REQUIRE(scene_create("pile", 0, &scene));
    REQUIRE(scene_add_cylinder(scene, (Cylinder){.ends = {{0, 0, 0}, {0, 1, 0}}, .radius = 1}));
    for (size_t c = 0; c < sizeof sights / sizeof sights[0]; c++)
        for (int look = 0; look <= LOOK_NODES; look++)
            for (size_t b = 0; b < backend_count(); b++) {
                TraceJob job = {.scene = scene, .look = (Look)look};
                const Stage stage = {.op = &op_trace, .out = {.shape = {64, 64, 4, PIXEL_U8}}, .job = &job};
                REQUIRE(camera_parse(sights[c], &job.camera));
                const Level *bvh = level_by_name(backend_at(b), &op_trace, "bvh");
                const bool on_cpu = strcmp(backend_at(b)->name, "cpu") == 0;
                const char *why_not;
                if (benches[b].device && bvh && level_accepts(bvh, benches[b].device, &stage, &why_not))
                    assert_string_equal(level_best(benches[b].device, &stage)->name,
                                        on_cpu && look != LOOK_NODES ? "wide" : "bvh");
            }
    scene_destroy(&scene);
}

int levels_cylinders(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_cylinders),
        cmocka_unit_test(light_cylinders),
        cmocka_unit_test(cylinders_go_to_a_bvh),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, cylinders", tests, open_devices, close_devices);
}
