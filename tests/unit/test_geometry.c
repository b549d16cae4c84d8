/* test_geometry.c: where the pixels of a chain's result lie in the picture. Places are worked out by hand, and pictures
 * show their own coordinates. */
#include "app/backends.h"

#include <math.h>

#include "tests/check.h"

#include "tests/chains.h"

static const PlanOptions clamped = {.border = {BORDER_CLAMP, 0}};

static Device *open_cpu(void) {
    Device *device = NULL;
    const char *passed_over = NULL;
    REQUIRE(backend_open("cpu", 0, 2, &device, &passed_over));
    return device;
}

static bool near(double a, double b, double hair) {
    return fabs(a - b) <= hair;
}

static Geometry geometry_of(const char *text, Shape picture) {
    Chain *chain;
    Geometry geometry;
    REQUIRE(chain_parse(text, &chain));
    if (chain_geometry(chain, 0, chain->count, picture, clamped, &geometry) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    chain_destroy(&chain);
    return geometry;
}

typedef struct Row {
    const char *chain;
    size_t width, height; /* of the result */
    double x, y, u, v;    /* the result's pixel x y shows u v of the picture */
} Row;

static void assert_places(Shape picture, const Row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Row *want = &rows[i];
        const Geometry got = geometry_of(want->chain, picture);
        double u, v;
        homography_apply(&got.to_picture, want->x, want->y, &u, &v);
        if (got.origin != ORIGIN_EXACT || got.link != 0)
            fail_msg("%s has no map", want->chain);
        if (got.result.width != want->width || got.result.height != want->height)
            fail_msg("%s: %zu x %zu", want->chain, got.result.width, got.result.height);
        if (!near(u, want->u, 1e-9) || !near(v, want->v, 1e-9))
            fail_msg("%s: %g %g comes from %.12g %.12g, want %g %g", want->chain, want->x, want->y, u, v, want->u,
                     want->v);
    }
}

/* By hand: a result pixel of a resize lies at (x + 1/2) * scale - 1/2; numpy.rot90 and numpy.fliplr move whole ones. */
static void pixels_come_from_where_they_were(void **state) {
    static const Row rows[] = {
        {"", 100, 60, 3, 4, 3, 4},
        {"gaussian=2,invert,sharpen,sobel", 100, 60, 3, 4, 3, 4},
        {"crop=20:10:5:3", 20, 10, 0, 2, 5, 5},
        {"crop=20:10", 20, 10, 0, 0, 40, 25}, /* from the middle */
        {"pad=10", 120, 80, 10, 10, 0, 0},
        {"pad=0:left=3:bottom=2", 103, 62, 0, 61, -3, 61},
        {"flip", 100, 60, 0, 7, 99, 7},
        {"flip=vertical", 100, 60, 5, 0, 5, 59},
        {"rotate=90", 60, 100, 0, 0, 0, 59},
        {"rotate=90:keep", 100, 60, 20, 0, 20, 59}, /* columns 20 to 79 show it, from its row 20 on */
        {"rotate=270", 60, 100, 0, 0, 99, 0},
        {"rotate=180", 100, 60, 1, 2, 98, 57},
        {"resize=50:30", 50, 30, 0, 0, 0.5, 0.5}, /* the middle of four */
        {"resize=200:120", 200, 120, 0, 1, -0.25, 0.25},
        {"resize=20:60", 20, 60, 3, 7, 17, 7},
        {"resize=long=50", 50, 30, 0, 0, 0.5, 0.5},
        {"resize=long=400", 100, 60, 3, 7, 3, 7},                 /* smaller pictures stay */
        {"rotate=30:size=keep", 100, 60, 49.5, 29.5, 49.5, 29.5}, /* the middle stays */
        {"rotate=-30:size=keep", 100, 60, 49.5, 29.5, 49.5, 29.5},
        {"warp='1 0 10 0 1 5'", 100, 60, 10, 5, 0, 0},
        {"warp='1 0 0  0 1 0  0.01 0 1'", 100, 60, 50, 20, 100, 40}, /* 100 / (1 + 1), 40 / (1 + 1) */
        {"crop=40:20:10:6,rotate=90", 20, 40, 0, 0, 10, 25},
        {"crop=40:20:10:6,resize=20:10,flip", 20, 10, 19, 0, 10.5, 6.5},
        {"flip,gaussian=2,crop=40:20:10:6,pad=2", 44, 24, 2, 2, 89, 6},
        {"~flip,crop=40:20:10:6", 40, 20, 1, 1, 11, 7},
        {"flip=within=9x9+2+2", 100, 60, 1, 1, 1, 1},
    };
    (void)state;
    assert_places((Shape){100, 60, 3, PIXEL_U8}, rows, sizeof rows / sizeof rows[0]);
}

/* The picture has a b c over d e f; turned clockwise, it has d a over e b over f c. */
static void small_pictures_come_from_where_they_were(void **state) {
    static const Row rows[] = {
        {"rotate=90", 2, 3, 0, 0, 0, 1}, {"rotate=90", 2, 3, 1, 0, 0, 0},        {"rotate=90", 2, 3, 1, 2, 2, 0},
        {"flip", 3, 2, 1, 1, 1, 1}, /* the middle of an odd side */
        {"flip,flip", 3, 2, 2, 1, 2, 1}, {"resize=6:4", 6, 4, 5, 3, 2.25, 1.25}, {"resize=1:1", 1, 1, 0, 0, 1, 0.5},
    };
    (void)state;
    assert_places((Shape){3, 2, 4, PIXEL_U16}, rows, sizeof rows / sizeof rows[0]);
}

/* Shares of 7 x 5 pixels by hand: edges at 25 % and 75 % are columns 1.75 and 5.25, rows 1.25 and 3.75, rounded. */
static void crops_in_percent_fit_every_picture(void **state) {
    static const Row rows[] = {
        {"crop=50:50:25:25:percent", 3, 3, 0, 0, 2, 1},
        {"crop=50:50:in=percent", 4, 3, 0, 0, 1, 1}, /* 3.5 and 2.5 pixels, in the middle */
        {"crop=100:100:0:0:percent", 7, 5, 6, 4, 6, 4},
        {"crop=in=percent", 7, 5, 6, 4, 6, 4},
        {"crop=x=50:in=percent", 3, 5, 0, 0, 4, 0},         /* from 3.5 on */
        {"crop=0.1:0.1:99.9:50:percent", 1, 1, 0, 0, 6, 3}, /* never less than a pixel */
        {"crop=30:100:0:0:percent", 2, 5, 0, 0, 0, 0},      /* these three touch: 2.1, 4.9 */
        {"crop=40:100:30:0:percent", 3, 5, 0, 0, 2, 0},
        {"crop=30:100:70:0:percent", 2, 5, 0, 0, 5, 0},
    };
    (void)state;
    assert_places((Shape){7, 5, 3, PIXEL_U8}, rows, sizeof rows / sizeof rows[0]);
}

static void crops_have_a_ratio(void **state) {
    static const Row rows[] = {
        {"crop=ratio=3/2", 90, 60, 0, 0, 5, 0},
        {"crop=ratio=1", 60, 60, 0, 0, 20, 0},
        {"crop=ratio=16/9", 100, 56, 0, 0, 0, 2}, /* 56.25 rows */
        {"crop=ratio=2/3", 40, 60, 0, 0, 30, 0},
        {"crop=50:50:50:50:percent:1", 30, 30, 0, 0, 60, 30}, /* of 50 x 30 from (50, 30) */
        {"crop=20:50:0:0:ratio=4", 20, 5, 0, 0, 0, 22},       /* 45 rows less: 22 of them above */
        {"crop=ratio=1000", 100, 1, 0, 0, 0, 29},             /* a pixel is left */
        {"crop=ratio=1e-300", 1, 60, 0, 0, 49, 0},
    };
    (void)state;
    assert_places((Shape){100, 60, 3, PIXEL_U8}, rows, sizeof rows / sizeof rows[0]);
}

static void crops_beyond_the_picture_are_refused(void **state) {
    static const struct {
        const char *chain;
        Status status;
        const char *words;
    } rows[] = {
        {"crop=60:10:50:0:percent", STATUS_USAGE, "columns reach from 50 to 110 percent"},
        {"crop=0:10:100:0:percent", STATUS_USAGE, "no columns are left from 100 percent"},
        {"crop=10:101:in=percent", STATUS_USAGE, "rows reach from 0 to 101 percent"},
        {"crop=10:2.5", STATUS_USAGE, "want whole numbers"},
        {"crop=10:61", STATUS_INPUT, "no rows 0 to 60"},
        {"crop=20:10:90:0", STATUS_INPUT, "no columns 90 to 109"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Chain *chain;
        Geometry geometry;
        REQUIRE(chain_parse(rows[i].chain, &chain));
        assert_int_equal(chain_geometry(chain, 0, 1, (Shape){100, 60, 3, PIXEL_U8}, clamped, &geometry),
                         rows[i].status);
        if (!strstr(status_message(), rows[i].words))
            fail_msg("%s: %s", rows[i].chain, status_message());
        chain_destroy(&chain);
    }
}

/* In a picture turned by a, the largest rectangle of its proportions w : h, w >= h, is 1 / (cos a + w / h sin a) as
 * large. For 120 x 80 this is 0.80303 at 10 degrees, 0.61884 at 30. */
static void turned_pictures_are_cut_to_what_is_full(void **state) {
    static const Row rows[] = {
        {"rotate=10:inside", 96, 64, 47.5, 31.5, 59.5, 39.5},
        {"rotate=-10:inside", 96, 64, 47.5, 31.5, 59.5, 39.5},
        {"rotate=30:inside", 74, 49, 36.5, 24, 59.5, 39.5},
        {"rotate=190:inside", 96, 64, 47.5, 31.5, 59.5, 39.5},
        {"rotate=100:inside", 64, 96, 31.5, 47.5, 59.5, 39.5},
        {"rotate=-80:inside", 64, 96, 31.5, 47.5, 59.5, 39.5},
        {"rotate=0:inside", 120, 80, 3, 4, 3, 4},
        {"rotate=90:inside", 80, 120, 0, 0, 0, 79},
        {"rotate=180:inside", 120, 80, 0, 0, 119, 79},
    };
    (void)state;
    assert_places((Shape){120, 80, 3, PIXEL_U8}, rows, sizeof rows / sizeof rows[0]);
}

/* For 120 x 80 at 10 degrees, all sides limit it. It has (120 cos 10 - 80 sin 10) / cos 20 = 110.98 columns, and
 * (80 cos 10 - 120 sin 10) / cos 20 = 61.67 rows. At 30 degrees, two do: 80 / (2 sin 30) by 80 / (2 cos 30). */
static void straightened_pictures_are_the_largest_that_is_full(void **state) {
    static const Row rows[] = {
        {"straighten=10", 110, 61, 54.5, 30, 59.5, 39.5},
        {"straighten=-30", 80, 46, 39.5, 22.5, 59.5, 39.5},
        {"straighten=30:proportions", 74, 49, 36.5, 24, 59.5, 39.5},
        {"straighten=0", 120, 80, 3, 4, 3, 4},
        {"rotate=90,straighten=30", 46, 80, 22.5, 39.5, 59.5, 39.5},
    };
    (void)state;
    assert_places((Shape){120, 80, 3, PIXEL_U8}, rows, sizeof rows / sizeof rows[0]);
}

/* The corners lie in the picture, and those of a rectangle that is a pixel larger each way do not. */
static void nothing_larger_is_full(void **state) {
    static const Shape pictures[] = {{120, 80, 3, PIXEL_U8}, {61, 97, 3, PIXEL_U8}, {200, 40, 3, PIXEL_U8},
                                     {120, 80, 3, PIXEL_U8}, {61, 97, 3, PIXEL_U8}, {200, 40, 3, PIXEL_U8}};
    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (int angle = i < 3 ? -179 : -45; angle < (i < 3 ? 180 : 46); angle += 2) {
            char chain[32];
            snprintf(chain, sizeof chain, i < 3 ? "rotate=%d:inside" : "straighten=%d", angle);
            const Geometry got = geometry_of(chain, pictures[i]);
            const double width = (double)got.result.width, height = (double)got.result.height;
            bool larger = true;
            for (int k = 0; k < 4; k++) {
                const double x = k % 2 ? width - 0.5 : -0.5, y = k / 2 ? height - 0.5 : -0.5;
                double u, v;
                homography_apply(&got.to_picture, x, y, &u, &v);
                assert_true(fabs(u - ((double)pictures[i].width - 1) / 2) <= (double)pictures[i].width / 2 + 1e-6);
                assert_true(fabs(v - ((double)pictures[i].height - 1) / 2) <= (double)pictures[i].height / 2 + 1e-6);
                homography_apply(&got.to_picture, x + (k % 2 ? 1 : -1), y + (k / 2 ? 1 : -1), &u, &v);
                larger &= fabs(u - ((double)pictures[i].width - 1) / 2) <= (double)pictures[i].width / 2 &&
                          fabs(v - ((double)pictures[i].height - 1) / 2) <= (double)pictures[i].height / 2;
            }
            if (larger)
                fail_msg("%s of %zu x %zu is too small", chain, pictures[i].width, pictures[i].height);
        }
}

/* Filters without a homography are named by their place in the chain; the first of several counts. */
static void links_without_a_map_are_named(void **state) {
    static const struct {
        const char *chain;
        Origin origin;
        size_t link;
    } rows[] = {
        {"flip,distort=-0.2", ORIGIN_BENT, 2},
        {"~distort,flip", ORIGIN_EXACT, 0},
        {"distort,flip,distort", ORIGIN_BENT, 1},
        {"gaussian,bank,crop=9:9", ORIGIN_NONE, 2},
        {"distort,bank=orientations=3:step=2", ORIGIN_NONE, 1},
        {"bank=orientations=6:step=6", ORIGIN_NONE, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Geometry got = geometry_of(rows[i].chain, (Shape){96, 60, 3, PIXEL_U8});
        if (got.origin != rows[i].origin || got.link != rows[i].link)
            fail_msg("%s: origin %d, link %zu", rows[i].chain, got.origin, got.link);
    }
}

/* Without lenses' bend, places behind them are about right. */
static void a_lens_counts_as_if_it_bent_nothing(void **state) {
    double u, v;
    (void)state;
    const Geometry got = geometry_of("distort=-0.2,flip", (Shape){100, 60, 3, PIXEL_U8});
    homography_apply(&got.to_picture, 12, 34, &u, &v);
    assert_true(near(u, 87, 1e-9) && near(v, 34, 1e-9));
}

static void a_link_that_does_not_fit_is_named(void **state) {
    Chain *chain;
    Geometry geometry;
    (void)state;
    REQUIRE(chain_parse("rotate=90,invert,crop=80:20,flip", &chain));
    assert_int_equal(chain_geometry(chain, 0, 4, (Shape){100, 60, 3, PIXEL_U8}, clamped, &geometry), STATUS_INPUT);
    assert_int_equal(geometry.link, 3);
    assert_int_equal(geometry.result.width, 60);
    REQUIRE(chain_geometry(chain, 2, 1, (Shape){100, 60, 3, PIXEL_U8}, clamped, &geometry));
    assert_int_equal(geometry.result.width, 80);
    chain_destroy(&chain);
}

/* ---- against pixels ---- */

enum { MARGIN = 6 }; /* pixels at each edge that kernels may reach beyond */

static bool well_within(Shape picture, double x, double y) {
    return x >= MARGIN && y >= MARGIN && x <= (double)picture.width - 1 - MARGIN &&
           y <= (double)picture.height - 1 - MARGIN;
}

/* The place that a pixel comes from, link by link; false near an edge of any picture between. */
static bool follow(const Chain *chain, const Geometry *links, Shape picture, double x, double y, double *u, double *v) {
    *u = x;
    *v = y;
    for (size_t i = chain->count; i-- > 0;) {
        homography_apply(&links[i].to_picture, *u, *v, u, v);
        if (!well_within(i > 0 ? links[i - 1].result : picture, *u, *v))
            return false;
    }
    return true;
}

static size_t compare(const char *text, const Chain *chain, const Geometry *links, Shape picture, ImageView got) {
    const Geometry all = geometry_of(text, picture);
    size_t compared = 0;
    assert_int_equal(all.result.width, got.shape.width);
    assert_int_equal(all.result.height, got.shape.height);
    for (size_t y = MARGIN; y + MARGIN < got.shape.height; y++)
        for (size_t x = MARGIN; x + MARGIN < got.shape.width; x++) {
            double u, v, s, t;
            if (!follow(chain, links, picture, (double)x, (double)y, &u, &v))
                continue;
            homography_apply(&all.to_picture, (double)x, (double)y, &s, &t);
            assert_true(near(s, u, 1e-6) && near(t, v, 1e-6));
            if (!near(view_value(got, x, y, 0), u, 0.01) || !near(view_value(got, x, y, 1), v, 0.01))
                fail_msg("%s: %zu %zu shows %g %g, want %g %g", text, x, y, view_value(got, x, y, 0),
                         view_value(got, x, y, 1), u, v);
            compared++;
        }
    return compared;
}

/* Red is the column, green the row. */
static Image *coordinates(Shape shape) {
    Image *image = NULL;
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++) {
            view_set_value(image->view, x, y, 0, (double)x);
            view_set_value(image->view, x, y, 1, (double)y);
            view_set_value(image->view, x, y, 2, 0);
        }
    return image;
}

static void pixels_show_the_coordinates_of_their_places(void **state) {
    static const char *const chains[] = {
        "crop=60:40:20:7",
        "pad=9,flip",
        "rotate=90,crop=30:70:3:9",
        "rotate=270:keep",
        "rotate=10",
        "rotate=-33.5:keep:cubic",
        "resize=scale=0.5",
        "resize=240:130:by=linear",
        "resize=170:97:by=cubic", /* kernels that shrink by no whole number miss the middle by hundredths */
        "resize=60:40:by=box",
        "warp='0.9 0.1 3 -0.05 1.1 2 0.0007 0.0004 1':130:90",
        "crop=80:60:11:4,rotate=7.5,resize=scale=1.5:by=linear,flip=both",
        "crop=80:80:10:10:percent:3/2,rotate=12:inside",
        "flip=vertical,warp='1 0.2 0 0 1 0':120:80,gaussian=1,rotate=-20:keep,crop=70:50",
    };
    Device *device = open_cpu();
    Image *picture = coordinates((Shape){120, 80, 3, PIXEL_F32});
    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        Chain *chain;
        Geometry links[CHAIN_MAX];
        Image *got = filter_by(device, chains[i], picture, "best", clamped);
        REQUIRE(chain_parse(chains[i], &chain));
        for (size_t k = 0; k < chain->count; k++)
            REQUIRE(chain_geometry(chain, k, 1, k > 0 ? links[k - 1].result : picture->view.shape, clamped, &links[k]));
        if (compare(chains[i], chain, links, picture->view.shape, got->view) < 300)
            fail_msg("%s: too few pixels are away from edges", chains[i]);
        chain_destroy(&chain);
        image_destroy(&got);
    }
    image_destroy(&picture);
    device_close(&device);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_from_where_they_were),
        cmocka_unit_test(small_pictures_come_from_where_they_were),
        cmocka_unit_test(crops_in_percent_fit_every_picture),
        cmocka_unit_test(crops_have_a_ratio),
        cmocka_unit_test(crops_beyond_the_picture_are_refused),
        cmocka_unit_test(turned_pictures_are_cut_to_what_is_full),
        cmocka_unit_test(straightened_pictures_are_the_largest_that_is_full),
        cmocka_unit_test(nothing_larger_is_full),
        cmocka_unit_test(links_without_a_map_are_named),
        cmocka_unit_test(a_lens_counts_as_if_it_bent_nothing),
        cmocka_unit_test(a_link_that_does_not_fit_is_named),
        cmocka_unit_test(pixels_show_the_coordinates_of_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
