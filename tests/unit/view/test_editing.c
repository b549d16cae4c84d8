/* test_editing.c: masks, curves and rectangles edited by hand, without a window. */
#include "app/view/data/mask_paint.h"
#include "app/view/session/mask_response.h"
#include "app/view/tools/curve_editor.h"
#include "app/view/tools/handles.h"
#include "core/chain/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static bool near(double a, double b, double within) {
    return fabs(a - b) <= within;
}

static Mask *parse(const char *text) {
    Mask *mask;
    REQUIRE(mask_parse(text, &mask));
    return mask;
}

static void assert_mask(const Mask *mask, const char *text) {
    char written[4096];
    assert_true(mask_format(mask, written, sizeof written) < sizeof written);
    assert_string_equal(written, text);
}

static Mask *preset(const char *name, int side) {
    Mask *mask;
    assert_non_null(mask_preset_by_name(name));
    REQUIRE(mask_preset_make(mask_preset_by_name(name), side, &mask));
    return mask;
}

/* ---- text ---- */

static void a_mask_is_written_as_it_is_read(void **state) {
    static const char *const texts[] = {
        "1;", "1 2 1;", "1; 2; 1", "0.1 -0.25; 3e+10 1.1754944e-38", "10 1200; 100000 12345678", "1 2 3; 4 5 6"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Mask *mask = parse(texts[i]), *again;
        assert_mask(mask, texts[i]);
        char written[256];
        const size_t length = mask_format(mask, NULL, 0);
        assert_int_equal(mask_format(mask, written, sizeof written), length);
        assert_int_equal(strlen(written), length);
        again = parse(written);
        assert_true(mask_equal(mask, again));
        char small[4] = "";
        assert_int_equal(mask_format(mask, small, sizeof small), length);
        assert_memory_equal(small, written, length < 3 ? length : 3);
        mask_destroy(&mask);
        mask_destroy(&again);
    }
}

/* ---- strokes ---- */

static void assert_painted(const char *on, MaskSymmetry symmetry, bool opposite, int x, int y, const char *want) {
    Mask *mask = parse(on);
    mask_paint(mask, symmetry, opposite, x, y, 2);
    assert_mask(mask, want);
    mask_destroy(&mask);
}

static void strokes_are_symmetric(void **state) {
    static const char none[] = "0 0 0; 0 0 0; 0 0 0";
    (void)state;
    assert_painted(none, SYMMETRY_NONE, false, 0, 1, "0 0 0; 2 0 0; 0 0 0");
    assert_painted(none, SYMMETRY_SIDES, false, 0, 2, "0 0 0; 0 0 0; 2 0 2");
    assert_painted(none, SYMMETRY_ENDS, false, 0, 2, "2 0 0; 0 0 0; 2 0 0");
    assert_painted(none, SYMMETRY_BOTH, false, 1, 0, "0 2 0; 0 0 0; 0 2 0");
    assert_painted(none, SYMMETRY_EIGHT, false, 1, 0, "0 2 0; 2 0 2; 0 2 0");
    assert_painted(none, SYMMETRY_TURN, false, 2, 0, "0 0 2; 0 0 0; 2 0 0");
    assert_painted("0 0 0 0; 0 0 0 0", SYMMETRY_BOTH, false, 1, 0, "0 2 2 0; 0 2 2 0"); /* about the middle */
    assert_painted("0 0 0; 0 0 0", SYMMETRY_EIGHT, false, 0, 0, "2 0 2; 2 0 2"); /* no diagonals of a rectangle */
    assert_painted("0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0", SYMMETRY_EIGHT, false, 1, 0,
                   "0 2 0 2 0; 2 0 0 0 2; 0 0 0 0 0; 2 0 0 0 2; 0 2 0 2 0");
}

static void images_have_the_other_sign(void **state) {
    static const char ones[] = "1 1 1; 1 1 1; 1 1 1";
    (void)state;
    assert_painted(ones, SYMMETRY_SIDES, true, 2, 1, "1 1 1; -2 1 2; 1 1 1");
    assert_painted(ones, SYMMETRY_SIDES, true, 1, 1, "1 1 1; 1 0 1; 1 1 1"); /* its own opposite */
    assert_painted(ones, SYMMETRY_BOTH, true, 0, 0, "2 1 -2; 1 1 1; -2 1 2");
    assert_painted(ones, SYMMETRY_BOTH, true, 1, 0, "1 0 1; 1 1 1; 1 0 1");
    assert_painted(ones, SYMMETRY_TURN, true, 0, 0, "2 1 1; 1 1 1; 1 1 -2");
    assert_painted(ones, SYMMETRY_NONE, true, 0, 0, "2 1 1; 1 1 1; 1 1 1");
}

static void strokes_have_no_gaps_and_stay_within(void **state) {
    (void)state;
    Mask *mask = parse("0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0");
    mask_stroke(mask, SYMMETRY_NONE, false, (MaskCell){0, 0, 1}, (MaskCell){4, 2, 1}, 1);
    assert_mask(mask, "1 0 0 0 0; 0 1 1 0 0; 0 0 0 1 1"); /* halves are rounded up */
    mask_clear(mask);
    mask_stroke(mask, SYMMETRY_NONE, false, (MaskCell){3, 1, 1}, (MaskCell){9, 1, 1}, 1);
    mask_stroke(mask, SYMMETRY_NONE, false, (MaskCell){-5, -5, 1}, (MaskCell){-1, -1, 1}, 1);
    assert_mask(mask, "0 0 0 0 0; 0 0 0 1 1; 0 0 0 0 0");
    mask_destroy(&mask);
}

/* ---- all cells ---- */

static void sizes_change_around_the_anchor(void **state) {
    Mask *mask = parse("1 2 3; 4 5 6; 7 8 9"), *other;
    (void)state;
    REQUIRE(mask_resize(mask, 5, 3, &other));
    assert_mask(other, "0 1 2 3 0; 0 4 5 6 0; 0 7 8 9 0");
    mask_destroy(&other);
    REQUIRE(mask_resize(mask, 1, 2, &other)); /* anchors (0, 1) and (1, 1) */
    assert_mask(other, "2; 5");
    mask_destroy(&other);
    assert_int_equal(mask_resize(mask, 0, 3, &other), STATUS_USAGE);
    mask_turn(mask);
    assert_mask(mask, "7 4 1; 8 5 2; 9 6 3");
    mask_negate(mask);
    assert_mask(mask, "-7 -4 -1; -8 -5 -2; -9 -6 -3");
    mask_destroy(&mask);
    mask = parse("1 2 0;");
    mask_turn(mask);
    mask_negate(mask);
    assert_mask(mask, "-1; -2; 0");
    mask_destroy(&mask);
}

static void masks_are_normalized(void **state) {
    static const struct {
        const char *text;
        double factor;
    } cases[] = {{"1 2 1; 2 4 2; 1 2 1", 1.0 / 16},
                 {"0 -1 0; -1 5 -1; 0 -1 0", 1},
                 {"-1 0 1; -2 0 2; -1 0 1", 0.25},
                 {"-1 -1 -1;", -1.0 / 3},
                 {"0 0; 0 0", 0},
                 {"0.1 0.1 -0.2;", 5}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Mask *mask = parse(cases[i].text);
        assert_true(near(mask_normalizer(mask), cases[i].factor, 1e-6));
        mask_destroy(&mask);
    }
}

/* As textbooks have them. */
static void presets_are_the_known_masks(void **state) {
    static const struct {
        const char *name, *text;
        int side;
    } cases[] = {{"identity", "0 0 0; 0 1 0; 0 0 0", 3},
                 {"gaussian", "1 2 1; 2 4 2; 1 2 1", 2},
                 {"right", "-1 0 1; -2 0 2; -1 0 1", 3},
                 {"down", "-1 -2 -1; 0 0 0; 1 2 1", 3},
                 {"edges", "-1 -1 -1; -1 8 -1; -1 -1 -1", 3},
                 {"emboss", "-2 -1 0; -1 1 1; 0 1 2", 1},
                 {"line", "0 0 0 0 0; 0 0 0 0 0; 1 1 1 1 1; 0 0 0 0 0; 0 0 0 0 0", 5},
                 {"ring", "0 1 1 1 0; 1 0 0 0 1; 1 0 0 0 1; 1 0 0 0 1; 0 1 1 1 0", 4}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Mask *mask = preset(cases[i].name, cases[i].side);
        assert_mask(mask, cases[i].text);
        mask_destroy(&mask);
    }
    assert_null(mask_preset_by_name("nothing"));
}

/* In all sizes: masks that blur have a sum, masks that find differences have none; all weights are whole, sums of them
 * exact. */
static void presets_keep_their_sums(void **state) {
    static const char *const differences[] = {"edges", "laplacian", "right", "down"};
    (void)state;
    for (size_t i = 0; i < mask_preset_count; i++)
        for (int side = 3; side <= 31; side += 2) {
            Mask *mask = preset(mask_presets[i].name, side);
            bool of_differences = false;
            double sum = 0, all = 0;
            for (size_t k = 0; k < sizeof differences / sizeof differences[0]; k++)
                of_differences |= strcmp(differences[k], mask_presets[i].name) == 0;
            for (int k = 0; k < side * side; k++) {
                sum += (double)mask->weights[k];
                all += fabs((double)mask->weights[k]);
                assert_true(near((double)mask->weights[k], rint((double)mask->weights[k]), 0));
            }
            assert_int_equal(mask->width, side);
            assert_true(of_differences ? near(sum, 0, 0) : sum > 0);
            assert_true(all > 0 && all < 1 << 24);
            mask_destroy(&mask);
        }
}

/* ---- response ---- */

/* numpy.abs(numpy.fft.fftshift(numpy.fft.fft2(mask, (side, side)))) / divisor. */
static void responses_are_numpys(void **state) {
    static const double six[36] = {
        1.125,         1.08253175473,  0.7806247498,   0.375,          0.7806247498,   1.08253175473,
        1.26861144564, 0.943729304409, 0.695970545354, 0.992156741649, 1.44157032433,  1.51554445662,
        1.51554445662, 1.31695671911,  1.3520817283,   1.63458710383,  1.84983107337,  1.77218085984,
        1.625,         1.69096865731,  1.81572988079,  1.875,          1.81572988079,  1.69096865731,
        1.51554445662, 1.77218085984,  1.84983107337,  1.63458710383,  1.3520817283,   1.31695671911,
        1.26861144564, 1.51554445662,  1.44157032433,  0.992156741649, 0.695970545354, 0.943729304409};
    static const double five[25] = {8.2360679775,
                                    6,
                                    4.61803398875,
                                    6,
                                    8.2360679775,
                                    6,
                                    3.7639320225,
                                    2.38196601125,
                                    3.7639320225,
                                    6,
                                    4.61803398875,
                                    2.38196601125,
                                    1,
                                    2.38196601125,
                                    4.61803398875,
                                    6,
                                    3.7639320225,
                                    2.38196601125,
                                    3.7639320225,
                                    6,
                                    8.2360679775,
                                    6,
                                    4.61803398875,
                                    6,
                                    8.2360679775};
    double magnitude[36];
    (void)state;
    Mask *mask = parse("1 2 0; -1 5 0.5");
    mask->divisor = -4;
    REQUIRE(mask_response(mask, 6, magnitude));
    for (int i = 0; i < 36; i++)
        assert_true(near(magnitude[i], six[i], 1e-9));
    mask_destroy(&mask);
    mask = parse("0 -1 0; -1 5 -1; 0 -1 0");
    REQUIRE(mask_response(mask, 5, magnitude));
    for (int i = 0; i < 25; i++)
        assert_true(near(magnitude[i], five[i], 1e-9));
    mask_destroy(&mask);
    mask = parse("1 1 1 1 1 1 1 1;"); /* wider than the picture of it: zero at a quarter of a cycle */
    REQUIRE(mask_response(mask, 4, magnitude));
    assert_true(near(magnitude[2 * 4 + 2], 8, 1e-9) && near(magnitude[2 * 4 + 1], 0, 1e-9) &&
                near(magnitude[0 * 4 + 2], 8, 1e-9));
    mask_destroy(&mask);
}

/* ---- curves ---- */

static Knots knots_of(const char *text) {
    Knots knots;
    REQUIRE(knots_parse(text, &knots));
    return knots;
}

static void assert_knots(const Knots *knots, const char *text) {
    char written[512];
    assert_true(curve_format(knots, written, sizeof written) < sizeof written);
    assert_string_equal(written, text);
}

static void points_are_found_and_added(void **state) {
    Knots knots = knots_of("0 0; 25 15; 100 100");
    (void)state;
    assert_int_equal(curve_near(&knots, 0.27, 0.15, 0.05, 0.05), 1);
    assert_int_equal(curve_near(&knots, 0.27, 0.15, 0.01, 0.05), -1);
    assert_int_equal(curve_near(&knots, 0.02, 0.01, 1, 1), 0); /* of several the nearest */
    assert_int_equal(curve_add(&knots, 0.5, 0.725), 2);
    assert_int_equal(curve_add(&knots, 0.501, 0.5), -1);
    assert_int_equal(curve_add(&knots, -0.5, 0.5), -1); /* on the first */
    assert_knots(&knots, "0 0; 25 15; 50 72.5; 100 100");
    while (knots.count < KNOTS_MAX)
        assert_true(curve_add(&knots, 0.5 + knots.count / 50.0, 7) > 0);
    assert_int_equal(curve_add(&knots, 0.1, 0.1), -1);
}

static void points_stay_between_their_neighbours(void **state) {
    Knots knots = knots_of("0 0; 25 15; 75 85; 100 100");
    (void)state;
    curve_move(&knots, 1, 0.4, 0.2);
    assert_knots(&knots, "0 0; 40 20; 75 85; 100 100");
    curve_move(&knots, 1, 0.9, 1.4);
    assert_knots(&knots, "0 0; 74.5 100; 75 85; 100 100");
    curve_move(&knots, 3, 2, -1);
    curve_move(&knots, 0, -1, 0.1234);
    assert_knots(&knots, "0 12.3; 74.5 100; 75 85; 100 0");
    Knots again = knots_of("0 12.3; 74.5 100; 75 85; 100 0"); /* written knots can be read */
    assert_int_equal(again.count, 4);
}

static void a_point_that_is_dragged_out_goes_until_it_is_back(void **state) {
    const Knots before = knots_of("0 0; 25 15; 100 100"), two = knots_of("0 0; 100 100");
    Knots knots;
    (void)state;
    curve_drag(&before, 1, 0.3, 1.05, &knots);
    assert_knots(&knots, "0 0; 30 100; 100 100");
    curve_drag(&before, 1, 0.3, 1.2, &knots);
    assert_knots(&knots, "0 0; 100 100");
    curve_drag(&before, 1, 0.3, 0.5, &knots);
    assert_knots(&knots, "0 0; 30 50; 100 100");
    curve_drag(&two, 0, -1, 0.5, &knots); /* of two, none goes */
    assert_knots(&knots, "0 50; 100 100");
}

/* scipy.interpolate.PchipInterpolator([0, .25, .75, 1], [0, .15, .85, 1]). */
static void a_curve_is_drawn_as_it_filters(void **state) {
    const Knots knots = knots_of("0 0; 25 15; 75 85; 100 100");
    double values[9];
    (void)state;
    curve_values(&knots, values, 9);
    const double want[] = {0, 0.0602836879433, 0.15, 0.297074468085, 0.5, 0.702925531915, 0.85, 0.939716312057, 1};
    for (int i = 0; i < 9; i++)
        assert_true(near(values[i], want[i], 1e-9));
}

static void brightness_is_counted(void **state) {
    Image *image;
    double shares[CURVE_BINS], sum = 0;
    (void)state;
    REQUIRE(image_create((Shape){.width = 700, .height = 500, .channels = 3, .type = PIXEL_U8}, &image));
    for (size_t y = 0; y < 500; y++)
        for (size_t x = 0; x < 700; x++)
            for (int c = 0; c < 3; c++)
                view_set_value(image->view, x, y, c, x < 350 ? 0 : y < 250 ? 100 : c == 1 ? 55 : 255);
    curve_count(image->view, CURVE_ALL, shares);
    for (int i = 0; i < CURVE_BINS; i++)
        sum += shares[i];
    /* 0.2126 x 255 + 0.7152 x 55 + 0.0722 x 255 = 111.96, of which each bin has a 256th of 255 */
    assert_true(near(sum, 1, 1e-9) && near(shares[0], 0.5, 0.01) && near(shares[100], 0.25, 0.01) &&
                near(shares[112], 0.25, 0.01));
    curve_count(image->view, CURVE_GREEN, shares);
    assert_true(near(shares[0], 0.5, 0.01) && near(shares[100], 0.25, 0.01) && near(shares[55], 0.25, 0.01));
    curve_count(image->view, CURVE_BLUE, shares);
    assert_true(near(shares[0], 0.5, 0.01) && near(shares[100], 0.25, 0.01) && near(shares[255], 0.25, 0.01));
    image_destroy(&image);
}

/* ---- homographies ---- */

static void four_points_make_a_homography(void **state) {
    double from[4][2] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}}, to[4][2] = {{1, 1}, {9, 2}, {7, 8}, {2, 6}};
    double line[4][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 3}};
    Homography there, back, both;
    (void)state;
    assert_true(homography_of_points(from, to, &there));
    assert_true(homography_invert(&there, &back));
    both = homography_join(&there, &back);
    for (int i = 0; i < 4; i++) {
        double x, y;
        homography_apply(&there, from[i][0], from[i][1], &x, &y);
        assert_true(near(x, to[i][0], 1e-9) && near(y, to[i][1], 1e-9));
        homography_apply(&both, to[i][0], to[i][1], &x, &y);
        assert_true(near(x, to[i][0], 1e-9) && near(y, to[i][1], 1e-9));
    }
    assert_false(homography_of_points(line, to, &there));
    assert_true(corners_convex(to));
    to[2][0] = 3, to[2][1] = 3; /* inwards */
    assert_false(corners_convex(to));
}

static void assert_dragged(int grip, double dx, double dy, Rectangle want) {
    const Rectangle now = rectangle_drag((Rectangle){10, 20, 30, 15}, grip, dx, dy, 0, 100, 60);
    assert_true(near(now.x, want.x, 0) && near(now.y, want.y, 0) && near(now.width, want.width, 0) &&
                near(now.height, want.height, 0));
}

static void rectangles_stay_within_the_picture(void **state) {
    (void)state;
    assert_dragged(GRIP_RIGHT | GRIP_BOTTOM, 4.4, -3.6, (Rectangle){10, 20, 34, 11});
    assert_dragged(GRIP_LEFT | GRIP_TOP, 4, -3, (Rectangle){14, 17, 26, 18});
    assert_dragged(GRIP_LEFT, 200, 9, (Rectangle){39, 20, 1, 15}); /* a pixel is left */
    assert_dragged(GRIP_TOP, 0, -200, (Rectangle){10, 0, 30, 35});
    assert_dragged(GRIP_RIGHT, 200, 0, (Rectangle){10, 20, 90, 15});
    assert_dragged(GRIP_BOTTOM, 0, -200, (Rectangle){10, 20, 30, 1});
    assert_dragged(GRIP_ALL, -5, 7, (Rectangle){5, 27, 30, 15});
    assert_dragged(GRIP_ALL, 500, 500, (Rectangle){70, 45, 30, 15});
}

static void assert_rectangle(Rectangle now, Rectangle want) {
    assert_true(near(now.x, want.x, 0) && near(now.y, want.y, 0) && near(now.width, want.width, 0) &&
                near(now.height, want.height, 0));
}

/* By hand: the pointer asks for a width or a height, the other follows, and halves are rounded to even. */
static void rectangles_keep_their_ratio(void **state) {
    (void)state;
    const Rectangle before = {10, 20, 30, 15};
    assert_rectangle(rectangle_drag(before, GRIP_RIGHT | GRIP_BOTTOM, 10, 0, 2, 100, 60), (Rectangle){10, 20, 40, 20});
    assert_rectangle(rectangle_drag(before, GRIP_LEFT | GRIP_TOP, -4, -20, 2, 100, 60), (Rectangle){0, 15, 40, 20});
    assert_rectangle(rectangle_drag(before, GRIP_RIGHT, 10, 50, 2, 100, 60), (Rectangle){10, 18, 40, 20});
    assert_rectangle(rectangle_drag(before, GRIP_BOTTOM, 50, 5, 2, 100, 60), (Rectangle){5, 20, 40, 20});
    assert_rectangle(rectangle_drag(before, GRIP_ALL, 5, 5, 2, 100, 60), (Rectangle){15, 25, 30, 15});
    assert_rectangle(rectangle_drag((Rectangle){10, 20, 30, 20}, GRIP_RIGHT | GRIP_BOTTOM, 1, 0, 1.5, 100, 60),
                     (Rectangle){10, 20, 32, 21});
    assert_rectangle(rectangle_drag(before, GRIP_LEFT | GRIP_TOP, 500, 500, 2, 100, 60), (Rectangle){38, 34, 2, 1});
    assert_rectangle(rectangle_with_ratio((Rectangle){0, 0, 100, 60}, 1.5, 100, 60), (Rectangle){5, 0, 90, 60});
    assert_rectangle(rectangle_with_ratio((Rectangle){5, 0, 90, 60}, 1 / 1.5, 100, 60), (Rectangle){30, 0, 40, 60});
    assert_rectangle(rectangle_with_ratio(before, 1, 100, 60), (Rectangle){15, 17, 21, 21});
    assert_rectangle(rectangle_with_ratio(before, 1000, 100, 60), (Rectangle){0, 27, 100, 1}); /* no pixel has that */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_is_written_as_it_is_read),
        cmocka_unit_test(strokes_are_symmetric),
        cmocka_unit_test(images_have_the_other_sign),
        cmocka_unit_test(strokes_have_no_gaps_and_stay_within),
        cmocka_unit_test(sizes_change_around_the_anchor),
        cmocka_unit_test(masks_are_normalized),
        cmocka_unit_test(presets_are_the_known_masks),
        cmocka_unit_test(presets_keep_their_sums),
        cmocka_unit_test(responses_are_numpys),
        cmocka_unit_test(points_are_found_and_added),
        cmocka_unit_test(points_stay_between_their_neighbours),
        cmocka_unit_test(a_point_that_is_dragged_out_goes_until_it_is_back),
        cmocka_unit_test(a_curve_is_drawn_as_it_filters),
        cmocka_unit_test(brightness_is_counted),
        cmocka_unit_test(four_points_make_a_homography),
        cmocka_unit_test(rectangles_stay_within_the_picture),
        cmocka_unit_test(rectangles_keep_their_ratio),
    };
    return cmocka_run_group_tests_name("editing", tests, NULL, NULL);
}
