/* test_y4m.c: frames of films against the definitions of BT.601 and BT.709, with chroma interpolated between its sites,
 * in doubles. Also headers, good and damaged. */
#include "core/codec/y4m.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

/* Columns and rows of luma for one sample of chroma, and whether it lies on a column of luma or between two. */
typedef struct Layout {
    const char *name;
    int across, down, bits;
    bool on_column;
} Layout;

static const Layout layouts[] = {
    {"420jpeg", 2, 2, 8, false}, {"420", 2, 2, 8, false},    {"420mpeg2", 2, 2, 8, true}, {"422", 2, 1, 8, true},
    {"444", 1, 1, 8, true},      {"420p10", 2, 2, 10, true}, {"422p12", 2, 1, 12, true},  {"444p16", 1, 1, 16, true},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0], WIDTH = 7, HEIGHT = 5 };

static Y4m film_of(const Layout *layout, const char *more) {
    char line[200];
    Y4m film;
    snprintf(line, sizeof line, "YUV4MPEG2 W%d H%d F30000:1001 Ip A1:1 C%s%s", WIDTH, HEIGHT, layout->name, more);
    REQUIRE(y4m_parse(line, &film));
    return film;
}

static int up(int value, int by) {
    return (value + by - 1) / by;
}

static double sample(const unsigned char *plane, const Layout *layout, int width, int x, int y) {
    const int i = y * width + x;
    return layout->bits == 8 ? plane[i] : plane[2 * i] | plane[2 * i + 1] << 8;
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

/* Chroma at a pixel: where that lies among the samples, and the value between them there. */
static double chroma_at(const unsigned char *plane, const Layout *layout, int x, int y) {
    const int width = up(WIDTH, layout->across), height = up(HEIGHT, layout->down);
    const double at_x = layout->on_column ? (double)x / layout->across : (x + 0.5) / layout->across - 0.5;
    const double at_y = (y + 0.5) / layout->down - 0.5;
    const double cx = clamp(at_x, 0, width - 1), cy = clamp(at_y, 0, height - 1);
    const int x0 = (int)cx, y0 = (int)cy, x1 = x0 + 1 < width ? x0 + 1 : x0, y1 = y0 + 1 < height ? y0 + 1 : y0;
    const double fx = cx - x0, fy = cy - y0;
    return (1 - fy) * ((1 - fx) * sample(plane, layout, width, x0, y0) + fx * sample(plane, layout, width, x1, y0)) +
           fy * ((1 - fx) * sample(plane, layout, width, x0, y1) + fx * sample(plane, layout, width, x1, y1));
}

/* ITU-R BT.601-7, 2.5 and BT.709-6, 3 and 4: E'R - E'Y = 1.402 (1.5748) E'Cr, E'B - E'Y = 1.772 (1.8556) E'Cb. */
static void colour(const Layout *layout, bool is_709, bool full, double y, double u, double v, double rgb[3]) {
    const double unit = pow(2, layout->bits - 8), top = 256 * unit - 1;
    const double luma = full ? y / top : (y / unit - 16) / 219;
    const double cb = full ? (u - 128 * unit) / top : (u / unit - 128) / 224;
    const double cr = full ? (v - 128 * unit) / top : (v / unit - 128) / 224;
    rgb[0] = luma + (is_709 ? 1.5748 : 1.402) * cr;
    rgb[2] = luma + (is_709 ? 1.8556 : 1.772) * cb;
    rgb[1] =
        is_709 ? (luma - 0.2126 * rgb[0] - 0.0722 * rgb[2]) / 0.7152 : (luma - 0.299 * rgb[0] - 0.114 * rgb[2]) / 0.587;
}

static void fill(unsigned char *frame, size_t bytes, const Layout *layout) {
    unsigned state = 12345;
    for (size_t i = 0; i < bytes; i++) {
        state = state * 1103515245 + 12345;
        frame[i] = (unsigned char)(state >> 16);
        if (layout->bits > 8 && layout->bits < 16 && i % 2)
            frame[i] = (unsigned char)(frame[i] % (1 << (layout->bits - 8)));
    }
}

static void check_decoded(const Layout *layout, const char *more, bool is_709, bool full) {
    unsigned char frame[4 * 3 * WIDTH * HEIGHT] = {0};
    Y4m film = film_of(layout, more);
    Image *image = NULL;
    film.matrix = is_709 ? YUV_709 : YUV_601;
    const size_t size = layout->bits > 8 ? 2 : 1,
                 planes = (size_t)up(WIDTH, layout->across) * (size_t)up(HEIGHT, layout->down);
    assert_int_equal(y4m_frame_bytes(&film), (WIDTH * HEIGHT + 2 * planes) * size);
    fill(frame, y4m_frame_bytes(&film), layout);
    REQUIRE(y4m_decode(&film, frame, &image));
    const double white = layout->bits > 8 ? 65535 : 255;
    const unsigned char *u = frame + WIDTH * HEIGHT * size, *v = u + planes * size;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double rgb[3];
            colour(layout, is_709, full, sample(frame, layout, WIDTH, x, y), chroma_at(u, layout, x, y),
                   chroma_at(v, layout, x, y), rgb);
            for (int c = 0; c < 3; c++)
                assert_true(fabs(view_value(image->view, (size_t)x, (size_t)y, c) - clamp(white * rgb[c], 0, white)) <=
                            0.5 + (layout->bits > 8 ? 0.1 : 1e-3));
        }
    image_destroy(&image);
}

static void frames_become_the_colours_of_the_standards(void **state) {
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        check_decoded(&layouts[i], "", false, false);
        check_decoded(&layouts[i], "", true, false);
        check_decoded(&layouts[i], " XCOLORRANGE=FULL", false, true);
        check_decoded(&layouts[i], " XCOLORRANGE=LIMITED", false, false);
    }
}

/* Colours of 100 %, as the standards list them for 8 bits. */
static void known_colours_become_known_samples(void **state) {
    (void)state;
    static const struct {
        unsigned char rgb[3], yuv_601[3], yuv_709[3];
    } colours[] = {
        {{255, 255, 255}, {235, 128, 128}, {235, 128, 128}}, {{0, 0, 0}, {16, 128, 128}, {16, 128, 128}},
        {{255, 0, 0}, {81, 90, 240}, {63, 102, 240}},        {{0, 255, 0}, {145, 54, 34}, {173, 42, 26}},
        {{0, 0, 255}, {41, 240, 110}, {32, 240, 118}},       {{255, 255, 0}, {210, 16, 146}, {219, 16, 138}},
    };
    for (size_t i = 0; i < LAYOUTS; i++)
        for (size_t k = 0; k < sizeof colours / sizeof *colours; k++)
            for (int is_709 = 0; is_709 < 2; is_709++) {
                unsigned char frame[4 * 3 * WIDTH * HEIGHT] = {0};
                Y4m film = film_of(&layouts[i], "");
                Image *image;
                if (layouts[i].bits > 8)
                    continue;
                film.matrix = is_709 ? YUV_709 : YUV_601;
                REQUIRE(image_create((Shape){WIDTH, HEIGHT, 3, PIXEL_U8}, &image));
                for (size_t p = 0; p < (size_t)WIDTH * HEIGHT; p++)
                    memcpy((char *)image->view.pixels + 3 * p, colours[k].rgb, 3);
                REQUIRE(y4m_encode(&film, image->view, frame));
                const unsigned char *want = is_709 ? colours[k].yuv_709 : colours[k].yuv_601;
                const size_t planes = (size_t)up(WIDTH, layouts[i].across) * (size_t)up(HEIGHT, layouts[i].down);
                for (size_t p = 0; p < y4m_frame_bytes(&film); p++)
                    assert_int_equal(frame[p], want[p < WIDTH * HEIGHT ? 0 : p < WIDTH * HEIGHT + planes ? 1 : 2]);
                image_destroy(&image);
            }
}

/* A step in colour, half of it on a sample: as a filter of its neighbours gives it. */
static void chroma_is_filtered_on_the_way_back(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned char want[2];
    } cases[] = {
        {"420jpeg", {240, 128}}, /* columns 0 and 1 are blue, 2 and 3 black */
        {"422", {240, 156}},     /* a quarter of column 1, half of 2, a quarter of 3: 128 + 112 / 4 */
    };
    for (size_t i = 0; i < 2; i++) {
        unsigned char frame[64], pixels[2][4][3] = {{{0, 0, 255}, {0, 0, 255}}, {{0, 0, 255}, {0, 0, 255}}};
        char line[80];
        Y4m film;
        snprintf(line, sizeof line, "YUV4MPEG2 W4 H2 C%s", cases[i].name);
        REQUIRE(y4m_parse(line, &film));
        REQUIRE(y4m_encode(&film, (ImageView){{4, 2, 3, PIXEL_U8}, 12, pixels}, frame));
        assert_memory_equal(frame + 8, cases[i].want, 2);
    }
}

static void gray_has_no_chroma(void **state) {
    (void)state;
    Y4m film;
    Image *image;
    unsigned char frame[3] = {16, 235, 126}, back[3];
    REQUIRE(y4m_parse("YUV4MPEG2 W3 H1 Cmono", &film));
    assert_int_equal(y4m_frame_bytes(&film), 3);
    REQUIRE(y4m_decode(&film, frame, &image));
    assert_int_equal(image->view.shape.channels, 1);
    assert_memory_equal(image->view.pixels, ((unsigned char[]){0, 255, 128}), 3);
    REQUIRE(y4m_encode(&film, image->view, back));
    assert_memory_equal(back, frame, 3);
    image->view.shape = (Shape){1, 1, 2, PIXEL_U8};
    assert_int_equal(y4m_encode(&film, image->view, back), STATUS_INPUT);
    image_destroy(&image);
}

static void headers_keep_what_they_say(void **state) {
    (void)state;
    char line[Y4M_LINE];
    Y4m film;
    REQUIRE(
        y4m_parse("YUV4MPEG2 W640 H480 F30000:1001 It A4:3 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=FULL Xmine", &film));
    assert_true(film.full);
    y4m_format(&film, line, sizeof line);
    assert_string_equal(line, "YUV4MPEG2 W640 H480 F30000:1001 It A4:3 XCOLORRANGE=FULL Xmine C420mpeg2\n");
    REQUIRE(y4m_parse("YUV4MPEG2 H1 W1", &film));
    assert_string_equal(film.chroma->name, "420jpeg");
    assert_false(film.full);
}

static void damaged_headers_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {"",
                                        "YUV4MPEG",
                                        "YUV4MPEG2",
                                        "YUV4MPEG2 W4",
                                        "YUV4MPEG2 H4",
                                        "YUV4MPEG2 W0 H4",
                                        "YUV4MPEG2 W-4 H4",
                                        "YUV4MPEG2 W4x H4",
                                        "YUV4MPEG2 W H4",
                                        "YUV4MPEG2 W99999999999999999999 H4",
                                        "YUV4MPEG2 W4 H4 C421",
                                        "YUV4MPEG2 W4 H4 C",
                                        "YUV4MPEG2 W1000000 H1000000",
                                        "YUV4MPEG2 W4 H4 C420paldv"};
    Y4m film;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(y4m_parse(lines[i], &film), STATUS_INPUT);
}

int main(void) {
    const struct CMUnitTest tests_here[] = {
        cmocka_unit_test(frames_become_the_colours_of_the_standards),
        cmocka_unit_test(known_colours_become_known_samples),
        cmocka_unit_test(chroma_is_filtered_on_the_way_back),
        cmocka_unit_test(gray_has_no_chroma),
        cmocka_unit_test(headers_keep_what_they_say),
        cmocka_unit_test(damaged_headers_are_refused),
    };
    return cmocka_run_group_tests(tests_here, NULL, NULL);
}
