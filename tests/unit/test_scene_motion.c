/* test_scene_motion.c: spheres that move. */
#include "tests/unit/scene_fixture.h"

static const double times[] = {0.25, -3, 1e6, 7.5, 1.0 / 3};

static Sphere *spheres_of(const Scene *scene) {
    Sphere *copy = malloc((scene->count + 1) * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, scene->spheres, scene->count * sizeof *copy);
    return copy;
}

/* How far apart the centres are along one axis, at most. */
static double apart(const Sphere *a, const Sphere *b) {
    return fmax(fmax(fabs((double)a->x - (double)b->x), fabs((double)a->y - (double)b->y)),
                fabs((double)a->z - (double)b->z));
}

static void moving_moves_centres_and_nothing_else(void **state) {
    (void)state;
    const char *const scenes[] = {"spheres", "packed=50", "cloud=200000"}; /* the last by several threads */
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        Scene *scene = open_scene(scenes[k]);
        Sphere *rest = spheres_of(scene);
        const uint64_t serial = scene->serial;
        for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
            const uint64_t moves = scene->moves;
            size_t moved = 0;
            assert_int_equal(scene_move(scene, times[t]), STATUS_OK);
            assert_true(scene->serial == serial && scene->moves != moves);
            for (size_t i = 0; i < scene->count; i++) {
                const Sphere *s = &scene->spheres[i];
                moved += apart(s, &rest[i]) > 1e-3 * (double)s->radius;
                assert_true(apart(s, &rest[i]) <= 1.0001 * (double)s->radius);
                assert_memory_equal(&s->radius, &rest[i].radius, sizeof *s - offsetof(Sphere, radius));
            }
            assert_true(moved > scene->count * 9 / 10);
        }
        assert_int_equal(scene_move(scene, 0), STATUS_OK);
        assert_memory_equal(scene->spheres, rest, scene->count * sizeof *rest);
        free(rest);
        scene_destroy(&scene);
    }
}

static void a_time_is_a_place_whatever_came_before(void **state) {
    (void)state;
    Scene *one = open_scene("spheres=200"), *two = open_scene("spheres=200");
    assert_int_equal(scene_move(one, 2.5), STATUS_OK);
    for (size_t t = 0; t < sizeof times / sizeof *times; t++)
        assert_int_equal(scene_move(two, times[t]), STATUS_OK);
    assert_memory_not_equal(one->spheres, two->spheres, one->count * sizeof *one->spheres);
    assert_int_equal(scene_move(two, 2.5), STATUS_OK);
    assert_memory_equal(one->spheres, two->spheres, one->count * sizeof *one->spheres);
    scene_destroy(&one);
    scene_destroy(&two);
}

static void each_sphere_moves_in_a_way_of_its_own(void **state) {
    (void)state;
    Scene *scene = open_scene("lattice=6:0.5"); /* all of one size */
    Sphere *rest = spheres_of(scene);
    assert_int_equal(scene_move(scene, 1), STATUS_OK);
    for (size_t i = 0; i < scene->count; i++) {
        rest[i].x = scene->spheres[i].x - rest[i].x;
        rest[i].y = scene->spheres[i].y - rest[i].y;
        rest[i].z = scene->spheres[i].z - rest[i].z;
        for (size_t j = 0; j < i; j++)
            assert_true(apart(&rest[i], &rest[j]) > 1e-3);
    }
    free(rest);
    scene_destroy(&scene);
}

static void moved_spheres_keep_to_the_limits(void **state) {
    (void)state;
    Scene *scene = parse_as("scene", "glint-scene 1\nsphere 1e9 -1e9 1e9 1e9 1 1 1\nsphere -1e9 9.99e8 0 1e9 1 1 1\n"
                                     "sphere -0 1e9 -1e9 1e-6 1 1 1\nsphere -0 -0 3 0 1 1 1\n");
    Sphere *rest = spheres_of(scene);
    for (int t = 0; t < 100; t++) {
        assert_int_equal(scene_move(scene, 0.37 * t), STATUS_OK);
        for (size_t i = 0; i < scene->count; i++) {
            const Sphere *s = &scene->spheres[i];
            assert_true(fabsf(s->x) <= SPHERE_FARTHEST && fabsf(s->y) <= SPHERE_FARTHEST);
            assert_true(fabsf(s->z) <= SPHERE_FARTHEST);
        }
        assert_true(scene->spheres[3].x == 0 && scene->spheres[3].z == 3); /* a point has nowhere to swing */
    }
    assert_int_equal(scene_move(scene, 0), STATUS_OK);
    assert_memory_equal(scene->spheres, rest, scene->count * sizeof *rest); /* -0 as well */
    free(rest);
    scene_destroy(&scene);
}

static void a_moved_scene_is_written_as_it_is(void **state) {
    (void)state;
    Scene *scene = open_scene("packed=40");
    char *before = text_of(scene);
    assert_int_equal(scene_move(scene, 1.75), STATUS_OK);
    char *after = text_of(scene);
    assert_string_not_equal(before, after);
    Scene *again = parse_as("scene", after);
    assert_same_scene(scene, again);
    scene_destroy(&again);
    assert_int_equal(scene_move(scene, 0), STATUS_OK);
    free(after);
    after = text_of(scene);
    assert_string_equal(before, after);
    free(before);
    free(after);
    scene_destroy(&scene);
}

static void spheres_may_come_after_the_first_move(void **state) {
    (void)state;
    Scene *scene = NULL;
    assert_int_equal(scene_create("t", 0, &scene), STATUS_OK);
    assert_int_equal(scene_move(scene, 1), STATUS_OK);
    const Sphere sphere = {1, 2, 3, 4, 1, 1, 1, 0};
    for (size_t i = 0; i < 50; i++) {
        assert_int_equal(scene_add_sphere(scene, sphere), STATUS_OK);
        assert_memory_equal(&scene->spheres[i], &sphere, sizeof sphere);
        assert_int_equal(scene_move(scene, 1 + (double)i), STATUS_OK);
        assert_true(apart(&scene->spheres[i], &sphere) > 0);
    }
    assert_int_equal(scene_move(scene, 0), STATUS_OK);
    for (size_t i = 0; i < 50; i++)
        assert_memory_equal(&scene->spheres[i], &sphere, sizeof sphere);
    scene_destroy(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_moves_centres_and_nothing_else),
        cmocka_unit_test(a_time_is_a_place_whatever_came_before),
        cmocka_unit_test(each_sphere_moves_in_a_way_of_its_own),
        cmocka_unit_test(moved_spheres_keep_to_the_limits),
        cmocka_unit_test(a_moved_scene_is_written_as_it_is),
        cmocka_unit_test(spheres_may_come_after_the_first_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
