/* test_placed.c: pictures at the places of others' pixels. */
#include "app/view/data/placed.h"

#include <math.h>

#include "tests/check.h"

static Image *make(Shape shape) {
    Image *image;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, 5);
    return image;
}

/* Pixels that move by whole ones stay as they are; beyond the picture is 0. */
static void whole_moves_keep_pixels(void **state) {
    static const struct {
        Homography map;
        int a, b, c, d, e, f; /* the same by whole numbers: u = a x + b y + c, v = d x + e y + f */
    } moves[] = {
        {{{1, 0, 4, 0, 1, 3, 0, 0, 1}}, 1, 0, 4, 0, 1, 3},     {{{1, 0, -4, 0, 1, -3, 0, 0, 1}}, 1, 0, -4, 0, 1, -3},
        {{{-1, 0, 16, 0, 1, 0, 0, 0, 1}}, -1, 0, 16, 0, 1, 0}, {{{0, 1, 0, -1, 0, 10, 0, 0, 1}}, 0, 1, 0, -1, 0, 10},
        {{{2, 0, 8, 0, 2, 6, 0, 0, 2}}, 1, 0, 4, 0, 1, 3}, /* the same map by twice the numbers */
    };
    static const PixelType types[] = {PIXEL_U8, PIXEL_U16, PIXEL_F32};
    (void)state;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        Image *from = make((Shape){17, 11, 3, types[k]}), *to = make((Shape){14, 19, 3, types[k]});
        for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
            placed_rows(from->view, &moves[i].map, to->view, 0, 19);
            for (int y = 0; y < 19; y++)
                for (int x = 0; x < 14; x++) {
                    const int u = moves[i].a * x + moves[i].b * y + moves[i].c;
                    const int v = moves[i].d * x + moves[i].e * y + moves[i].f;
                    const bool there = u >= 0 && v >= 0 && u < 17 && v < 11;
                    const bool near = u >= -1 && v >= -1 && u <= 17 && v <= 11;
                    for (int c = 0; c < 3 && (there || !near); c++)
                        assert_true(fabs(view_value(to->view, (size_t)x, (size_t)y, c) -
                                         (there ? view_value(from->view, (size_t)u, (size_t)v, c) : 0)) <= 0);
                }
        }
        image_destroy(&from);
        image_destroy(&to);
    }
}

/* Half as large: each pixel is the mean of four. Twice as large: a quarter of the way from one to the next. */
static void other_sizes_are_averages_and_mixtures(void **state) {
    const Homography half = {{2, 0, 0.5, 0, 2, 0.5, 0, 0, 1}}, twice = {{0.5, 0, -0.25, 0, 0.5, -0.25, 0, 0, 1}};
    Image *from = make((Shape){16, 12, 1, PIXEL_F32}), *small = make((Shape){8, 6, 1, PIXEL_F32}),
          *large = make((Shape){32, 24, 1, PIXEL_F32});
    (void)state;
    placed_rows(from->view, &half, small->view, 0, 6);
    placed_rows(from->view, &twice, large->view, 0, 24);
    for (size_t y = 0; y < 6; y++)
        for (size_t x = 0; x < 8; x++) {
            const double mean =
                (view_value(from->view, 2 * x, 2 * y, 0) + view_value(from->view, 2 * x + 1, 2 * y, 0) +
                 view_value(from->view, 2 * x, 2 * y + 1, 0) + view_value(from->view, 2 * x + 1, 2 * y + 1, 0)) /
                4;
            assert_true(fabs(view_value(small->view, x, y, 0) - mean) < 1e-6);
        }
    const double a = view_value(from->view, 3, 5, 0), b = view_value(from->view, 4, 5, 0);
    const double c = view_value(from->view, 3, 6, 0), d = view_value(from->view, 4, 6, 0);
    assert_true(
        fabs(view_value(large->view, 7, 11, 0) - (0.75 * (0.75 * a + 0.25 * b) + 0.25 * (0.75 * c + 0.25 * d))) < 1e-6);
    image_destroy(&from);
    image_destroy(&small);
    image_destroy(&large);
}

/* Values of another type are shares of white. */
static void types_are_scaled(void **state) {
    const Homography same = homography_identity();
    Image *from = make((Shape){9, 7, 3, PIXEL_U8}), *to = make((Shape){9, 7, 3, PIXEL_U16});
    (void)state;
    placed_rows(from->view, &same, to->view, 0, 7);
    for (size_t x = 0; x < 9; x++)
        assert_true(fabs(view_value(to->view, x, 3, 1) - 257 * view_value(from->view, x, 3, 1)) <= 0);
    image_destroy(&from);
    image_destroy(&to);
}

enum { WIDE = 30, HIGH = 22, FROM_WIDE = 25, FROM_HIGH = 18 };

/* Whether all four corners of a pixel lie on a picture of FROM_WIDE x FROM_HIGH. */
static bool lies_on(const Homography *map, size_t x, size_t y) {
    bool on = true;
    for (int i = 0; i < 4; i++) {
        double u, v;
        homography_apply(map, (double)x + (i % 2) - 0.5, (double)y + (i >= 2) - 0.5, &u, &v);
        on &= u > -0.501 && v > -0.501 && u < FROM_WIDE - 0.499 && v < FROM_HIGH - 0.499;
    }
    return on;
}

/* The pixels of the largest rectangle that lies on the picture, among all that there are. */
static size_t largest_of_all(const Homography *map) {
    size_t high[HIGH][WIDE], most = 0; /* the pixels from here upwards that lie on it */
    for (size_t y = 0; y < HIGH; y++)
        for (size_t x = 0; x < WIDE; x++)
            high[y][x] = lies_on(map, x, y) ? 1 + (y > 0 ? high[y - 1][x] : 0) : 0;
    for (size_t y = 0; y < HIGH; y++)
        for (size_t x = 0; x < WIDE; x++)
            for (size_t to = x, least = HIGH; to < WIDE; to++) {
                least = high[y][to] < least ? high[y][to] : least;
                most = least * (to - x + 1) > most ? least * (to - x + 1) : most;
            }
    return most;
}

static void the_part_is_the_largest(void **state) {
    static const Homography maps[] = {
        {{1, 0, 0, 0, 1, 0, 0, 0, 1}},
        {{1, 0, -5, 0, 1, -4, 0, 0, 1}},
        {{1, 0, 9, 0, 1, -30, 0, 0, 1}},
        {{0.8, -0.6, 8, 0.6, 0.8, -9, 0, 0, 1}},
        {{0.6, 0.8, -9, -0.8, 0.6, 14, 0, 0, 1}},
        {{1, 0.1, -2, 0.05, 1.2, -3, 0.01, 0.005, 1}},
        {{3, 0, -20, 0, 3, -10, 0, 0, 1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        const PlacedPart part = placed_part((Shape){FROM_WIDE, FROM_HIGH, 3, PIXEL_U8}, &maps[i], WIDE, HIGH);
        assert_int_equal(part.width * part.height, largest_of_all(&maps[i]));
        for (size_t y = part.y; y < part.y + part.height; y++)
            for (size_t x = part.x; x < part.x + part.width; x++)
                assert_true(lies_on(&maps[i], x, y));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_moves_keep_pixels),
        cmocka_unit_test(other_sizes_are_averages_and_mixtures),
        cmocka_unit_test(types_are_scaled),
        cmocka_unit_test(the_part_is_the_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
