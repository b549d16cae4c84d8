/* paths.c: light that is gathered. */
#include "core/math/ray_counters.h"
#include "core/scene/look.h"
#include "tests/levels/harness.h"
#include "tests/levels/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rough glass, coats on metal and on what is diffuse, and films: the materials of ShadingContext.rich. */
#define RICH_SCENE                                                                                                     \
    "packed=60,sphere=1:material=glass:roughness=0.4:refraction=1.5:transmittance=0.9,sphere=2:material=metal:"        \
    "roughness=0.3:specular=0.9:coat=0.7,sphere=3:material=diffuse:diffuse=0.8:coat=1:coat_roughness=0.3,"             \
    "sphere=4:material=glass:roughness=0.7:refraction=0.8:transmittance=1,sphere=5:material=diffuse:coat=1,"           \
    "sphere=6:material=metal:specular=1:roughness=0.2:film=300:film_refraction=1.5,sphere=7:material=glass:"           \
    "refraction=1:transmittance=1:film=400,sphere=8:material=glass:refraction=1.5:transmittance=1:roughness=0.3:"      \
    "film=250:film_refraction=2,sphere=9:material=metal:specular=1:roughness=0.5:coat=0.5:film=500"

/* Light, among all materials, onto screens and into linear light. */
static void trace_light(void **state) {
    static const char *const scenes[] = {"packed=60",
                                         RICH_SCENE,
                                         "spheres",
                                         "sphereflake=1",
                                         GLINT_SOURCE_DIR "/assets/scenes/globes.scene",
                                         GLINT_SOURCE_DIR "/assets/scenes/gem.nff"};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++)
        for (int look = LOOK_WHITTED; look < LOOKS; look++)
            for (int linear = 0; linear < 2; linear++) {
                const Shape shape = {61, 43, linear ? 3 : 4, linear ? PIXEL_F32 : PIXEL_U8};
                Plan *plan;
                Camera camera;
                int out;
                Scene *scene = open_seen(scenes[s], &camera);
                const Sampling sampling = {0, is_quick() || look == LOOK_WHITTED ? 1 : 8, 3, looks[look].depth};
                const TraceJob job = {.scene = scene, .camera = camera, .look = (Look)look, .sampling = sampling};
                REQUIRE(plan_create((PlanOptions){0}, &plan));
                REQUIRE(plan_trace(plan, job, (TraceOptions){.exposure = 1}, shape, &out));
                check_plan(*state, plan);
                scene_destroy(&scene);
            }
}

static void gather(Queue *queue, const Level *level, Stage stage, uint32_t first, uint32_t samples, Part part) {
    TraceJob job = *trace_job(&stage);
    job.sampling.first = first;
    job.sampling.samples = samples;
    job.part = part;
    stage.job = &job;
    REQUIRE(level_run(level, queue, &stage));
    REQUIRE(queue->device->backend->sync(queue));
}

/* Light that is gathered bit by bit is the same, bit for bit. */
static void check_gathering(Queue *queue, const Level *level, Stage stage) {
    const Shape shape = stage.out.shape;
    const size_t left = shape.width / 3, top = shape.height / 2;
    const Part all = {0}, parts[] = {{0, 0, left, shape.height, 1},
                                     {left, 0, shape.width - left, top, 1},
                                     {left, top, shape.width - left, shape.height - top, 1}};
    Image *once = NULL, *bits = NULL;
    const char *why_not;
    if (!level_accepts(level, queue->device, &stage, &why_not))
        return;
    REQUIRE(queue->device->backend->frame_create(queue->device, shape, &stage.out));
    REQUIRE(image_create(shape, &once));
    REQUIRE(image_create(shape, &bits));
    gather(queue, level, stage, 0, 7, all);
    REQUIRE(queue->device->backend->download(queue, stage.out, once->view));
    gather(queue, level, stage, 0, 3, all);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        gather(queue, level, stage, 3, 1, parts[i]);
        gather(queue, level, stage, 4, 3, parts[i]);
    }
    REQUIRE(queue->device->backend->download(queue, stage.out, bits->view));
    if (memcmp(once->view.pixels, bits->view.pixels, shape_bytes(shape)) != 0)
        fail_msg("%s/%s: light depends on how it is gathered", queue->device->backend->name, level->name);
    image_destroy(&once);
    image_destroy(&bits);
    queue->device->backend->frame_destroy(queue->device, &stage.out);
}

static void light_gathers_bit_by_bit(void **state) {
    const Bench *benches = *state;
    Camera camera;
    Scene *scene = open_seen("packed=40", &camera);
    for (int look = LOOK_WHITTED; look < LOOKS; look++) {
        const TraceJob job = {.scene = scene, .camera = camera, .look = (Look)look, .sampling = {0, 1, 3, 4}};
        const Stage stage = {.op = &op_trace, .out = {.shape = {33, 18, 4, PIXEL_F32}}, .job = &job};
        for (size_t b = 0; b < backend_count(); b++)
            for (size_t i = 0; benches[b].device && i < ladder_count(backend_at(b), &op_trace); i++)
                check_gathering(benches[b].queue, ladder_level(backend_at(b), &op_trace, i), stage);
    }
    scene_destroy(&scene);
}

/* The CPU's levels follow the same paths, by the same random numbers. Samples agree up to rounding, but for those few
 * whose ways part where a surface is just grazed. A statistic of the mean would not see, say, lamps chosen unevenly. */
static void paths_agree_sample_by_sample(void **state) {
    static const char *const scenes[] = {"packed=150", RICH_SCENE, "sphereflake=2", "spheres=count=40"};
    static const char *const names[] = {"bvh", "wide"};
    const Bench *benches = *state;
    Queue *queue = benches[0].queue;
    const Shape shape = {97, 61, 4, PIXEL_F32};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++)
        for (size_t set = 0; set < sizeof isas / sizeof isas[0]; set++) {
            Camera camera;
            Image *images[2];
            size_t differing = 0;
            Scene *scene = open_seen(scenes[s], &camera);
            const TraceJob job = {
                .scene = scene, .camera = camera, .look = LOOK_PATHS, .sampling = {0, 1, 5, looks[LOOK_PATHS].depth}};
            const Stage stage = {.op = &op_trace, .out = {.shape = shape}, .job = &job};
            setenv("GLINT_ISA", isas[set], 1);
            for (int i = 0; i < 2; i++)
                images[i] = run_level(queue, level_by_name(backend_at(0), &op_trace, names[i]), &stage);
            for (size_t y = 0; y < shape.height; y++)
                for (size_t x = 0; x < shape.width; x++)
                    for (int c = 0; c < 3; c++) {
                        const double a = view_value(images[0]->view, x, y, c), b = view_value(images[1]->view, x, y, c);
                        differing += !(fabs(a - b) <= 1e-3 * (0.01 + fabs(a)));
                    }
            for (int i = 0; i < 2; i++)
                image_destroy(&images[i]);
            scene_destroy(&scene);
            if (differing > 3 * shape.width * shape.height / 100)
                fail_msg("%s (%s): %zu of %zu values differ", scenes[s], isas[set], differing,
                         3 * shape.width * shape.height);
        }
}

/* The rays of sphereflake as its authors count them (E. Haines, Standard Procedural Databases, README: balls 4, a ray
 * tree of depth 5), within a tenth. */
static void sphereflake_has_the_rays_of_its_authors(void **state) {
    const Bench *benches = *state;
    const double want[] = {
        [COUNTER_CAMERA_RAYS] = 263169, [COUNTER_SHADOW_RAYS] = 954368, [COUNTER_SECONDARY_RAYS] = 175095};
    Camera camera;
    Scene *scene = open_seen("sphereflake=4", &camera);
    for (size_t b = 0; b < backend_count(); b++) {
        Device *device = benches[b].device;
        const TraceJob job = {.scene = scene, .camera = camera, .look = LOOK_WHITTED, .sampling = {0, 1, 0, 5}};
        Stage stage = {.op = &op_trace, .job = &job};
        RayCounters counters;
        if (!device || !backend_at(b)->trace)
            continue;
        REQUIRE(backend_at(b)->frame_create(device, (Shape){513, 513, 4, PIXEL_F32}, &stage.out));
        REQUIRE(backend_at(b)->trace->count_rays(benches[b].queue, &stage, &counters));
        print_message("%s: %.0f eye, %.0f shadow and %.0f secondary rays, %.1f nodes and %.1f tests a ray\n",
                      backend_at(b)->name, (double)counters.counts[COUNTER_CAMERA_RAYS],
                      (double)counters.counts[COUNTER_SHADOW_RAYS], (double)counters.counts[COUNTER_SECONDARY_RAYS],
                      counters_per_ray(&counters, COUNTER_NODES), counters_per_ray(&counters, COUNTER_TESTS));
        for (int i = COUNTER_CAMERA_RAYS; i <= COUNTER_SECONDARY_RAYS; i++)
            assert_true(fabs((double)counters.counts[i] - want[i]) <= 0.1 * want[i]);
        backend_at(b)->frame_destroy(device, &stage.out);
    }
    scene_destroy(&scene);
}

int levels_paths(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_light),
        cmocka_unit_test(light_gathers_bit_by_bit),
        cmocka_unit_test(paths_agree_sample_by_sample),
        cmocka_unit_test(sphereflake_has_the_rays_of_its_authors),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, paths", tests, open_devices, close_devices);
}
