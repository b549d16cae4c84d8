/* test_viewer_pictures.c: pictures in the window: where they lie, how they are opened and stepped through. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "core/device/pixel_pool.h"

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

/* A crop of 10 by 21 of 30 by 31 at scale 2: 20 and 10 window pixels a side less at both ends. */
static void a_picture_of_another_size_keeps_its_middle(void **state) {
    (void)state;
    const Viewport whole = {.scale = 2, .x = 35, .y = 34, .width = 30, .height = 31};
    const Viewport crop = viewport_resize(whole, 10, 21);
    assert_true(near(crop.x, 55) && near(crop.y, 44) && near(crop.scale, 2));
    const Viewport back = viewport_resize(viewport_pan(crop, 3, -1), 30, 31);
    assert_true(near(back.x, 38) && near(back.y, 33));
    const Viewport odd = viewport_resize((Viewport){.scale = 1, .x = 5, .y = 5, .width = 10, .height = 10}, 7, 12);
    assert_true(near(odd.x, 6) && near(odd.y, 4)); /* whole pixels stay whole */
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

/* Two monitors side by side, and one below the second. */
static void most_of_a_window_lies_on_one_monitor(void **state) {
    static const Area monitors[] = {{0, 0, 1280, 800}, {1280, 0, 1920, 1080}, {1280, 1080, 1920, 1080}};
    static const struct {
        Area window;
        size_t most;
    } cases[] = {{{100, 100, 400, 300}, 0},   {{1100, 100, 400, 300}, 1}, {{1060, 100, 400, 300}, 0},
                 {{1080, 100, 400, 300}, 0}, /* half and half: the first */
                 {{2000, 950, 400, 300}, 2},  {{1200, 700, 600, 700}, 1}, {{-900, 100, 400, 300}, 0},
                 {{3100, 2100, 800, 600}, 2}, {{0, 0, 3200, 1080}, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(area_with_most(monitors, 3, cases[i].window), cases[i].most);
    assert_int_equal(area_with_most(NULL, 0, cases[0].window), 0);
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
    assert_int_equal(viewer_open(viewer, "."), STATUS_OK); /* bad.png, two.png behind one.png, which is open */
    assert_int_equal(viewer->pictures.count, 3);
    assert_string_equal(viewer_title(viewer), "./two.png"); /* the folder's first is bad */
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "bad.png"));
    assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "one.png");
    assert_int_equal(action_press(viewer, "Left", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "./two.png");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result->view.shape.width, 9);
}

/* two.png has 9 x 8 pixels. The links before the crop are carried out, and nothing is saved as if all were. */
static void a_chain_that_does_not_fit_shows_how_far_it_does(void **state) {
    static const char words[] =
        "Can't apply crop 50×40 to two.png (9×8): there are no columns 0 to 49 in a picture that "
        "is 9 wide";
    Viewer *viewer = *state;
    char *const paths[] = {(char[]){"two.png"}};
    Image *plain, *want;
    assert_int_equal(viewer_set_chain(viewer, "invert,crop=50:40:0:0,sharpen", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_open_all(viewer, paths, 1), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "two.png");
    assert_true(viewer->toast.error);
    assert_string_equal(viewer->toast.text, words);
    assert_int_equal(viewer->session->misfit, 2);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_int_equal(codec_load("two.png", &plain), STATUS_OK);
    assert_int_equal(image_clone(plain->view, &want), STATUS_OK);
    for (size_t y = 0; y < 8; y++)
        for (size_t i = 0; i < (size_t)27; i++)
            ((uint8_t *)view_row(want->view, y))[i] = (uint8_t)(255 - ((uint8_t *)view_row(plain->view, y))[i]);
    assert_true(shows(viewer, want));
    image_destroy(&plain);
    image_destroy(&want);
    assert_int_equal(viewer_save_result(viewer, "part.png", false), STATUS_USAGE);
    assert_string_equal(status_message(), words);
    viewer->selected = 1; /* still too wide: the picture stays, the sentence tells the new size */
    assert_int_equal(viewer_set_values(viewer, 1, "width=20"), STATUS_OK);
    assert_int_equal(viewer->session->misfit, 2);
    assert_non_null(strstr(viewer->session->misfit_words, "crop 20×40"));
    assert_int_equal(viewer_set_values(viewer, 1, "width=5:height=4"), STATUS_OK);
    assert_int_equal(viewer->session->misfit, 0);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_shown_shape(viewer).width, 5);
    assert_int_equal(viewer_set_values(viewer, 1, "width=20"), STATUS_INPUT); /* it fits, and shall go on to */
    assert_int_equal(viewer->session->misfit, 0);
}

/* The sample has four frames, by tests/formats/animations.py. */
static void the_heading_says_that_a_file_holds_more(void **state) {
    Viewer *viewer = *state;
    char words[96];
    if (format_for_path("a.gif")->lacks)
        return;
    assert_int_equal(viewer_open(viewer, GLINT_SOURCE_DIR "/tests/formats/gif-frames.gif"), STATUS_OK);
    viewer_kind(viewer)->format_shape(viewer, words, sizeof words);
    assert_non_null(strstr(words, " · frame 1 of 4"));
    assert_int_equal(viewer_open(viewer, GLINT_SOURCE_DIR "/tests/formats/gif-still.gif"), STATUS_OK);
    viewer_kind(viewer)->format_shape(viewer, words, sizeof words);
    assert_null(strstr(words, "frame"));
}

/* Their memory is no malloc's: its second try, in another arena, leaves ENOMEM, and the file would be refused. */
static void pictures_get_pages_of_their_own(void **state) {
    Viewer *viewer = *state;
    FilePart part;
    Image *image;
    assert_ptr_equal(viewer_picture(viewer)->source, &pixel_pages);
    REQUIRE(subject_decode("one.png", (RawWay){.linear = false}, &part, &image));
    assert_ptr_equal(image->source, &pixel_pages);
    image_destroy(&image);
    REQUIRE(image_create(viewer_picture(viewer)->view.shape, &image));
    assert_null(image->source); /* only files' */
    image_destroy(&image);
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
        cmocka_unit_test(a_picture_of_another_size_keeps_its_middle),
        cmocka_unit_test(pixel_is_the_one_under_the_pointer),
        cmocka_unit_test(most_of_a_window_lies_on_one_monitor),
        WITH_VIEWER(result_is_what_a_pipeline_of_its_own_makes),
        WITH_VIEWER(failures_leave_what_was_shown),
        WITH_VIEWER(stepping_skips_what_cannot_be_shown),
        WITH_VIEWER(a_chain_that_does_not_fit_shows_how_far_it_does),
        WITH_VIEWER(the_heading_says_that_a_file_holds_more),
        WITH_VIEWER(pictures_get_pages_of_their_own),
        WITH_VIEWER(one_picture_has_no_neighbour),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
