/* test_scene.c: scenes from the generator and from files, and the sphere arithmetic against values worked out by hand.
 */
#include "core/camera.h"
#include "core/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Scene *open_scene(const char *text) {
    Scene *scene = NULL;
    if (scene_open(text, &scene) != STATUS_OK)
        fail_msg("scene \"%s\": %s", text, status_message());
    return scene;
}

static void assert_message_has(const char *part) {
    if (!strstr(status_message(), part))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), part);
}

/* ---- the generator ---- */

/* The draws of PCG32 (seeds 1 and 7, stream 2) shifted to 24 bits, from an implementation in another language: red,
 * green, blue, x, y, z, radius. */
static const struct {
    const char *text;
    size_t index;
    double draws[7];
} drawn[] = {
    {"spheres", 0, {1007083, 6018898, 11683638, 7609487, 2256507, 9655851, 2900369}},
    {"spheres", 1, {9883025, 3862490, 2761345, 15513200, 11992769, 6172946, 11181463}},
    {"spheres=seed=1:count=3", 2, {7963372, 5994665, 4599206, 3351228, 8425851, 16552975, 2995150}},
    {"spheres=2:7", 1, {12406913, 3630770, 9313692, 205510, 14909635, 5259667, 16274590}},
};

static void generator_draws_the_course_scene(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        Scene *scene = open_scene(drawn[i].text);
        const Sphere *sphere = &scene->spheres[drawn[i].index];
        const double *draws = drawn[i].draws, one = 16777216;
        assert_true((double)sphere->red == draws[0] / one);
        assert_true((double)sphere->green == draws[1] / one);
        assert_true((double)sphere->blue == draws[2] / one);
        assert_true(fabs((double)sphere->x - (1000 * draws[3] / one - 500)) < 1e-4);
        assert_true(fabs((double)sphere->y - (1000 * draws[4] / one - 500)) < 1e-4);
        assert_true(fabs((double)sphere->z - (1000 * draws[5] / one - 500)) < 1e-4);
        assert_true(fabs((double)sphere->radius - (100 * draws[6] / one + 20)) < 1e-4);
        scene_destroy(&scene);
    }
}

static void generator_keeps_to_its_limits(void **state) {
    (void)state;
    Scene *scene = open_scene("spheres=count=5000:least=2:most=3");
    assert_int_equal(scene->count, 5000);
    for (size_t i = 0; i < scene->count; i++) {
        const Sphere *s = &scene->spheres[i];
        assert_true(s->radius >= 2 && s->radius < 3);
        assert_true(fabsf(s->x) <= 500 && fabsf(s->y) <= 500 && fabsf(s->z) <= 500);
        assert_true(s->red >= 0 && s->red < 1 && s->green >= 0 && s->green < 1 && s->blue >= 0 && s->blue < 1);
    }
    scene_destroy(&scene);
    assert_null(scene);
    scene = open_scene("spheres");
    assert_int_equal(scene->count, 20);
    scene_destroy(&scene);
}

static void generator_refuses_nonsense(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"spheres=count=0", "want 1 to"},      {"spheres=count=1.5", "whole number"},
        {"spheres=1e8", "want 1 to"},          {"spheres=color=3", "no parameter"},
        {"spheres=least=30:most=29", "least"}, {"balls=count=3", "there is spheres"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Scene *scene = (Scene *)&scene;
        assert_int_equal(scene_open(wrong[i][0], &scene), STATUS_USAGE);
        assert_null(scene);
        assert_message_has(wrong[i][1]);
    }
}

static void budget_limits_scenes(void **state) {
    (void)state;
    Scene *scene = NULL;
    setenv("GLINT_MEMORY", "1000", 1);
    assert_int_equal(scene_open("spheres=32", &scene), STATUS_INPUT); /* 32 * 32 bytes */
    assert_message_has("GLINT_MEMORY");
    scene = open_scene("spheres=31");
    unsetenv("GLINT_MEMORY");
    scene_destroy(&scene);
}

static void scenes_are_told_from_pictures(void **state) {
    (void)state;
    assert_true(scene_recognize("spheres"));
    assert_true(scene_recognize("spheres=count=3"));
    assert_true(scene_recognize("a/b.scene"));
    assert_true(scene_recognize("B.SCENE"));
    assert_false(scene_recognize("spheres.png"));
    assert_false(scene_recognize("scene"));
    assert_false(scene_recognize("spheresque=3"));
}

/* ---- files ---- */

static void file_is_read(void **state) {
    (void)state;
    Scene *scene = NULL;
    const char *text = "glint-scene 1  # two\r\n"
                       "\n"
                       "# all blanks are alike\n"
                       "\tsphere 1 -2.5  3e2 0.5 0 1 1/4# close by\r\n"
                       "sphere -1e9 0 0 0 1 1 1";
    assert_int_equal(scene_parse("t", text, &scene), STATUS_OK);
    assert_int_equal(scene->count, 2);
    const Sphere want = {1, -2.5f, 300, 0.5f, 0, 1, 0.25f, 0};
    assert_memory_equal(&scene->spheres[0], &want, sizeof want);
    assert_true(scene->spheres[1].x == -1e9f && scene->spheres[1].radius == 0);
    scene_destroy(&scene);
    assert_int_equal(scene_parse("t", "glint-scene 1", &scene), STATUS_OK);
    assert_int_equal(scene->count, 0);
    scene_destroy(&scene);
}

static void errors_point_at_line_and_column(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"", "t:1:1: the first line is not \"glint-scene 1\""},
        {"glint-scene 3\n", "t:1:1:"},
        {"glint-scene 12\n", "t:1:1:"},
        {"glint-scene 1 x\n", "t:1:15: \"x\", want the end of the line"},
        {"glint-scene 1\ncube 1 2 3", "t:2:1: \"cube\", want sphere"},
        {"glint-scene 1\nspheres 1 2 3 4 1 1 1", "t:2:1: \"spheres\", want sphere"},
        {"glint-scene 1\n#\n sphere 1 2 y 4 1 1 1", "t:3:13: \"y\", want z, a number from -1e9 to 1e9"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1", "t:2:19: the line ends, want blue"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1 # 1\n", "t:2:23: the line ends, want blue"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1 1 1", "t:2:22: \"1\", want the end of the line"},
        {"glint-scene 1\nsphere 1 2 3 -4 1 1 1", "t:2:14: \"-4\", want radius"},
        {"glint-scene 1\nsphere 1 2 3 1e-7 1 1 1", "t:2:14: \"1e-7\", want radius"},
        {"glint-scene 1\nsphere nan 2 3 4 1 1 1", "t:2:8: \"nan\", want x"},
        {"glint-scene 1\nsphere 1 inf 3 4 1 1 1", "t:2:10: \"inf\", want y"},
        {"glint-scene 1\nsphere 1 2 3 1e999 1 1 1", "t:2:14: \"1e999\", want radius"},
        {"glint-scene 1\nsphere 1 2 2e9 4 1 1 1", "t:2:12: \"2e9\", want z"},
        {"glint-scene 1\nsphere 1 2 3 4 1.01 1 1", "t:2:16: \"1.01\", want red, a number from 0 to 1"},
        {"glint-scene 1\nsphere 1 2 3 4 1 -0.1 1", "t:2:18: \"-0.1\", want green"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1 1x", "t:2:20: \"1x\", want blue"},
        {"glint-scene 1\nsphere 1,2,3,4,1,1,1", "t:2:8: \"1,2,3,4,1,1,1\", want x"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Scene *scene = (Scene *)&scene;
        if (scene_parse("t", wrong[i][0], &scene) != STATUS_INPUT)
            fail_msg("taken: %s", wrong[i][0]);
        assert_null(scene);
        assert_message_has(wrong[i][1]);
    }
}

static void format_reads_back_bit_for_bit(void **state) {
    (void)state;
    Scene *scene = open_scene("spheres=300:5"), *again = NULL;
    const size_t size = scene_format(scene, NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    assert_int_equal(scene_format(scene, text, size), size - 1);
    assert_int_equal(strlen(text), size - 1);
    assert_int_equal(scene_parse("t", text, &again), STATUS_OK);
    assert_int_equal(again->count, scene->count);
    assert_memory_equal(again->spheres, scene->spheres, scene->count * sizeof *scene->spheres);
    free(text);
    scene_destroy(&scene);
    scene_destroy(&again);
}

static void write_file(const char *path, const char *text, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void files_are_opened(void **state) {
    (void)state;
    char path[] = "/tmp/glint-test-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    Scene *scene = NULL;
    const char text[] = "glint-scene 1\nsphere 1 2 3 4 1 1 1\n";
    write_file(path, text, sizeof text - 1);
    assert_int_equal(scene_open(path, &scene), STATUS_OK);
    assert_int_equal(scene->count, 1);
    scene_destroy(&scene);
    write_file(path, text, sizeof text); /* with the zero byte */
    assert_int_equal(scene_open(path, &scene), STATUS_INPUT);
    assert_message_has("zero byte at 35");
    write_file(path, text, 20); /* cut off */
    assert_int_equal(scene_open(path, &scene), STATUS_INPUT);
    assert_message_has(":2:7: the line ends, want x");
    assert_message_has(path);
    unlink(path);
    assert_int_equal(scene_open("no/such.scene", &scene), STATUS_INPUT);
    assert_null(scene);
}

static void bundled_course_scene_is_the_generator(void **state) {
    (void)state;
    Scene *file = open_scene(GLINT_SOURCE_DIR "/assets/scenes/course.scene"), *made = open_scene("spheres");
    assert_int_equal(file->count, made->count);
    assert_memory_equal(file->spheres, made->spheres, made->count * sizeof *made->spheres);
    scene_destroy(&file);
    scene_destroy(&made);
}

/* ---- core/hd/sphere.h ---- */

static void camera_looks_at_the_middle(void **state) {
    (void)state;
    const Camera usual = camera_usual(), near = {.centre_x = 10, .centre_y = -20, .unit = 0.5f};
    assert_true(camera_x(usual, 512, 1024) == 0 && camera_y(usual, 512, 1024) == 0);
    assert_true(camera_x(usual, 0, 1024) == -512 && camera_y(usual, 0, 1024) == 512); /* y is up */
    assert_true(camera_x(usual, 0, 1) == 0 && camera_x(usual, 2, 3) == 1);
    assert_true(camera_x(near, 7, 10) == 11 && camera_y(near, 7, 10) == -21);
}

static void depth_is_geometry(void **state) {
    (void)state;
    const Sphere sphere = {1, 2, 10, 5, 1, 1, 1, 0}; /* 3-4-5 triangles */
    double facing = 0;
    assert_true(sphere_depth(&sphere, 1, 2, &facing) == 15 && facing == 1);
    assert_true(sphere_depth(&sphere, 4, 2, &facing) == 14 && fabs(facing - 0.8) < 1e-15);
    assert_true(sphere_depth(&sphere, 1, -2, &facing) == 13 && fabs(facing - 0.6) < 1e-15);
    assert_true(sphere_depth(&sphere, 6, 2, &facing) == -INFINITY); /* the outline itself is not hit */
    assert_true(sphere_depth(&sphere, 4, 6, &facing) == -INFINITY);
    const Sphere point = {1, 2, 10, 0, 1, 1, 1, 0};
    assert_true(sphere_depth(&point, 1, 2, &facing) == -INFINITY);
}

static uint32_t nearest_of(const Sphere *spheres, const uint32_t *order, uint32_t count, float x, float y) {
    Nearest nearest = nearest_none();
    for (uint32_t i = 0; i < count; i++)
        nearest_offer(&nearest, spheres, order[i], x, y);
    return nearest.index;
}

static void nearest_wins_in_any_order(void **state) {
    (void)state;
    const Sphere spheres[] = {
        {0, 0, 0, 5, 1, 0, 0, 0},          /* hidden in the middle by 1 */
        {0, 0, 3, 5, 0, 1, 0, 0},          /* equal to 2, and first */
        {0, 0, 3, 5, 0, 0, 1, 0},          /* */
        {4, 0, 3.9999998f, 4, 0, 0, 1, 0}, /* nearer than 1 by less than f32 can tell where both have the same height */
        {0, 0, 100, 0, 1, 1, 1, 0},        /* a point */
    };
    const uint32_t orders[][5] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}, {2, 1, 3, 0, 4}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        assert_int_equal(nearest_of(spheres, orders[i], 5, 0, 0), 1);
        assert_int_equal(nearest_of(spheres, orders[i], 5, -4.9f, 0), 1);
        assert_int_equal(nearest_of(spheres, orders[i], 5, -5, 0), SPHERE_NONE);
        assert_int_equal(nearest_of(spheres, orders[i], 5, 6, 0), 3);
    }
}

/* Pairs that meet the pixel within a few f32 roundings of each other, or of its outline: f64 must decide. */
static void f32_never_contradicts_f64(void **state) {
    (void)state;
    uint64_t seed = 12345;
    for (int i = 0; i < 200000; i++) {
        float u[6];
        for (int k = 0; k < 6; k++) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            u[k] = (float)(seed >> 40) * 0x1p-24f;
        }
        const float x = 40 * u[4] - 20, y = 40 * u[5] - 20;
        Sphere spheres[2] = {{100 * u[0] - 50, 100 * u[1] - 50, 900 * u[2], 60 * u[3] + 1, 1, 1, 1, 0}};
        double facing = 0;
        const double depth = sphere_depth(&spheres[0], x, y, &facing);
        const float ulps = (float)(i % 9 - 4) * 0x1p-23f;
        if (depth > -INFINITY) /* a second one as near, give or take some roundings */
            spheres[1] = (Sphere){x + 3, y - 4, (float)(depth - 12) * (1 + ulps), 13, 1, 1, 1, 0};
        else /* one whose outline passes through the pixel */
            spheres[1] = (Sphere){x + 30 * u[0], y + 40 * u[0], 0, 50 * u[0] * (1 + ulps), 1, 1, 1, 0};
        double other = 0;
        const double second = sphere_depth(&spheres[1], x, y, &other);
        const uint32_t want = second > depth ? 1 : depth > -INFINITY ? 0 : SPHERE_NONE;
        const uint32_t orders[2][2] = {{0, 1}, {1, 0}};
        assert_int_equal(nearest_of(spheres, orders[0], 2, x, y), want);
        assert_int_equal(nearest_of(spheres, orders[1], 2, x, y), want);
    }
}

static void shading_is_colour_times_facing(void **state) {
    (void)state;
    const Sphere sphere = {0, 0, 0, 5, 1, 0.5f, 0, 0};
    const uint32_t order[] = {0};
    Nearest nearest = nearest_none();
    unsigned char pixel[4] = {9, 9, 9, 9};
    shade_pixel(&sphere, &nearest, 4, pixel);
    assert_memory_equal(pixel, ((unsigned char[]){0, 0, 0, 255}), 4);
    nearest_offer(&nearest, &sphere, order[0], 3, 0); /* facing 0.8 */
    shade_pixel(&sphere, &nearest, 4, pixel);
    assert_memory_equal(pixel, ((unsigned char[]){204, 102, 0, 255}), 4);
    pixel[3] = 9;
    shade_pixel(&sphere, &nearest, 3, pixel);
    assert_int_equal(pixel[3], 9);
    assert_int_equal(shade_u8(2, 1), 255);
    assert_int_equal(shade_u8(-1, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_draws_the_course_scene),
        cmocka_unit_test(generator_keeps_to_its_limits),
        cmocka_unit_test(generator_refuses_nonsense),
        cmocka_unit_test(budget_limits_scenes),
        cmocka_unit_test(scenes_are_told_from_pictures),
        cmocka_unit_test(file_is_read),
        cmocka_unit_test(errors_point_at_line_and_column),
        cmocka_unit_test(format_reads_back_bit_for_bit),
        cmocka_unit_test(files_are_opened),
        cmocka_unit_test(bundled_course_scene_is_the_generator),
        cmocka_unit_test(camera_looks_at_the_middle),
        cmocka_unit_test(depth_is_geometry),
        cmocka_unit_test(nearest_wins_in_any_order),
        cmocka_unit_test(f32_never_contradicts_f64),
        cmocka_unit_test(shading_is_colour_times_facing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
