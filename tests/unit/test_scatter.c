/* test_scatter.c: rough glass and coats: laws of physics about the light that facets mirror and refract. */
#include "tests/unit/path_fixture.h"

static Scene *ball_of(Material material, Sky sky) {
    Scene *scene = scene_of("glint-scene 1\nsphere 0 0 0 10 1 1 1\n");
    assert_int_equal(scene_add_material(scene, material, &scene->spheres[0].material), STATUS_OK);
    scene->sky = sky;
    return scene;
}

static const Sky even = {.kind = SKY_GRADIENT, .horizon = {1, 1, 1}, .zenith = {1, 1, 1}};

/* Glass takes no light, however often facets pass it to each other: the ball cannot be seen in a furnace. */
static void rough_balls_hide_in_a_furnace(void **state) {
    static const float indices[] = {1.5f, 1.1f, 2.4f, 0.8f};
    (void)state;
    for (int i = 0; i < 20; i++) {
        const Material glass = {.kind = MATERIAL_GLASS,
                                .roughness = 0.2f * (float)(i % 5 + 1),
                                .refraction = indices[i / 5],
                                .transmittance = 1};
        Scene *scene = ball_of(glass, even);
        for (int k = 0; k < 3; k++) {
            const Estimate got = estimate(scene, ray_from(vec(4 * (float)k, 1, 50), vec(0, 0, -1)), 1 << 14);
            if (!(fabs(got.mean - 1) < 4 * got.error + 2e-3))
                fail_msg("roughness %g, index %g: %g +- %g", (double)glass.roughness, (double)glass.refraction,
                         got.mean, got.error);
        }
        scene_destroy(&scene);
    }
}

/* A coat mirrors a part of the light, and what is below sends on the rest: white stays white. Black below shows the
 * coat alone, which mirrors 0.04 straight on, and twice as much where half of it is there. */
static void coats_share_light_with_what_is_below(void **state) {
    (void)state;
    for (int i = 0; i < 24; i++) {
        const Material coated = {.kind = i % 2 ? MATERIAL_METAL : MATERIAL_DIFFUSE,
                                 .diffuse = i % 2 ? 0 : 1,
                                 .specular = 1,
                                 .roughness = i % 2 ? 0.6f : 0,
                                 .refraction = 1,
                                 .coat = i < 12 ? 1 : 0.5f,
                                 .coat_roughness = 0.2f * (float)(i % 12 / 2)};
        Scene *scene = ball_of(coated, even);
        for (int k = 0; k < 3; k++) {
            const Estimate got = estimate(scene, ray_from(vec(4.5f * (float)k, 0, 50), vec(0, 0, -1)), 1 << 14);
            if (!(fabs(got.mean - 1) < 4 * got.error + 2e-3))
                fail_msg("coat %g of roughness %g: %g +- %g", (double)coated.coat, (double)coated.coat_roughness,
                         got.mean, got.error);
        }
        scene_destroy(&scene);
    }
    const Material black = {.kind = MATERIAL_DIFFUSE, .refraction = 1, .coat = 0.5f};
    Scene *scene = ball_of(black, even);
    const Estimate got = estimate(scene, ray_from(vec(0, 0, 50), vec(0, 0, -1)), 1 << 16);
    assert_true(fabs(got.mean - 0.02) < 4 * got.error);
    scene_destroy(&scene);
}

/* The red light along a ray by way of one surface, by paths that aim at nothing, or by all paths. */
static Estimate scattered(const Scene *scene, Ray ray, uint32_t samples, bool aims) {
    const World world = {scene};
    ShadingContext context;
    Estimate made = {0, 0};
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    if (!aims)
        context.leaf_count = context.emitter_count = 0;
    for (uint32_t i = 0; i < samples; i++) {
        const double light = (double)path_radiance(&world, &context, ray, i, 7, 1).x;
        made.mean += light / samples;
        made.error += light * light / samples;
    }
    made.error = sqrt(fmax(made.error - made.mean * made.mean, 0) / samples);
    shading_context_free(&context);
    return made;
}

/* Paths hit a ball lamp of radius r at distance d by chance, and are sent to a sun of its irradiance, pi L (r / d)^2.
 * Along a ray from `from`, a great ball of the material sends both lights on alike. Paths that aim at the lamp find as
 * much. */
static void assert_lamp_and_sun_alike(Material material, Vec from) {
    Scene *scene = scene_of("glint-scene 1\nsphere 0 0 -1000 1000 0.9 0.6 0.3\nsphere 0 30 40 1 1 1 1\n");
    const Material shines = {.kind = MATERIAL_LIGHT, .emission = 800};
    const float irradiance = PI_F * 800 / 2500;
    const Ray ray = ray_from(from, vec_unit(vec_times(from, -1)));
    assert_int_equal(scene_add_material(scene, material, &scene->spheres[0].material), STATUS_OK);
    assert_int_equal(scene_add_material(scene, shines, &scene->spheres[1].material), STATUS_OK);
    const Estimate chance = scattered(scene, ray, 1 << 18, false), both = scattered(scene, ray, 1 << 16, true);
    scene->spheres[1].radius = 0;
    assert_int_equal(scene_add_light(scene, (Light){LIGHT_SUN, {0, 3, 4}, {irradiance, irradiance, irradiance}, 0}),
                     STATUS_OK);
    const Estimate sun = scattered(scene, ray, 1 << 16, true);
    if (!(fabs(chance.mean - both.mean) < 4 * (chance.error + both.error) && sun.mean > 1e-3 &&
          fabs(both.mean - sun.mean) < 4 * (both.error + sun.error) + 0.02 * sun.mean))
        fail_msg("from %g %g %g: by chance %g +- %g, by both %g +- %g, a sun's %g", (double)from.x, (double)from.y,
                 (double)from.z, chance.mean, chance.error, both.mean, both.error, sun.mean);
    scene_destroy(&scene);
}

/* By a rough coat over black. */
static void coats_mirror_lamp_and_sun_alike(void **state) {
    (void)state;
    const Material black = {.kind = MATERIAL_DIFFUSE, .refraction = 1, .coat = 0.8f, .coat_roughness = 0.6f};
    for (int i = 0; i < 3; i++)
        assert_lamp_and_sun_alike(black, vec(2, -5 * (float)i, 10));
}

/* The eye is outside of the glass, or within. */
static void rough_glass_sends_lamp_and_sun_alike(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        const Material glass = {
            .kind = MATERIAL_GLASS, .roughness = 0.7f, .refraction = i < 4 ? 1.5f : 0.7f, .transmittance = 0.9f};
        assert_lamp_and_sun_alike(glass, vec(2, -4 * (float)(i / 2), i % 2 ? -10 : 10));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rough_balls_hide_in_a_furnace),
        cmocka_unit_test(coats_share_light_with_what_is_below),
        cmocka_unit_test(coats_mirror_lamp_and_sun_alike),
        cmocka_unit_test(rough_glass_sends_lamp_and_sun_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
