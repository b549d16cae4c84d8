/* test_progressive.c: pictures of scenes in steps. */
#include "app/backends.h"
#include "core/chain/chain.h"
#include "core/scene/camera.h"
#include "core/scene/scene.h"
#include "core/scene/scene_open.h"
#include "core/tracer/progressive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

enum { WIDTH = 40, HEIGHT = 30, SAMPLES = 6 };

typedef struct Picture {
    Scene *scene;
    Device *device;
    Pipeline *pipeline;
    Image *image;
    TraceOptions light;
} Picture;

static Picture make_picture(const char *text, Look look, const char *camera, uint32_t samples, bool denoise) {
    const char *passed_over;
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    const Shape shape = {WIDTH, HEIGHT, 3, PIXEL_U8};
    Picture picture = {.light = {1, denoise}};
    TraceJob job = {.look = look, .sampling = {.samples = samples, .seed = 3, .depth = 4}};
    Plan *plan;
    int result;
    assert_int_equal(scene_open(text, &picture.scene), STATUS_OK);
    assert_int_equal(camera ? camera_parse(camera, &job.camera) : camera_from(picture.scene->viewpoint, &job.camera),
                     STATUS_OK);
    job.scene = picture.scene;
    assert_int_equal(backend_open("cpu", 0, 2, &picture.device, &passed_over), STATUS_OK);
    assert_int_equal(plan_create(options, &plan), STATUS_OK);
    assert_int_equal(plan_trace(plan, job, picture.light, shape, &result), STATUS_OK);
    assert_int_equal(pipeline_create(picture.device, plan, "best", &picture.pipeline), STATUS_OK);
    assert_int_equal(image_create(shape, &picture.image), STATUS_OK);
    return picture;
}

/* A picture's plan, with a chain behind it. */
static Plan *with_chain(const Picture *picture, const char *text) {
    const Plan *of = pipeline_plan(picture->pipeline);
    Chain *chain;
    Plan *plan;
    int traced;
    assert_int_equal(chain_parse(text, &chain), STATUS_OK);
    assert_int_equal(plan_create(*plan_options(of), &plan), STATUS_OK);
    assert_int_equal(
        plan_trace(plan, *trace_job(&plan_stage(of, 0)->stage), picture->light, picture->image->view.shape, &traced),
        STATUS_OK);
    assert_int_equal(chain_append(chain, plan, traced), STATUS_OK);
    assert_int_equal(plan_unfiltered(plan), traced);
    chain_destroy(&chain);
    return plan;
}

static Picture picture_of(const char *text, Look look, const char *camera) {
    return make_picture(text, look, camera, SAMPLES, false);
}
static Picture sampled_picture_of(const char *text, uint32_t samples, bool denoise) {
    return make_picture(text, LOOK_PATHS, NULL, samples, denoise);
}

static void picture_free(Picture *picture) {
    image_destroy(&picture->image);
    pipeline_destroy(&picture->pipeline);
    device_close(&picture->device);
    scene_destroy(&picture->scene);
}

static const unsigned char *pixels_of(Picture *picture) {
    assert_int_equal(pipeline_download(picture->pipeline, picture->image->view), STATUS_OK);
    return picture->image->view.pixels;
}

/* The light that is gathered stays, and its picture before the filters can be read behind a run. */
static void light_stays_where_the_chain_behind_it_changes(void **state) {
    static const char *const chains[] = {"sharpen=2,median=1,invert", "", "gaussian=1,difference", "invert"};
    (void)state;
    for (int denoise = 0; denoise < 2; denoise++) {
        Picture plain = sampled_picture_of("packed=30", 4, denoise == 1);
        Picture now = sampled_picture_of("packed=30", 4, denoise == 1);
        Progressive light, other;
        Spans spans = {0};
        Image *before;
        assert_int_equal(image_create(plain.image->view.shape, &before), STATUS_OK);
        progressive_begin(&light, plain.pipeline);
        assert_int_equal(progressive_all(&light, &spans), STATUS_OK);
        assert_int_equal(pipeline_replace(&now.pipeline, with_chain(&now, "gaussian=3"), "best"), STATUS_OK);
        progressive_begin(&light, now.pipeline);
        assert_int_equal(progressive_all(&light, &spans), STATUS_OK);
        for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
            Picture fresh = sampled_picture_of("packed=30", 4, denoise == 1);
            assert_int_equal(pipeline_replace(&fresh.pipeline, with_chain(&fresh, chains[i]), "best"), STATUS_OK);
            progressive_begin(&other, fresh.pipeline);
            assert_int_equal(progressive_all(&other, &spans), STATUS_OK);
            assert_int_equal(pipeline_replace(&now.pipeline, with_chain(&now, chains[i]), "best"), STATUS_OK);
            light.pipeline = now.pipeline;
            spans.count = 0;
            assert_int_equal(progressive_show(&light, &spans), STATUS_OK);
            assert_string_equal(spans.spans[0].name, denoise ? "denoise" : "tone"); /* the surfaces are known */
            assert_memory_equal(pixels_of(&now), pixels_of(&fresh), shape_bytes(before->view.shape));
            assert_int_equal(now.device->backend->download(pipeline_queue(now.pipeline),
                                                           pipeline_unfiltered(now.pipeline), before->view),
                             STATUS_OK);
            assert_memory_equal(before->view.pixels, pixels_of(&plain), shape_bytes(before->view.shape));
            picture_free(&fresh);
        }
        image_destroy(&before);
        picture_free(&plain);
        picture_free(&now);
    }
}

/* Steps as short as they come take two rows at a time, for there are two threads. */
static void steps_make_the_same_picture(void **state) {
    (void)state;
    Picture picture = picture_of("packed=20", LOOK_PATHS, "perspective=z=300");
    unsigned char whole[WIDTH * HEIGHT * 3];
    Progressive progressive;
    Spans spans = {0};
    double share = 0;
    size_t steps = 0;
    assert_int_equal(pipeline_run(picture.pipeline, &spans), STATUS_OK); /* all samples at once */
    memcpy(whole, pixels_of(&picture), sizeof whole);
    progressive_begin(&progressive, picture.pipeline);
    assert_int_equal(progressive.samples, SAMPLES);
    for (; !progressive_complete(&progressive); steps++) {
        assert_int_equal(progressive_step(&progressive, 1e-9, &spans), STATUS_OK);
        assert_true(progressive_share(&progressive) > share);
        share = progressive_share(&progressive);
    }
    assert_true(share >= 1 && steps == SAMPLES * HEIGHT / 2);
    assert_int_equal(progressive_show(&progressive, &spans), STATUS_OK);
    assert_memory_equal(pixels_of(&picture), whole, sizeof whole);
    picture_free(&picture);
}

/* Denoised, too: neither the kept light nor the visible picture depends on the steps, nor on an earlier picture. */
static void steps_make_the_same_denoised_picture(void **state) {
    (void)state;
    Picture picture = sampled_picture_of("packed=20", SAMPLES, true);
    unsigned char whole[WIDTH * HEIGHT * 3];
    Progressive progressive;
    Spans spans = {0};
    progressive_begin(&progressive, picture.pipeline);
    assert_int_equal(progressive_all(&progressive, &spans), STATUS_OK);
    memcpy(whole, pixels_of(&picture), sizeof whole);
    for (int preview = 0; preview < 2; preview++) {
        progressive_begin(&progressive, picture.pipeline);
        if (preview)
            assert_int_equal(progressive_preview(&progressive, 1e-9, &spans), STATUS_OK);
        while (!progressive_complete(&progressive)) {
            spans.count = 0;
            assert_int_equal(progressive_step(&progressive, 1e-9, &spans), STATUS_OK);
            if (progressive_even(&progressive))
                assert_int_equal(progressive_show(&progressive, &spans), STATUS_OK);
        }
        assert_memory_equal(pixels_of(&picture), whole, sizeof whole);
    }
    picture_free(&picture);
}

static double mean_square(const unsigned char *a, const unsigned char *b) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum / (WIDTH * HEIGHT * 3.0);
}

/* The pixels after so many samples, with the noise and without. */
static void gather(Picture picture, unsigned char *pixels) {
    Progressive progressive;
    Spans spans = {0};
    progressive_begin(&progressive, picture.pipeline);
    assert_int_equal(progressive_all(&progressive, &spans), STATUS_OK);
    memcpy(pixels, pixels_of(&picture), (size_t)WIDTH * HEIGHT * 3);
    picture_free(&picture);
}

/* A half of the squared error goes, at least; and where there is little noise, the picture stays. */
static void denoised_pictures_are_nearer(void **state) {
    (void)state;
    unsigned char converged[WIDTH * HEIGHT * 3], noisy[WIDTH * HEIGHT * 3], clean[WIDTH * HEIGHT * 3];
    const uint32_t many = check_quick() ? 1024 : 4096;
    gather(sampled_picture_of("sphereflake=1", many, false), converged);
    for (uint32_t samples = 1; samples <= 4; samples *= 4) {
        gather(sampled_picture_of("sphereflake=1", samples, false), noisy);
        gather(sampled_picture_of("sphereflake=1", samples, true), clean);
        assert_true(mean_square(clean, converged) < 0.5 * mean_square(noisy, converged));
    }
    gather(sampled_picture_of("sphereflake=1", many, true), clean);
    assert_true(mean_square(clean, converged) < 1);
}

/* The mean square over pixels at edges of the picture `a`, where green changes by 8 from a pixel to the next. */
static double edges_square(const unsigned char *a, const unsigned char *b) {
    double sum = 0, count = 0;
    for (size_t y = 1; y + 1 < HEIGHT; y++)
        for (size_t x = 1; x + 1 < WIDTH; x++) {
            const unsigned char *at = a + 3 * (y * WIDTH + x), *other = b + 3 * (y * WIDTH + x);
            const int across = at[3 + 1] - at[-3 + 1], down = at[3 * WIDTH + 1] - at[-3 * WIDTH + 1];
            if (abs(across) + abs(down) < 16)
                continue;
            count += 3;
            for (int c = 0; c < 3; c++)
                sum += (at[c] - other[c]) * (at[c] - other[c]);
        }
    assert_true(count > 60);
    return sum / count;
}

/* However many samples there are: edges, too, are no farther from their limit than with their noise. */
static void denoised_pictures_are_never_worse(void **state) {
    static const char *const scenes[] = {
        "camera 3 2.2 5 .3 .3 0 0 1 0 35\nsky gradient .4 .5 .7 .4 .5 .7\nground 0 .7 .8 .2 .2 .2 .3 .8\n"
        "sphere 0 .5 0 .5 .8 .8 .8\n",
        "camera 0 2 5 0 .5 0 0 1 0 35\nmaterial light 0 0 0 0 1 0 9\nmaterial metal 0.1 0.8 40 0.2 1 0 0\n"
        "material glass 0 1 400 0 1.5 0.95 0\nground 0 1 .8 .8 .7 .2 .3 .3\nsphere -.4 2 .5 .3 1 .9 .8 1\n"
        "sphere -1 .5 0 .5 .9 .6 .2 2\nsphere 0 .5 .2 .5 1 1 1 3\nsphere 1 .5 -.2 .5 .2 .3 .8\n",
    };
    static const char name[] = "scene-of-test.scene";
    unsigned char converged[WIDTH * HEIGHT * 3], noisy[WIDTH * HEIGHT * 3], clean[WIDTH * HEIGHT * 3];
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        FILE *file = fopen(name, "w");
        assert_non_null(file);
        assert_true(fprintf(file, "glint-scene 2\n%s", scenes[i]) > 0);
        assert_int_equal(fclose(file), 0);
        Picture other = sampled_picture_of(name, 4096, false);
        ((TraceJob *)pipeline_job(other.pipeline, 0))->sampling.seed = 17;
        gather(other, converged);
        for (uint32_t samples = 1; samples <= 256; samples *= 4) {
            gather(sampled_picture_of(name, samples, false), noisy);
            gather(sampled_picture_of(name, samples, true), clean);
            const double squares[] = {mean_square(converged, noisy), mean_square(converged, clean),
                                      edges_square(converged, noisy), edges_square(converged, clean)};
            if (squares[1] > squares[0] || squares[3] > squares[2])
                fail_msg("scene %zu, %u samples: the mean square goes from %g to %g, at edges from %g to %g", i,
                         samples, squares[0], squares[1], squares[2], squares[3]);
        }
        assert_int_equal(remove(name), 0);
    }
}

/* Samples that were gathered before are gone, however the picture was cut, and a camera that comes back sees the
 * same. */
static void cameras_change_between_pictures(void **state) {
    (void)state;
    Picture picture = picture_of("packed=20", LOOK_WHITTED, "perspective=z=300");
    unsigned char first[WIDTH * HEIGHT * 3];
    const Camera camera = trace_job(pipeline_stage(picture.pipeline, 0))->camera;
    Camera turned;
    Progressive progressive;
    Spans spans = {0};
    static const double turns[] = {0, 0.5, 0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(camera_orbit(&camera, vec(0, 0, 0), turns[i], &turned), STATUS_OK);
        progressive_set_camera(picture.pipeline, turned);
        progressive_begin(&progressive, picture.pipeline);
        assert_int_equal(progressive.samples, SAMPLES);
        assert_int_equal(progressive_step(&progressive, 1e-9, &spans), STATUS_OK); /* leaves a part set */
        assert_int_equal(progressive_all(&progressive, &spans), STATUS_OK);
        if (i == 0)
            memcpy(first, pixels_of(&picture), sizeof first);
        else if (i == 1)
            assert_memory_not_equal(pixels_of(&picture), first, sizeof first);
        else
            assert_memory_equal(pixels_of(&picture), first, sizeof first);
    }
    picture_free(&picture);
}

static void gather_at(Picture *picture, double time) {
    Progressive progressive;
    Spans spans = {0};
    assert_int_equal(scene_move(picture->scene, time), STATUS_OK);
    progressive_begin(&progressive, picture->pipeline);
    assert_int_equal(progressive_all(&progressive, &spans), STATUS_OK);
}

/* A device keeps a scene's lights by where they are: a picture does not depend on the one drawn before it. */
static void lights_are_found_where_they_went(void **state) {
    (void)state;
    Picture moving = sampled_picture_of("packed=400", 4, false), fresh = sampled_picture_of("packed=400", 4, false);
    gather_at(&moving, 0);
    gather_at(&moving, 0.5);
    gather_at(&fresh, 0.5);
    assert_memory_equal(pixels_of(&moving), pixels_of(&fresh), WIDTH * HEIGHT * 3);
    picture_free(&moving);
    picture_free(&fresh);
}

static void drawn_looks_are_one_step(void **state) {
    (void)state;
    Picture picture = picture_of("packed=20", LOOK_CLASSIC, "orthographic");
    Progressive progressive;
    Spans spans = {0};
    progressive_begin(&progressive, picture.pipeline);
    assert_int_equal(progressive.samples, 1);
    assert_false(progressive_complete(&progressive));
    assert_int_equal(progressive_step(&progressive, 1e-9, &spans), STATUS_OK);
    assert_true(progressive_complete(&progressive));
    picture_free(&picture);
}

static bool is_in_blocks(const unsigned char *blocks, const unsigned char *pixels, size_t side) {
    bool same = true;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            const size_t first = (y / side * side) * WIDTH + x / side * side;
            same &= memcmp(blocks + 3 * (y * WIDTH + x), pixels + 3 * first, 3) == 0;
        }
    return same;
}

/* Blocks of 8, 4 and 2 pixels, each in steps of two rows of them, and then pixels as if there had been no blocks. */
static void previews_are_refined_evenly(void **state) {
    (void)state;
    Picture picture = picture_of("packed=20", LOOK_PATHS, "perspective=z=300");
    unsigned char one[WIDTH * HEIGHT * 3], all[WIDTH * HEIGHT * 3];
    Progressive progressive;
    Spans spans = {0};
    progressive_begin(&progressive, picture.pipeline);
    while (progressive.done == 0)
        assert_int_equal(progressive_step(&progressive, 1e-9, &spans), STATUS_OK);
    assert_int_equal(progressive_show(&progressive, &spans), STATUS_OK);
    memcpy(one, pixels_of(&picture), sizeof one);
    assert_int_equal(progressive_all(&progressive, &spans), STATUS_OK);
    memcpy(all, pixels_of(&picture), sizeof all);

    progressive_begin(&progressive, picture.pipeline);
    assert_int_equal(progressive_preview(&progressive, 1e-9, &spans), STATUS_OK);
    for (size_t side = 8; side > 0; side /= 2) {
        assert_true(progressive_even(&progressive) && progressive.coarse == side);
        assert_int_equal(progressive.done, side == 1);
        assert_int_equal(progressive_show(&progressive, &spans), STATUS_OK);
        assert_true(is_in_blocks(pixels_of(&picture), one, side));
        size_t steps = 0;
        do {
            assert_int_equal(progressive_step(&progressive, 1e-9, &spans), STATUS_OK);
            steps++;
        } while (!progressive_even(&progressive));
        const size_t next = side > 1 ? side / 2 : 1, rows = (HEIGHT + next - 1) / next;
        assert_int_equal(steps, (rows + 1) / 2); /* two rows for two threads */
    }
    assert_int_equal(progressive_all(&progressive, &spans), STATUS_OK);
    assert_memory_equal(pixels_of(&picture), all, sizeof all);
    picture_free(&picture);
}

/* Row by row: each is of one of them, and all are in order. */
static void stripes_deal_every_row_once(void **state) {
    (void)state;
    enum { ROWS = 23 };
    for (size_t height = 1; height <= ROWS; height++)
        for (size_t stripe = 1; stripe <= 5; stripe++)
            for (size_t count = 1; count <= 4; count++) {
                int dealt[ROWS] = {0};
                for (size_t index = 0; index < count; index++) {
                    const Stripes stripes = {.height = stripe, .index = index, .count = count};
                    for (size_t row = 0, left; row < stripes_rows(stripes, height); row++) {
                        const size_t at = stripes_find(stripes, height, row, &left);
                        assert_true(at < height && at / stripe % count == index && left >= 1);
                        assert_true(at + left == height || (at + left) % stripe == 0);
                        dealt[at]++;
                    }
                }
                for (size_t row = 0; row < height; row++)
                    assert_int_equal(dealt[row], 1);
            }
    size_t left;
    assert_int_equal(stripes_rows((Stripes){0}, ROWS), ROWS);
    assert_int_equal(stripes_find((Stripes){0}, ROWS, 5, &left), 5);
    assert_int_equal(left, ROWS - 5);
    assert_true(stripes_are_all((Stripes){0}));
    const Stripes block = {.from = 3, .to = 9};
    assert_false(stripes_are_all(block));
    assert_int_equal(stripes_rows(block, ROWS), 6);
    assert_int_equal(stripes_find(block, ROWS, 2, &left), 5);
    assert_int_equal(left, 4);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stripes_deal_every_row_once),
        cmocka_unit_test(light_stays_where_the_chain_behind_it_changes),
        cmocka_unit_test(steps_make_the_same_picture),
        cmocka_unit_test(steps_make_the_same_denoised_picture),
        cmocka_unit_test(denoised_pictures_are_nearer),
        cmocka_unit_test(denoised_pictures_are_never_worse),
        cmocka_unit_test(cameras_change_between_pictures),
        cmocka_unit_test(drawn_looks_are_one_step),
        cmocka_unit_test(previews_are_refined_evenly),
        cmocka_unit_test(lights_are_found_where_they_went),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
