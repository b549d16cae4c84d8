/* test_devices.c: a viewer on a backend with two devices: one result kept, the other one next to it. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/command_line.h"
#include "core/codec/save.h"
#include "tests/levels/fake.h"

#include <string.h>

#include "tests/check.h"

static int save_picture(void **state) {
    Image *image;
    (void)state;
    REQUIRE(image_create((Shape){40, 30, 3, PIXEL_U8}, &image));
    view_fill_random(image->view, 5);
    const OutputRules rules = {.writer = "-o", .overwrite = true};
    REQUIRE(output_save_picture("devices.png", rules, image, (SaveOptions){0}));
    image_destroy(&image);
    return 0;
}

static Viewer *make_viewer(void) {
    Device *device;
    Viewer *viewer;
    const char *passed_over;
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    REQUIRE(backend_open("fake", 0, 1, &device, &passed_over));
    REQUIRE(viewer_create(device, 0, "gaussian=1", "best", options, &viewer));
    REQUIRE(viewer_open(viewer, "devices.png"));
    return viewer;
}

static void two_devices_are_compared(void **state) {
    (void)state;
    Viewer *viewer = make_viewer();
    char words[SIDE_WORDS], line[512];
    assert_string_equal(viewer->session->device->id, "fake-0");
    REQUIRE(action_command(viewer, "keep", true));
    REQUIRE(action_command(viewer, "device 1", true));
    assert_string_equal(viewer->session->device->id, "fake-1");
    REQUIRE(viewer_finish(viewer));
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "device 0");
    assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), "device 1");
    const Difference *difference = viewer_difference(viewer);
    assert_non_null(difference);
    assert_int_equal(difference->row, 30);
    assert_int_equal(difference->differing, 0);
    const Judgement *judgement = &viewer->session->measured.judgement; /* frames come from the device */
    assert_true(judgement->known && judgement->verdict.agrees && judgement->stages == 1);
    assert_true(judgement->verdict.worst <= 0);
    command_line_format(viewer, line, sizeof line);
    assert_non_null(strstr(line, "--backend fake --level best --device 1"));
    REQUIRE(action_command(viewer, "undo", true));
    assert_string_equal(viewer->session->device->id, "fake-0");
    REQUIRE(action_command(viewer, "next-device", true));
    REQUIRE(action_command(viewer, "next-device", true));
    assert_string_equal(viewer->session->device->id, "fake-0");
    viewer_destroy(&viewer);
}

/* A command that is refused changes nothing. */
static void devices_that_are_not_there(void **state) {
    (void)state;
    Viewer *viewer = make_viewer();
    assert_int_equal(action_command(viewer, "device 2", true), STATUS_USAGE);
    assert_string_equal(status_message(), "fake has 2 devices, counted from 0");
    assert_int_equal(action_command(viewer, "device -1", true), STATUS_USAGE);
    assert_int_equal(action_command(viewer, "device first", true), STATUS_USAGE);
    assert_string_equal(viewer->session->device->id, "fake-0");
    REQUIRE(action_command(viewer, "device 1", true));
    REQUIRE(viewer_set_backend(viewer, "cpu")); /* the host is one device, whatever the number */
    REQUIRE(viewer_run(viewer));
    assert_int_equal(action_command(viewer, "device 0", true), STATUS_USAGE);
    assert_string_equal(status_message(), "cpu is one device");
    assert_int_equal(action_command(viewer, "next-device", true), STATUS_USAGE);
    REQUIRE(viewer_set_backend(viewer, "fake"));
    assert_string_equal(viewer->session->device->id, "fake-1"); /* the one that was asked for before */
    viewer_destroy(&viewer);
}

static void add_crew(Viewer *viewer) {
    Session *session = viewer->session;
    Device *device;
    REQUIRE(crew_create(&session->crew));
    REQUIRE(fake_backend.open(1, 1, &device));
    REQUIRE(crew_add(session->crew, device));
    session->crew_backend = &fake_backend;
    session->crew_first = 0;
}

static void gather_to(Viewer *viewer, uint32_t samples) {
    while (viewer->session->progressive.done < samples)
        assert_true(viewer_work(viewer));
}

/* Light with changes of all kinds on its way: other filters, a denoiser, another camera and another scene. */
static Image *gather_light(bool shared, const char *denoise) {
    Viewer *viewer = make_viewer();
    Image *image;
    if (shared)
        add_crew(viewer);
    viewer_resize(viewer, 36, 28);
    REQUIRE(viewer_open_scene(viewer, "packed=12"));
    REQUIRE(viewer_set_look(viewer, LOOK_PATHS));
    REQUIRE(viewer_change_gathering(viewer, "samples=6:depth=2"));
    gather_to(viewer, 1);
    viewer_zoom(viewer, 1.5, 10, 12);
    gather_to(viewer, 2);
    REQUIRE(viewer_set_chain(viewer, "gaussian=2", FALLBACK_NONE));
    gather_to(viewer, 3);
    REQUIRE(viewer_change_gathering(viewer, denoise));
    gather_to(viewer, 4);
    REQUIRE(viewer_change_scene(viewer, "sphere=1:red=1"));
    REQUIRE(viewer_finish(viewer));
    assert_int_equal(viewer->session->progressive.done, 6);
    assert_int_equal(viewer->session->crew_joined, shared);
    REQUIRE(viewer_fetch(viewer));
    REQUIRE(image_clone(viewer->session->result->view, &image));
    viewer_destroy(&viewer);
    return image;
}

static void light_of_two_devices_is_that_of_one(void **state) {
    static const char *const denoise[] = {"denoise=0", "denoise=1"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Image *one = gather_light(false, denoise[i]), *both = gather_light(true, denoise[i]);
        assert_true(shape_equal(one->view.shape, both->view.shape));
        assert_memory_equal(both->view.pixels, one->view.pixels, shape_bytes(one->view.shape));
        image_destroy(&one);
        image_destroy(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_devices_are_compared),
        cmocka_unit_test(devices_that_are_not_there),
        cmocka_unit_test(light_of_two_devices_is_that_of_one),
    };
    if (backends_register() != STATUS_OK || fake_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests(tests, save_picture, NULL);
}
