/* guests.c: pixels and streams of callers on each device: other arrangements, frames of others, order. */
#include "tests/levels/harness.h"

#include "core/device/guests.h"
#include "core/plan/pipeline.h"
#include "tests/chains.h"

#include <string.h>

enum { WIDTH = 37, HEIGHT = 21, CHANNELS = 3 };

static const Shape shapes[] = {{WIDTH, HEIGHT, CHANNELS, PIXEL_U8},
                               {WIDTH, HEIGHT, CHANNELS, PIXEL_U16},
                               {WIDTH, HEIGHT, CHANNELS, PIXEL_F32},
                               {WIDTH, HEIGHT, 2, PIXEL_U8}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const Guests *guests_of(const Bench *bench) {
    return bench->device && !bench->left_out ? bench->device->backend->guests : NULL;
}

/* The planes of a picture below each other, as one gray picture. */
static Shape planes_of(Shape shape) {
    return (Shape){shape.width, shape.height * (size_t)shape.channels, 1, shape.type};
}

static Places places_of_planes(Shape shape, Frame planes) {
    Places places = places_of(planes);
    places.channel = (ptrdiff_t)(shape.height * planes.stride);
    return places;
}

/* Planes become pixels, and these planes again whose rows go from the last to the first. */
static void check_arranging(const Bench *bench, Shape shape) {
    const Backend *backend = bench->device->backend;
    Frame planes, pixels;
    Image *in, *between, *out;
    REQUIRE(image_create(planes_of(shape), &in));
    REQUIRE(image_create(planes_of(shape), &out));
    REQUIRE(image_create(shape, &between));
    view_fill_random(in->view, 5);
    REQUIRE(device_frame_create(bench->device, planes_of(shape), &planes));
    REQUIRE(device_frame_create(bench->device, shape, &pixels));
    REQUIRE(backend->upload(bench->queue, in->view, planes));
    REQUIRE(guests_of(bench)->arrange(bench->queue, shape, places_of_planes(shape, planes), places_of(pixels)));
    REQUIRE(backend->download(bench->queue, pixels, between->view));
    Places below = places_from(places_of_planes(shape, planes), shape.height - 1, 0);
    below.row = -below.row;
    REQUIRE(guests_of(bench)->arrange(bench->queue, shape, places_of(pixels), below));
    REQUIRE(backend->download(bench->queue, planes, out->view));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                const size_t plane = (size_t)c * shape.height;
                const double want = view_value(in->view, x, plane + y, 0);
                assert_true(!(view_value(between->view, x, y, c) < want || view_value(between->view, x, y, c) > want));
                const double turned = view_value(out->view, x, plane + shape.height - 1 - y, 0);
                assert_true(!(turned < want || turned > want));
            }
    device_frame_destroy(bench->device, &planes);
    device_frame_destroy(bench->device, &pixels);
    image_destroy(&in);
    image_destroy(&between);
    image_destroy(&out);
}

static void arrangements(void **state) {
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t i = 0; guests_of(&benches[b]) && i < SHAPES; i++)
            check_arranging(&benches[b], shapes[i]);
}

/* A frame of the backend's own is taken; one that begins a pixel later, or lies in the host's memory, is not. */
static void check_taking(const Bench *bench) {
    const Guests *guests = guests_of(bench);
    static unsigned char own[WIDTH * HEIGHT];
    bool inside = false;
    Frame frame;
    REQUIRE(device_frame_create(bench->device, shapes[0], &frame));
    assert_true(guests->takes(bench->device, frame, &inside));
    assert_true(inside);
    assert_false(guests->takes(bench->device, view_crop(frame, 1, 0, WIDTH - 1, HEIGHT), &inside));
    assert_true(inside);
    assert_false(guests->takes(bench->device, (Frame){{WIDTH, HEIGHT, 1, PIXEL_U8}, WIDTH, own}, &inside));
    assert_false(inside);
    REQUIRE(guests->follow(bench->queue, NULL));
    REQUIRE(guests->lead(bench->queue, NULL));
    REQUIRE(bench->device->backend->sync(bench->queue));
    guests->leave(guests->enter(bench->device));
    device_frame_destroy(bench->device, &frame);
}

static void places_and_streams(void **state) {
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++)
        if (guests_of(&benches[b]) && guests_of(&benches[b])->takes)
            check_taking(&benches[b]);
}

/* A pipeline on frames of others, between two runs on its own. */
static void check_borrowing(const Bench *bench) {
    const Backend *backend = bench->device->backend;
    Pipeline *pipeline;
    Frame frames[2];
    Image *in, *want, *got;
    Spans spans = {0};
    REQUIRE(image_create(shapes[0], &in));
    REQUIRE(image_create(shapes[0], &want));
    REQUIRE(image_create(shapes[0], &got));
    view_fill_random(in->view, 9);
    REQUIRE(pipeline_create(bench->device, plan_of_chain("median=3,invert", shapes[0], (PlanOptions){0}), "best",
                            &pipeline));
    assert_true(pipeline_borrows(pipeline));
    REQUIRE(pipeline_process(pipeline, in->view, want->view, &spans));
    for (int i = 0; i < 2; i++)
        REQUIRE(device_frame_create(bench->device, shapes[0], &frames[i]));
    REQUIRE(backend->upload(pipeline_queue(pipeline), in->view, frames[0]));
    pipeline_borrow(pipeline, frames[0], frames[1]);
    REQUIRE(pipeline_enqueue(pipeline));
    pipeline_settle(pipeline);
    REQUIRE(backend->download(pipeline_queue(pipeline), frames[1], got->view));
    assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(shapes[0]));
    REQUIRE(backend->download(pipeline_queue(pipeline), frames[0], got->view));
    assert_memory_equal(got->view.pixels, in->view.pixels, shape_bytes(shapes[0])); /* nobody wrote there */
    memset(got->view.pixels, 0, shape_bytes(shapes[0]));
    REQUIRE(pipeline_process(pipeline, in->view, got->view, &spans));
    assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(shapes[0]));
    for (int i = 0; i < 2; i++)
        device_frame_destroy(bench->device, &frames[i]);
    pipeline_destroy(&pipeline);
    image_destroy(&in);
    image_destroy(&want);
    image_destroy(&got);
}

static void borrowed_frames(void **state) {
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++)
        if (benches[b].device && !benches[b].left_out)
            check_borrowing(&benches[b]);
}

int levels_guests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrangements), cmocka_unit_test(places_and_streams),
                                       cmocka_unit_test(borrowed_frames)};
    return cmocka_run_group_tests_name("levels, guests", tests, open_devices, close_devices);
}
