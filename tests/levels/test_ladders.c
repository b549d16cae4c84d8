/* test_ladders.c: the one harness over all tables.
 * For every backend, operation and level: awkward cases from fixed seeds against the float64 reference. Inputs and
 * outputs are crops of larger frames, so that the stride exceeds the width, what lies around the input is noise that
 * must not be read, and what lies around the output is a guard that must survive. A new level is tested without a
 * change here. */
#include "core/backend.h"
#include "core/hd/pcg.h"
#include "core/ops/convolve.h"
#include "core/plan.h"
#include "core/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { JOB_BYTES_MOST = 512 };  /* of the jobs of all operations */
enum { TESTS_MOST = 40000000 }; /* of pixels against spheres, in one case */
enum { GUARD_ROWS = 2, GUARD_COLUMNS = 19, GUARD_BYTE = 0xA5, THREADS = 3 };

/* The instruction sets to go through; one that the machine lacks runs as the widest that it has. */
static const char *const isas[] = {"portable", "avx2", "avx512"};

#define REQUIRE(expression)                                                                                            \
    do {                                                                                                               \
        if ((expression) != STATUS_OK)                                                                                 \
            fail_msg("%s: %s", #expression, status_message());                                                         \
    } while (0)

/* For the sanitizers, under which everything takes ten to a hundred times as long. */
static bool is_quick(void) {
    return getenv("GLINT_TEST_QUICK") != NULL;
}

static size_t draw(Pcg *pcg, size_t count) {
    return pcg_next(pcg) % count;
}

/* A frame with room around the part that a stage sees. */
typedef struct Guarded {
    Frame whole, part;
    Image *around; /* what the whole frame held before the stage ran */
} Guarded;

static void guarded_create(Device *device, Shape shape, unsigned long seed, Guarded *guarded) {
    Shape whole = shape;
    whole.width += GUARD_COLUMNS;
    whole.height += (size_t)2 * GUARD_ROWS;
    REQUIRE(image_create(whole, &guarded->around));
    ImageView view = guarded->around->view;
    if (seed)
        view_fill_random(view, seed);
    else
        memset(view.pixels, GUARD_BYTE, shape_bytes(whole));
    REQUIRE(device->backend->frame_create(device, whole, &guarded->whole));
    REQUIRE(device->backend->upload(device, view, guarded->whole));
    guarded->part = view_crop(guarded->whole, 0, GUARD_ROWS, shape.width, shape.height);
}

static void guarded_destroy(Device *device, Guarded *guarded) {
    if (!guarded->around)
        return;
    device->backend->frame_destroy(device, &guarded->whole);
    image_destroy(&guarded->around);
}

/* Downloads the whole frame, fails if a byte around the part changed, and returns the part (owned by *whole). */
static ImageView guarded_result(Device *device, const Guarded *guarded, const char *what, Image **whole) {
    REQUIRE(image_create(guarded->whole.shape, whole));
    REQUIRE(device->backend->download(device, guarded->whole, (*whole)->view));
    REQUIRE(device->backend->sync(device));
    const Shape shape = guarded->part.shape;
    const size_t inner = shape_row_bytes(shape), row = shape_row_bytes(guarded->whole.shape);
    for (size_t y = 0; y < guarded->whole.shape.height; y++) {
        const unsigned char *before = view_row(guarded->around->view, y), *after = view_row((*whole)->view, y);
        const size_t from = y >= GUARD_ROWS && y < GUARD_ROWS + shape.height ? inner : 0;
        if (memcmp(before + from, after + from, row - from) != 0)
            fail_msg("%s wrote outside its frame in row %zu", what, y);
    }
    return view_crop((*whole)->view, 0, GUARD_ROWS, shape.width, shape.height);
}

/* Sums over all cases of a level: the rule allows one value in a thousand to be off by one. */
typedef struct Sums {
    size_t values, differing, cases;
} Sums;

typedef struct Bench {
    Device *device;
    bool left_out; /* GLINT_TEST_BACKEND names another */
    Sums sums;
} Bench;

static void run_on(Device *device, const Level *level, const Stage *unbound, const char *what, Image **whole,
                   ImageView *result) {
    Stage stage = *unbound;
    Guarded in[STAGE_INPUTS] = {0}, out = {0};
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage.in[k].shape.width > 0) {
            guarded_create(device, stage.in[k].shape, 3 + (unsigned long)k, &in[k]);
            stage.in[k] = in[k].part;
        }
    guarded_create(device, stage.out.shape, 0, &out);
    stage.out = out.part;
    if (level->run(device, &stage) != STATUS_OK)
        fail_msg("%s: %s", what, status_message());
    REQUIRE(device->backend->sync(device));
    *result = guarded_result(device, &out, what, whole);
    for (int k = 0; k < STAGE_INPUTS; k++)
        guarded_destroy(device, &in[k]);
    guarded_destroy(device, &out);
}

static const char *describe(const Stage *stage, const char *backend, const char *level) {
    static char text[400];
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    int used = snprintf(text, sizeof text, "%s/%s/%s %zux%zu %sx%d -> %s", backend, stage->op->name, level, out.width,
                        out.height, pixel_type_name(in.type), out.channels, pixel_type_name(out.type));
    used += snprintf(text + used, sizeof text - (size_t)used, ", ");
    stage->op->describe(stage->job, text + used, sizeof text - (size_t)used);
    return text;
}

/* The place of the level `lowest` on its ladder; 0 if that is NULL. */
static size_t first_rung(const Backend *backend, const Op *op, const char *lowest) {
    const Level *level;
    size_t i = 0;
    while (lowest && (level = ladder_level(backend, op, i)) && strcmp(level->name, lowest) != 0)
        i++;
    return i;
}

/* Runs one case on every level of every backend; of their ladders only from level `lowest` on, if that is not NULL. */
static void check_from(Bench *benches, const Stage *stage, const char *lowest) {
    Image *reference = NULL;
    ImageView want;
    run_on(benches[0].device, level_reference(stage->op), stage, "reference", &reference, &want);
    const double max_in = stage->in[0].shape.width ? pixel_type_white(stage->in[0].shape.type) : 1;
    for (size_t b = 0; b < backend_count; b++) {
        if (!benches[b].device || benches[b].left_out)
            continue;
        const Level *level;
        const size_t sets = b == 0 ? sizeof isas / sizeof isas[0] : 1;
        for (size_t i = first_rung(backends[b], stage->op, lowest); (level = ladder_level(backends[b], stage->op, i));
             i++) {
            const char *why_not = NULL;
            if (level == level_reference(stage->op))
                continue;
            const char *what = describe(stage, backends[b]->name, level->name);
            if (!level_accepts(level, benches[b].device, stage, &why_not)) {
                assert_non_null(why_not);
                continue;
            }
            for (size_t set = 0; set < sets; set++) {
                Image *whole = NULL;
                ImageView got;
                setenv("GLINT_ISA", isas[set], 1);
                run_on(benches[b].device, level, stage, what, &whole, &got);
                const Verdict verdict = stage_compare(stage, max_in, want, got);
                if (!verdict.agrees)
                    fail_msg("%s (%s): %zu of %zu values differ, by up to %g; %g is allowed", what, isas[set],
                             verdict.differing, verdict.values, verdict.worst, verdict.allowed);
                benches[b].sums.cases++;
                if (stage->out.shape.type != PIXEL_F32 && stage->op != &op_trace) {
                    benches[b].sums.values += verdict.values;
                    benches[b].sums.differing += verdict.differing;
                }
                image_destroy(&whole);
            }
        }
    }
    image_destroy(&reference);
}

static void check_case(Bench *benches, const Stage *stage) {
    check_from(benches, stage, NULL);
}

static void check_plan(Bench *benches, Plan *plan) {
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        check_case(benches, &plan_stage(plan, i)->stage);
    plan_destroy(&plan);
}

/* Masks of every kind: dense, outer products, whole numbers whose sums tie, large, flat, lying, standing. */
static Mask *draw_mask(Pcg *pcg) {
    static const int sides[] = {1, 2, 3, 3, 3, 4, 5, 5, 6, 7, 9, 13, 15, 21, 31};
    const size_t count = sizeof sides / sizeof sides[0];
    Mask *mask = NULL;
    const int w = sides[draw(pcg, count)], h = draw(pcg, 3) ? w : sides[draw(pcg, count)];
    const size_t kind = draw(pcg, 4);
    if (kind == 0) {
        REQUIRE(mask_box(w, h, &mask));
        return mask;
    }
    if (kind == 1) {
        REQUIRE(mask_gaussian(0.3 + 0.1 * (double)draw(pcg, 50), 0, &mask));
        return mask;
    }
    REQUIRE(mask_create(w, h, &mask));
    for (int i = 0; i < w * h; i++)
        mask->weights[i] = kind == 2 ? (float)draw(pcg, 17) - 6 : pcg_float(pcg) - 0.3f;
    const double sum = fabs(mask_sum(mask));
    mask->divisor = kind == 2 ? (float)(1 + draw(pcg, 40)) : sum > 0.1 ? (float)sum : 1;
    return mask;
}

static Shape draw_shape(Pcg *pcg) {
    static const size_t sides[] = {1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 33, 61, 64, 67, 97, 131};
    const size_t count = sizeof sides / sizeof sides[0];
    return (Shape){sides[draw(pcg, count)], sides[draw(pcg, count)], 1 + (int)draw(pcg, 4),
                   (PixelType)draw(pcg, PIXEL_TYPES)};
}

static Border draw_border(Pcg *pcg, Shape shape) {
    Border border = {(BorderMode)draw(pcg, (size_t)border_count), 0};
    if (border.mode == BORDER_CONSTANT)
        border.value = (float)(0.7 * pixel_type_white(shape.type));
    return border;
}

/* A plan whose value 0 is an image of this shape. */
static Plan *plan_for(Shape shape, Border border) {
    Plan *plan;
    int picture;
    REQUIRE(plan_create((PlanOptions){.border = border, .alpha = ALPHA_IGNORE}, &plan));
    REQUIRE(plan_source(plan, shape, &picture));
    assert_int_equal(picture, 0);
    return plan;
}

static void convolve_random(void **state) {
    Pcg pcg = pcg_seed(2, 1);
    for (int i = 0; i < (is_quick() ? 12 : 200); i++) {
        const Shape shape = draw_shape(&pcg);
        Plan *plan;
        int out;
        plan = plan_for(shape, draw_border(&pcg, shape));
        const float bias = draw(&pcg, 3) ? 0 : (float)(0.25 * pixel_type_white(shape.type));
        REQUIRE(plan_convolve(plan, 0, draw_mask(&pcg), bias, draw(&pcg, 4) ? shape.type : PIXEL_F32, &out));
        check_plan(*state, plan);
    }
}

/* Every type, channel count and border once each, with a mask larger than the picture and one that fits. */
static void convolve_grid(void **state) {
    Pcg pcg = pcg_seed(5, 1);
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = 1; channels <= 4; channels++)
            for (int border = 0; border < border_count; border++)
                for (int large = is_quick() && border % 2; large < (is_quick() ? 1 + border % 2 : 2); large++) {
                    const Shape shape = {large ? 6 : 83, large ? 5 : 47, channels, (PixelType)type};
                    Plan *plan;
                    Mask *mask;
                    int out;
                    const Border mode = {(BorderMode)border, border == BORDER_CONSTANT ? 9 : 0};
                    plan = plan_for(shape, mode);
                    REQUIRE(mask_create(large ? 17 : 5, large ? 15 : 7, &mask));
                    for (int i = 0; i < mask->width * mask->height; i++)
                        mask->weights[i] = pcg_float(&pcg) / (large ? 128 : 16);
                    REQUIRE(plan_convolve(plan, 0, mask, 0, shape.type, &out));
                    check_plan(*state, plan);
                }
}

/* The textbook's first example: a signal is a picture of height 1. */
static void convolve_one_dimension(void **state) {
    for (int standing = 0; standing < 2; standing++)
        for (size_t length = is_quick() ? 121 : 1; length < 300; length = length * 3 + 1)
            for (int side = 1; side < 12; side += 5) {
                const Shape shape = {standing ? 1 : length, standing ? length : 1, 1, PIXEL_F32};
                Plan *plan;
                Mask *mask;
                int out;
                plan = plan_for(shape, (Border){BORDER_ZERO, 0});
                REQUIRE(mask_box(standing ? 1 : side, standing ? side : 1, &mask));
                REQUIRE(plan_convolve(plan, 0, mask, 0, PIXEL_F32, &out));
                check_plan(*state, plan);
            }
}

/* Large masks, and pictures of several strips and tiles. */
static void convolve_large(void **state) {
    const Shape shapes[] = {
        {517, 101, 3, PIXEL_U8}, {401, 99, 4, PIXEL_U8}, {300, 131, 1, PIXEL_F32}, {129, 131, 4, PIXEL_U16}};
    const int quick[] = {2, 2, 0, 1}; /* the kind of mask where each is tried once: the large ones on few pixels */
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int kind = is_quick() ? quick[i] : 0; kind < (is_quick() ? quick[i] + 1 : 3); kind++) {
            Plan *plan;
            Mask *mask;
            int out;
            plan = plan_for(shapes[i], (Border){BORDER_MIRROR, 0});
            REQUIRE(kind == 0   ? mask_gaussian(7, 0, &mask)
                    : kind == 1 ? mask_box(63, 9, &mask)
                                : mask_parse("1 2 3;4 -5 6;7 8 9.5", &mask));
            REQUIRE(plan_convolve(plan, 0, mask, 0, shapes[i].type, &out));
            check_plan(*state, plan);
        }
}

/* Halves, exactly or nearly: sums of bytes times 1/64 lie halfway between two bytes once in 64, times 0.1 once in ten.
 */
static void convolve_halves(void **state) {
    const struct {
        int side;
        float weight;
    } rows[] = {{8, 1.0F / 64}, {4, 0.125F}, {9, 0.75F / 64}, {3, 2.5F}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Shape shape = {251, 67, 3, PIXEL_U8};
        Plan *plan;
        Mask *mask;
        int out;
        plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
        REQUIRE(mask_create(rows[i].side, rows[i].side, &mask));
        for (int k = 0; k < mask->width * mask->height; k++)
            mask->weights[k] = rows[i].weight;
        REQUIRE(plan_convolve(plan, 0, mask, 0, PIXEL_U8, &out));
        check_plan(*state, plan);
    }
}

/* The examples of every operation, also of one that this file does not know. */
static void examples_of_every_operation(void **state) {
    const Shape sizes[] = {{1, 1, 0, 0}, {67, 41, 0, 0}};
    for (size_t o = 0; o < op_count; o++)
        for (size_t e = 0; e < ops[o]->example_count; e++)
            for (int type = 0; type < PIXEL_TYPES; type++)
                for (int channels = is_quick() ? 3 : 1; channels <= (is_quick() ? 3 : 4); channels++)
                    for (size_t i = is_quick() ? 1 : 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                        const Shape shape = {sizes[i].width, sizes[i].height, channels, (PixelType)type};
                        _Alignas(max_align_t) char job[JOB_BYTES_MOST] = {0};
                        const int in[STAGE_INPUTS] = {ops[o]->inputs > 0 ? 0 : PLAN_NONE,
                                                      ops[o]->inputs > 1 ? 0 : PLAN_NONE};
                        Plan *plan;
                        int out;
                        assert_true(ops[o]->job_bytes <= sizeof job);
                        if (ops[o]->example(e, shape, job) != STATUS_OK)
                            continue;
                        plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
                        REQUIRE(plan_append(plan, ops[o], job, in, shape.type, &out));
                        check_plan(*state, plan);
                    }
}

static void point_all(void **state) {
    for (int function = is_quick() ? POINT_unpremultiply_by : 0; function < POINT_expose; function++)
        for (int from = 0; from < PIXEL_TYPES; from++)
            for (int to = 0; to < PIXEL_TYPES; to++)
                for (int channels = 1; channels <= 4; channels++) {
                    const Shape in = {37, 11, channels, (PixelType)from};
                    const bool two = points[function].inputs == 2;
                    Plan *plan;
                    int out;
                    plan = plan_for(in, (Border){BORDER_CLAMP, 0});
                    REQUIRE(plan_point(plan, (PointFunction)function, 0, two ? 0 : PLAN_NONE, (PixelType)to, &out));
                    check_plan(*state, plan);
                }
}

/* Light by two samples a pixel. */
static Plan *plan_of(const Scene *scene, const char *sight, Look look, Shape shape) {
    Plan *plan;
    int out;
    TraceJob job = {.scene = scene, .look = look, .sampling = {0, 2, 3, looks[look].depth}};
    REQUIRE(camera_parse(sight, &job.camera));
    REQUIRE(plan_create((PlanOptions){0}, &plan));
    REQUIRE(plan_trace(plan, job, 1, shape, &out));
    return plan;
}

/* Scenes by every camera in every look. */
static void trace_scenes(void **state) {
    static const char *const scenes[] = {"spheres=count=1", "spheres", "spheres=count=300:seed=4",
                                         "cloud=count=6:seed=3", "cloud=count=5000"};
    static const char *const sights[] = {"orthographic", "orthographic=unit=3:x=70", "perspective=z=1500",
                                         "perspective=angle=80:x=90:y=40:z=20", "random"};
    const Shape shapes[] = {{1, 1, 3, PIXEL_U8}, {97, 61, 3, PIXEL_U8}, {640, 333, 4, PIXEL_U8}};
    const size_t count = sizeof shapes / sizeof shapes[0];
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++)
        for (size_t c = 0; c < sizeof sights / sizeof sights[0]; c++)
            for (size_t i = is_quick() ? 1 : 0; i < (is_quick() ? 2 : count); i++) {
                Scene *scene;
                const Look look = (Look)((s + c + i) % LOOK_NODES);
                REQUIRE(scene_open(scenes[s], &scene));
                if (scene->count * shapes[i].width * shapes[i].height <= TESTS_MOST)
                    check_plan(*state, plan_of(scene, sights[c], look, shapes[i]));
                scene_destroy(&scene);
            }
}

/* The scene, and a camera that sees something of it. */
static Scene *open_seen(const char *text, Camera *camera) {
    Scene *scene;
    REQUIRE(scene_open(text, &scene));
    *camera = camera_usual();
    camera->unit = 16;
    if (scene->has_viewpoint)
        REQUIRE(camera_from(scene->viewpoint, camera));
    return scene;
}

/* Light, among all materials, onto screens and into linear light. */
static void trace_light(void **state) {
    static const char *const scenes[] = {"packed=60", "spheres", "sphereflake=1",
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
                REQUIRE(plan_trace(plan, job, 1, shape, &out));
                check_plan(*state, plan);
                scene_destroy(&scene);
            }
}

static void gather(Device *device, const Level *level, Stage stage, uint32_t first, uint32_t samples, Part part) {
    TraceJob job = *trace_job(&stage);
    job.sampling.first = first;
    job.sampling.samples = samples;
    job.part = part;
    stage.job = &job;
    REQUIRE(level->run(device, &stage));
    REQUIRE(device->backend->sync(device));
}

/* Light that is gathered bit by bit is the same, bit for bit. */
static void check_gathering(Device *device, const Level *level, Stage stage) {
    const Shape shape = stage.out.shape;
    const size_t left = shape.width / 3, top = shape.height / 2;
    const Part all = {0}, parts[] = {{0, 0, left, shape.height, 1},
                                     {left, 0, shape.width - left, top, 1},
                                     {left, top, shape.width - left, shape.height - top, 1}};
    Image *once = NULL, *bits = NULL;
    const char *why_not;
    if (!level_accepts(level, device, &stage, &why_not))
        return;
    REQUIRE(device->backend->frame_create(device, shape, &stage.out));
    REQUIRE(image_create(shape, &once));
    REQUIRE(image_create(shape, &bits));
    gather(device, level, stage, 0, 7, all);
    REQUIRE(device->backend->download(device, stage.out, once->view));
    gather(device, level, stage, 0, 3, all);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        gather(device, level, stage, 3, 1, parts[i]);
        gather(device, level, stage, 4, 3, parts[i]);
    }
    REQUIRE(device->backend->download(device, stage.out, bits->view));
    if (memcmp(once->view.pixels, bits->view.pixels, shape_bytes(shape)) != 0)
        fail_msg("%s/%s: light depends on how it is gathered", device->backend->name, level->name);
    image_destroy(&once);
    image_destroy(&bits);
    device->backend->frame_destroy(device, &stage.out);
}

static void light_gathers_bit_by_bit(void **state) {
    const Bench *benches = *state;
    Camera camera;
    Scene *scene = open_seen("packed=40", &camera);
    for (int look = LOOK_WHITTED; look < LOOKS; look++) {
        const TraceJob job = {.scene = scene, .camera = camera, .look = (Look)look, .sampling = {0, 1, 3, 4}};
        const Stage stage = {.op = &op_trace, .out = {.shape = {33, 18, 4, PIXEL_F32}}, .job = &job};
        for (size_t b = 0; b < backend_count; b++)
            for (size_t i = 0; benches[b].device && i < ladder_count(backends[b], &op_trace); i++)
                check_gathering(benches[b].device, ladder_level(backends[b], &op_trace, i), stage);
    }
    scene_destroy(&scene);
}

/* The CPU's levels follow the same paths, by the same random numbers: samples agree up to rounding, but for those few
 * whose ways part where a surface is just grazed. A statistic of the mean would not see, say, lamps chosen unevenly. */
static void paths_agree_sample_by_sample(void **state) {
    static const char *const scenes[] = {"packed=150", "sphereflake=2", "spheres=count=40"};
    static const char *const names[] = {"bvh", "wide"};
    const Bench *benches = *state;
    Device *device = benches[0].device;
    const Shape shape = {97, 61, 4, PIXEL_F32};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++)
        for (size_t set = 0; set < sizeof isas / sizeof isas[0]; set++) {
            Camera camera;
            Image *images[2];
            ImageView views[2];
            size_t differing = 0;
            Scene *scene = open_seen(scenes[s], &camera);
            const TraceJob job = {
                .scene = scene, .camera = camera, .look = LOOK_PATHS, .sampling = {0, 1, 5, looks[LOOK_PATHS].depth}};
            const Stage stage = {.op = &op_trace, .out = {.shape = shape}, .job = &job};
            setenv("GLINT_ISA", isas[set], 1);
            for (int i = 0; i < 2; i++)
                run_on(device, level_by_name(backends[0], &op_trace, names[i]), &stage, names[i], &images[i],
                       &views[i]);
            for (size_t y = 0; y < shape.height; y++)
                for (size_t x = 0; x < shape.width; x++)
                    for (int c = 0; c < 3; c++) {
                        const double a = view_value(views[0], x, y, c), b = view_value(views[1], x, y, c);
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
    const double want[] = {[TALLY_EYE] = 263169, [TALLY_SHADOW] = 954368, [TALLY_SECONDARY] = 175095};
    Camera camera;
    Scene *scene = open_seen("sphereflake=4", &camera);
    for (size_t b = 0; b < backend_count; b++) {
        Device *device = benches[b].device;
        const TraceJob job = {.scene = scene, .camera = camera, .look = LOOK_WHITTED, .sampling = {0, 1, 0, 5}};
        Stage stage = {.op = &op_trace, .job = &job};
        Tally tally;
        if (!device)
            continue;
        REQUIRE(backends[b]->frame_create(device, (Shape){513, 513, 4, PIXEL_F32}, &stage.out));
        REQUIRE(backends[b]->tally(device, &stage, &tally));
        print_message("%s: %.0f eye, %.0f shadow and %.0f secondary rays, %.1f nodes and %.1f tests a ray\n",
                      backends[b]->name, (double)tally.counts[TALLY_EYE], (double)tally.counts[TALLY_SHADOW],
                      (double)tally.counts[TALLY_SECONDARY], tally_per_ray(&tally, TALLY_NODES),
                      tally_per_ray(&tally, TALLY_TESTS));
        for (int i = TALLY_EYE; i <= TALLY_SECONDARY; i++)
            assert_true(fabs((double)tally.counts[i] - want[i]) <= 0.1 * want[i]);
        backends[b]->frame_destroy(device, &stage.out);
    }
    scene_destroy(&scene);
}

/* Spheres that make bad trees: alike, within each other, in a line, far from all others, of no size, of all sizes. */
typedef enum Degenerate { NONE, ALIKE, CONCENTRIC, LINE, FAR_AWAY, POINTS, ALL_SIZES, DEGENERATES } Degenerate;

static Scene *degenerate_scene(Degenerate kind, size_t count) {
    enum { LINE_MOST = 120 };
    Pcg pcg = pcg_seed(9, kind);
    char *text = malloc(count * LINE_MOST + LINE_MOST);
    assert_non_null(text);
    int used = sprintf(text, "glint-scene 1\n");
    for (size_t i = 0; i < count; i++) {
        float at[3], radius = 4 + 4 * pcg_float(&pcg);
        for (int a = 0; a < 3; a++)
            at[a] = 200 * pcg_float(&pcg) - 100;
        if (kind == ALIKE || kind == CONCENTRIC) {
            at[0] = 3, at[1] = -7, at[2] = 11;
            radius = kind == ALIKE ? 20 : 0.01F * (float)(1 + i * 7919 % count);
        } else if (kind == LINE) {
            at[1] = 5, at[2] = 0;
        } else if (kind == FAR_AWAY && i == 0) {
            at[0] = 1e9F, radius = 1e6F;
        } else if (kind == POINTS && i % 3) {
            radius = 0;
        } else if (kind == ALL_SIZES) {
            radius = i % 1000 == 0 ? 50 : ldexpf(1e-6F, (int)draw(&pcg, 22));
        }
        used += sprintf(text + used, "sphere %.9g %.9g %.9g %.9g 1 1 1\n", (double)at[0], (double)at[1], (double)at[2],
                        (double)radius);
    }
    Scene *scene;
    REQUIRE(scene_parse("degenerate", text, &scene));
    free(text);
    return scene;
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

/* Ten million spheres, by the levels that do not look at each of them for each pixel. */
static void trace_ten_million(void **state) {
#ifdef __SANITIZE_ADDRESS__
    const bool too_slow = true;
#else
    const bool too_slow = is_quick();
#endif
    if (too_slow) {
        print_message("ten million spheres: left out, since sanitizers and GLINT_TEST_QUICK take minutes for them\n");
        skip();
    }
    Scene *scene;
    REQUIRE(scene_open("cloud=10000000", &scene));
    for (int moved = 0; moved < 2; moved++) {
        Plan *plan = plan_of(scene, "perspective", LOOK_SPHERES, (Shape){7, 7, 3, PIXEL_U8});
        check_from(*state, &plan_stage(plan, 0)->stage, "bvh");
        plan_destroy(&plan);
        REQUIRE(scene_move(scene, 1));
    }
    scene_destroy(&scene);
}

/* What every level makes of a stage, in the order of the ladders; NULL behind the last. */
enum { PICTURES_MOST = 64 };

static void take_pictures(Bench *benches, const Stage *stage, Image *pictures[PICTURES_MOST]) {
    size_t count = 0;
    const Level *level;
    for (size_t b = 0; b < backend_count; b++)
        for (size_t i = 0;
             benches[b].device && !benches[b].left_out && (level = ladder_level(backends[b], stage->op, i)); i++) {
            const char *why_not;
            ImageView ignored;
            assert_true(count + 1 < PICTURES_MOST);
            if (level_accepts(level, benches[b].device, stage, &why_not))
                run_on(benches[b].device, level, stage, describe(stage, backends[b]->name, level->name),
                       &pictures[count++], &ignored);
        }
    pictures[count] = NULL;
}

static void assert_same_pictures(Image *before[PICTURES_MOST], Image *after[PICTURES_MOST]) {
    for (size_t i = 0; before[i]; i++) {
        assert_memory_equal(before[i]->view.pixels, after[i]->view.pixels, shape_bytes(before[i]->view.shape));
        image_destroy(&before[i]);
        image_destroy(&after[i]);
    }
}

/* Spheres that move: devices keep their hierarchies over them and refit those. Back at rest, each level shows what it
 * did at first, bit for bit. */
static void check_moving(Bench *benches, Scene *scene, const char *sight, Look look) {
    static const double times[] = {0.4, -2, 60, 61};
    const Shape shape = {37, 23, 4, PIXEL_U8};
    Plan *plan = plan_of(scene, sight, look, shape);
    const Stage *stage = &plan_stage(plan, 0)->stage;
    Image *before[PICTURES_MOST], *after[PICTURES_MOST];
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

/* ---- triangles ---- */

/* Triangles that make bad trees and bad edges: anywhere, large and small, all alike, without area, slivers, and one
 * around all others; some smooth, and a sphere among them. */
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

static void trace_triangles(void **state) {
    static const char *const sights[] = {"orthographic=unit=4", "perspective=z=900",
                                         "perspective=angle=80:x=9:y=4:z=20", "random"};
    static const size_t counts[] = {1, 40, 6000};
    const Shape shapes[] = {{113, 71, 4, PIXEL_U8}, {31, 17, 3, PIXEL_U8}};
    for (int kind = 0; kind < SOUPS; kind++)
        for (size_t n = is_quick() ? 1 : 0; n < (is_quick() ? 2 : sizeof counts / sizeof counts[0]); n++)
            for (size_t c = 0; c < sizeof sights / sizeof sights[0]; c++) {
                Scene *scene = soup_scene((Soup)kind, counts[n]);
                const Shape shape = shapes[counts[n] > 1000];
                Plan *plan;
                Camera camera;
                int out;
                REQUIRE(camera_parse(sights[c], &camera));
                REQUIRE(plan_create((PlanOptions){0}, &plan));
                const TraceJob job = {
                    .scene = scene, .camera = camera, .look = (Look)((n + c + (size_t)kind) % LOOK_NODES)};
                REQUIRE(plan_trace(plan, job, 1, shape, &out));
                check_plan(*state, plan);
                scene_destroy(&scene);
            }
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

/* From within a closed mesh every ray meets it, on every level: its edges and corners, too. */
static void closed_meshes_leak_no_ray(void **state) {
    const Bench *benches = *state;
    const struct {
        int rings;
        float radius;
        Vec centre, eye;
    } globes[] = {{4, 10, {0, 0, 0}, {0, 0, 0}},
                  {40, 100, {3, 5, 7}, {40, -30, 20}},
                  {23, 0.5F, {2000, -700, 90}, {2000.1F, -700, 90.2F}}};
    const Shape shape = {211, 193, 4, PIXEL_U8};
    for (size_t g = 0; g < (is_quick() ? 1 : sizeof globes / sizeof globes[0]); g++)
        for (int side = 0; side < 2; side++) {
            Scene *scene = globe_scene(globes[g].rings, globes[g].radius, globes[g].centre);
            Camera camera;
            TraceJob job = {.scene = scene, .look = LOOK_DEPTH};
            Stage stage = {.op = &op_trace, .job = &job};
            const Vec eye = globes[g].eye;
            REQUIRE(camera_look_at(eye, vec_along(eye, 1, vec(side ? 1 : 0, 0.3F, side ? 0 : -1)), 150, &camera));
            job.camera = camera;
            for (size_t b = 0; b < backend_count; b++)
                for (size_t i = 0; benches[b].device && i < ladder_count(backends[b], &op_trace); i++) {
                    const Level *level = ladder_level(backends[b], &op_trace, i);
                    const char *why_not;
                    Image *whole;
                    ImageView got;
                    stage.out = (Frame){.shape = shape};
                    if (!level_accepts(level, benches[b].device, &stage, &why_not))
                        continue;
                    run_on(benches[b].device, level, &stage, level->name, &whole, &got);
                    for (size_t y = 0; y < shape.height; y++)
                        for (size_t x = 0; x < shape.width; x++)
                            if (!(view_value(got, x, y, 0) > 0))
                                fail_msg("%s/%s: a ray leaks at (%zu, %zu) of globe %zu", backends[b]->name,
                                         level->name, x, y, g);
                    image_destroy(&whole);
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
            for (size_t b = 0; b < backend_count; b++) {
                TraceJob job = {.scene = scene, .look = (Look)look};
                const Stage stage = {.op = &op_trace, .out = {.shape = {64, 64, 4, PIXEL_U8}}, .job = &job};
                REQUIRE(camera_parse(sights[c], &job.camera));
                if (benches[b].device)
                    assert_string_equal(level_best(benches[b].device, &stage)->name, "bvh");
            }
    scene_destroy(&scene);
}

/* Over all cases together, at most one u8 or u16 value in a thousand is off. */
static void rule_holds_overall(void **state) {
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count; b++) {
        if (benches[b].left_out)
            continue;
        if (!benches[b].device) {
            print_message("%s: no device, its levels were not run\n", backends[b]->name);
            continue;
        }
        const Sums sums = benches[b].sums;
        print_message("%s: %zu runs of levels, %zu of %zu whole values off by one\n", backends[b]->name, sums.cases,
                      sums.differing, sums.values);
        assert_true(sums.cases > 0);
        assert_true(sums.differing <= sums.values / 1000);
    }
}

static int open_devices(void **state) {
    Bench *benches = calloc(backend_count, sizeof *benches);
    const char *only = getenv("GLINT_TEST_BACKEND"); /* the CPU is always opened, for its references */
    for (size_t b = 0; b < backend_count; b++)
        if (backends[b]->open(0, b == 0 ? THREADS : 0, &benches[b].device) != STATUS_OK)
            benches[b].device = NULL;
    for (size_t b = 0; only && b < backend_count; b++)
        benches[b].left_out = strcmp(backends[b]->name, only) != 0;
    *state = benches;
    return benches[0].device ? 0 : -1;
}

static int close_devices(void **state) {
    Bench *benches = *state;
    for (size_t b = 0; b < backend_count; b++)
        device_close(&benches[b].device);
    free(benches);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolve_grid),
        cmocka_unit_test(convolve_random),
        cmocka_unit_test(convolve_one_dimension),
        cmocka_unit_test(convolve_large),
        cmocka_unit_test(convolve_halves),
        cmocka_unit_test(examples_of_every_operation),
        cmocka_unit_test(point_all),
        cmocka_unit_test(trace_scenes),
        cmocka_unit_test(trace_light),
        cmocka_unit_test(light_gathers_bit_by_bit),
        cmocka_unit_test(paths_agree_sample_by_sample),
        cmocka_unit_test(sphereflake_has_the_rays_of_its_authors),
        cmocka_unit_test(trace_degenerate),
        cmocka_unit_test(trace_extremes),
        cmocka_unit_test(trace_moving),
        cmocka_unit_test(trace_moving_degenerate),
        cmocka_unit_test(trace_ten_million),
        cmocka_unit_test(trace_triangles),
        cmocka_unit_test(closed_meshes_leak_no_ray),
        cmocka_unit_test(triangles_fall_to_bvh),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
