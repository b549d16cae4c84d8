/* test_emitters.c: how paths draw one of many emitters, and how good the draws are. */
#include "tests/unit/path_fixture.h"

/* Spheres, triangles and points that shine, of all powers and sizes, and some that do not. */
static Scene *emitters_scene(int count) {
    Scene *scene = scene_of("glint-scene 2\n");
    Pcg pcg = pcg_seed(3, (uint64_t)count);
    uint32_t lamps[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            scene_add_material(scene, (Material){.kind = MATERIAL_LIGHT, .emission = powf(30, (float)i)}, &lamps[i]),
            STATUS_OK);
    for (int i = 0; i < count; i++) {
        const Vec at = vec(20 * pcg_float(&pcg), 20 * pcg_float(&pcg), 20 * pcg_float(&pcg));
        const uint32_t material = i % 7 == 3 ? 0 : lamps[i / 3 % 3];
        if (i % 3 == 0) {
            assert_int_equal(scene_add_sphere(scene, (Sphere){at.x, at.y, at.z, 0.3f, 1, 1, 1, material}), STATUS_OK);
        } else if (i % 3 == 1) {
            const Triangle triangle = {
                .points = {at, vec_along(at, 1, vec(0, 0.5f, 0.1f)), vec_along(at, 1, vec(1, 0, 0))},
                .colour = {1, 0.5f, 1},
                .material = material};
            assert_int_equal(scene_add_triangle(scene, triangle), STATUS_OK);
        } else {
            assert_int_equal(scene_add_light(scene, (Light){LIGHT_POINT, at, {9, 9, 9}, 0}), STATUS_OK);
        }
    }
    assert_int_equal(scene_add_sphere(scene, (Sphere){900, 900, 900, 1, 1, 1, 1, 0}), STATUS_OK); /* takes light */
    return scene;
}

/* A galaxy of a million has no tree, which would take longer to build than the picture. */
static void what_shines_on_nothing_is_not_aimed_at(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 2\n");
    ShadingContext context;
    uint32_t lamp;
    assert_int_equal(scene_add_material(scene, (Material){.kind = MATERIAL_LIGHT, .emission = 1}, &lamp), STATUS_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(scene_add_sphere(scene, (Sphere){(float)i, 0, 0, 1, 1, 1, 1, lamp}), STATUS_OK);
    for (int taking = 0; taking < 2; taking++) {
        scene->has_ground = taking;
        assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
        assert_int_equal(context.emitter_count, taking ? 3 : 0);
        shading_context_free(&context);
    }
    scene_destroy(&scene);
}

/* A sun that has set, and lights of no colour, cost no ray. */
static void dark_lights_are_not_aimed_at(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 2\nsky day -4 0\nlight point 0 9 0 0 0 0\nlight point 0 9 0 0 0 1e-30\n"
                            "ground 0 1 1 1 1 1 1 1\n");
    ShadingContext context;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    assert_true(context.light_count == 3 && context.direct_light_count == 1 && context.direct_lights[0] == 2);
    shading_context_free(&context);
    scene_destroy(&scene);
}

/* Numbers that are even on [0, 1) draw each emitter as often as its chance says, by definition. All chances, and that
 * of drawing none, sum to 1, wherever the surface is that asks. One that sees all sides always draws. */
static void emitters_are_drawn_as_their_chances_say(void **state) {
    (void)state;
    enum { DRAWS = 1 << 14 };
    static const int counts[] = {1, 2, 3, 20, 65, 300};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        Scene *scene = emitters_scene(counts[c]);
        ShadingContext context;
        Pcg pcg = pcg_seed(4, c);
        assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
        for (int k = 0; k < 8; k++) {
            const Vec at = vec(20 * pcg_float(&pcg), 20 * pcg_float(&pcg), 20 * pcg_float(&pcg));
            const Vec way = vec_unit(vec(pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f));
            const Vec normal = k == 7 ? vec(0, 0, 0) : way; /* 0: of rough glass */
            double *seen = calloc(context.leaf_count, sizeof *seen), sum = 0, none = 0;
            assert_non_null(seen);
            for (int i = 0; i < DRAWS; i++) {
                uint32_t leaf;
                const float chance = emitter_pick(&context, at, normal, ((float)i + 0.5f) / DRAWS, &leaf);
                if (!(chance > 0)) {
                    none += 1.0 / DRAWS;
                    continue;
                }
                assert_true(leaf < context.leaf_count);
                assert_true(near(chance, emitter_chance(&context, at, normal, leaf), 1e-5f * chance));
                seen[leaf] += 1.0 / DRAWS;
            }
            for (uint32_t leaf = 0; leaf < context.leaf_count; leaf++) {
                const double chance = (double)emitter_chance(&context, at, normal, leaf);
                sum += chance;
                assert_true(fabs(chance - seen[leaf]) < 3.0 / DRAWS);
            }
            assert_true(k < 7 || !(none > 0));
            assert_true(fabs(sum + none - 1) < (none > 0 ? 1e-3 : 1e-4)); /* `none` ends between two draws */
            free(seen);
        }
        shading_context_free(&context);
        scene_destroy(&scene);
    }
}

/* A direction to an emitter has the density of a chance hit. The density sums to 1 over all directions. The mean of 1 /
 * density is therefore the solid angle of the emitters that can be hit. */
static void aims_have_the_densities_of_hits(void **state) {
    (void)state;
    Scene *scene = emitters_scene(65);
    const World world = {scene};
    ShadingContext context;
    size_t compared = 0;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    for (uint32_t i = 0; i < 4000; i++) {
        float pick, x, u, v;
        sampler_point(i, 5, &pick, &x);
        sampler_point(i, 6, &u, &v);
        Surface from = {.at = vec(20 * x, -1, 7), .normal = {0, 1, 0}, .index = HIT_GROUND}, target;
        Aim aim = aim_at_emitter(&context, from.at, from.normal, pick, u, v);
        aim_draw(&aim, u, v);
        const Ray ray = surface_leave(&from, aim.way);
        if (!(aim.density > 0) || !aim.sized || !surface_hit(&world, &context, ray, &target) ||
            target.material.kind != MATERIAL_LIGHT)
            continue;
        const Vec to = vec_minus(target.at, from.at);
        if (sqrtf(vec_dot(to, to)) < aim_distance(&aim, ray) * 0.999f)
            continue; /* something else is in front */
        assert_true(near(emitter_density(&context, &target, from.at, from.normal), aim.density, 2e-3f * aim.density));
        compared++;
    }
    assert_true(compared > 1000);
    shading_context_free(&context);
    scene_destroy(&scene);
}

/* A sphere of radius r at distance d fills 2 pi (1 - sqrt(1 - (r / d)^2)), so that 1 / density is that. For a small
 * triangle it is area times cosine by the square of the distance. */
static void densities_are_those_of_solid_angles(void **state) {
    (void)state;
    const Sphere sphere = {0, 0, 5, 3, 1, 1, 1, 0};
    const float angle = 2 * PI_F * (1 - sqrtf(1 - 0.36f));
    assert_true(near(1 / cone_density(sphere_spread(&sphere, vec(0, 0, 0))), angle, 1e-5f));
    assert_true(sphere_spread(&sphere, vec(1, 0, 4)) > 1); /* from within */
    const Triangle triangle = {.points = {{0, 0, 100}, {0.1f, 0, 100.1f}, {0, 0.2f, 100}}};
    /* The normal is (-0.02, 0, 0.02): area 0.01 sqrt(2), cosine 1 / sqrt(2). */
    assert_true(near(1 / triangle_density(&triangle, vec(0, 0, 0), triangle.points[0]), 0.01f / 1e4f, 1e-11f));
    /* The sun's irradiance is the integral of its radiance by cosine: pi sin^2. */
    const Light sun = {LIGHT_SUN, {0, 1, 0}, {1, 1, 1}, 60};
    assert_true(near(sun_radiance(sun_spread(&sun)), 1 / (PI_F * 0.25f), 1e-6f));
    assert_true(cone_holds(vec(0, 1, 0), sun_spread(&sun), vec(0.49f, sqrtf(1 - 0.49f * 0.49f), 0)));
    assert_true(!cone_holds(vec(0, 1, 0), sun_spread(&sun), vec(0.51f, sqrtf(1 - 0.51f * 0.51f), 0)));
}

/* ---- the tree ---- */

/* Every node has the power of the emitters below it, their mean place, and a sphere that holds them, in double
 * precision. */
static void nodes_have_the_means_of_their_leaves(void **state) {
    (void)state;
    Scene *scene = emitters_scene(300);
    ShadingContext context;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    for (uint32_t node = 1; node < context.leaf_count; node++) {
        const EmitterNode *found = &context.nodes[node];
        const double at[3] = {(double)found->centre.x, (double)found->centre.y, (double)found->centre.z};
        double power = 0, mean[3] = {0, 0, 0};
        uint32_t first = node, count = 1;
        for (; first < context.leaf_count; first *= 2)
            count *= 2;
        for (uint32_t i = first; i < first + count; i++) {
            const EmitterNode *leaf = &context.nodes[i];
            const double to[3] = {(double)leaf->centre.x, (double)leaf->centre.y, (double)leaf->centre.z};
            double square = 0;
            power += (double)leaf->power;
            for (int k = 0; k < 3; k++) {
                mean[k] += (double)leaf->power * to[k];
                square += (to[k] - at[k]) * (to[k] - at[k]);
            }
            assert_true(!(leaf->power > 0) || sqrt(square) + (double)leaf->radius <= (double)found->radius);
        }
        assert_true(fabs((double)found->power - power) <= 1e-5 * power);
        for (int k = 0; k < 3 && power > 0; k++)
            assert_true(fabs(mean[k] / power - at[k]) < 1e-4);
    }
    shading_context_free(&context);
    scene_destroy(&scene);
}

/* Triangles that are parallel have their common normal, whichever way round each is. Two at right angles have the mean
 * of both, and spheres have none. */
static void axes_have_no_sign(void **state) {
    (void)state;
    const Vec up = {0, 0, 1}, down = {0, 0, -1}, across = {1, 0, 0};
    const EmitterNode one = {{0, 0, 0}, 1, up, 1}, other = {{0, 0, 0}, 1, down, 3}, wall = {{0, 0, 0}, 1, across, 1};
    const EmitterNode sphere = {{0, 0, 0}, 1, {0, 0, 0}, 3};
    const EmitterNode same = emitter_join(&one, &other), corner = emitter_join(&one, &wall);
    const EmitterNode mixed = emitter_join(&one, &sphere);
    assert_true(same.axis.z == 1 && same.axis.x == 0 && same.power == 4);
    assert_true(corner.axis.x == 0.5f && corner.axis.z == 0.5f);
    assert_true(mixed.axis.z == 0.25f);
}

/* ---- the light of many ---- */

typedef struct Double3 {
    double x, y, z;
} Double3;

static Double3 wide(Vec a) {
    return (Double3){(double)a.x, (double)a.y, (double)a.z};
}
static double dot(Double3 a, Double3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static Double3 cross(Double3 a, Double3 b) {
    return (Double3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double length(Double3 a) {
    return sqrt(dot(a, a));
}

/* The irradiance at the origin, of a surface that looks along z, from a triangle above it that shines with radiance 1.
 * It is half the sum over edges of their angles, times the cosines of their planes (Lambert, Photometria, 1760). */
static double lambert(const Triangle *triangle) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const Double3 a = wide(triangle->points[i]), b = wide(triangle->points[(i + 1) % 3]), normal = cross(a, b);
        sum += atan2(length(normal), dot(a, b)) * normal.z / length(normal);
    }
    return fabs(sum) / 2;
}

enum { LAMPS = 600 };

/* A place above the floor, in whose direction, seen from the origin, there is no other yet. */
static Vec free_place(Pcg *pcg, Vec *ways, int count) {
    for (;;) {
        const Vec at = vec(16 * pcg_float(pcg) - 8, 16 * pcg_float(pcg) - 8, 0.5f + 6 * pcg_float(pcg));
        const Vec way = vec_unit(at);
        bool alone = vec_dot(at, at) > 1;
        for (int i = 0; i < count && alone; i++)
            alone = vec_dot(way, ways[i]) < 0.9995f; /* 1.8 degrees; all lamps are smaller by far */
        if (!alone)
            continue;
        ways[count] = way;
        return at;
    }
}

/* Spheres, triangles and points that do not hide each other light a floor by the sum of their closed forms. */
static void many_lamps_light_as_their_sum(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 2\ntriangle -90 -90 0 90 -90 0 0 90 0 0.5 0.5 0.5\n");
    Pcg pcg = pcg_seed(8, 1);
    Vec ways[LAMPS];
    double want = 0;
    for (int i = 0; i < LAMPS; i++) {
        const Vec at = free_place(&pcg, ways, i);
        const float radiance = powf(100, pcg_float(&pcg));
        const Double3 to = wide(at);
        const double square = dot(to, to), cosine = to.z / sqrt(square);
        uint32_t lamp;
        assert_int_equal(scene_add_material(scene, (Material){.kind = MATERIAL_LIGHT, .emission = radiance}, &lamp),
                         STATUS_OK);
        if (i % 3 == 0) {
            assert_int_equal(scene_add_sphere(scene, (Sphere){at.x, at.y, at.z, 0.01f, 1, 1, 1, lamp}), STATUS_OK);
            want += (double)(PI_F * radiance) * 1e-4 / square * cosine;
        } else if (i % 3 == 1) {
            Triangle triangle = {.colour = {1, 1, 1}, .material = lamp};
            for (int k = 0; k < 3; k++) {
                const Vec off = vec(pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f);
                triangle.points[k] = vec_along(at, 0.03f, off);
            }
            assert_int_equal(scene_add_triangle(scene, triangle), STATUS_OK);
            want += (double)radiance * lambert(&triangle);
        } else {
            const float intensity = 1e-3f * radiance;
            assert_int_equal(scene_add_light(scene, (Light){LIGHT_POINT, at, {intensity, intensity, intensity}, 0}),
                             STATUS_OK);
            want += (double)intensity * cosine / square;
        }
    }
    want *= 0.5 / (double)PI_F;
    const Ray ray = {{0.3f, 0, 0.4f}, {-0.6f, 0, -0.8f}, 0, HIT_NONE, INFINITY};
    const Estimate got = estimate(scene, ray, 1 << 14);
    if (!(fabs(got.mean - want) < 4 * got.error && got.error < 0.01 * want))
        fail_msg("%g +- %g, want %g", got.mean, got.error, want);
    scene_destroy(&scene);
}

/* ---- noise ---- */

enum { MANY = 10000 };

typedef void Layout(int i, Pcg *pcg, Vec *at, float *radiance);

/* A ceiling of 100 by 100 lamps, 3 above the floor. */
static void hall(int i, Pcg *pcg, Vec *at, float *radiance) {
    (void)pcg;
    *at = vec((float)(i % 100), (float)(i / 100), 3); /* NOLINT(bugprone-integer-division) */
    *radiance = 1;
}

/* Lamps to both sides of a road of 100. */
static void street(int i, Pcg *pcg, Vec *at, float *radiance) {
    (void)pcg;
    *at = vec(0.02f * (float)(i / 2), i % 2 ? 52 : 48, 4); /* NOLINT(bugprone-integer-division) */
    *radiance = 1;
}

/* Lamps anywhere above a city, the brightest 100 times as bright as the darkest. */
static void city(int i, Pcg *pcg, Vec *at, float *radiance) {
    (void)i;
    *at = vec(100 * pcg_float(pcg), 100 * pcg_float(pcg), 0.5f + 8 * pcg_float(pcg));
    *radiance = powf(100, pcg_float(pcg));
}

static Scene *lamps_scene(Layout *layout) {
    Scene *scene = scene_of("glint-scene 2\n");
    Pcg pcg = pcg_seed(6, 2);
    uint32_t lamp;
    assert_int_equal(scene_add_material(scene, (Material){.kind = MATERIAL_LIGHT, .emission = 100}, &lamp), STATUS_OK);
    for (int i = 0; i < MANY; i++) {
        Vec at;
        float radiance;
        layout(i, &pcg, &at, &radiance);
        const float colour = radiance / 100;
        assert_int_equal(scene_add_sphere(scene, (Sphere){at.x, at.y, at.z, 0.02f, colour, colour, colour, lamp}),
                         STATUS_OK);
    }
    scene->has_ground = true; /* takes light */
    return scene;
}

/* The variance of the irradiance by a lamp that is drawn, as a multiple of its square. It is exact: the sum over lamps
 * of their shares squared, by their chances, less 1. */
typedef struct Variances {
    double by_tree, by_power;
} Variances;

static Variances variances_at(const ShadingContext *context, Vec at, const double *powers, double all) {
    const Vec up = {0, 0, 1};
    Variances sums = {0, 0};
    double total = 0;
    for (uint32_t i = 0; i < context->emitter_count; i++) {
        const Double3 to = wide(vec_minus(sphere_centre(&context->spheres[context->emitters[i].index]), at));
        const double square = dot(to, to), given = powers[i] * to.z / (square * sqrt(square));
        const double chance = (double)emitter_chance(context, at, up, context->emitters[i].leaf);
        assert_true(chance > 0);
        total += given;
        sums.by_tree += given * given / chance;
        sums.by_power += given * given * all / powers[i];
    }
    return (Variances){sums.by_tree / (total * total) - 1, sums.by_power / (total * total) - 1};
}

/* Among 10000 lamps, the tree has the noise of power alone with less than a hundredth of its samples. */
static void tree_is_less_noisy_than_power(void **state) {
    (void)state;
    static Layout *const layouts[] = {hall, street, city};
    static const char *const names[] = {"hall", "street", "city"};
    for (int k = 0; k < 3; k++) {
        Scene *scene = lamps_scene(layouts[k]);
        ShadingContext context;
        double *powers = malloc(MANY * sizeof *powers), all = 0;
        Variances sum = {0, 0};
        Pcg pcg = pcg_seed(7, 3);
        assert_non_null(powers);
        assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
        assert_int_equal(context.emitter_count, MANY);
        for (int i = 0; i < MANY; i++) {
            powers[i] = (double)scene->spheres[context.emitters[i].index].red;
            all += powers[i];
        }
        for (int i = 0; i < 50; i++) {
            const Vec at =
                vec(100 * pcg_float(&pcg), layouts[k] == street ? 45 + 10 * pcg_float(&pcg) : 100 * pcg_float(&pcg), 0);
            const Variances found = variances_at(&context, at, powers, all);
            sum.by_tree += found.by_tree / 50;
            sum.by_power += found.by_power / 50;
        }
        print_message("%s: %g by the tree, %g by power\n", names[k], sum.by_tree, sum.by_power);
        if (!(sum.by_power > 100 * sum.by_tree))
            fail_msg("%s: %g by the tree, %g by power", names[k], sum.by_tree, sum.by_power);
        free(powers);
        shading_context_free(&context);
        scene_destroy(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitters_are_drawn_as_their_chances_say),
        cmocka_unit_test(what_shines_on_nothing_is_not_aimed_at),
        cmocka_unit_test(dark_lights_are_not_aimed_at),
        cmocka_unit_test(aims_have_the_densities_of_hits),
        cmocka_unit_test(densities_are_those_of_solid_angles),
        cmocka_unit_test(nodes_have_the_means_of_their_leaves),
        cmocka_unit_test(axes_have_no_sign),
        cmocka_unit_test(many_lamps_light_as_their_sum),
        cmocka_unit_test(tree_is_less_noisy_than_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
