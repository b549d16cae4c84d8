/* moving.c: spheres that move. */
#include "core/ops/nbody.h"
#include "core/scene/scene_open.h"
#include "tests/levels/harness.h"
#include "tests/levels/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The results of every level for a stage, in the order of the ladders; NULL behind the last. */
enum { PICTURES_MAX = 64 };

static void take_pictures(Bench *benches, const Stage *stage, Image *pictures[PICTURES_MAX]) {
    size_t count = 0;
    const Level *level;
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t i = 0;
             benches[b].device && !benches[b].left_out && (level = ladder_level(backend_at(b), stage->op, i)); i++) {
            const char *why_not;
            assert_true(count + 1 < PICTURES_MAX);
            if (level_accepts(level, benches[b].device, stage, &why_not))
                pictures[count++] = run_level(benches[b].queue, level, stage);
        }
    pictures[count] = NULL;
}

static void assert_same_pictures(Image *before[PICTURES_MAX], Image *after[PICTURES_MAX]) {
    for (size_t i = 0; before[i]; i++) {
        assert_memory_equal(before[i]->view.pixels, after[i]->view.pixels, shape_bytes(before[i]->view.shape));
        image_destroy(&before[i]);
        image_destroy(&after[i]);
    }
}

/* Spheres that move: devices keep their BVHs over them and refit those. Back at rest, each level shows its first
 * picture, bit for bit. */
static void check_moving(Bench *benches, Scene *scene, const char *sight, Look look) {
    static const double times[] = {0.4, -2, 60, 61};
    const Shape shape = {37, 23, 4, PIXEL_U8};
    Plan *plan = plan_of(scene, sight, look, shape);
    const Stage *stage = &plan_stage(plan, 0)->stage;
    Image *before[PICTURES_MAX], *after[PICTURES_MAX];
    take_pictures(benches, stage, before);
    for (size_t t = 0; t < (is_quick() ? 2 : sizeof times / sizeof times[0]); t++) {
        REQUIRE(scene_move(scene, times[t]));
        check_case(benches, stage);
    }
    REQUIRE(scene_move(scene, 0));
    take_pictures(benches, stage, after);
    assert_same_pictures(before, after);
    plan_destroy(&plan);
}

static void trace_moving(void **state) {
    static const struct {
        const char *scene, *sight;
        Look look;
    } cases[] = {
        {"spheres=3", "orthographic", LOOK_CLASSIC},
        {"spheres=300:4", "orthographic", LOOK_CLASSIC},
        {"spheres=300:4", "perspective=x=300:y=200:z=900", LOOK_NORMALS},
        {"spheres=300:4", "random", LOOK_SPHERES},
        {"cloud=20000", "perspective=x=300:y=200:z=900", LOOK_SPHERES}, /* by several threads */
        {"packed=60", "perspective=x=60:y=170:z=760", LOOK_WHITTED},
        {"packed=60", "perspective=x=60:y=170:z=760", LOOK_PATHS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scene *scene;
        REQUIRE(scene_open(cases[i].scene, &scene));
        check_moving(*state, scene, cases[i].sight, cases[i].look);
        scene_destroy(&scene);
    }
}

/* Noise as a state of bodies: the scene's spheres lie where it says, of the host and of the device. The scene moves on
 * once more, so that nobody uploads them. */
static void follow_noise(Bench *bench, Scene *scene, unsigned long seed) {
    const Backend *backend = bench->device->backend;
    const size_t bodies = scene->count - 7; /* these stay */
    Image *state;
    Frame frame;
    REQUIRE(image_create(nbody_shape(bodies), &state));
    view_fill_random(state->view, seed);
    for (size_t i = 0; i < bodies; i++) {
        const Body *place = &nbody_row(state->view, NBODY_PLACES)[i];
        scene->spheres[i].x = place->x * 400;
        scene->spheres[i].y = place->y * 400;
        scene->spheres[i].z = place->z * 400;
    }
    scene->moves++;
    REQUIRE(backend->frame_create(bench->device, state->view.shape, &frame));
    REQUIRE(backend->upload(bench->queue, state->view, frame));
    if (backend->trace && backend->trace->follow)
        REQUIRE(backend->trace->follow(bench->queue, scene, frame, 400));
    REQUIRE(backend->sync(bench->queue));
    backend->frame_destroy(bench->device, &frame);
    image_destroy(&state);
}

/* Spheres that follow bodies without passing the host: the picture is that of spheres which the host has there. */
static void trace_following(void **state) {
    Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++) {
        if (!benches[b].device || benches[b].left_out)
            continue;
        Scene *scene;
        REQUIRE(scene_open("spheres=300:4", &scene));
        Plan *plan = plan_of(scene, "perspective=x=300:y=200:z=900", LOOK_SPHERES, (Shape){37, 23, 4, PIXEL_U8});
        for (unsigned long seed = 1; seed < 4; seed++) {
            follow_noise(&benches[b], scene, seed);
            check_case(benches, &plan_stage(plan, 0)->stage);
        }
        plan_destroy(&plan);
        scene_destroy(&scene);
    }
}

/* Trees that are bad from the first; some of them are built while their spheres are on their way. */
static void trace_moving_degenerate(void **state) {
    for (int kind = NONE; kind < DEGENERATES; kind++)
        for (size_t count = 16; count < 2000; count = count * 5 + 1) {
            Scene *scene = degenerate_scene((Degenerate)kind, kind == NONE ? 0 : count);
            const char *sight = kind % 3 ? "perspective=z=300" : "random=side=300";
            if (kind % 2) {
                REQUIRE(scene_move(scene, 20));
                check_plan(*state, plan_of(scene, sight, LOOK_SPHERES, (Shape){5, 5, 3, PIXEL_U8}));
                REQUIRE(scene_move(scene, 0));
            }
            check_moving(*state, scene, sight, LOOK_SPHERES);
            scene_destroy(&scene);
        }
}

int levels_moving(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_moving),
        cmocka_unit_test(trace_following),
        cmocka_unit_test(trace_moving_degenerate),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, moving", tests, open_devices, close_devices);
}
