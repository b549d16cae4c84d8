/* test_tev_drawing.c: areas of shapes by hand, whole and as drawing commands; commands that no program would send. */
#include "app/tev/drawing.h"

#include <math.h>
#include <string.h>

#include "tests/unit/tev_fixture.h"

#define PI 3.14159265358979323846

enum { WIDTH = 64, HEIGHT = 48 };

/* ---- areas ---- */

/* The sum of what is covered, in pixels; *boxes go where they say, and nowhere twice. */
static double covered(const FillBox *boxes, size_t count, double pixels[HEIGHT][WIDTH]) {
    double sum = 0;
    memset(pixels, 0, sizeof(double[HEIGHT][WIDTH]));
    for (size_t i = 0; i < count; i++) {
        const FillBox *box = &boxes[i];
        assert_true(box->x >= 0 && box->y >= 0 && box->width > 0 && box->height > 0 && box->share > 0);
        assert_true(box->x + box->width <= WIDTH && box->y + box->height <= HEIGHT);
        for (int y = box->y; y < box->y + box->height; y++)
            for (int x = box->x; x < box->x + box->width; x++) {
                assert_true(pixels[y][x] <= 0);
                pixels[y][x] = box->share / 255.0;
                sum += pixels[y][x];
            }
    }
    return sum;
}

static double pixels[HEIGHT][WIDTH];

typedef struct Line {
    size_t count;
    FillPoint points[10];
    bool backwards;
} Line;

static double area_of(const Line *lines, size_t count, size_t *boxes) {
    Fill fill = {.width = WIDTH, .height = HEIGHT, .work_max = 100000};
    for (size_t i = 0; i < count; i++)
        REQUIRE(fill_add(&fill, lines[i].points, lines[i].count, lines[i].backwards));
    REQUIRE(fill_end(&fill));
    const double area = covered(fill.boxes, fill.box_count, pixels);
    *boxes = fill.box_count;
    fill_free(&fill);
    return area;
}

/* Shares are rounded to 1/255: of so many pixels on the edge. */
#define ROUNDING(edge_pixels) ((edge_pixels)*0.5 / 255)
/* Curves are up to a tenth of a pixel away from their lines, which are parabolas' chords: two thirds of it on average.
 */
#define CURVES(length) ((length)*0.1 * 2 / 3 + ROUNDING(4 * (length)))

static void near(double area, double want, double tolerance) {
    if (!(fabs(area - want) <= tolerance + 1e-5))
        fail_msg("%g pixels are covered, want %g", area, want);
}

static void areas_are_those_of_geometry(void **state) {
    const Line square = {4, {{2, 3}, {12, 3}, {12, 13}, {2, 13}}, false};
    const Line within = {4, {{4, 5}, {8, 5}, {8, 9}, {4, 9}}, false};
    const Line within_back = {4, {{4, 5}, {8, 5}, {8, 9}, {4, 9}}, true};
    const struct {
        size_t count;
        Line lines[2];
        double area, edge_pixels;
    } shapes[] = {
        {1, {square}, 100, 0},
        {1, {{4, {{2.25, 3}, {12.5, 3}, {12.5, 13}, {2.25, 13}}, false}}, 102.5, 20},
        {1, {{4, {{2, 3.5}, {12, 3.5}, {12, 13.25}, {2, 13.25}}, false}}, 97.5, 20},
        {1, {{3, {{0, 0}, {16, 0}, {0, 16}}, false}}, 128, 16},
        {1, {{6, {{0, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 30}, {0, 30}}, false}}, 400, 0}, /* an L */
        {1, {{4, {{8, 0}, {16, 16}, {8, 8}, {0, 16}}, false}}, 64, 64},                      /* an arrow: concave */
        {2, {square, within}, 100, 0},
        {2, {square, within_back}, 84, 0},
        {2, {square, {4, {{7, 8}, {17, 8}, {17, 18}, {7, 18}}, false}}, 175, 0}, /* a union */
        {1, {{4, {{0, 0}, {8, 8}, {8, 0}, {0, 8}}, false}}, 32, 16},             /* a bow tie: both halves */
        {1, {{4, {{-100, -100}, {1000, -100}, {1000, 1000}, {-100, 1000}}, false}}, WIDTH * HEIGHT, 0},
        {1, {{4, {{-1e30, 10}, {1e30, 10}, {1e30, 20}, {-1e30, 20}}, false}}, 10 * WIDTH, 0},
        {1, {{4, {{-20, 5}, {-10, 5}, {-10, 15}, {-20, 15}}, false}}, 0, 0},
        {1, {{4, {{70, 5}, {80, 5}, {80, 15}, {70, 15}}, false}}, 0, 0},
        {1, {{4, {{5, 50}, {8, 50}, {8, 60}, {5, 60}}, false}}, 0, 0},
        {1, {{2, {{5, 5}, {8, 9}}, false}}, 0, 0},
        {1, {{0}}, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        size_t boxes;
        near(area_of(shapes[i].lines, shapes[i].count, &boxes), shapes[i].area, ROUNDING(shapes[i].edge_pixels));
    }
}

/* A star of five points in one line winds twice around its middle, which the nonzero rule fills. */
static void a_star_is_whole(void **state) {
    Line star = {5, {{0, 0}}, false};
    size_t boxes;
    (void)state;
    for (int i = 0; i < 5; i++)
        star.points[i] = (FillPoint){24 + 20 * sin(4 * PI * i / 5), 24 - 20 * cos(4 * PI * i / 5)};
    /* Ten triangles between the centre, a tip at radius R and a notch at R sin(18) / sin(54), 36 degrees apart. */
    const double notch = 20 * sin(PI / 10) / sin(3 * PI / 10);
    /* The level lines, 29 pixels, lie up to half a step away. */
    near(area_of(&star, 1, &boxes), 10 * 0.5 * 20 * notch * sin(PI / 5), 29.0 / 2 / FILL_STEPS + ROUNDING(160));
    assert_true(pixels[24][24] >= 1 && pixels[6][24] > 0 && pixels[6][20] <= 0);
}

static void rows_that_are_the_same_are_one_box(void **state) {
    static const Line square = {4, {{2, 3}, {12, 3}, {12, 13}, {2, 13}}, false};
    static const Line frame[] = {{4, {{2, 3}, {42, 3}, {42, 33}, {2, 33}}, false},
                                 {4, {{4, 5}, {40, 5}, {40, 31}, {4, 31}}, true}};
    size_t boxes;
    (void)state;
    area_of(&square, 1, &boxes);
    assert_int_equal(boxes, 1);
    near(area_of(frame, 2, &boxes), 40 * 30 - 36 * 26, 0);
    assert_int_equal(boxes, 4);
}

static void steps_are_limited(void **state) {
    Fill fill = {.width = WIDTH, .height = HEIGHT, .work_max = 60};
    static const FillPoint triangle[] = {{0, 0}, {30, 0}, {0, 30}};
    (void)state;
    REQUIRE(fill_add(&fill, triangle, 3, false));
    assert_int_equal(fill_end(&fill), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "more than 60 steps"));
    assert_true(fill.box_count > 0);
    fill_free(&fill);
}

/* ---- commands ---- */

/* As they stand in a packet: the number of a verb in tev, its numbers, a text. */
typedef struct Written {
    TevVerb verb;
    float numbers[TEV_NUMBERS_MAX];
} Written;

static const struct {
    unsigned char code;
    size_t numbers;
} codes[TEV_VERBS] = {
    [TEV_SAVE] = {0, 0},          [TEV_RESTORE] = {1, 0},          [TEV_FILL_COLOUR] = {2, 4},
    [TEV_FILL] = {3, 0},          [TEV_STROKE_COLOUR] = {4, 4},    [TEV_STROKE] = {5, 0},
    [TEV_BEGIN_PATH] = {6, 0},    [TEV_CLOSE_PATH] = {7, 0},       [TEV_PATH_WINDING] = {8, 1},
    [TEV_MOVE_TO] = {10, 2},      [TEV_LINE_TO] = {11, 2},         [TEV_ARC_TO] = {12, 5},
    [TEV_ARC] = {13, 6},          [TEV_BEZIER_TO] = {14, 6},       [TEV_CIRCLE] = {15, 3},
    [TEV_ELLIPSE] = {16, 4},      [TEV_QUAD_TO] = {17, 4},         [TEV_RECT] = {18, 4},
    [TEV_ROUNDED_RECT] = {19, 5}, [TEV_ROUNDED_CORNERS] = {20, 8}, [TEV_STROKE_WIDTH] = {25, 2},
};

static Bytes write_all(const Written *commands, size_t count) {
    Bytes bytes = {0};
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(bytes_append(&bytes, &capacity, &codes[commands[i].verb].code, 1));
        assert_true(
            bytes_append(&bytes, &capacity, commands[i].numbers, codes[commands[i].verb].numbers * sizeof(float)));
    }
    return bytes;
}

static const DrawingPlace same = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, 1, WIDTH, HEIGHT};

static double drawn(const Written *commands, size_t count, const DrawingPlace *place) {
    Drawing drawing;
    REQUIRE(drawing_make(write_all(commands, count), place, &drawing));
    assert_true(drawing.count <= 1);
    const double area = covered(drawing.fill.boxes, drawing.fill.box_count, pixels);
    drawing_free(&drawing);
    return area;
}

#define DRAWN(place, ...)                                                                                              \
    drawn((const Written[]){__VA_ARGS__}, sizeof((const Written[]){__VA_ARGS__}) / sizeof(Written), place)

static void shapes_have_their_areas(void **state) {
    (void)state;
    near(DRAWN(&same, {TEV_RECT, {2, 3, 10, 8}}, {TEV_FILL, {0}}), 80, 0);
    near(DRAWN(&same, {TEV_RECT, {12, 11, -10, -8}}, {TEV_FILL, {0}}), 80, 0);
    near(DRAWN(&same, {TEV_CIRCLE, {24, 24, 15}}, {TEV_FILL, {0}}), PI * 15 * 15, CURVES(2 * PI * 15));
    near(DRAWN(&same, {TEV_ELLIPSE, {24, 24, 20, 10}}, {TEV_FILL, {0}}), PI * 20 * 10, CURVES(97));
    near(DRAWN(&same, {TEV_ROUNDED_RECT, {4, 4, 40, 30, 8}}, {TEV_FILL, {0}}), 40 * 30 - (4 - PI) * 64,
         CURVES(2 * PI * 8));
    near(DRAWN(&same, {TEV_ROUNDED_CORNERS, {4, 4, 40, 30, 0, 8, 0, 0}}, {TEV_FILL, {0}}), 40 * 30 - (1 - PI / 4) * 64,
         CURVES(PI * 4));
    assert_true(pixels[4][4] >= 1 && pixels[4][43] <= 0 && pixels[33][43] >= 1);
    /* A parabola's segment is two thirds of the box around it; as a cubic it is the same curve. */
    near(DRAWN(&same, {TEV_MOVE_TO, {0, 0}}, {TEV_QUAD_TO, {20, 40, 40, 0}}, {TEV_FILL, {0}}), 40 * 20 * 2 / 3.0,
         CURVES(60));
    near(DRAWN(&same, {TEV_MOVE_TO, {0, 0}}, {TEV_BEZIER_TO, {10, 20, 30, 20, 40, 0}}, {TEV_FILL, {0}}), 420,
         CURVES(60));
    /* A quarter of a pie, either way round; the other way it is the rest. */
    near(DRAWN(&same, {TEV_MOVE_TO, {24, 24}}, {TEV_ARC, {24, 24, 20, 0, 1.5707964F, 2}}, {TEV_FILL, {0}}), PI * 100,
         CURVES(PI * 10));
    assert_true(pixels[30][30] >= 1 && pixels[20][20] <= 0);
    near(DRAWN(&same, {TEV_MOVE_TO, {24, 24}}, {TEV_ARC, {24, 24, 20, 0, 1.5707964F, 1}}, {TEV_FILL, {0}}), PI * 300,
         CURVES(PI * 30));
    assert_true(pixels[30][30] <= 0 && pixels[20][20] >= 1);
    /* A corner that an arc of radius 10 rounds off. */
    near(DRAWN(&same, {TEV_MOVE_TO, {0, 0}}, {TEV_ARC_TO, {30, 0, 30, 30, 10}}, {TEV_LINE_TO, {30, 30}},
               {TEV_LINE_TO, {0, 30}}, {TEV_FILL, {0}}),
         900 - (1 - PI / 4) * 100, CURVES(PI * 5));
    assert_true(pixels[0][29] <= 0 && pixels[29][29] >= 1);
}

static void holes_are_parts_of_their_winding(void **state) {
    (void)state;
    near(DRAWN(&same, {TEV_RECT, {2, 2, 20, 20}}, {TEV_RECT, {6, 6, 10, 10}}, {TEV_FILL, {0}}), 400, 0);
    near(DRAWN(&same, {TEV_RECT, {2, 2, 20, 20}}, {TEV_RECT, {6, 6, 10, 10}}, {TEV_PATH_WINDING, {2}}, {TEV_FILL, {0}}),
         300, 0);
    /* Whichever way it was drawn. */
    near(DRAWN(&same, {TEV_RECT, {2, 2, 20, 20}}, {TEV_MOVE_TO, {6, 6}}, {TEV_LINE_TO, {6, 16}},
               {TEV_LINE_TO, {16, 16}}, {TEV_LINE_TO, {16, 6}}, {TEV_PATH_WINDING, {2}}, {TEV_FILL, {0}}),
         300, 0);
}

static void strokes_have_width_and_corners(void **state) {
    (void)state;
    /* Flat ends; no first width: tev's is 3. */
    near(DRAWN(&same, {TEV_MOVE_TO, {10, 10}}, {TEV_LINE_TO, {30, 10}}, {TEV_STROKE, {0}}), 60, ROUNDING(120));
    /* A rectangle's corners are whole: a frame around 20 x 10, 4 wide. */
    near(DRAWN(&same, {TEV_STROKE_WIDTH, {4, 0}}, {TEV_RECT, {10, 10, 20, 10}}, {TEV_STROKE, {0}}), 24 * 14 - 16 * 6,
         0);
    assert_true(pixels[8][8] >= 1 && pixels[21][31] >= 1 && pixels[13][13] <= 0);
    /* A right angle: two bars of 20 and a corner of 2 x 2. */
    near(DRAWN(&same, {TEV_STROKE_WIDTH, {4, 0}}, {TEV_MOVE_TO, {10, 30}}, {TEV_LINE_TO, {10, 10}},
               {TEV_LINE_TO, {30, 10}}, {TEV_STROKE, {0}}),
         2 * 20 * 4, 0);
    assert_true(pixels[8][8] >= 1);
    /* An angle of 8 degrees, whose miter would be 14 times the width, is cut. */
    (void)DRAWN(&same, {TEV_STROKE_WIDTH, {2, 0}}, {TEV_MOVE_TO, {10, 10}}, {TEV_LINE_TO, {40, 10}},
                {TEV_LINE_TO, {10, 14.2F}}, {TEV_STROKE, {0}});
    assert_true(pixels[10][38] > 0 && pixels[10][43] <= 0);
    /* One of 20 degrees, 5.8 times, is not. */
    (void)DRAWN(&same, {TEV_STROKE_WIDTH, {2, 0}}, {TEV_MOVE_TO, {10, 10}}, {TEV_LINE_TO, {40, 10}},
                {TEV_LINE_TO, {10, 20.9F}}, {TEV_STROKE, {0}});
    assert_true(pixels[9][43] > 0 && pixels[9][50] <= 0);
    /* Thin lines cover their share. */
    near(DRAWN(&same, {TEV_STROKE_WIDTH, {0.5F, 0}}, {TEV_MOVE_TO, {10, 10.5F}}, {TEV_LINE_TO, {30, 10.5F}},
               {TEV_STROKE, {0}}),
         10, ROUNDING(20));
}

static void places_move_and_scale(void **state) {
    const DrawingPlace twice = {{{2, 0, 5, 0, 2, 7, 0, 0, 1}}, 2, WIDTH, HEIGHT};
    const DrawingPlace turned = {{{0, -1, 40, 1, 0, 2, 0, 0, 1}}, 1, WIDTH, HEIGHT};
    (void)state;
    near(DRAWN(&twice, {TEV_RECT, {1, 2, 3, 4}}, {TEV_FILL, {0}}), 6 * 8, 0);
    assert_true(pixels[11][7] >= 1 && pixels[18][12] >= 1);
    near(DRAWN(&twice, {TEV_STROKE_WIDTH, {2, 0}}, {TEV_MOVE_TO, {1, 4}}, {TEV_LINE_TO, {11, 4}}, {TEV_STROKE, {0}}),
         20 * 4, 0);
    near(DRAWN(&twice, {TEV_STROKE_WIDTH, {2, 1}}, {TEV_MOVE_TO, {1, 4}}, {TEV_LINE_TO, {11, 4}}, {TEV_STROKE, {0}}),
         20 * 2, 0);
    near(DRAWN(&turned, {TEV_RECT, {10, 2, 20, 5}}, {TEV_FILL, {0}}), 100, 0);
    assert_true(pixels[12][37] >= 1 && pixels[31][33] >= 1 && pixels[11][37] <= 0);
}

/* The path stays; colours and widths come back. */
static void save_keeps_colours(void **state) {
    static const Written commands[] = {
        {TEV_FILL_COLOUR, {1, 0, 0.5F, 1}},
        {TEV_SAVE, {0}},
        {TEV_FILL_COLOUR, {0, 2, -1, 0.25F}},
        {TEV_RECT, {1, 1, 5, 5}},
        {TEV_FILL, {0}},
        {TEV_RESTORE, {0}},
        {TEV_RESTORE, {0}},
        {TEV_FILL, {0}},
    };
    Drawing drawing;
    (void)state;
    REQUIRE(drawing_make(write_all(commands, sizeof commands / sizeof commands[0]), &same, &drawing));
    assert_int_equal(drawing.count, 2);
    assert_memory_equal(drawing.marks[0].colour, ((uint8_t[]){0, 255, 0, 64}), 4);
    assert_memory_equal(drawing.marks[1].colour, ((uint8_t[]){255, 0, 128, 255}), 4);
    assert_int_equal(drawing.marks[1].first, 1);
    assert_int_equal(drawing.marks[1].count, 1);
    drawing_free(&drawing);
}

/* The packet of tevclient has every command, and a text of size 12 behind its boxes. */
static void texts_are_marks(void **state) {
    const DrawingPlace twice = {{{2, 0, 0, 0, 2, 0, 0, 0, 1}}, 2, WIDTH, HEIGHT};
    Bytes bytes = load("draw"), commands = {0};
    size_t capacity = 0;
    TevPacket packet;
    Drawing drawing;
    (void)state;
    REQUIRE(tev_read(bytes, &packet));
    assert_true(bytes_append(&commands, &capacity, packet.commands.data, packet.commands.size));
    bytes_free(&bytes);
    REQUIRE(drawing_make(commands, &twice, &drawing));
    assert_int_equal(drawing.count, 3); /* fill, stroke, text */
    const DrawingMark *text = &drawing.marks[2];
    assert_string_equal(text->text, "größer");
    assert_true(fabs(text->size - 24) < 1e-6 && fabs(text->at.x - 8) < 1e-6 && fabs(text->at.y - 10) < 1e-6);
    assert_int_equal(text->align, 2 + 8);
    assert_memory_equal(text->colour, ((uint8_t[]){255, 128, 64, 191}), 4);
    drawing_free(&drawing);
}

static void numbers_that_are_none_draw_nothing(void **state) {
    (void)state;
    near(DRAWN(&same, {TEV_RECT, {NAN, 3, 10, 8}}, {TEV_CIRCLE, {4, 4, INFINITY}}, {TEV_FILL, {0}}), 0, 0);
    near(DRAWN(&same, {TEV_LINE_TO, {3, 10}}, {TEV_LINE_TO, {30, 10}}, {TEV_STROKE, {0}}), 0, 0);
    near(DRAWN(&same, {TEV_STROKE_WIDTH, {-4, 0}}, {TEV_RECT, {2, 3, 10, 8}}, {TEV_STROKE, {0}}), 0, 0);
    near(DRAWN(&same, {TEV_CIRCLE, {0, 0, 3e38F}}, {TEV_FILL, {0}}), WIDTH * HEIGHT, 0);
    near(DRAWN(&same, {TEV_STROKE_WIDTH, {3e38F, 0}}, {TEV_MOVE_TO, {0, 0}}, {TEV_LINE_TO, {3e38F, 3e38F}},
               {TEV_STROKE, {0}}),
         WIDTH * HEIGHT, 0);
    (void)DRAWN(&same, {TEV_MOVE_TO, {1, 1}}, {TEV_BEZIER_TO, {3e38F, -3e38F, -3e38F, 3e38F, 3e38F, 3e38F}},
                {TEV_ARC_TO, {3e38F, 1, 1, 3e38F, 1e-30F}}, {TEV_FILL, {0}});
}

/* A stroke takes one byte: more of them than the steps allow end the drawing. */
static void long_drawings_are_cut(void **state) {
    enum { STROKES = 1 << 20 };
    Bytes bytes = {.data = malloc(STROKES + 18), .size = STROKES + 18};
    Drawing drawing;
    (void)state;
    assert_non_null(bytes.data);
    memset(bytes.data, codes[TEV_STROKE].code, bytes.size);
    bytes.data[0] = codes[TEV_RECT].code;
    memcpy(bytes.data + 1, (float[]){1, 1, 40, 30}, 16);
    assert_int_equal(drawing_make(bytes, &same, &drawing), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "steps"));
    assert_true(drawing.count > 0 && drawing.fill.work <= 2 * (size_t)DRAWING_WORK);
    drawing_free(&drawing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_are_those_of_geometry),
        cmocka_unit_test(a_star_is_whole),
        cmocka_unit_test(rows_that_are_the_same_are_one_box),
        cmocka_unit_test(steps_are_limited),
        cmocka_unit_test(shapes_have_their_areas),
        cmocka_unit_test(holes_are_parts_of_their_winding),
        cmocka_unit_test(strokes_have_width_and_corners),
        cmocka_unit_test(places_move_and_scale),
        cmocka_unit_test(save_keeps_colours),
        cmocka_unit_test(texts_are_marks),
        cmocka_unit_test(numbers_that_are_none_draw_nothing),
        cmocka_unit_test(long_drawings_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
