/* test_canvas.c: the canvas's drawing, pixel by pixel, by OpenGL without a window (Mesa's surfaceless EGL). */
#include "render/canvas.h"
#include "render/capture.h"
#include "render/reduce.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "tests/check.h"

enum { SKIPPED = 77 };

/* False without an OpenGL 3.3 core context. */
static bool open_context(void) {
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return false;
    const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return false;
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    return context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static int create(void **state) {
    Canvas *canvas;
    if (canvas_create(&canvas) != STATUS_OK)
        return -1;
    *state = canvas;
    return 0;
}

static int destroy(void **state) {
    Canvas *canvas = *state;
    canvas_destroy(&canvas);
    return 0;
}

static Image *random_image(Shape shape, unsigned long seed) {
    Image *image;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, seed);
    return image;
}

static CanvasLook look_at(int width, int height, double scale) {
    return (CanvasLook){.width = width, .height = height, .scale = scale, .split = -1, .checker = 8, .gamma = 1};
}

static Image *draw(Canvas *canvas, CanvasLook look) {
    Capture capture;
    Image *drawn;
    REQUIRE(capture_begin(&capture, look.width, look.height));
    REQUIRE(canvas_draw(canvas, look));
    REQUIRE(capture_read(&capture, &drawn));
    capture_end(&capture);
    return drawn;
}

/* The farthest that a value of the drawn picture is from `want`, of the same size. */
static double worst(ImageView drawn, ImageView want) {
    double most = 0;
    for (size_t y = 0; y < drawn.shape.height; y++)
        for (size_t x = 0; x < drawn.shape.width; x++)
            for (int c = 0; c < 3; c++)
                most = fmax(most,
                            fabs(view_value(drawn, x, y, c) - view_value(want, x, y, want.shape.channels < 3 ? 0 : c)));
    return most;
}

/* A picture in a texture, as GPUs write it, and one that is averaged on the host: both are averages over areas. */
static void reduced_pictures_are_averages_of_areas(void **state) {
    const double scales[] = {0.5, 0.25, 1.0 / 3, 0.4, 1.0 / 64};
    const Shape shapes[] = {{128, 192, 3, PIXEL_U8}, {192, 128, 1, PIXEL_U16}};
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
            Image *picture = random_image(shapes[s], 3), *want, *drawn;
            const size_t width = reduced_length(shapes[s].width, scales[i]),
                         height = reduced_length(shapes[s].height, scales[i]);
            REQUIRE(image_create((Shape){width, height, shapes[s].channels, shapes[s].type}, &want));
            REQUIRE(reduce_part(picture->view, scales[i], 0, 0, want->view));
            for (size_t y = 0; y < height && s == 1; y++)
                for (size_t x = 0; x < width; x++)
                    view_set_value(want->view, x, y, 0, view_value(want->view, x, y, 0) / 257);
            const CanvasLook look = look_at((int)width, (int)height, scales[i]);
            REQUIRE(canvas_fill_whole(*state, CANVAS_RESULT, picture->view, (unsigned)(10 * s + i + 1)));
            drawn = draw(*state, look);
            assert_true(worst(drawn->view, want->view) <= 1);
            image_destroy(&drawn);
            REQUIRE(canvas_fill(*state, CANVAS_RESULT, picture->view, (unsigned)(10 * s + i + 101), look));
            drawn = draw(*state, look);
            assert_true(worst(drawn->view, want->view) <= 1);
            image_destroy(&drawn);
            image_destroy(&want);
            image_destroy(&picture);
        }
}

/* Stripes a pixel wide are an even gray at every reduced scale, not a coarser pattern; half of it is bright. */
static void fine_stripes_have_no_moire(void **state) {
    Image *picture;
    REQUIRE(image_create((Shape){1024, 64, 1, PIXEL_U8}, &picture));
    for (size_t x = 0; x < 1024; x++)
        for (size_t y = 0; y < 64; y++)
            view_set_value(picture->view, x, y, 0, x % 2 ? 255 : 0);
    REQUIRE(canvas_fill_whole(*state, CANVAS_RESULT, picture->view, 500));
    for (double scale = 1.0 / 64; scale < 0.04; scale *= 1.07) {
        Image *drawn = draw(*state, look_at((int)(1024 * scale), 1, scale));
        for (size_t x = 0; x < drawn->view.shape.width; x++)
            assert_true(fabs(view_value(drawn->view, x, 0, 0) - 127.5) < 6);
        image_destroy(&drawn);
    }
    image_destroy(&picture);
}

/* The colour of invisible pixels does not mix in. */
static void transparent_pixels_do_not_bleed(void **state) {
    const uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255};
    const ImageView picture = {{2, 2, 4, PIXEL_U8}, 8, (void *)(uintptr_t)pixels};
    REQUIRE(canvas_fill_whole(*state, CANVAS_RESULT, picture, 600));
    Image *drawn = draw(*state, look_at(1, 1, 0.5));
    /* red at half alpha over the board's lighter gray, 0.46 */
    assert_true(fabs(view_value(drawn->view, 0, 0, 0) - 0.5 * (255 + 0.46 * 255)) <= 1);
    assert_true(fabs(view_value(drawn->view, 0, 0, 1) - 0.5 * 0.46 * 255) <= 1);
    image_destroy(&drawn);
}

static void magnified_pixels_are_squares(void **state) {
    Image *picture = random_image((Shape){3, 2, 3, PIXEL_U8}, 9), *drawn;
    REQUIRE(canvas_fill_whole(*state, CANVAS_RESULT, picture->view, 700));
    drawn = draw(*state, look_at(3 * 128, 2 * 128, 128));
    for (size_t y = 0; y < 2 * 128; y++)
        for (size_t x = 0; x < 3 * 128; x++)
            for (int c = 0; c < 3; c++)
                assert_true(fabs(view_value(drawn->view, x, y, c) - view_value(picture->view, x / 128, y / 128, c)) <
                            0.5);
    image_destroy(&drawn);
    image_destroy(&picture);
}

/* Two texels of 0 and 200 are in the place of 16 by 8 pixels. From the middle of one to that of the other, steps are
 * even. */
static void small_versions_are_no_squares(void **state) {
    Image *small, *drawn;
    REQUIRE(image_create((Shape){2, 1, 1, PIXEL_U8}, &small));
    view_set_value(small->view, 1, 0, 0, 200);
    REQUIRE(canvas_fill_small(*state, CANVAS_RESULT, (Shape){16, 8, 1, PIXEL_U8}, small->view, 77));
    drawn = draw(*state, look_at(16, 8, 1));
    for (size_t x = 0; x < 16; x++)
        for (size_t y = 0; y < 8; y++) {
            const double share = fmin(fmax(((double)x + 0.5 - 4) / 8, 0), 1);
            assert_true(fabs(view_value(drawn->view, x, y, 0) - 200 * share) <= 1);
        }
    image_destroy(&drawn);
    image_destroy(&small);
}

/* The middles of the squares that a difference is magnified to, in a window that begins at pixel `first`. */
static void check_difference(Canvas *canvas, const Image *result, const Image *source, double gain, size_t first) {
    enum { SIDE = 5, SEEN = 6 };
    CanvasLook look = look_at(SEEN * SIDE, SEEN * SIDE, SIDE + 0.25);
    look.show = CANVAS_SHOW_DIFFERENCE;
    look.exposure = log2(gain);
    look.x = look.y = -(double)first * look.scale;
    Image *drawn = draw(canvas, look);
    for (size_t y = 0; y + 1 < SEEN; y++)
        for (size_t x = 0; x + 1 < SEEN; x++)
            for (int c = 0; c < 3; c++) {
                const double want = gain * fabs(view_value(result->view, first + x, first + y, c) -
                                                view_value(source->view, first + x, first + y, c));
                const size_t left = (size_t)((double)x * look.scale), top = (size_t)((double)y * look.scale);
                assert_true(fabs(view_value(drawn->view, left + SIDE / 2, top + SIDE / 2, c) - fmin(want, 255)) <= 1);
            }
    image_destroy(&drawn);
}

/* A texture that was developed for a draw serves the next one only if both pictures, the look and the part are the
 * same. */
static void magnified_differences_follow_what_changes(void **state) {
    const Shape shape = {9, 9, 3, PIXEL_U8};
    Image *pictures[3];
    for (size_t i = 0; i < 3; i++)
        pictures[i] = random_image(shape, 20 + i);
    REQUIRE(canvas_fill_whole(*state, CANVAS_RESULT, pictures[0]->view, 800));
    REQUIRE(canvas_fill_whole(*state, CANVAS_SOURCE, pictures[1]->view, 801));
    for (int again = 0; again < 2; again++)
        check_difference(*state, pictures[0], pictures[1], 1, 0);
    check_difference(*state, pictures[0], pictures[1], 2, 0);
    check_difference(*state, pictures[0], pictures[1], 2, 3);
    REQUIRE(canvas_fill_whole(*state, CANVAS_SOURCE, pictures[2]->view, 802));
    check_difference(*state, pictures[0], pictures[2], 2, 3);
    REQUIRE(canvas_fill_whole(*state, CANVAS_RESULT, pictures[1]->view, 803));
    check_difference(*state, pictures[1], pictures[2], 2, 3);
    for (size_t i = 0; i < 3; i++)
        image_destroy(&pictures[i]);
}

/* Red grows by the column and green by the row, so that averages and mixtures show their middle's place. */
static double ramp(double place, double length) {
    return 10 + 235 * place / (length - 1);
}

/* Draws the source alone, in its place: a ramp's value to within `allowed`, or the ground beyond. Pixels nearer than
 * `hair` to its ends are passed over. Counts both kinds in `seen`. */
static void check_placed(Canvas *canvas, Shape source, CanvasLook look, double allowed, size_t seen[2]) {
    const int ground = 118;
    const double hair = 1 + 1 / look.scale;
    look.ground = ground / 255.0;
    Image *drawn = draw(canvas, look);
    for (size_t wy = 0; wy < drawn->view.shape.height; wy++)
        for (size_t wx = 0; wx < drawn->view.shape.width; wx++) {
            double u, v;
            homography_apply(&look.map, ((double)wx + 0.5 - look.x) / look.scale - 0.5,
                             ((double)wy + 0.5 - look.y) / look.scale - 0.5, &u, &v);
            const double away =
                fmax(fmax(-u, u - (double)(source.width - 1)), fmax(-v, v - (double)(source.height - 1)));
            const double got[2] = {view_value(drawn->view, wx, wy, 0), view_value(drawn->view, wx, wy, 1)};
            if (away < -hair) {
                seen[0]++;
                assert_true(fabs(got[0] - ramp(u, (double)source.width)) <= allowed);
                assert_true(fabs(got[1] - ramp(v, (double)source.height)) <= allowed);
            } else if (away > hair) {
                seen[1]++;
                assert_int_equal(lround(got[0]), ground);
                assert_int_equal(lround(got[1]), ground);
            }
        }
    image_destroy(&drawn);
}

/* Turned, seen in perspective, larger and smaller than the window's pixels, with and without alpha, whole and in part.
 */
static void a_source_lies_where_its_map_says(void **state) {
    static const Homography maps[] = {
        {{0.8, -0.6, 30, 0.6, 0.8, -20, 0, 0, 1}},         /* 3, 4, 5: turned by 37 degrees */
        {{0, 1, 3, -1, 0, 150, 0, 0, 1}},                  /* a quarter */
        {{2, 0, -40, 0, 2, -30, 0, 0, 1}},                 /* half as large */
        {{1, 0.1, -15, 0.05, 1.2, -20, 0.001, 0.0005, 1}}, /* a plane that leans */
        {{-1, 0, 190, 0, 1, -14, 0, 0, 1}},                /* a mirror */
    };
    static const double scales[] = {0.4, 0.75, 1, 3};
    for (int channels = 3; channels <= 4; channels++) {
        const Shape shape = {200, 160, channels, PIXEL_U8};
        Image *picture;
        REQUIRE(image_create(shape, &picture));
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++) {
                view_set_value(picture->view, x, y, 0, ramp((double)x, (double)shape.width));
                view_set_value(picture->view, x, y, 1, ramp((double)y, (double)shape.height));
                if (channels == 4)
                    view_set_value(picture->view, x, y, 3, 255);
            }
        for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
            size_t seen[2] = {0, 0};
            for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
                CanvasLook look = look_at(320, 240, scales[k]);
                look.show = CANVAS_SHOW_SOURCE;
                look.placed = true;
                look.map = maps[i];
                look.x = scales[k] > 1 ? -100 : 40;
                look.y = scales[k] > 1 ? -90 : 30;
                look.source_width = shape.width;
                look.source_height = shape.height;
                REQUIRE(canvas_fill(*state, CANVAS_SOURCE, picture->view, 900, look));
                check_placed(*state, shape, look, 2 + (scales[k] > 1 ? 3 : 0),
                             seen); /* squares of one colour are larger */
            }
            assert_true(seen[0] > 10000 && seen[1] > 10000);
        }
        canvas_clear(*state, CANVAS_SOURCE);
        image_destroy(&picture);
    }
}

int main(void) {
    if (!open_context()) {
        fputs("no OpenGL 3.3 without a window here\n", stderr);
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reduced_pictures_are_averages_of_areas, create, destroy),
        cmocka_unit_test_setup_teardown(fine_stripes_have_no_moire, create, destroy),
        cmocka_unit_test_setup_teardown(transparent_pixels_do_not_bleed, create, destroy),
        cmocka_unit_test_setup_teardown(magnified_pixels_are_squares, create, destroy),
        cmocka_unit_test_setup_teardown(small_versions_are_no_squares, create, destroy),
        cmocka_unit_test_setup_teardown(magnified_differences_follow_what_changes, create, destroy),
        cmocka_unit_test_setup_teardown(a_source_lies_where_its_map_says, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
