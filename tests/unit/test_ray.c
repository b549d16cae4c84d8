/* test_ray.c: cameras by name, the rays of their pixels, and where rays hit spheres. */
#include "core/scene/camera.h"
#include "core/scene/look.h"

#include <string.h>

#include "tests/check.h"

static Camera parsed(const char *text) {
    Camera camera;
    if (camera_parse(text, &camera) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return camera;
}

static bool near(Vec a, Vec b) {
    const Vec apart = vec_minus(a, b);
    return vec_dot(apart, apart) < 1e-12f;
}

static void orthographic_pixels_look_down(void **state) {
    (void)state;
    const Ray ray = camera_ray(parsed("orthographic=unit=2:x=10"), 60, 20, 101, 41);
    assert_true(near(ray.origin, vec(30, 0, 0)) && near(ray.direction, vec(0, 0, -1)));
    assert_true(ray.t_min == -INFINITY); /* spheres towards the viewer are seen, too */
}

static void perspective_pixels_fan_out(void **state) {
    (void)state;
    const Camera camera = parsed("perspective=angle=90:z=100");
    const Ray middle = camera_ray(camera, 50, 50, 101, 101), corner = camera_ray(camera, 0, 0, 2, 2);
    assert_true(near(middle.origin, vec(0, 0, 100)) && near(middle.direction, vec(0, 0, -1)));
    assert_true(near(corner.direction, vec_unit(vec(-0.5f, 0.5f, -1)))); /* up and to the left */
    assert_true(fabsf(vec_dot(corner.direction, corner.direction) - 1) < 1e-6f && corner.t_min == 0);
    const Ray wide = camera_ray(camera, 0, 50, 201, 101); /* the angle is the height's */
    assert_true(near(wide.direction, vec_unit(vec(-200.0f / 101, 0, -1))));
}

static void cameras_may_look_anywhere_but_nowhere(void **state) {
    (void)state;
    const Camera camera = parsed("perspective=x=3:y=4:z=5:to_x=-3:to_y=2:to_z=9");
    assert_true(near(camera.forward, vec_unit(vec(-6, -2, 4))) && camera.right.y == 0);
    assert_true(fabsf(vec_dot(camera.up, camera.forward)) < 1e-6f && camera.up.y > 0);
    static const char *const bad[] = {"perspective=x=0:y=0:z=0",
                                      "perspective=y=10:z=0",
                                      "perspective=angle=171",
                                      "perspective=angle=nan",
                                      "perspective=zz=1",
                                      "pinhole",
                                      "",
                                      "orthographic=unit=0",
                                      "random=side=0"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Camera ignored;
        assert_int_equal(camera_parse(bad[i], &ignored), STATUS_USAGE);
    }
}

/* Twelve twelfths of a turn lead back; on the way nothing tilts, and the target stays in the middle. */
static void perspective_cameras_orbit(void **state) {
    (void)state;
    const char *const text = "perspective=x=30:y=40:z=50:to_x=-3:to_y=2:to_z=9:lens=2:angle=30";
    const Camera camera = parsed(text);
    Camera turned, still;
    Vec target;
    assert_int_equal(camera_parse_target(text, &target), STATUS_OK);
    assert_true(near(target, vec(-3, 2, 9)));
    assert_int_equal(camera_orbit(&camera, target, 0, &still), STATUS_OK);
    assert_memory_equal(&still, &camera, sizeof camera);
    turned = camera;
    for (int i = 0; i < 12; i++) {
        assert_int_equal(camera_orbit(&turned, target, 1.0 / 12, &turned), STATUS_OK);
        const Vec way = vec_minus(target, turned.from), was = vec_minus(target, camera.from);
        assert_true(fabsf(vec_dot(way, way) / vec_dot(was, was) - 1) < 1e-5f);
        assert_true(near(vec_unit(way), turned.forward) && near(vec_cross(turned.right, turned.forward), turned.up));
        assert_true(turned.from.y == camera.from.y && turned.up.y == camera.up.y && turned.right.y == 0);
        assert_true(turned.lens == camera.lens && turned.focus == camera.focus && turned.tangent == camera.tangent);
    }
    const Vec back = vec_minus(turned.from, camera.from);
    assert_true(vec_dot(back, back) < 1e-8f && near(turned.forward, camera.forward) && near(turned.up, camera.up));
    assert_int_equal(camera_orbit(&camera, camera.from, 0.25, &turned), STATUS_OK); /* on the spot */
    assert_true(near(turned.from, camera.from) && fabsf(vec_dot(turned.right, camera.right)) < 1e-6f);
    const Camera front = parsed("perspective=z=100");
    assert_int_equal(camera_orbit(&front, vec(0, 0, 0), 0.25, &turned), STATUS_OK);
    assert_true(fabsf(turned.from.x - 100) < 1e-4f && fabsf(turned.from.z) < 1e-4f); /* to the right */
    static const char *const others[] = {"orthographic", "random"};
    for (size_t i = 0; i < 2; i++) {
        const Camera other = parsed(others[i]);
        assert_int_equal(camera_orbit(&other, target, 0, &turned), STATUS_USAGE);
        assert_non_null(strstr(status_message(), others[i]));
        assert_int_equal(camera_parse_target(others[i], &target), STATUS_USAGE);
    }
}

static void random_rays_fill_the_cube(void **state) {
    (void)state;
    enum { RAYS = 20000 };
    const Camera camera = parsed("random=side=10:seed=5");
    double mean[6] = {0}, max = 0;
    for (size_t i = 0; i < RAYS; i++) {
        const Ray ray = camera_ray(camera, i % 200, i / 200, 200, RAYS / 200);
        const float parts[] = {ray.origin.x,    ray.origin.y,    ray.origin.z,
                               ray.direction.x, ray.direction.y, ray.direction.z};
        for (int p = 0; p < 6; p++)
            mean[p] += (double)parts[p] / RAYS;
        for (int p = 0; p < 3; p++)
            max = fmax(max, fabs((double)parts[p]));
        assert_true(fabsf(vec_dot(ray.direction, ray.direction) - 1) < 1e-6f);
    }
    assert_true(max <= 5 && max > 4.99);
    for (int p = 0; p < 6; p++) /* six standard deviations of a mean of this many */
        assert_true(fabs(mean[p]) < 6 * (p < 3 ? 10 / sqrt(12) : 0.6) / sqrt(RAYS));
}

static Ray ray_down(float x, float y, float z) {
    return ray_from(vec(x, y, z), vec(0, 0, -1));
}

static void spheres_are_met_where_geometry_says(void **state) {
    (void)state;
    Hit hit = hit_none();
    hit_offer(&hit, vec(0, 0, 0), 5, 7, ray_down(3, 0, 20)); /* a 3-4-5 triangle */
    assert_true(hit.distance == 16 && hit.root == 4 && hit.index == 7);
    hit_offer(&hit, vec(0, 0, 0), 4, 8, ray_down(3, 0, 20)); /* behind it */
    assert_int_equal(hit.index, 7);
    hit_offer(&hit, vec(0, 0, 0), 5, 3, ray_down(3, 0, 20)); /* the same again: the first in the scene wins */
    assert_int_equal(hit.index, 3);
    hit_offer(&hit, vec(0, 0, 0), 5, 4, ray_down(3, 0, 20));
    assert_int_equal(hit.index, 3);
    hit = hit_none();
    hit_offer(&hit, vec(0, 0, 0), 5, 1, ray_down(3, 0, 0)); /* from within */
    assert_true(hit.distance == 4 && hit.index == 1);
    hit = hit_none();
    hit_offer(&hit, vec(0, 0, 0), 5, 1, ray_down(0, 0, -6)); /* behind the eye */
    hit_offer(&hit, vec(0, 0, 0), 5, 1, ray_down(5, 0, 20)); /* the outline itself */
    hit_offer(&hit, vec(0, 0, 0), 0, 1, ray_down(0, 0, 20)); /* nothing there */
    assert_int_equal(hit.index, HIT_NONE);
}

/* A sphere of 1 seen from 30000 away: the textbook's quadratic would lose all its digits. */
static void distance_costs_no_precision(void **state) {
    (void)state;
    for (int i = 1; i < 100; i++) {
        const Sphere sphere = {.x = 0.37f, .y = -0.2f, .radius = 1};
        const Ray ray = ray_from(vec(0.37f + (float)i / 100, -0.2f, 30000), vec(0, 0, -1));
        Hit hit = hit_none();
        double root = 0;
        hit_offer(&hit, sphere_centre(&sphere), sphere.radius, 0, ray);
        const double distance = sphere_distance(&sphere, ray, &root);
        assert_true(fabs((double)hit.distance - distance) < 4e-3); /* two units in the last place */
        assert_true(fabs((double)hit.root - root) < 1e-5);
    }
}

static void assert_pixel(const unsigned char *pixel, int red, int green, int blue, int alpha) {
    const unsigned char want[4] = {(unsigned char)red, (unsigned char)green, (unsigned char)blue, (unsigned char)alpha};
    assert_memory_equal(pixel, want, sizeof want);
}

static void looks_show_what_they_say(void **state) {
    (void)state;
    const Sphere sphere = {.x = 0, .radius = 5, .red = 1, .green = 0.5f, .blue = 0};
    const Ray ray = ray_down(3, 0, 20);
    unsigned char pixel[4];
    Hit hit = hit_none();
    hit_offer(&hit, sphere_centre(&sphere), sphere.radius, 2, ray);
    look_pixel(LOOK_CLASSIC, &sphere, ray, hit, 4, pixel);
    assert_pixel(pixel, 204, 102, 0, 255); /* 4/5 of it faces the eye */
    look_pixel(LOOK_NORMALS, &sphere, ray, hit, 4, pixel);
    assert_pixel(pixel, 204, 128, 230, 255); /* 0.6, 0, 0.8 */
    look_pixel(LOOK_DEPTH, &sphere, ray, hit, 4, pixel);
    assert_int_equal(pixel[0], 124);
    unsigned char other[4];
    look_pixel(LOOK_SPHERES, &sphere, ray, hit, 4, pixel);
    hit.index = 3;
    look_pixel(LOOK_SPHERES, &sphere, ray, hit, 4, other);
    assert_memory_not_equal(pixel, other, 3);
    for (int look = 0; look < LOOKS; look++) {
        look_pixel((Look)look, &sphere, ray, hit_none(), 4, pixel);
        assert_pixel(pixel, 0, 0, 0, 255);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthographic_pixels_look_down),
        cmocka_unit_test(perspective_pixels_fan_out),
        cmocka_unit_test(cameras_may_look_anywhere_but_nowhere),
        cmocka_unit_test(perspective_cameras_orbit),
        cmocka_unit_test(random_rays_fill_the_cube),
        cmocka_unit_test(spheres_are_met_where_geometry_says),
        cmocka_unit_test(distance_costs_no_precision),
        cmocka_unit_test(looks_show_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
