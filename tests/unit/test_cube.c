/* test_cube.c: .cube files: those that are read, and the sentences for those that cannot be. */
#include "core/codec/cube.h"
#include "core/math/cube.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static const char small[] = "# made by hand\n"
                            "TITLE \"small\"\r\n"
                            "\n"
                            "LUT_3D_SIZE 2\n"
                            "DOMAIN_MIN 0 0 0 # the default\n"
                            "DOMAIN_MAX 1 2 1\n"
                            "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 0.5e0\n";

static void tables_are_read(void **state) {
    (void)state;
    Image *table = NULL;
    int side, dimensions;
    REQUIRE(cube_parse(small, &table));
    assert_true(cube_of_shape(table->view.shape, &side, &dimensions));
    assert_int_equal(side, 2);
    assert_int_equal(dimensions, 3);
    assert_true(view_value(table->view, 1, 0, 1) == 2 && view_value(table->view, 0, 0, 1) == 0);
    assert_true(view_value(table->view, 1, 1, 0) == 1 && view_value(table->view, 1, 4, 2) == 0.5);
    image_destroy(&table);
    REQUIRE(cube_parse("LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE -1 3\n0 0 0\n.5 .25 .125\n1 1 1", &table));
    assert_true(cube_of_shape(table->view.shape, &side, &dimensions));
    assert_int_equal(side, 3);
    assert_int_equal(dimensions, 1);
    const CubeJob job = {side, dimensions, 255};
    const double in[3] = {0, 255, 510};
    double out[3];
    cube_pixel(&job, table->view.pixels, table->view.stride / sizeof(float), 3, in, out);
    assert_true(out[0] == 255 * 0.25 && out[1] == 255 * 0.25 && out[2] == 255 * (0.125 + 0.5 * 0.875));
    image_destroy(&table);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "ends without a table"},
        {"0 0 0\n", "line 1: want LUT_1D_SIZE or LUT_3D_SIZE before the first colour"},
        {"LUT_3D_SIZE 1\n", "line 1: want a size, 2 to 256, not \"1\""},
        {"LUT_3D_SIZE 257\n", "line 1: want a size, 2 to 256, not \"257\""},
        {"LUT_3D_SIZE 2.5\n", "line 1: want a size"},
        {"LUT_1D_SIZE 65537\n", "line 1: want a size, 2 to 65536"},
        {"LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", "line 2: a second size"},
        {"LUT_1D_SIZE 2\n\n0 0\n", "line 3: want three numbers, not the end of the line"},
        {"LUT_1D_SIZE 2\n0 0 x\n", "line 2: want three numbers, not \"x\""},
        {"LUT_1D_SIZE 2\n0 0 1e99\n", "line 2: want three numbers"},
        {"LUT_1D_SIZE 2\n0 0 0 0\n", "line 2: want the end of the line, not \"0\""},
        {"LUT_1D_SIZE 2\n0 0 0\n1 1 1\n2 2 2\n", "line 4: more than the 2 colours"},
        {"LUT_1D_SIZE 2\n0 0 0\n", "line 3: the file ends after 1 of 2 colours"},
        {"LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\n0 0 0\n", "line 3: the domain goes from 1 to 1"},
        {"LUT_1D_SIZE 2\nDOMAIN_MAX 1\n", "line 2: want three numbers, the highest values"},
        {"LUT_2D_SIZE 2\n", "line 1: want a keyword or three numbers, not \"LUT_2D_SIZE 2\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Image *table = NULL;
        assert_int_equal(cube_parse(rows[i].text, &table), STATUS_INPUT);
        assert_null(table);
        if (!strstr(status_message(), rows[i].says))
            fail_msg("\"%s\": \"%s\", want \"%s\"", rows[i].text, status_message(), rows[i].says);
    }
}

/* Cut anywhere, and every byte replaced: a table or a sentence, and nothing that is lost. */
static void damage_is_survived(void **state) {
    (void)state;
    const size_t length = strlen(small);
    static const char others[] = {'\0', ' ', '\n', '#', '-', '9', 'e', '\xFF'};
    for (size_t i = 0; i < length; i++)
        for (size_t k = 0; k < sizeof others; k++) {
            char *text = strdup(small);
            Image *table = NULL;
            assert_non_null(text);
            text[i] = others[k];
            const Status status = cube_parse(text, &table);
            assert_true(status == STATUS_OK || (status == STATUS_INPUT && status_message()[0]));
            assert_int_equal(status == STATUS_OK, table != NULL);
            if (k == 0 && i + 3 < length) /* cut before the last number's last digit is the last one still whole */
                assert_true(status == STATUS_INPUT || i > length - 8);
            image_destroy(&table);
            free(text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests_name("cube", tests, NULL, NULL);
}
