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
        cmocka_unit_test_setup_teardown(magnified_differences_follow_what_changes, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
