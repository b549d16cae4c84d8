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
    Frame frame;
    REQUIRE(device_frame_create(bench->device, shapes[0], &frame));
    assert_true(guests->takes(frame));
    assert_false(guests->takes(view_crop(frame, 1, 0, WIDTH - 1, HEIGHT)));
    assert_true(guests->holds(bench->device, frame.pixels));
    assert_true(guests->holds(bench->device, view_row(frame, HEIGHT - 1)));
    assert_false(guests->holds(bench->device, own));
    REQUIRE(guests->stay(bench->queue));
    REQUIRE(guests->join(bench->queue, NULL));
    REQUIRE(guests->part(bench->queue));
    REQUIRE(guests->join(bench->queue, NULL));
    REQUIRE(bench->device->backend->sync(bench->queue));
    REQUIRE(guests->part(bench->queue));
    REQUIRE(guests->stay(bench->queue));
    REQUIRE(bench->device->backend->sync(bench->queue));
    guests->leave(guests->enter(bench->device));
    device_frame_destroy(bench->device, &frame);
}

static void places_and_streams(void **state) {
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++)
        if (guests_of(&benches[b]) && guests_of(&benches[b])->join)
            check_taking(&benches[b]);
}

/* Rows that lie packed, as arrays of callers do: no row begins where a device's own frames have theirs. The first
 * begins 16 bytes behind the memory's beginning, and the last ends where the memory does. */
enum { PACKED_WIDTH = 16, PACKED_BEGIN = 16 };

static Shape memory_of_packed(Shape packed) {
    return (Shape){PACKED_BEGIN + shape_bytes(packed), 1, 1, PIXEL_U8};
}

static Frame packed_in(Frame memory, Shape packed) {
    return (Frame){packed, shape_row_bytes(packed), (unsigned char *)memory.pixels + PACKED_BEGIN};
}

/* A pipeline on frames of others, between two runs on its own. */
static void check_borrowing(const Bench *bench, const char *chain, const char *level, int channels) {
    const Backend *backend = bench->device->backend;
    const Shape packed = {PACKED_WIDTH, HEIGHT, channels, PIXEL_U8};
    Pipeline *pipeline;
    Frame memory[2];
    Image *in, *want, *got;
    Spans spans = {0};
    REQUIRE(image_create(packed, &in));
    REQUIRE(image_create(packed, &want));
    REQUIRE(image_create(packed, &got));
    view_fill_random(in->view, 9);
    REQUIRE(pipeline_create(bench->device, plan_of_chain(chain, packed, (PlanOptions){0}), level, &pipeline));
    assert_true(pipeline_borrows(pipeline));
    REQUIRE(pipeline_process(pipeline, in->view, want->view, &spans));
    for (int i = 0; i < 2; i++)
        REQUIRE(device_frame_create(bench->device, memory_of_packed(packed), &memory[i]));
    const Frame from = packed_in(memory[0], packed), to = packed_in(memory[1], packed);
    assert_true(!guests_of(bench)->takes || guests_of(bench)->takes(from));
    REQUIRE(backend->upload(pipeline_queue(pipeline), in->view, from));
    pipeline_borrow(pipeline, from, to);
    REQUIRE(pipeline_enqueue(pipeline));
    pipeline_settle(pipeline);
    REQUIRE(backend->download(pipeline_queue(pipeline), to, got->view));
    assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(packed));
    REQUIRE(backend->download(pipeline_queue(pipeline), from, got->view));
    assert_memory_equal(got->view.pixels, in->view.pixels, shape_bytes(packed)); /* nobody wrote there */
    memset(got->view.pixels, 0, shape_bytes(packed));
    REQUIRE(pipeline_process(pipeline, in->view, got->view, &spans));
    assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(packed));
    for (int i = 0; i < 2; i++)
        device_frame_destroy(bench->device, &memory[i]);
    pipeline_destroy(&pipeline);
    image_destroy(&in);
    image_destroy(&want);
    image_destroy(&got);
}

static void borrowed_frames(void **state) {
    static const char *const chains[] = {"median=3,invert", "gaussian=2", "box=9",    "sharpen",     "median=1",
                                         "erode=2",         "sobel",      "equalize", "bilateral=5", "rotate=180"};
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t i = 0; guests_of(&benches[b]) && i < sizeof chains / sizeof chains[0]; i++)
            check_borrowing(&benches[b], chains[i], "best", CHANNELS);
}

/* Textures want rows that begin on boundaries. */
static void borrowed_textures(void **state) {
    static const char *const chains[] = {"bilateral=5", "box=9"};
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
            if (guests_of(&benches[b]) && ladder_knows(benches[b].device->backend, "texture"))
                check_borrowing(&benches[b], chains[i], "texture", 1);
}

int levels_guests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrangements), cmocka_unit_test(places_and_streams),
                                       cmocka_unit_test(borrowed_frames), cmocka_unit_test(borrowed_textures)};
    return cmocka_run_group_tests_name("levels, guests", tests, open_devices, close_devices);
}
