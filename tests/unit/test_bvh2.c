/* test_bvh2.c: rules for every binary BVH, whatever the scene. */
#include "core/device/backend.h"
#include "core/math/pcg.h"
#include "core/scene/scene_open.h"
#include "cpu/backend.h"
#include "cpu/trace/bvh2.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static float axis_of(Vec at, int axis) {
    return axis == 0 ? at.x : axis == 1 ? at.y : at.z;
}

/* Primitives found below a node; fails where a box does not hold its contents. */
static size_t check_below(const Bvh2 *bvh, const Scene *scene, uint32_t at, int depth, unsigned char *seen) {
    const Bvh2Node *node = &bvh->nodes[at];
    size_t found = 0;
    assert_true(depth <= BVH2_DEPTH);
    if (node->count == 0) {
        for (uint32_t child = node->first; child < node->first + 2; child++) {
            for (int a = 0; a < 3; a++) {
                assert_true(bvh->nodes[child].box[0][a] >= node->box[0][a]);
                assert_true(bvh->nodes[child].box[1][a] <= node->box[1][a]);
            }
            found += check_below(bvh, scene, child, depth + 1, seen);
        }
        return found;
    }
    for (uint32_t i = node->first; i < node->first + node->count; i++, found++) {
        const uint32_t index = bvh->order[i];
        assert_int_equal(seen[index]++, 0);
        if (index >= scene->count + scene->triangle_count) {
            const Cylinder *cylinder = &scene->cylinders[index - scene->count - scene->triangle_count];
            for (int k = 0; k < 2; k++)
                for (int a = 0; a < 3; a++)
                    assert_true(node->box[0][a] <= axis_of(cylinder->ends[k], a) &&
                                axis_of(cylinder->ends[k], a) <= node->box[1][a]);
            continue;
        }
        if (index >= scene->count) {
            for (int k = 0; k < 3; k++) {
                const Vec p = scene->triangles[index - scene->count].points[k];
                const float at_axis[3] = {p.x, p.y, p.z};
                for (int a = 0; a < 3; a++)
                    assert_true(node->box[0][a] <= at_axis[a] && at_axis[a] <= node->box[1][a]);
            }
            continue;
        }
        const Sphere *s = &scene->spheres[index];
        const float centre[3] = {s->x, s->y, s->z};
        for (int a = 0; a < 3; a++)
            assert_true(node->box[0][a] <= centre[a] - s->radius && centre[a] + s->radius <= node->box[1][a]);
    }
    return found;
}

static void check_scene(Scene *scene) {
    Device *device;
    Queue *queue;
    const Bvh2 *bvh;
    const size_t count = scene_primitives(scene);
    assert_int_equal(cpu_backend.open(0, 2, &device), STATUS_OK);
    assert_int_equal(queue_open(device, &queue), STATUS_OK);
    for (int moved = 0; moved < 2; moved++) {
        unsigned char *seen = calloc(count + 1, 1);
        assert_non_null(seen);
        assert_int_equal(bvh2_over(queue, scene, &bvh), STATUS_OK);
        if (count > 0)
            assert_int_equal(check_below(bvh, scene, 0, 0, seen), count);
        free(seen);
        assert_int_equal(scene_move(scene, 7), STATUS_OK);
    }
    queue_close(&queue);
    device_close(&device);
    scene_destroy(&scene);
}

static void holds_every_sphere_once(void **state) {
    (void)state;
    static const char *const scenes[] = {"spheres=count=1", "spheres=count=5", "packed=400", "cloud=20000",
                                         "sphereflake=2"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        Scene *scene;
        assert_int_equal(scene_open(scenes[i], &scene), STATUS_OK);
        check_scene(scene);
    }
}

/* Spheres that no plane parts. First all are in one place. Then each is twice as far away as the one before, and a
 * split along evenly spaced bins parts only the last few. */
static void stays_shallow(void **state) {
    (void)state;
    for (int far = 0; far < 2; far++) {
        Scene *scene;
        assert_int_equal(scene_create("test", 0, &scene), STATUS_OK);
        for (int i = 0; i < 3000; i++) {
            const Sphere sphere = {.x = far ? ldexpf(1, i % 100 - 70) : 1, .radius = 0.5F};
            assert_int_equal(scene_add_sphere(scene, sphere), STATUS_OK);
        }
        check_scene(scene);
    }
}

static void holds_others_beside_spheres(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(3, 1);
    Scene *scene;
    assert_int_equal(scene_open("spheres=count=50", &scene), STATUS_OK);
    for (int i = 0; i < 500; i++) {
        Triangle triangle = {.colour = {1, 1, 1}};
        for (int k = 0; k < 3; k++)
            triangle.points[k] = vec(pcg_float(&pcg), 100 * pcg_float(&pcg), pcg_float(&pcg) - 1e6F);
        assert_int_equal(scene_add_triangle(scene, triangle), STATUS_OK);
        const Cylinder cylinder = {.ends = {triangle.points[0], triangle.points[1]}, .radius = pcg_float(&pcg)};
        assert_int_equal(scene_add_cylinder(scene, cylinder), STATUS_OK);
    }
    check_scene(scene);
}

static void holds_nothing(void **state) {
    (void)state;
    Scene *scene;
    assert_int_equal(scene_create("test", 0, &scene), STATUS_OK);
    check_scene(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_every_sphere_once),
        cmocka_unit_test(stays_shallow),
        cmocka_unit_test(holds_others_beside_spheres),
        cmocka_unit_test(holds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
