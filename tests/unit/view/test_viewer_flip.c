/* test_viewer_flip.c: FLIP in comparisons: of the part where both sides are, of the latest ones, and for light. */
#include "app/backends.h"
#include "app/view/tools/every_tool.h"
#include "core/device/backend.h"

#include "tests/unit/view/fixture.h"

static void compare_by_flip(Viewer *viewer) {
    viewer->compare = COMPARE_DIFFERENCE;
    viewer->difference_view = DIFFERENCE_FLIP;
}

/* The map is that of the two parts alone, and 0 beyond. */
static void errors_are_of_pixels_at_one_place(void **state) {
    static const struct {
        const char *chain;
        size_t x, y, width, height, from_x, from_y; /* the part of the result, and where the picture has it */
    } cases[] = {
        {"gaussian=2", 0, 0, WIDTH, HEIGHT, 0, 0},
        {"crop=20:10:3:2,gaussian=1", 0, 0, 20, 10, 3, 2},
        {"pad=5,invert", 5, 5, WIDTH, HEIGHT, 0, 0},
    };
    Viewer *viewer = *state;
    compare_by_flip(viewer);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t width = cases[i].width, height = cases[i].height;
        const FlipView view = {.ppd = FLIP_PPD};
        size_t worst_x, worst_y, beyond = 0;
        Image *want;
        assert_int_equal(viewer_set_chain(viewer, cases[i].chain, FALLBACK_NONE), STATUS_OK);
        assert_false(viewer_flip(viewer) || viewer_shows_flip(viewer) || viewer_shows_difference(viewer));
        assert_int_equal(viewer_finish(viewer), STATUS_OK);
        const FlipErrors *errors = viewer_flip(viewer);
        assert_non_null(errors);
        assert_true(viewer_shows_flip(viewer) && viewer_shows_difference(viewer));
        const ImageView map = errors->map->view, result = viewer->session->result->view;
        const ImageView part = view_crop(map, cases[i].x, cases[i].y, width, height);
        assert_int_equal(
            flip_map(view_crop(viewer_picture(viewer)->view, cases[i].from_x, cases[i].from_y, width, height),
                     view_crop(result, cases[i].x, cases[i].y, width, height), &view, &want),
            STATUS_OK);
        for (size_t y = 0; y < height; y++)
            assert_memory_equal(view_row(part, y), view_row(want->view, y), width * sizeof(float));
        for (size_t y = 0; y < map.shape.height; y++)
            for (size_t x = 0; x < map.shape.width; x++)
                beyond += view_value(map, x, y, 0) > 0 &&
                          (x < cases[i].x || x >= cases[i].x + width || y < cases[i].y || y >= cases[i].y + height);
        assert_int_equal(beyond, 0);
        assert_true(near(errors->figures.mean, flip_mean(want->view)) && errors->figures.mean > 0.01);
        assert_true(viewer_worst(viewer, &worst_x, &worst_y));
        assert_true(near(view_value(map, worst_x, worst_y, 0), errors->figures.max));
        image_destroy(&want);
    }
}

/* Work in pieces ends when it is due, and what was begun for other sides is given up. */
static void errors_of_other_sides_are_dropped(void **state) {
    Viewer *viewer = *state;
    Image *large;
    assert_int_equal(image_create((Shape){1500, 1100, 3, PIXEL_U8}, &large), STATUS_OK);
    view_fill_random(large->view, 3);
    write_image("two.png", large);
    image_destroy(&large);
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    compare_by_flip(viewer);
    size_t pieces = 0;
    for (; !viewer->session->flip.work && pieces < 1000; pieces++)
        (void)viewer_work(viewer);
    assert_non_null(viewer->session->flip.work);
    assert_null(viewer_flip(viewer));
    assert_int_equal(viewer_set_chain(viewer, "brightness=30", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_null(viewer->session->flip.work);
    const double mean = viewer_flip(viewer)->figures.mean;
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(mean > 0.01 && viewer_flip(viewer) && !(viewer_flip(viewer)->figures.max > 0));
}

/* The map outlives the session's being lent, and so do its figures. */
static void errors_show_while_the_session_is_lent(void **state) {
    Viewer *viewer = *state;
    compare_by_flip(viewer);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const double mean = viewer_flip(viewer)->figures.mean;
    Session *lent = viewer_lend(viewer);
    image_destroy(&lent->flip.map);
    assert_true(viewer_shows_flip(viewer) && near(viewer_flip(viewer)->figures.mean, mean));
    assert_true(flip_mean(viewer_flip(viewer)->map->view) > 0);
    viewer_take_back(viewer);
    assert_false(viewer_shows_flip(viewer));
}

/* Errors have a gain of their own: half stops until the largest is nearly 1. */
static void errors_have_their_gain(void **state) {
    Viewer *viewer = *state;
    compare_by_flip(viewer);
    viewer->gain = 2;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_USAGE);
    assert_int_equal(viewer_set_chain(viewer, "brightness=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(viewer_fit_gain(viewer), STATUS_OK);
    const double largest = viewer_flip(viewer)->figures.max * exp2(viewer->flip_gain);
    assert_true(near(viewer->gain, 2) && largest <= 1 && largest > 0.7);
    viewer->difference_view = DIFFERENCE_HEAT;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_OK);
    assert_false(near(viewer->gain, 2));
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(errors_are_of_pixels_at_one_place),
        WITH_VIEWER(errors_show_while_the_session_is_lent),
        WITH_VIEWER(errors_have_their_gain),
        WITH_VIEWER(errors_of_other_sides_are_dropped),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
