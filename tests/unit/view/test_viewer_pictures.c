/* test_viewer_pictures.c: pictures in the window: where they lie, how they are opened and stepped through. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"

#include "tests/unit/view/fixture.h"

/* ---- placement ---- */

static void fit_shows_all_in_the_middle(void **state) {
    (void)state;
    const Viewport wide = viewport_fit((Area){100, 0, 400, 400}, 200, 100);
    assert_true(near(wide.scale, 2) && near(wide.x, 100) && near(wide.y, 100));
    const Viewport high = viewport_fit((Area){0, 0, 400, 400}, 100, 800);
    assert_true(near(high.scale, 0.5) && near(high.x, 175) && near(high.y, 0));
    assert_true(wide.fitted && !viewport_actual((Area){0, 0, 9, 9}, 3, 3).fitted);
}

static void actual_size_lies_on_whole_pixels(void **state) {
    (void)state;
    const Viewport viewport = viewport_actual((Area){0, 0, 101, 100}, 30, 31);
    assert_true(near(viewport.scale, 1) && near(viewport.x, 35) && near(viewport.y, 34));
}

static void zoom_keeps_the_point_under_the_pointer(void **state) {
    (void)state;
    Viewport viewport = {.scale = 0.7, .x = 13, .y = -40};
    const double x = 212, y = 99, px = (x - viewport.x) / viewport.scale, py = (y - viewport.y) / viewport.scale;
    for (int i = 0; i < 30; i++) {
        viewport = viewport_zoom(viewport, i % 3 ? 1.3 : 0.4, x, y);
        assert_true(near((x - viewport.x) / viewport.scale, px) && near((y - viewport.y) / viewport.scale, py));
    }
    for (int i = 0; i < 200; i++)
        viewport = viewport_zoom(viewport, 2, x, y);
    assert_true(viewport.scale <= VIEWPORT_SCALE_MAX);
}

static void pixel_is_the_one_under_the_pointer(void **state) {
    (void)state;
    const Viewport viewport = {.scale = 4, .x = 10, .y = 20};
    size_t x, y;
    assert_true(viewport_pixel(viewport, 10, 20, 5, 5, &x, &y));
    assert_true(x == 0 && y == 0);
    assert_true(viewport_pixel(viewport, 29.9, 39.9, 5, 5, &x, &y));
    assert_true(x == 4 && y == 4);
    assert_false(viewport_pixel(viewport, 30, 39, 5, 5, &x, &y));
    assert_false(viewport_pixel(viewport, 9.9, 30, 5, 5, &x, &y));
}

/* ---- pictures ---- */

static void failures_leave_what_was_shown(void **state) {
    Viewer *viewer = *state;
    const Image *picture = viewer_picture(viewer);
    const Pipeline *pipeline = viewer->session->pipeline;
    assert_int_equal(viewer_open(viewer, "missing.png"), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "missing.png"));
    assert_int_equal(viewer_open(viewer, "bad.png"), STATUS_INPUT);
    assert_int_equal(viewer_open(viewer, "empty"), STATUS_INPUT);
    assert_int_equal(viewer_set_chain(viewer, "gausian", FALLBACK_NONE), STATUS_USAGE);
    assert_int_equal(viewer_set_level(viewer, "fastest"), STATUS_USAGE);
    assert_int_equal(viewer_set_backend(viewer, "abacus"), STATUS_USAGE);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=-1"), STATUS_USAGE);
    assert_ptr_equal(viewer_picture(viewer), picture);
    assert_ptr_equal(viewer->session->pipeline, pipeline);
    assert_int_equal(viewer->pictures.count, 1);
    assert_string_equal(viewer->request->level, "best");
    assert_string_equal(viewer_title(viewer), "one.png");
    assert_ptr_equal(viewer_kind(viewer), &subject_picture);
    char chain[64];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=1");
}

static void stepping_skips_what_cannot_be_shown(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open(viewer, "."), STATUS_OK); /* bad.png, one.png, two.png behind the first */
    assert_int_equal(viewer->pictures.count, 4);
    assert_string_equal(viewer_title(viewer), "./one.png");
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "bad.png"));
    assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "./two.png");
    assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "one.png");
    assert_int_equal(action_press(viewer, "Left", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "./two.png");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result->view.shape.width, 9);
}

static void one_picture_has_no_neighbour(void **state) {
    assert_int_equal(action_press(*state, "Right", true), STATUS_USAGE);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_shows_all_in_the_middle),
        cmocka_unit_test(actual_size_lies_on_whole_pixels),
        cmocka_unit_test(zoom_keeps_the_point_under_the_pointer),
        cmocka_unit_test(pixel_is_the_one_under_the_pointer),
        WITH_VIEWER(result_is_what_a_pipeline_of_its_own_makes),
        WITH_VIEWER(failures_leave_what_was_shown),
        WITH_VIEWER(stepping_skips_what_cannot_be_shown),
        WITH_VIEWER(one_picture_has_no_neighbour),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
