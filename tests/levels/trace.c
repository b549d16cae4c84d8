/* trace.c: scenes of spheres by every camera and look. */
#include "core/scene/files/glint.h"
#include "core/scene/look.h"
#include "core/scene/scene_open.h"
#include "tests/levels/harness.h"
#include "tests/levels/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scenes by every camera in every look; thousands of spheres in fewer pixels. */
static void trace_scenes(void **state) {
    static const char *const scenes[] = {"spheres=count=1", "spheres", "spheres=count=300:seed=4",
                                         "cloud=count=6:seed=3", "cloud=count=5000"};
    static const char *const sights[] = {"orthographic", "orthographic=unit=3:x=70", "perspective=z=1500",
                                         "perspective=angle=80:x=90:y=40:z=20", "random"};
    const Shape shapes[] = {{1, 1, 3, PIXEL_U8}, {97, 61, 3, PIXEL_U8}, {640, 333, 4, PIXEL_U8}};
    const size_t count = sizeof shapes / sizeof shapes[0], many = 1000;
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++)
        for (size_t c = 0; c < sizeof sights / sizeof sights[0]; c++)
            for (size_t i = is_quick() ? 1 : 0; i < (is_quick() ? 2 : count); i++) {
                Scene *scene;
                const Look look = (Look)((s + c + i) % LOOK_NODES);
                REQUIRE(scene_open(scenes[s], &scene));
                const Shape shape = i == 1 && scene->count > many ? (Shape){61, 37, 3, PIXEL_U8} : shapes[i];
                if (scene->count * shape.width * shape.height <= TESTS_MAX)
                    check_plan(*state, plan_of(scene, sights[c], look, shape));
                scene_destroy(&scene);
            }
}

static void trace_degenerate(void **state) {
    static const char *const sights[] = {"orthographic", "perspective=x=3.5:y=-7.2:z=11.1", "perspective=z=300",
                                         "random"};
    static const size_t counts[] = {1, 3, 17, 100, 9000};
    const Shape shape = {37, 23, 4, PIXEL_U8};
    for (int kind = NONE; kind < DEGENERATES; kind++)
        for (size_t n = is_quick() ? 3 : 0; n < (kind == NONE ? 1 : sizeof counts / sizeof counts[0]); n++)
            for (size_t c = 0; c < sizeof sights / sizeof sights[0]; c++) {
                if (is_quick() && counts[n] > 1000 && c != (size_t)kind % (sizeof sights / sizeof sights[0]))
                    continue; /* many spheres from one sight each */
                Scene *scene = degenerate_scene((Degenerate)kind, kind == NONE ? 0 : counts[n]);
                check_plan(*state, plan_of(scene, sights[c], n % 2 ? LOOK_SPHERES : LOOK_CLASSIC, shape));
                scene_destroy(&scene);
            }
}

/* The smallest and the largest spheres that there are, from near by, from within and from far away. */
static void trace_extremes(void **state) {
    static const struct {
        const char *spheres, *sights[4];
    } extremes[] = {
        {"sphere 0 0 0 1e-6 1 0 0\nsphere 3e-6 1e-6 -4e-6 1e-6 0 1 0\nsphere -2e-6 2e-6 3e-6 1e-6 0 0 1\n",
         {"orthographic=unit=1e-6", "perspective=z=2e-5", "perspective=x=1e-7:z=3e-7", "random=side=1e-5"}},
        {"sphere 0 0 0 1e9 1 0 0\nsphere 1e9 1e9 1e9 1e9 0 1 0\nsphere -1e9 0 -1e9 1e9 0 0 1\nsphere 0 0 0 90 1 1 1\n",
         {"orthographic=unit=1e6", "perspective=z=1500", "perspective=x=1e9:y=-1e9:z=9e8", "random=side=1e6"}},
        {"sphere 1e9 -1e9 1e9 1e-6 1 0 0\nsphere 0 0 0 1e-6 1 1 1\nsphere -1e9 1e9 -1e9 1e9 0 1 0\n",
         {"orthographic", "perspective=z=1e-3", "perspective=x=1e9:y=-1e9:z=1e9", "random=side=1e-6"}},
        {"sphere 10 20 30 50 1 0 0\nsphere 10 20 30 20 0 1 0\nsphere 12 20 30 5 0 0 1\n",
         {"orthographic", "perspective=x=10:y=20:z=30", "perspective=x=40:y=20:z=30", "random=side=60"}},
    };
    const Shape shape = {37, 23, 4, PIXEL_U8};
    for (size_t e = 0; e < sizeof extremes / sizeof extremes[0]; e++)
        for (size_t c = 0; c < 4; c++)
            for (int look = 0; look < LOOK_NODES; look++) {
                char text[400];
                Scene *scene;
                snprintf(text, sizeof text, "glint-scene 1\n%s", extremes[e].spheres);
                REQUIRE(scene_parse("extremes", text, &scene));
                check_plan(*state, plan_of(scene, extremes[e].sights[c], (Look)look, shape));
                scene_destroy(&scene);
            }
}

/* Millions of spheres, by the levels that do not look at each of them for each pixel. Where there is a GPU they are ten
 * millions, which strain its indices and memory. For the CPU alone they are more than 2^20, from which on its trees
 * only grow. */
static void trace_millions(void **state) {
    const Bench *benches = *state;
    bool beyond_cpu = false;
#ifdef __SANITIZE_ADDRESS__
    const bool too_slow = true;
#else
    const bool too_slow = is_quick();
#endif
    if (too_slow) {
        print_message("millions of spheres: left out, since sanitizers and GLINT_TEST_QUICK take minutes for them\n");
        skip();
    }
    Scene *scene;
    for (size_t b = 1; b < backend_count(); b++)
        beyond_cpu |= benches[b].device && !benches[b].left_out && level_by_name(backend_at(b), &op_trace, "bvh");
    REQUIRE(scene_open(beyond_cpu ? "cloud=10000000" : "cloud=1100000", &scene));
    for (int moved = 0; moved < 2; moved++) {
        Plan *plan = plan_of(scene, "perspective", LOOK_SPHERES, (Shape){5, 5, 3, PIXEL_U8});
        check_from(*state, &plan_stage(plan, 0)->stage, "bvh");
        plan_destroy(&plan);
        REQUIRE(scene_move(scene, 1));
    }
    scene_destroy(&scene);
}

/* ---- parts ---- */

enum { PART_WIDTH = 93, PART_HEIGHT = 61, BAND = 24, FILL = 0x5A };

/* The part as a level traces it, in a frame that holds the rows from `top` on alone; bytes that it leaves are FILL. */
static Image *trace_into(Queue *queue, const Level *level, Stage stage, Part part, size_t top, size_t rows) {
    const Backend *backend = queue->device->backend;
    const Shape whole = stage.out.shape;
    TraceJob job = *trace_job(&stage);
    Image *image = NULL;
    Frame frame;
    Shape shape = whole;
    shape.height = rows;
    job.part = part;
    stage.job = &job;
    REQUIRE(image_create(shape, &image));
    memset(image->view.pixels, FILL, shape_bytes(shape));
    REQUIRE(backend->frame_create(queue->device, shape, &frame));
    REQUIRE(backend->upload(queue, image->view, frame));
    stage.out = frame_around(frame, top, whole.height);
    REQUIRE(level_run(level, queue, &stage));
    REQUIRE(backend->download(queue, frame, image->view));
    REQUIRE(backend->sync(queue));
    backend->frame_destroy(queue->device, &frame);
    return image;
}

static bool is_inside(Part part, size_t x, size_t y) {
    return x >= part.left && x < part_right(part) && y >= part.top && y < part_bottom(part);
}

/* All pixels of the part are those of the whole, and no others are written. */
static void check_part(Queue *queue, const Level *level, const Stage *stage, ImageView whole, Part part, size_t top,
                       size_t rows) {
    Image *image = trace_into(queue, level, *stage, part, top, rows);
    const size_t bytes = (size_t)whole.shape.channels * pixel_type_size(whole.shape.type);
    unsigned char fill[4 * sizeof(float)];
    memset(fill, FILL, sizeof fill);
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < whole.shape.width; x++) {
            const unsigned char *got = (const unsigned char *)view_row(image->view, y) + x * bytes;
            const unsigned char *want = (const unsigned char *)view_row(whole, top + y) + x * bytes;
            const bool inside = is_inside(part, x, top + y);
            if (memcmp(got, inside ? want : fill, bytes) != 0)
                fail_msg("%s/%s, %s: (%zu, %zu) of the part from (%zu, %zu) on is another than in the whole",
                         queue->device->backend->name, level->name, looks[trace_job(stage)->look].name, x, top + y,
                         part.left, part.top);
        }
    image_destroy(&image);
}

static void check_parts(Queue *queue, const Level *level, const Stage *stage) {
    const Part all = {0, 0, PART_WIDTH, PART_HEIGHT, 1};
    Image *whole = trace_into(queue, level, *stage, all, 0, PART_HEIGHT);
    for (size_t top = 0; top < PART_HEIGHT; top += BAND) {
        const size_t rows = top + BAND < PART_HEIGHT ? BAND : PART_HEIGHT - top;
        check_part(queue, level, stage, whole->view, (Part){0, top, PART_WIDTH, rows, 1}, top, rows);
    }
    check_part(queue, level, stage, whole->view, (Part){40, 11, 13, 37, 1}, 0, PART_HEIGHT);
    image_destroy(&whole);
}

/* Every level of every backend traces a part of a picture to the bits of the whole, by every look and camera. */
static void trace_parts(void **state) {
    static const char *const sights[] = {"orthographic=unit=8", "perspective=z=1500", "random"};
    const Bench *benches = *state;
    Scene *scene;
    REQUIRE(scene_open("spheres=count=40:seed=4", &scene));
    for (size_t s = 0; s < sizeof sights / sizeof sights[0]; s++)
        for (int look = 0; look < LOOKS; look++) {
            Plan *plan = plan_of(scene, sights[s], (Look)look, (Shape){PART_WIDTH, PART_HEIGHT, 4, PIXEL_U8});
            const Stage *stage = &plan_stage(plan, 0)->stage;
            for (size_t b = 0; b < backend_count(); b++) {
                const Level *level;
                const char *why_not;
                for (size_t i = 0;
                     benches[b].device && !benches[b].left_out && (level = ladder_level(backend_at(b), &op_trace, i));
                     i++)
                    if (level_accepts(level, benches[b].device, stage, &why_not))
                        check_parts(benches[b].queue, level, stage);
            }
            plan_destroy(&plan);
        }
    scene_destroy(&scene);
}

int levels_trace(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_scenes),   cmocka_unit_test(trace_degenerate), cmocka_unit_test(trace_extremes),
        cmocka_unit_test(trace_millions), cmocka_unit_test(trace_parts),      cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, trace", tests, open_devices, close_devices);
}
