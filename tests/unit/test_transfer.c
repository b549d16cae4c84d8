/* test_transfer.c: frames of transfer in host memory, and timelines as text. */
#include "app/backends.h"
#include "app/bench/timeline.h"
#include "core/device/op_frame.h"

#include <string.h>

#include "tests/check.h"

static void a_row_of_letters(void **state) {
    (void)state;
    Timeline timeline = {0};
    char text[TIMELINE_COLUMNS + 1], want[TIMELINE_COLUMNS + 1];
    timeline_add(&timeline, 'H', 1, 0, 2);
    timeline_add(&timeline, 'K', 1, 2, 1);
    timeline_add(&timeline, 'D', 2, 3, 1);
    timeline_add(NULL, 'D', 2, 3, 1); /* nobody asked */
    assert_true(timeline_ms(&timeline) == 4);
    assert_true(timeline_row(&timeline, 1, 4, text));
    memset(want, '.', TIMELINE_COLUMNS);
    memset(want, 'H', 32);
    memset(want + 32, 'K', 16);
    want[TIMELINE_COLUMNS] = '\0';
    assert_string_equal(text, want);
    assert_true(timeline_row(&timeline, 2, 4, text));
    assert_true(strspn(text, ".") == 48 && strcmp(text + 48, "DDDDDDDDDDDDDDDD") == 0);
    assert_false(timeline_row(&timeline, 3, 4, text));
}

/* A step that is too short to be seen still has a letter, also at the very end; before the beginning is the
 * beginning. */
static void short_steps_are_shown(void **state) {
    (void)state;
    Timeline timeline = {0};
    char text[TIMELINE_COLUMNS + 1];
    timeline_add(&timeline, 'K', 0, 10, 0);
    timeline_add(&timeline, 'S', 0, -0.001, 0.0005);
    assert_true(timeline_row(&timeline, 0, 10, text));
    assert_int_equal(strlen(text), TIMELINE_COLUMNS);
    assert_true(text[0] == 'S' && text[1] == '.' && text[TIMELINE_COLUMNS - 1] == 'K');
    assert_true(timeline_row(&timeline, 0, 0, text)); /* a run without time */
}

static void a_full_timeline_takes_no_more(void **state) {
    (void)state;
    static Timeline timeline;
    for (int i = 0; i < TRANSFER_STEPS + 3; i++)
        timeline_add(&timeline, 'K', 0, i, 1);
    assert_int_equal(timeline.count, TRANSFER_STEPS);
    assert_true(timeline_ms(&timeline) == TRANSFER_STEPS);
}

static void frames_in_host_memory(void **state) {
    (void)state;
    const Shape shape = {7, 3, 3, PIXEL_U16};
    Image *image, *back;
    Frame frame;
    REQUIRE(image_create(shape, &image));
    REQUIRE(image_create(shape, &back));
    view_fill_random(image->view, 5);
    REQUIRE(op_frame_create(&op_transfer, NULL, shape, &frame)); /* of no device */
    assert_true(frame.stride % 64 == 0 && frame.stride >= shape_row_bytes(shape));
    REQUIRE(op_frame_upload(&op_transfer, NULL, image->view, frame));
    REQUIRE(op_frame_download(&op_transfer, NULL, frame, back->view));
    assert_memory_equal(image->view.pixels, back->view.pixels, shape_bytes(shape));
    op_frame_destroy(&op_transfer, NULL, &frame);
    assert_null(frame.pixels);
    op_frame_destroy(&op_transfer, NULL, &frame);
    assert_int_equal(op_frame_create(&op_transfer, NULL, (Shape){0, 3, 3, PIXEL_U8}, &frame), STATUS_INPUT);
    image_destroy(&image);
    image_destroy(&back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_letters),
        cmocka_unit_test(short_steps_are_shown),
        cmocka_unit_test(a_full_timeline_takes_no_more),
        cmocka_unit_test(frames_in_host_memory),
    };
    return backends_register() == STATUS_OK ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
