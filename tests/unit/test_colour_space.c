/* test_colour_space.c: profiles of pictures and monitors, and tables between them. The matrix from Display P3 to sRGB
 * is that of CSS Color 4 (W3C, section 18). Numbers are mixed here as the window's shader mixes them. */
#include "core/codec/codec.h"
#include "core/image/display.h"
#include "core/image/icc.h"
#include "core/math/tone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static const double p3_to_srgb[3][3] = {{1.2249401762805598, -0.22494017628055996, 0},
                                        {-0.04205695470968816, 1.042056954709688, 0},
                                        {-0.0196375545903344, -0.07863604555063188, 1.0982736001409663}};

static Image *load(const char *name) {
    char path[256];
    Image *picture;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", name);
    REQUIRE(codec_load(path, &picture));
    return picture;
}

static ColourSpace *space_of(const char *name) {
    Image *picture = load(name);
    ColourSpace *space;
    REQUIRE(colour_space_of_picture(picture, &space));
    image_destroy(&picture);
    return space;
}

static double along(const DisplayTable *table, int row, int c, double value) {
    const double at = fmin(fmax(value, 0), 1) * (DISPLAY_CURVE - 1), base = fmin(floor(at), DISPLAY_CURVE - 2);
    const double low = (double)table->curves[row][(int)base][c], high = (double)table->curves[row][(int)base + 1][c];
    return low + (at - base) * (high - low);
}

/* The grid's numbers, by the six tetrahedra: from the nearest corner to the farthest, an axis at a time. */
static void numbers(const DisplayTable *table, const double value[3], double out[3]) {
    double share[3];
    int at[3], done[3] = {0};
    for (int c = 0; c < 3; c++) {
        const double place = along(table, 0, c, value[c]) * (DISPLAY_SIDE - 1);
        at[c] = (int)fmin(floor(place), DISPLAY_SIDE - 2);
        share[c] = place - at[c];
    }
    for (int c = 0; c < 3; c++)
        out[c] = (double)table->grid[at[2]][at[1]][at[0]][c];
    for (int step = 0; step < 3; step++) {
        int axis = -1;
        for (int c = 0; c < 3; c++)
            if (!done[c] && (axis < 0 || share[c] > share[axis]))
                axis = c;
        const float *before = table->grid[at[2]][at[1]][at[0]];
        done[axis] = 1;
        at[axis]++;
        for (int c = 0; c < 3; c++)
            out[c] += share[axis] * ((double)table->grid[at[2]][at[1]][at[0]][c] - (double)before[c]);
    }
}

static void p3_is_as_its_matrix_says(void **state) {
    const char *const files[] = {"icc-p3.png", "icc-cicp.png"};
    (void)state;
    for (int file = 0; file < 2; file++) {
        ColourSpace *space = space_of(files[file]);
        DisplayTable *table;
        assert_non_null(space);
        REQUIRE(display_table_make(space, NULL, &table));
        for (int i = 0; i < 5000; i++) {
            const double value[] = {i * 37 % 256 / 255.0, i * 101 % 256 / 255.0, i * 173 % 256 / 255.0};
            double got[3];
            numbers(table, value, got);
            for (int c = 0; c < 3; c++) {
                double want = 0;
                for (int k = 0; k < 3; k++)
                    want += p3_to_srgb[c][k] * srgb_decode(value[k]);
                /* profiles round their matrices, of numbers below 2, to 1 / 65536; D50 has four digits */
                assert_true(fabs(got[c] - want) < 1.2e-4);
                assert_true(fabs(along(table, 1, c, sqrt(fmin(fmax(want, 0), 1))) -
                                 srgb_encode(fmin(fmax(want, 0), 1))) < 0.01 / 255);
            }
        }
        free(table);
        colour_space_release(&space);
    }
}

static void srgb_is_no_profile(void **state) {
    Image *picture = load("icc-plain-monitor.png");
    ColourSpace *space;
    (void)state;
    REQUIRE(colour_space_of_picture(picture, &space));
    assert_null(space);
    /* as most programs write sRGB: a gamma of 45455 and its primaries */
    const unsigned char gama[] = {0, 0, 0xb1, 0x8f}, linear[] = {0, 1, 0x86, 0xa0};
    const unsigned char srgb[] = {1, 13, 0, 1}, pq[] = {9, 16, 0, 1}, video[] = {1, 13, 1, 0};
    picture->colours.has_gama = true;
    memcpy(picture->colours.gama, gama, sizeof gama);
    REQUIRE(colour_space_of_picture(picture, &space));
    assert_null(space);
    memcpy(picture->colours.gama, linear, sizeof linear);
    REQUIRE(colour_space_of_picture(picture, &space));
    assert_non_null(space);
    colour_space_release(&space);
    picture->colours.has_cicp = true;
    memcpy(picture->colours.cicp, srgb, sizeof srgb);
    REQUIRE(colour_space_of_picture(picture, &space));
    assert_null(space);
    memcpy(picture->colours.cicp, pq, sizeof pq);
    assert_int_equal(colour_space_of_picture(picture, &space), STATUS_INPUT);
    assert_null(space);
    assert_non_null(strstr(status_message(), "cICP"));
    memcpy(picture->colours.cicp, video, sizeof video);
    assert_int_equal(colour_space_of_picture(picture, &space), STATUS_INPUT);
    image_destroy(&picture);
}

static void profiles_that_are_unfit_say_so(void **state) {
    Image *picture = load("icc-gray.png"), *colours = load("icc-p3.png");
    ColourSpace *space;
    (void)state;
    REQUIRE(colour_space_of_picture(picture, &space));
    assert_true(space && space->gray);
    colour_space_release(&space);
    assert_int_equal(colour_space_of_monitor((Bytes){picture->profile, picture->profile_size}, &space), STATUS_INPUT);
    assert_null(space);
    free(colours->profile);
    colours->profile = picture->profile;
    colours->profile_size = picture->profile_size;
    picture->profile = NULL;
    assert_int_equal(colour_space_of_picture(colours, &space), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "other colours"));
    for (size_t i = 0; i < colours->profile_size; i++) { /* cut anywhere, it is refused or good for tables */
        ColourSpace *cut = NULL;
        DisplayTable *table;
        unsigned char *bytes = malloc(i + 1);
        memcpy(bytes, colours->profile, i);
        if (colour_space_of_monitor((Bytes){bytes, i}, &cut) == STATUS_OK &&
            display_table_make(NULL, cut, &table) == STATUS_OK)
            free(table);
        colour_space_release(&cut);
        free(bytes);
    }
    image_destroy(&picture);
    image_destroy(&colours);
}

static void equal_spaces_need_no_table(void **state) {
    ColourSpace *p3 = space_of("icc-p3.png"), *again = space_of("icc-p3.png"), *adobe = space_of("icc-adobe.png");
    ColourSpace *monitor, *second = colour_space_retain(p3);
    (void)state;
    REQUIRE(colour_space_of_file(GLINT_SOURCE_DIR "/tests/formats/icc-monitor.icc", &monitor));
    assert_true(colour_space_equal(p3, second) && colour_space_equal(p3, again) && colour_space_equal(NULL, NULL));
    assert_false(colour_space_equal(p3, NULL) || colour_space_equal(p3, adobe) || colour_space_equal(NULL, monitor));
    colour_space_release(&second);
    assert_null(second);
    assert_true(colour_space_equal(p3, again)); /* another owner's */
    colour_space_release(&p3);
    colour_space_release(&again);
    colour_space_release(&adobe);
    colour_space_release(&monitor);
}

/* Gray light of gamma 1.8 (461 / 256 in its file) is sRGB's gray; black stays black, white white. */
static void gray_stays_gray(void **state) {
    ColourSpace *gray = space_of("icc-gray.png");
    DisplayTable *table;
    (void)state;
    REQUIRE(display_table_make(gray, NULL, &table));
    for (int i = 0; i < DISPLAY_SIDE; i++)
        for (int c = 0; c < 3; c++)
            assert_true(fabs((double)table->grid[i][i][i][c] - pow((double)i / (DISPLAY_SIDE - 1), 461.0 / 256)) <
                        1e-4);
    free(table);
    colour_space_release(&gray);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p3_is_as_its_matrix_says),
        cmocka_unit_test(srgb_is_no_profile),
        cmocka_unit_test(profiles_that_are_unfit_say_so),
        cmocka_unit_test(equal_spaces_need_no_table),
        cmocka_unit_test(gray_stays_gray),
    };
    return icc_available() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
