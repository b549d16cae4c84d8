/* test_viewer_sides.c: the two sides of a comparison: their labels, places and figures. */
#include "app/backends.h"
#include "app/view/tools/every_tool.h"

#include "tests/unit/view/fixture.h"

/* The folders tell two files with one name apart. */
static void labels_tell_files_apart(void **state) {
    static const struct {
        const char *left, *right, *words, *other;
    } cases[] = {{"a/one.ppm", "b/two.ppm", "one.ppm", "two.ppm"},
                 {"x/a/one.ppm", "x/b/one.ppm", "a/one.ppm", "b/one.ppm"},
                 {"/x/c/d/one.ppm", "/y/c/d/one.ppm", "x/c/d/one.ppm", "y/c/d/one.ppm"},
                 {"one.ppm", "b/one.ppm", "one.ppm", "b/one.ppm"}};
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    Subject *subject = viewer->session->subject;
    char *name = subject->name;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char left[32], right[32];
        snprintf(left, sizeof left, "%s", cases[i].left);
        snprintf(right, sizeof right, "%s", cases[i].right);
        subject->name = left;
        assert_int_equal(viewer_pin(viewer), STATUS_OK);
        subject->name = right;
        assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), cases[i].words);
        assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), cases[i].other);
    }
    subject->name = name;
}

static void what_has_no_name_is_left_out_of_labels(void **state) {
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "no filter"); /* no level did that */
    assert_ptr_equal(strstr(viewer_side_words(viewer, false, words, sizeof words), "invert \u00b7 "), words);
}

static void sides_that_do_not_differ_have_labels(void **state) {
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "snapshot");
    assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), "unchanged since");
}

/* Only sides that have a place on each other are shown in one place; the window says why others are not. */
static void sides_without_a_place_are_not_shown_in_one(void **state) {
    static const struct {
        const char *before, *file, *after; /* the chain that is kept, or NULL for the picture; what is opened then */
        SideFit fit;
        const char *why;
    } cases[] = {
        {NULL, NULL, "invert", SIDES_ALIKE, ""},
        {NULL, NULL, "crop=20:10:3:2", SIDES_PLACED, ""},
        {NULL, NULL, "flip", SIDES_PLACED, ""}, /* as large, and yet elsewhere */
        {NULL, NULL, "bank", SIDES_APART, "bank does not show the image pixel by pixel"},
        {NULL, NULL, "invert,bank,crop=5:5", SIDES_APART, "bank does not show the image pixel by pixel"},
        {"invert", "two.png", "invert", SIDES_APART, "the two images differ in size"},
        {"resize=30:20", "two.png", "resize=30:20", SIDES_ALIKE, ""},
        {"crop=20:10:3:2", NULL, "rotate=10", SIDES_PLACED, ""},
        {"rotate=10,crop=9:8", NULL, "rotate=10,crop=9:8,invert", SIDES_ALIKE, ""},
        {"bank", NULL, "bank,invert", SIDES_ALIKE, ""},
        {"bank", NULL, "invert", SIDES_APART, "bank does not show the image pixel by pixel"},
        /* no homography is the map of a lens; sides that it bends both are results of one size */
        {NULL, NULL, "invert,distort=k1=-0.3", SIDES_APART, "distort bends the image"},
        {NULL, NULL, "distort,bank", SIDES_APART, "bank does not show the image pixel by pixel"},
        {"invert", NULL, "distort,invert", SIDES_APART, "distort bends the image"},
        {"distort", NULL, "invert", SIDES_APART, "distort bends the image"},
        {"distort", NULL, "distort,invert", SIDES_ALIKE, ""},
        {"distort", NULL, "bank", SIDES_APART, "bank does not show the image pixel by pixel"},
        {NULL, NULL, "warp=1 0.1 0 0 1 2 0 0 1", SIDES_PLACED, ""},
        {NULL, NULL, "perspective=10 0;100 0;100 100;0 100", SIDES_PLACED, ""},
        {NULL, NULL, "distort=within=9x9+1+1,invert", SIDES_ALIKE, ""}, /* the rest lies where it did */
    };
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Homography map;
        char why[160];
        viewer_unpin(viewer);
        assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
        assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
        if (cases[i].before) {
            assert_int_equal(viewer_set_chain(viewer, cases[i].before, FALLBACK_NONE), STATUS_OK);
            assert_int_equal(viewer_pin(viewer), STATUS_OK);
        }
        if (cases[i].file)
            assert_int_equal(viewer_open(viewer, cases[i].file), STATUS_OK);
        assert_int_equal(viewer_set_chain(viewer, cases[i].after, FALLBACK_NONE), STATUS_OK);
        viewer->compare = COMPARE_NONE;
        assert_string_equal(viewer_why_apart(viewer, why, sizeof why), ""); /* nobody asks */
        viewer->compare = COMPARE_SPLIT;
        assert_int_equal(viewer_fit_of_sides(viewer, &map), cases[i].fit);
        assert_int_equal(viewer_shows_split(viewer), cases[i].fit != SIDES_APART);
        assert_string_equal(viewer_why_apart(viewer, why, sizeof why), cases[i].why);
        viewer->unfiltered = true; /* Space is held: one side alone */
        assert_int_equal(viewer_shows_source(viewer), cases[i].fit != SIDES_APART);
        assert_false(viewer_shows_split(viewer));
        viewer->unfiltered = false;
        viewer->compare = COMPARE_SIDES;
        assert_true(viewer_shows_sides(viewer));
        assert_string_equal(viewer_why_apart(viewer, why, sizeof why), "");
    }
}

/* The figures are those of the part that both sides show, with values and places worked out here. */
static void figures_are_of_pixels_at_one_place(void **state) {
    static const struct {
        const char *chain;
        size_t x, y, width, height; /* of the result: the part that both show */
        int a, b, c, d, e, f;       /* its pixel x y shows a x + b y + c, d x + e y + f */
    } cases[] = {
        {"crop=20:10:3:2,invert", 0, 0, 20, 10, 1, 0, 3, 0, 1, 2},
        {"flip,brightness=30", 0, 0, WIDTH, HEIGHT, -1, 0, WIDTH - 1, 0, 1, 0},
        {"rotate=90,invert", 0, 0, HEIGHT, WIDTH, 0, 1, 0, -1, 0, HEIGHT - 1},
        {"pad=5,invert", 5, 5, WIDTH, HEIGHT, 1, 0, -5, 0, 1, -5},
    };
    Viewer *viewer = *state;
    viewer->compare = COMPARE_DIFFERENCE;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double largest = 0, squares = 0, n = 0;
        size_t wx, wy;
        assert_int_equal(viewer_set_chain(viewer, cases[i].chain, FALLBACK_NONE), STATUS_OK);
        assert_int_equal(viewer_finish(viewer), STATUS_OK);
        const Difference *difference = viewer_difference(viewer);
        const PlacedPart part = viewer->session->compared;
        assert_non_null(difference);
        assert_true(viewer_shows_difference(viewer));
        assert_true(part.x == cases[i].x && part.y == cases[i].y && part.width == cases[i].width &&
                    part.height == cases[i].height && difference->row == part.height);
        for (int y = (int)part.y; y < (int)(part.y + part.height); y++)
            for (int x = (int)part.x; x < (int)(part.x + part.width); x++)
                for (int c = 0; c < 3; c++, n++) {
                    const int u = cases[i].a * x + cases[i].b * y + cases[i].c;
                    const int v = cases[i].d * x + cases[i].e * y + cases[i].f;
                    const double away = view_value(viewer->session->result->view, (size_t)x, (size_t)y, c) -
                                        view_value(viewer_picture(viewer)->view, (size_t)u, (size_t)v, c);
                    largest = fmax(largest, fabs(away));
                    squares += away * away;
                }
        assert_true(near(difference->max, largest));
        assert_true(fabs(viewer->session->likeness.psnr - 10 * log10(255 * 255 * n / squares)) < 1e-6);
        assert_true(viewer_worst(viewer, &wx, &wy) && wx >= part.x && wy >= part.y);
        assert_int_equal(viewer_show_worst(viewer), STATUS_OK);
    }
    assert_int_equal(viewer_set_chain(viewer, "bank", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(viewer_difference(viewer) || viewer_shows_difference(viewer));
    assert_int_equal(viewer_show_worst(viewer), STATUS_USAGE);
    assert_string_equal(status_message(), "can't compare: bank does not show the image pixel by pixel");
}

static void the_heading_has_the_results_size(void **state) {
    Viewer *viewer = *state;
    char words[96];
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    viewer_kind(viewer)->format_shape(viewer, words, sizeof words);
    assert_ptr_equal(strstr(words, "61 × 47 · "), words);
    assert_int_equal(viewer_set_chain(viewer, "rotate=90,crop=20:10", FALLBACK_NONE), STATUS_OK);
    viewer_kind(viewer)->format_shape(viewer, words, sizeof words);
    assert_ptr_equal(strstr(words, "61 × 47 → 20 × 10 · "), words);
}

/* Wherever the hand takes it, the line stays on the picture. */
static void a_split_stays_on_the_picture(void **state) {
    Viewer *viewer = *state;
    viewer->compare = COMPARE_SPLIT;
    viewer->viewport = (Viewport){.scale = 2, .x = 100, .y = 50};
    viewer->split = 0;
    assert_true(near(viewer_split_x(viewer), 100));
    viewer->split = 1;
    assert_true(near(viewer_split_x(viewer), 100 + 2 * WIDTH));
    const Area seen = viewer_seen_area(viewer);
    assert_true(near(seen.y, 50) && near(seen.height, 2 * HEIGHT));
}

/* The kept picture stays through all changes, and the differences are those of the shown picture from it. */
static void any_two_results_are_compared(void **state) {
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    unsigned serial, kept;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    const Image *picture = viewer_picture(viewer);
    assert_ptr_equal(viewer_source(viewer, &serial), picture);
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    const Image *image = viewer_source(viewer, &kept);
    assert_true(image != picture && kept != serial);
    for (size_t x = 0; x < 5; x++)
        assert_true(near(view_value(image->view, x, 3, 1), 255 - view_value(picture->view, x, 3, 1)));
    assert_int_equal(viewer_set_chain(viewer, "invert,brightness=40", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "invert");
    assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), "invert,brightness=40");
    assert_true(viewer_side_ms(viewer, true) > 0);
    viewer->compare = COMPARE_SPLIT;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Difference *difference = &viewer->session->difference;
    assert_int_equal(difference->row, HEIGHT);
    double largest = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                largest = fmax(largest, fabs(view_value(image->view, x, y, c) -
                                             view_value(viewer->session->result->view, x, y, c)));
    assert_true(largest > 0 && near(difference->max, largest));
    assert_int_equal(viewer_show_worst(viewer), STATUS_OK);
    size_t x, y;
    const Area area = viewer->area;
    assert_true(viewport_pixel(viewer_viewport(viewer), area.x + area.width / 2, area.y + area.height / 2, WIDTH,
                               HEIGHT, &x, &y));
    assert_true(x == difference->x && y == difference->y);
    viewer_unpin(viewer);
    assert_ptr_equal(viewer_source(viewer, &kept), picture);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(viewer->session->difference_of_source, serial);
}

/* Next to each other, both sides are as large, and fit their halves. */
static void sides_have_halves(void **state) {
    Viewer *viewer = *state;
    const Viewport whole = viewer_viewport(viewer);
    viewer->compare = COMPARE_SIDES;
    const Viewport half = viewer_viewport(viewer);
    const Area right = viewer_result_area(viewer), area = viewer->area;
    assert_true(near(right.x + right.width, area.x + area.width) && near(2 * right.width, area.width));
    assert_true(half.x >= right.x && half.x + WIDTH * half.scale <= right.x + right.width + 1e-6);
    assert_true(half.scale <= whole.scale);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(labels_tell_files_apart),
        WITH_VIEWER(what_has_no_name_is_left_out_of_labels),
        WITH_VIEWER(sides_that_do_not_differ_have_labels),
        WITH_VIEWER(sides_without_a_place_are_not_shown_in_one),
        WITH_VIEWER(figures_are_of_pixels_at_one_place),
        WITH_VIEWER(the_heading_has_the_results_size),
        WITH_VIEWER(a_split_stays_on_the_picture),
        WITH_VIEWER(any_two_results_are_compared),
        WITH_VIEWER(sides_have_halves),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
