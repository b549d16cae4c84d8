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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_devices_are_compared),
        cmocka_unit_test(devices_that_are_not_there),
    };
    if (backends_register() != STATUS_OK || fake_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests(tests, save_picture, NULL);
}
