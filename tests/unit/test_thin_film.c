/* test_thin_film.c: the light that thin films mirror. Expected shares are by transfer matrices: tests/unit/thin_film.py
 * printed them (colour-science 0.4.7, numpy 2.4.6). */
#include "core/math/thin_film.h"

#include "tests/unit/path_fixture.h"
#include "tests/unit/scene_fixture.h"

#include <math.h>
#include <string.h>

/* Rows are linear between cosines, and between metals. */
#define TOLERANCE 0.004

static Scene *scene_of_material(Material material, ShadingContext *context) {
    Scene *scene;
    uint32_t index;
    assert_int_equal(scene_create("film", 0, &scene), STATUS_OK);
    assert_int_equal(scene_add_material(scene, material, &index), STATUS_OK);
    assert_int_equal(shading_context_create(scene, context), STATUS_OK);
    assert_true(context->rich);
    return scene;
}

static void assert_share(const char *what, size_t i, Vec got, const float *want) {
    const float all[] = {got.x, got.y, got.z};
    for (int c = 0; c < 3; c++)
        if (!(fabs((double)all[c] - (double)want[c]) < TOLERANCE))
            fail_msg("%s %zu, channel %d: %.4f, want %.4f", what, i, c, (double)all[c], (double)want[c]);
}

/* The cosine is that of the side with the smaller index. */
static void films_on_glass_mirror_as_matrices_say(void **state) {
    static const struct {
        float below, thickness, film, cosine, want[3];
    } cases[] = {
        {1.5f, 80, 1.33f, 1.0f, {0.0156f, 0.0105f, 0.0067f}},  {1.5f, 250, 1.7f, 0.55f, {0.0889f, 0.1318f, 0.1286f}},
        {1.5f, 400, 1.4f, 0.1f, {0.5585f, 0.5388f, 0.5572f}},  {1.5f, 900, 2.2f, 0.8f, {0.1810f, 0.1657f, 0.1761f}},
        {1.5f, 2000, 1.3f, 0.3f, {0.1734f, 0.1594f, 0.1648f}}, {1.0f, 80, 1.7f, 0.8f, {0.2248f, 0.2408f, 0.2336f}},
        {1.0f, 250, 1.4f, 0.3f, {0.3031f, 0.0279f, 0.1761f}},  {1.0f, 400, 2.2f, 1.0f, {0.0000f, 0.2727f, 0.1609f}},
        {1.0f, 900, 1.3f, 0.55f, {0.0000f, 0.1033f, 0.0390f}}, {1.0f, 2000, 1.33f, 0.1f, {0.6343f, 0.7215f, 0.6850f}},
        {2.4f, 80, 1.4f, 0.55f, {0.1165f, 0.0852f, 0.0446f}},  {2.4f, 250, 2.2f, 0.1f, {0.5958f, 0.5890f, 0.5889f}},
        {2.4f, 400, 1.3f, 0.8f, {0.0024f, 0.0906f, 0.1730f}},  {2.4f, 900, 1.33f, 0.3f, {0.2382f, 0.2760f, 0.1959f}},
        {2.4f, 2000, 1.7f, 1.0f, {0.0938f, 0.0930f, 0.0921f}}, {0.75f, 80, 2.2f, 0.3f, {0.4535f, 0.4491f, 0.4149f}},
        {0.75f, 250, 1.3f, 1.0f, {0.0065f, 0.0690f, 0.1494f}}, {0.75f, 400, 1.33f, 0.55f, {0.2331f, 0.1392f, 0.0619f}},
        {0.75f, 900, 1.7f, 0.1f, {0.6030f, 0.5908f, 0.5913f}}, {0.75f, 2000, 1.4f, 0.8f, {0.1218f, 0.1172f, 0.1201f}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ShadingContext context;
        Scene *scene = scene_of_material((Material){.kind = MATERIAL_GLASS,
                                                    .refraction = cases[i].below,
                                                    .film = cases[i].thickness,
                                                    .film_refraction = cases[i].film},
                                         &context);
        const float *rows = context.albedos + context.materials[1].film_rows;
        assert_share("glass", i, thin_film_on_glass(rows, cases[i].cosine), cases[i].want);
        shading_context_free(&context);
        scene_destroy(&scene);
    }
}

static void films_on_metal_mirror_as_matrices_say(void **state) {
    static const struct {
        float below, colour[3], thickness, film, cosine, want[3];
    } cases[] = {
        {1.0f, {0.95f, 0.6f, 0.3f}, 40, 1.33f, 1.0f, {0.9410f, 0.4942f, 0.1604f}},
        {1.0f, {0.95f, 0.6f, 0.3f}, 150, 2.5f, 0.7f, {0.9766f, 0.2189f, 0.6195f}},
        {1.0f, {0.95f, 0.6f, 0.3f}, 600, 1.5f, 0.4f, {0.9079f, 0.5502f, 0.3201f}},
        {1.0f, {0.95f, 0.6f, 0.3f}, 2000, 1.8f, 0.15f, {0.9192f, 0.6406f, 0.5471f}},
        {2.7f, {0.55f, 0.5f, 0.42f}, 40, 2.5f, 0.4f, {0.2144f, 0.1338f, 0.1914f}},
        {2.7f, {0.55f, 0.5f, 0.42f}, 150, 1.5f, 0.15f, {0.6037f, 0.6457f, 0.5198f}},
        {2.7f, {0.55f, 0.5f, 0.42f}, 600, 1.8f, 1.0f, {0.3398f, 0.4211f, 0.3289f}},
        {2.7f, {0.55f, 0.5f, 0.42f}, 2000, 1.33f, 0.7f, {0.4553f, 0.4146f, 0.3352f}},
        {0.3f, {0.98f, 0.9f, 0.6f}, 40, 1.5f, 1.0f, {0.9732f, 0.8404f, 0.4824f}},
        {0.3f, {0.98f, 0.9f, 0.6f}, 150, 1.8f, 0.7f, {0.9769f, 0.9097f, 0.5197f}},
        {0.3f, {0.98f, 0.9f, 0.6f}, 600, 1.33f, 0.4f, {0.9716f, 0.8933f, 0.6252f}},
        {0.3f, {0.98f, 0.9f, 0.6f}, 2000, 2.5f, 0.15f, {0.9572f, 0.8631f, 0.7685f}},
        {1.0f, {0.1f, 0.02f, 0.005f}, 40, 1.8f, 0.4f, {0.0690f, 0.1435f, 0.2635f}},
        {1.0f, {0.1f, 0.02f, 0.005f}, 150, 1.33f, 0.15f, {0.3033f, 0.4278f, 0.6117f}},
        {1.0f, {0.1f, 0.02f, 0.005f}, 600, 2.5f, 1.0f, {0.2240f, 0.3579f, 0.3395f}},
        {1.0f, {0.1f, 0.02f, 0.005f}, 2000, 1.5f, 0.7f, {0.1625f, 0.1035f, 0.0973f}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ShadingContext context;
        Scene *scene = scene_of_material((Material){.kind = MATERIAL_METAL,
                                                    .specular = 1,
                                                    .refraction = cases[i].below,
                                                    .film = cases[i].thickness,
                                                    .film_refraction = cases[i].film},
                                         &context);
        const float *rows = context.albedos + context.materials[1].film_rows, *colour = cases[i].colour;
        assert_share("metal", i, thin_film_on_metal(rows, vec(colour[0], colour[1], colour[2]), cases[i].cosine),
                     cases[i].want);
        shading_context_free(&context);
        scene_destroy(&scene);
    }
}

/* Light, and the standard deviation of this mean, of the channel that has most. */
typedef struct Seen {
    Vec light;
    float error;
} Seen;

/* A ball of radius 10 under a sky of 1, seen at this cosine. */
static Seen in_furnace(Material material, Vec colour, float cosine, uint32_t samples) {
    Scene *scene = scene_of("glint-scene 1\nsphere 0 0 0 10 1 1 1\n");
    const World world = {scene};
    ShadingContext context;
    Vec sum = vec(0, 0, 0), squares = vec(0, 0, 0);
    assert_int_equal(scene_add_material(scene, material, &scene->spheres[0].material), STATUS_OK);
    scene->sky = (Sky){.kind = SKY_GRADIENT, .horizon = {1, 1, 1}, .zenith = {1, 1, 1}};
    scene->spheres[0].red = colour.x;
    scene->spheres[0].green = colour.y;
    scene->spheres[0].blue = colour.z;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    const Ray ray = ray_from(vec(10 * sqrtf(1 - cosine * cosine), 0, 50), vec(0, 0, -1));
    for (uint32_t i = 0; i < samples; i++) {
        const Vec light = path_radiance(&world, &context, ray, i, 7, DEPTH_ENDLESS);
        sum = vec_along(sum, 1 / (float)samples, light);
        squares = vec_along(squares, 1 / (float)samples, vec_each(light, light));
    }
    shading_context_free(&context);
    scene_destroy(&scene);
    const float spread = vec_max(vec_minus(squares, vec_each(sum, sum)));
    return (Seen){sum, sqrtf(fmaxf(spread, 0) / (float)samples)};
}

/* Polished metal sends on what its film mirrors, for paths as for tables: rows 2 and 7 of the metals above. */
static void paths_see_films_on_metal(void **state) {
    const Material polished = {
        .kind = MATERIAL_METAL, .specular = 1, .refraction = 1, .film = 150, .film_refraction = 2.5f};
    const Material rough = {.kind = MATERIAL_METAL,
                            .specular = 1,
                            .roughness = 0.05f,
                            .refraction = 2.7f,
                            .film = 600,
                            .film_refraction = 1.8f};
    (void)state;
    assert_share("polished metal", 1, in_furnace(polished, vec(0.95f, 0.6f, 0.3f), 0.7f, 64).light,
                 (const float[3]){0.9766f, 0.2189f, 0.6195f});
    assert_share("rough metal", 6, in_furnace(rough, vec(0.55f, 0.5f, 0.42f), 1, 1 << 12).light,
                 (const float[3]){0.3398f, 0.4211f, 0.3289f});
}

/* Filmed glass splits light and takes none: the ball cannot be seen in a furnace. Nor can white metal. */
static void filmed_balls_hide_in_a_furnace(void **state) {
    static const float indices[] = {1.5f, 1, 0.75f}, roughnesses[] = {0, 0.3f, 1};
    (void)state;
    for (int i = 0; i < 18; i++) {
        const Material glass = {.kind = i < 9 ? MATERIAL_GLASS : MATERIAL_METAL,
                                .specular = 1,
                                .roughness = roughnesses[i % 3],
                                .refraction = indices[i / 3 % 3],
                                .transmittance = 1,
                                .film = 320,
                                .film_refraction = 1.8f};
        for (int k = 1; k < 4; k++) {
            const Seen seen = in_furnace(glass, vec(1, 1, 1), 0.3f * (float)k, 1 << 14);
            const Vec got = seen.light;
            const float apart = fmaxf(fabsf(got.x - 1), fmaxf(fabsf(got.y - 1), fabsf(got.z - 1)));
            if (!(apart < 4 * seen.error + 2e-3f))
                fail_msg("%s of roughness %g, index %g: %g %g %g", i < 9 ? "glass" : "metal", (double)glass.roughness,
                         (double)glass.refraction, (double)got.x, (double)got.y, (double)got.z);
        }
    }
}

/* Whatever the film: coloured metal sends on less than it gets. */
static void films_add_no_light(void **state) {
    (void)state;
    for (int i = 0; i < 24; i++) {
        const Material metal = {.kind = MATERIAL_METAL,
                                .specular = 1,
                                .roughness = (float)(i % 4) / 3,
                                .refraction = 0.3f + 0.4f * (float)(i % 6),
                                .film = 60 * (float)(i + 1),
                                .film_refraction = 1.2f + 0.1f * (float)i};
        const Vec got = in_furnace(metal, vec(0.99f, 0.7f, 0.2f), 0.1f + 0.035f * (float)i, 1 << 12).light;
        if (!(vec_max(got) <= 1.002f && fminf(got.x, fminf(got.y, got.z)) >= 0))
            fail_msg("film %d: %g %g %g", i, (double)got.x, (double)got.y, (double)got.z);
    }
}

/* Lacquer lies above the film, and what is diffuse has none. */
/* Without refraction all light is mirrored. Directions that no light goes have a share of 0, not 0 times infinity. */
static void ways_that_no_light_goes_have_no_share(void **state) {
    const float film = 0;
    const Vec through = path_split(&film, vec(1, 1, 1), true), mirrored = path_split(&film, vec(0, 0, 0), false);
    (void)state;
    assert_true(through.x == 0 && through.y == 0 && through.z == 0);
    assert_true(mirrored.x == 0 && mirrored.y == 0 && mirrored.z == 0);
}

/* A film of index 1 is air: glass below mirrors all light that grazes it. */
static void films_of_air_mirror_light_that_grazes(void **state) {
    ShadingContext context;
    Scene *scene = scene_of_material(
        (Material){.kind = MATERIAL_GLASS, .refraction = 1.5f, .film = 100, .film_refraction = 1}, &context);
    const float *rows = context.albedos + context.materials[1].film_rows;
    (void)state;
    assert_share("air", 0, thin_film_on_glass(rows, 0), (const float[]){1, 1, 1});
    shading_context_free(&context);
    scene_destroy(&scene);
}

static void films_are_of_metal_and_glass_alone(void **state) {
    (void)state;
    const Material plain = {.kind = MATERIAL_DIFFUSE, .diffuse = 1, .refraction = 1, .film = 300, .film_refraction = 2};
    const Vec got = in_furnace(plain, vec(0.5f, 0.25f, 1), 0.8f, 64).light;
    assert_true(near(got.x, 0.5f, 1e-4f) && near(got.y, 0.25f, 1e-4f) && near(got.z, 1, 1e-4f));
}

/* The last numbers of a material are its film, and they are written back. */
static void files_have_films(void **state) {
    (void)state;
    char text[512];
    Scene *scene = scene_of("glint-scene 2\nmaterial metal 0 1 0 0 1 0 0 0 0 320 1.5\nmaterial glass 0 1 0 0 1 1 0\n");
    assert_true(scene->materials[1].film == 320 && scene->materials[1].film_refraction == 1.5f);
    assert_true(scene->materials[2].film == 0);
    scene_format(scene, text, sizeof text);
    assert_non_null(strstr(text, "material metal 0 1 0 0 1 0 0 0 0 320 1.5\n"));
    assert_non_null(strstr(text, "material glass 0 1 0 0 1 1 0\n"));
    scene_destroy(&scene);
}

static void files_say_where_films_are_wrong(void **state) {
    (void)state;
    assert_refused("scene", "glint-scene 2\nmaterial metal 1 1 1 1 1 1 1 1 0 2001 1",
                   "t:2:34: \"2001\", want film, a number from 0 to 2000");
    assert_refused("scene", "glint-scene 2\nmaterial metal 1 1 1 1 1 1 1 1 0 1 .9",
                   "t:2:36: \".9\", want film's refraction, a number from 1");
    assert_refused("scene", "glint-scene 2\nmaterial metal 1 1 1 1 1 1 1 1 0 1 1 1",
                   "t:2:38: \"1\", want the end of the line: a material");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(films_on_glass_mirror_as_matrices_say),
        cmocka_unit_test(films_on_metal_mirror_as_matrices_say),
        cmocka_unit_test(paths_see_films_on_metal),
        cmocka_unit_test(filmed_balls_hide_in_a_furnace),
        cmocka_unit_test(films_add_no_light),
        cmocka_unit_test(ways_that_no_light_goes_have_no_share),
        cmocka_unit_test(films_of_air_mirror_light_that_grazes),
        cmocka_unit_test(films_are_of_metal_and_glass_alone),
        cmocka_unit_test(files_have_films),
        cmocka_unit_test(files_say_where_films_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
