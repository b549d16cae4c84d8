/* test_scene.c: scenes of the generators, and the sphere arithmetic against values worked out by hand. */
#include "tests/unit/scene_fixture.h"

/* ---- the generator ---- */

/* The draws of PCG32 (seeds 1 and 7, stream 2) shifted to 24 bits, from an implementation in another language. They are
 * red, green, blue, x, y, z, radius. */
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
    Scene *scene = open_scene("spheres=count=5000:minimum=2:maximum=3");
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

static void former_names_are_accepted(void **state) {
    (void)state;
    Scene *now = open_scene("spheres=count=9:minimum=2:maximum=3"),
          *then = open_scene("spheres=count=9:least=2:most=3");
    assert_int_equal(now->count, then->count);
    assert_memory_equal(now->spheres, then->spheres, now->count * sizeof *now->spheres);
    scene_destroy(&now);
    scene_destroy(&then);
    Scene *none = NULL; /* and of spheres alone */
    assert_int_equal(scene_open("lattice=least=2", &none), STATUS_USAGE);
    assert_message_has("no parameter");
}

static void generator_refuses_nonsense(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"spheres=count=0", "want 1 to"},
        {"spheres=count=1.5", "whole number"},
        {"spheres=1e8", "want 1 to"},
        {"spheres=color=3", "no parameter"},
        {"spheres=minimum=30:maximum=29", "minimum"},
        {"balls=count=3", "there is spheres"},
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
    assert_true(scene_recognize("a.nff") && scene_recognize("A.Xyz") && scene_recognize("1abc.pdb"));
    assert_true(scene_recognize("sphereflake=2"));
    assert_false(scene_recognize("spheres.png"));
    assert_false(scene_recognize("scene"));
    assert_false(scene_recognize("spheresque=3"));
}

/* ---- the other generators ---- */

/* Children as Haines' balls lists them, turned so that y is up. */
static void sphereflake_is_haines_balls(void **state) {
    (void)state;
    const size_t counts[] = {1, 10, 91, 820, 7381};
    const double first[][3] = {{0.272166, 0.544331, -0.272166},
                               {0.643951, 0, -0.172546},
                               {0.172546, 0, -0.643951},
                               {-0.371785, 0.544331, -0.0996195}};
    for (int depth = 0; depth < 5; depth++) {
        char text[32];
        snprintf(text, sizeof text, "sphereflake=%d", depth);
        Scene *scene = open_scene(text);
        assert_int_equal(scene->count, counts[depth]);
        scene_destroy(&scene);
    }
    Scene *scene = open_scene("sphereflake=1");
    assert_true(scene->spheres[0].radius == 0.5f && scene->spheres[0].x == 0);
    for (size_t i = 0; i < 9; i++) {
        const Sphere *s = &scene->spheres[1 + i];
        assert_true(fabs((double)s->radius - 1 / 6.0) < 1e-7);
        assert_true(fabs(sqrt((double)(s->x * s->x + s->y * s->y + s->z * s->z)) - 2 / 3.0) < 1e-6);
        if (i < 4) {
            assert_true(fabs((double)s->x - first[i][0]) < 1e-6);
            assert_true(fabs((double)s->y - first[i][1]) < 1e-6);
            assert_true(fabs((double)s->z - first[i][2]) < 1e-6);
        }
    }
    assert_int_equal(scene->light_count, 3);
    assert_true(scene->has_ground && scene->has_viewpoint && scene->ground.height == -0.5f);
    assert_int_equal(scene->materials[scene->spheres[3].material].kind, MATERIAL_METAL);
    scene_destroy(&scene);
    assert_int_equal(scene_open("sphereflake=8", &scene), STATUS_USAGE);
}

/* A child touches its parent, and its own children sit on its far side: none of them below its equator. */
static void sphereflake_children_look_away(void **state) {
    (void)state;
    Scene *scene = open_scene("sphereflake=2");
    const Sphere *root = &scene->spheres[0];
    for (size_t c = 0; c < 9; c++) {
        const Sphere *child = &scene->spheres[1 + 10 * c];
        const Vec axis = vec_unit(vec_minus(sphere_centre(child), sphere_centre(root)));
        int level = 0;
        for (size_t g = 1; g < 10; g++) {
            const Vec way = vec_unit(vec_minus(sphere_centre(&child[g]), sphere_centre(child)));
            const float up = vec_dot(way, axis);
            assert_true(fabsf(up) < 1e-5f || fabsf(up - sqrtf(2.0f / 3)) < 1e-5f);
            level += fabsf(up) < 1e-5f;
        }
        assert_int_equal(level, 6);
    }
    scene_destroy(&scene);
}

static void packed_spheres_rest_side_by_side(void **state) {
    (void)state;
    const char *const scenes[] = {"packed", "packed=1", "packed=2", "packed=1500:4294967295"};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        Scene *scene = open_scene(scenes[k]);
        for (size_t i = 0; i < scene->count; i++) {
            const Sphere *a = &scene->spheres[i];
            assert_true(a->radius > 0 && a->y == a->radius && a->material < scene->material_count);
            for (size_t j = 0; j < i; j++) {
                const Sphere *b = &scene->spheres[j];
                const double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y,
                             z = (double)a->z - (double)b->z;
                assert_true(sqrt(x * x + y * y + z * z) >= (double)a->radius + (double)b->radius);
            }
        }
        assert_true(scene->has_ground && scene->has_viewpoint && scene->sky.kind == SKY_GRADIENT);
        assert_int_equal(scene->lights[0].kind, LIGHT_SUN);
        scene_destroy(&scene);
    }
    Scene *one = open_scene("packed=100:5"), *two = open_scene("packed=100:5"), *other = open_scene("packed=100:6");
    assert_memory_equal(one->spheres, two->spheres, one->count * sizeof *one->spheres);
    assert_memory_not_equal(one->spheres, other->spheres, one->count * sizeof *one->spheres);
    bool kinds[MATERIAL_KINDS] = {false};
    for (size_t i = 0; i < one->count; i++)
        kinds[one->materials[one->spheres[i].material].kind] = true;
    assert_true(kinds[MATERIAL_DIFFUSE] && kinds[MATERIAL_METAL] && kinds[MATERIAL_GLASS]);
    scene_destroy(&one);
    scene_destroy(&two);
    scene_destroy(&other);
}

static void lattice_is_even(void **state) {
    (void)state;
    Scene *scene = open_scene("lattice=n=4:radius=0.5");
    assert_int_equal(scene->count, 64);
    assert_true(scene->spheres[0].x == -375 && scene->spheres[0].z == -375 && scene->spheres[0].radius == 125);
    assert_true(scene->spheres[1].x == -125 && scene->spheres[4].y == -125 && scene->spheres[16].z == -125);
    assert_true(scene->spheres[63].z == 375);
    scene_destroy(&scene);
    assert_int_equal(scene_open("lattice=0", &scene), STATUS_USAGE);
    setenv("GLINT_MEMORY", "1M", 1);
    assert_int_equal(scene_open("lattice=1000", &scene), STATUS_INPUT);
    unsetenv("GLINT_MEMORY");
}

/* ---- faults that no scene may have ---- */

/* Far beyond the limits, and just beyond them: refused by all that reads a radius, with a sentence that has both. */
static void radii_beyond_the_limits_are_refused(void **state) {
    (void)state;
    const char *const radii[] = {"1e-20", "1e20", "9.9e-7", "1.001e9", "1e-50", "1e50", "-1"};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        char text[80], want[80];
        snprintf(want, sizeof want, "\"%s\", want radius, a number from 0 or 1e-6 to 1e9", radii[i]);
        snprintf(text, sizeof text, "glint-scene 1\nsphere 1 2 3 %s 1 1 1\n", radii[i]);
        assert_refused("scene", text, want);
        snprintf(text, sizeof text, "glint-scene 2\nsphere 1 2 3 %s 1 1 1 0\n", radii[i]);
        assert_refused("scene", text, want);
        snprintf(text, sizeof text, "f 1 1 1 1 0 1 0 0\ns 1 2 3 %s\n", radii[i]);
        assert_refused("nff", text, want);
    }
    const char *const wrong[][2] = {
        {"spheres=minimum=1e-20", "spheres: minimum is 1e-20, want 0.01 to 1000 world units"},
        {"spheres=maximum=1e20", "spheres: maximum is 1e20, want 0.01 to 1000 world units"},
        {"lattice=3:1e-20", "lattice: radius is 1e-20, want 0.01 to 1 spacings"},
        {"lattice=radius=1e20", "lattice: radius is 1e20, want 0.01 to 1 spacings"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Scene *scene = (Scene *)&scene;
        assert_int_equal(scene_open(wrong[i][0], &scene), STATUS_USAGE);
        assert_null(scene);
        assert_string_equal(status_message(), wrong[i][1]);
    }
}

/* A radius on the limits is taken as it is. */
static void radii_on_the_limits_are_read(void **state) {
    (void)state;
    const char *const formats[][2] = {
        {"scene", "glint-scene 1\nsphere 0 0 0 1e-6 1 1 1\nsphere 1e9 -1e9 0 1e9 1 1 1\nsphere 0 0 0 0 1 1 1\n"},
        {"nff", "s 0 0 0 1e-6\ns 1e9 -1e9 0 1e9\ns 0 0 0 0\n"}};
    for (size_t i = 0; i < 2; i++) {
        Scene *scene = parse_as(formats[i][0], formats[i][1]);
        assert_true(scene->spheres[0].radius == SPHERE_RADIUS_MIN && scene->spheres[1].radius == SPHERE_FARTHEST);
        assert_true(scene->spheres[1].y == -SPHERE_FARTHEST && scene->spheres[2].radius == 0);
        scene_destroy(&scene);
    }
}

/* ---- core/math/sphere.h ---- */

static void camera_looks_at_the_middle(void **state) {
    (void)state;
    const Camera camera = camera_default(), near = {.centre_x = 10, .centre_y = -20, .unit = 0.5f};
    assert_true(camera_x(camera, 512, 1024) == 0 && camera_y(camera, 512, 1024) == 0);
    assert_true(camera_x(camera, 0, 1024) == -512 && camera_y(camera, 0, 1024) == 512); /* y is up */
    assert_true(camera_x(camera, 0, 1) == 0 && camera_x(camera, 2, 3) == 1);
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

/* Pairs that hit the pixel within a few f32 roundings of each other, or of its outline: f64 must decide. */
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
        cmocka_unit_test(former_names_are_accepted),
        cmocka_unit_test(generator_refuses_nonsense),
        cmocka_unit_test(budget_limits_scenes),
        cmocka_unit_test(scenes_are_told_from_pictures),
        cmocka_unit_test(sphereflake_is_haines_balls),
        cmocka_unit_test(sphereflake_children_look_away),
        cmocka_unit_test(packed_spheres_rest_side_by_side),
        cmocka_unit_test(lattice_is_even),
        cmocka_unit_test(radii_beyond_the_limits_are_refused),
        cmocka_unit_test(radii_on_the_limits_are_read),
        cmocka_unit_test(camera_looks_at_the_middle),
        cmocka_unit_test(depth_is_geometry),
        cmocka_unit_test(nearest_wins_in_any_order),
        cmocka_unit_test(f32_never_contradicts_f64),
        cmocka_unit_test(shading_is_colour_times_facing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
