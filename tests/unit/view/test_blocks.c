/* test_blocks.c: blocks of pixels become smooth pictures. Expected values are worked out by hand. */
#include "app/view/data/blocks.h"

#include "tests/check.h"

/* Blocks of 4 x 4 with 0, 160 and 0 in a row, cut to 11 columns and 6 rows. A quarter of the middle one goes to each
 * side, and a half stays. At the ends the block stands for its missing neighbour. */
static void neighbours_take_a_quarter(void **state) {
    Image *picture, *small;
    (void)state;
    REQUIRE(image_create((Shape){11, 6, 3, PIXEL_U8}, &picture));
    for (size_t y = 0; y < 6; y++)
        for (size_t x = 0; x < 11; x++)
            for (int c = 0; c < 3; c++)
                view_set_value(picture->view, x, y, c, x / 4 == 1 ? 160 : 0);
    REQUIRE(blocks_smooth(picture->view, 4, &small));
    assert_int_equal(small->view.shape.width, 3);
    assert_int_equal(small->view.shape.height, 2);
    for (size_t y = 0; y < 2; y++)
        for (int c = 0; c < 3; c++) {
            assert_true(view_value(small->view, 0, y, c) == 40);
            assert_true(view_value(small->view, 1, y, c) == 80);
            assert_true(view_value(small->view, 2, y, c) == 40);
        }
    image_destroy(&small);
    image_destroy(&picture);
}

/* A single white block among black ones: 1, 2, 1 in both directions, of 16. */
static void corners_take_a_sixteenth(void **state) {
    static const double want[3][3] = {{16, 32, 16}, {32, 64, 32}, {16, 32, 16}};
    Image *picture, *small;
    (void)state;
    REQUIRE(image_create((Shape){6, 6, 1, PIXEL_U8}, &picture));
    for (size_t y = 0; y < 6; y++)
        for (size_t x = 0; x < 6; x++)
            view_set_value(picture->view, x, y, 0, x / 2 == 1 && y / 2 == 1 ? 255 : 0);
    REQUIRE(blocks_smooth(picture->view, 2, &small));
    for (size_t y = 0; y < 3; y++)
        for (size_t x = 0; x < 3; x++)
            assert_true(view_value(small->view, x, y, 0) == want[y][x]);
    image_destroy(&small);
    image_destroy(&picture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_take_a_quarter),
        cmocka_unit_test(corners_take_a_sixteenth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
