/* test_uprights.c: upright lines of facades that a known map has tilted, and pictures without any. */
#include "core/chain/uprights.h"

#include "tests/check.h"

#include <math.h>

/* A wall with windows, seen from below: its upright at column X of the middle row, from the middle, has the slope
 * lean + tilt X. */
typedef struct Facade {
    size_t width, height;
    double tilt, lean;
    double across; /* from window to window */
} Facade;

static double wall(const Facade *facade, double x, double y) {
    const double down = y - (double)facade->height / 2, far = 1 + facade->tilt * down;
    const double column = (x - (double)facade->width / 2 - facade->lean * down) / far / facade->across;
    const double row = down / far / facade->across * 0.8;
    const bool window = column - floor(column) < 0.55 && row - floor(row) < 0.6;
    return window ? 40 : 190;
}

static Image *draw(const Facade *facade, int channels) {
    enum { EACH = 3 };
    Image *picture = NULL;
    REQUIRE(image_create((Shape){facade->width, facade->height, channels, PIXEL_U8}, &picture));
    for (size_t y = 0; y < facade->height; y++)
        for (size_t x = 0; x < facade->width; x++) {
            double sum = 0;
            for (int i = 0; i < EACH * EACH; i++)
                sum += wall(facade, (double)x + (i % EACH + 0.5) / EACH, (double)y + (i / EACH + 0.5) / EACH);
            for (int c = 0; c < channels; c++)
                view_set_value(picture->view, x, y, c, sum / (EACH * EACH));
        }
    return picture;
}

/* Both lines lean as the map says, to a pixel in 300. */
static void lines_are_those_of_the_map(void **state) {
    static const Facade facades[] = {{600, 400, 0.0006, 0, 61},      {600, 400, -0.0009, 0.02, 47},
                                     {900, 1200, 0.0003, -0.05, 83}, {240, 160, 0.0015, 0.03, 29},
                                     {600, 400, 0, 0, 53},           {1500, 700, 0.00025, 0.1, 140}};
    (void)state;
    for (size_t i = 0; i < sizeof facades / sizeof *facades; i++) {
        const Facade *facade = &facades[i];
        const double width = (double)facade->width, height = (double)facade->height;
        Image *picture = draw(facade, i % 2 ? 1 : 3);
        double lines[8];
        bool found = false;
        REQUIRE(uprights_find(picture->view, &found, lines));
        if (!found)
            fail_msg("facade %zu: no lines", i);
        for (int k = 0; k < 2; k++) {
            const double *line = lines + 4 * k;
            const double slope = (line[2] - line[0]) / 100 * width / height;
            const double middle = ((line[0] + line[2]) / 200 - 0.5) * width;
            const double want = facade->lean + facade->tilt * middle;
            if (!(fabs(slope - want) < 1.0 / 300))
                fail_msg("facade %zu, line %d: slope %g, want %g", i, k, slope, want);
            assert_true(line[1] < 1e-9 && fabs(line[3] - 100) < 1e-9);
        }
        assert_true(lines[0] + 20 < lines[4]);
        image_destroy(&picture);
    }
}

/* Noise, stripes across, and one edge alone show no far point. */
static void other_pictures_have_none(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Image *picture = NULL;
        double lines[8];
        bool found = true;
        REQUIRE(image_create((Shape){500, 333, 3, PIXEL_U8}, &picture));
        if (kind == 0)
            view_fill_random(picture->view, 5);
        for (size_t y = 0; y < 333 && kind > 0; y++)
            for (size_t x = 0; x < 500; x++)
                for (int c = 0; c < 3; c++)
                    view_set_value(picture->view, x, y, c,
                                   kind == 1              ? (double)(y % 20 * 12)
                                   : kind == 2 && x > 250 ? 200
                                                          : 90);
        REQUIRE(uprights_find(picture->view, &found, lines));
        if (found)
            fail_msg("picture %d has lines", kind);
        image_destroy(&picture);
    }
}

/* A picture of a pixel, one of NaN. */
static void odd_pictures_have_none(void **state) {
    (void)state;
    static const Shape shapes[] = {{1, 1, 1, PIXEL_U8}, {2, 500, 4, PIXEL_U16}, {500, 2, 3, PIXEL_F32}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Image *picture = NULL;
        double lines[8];
        bool found = true;
        REQUIRE(image_create(shapes[i], &picture));
        for (size_t x = 0; x < shapes[i].width && shapes[i].type == PIXEL_F32; x++)
            view_set_value(picture->view, x, 0, 0, NAN);
        REQUIRE(uprights_find(picture->view, &found, lines));
        assert_false(found);
        image_destroy(&picture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_the_map),
        cmocka_unit_test(other_pictures_have_none),
        cmocka_unit_test(odd_pictures_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
