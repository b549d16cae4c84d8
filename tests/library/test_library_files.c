/* test_library_files.c: libglint's pictures and scenes: files, encoding, comparison, spheres. Expected values are
 * worked out by hand. */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* FLIP of black against white: they have no edges, so that the error is that of their colours. L* is 100 apart, green
 * and blue 203.30165 by HyAB: 0.95 + 0.05 (100^0.7 - 0.4 m) / (0.6 m), where m is 203.30165^0.7. By numpy, in float64.
 */
#define BLACK_AND_WHITE 0.96737976

/* ---- files ---- */

static void test_files(void **state) {
    (void)state;
    const GlintShape shape = {7, 5, 3, GLINT_U16};
    uint16_t values[5][7][3];
    GlintImage *image, *again;
    GlintShape found;
    GlintPixels pixels;
    void *bytes;
    size_t size;
    scribble((unsigned char *)values, sizeof values, 7);
    const GlintPixels from = {.pixels = values};
    GOOD(glint_image(&shape, &from, &image, &error));
    assert_int_equal(glint_image_count(image), 1);
    GOOD(glint_encode(image, "png", NULL, &bytes, &size, &error));
    assert_memory_equal(bytes, "\x89PNG", 4);
    GOOD(glint_decode(bytes, size, &again, &error));
    GOOD(glint_image_pixels(again, 0, &found, &pixels, &error));
    assert_int_equal(found.width, 7);
    assert_int_equal(found.height, 5);
    assert_int_equal(found.channels, 3);
    assert_int_equal(found.type, GLINT_U16);
    for (int y = 0; y < 5; y++)
        assert_memory_equal((char *)pixels.pixels + y * pixels.row, values[y], sizeof values[y]);
    REFUSED(glint_image_pixels(again, 1, NULL, NULL, &error), GLINT_USAGE, "picture 1");
    glint_image_free(again);
    REFUSED(glint_decode(bytes, size / 2, &again, &error), GLINT_INPUT, "");
    assert_null(again);
    REFUSED(glint_decode("no picture at all", 17, &again, &error), GLINT_INPUT, "no known picture format");
    REFUSED(glint_decode(bytes, 0, &again, &error), GLINT_INPUT, "empty");
    glint_free(bytes);

    char folder[] = "library.XXXXXX", path[64], missing[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.png", folder);
    snprintf(missing, sizeof missing, "%s/none.png", folder);
    for (int twice = 0; twice < 2; twice++) { /* what was read may be replaced */
        GOOD(glint_write(image, path, NULL, &error));
        GOOD(glint_read(path, &again, &error));
        glint_image_free(again);
    }
    REFUSED(glint_read(missing, &again, &error), GLINT_INPUT, missing);
    REFUSED(glint_read(folder, &again, &error), GLINT_INPUT, "is a folder");
    REFUSED(glint_write(image, "picture.doc", NULL, &error), GLINT_USAGE, "picture.doc");
    REFUSED(glint_write(image, path, "quality=90", &error), GLINT_USAGE, "quality");
    REFUSED(glint_encode(image, "jpg", NULL, &bytes, &size, &error), GLINT_INPUT, "");
    assert_null(bytes);
    REFUSED(glint_encode(image, "floppy", NULL, &bytes, &size, &error), GLINT_USAGE, "floppy");
    glint_image_free(image);
    glint_image_free(NULL);
    unlink(path);
    rmdir(folder);
}

/* Quality makes a JPEG larger; an opaque alpha channel goes. */
static void test_encoding(void **state) {
    (void)state;
    static unsigned char values[64][64][4];
    const GlintShape shape = {64, 64, 4, GLINT_U8};
    const GlintPixels from = {.pixels = values};
    GlintImage *image, *jpeg;
    GlintShape found;
    void *bytes;
    size_t small_size, large_size;
    scribble(&values[0][0][0], sizeof values, 8);
    for (int i = 0; i < 64 * 64; i++)
        (&values[0][0][0])[4 * i + 3] = 255;
    GOOD(glint_image(&shape, &from, &image, &error));
    GOOD(glint_encode(image, "jpg", "quality=20", &bytes, &small_size, &error));
    glint_free(bytes);
    GOOD(glint_encode(image, "jpg", "quality=98,progressive", &bytes, &large_size, &error));
    assert_true(large_size > 2 * small_size);
    GOOD(glint_decode(bytes, large_size, &jpeg, &error));
    GOOD(glint_image_pixels(jpeg, 0, &found, NULL, &error));
    assert_int_equal(found.channels, 3);
    GOOD(glint_image_pixels(image, 0, &found, NULL, &error));
    assert_int_equal(found.channels, 4); /* the image itself stays */
    glint_free(bytes);
    REFUSED(glint_encode(image, "jpg", "quality=200", &bytes, &small_size, &error), GLINT_USAGE, "quality");
    REFUSED(glint_encode(image, "jpg", "quality", &bytes, &small_size, &error), GLINT_USAGE, "quality");
    REFUSED(glint_encode(image, "jpg", "progressive=1", &bytes, &small_size, &error), GLINT_USAGE, "progressive");
    glint_image_free(jpeg);
    glint_image_free(image);
}

/* Filtering twice finds the plan warm; both are 255 less the value. */
static void test_filter(void **state) {
    (void)state;
    unsigned char values[3][4] = {{0, 1, 2, 3}, {100, 101, 102, 103}, {252, 253, 254, 255}};
    const GlintShape shape = {4, 3, 1, GLINT_U8};
    const GlintPixels from = {.pixels = values};
    GlintDevice *device = open_cpu(1);
    GlintChain *chain;
    GlintImage *image, *result;
    GlintPixels pixels;
    GOOD(glint_image(&shape, &from, &image, &error));
    GOOD(glint_chain("invert", &chain, &error));
    for (int twice = 0; twice < 2; twice++) {
        GOOD(glint_filter(device, chain, NULL, image, &result, &error));
        GOOD(glint_image_pixels(result, 0, NULL, &pixels, &error));
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++)
                assert_int_equal(((unsigned char *)pixels.pixels)[y * pixels.row + x], 255 - values[y][x]);
        glint_image_free(result);
    }
    REFUSED(glint_filter(device, chain, NULL, NULL, &result, &error), GLINT_USAGE, "NULL");
    assert_null(result);
    glint_chain_free(chain);
    /* Filters that ask the picture, or its file, for more than values. */
    GlintPlan *plan;
    GOOD(glint_chain("perspective=auto", &chain, &error));
    REFUSED(glint_filter(device, chain, NULL, image, &result, &error), GLINT_INPUT, "no three upright lines");
    REFUSED(glint_plan(device, chain, &shape, NULL, &plan, &error), GLINT_USAGE, "glint_filter");
    glint_chain_free(chain);
    GOOD(glint_chain("lens", &chain, &error));
    REFUSED(glint_filter(device, chain, NULL, image, &result, &error), GLINT_INPUT, "camera");
    REFUSED(glint_plan(device, chain, &shape, NULL, &plan, &error), GLINT_INPUT, "camera");
    glint_chain_free(chain);
    glint_image_free(image);
    glint_close(device);
}

/* One value of 100 differs by 10: the mean square is 1, so that the PSNR is 20 log10(255). */
static void test_compare(void **state) {
    (void)state;
    unsigned char a[10][10], b[10][10];
    const GlintShape shape = {10, 10, 1, GLINT_U8};
    const GlintPixels left = {.pixels = a}, right = {.pixels = b};
    GlintComparison figures = GLINT_COMPARISON;
    GlintDevice *device = open_cpu(1);
    memset(a, 50, sizeof a);
    memset(b, 50, sizeof b);
    b[7][3] = 60;
    GOOD(glint_compare(device, &shape, &left, &right, &figures, &error));
    assert_true(fabs(figures.psnr - 20 * log10(255)) < 1e-9);
    assert_true(fabs(figures.mean - 0.1) < 1e-12);
    assert_true(fabs(figures.max - 10) < 1e-12);
    assert_int_equal(figures.differing, 1);
    assert_int_equal(figures.x, 3);
    assert_int_equal(figures.y, 7);
    GOOD(glint_compare(device, &shape, &left, &left, &figures, &error));
    assert_true(isinf(figures.psnr) && figures.psnr > 0);
    assert_true(fabs(figures.ssim - 1) < 1e-12);
    assert_int_equal(figures.differing, 0);
    assert_true(figures.flip <= 0);
    memset(a, 0, sizeof a);
    memset(b, 255, sizeof b);
    GOOD(glint_compare(device, &shape, &left, &right, &figures, &error));
    assert_true(fabs(figures.flip - BLACK_AND_WHITE) < 1e-5);
    figures.size = 1;
    REFUSED(glint_compare(device, &shape, &left, &right, &figures, &error), GLINT_USAGE, "size is 1");
    REFUSED(glint_compare(device, &shape, &left, NULL, &figures, &error), GLINT_USAGE, "b: NULL");
    glint_close(device);
}

/* ---- scenes ---- */

static int stop_at_once(void *context, double share) {
    *(double *)context = share;
    return 1;
}

/* A sphere in the middle faces the eye there: its colour as it is, 255 times 1, 0.5 and 0. The corners see nothing. */
static void test_spheres(void **state) {
    (void)state;
    enum { SIDE = 65 };
    static unsigned char picture[SIDE][SIDE][3];
    static const float middle[3] = {3, -2, 7}, colour[3] = {1, 0.5f, 0};
    const GlintPixels out = {.pixels = picture};
    GlintTraceOptions options = GLINT_TRACE_OPTIONS;
    GlintSpheres spheres = GLINT_SPHERES;
    GlintScene *scene;
    GlintDevice *device = open_cpu(2);
    double share = -1;
    spheres.count = 1;
    spheres.xyz = middle;
    spheres.colour = colour;
    options.width = options.height = SIDE;
    GOOD(glint_spheres(&spheres, &scene, &error));
    GOOD(glint_trace(device, scene, &options, &out, &error));
    assert_in_range(picture[SIDE / 2][SIDE / 2][0], 254, 255);
    assert_in_range(picture[SIDE / 2][SIDE / 2][1], 127, 128);
    assert_int_equal(picture[SIDE / 2][SIDE / 2][2], 0);
    assert_int_equal(picture[0][0][0] + picture[0][0][1] + picture[0][0][2], 0);

    options.look = "paths";
    options.samples = 4096;
    options.progress = stop_at_once;
    options.context = &share;
    REFUSED(glint_trace(device, scene, &options, &out, &error), GLINT_STOPPED, "stopped");
    assert_true(share > 0 && share < 1);
    options.progress = NULL;
    options.look = "classic";
    options.denoise = 1;
    REFUSED(glint_trace(device, scene, &options, &out, &error), GLINT_USAGE, "no noise");
    options.denoise = 0;
    options.look = "gloomy";
    REFUSED(glint_trace(device, scene, &options, &out, &error), GLINT_USAGE, "gloomy");
    options.look = NULL;
    options.camera = "pinhole";
    REFUSED(glint_trace(device, scene, &options, &out, &error), GLINT_USAGE, "pinhole");
    REFUSED(glint_trace(device, NULL, NULL, &out, &error), GLINT_USAGE, "NULL");
    glint_scene_free(scene);
    glint_close(device);
}

static void test_bad_spheres(void **state) {
    (void)state;
    float places[2][3] = {{0, 0, 0}, {1, 1, 1}}, radii[2] = {1, 1}, colours[2][3] = {{0}};
    uint32_t finish[2] = {0, 1};
    const char *materials[] = {"metal", "material=jelly"};
    GlintSpheres spheres = GLINT_SPHERES;
    GlintScene *scene;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "none");
    spheres.count = 2;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "xyz");
    spheres.xyz = &places[0][0];
    spheres.radius = radii;
    spheres.colour = &colours[0][0];
    places[1][2] = NAN;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "sphere 1: z");
    places[1][2] = 2e9f;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "sphere 1: z");
    places[1][2] = 1;
    radii[0] = 0;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "sphere 0: its radius");
    radii[0] = 1;
    colours[1][1] = 2;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "sphere 1: green");
    colours[1][1] = 1;
    spheres.material = finish;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "its material is 1");
    spheres.materials = materials;
    spheres.material_count = 2;
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "material 2, \"material=jelly\"");
    spheres.material_count = 1;
    spheres.changes = "moon=1";
    REFUSED(glint_spheres(&spheres, &scene, &error), GLINT_USAGE, "moon");
    spheres.changes = NULL;
    GOOD(glint_spheres(&spheres, &scene, &error));
    glint_scene_free(scene);
    REFUSED(glint_scene("cloud=count=none", &scene, &error), GLINT_USAGE, "");
    REFUSED(glint_scene("/nowhere.scene", &scene, &error), GLINT_INPUT, "/nowhere.scene");
    assert_null(scene);
    glint_scene_free(NULL);
}

/* Failures of all kinds print nothing, decoders included. */
static void test_silence(void **state) {
    (void)state;
    static const unsigned char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x04\x08\x02\0\0\0\x26\x93\x09\x29"
                                       "\0\0\0\x04IDATxxxx\0\0\0\0";
    static const unsigned char tiff[] = "II*\0\x08\0\0\0\x03\0\0\x01\x04\0\x01\0\0\0\x04\0\0\0rubbish all the way down";
    static const unsigned char jpeg[] = "\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xdb\0\x43rubbish";
    char name[] = "silence.XXXXXX";
    struct stat facts;
    GlintImage *image;
    GlintChain *chain;
    fflush(stdout);
    fflush(stderr);
    const int file = mkstemp(name), out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    const int statuses[] = {glint_decode(png, sizeof png, &image, NULL), glint_decode(tiff, sizeof tiff, &image, NULL),
                            glint_decode(jpeg, sizeof jpeg, &image, NULL), glint_chain("nonsense", &chain, NULL)};
    fflush(stdout);
    fflush(stderr);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    fstat(file, &facts);
    close(file);
    close(out);
    close(err);
    unlink(name);
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        assert_int_equal(statuses[i], i < 3 ? GLINT_INPUT : GLINT_USAGE);
    assert_int_equal(facts.st_size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),   cmocka_unit_test(test_encoding), cmocka_unit_test(test_filter),
        cmocka_unit_test(test_compare), cmocka_unit_test(test_spheres),  cmocka_unit_test(test_bad_spheres),
        cmocka_unit_test(test_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
