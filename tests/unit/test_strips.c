/* test_strips.c: pictures that pass a chain in strips are those that pass it whole, bit for bit. */
#include "app/backends.h"
#include "core/frame_map.h"
#include "core/strips.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

enum { FRAMES_BYTES = 64 << 10 }; /* so that the pictures here are cut */

static Device *open_cpu(int threads) {
    Device *device = NULL;
    const char *passed_over = NULL;
    assert_int_equal(backend_open("cpu", 0, threads, &device, &passed_over), STATUS_OK);
    return device;
}

/* Runs the chain over noise, with frames of `bytes`; tells into how many rows a strip was cut. */
static size_t filter(Device *device, const char *text, const char *level, PlanOptions options, ImageView picture,
                     size_t bytes, Image **result) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Strips strips;
    Spans spans = {0};
    assert_int_equal(chain_parse(text, &chain), STATUS_OK);
    if (strstr(text, "=noise")) {
        Image *noise = NULL;
        assert_int_equal(image_create(picture.shape, &noise), STATUS_OK);
        view_fill_random(noise->view, 91);
        chain->images[chain->image_count++] = (PlanImage){strdup("noise"), noise};
    }
    assert_int_equal(strips_plan(chain, picture.shape, options, device->backend, bytes, &strips, &plan), STATUS_OK);
    assert_true(shape_equal(strips.picture, picture.shape));
    assert_int_equal(plan_value_shape(plan, 0).height, strips.rows);
    assert_int_equal(pipeline_create(device, plan, level, &pipeline), STATUS_OK);
    assert_int_equal(image_create(strips_result(&strips, pipeline_result_shape(pipeline)), result), STATUS_OK);
    assert_int_equal(strips_process(&strips, pipeline, picture, (*result)->view, &spans), STATUS_OK);
    pipeline_destroy(&pipeline);
    chain_destroy(&chain);
    return strips.rows;
}

static void check_equal(ImageView want, ImageView got, const char *what) {
    assert_true(shape_equal(want.shape, got.shape));
    for (size_t y = 0; y < want.shape.height; y++)
        if (memcmp(view_row(want, y), view_row(got, y), shape_row_bytes(want.shape)) != 0) {
            fail_msg("%s: row %zu of %zu differs", what, y, want.shape.height);
        }
}

static void strips_join(void **state) {
    (void)state;
    static const struct {
        const char *chain, *level, *border;
        Shape shape;
        bool whole; /* what lies far away is asked for */
    } cases[] = {
        {"gaussian=2", "best", "clamp", {60, 700, 4, PIXEL_U8}, false},
        {"gaussian=2", "best", "mirror", {60, 701, 4, PIXEL_F32}, false},
        {"gaussian=2", "threads", "constant=40", {60, 702, 2, PIXEL_U16}, false},
        {"gaussian=2", "simd", "zero", {60, 703, 3, PIXEL_F32}, false},
        {"gaussian=12", "best", "clamp", {60, 1399, 3, PIXEL_F32}, false}, /* sums in groups of taps */
        {"gaussian=9", "simd", "mirror", {60, 1333, 1, PIXEL_F32}, false},
        {"sobel,gaussian=1.5,invert,box=4,sharpen", "best", "mirror", {60, 1234, 4, PIXEL_U8}, false},
        {"grayscale,emboss", "best", "clamp", {60, 1235, 4, PIXEL_U16}, false},
        {"gaussian=2,difference", "best", "clamp", {60, 700, 4, PIXEL_U8}, false},
        {"gaussian=2,difference=noise,box=3", "best", "mirror", {60, 777, 3, PIXEL_U16}, false},
        {"gaussian=2:within=31x300+10+200,invert=within=9x9999+50+3", "best", "clamp", {60, 700, 3, PIXEL_U8}, false},
        {"box=5:within=noise,emboss", "best", "mirror", {60, 777, 3, PIXEL_U16}, false},
        {"disk=4", "best", "clamp", {24, 4801, 3, PIXEL_F32}, false}, /* transformed in tiles */
        {"disk=4,box=3,disk=5", "best", "mirror", {24, 9500, 1, PIXEL_F32}, false},
        {"disk=4", "fft", "zero", {24, 4500, 1, PIXEL_U16}, false},
        {"invert", "best", "clamp", {300, 301, 3, PIXEL_U8}, false},
        {"", "best", "clamp", {100, 999, 3, PIXEL_U8}, false},
        {"gaussian=2", "best", "wrap", {60, 700, 4, PIXEL_U8}, true},
        {"gaussian=25", "best", "clamp", {100, 300, 3, PIXEL_U8}, true}, /* strips would be mostly halo */
        {"box=3", "best", "clamp", {7000, 2, 3, PIXEL_U8}, true},
        {"flip", "best", "clamp", {61, 700, 3, PIXEL_U8}, false},
        {"crop=20:x=7,gaussian=2,pad=5:top=0:bottom=0", "best", "clamp", {60, 700, 3, PIXEL_U8}, false},
        {"resize=97:700", "best", "clamp", {60, 700, 3, PIXEL_U8}, true}, /* of the picture's height, not a strip's */
        {"crop=20:700", "best", "clamp", {60, 700, 3, PIXEL_U8}, true},
        {"resize=scale=0.5", "best", "clamp", {60, 1400, 4, PIXEL_U8}, true},
        {"pad=30,crop=60:700", "best", "mirror", {60, 700, 4, PIXEL_U8}, true},
        {"flip=vertical", "best", "clamp", {60, 700, 4, PIXEL_U8}, true}, /* only the middle stays where it is */
    };
    for (int threads = 1; threads <= 3; threads += 2) {
        Device *device = open_cpu(threads);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            PlanOptions options = {.border = {BORDER_CLAMP, 0}};
            Image *picture = NULL, *want = NULL, *got = NULL;
            assert_int_equal(border_parse(cases[i].border, &options.border), STATUS_OK);
            assert_int_equal(image_create(cases[i].shape, &picture), STATUS_OK);
            view_fill_random(picture->view, 7 + i);
            const size_t height = cases[i].shape.height;
            const char *chain = cases[i].chain, *level = cases[i].level;
            assert_int_equal(filter(device, chain, level, options, picture->view, SIZE_MAX, &want), height);
            const size_t rows = filter(device, chain, level, options, picture->view, FRAMES_BYTES, &got);
            if (cases[i].whole)
                assert_int_equal(rows, height);
            else
                assert_true(rows < height);
            check_equal(want->view, got->view, chain);
            image_destroy(&picture);
            image_destroy(&want);
            image_destroy(&got);
        }
        device_close(&device);
    }
}

/* Every height has a last strip that fits. */
static void all_heights_join(void **state) {
    (void)state;
    const PlanOptions options = {.border = {BORDER_MIRROR, 0}};
    Device *device = open_cpu(1);
    for (size_t height = 1; height < 700; height += height < 210 || height > 240 ? 23 : 3) {
        Image *picture = NULL, *want = NULL, *got = NULL;
        assert_int_equal(image_create((Shape){7, height, 1, PIXEL_U8}, &picture), STATUS_OK);
        view_fill_random(picture->view, height);
        filter(device, "box=5", "best", options, picture->view, SIZE_MAX, &want);
        filter(device, "box=5", "best", options, picture->view, 1, &got);
        check_equal(want->view, got->view, "box=5");
        image_destroy(&picture);
        image_destroy(&want);
        image_destroy(&got);
    }
    device_close(&device);
}

/* A picture of 300 MB through f32 intermediates: its frames take not many times what was asked for. */
static void frames_stay_small(void **state) {
    (void)state;
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    Chain *chain = NULL;
    Plan *plan = NULL;
    Strips strips;
    FrameMap map;
    assert_int_equal(chain_parse("gaussian=2,sobel,gaussian=2", &chain), STATUS_OK);
    assert_int_equal(strips_plan(chain, (Shape){8000, 10000, 4, PIXEL_U8}, options, backend_by_name("cpu"), STRIP_BYTES,
                                 &strips, &plan),
                     STATUS_OK);
    assert_int_equal(frame_map_create(plan, &map), STATUS_OK);
    assert_true(frame_map_bytes(&map) <= 4 * STRIP_BYTES);
    frame_map_free(&map);
    plan_destroy(&plan);
    chain_destroy(&chain);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(strips_join), cmocka_unit_test(all_heights_join),
                                       cmocka_unit_test(frames_stay_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
