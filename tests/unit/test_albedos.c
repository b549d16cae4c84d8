/* test_albedos.c: the shares of light that rough surfaces send on. They are held against integrals over all directions
 * by the definitions of Walter et al. (2007), in double precision. */
#include "core/scene/albedos.h"

#include "tests/check.h"

#include "core/device/backend.h"
#include "core/device/cache.h"
#include "core/math/albedo.h"
#include "core/scene/shading_context.h"
#include "cpu/backend.h"
#include "cpu/trace/lighting.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Smith's masking for GGX (equation 34), and its distribution of facets (equation 33). */
static double masking(double cosine, double alpha) {
    return 2 / (1 + sqrt(1 + alpha * alpha * (1 / (cosine * cosine) - 1)));
}
static double facets(double cosine, double alpha) {
    const double width = cosine * cosine * (alpha * alpha - 1) + 1;
    return alpha * alpha / (PI * width * width);
}

/* Fresnel's share by the refracted angle (equation 22). */
static double fresnel_share(double c, double index) {
    const double g = sqrt(fmax(index * index - 1 + c * c, 0)), a = (g - c) / (g + c);
    const double b = (c * (g + c) - 1) / (c * (g - c) + 1);
    return index * index - 1 + c * c > 0 ? 0.5 * a * a * (1 + b * b) : 1;
}

/* Schlick's share, straight on ((n - 1) / (n + 1))^2. */
static double schlick_share(double c, double index) {
    const double straight = pow((index - 1) / (index + 1), 2);
    return straight + (1 - straight) * pow(1 - c, 5);
}
static double all(double c, double index) {
    (void)c, (void)index;
    return 1;
}

/* The share of light that facets mirror: f cos = G D / (4 cos) over the half of all directions, where each mirrors so
 * much. `index` is the other side's by that of the direction's. */
static double mirrored(double cosine, double alpha, double (*facet)(double, double), double index) {
    enum { RINGS = 600, TURNS = 600 };
    const double sine = sqrt(1 - cosine * cosine);
    double sum = 0;
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < TURNS; k++) {
            const double up = (i + 0.5) / RINGS, turn = PI * (k + 0.5) / TURNS, level = sqrt(1 - up * up);
            const double x = level * cos(turn) + sine, y = level * sin(turn), z = up + cosine;
            const double length = sqrt(x * x + y * y + z * z), along = (sine * x + cosine * z) / length;
            sum += masking(cosine, alpha) * masking(up, alpha) * facets(z / length, alpha) / (4 * cosine) *
                   facet(along, index);
        }
    return sum * 2 * PI / (RINGS * TURNS);
}

/* The share that glass refracts (equation 21), over the other half of all directions. */
static double refracted(double cosine, double alpha, double index) {
    enum { RINGS = 1500, TURNS = 1500 };
    const double sine = sqrt(1 - cosine * cosine), sign = index > 1 ? -1 : 1;
    double sum = 0;
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < TURNS; k++) {
            const double down = (i + 0.5) / RINGS, turn = PI * (k + 0.5) / TURNS, level = sqrt(1 - down * down);
            const double x = sign * (sine + index * level * cos(turn)), y = sign * index * level * sin(turn);
            const double z = sign * (cosine - index * down), length = sqrt(x * x + y * y + z * z);
            const double in = (sine * x + cosine * z) / length;
            const double out = (level * cos(turn) * x + level * sin(turn) * y - down * z) / length;
            if (z > 0 && in > 0 && out < 0)
                sum += in * -out / cosine * index * index * (1 - fresnel_share(in, index)) * masking(cosine, alpha) *
                       masking(down, alpha) * facets(z / length, alpha) / pow(in + index * out, 2);
        }
    return sum * 2 * PI / (RINGS * TURNS);
}

static Scene *scene_of(const Material *materials, size_t count) {
    Scene *scene;
    uint32_t index;
    assert_int_equal(scene_create("rough", 0, &scene), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(scene_add_material(scene, materials[i], &index), STATUS_OK);
    return scene;
}

static void metal_and_coats_mirror_as_defined(void **state) {
    static const float cosines[] = {0.15f, 0.4f, 0.7f, 0.95f};
    (void)state;
    for (float roughness = 0.4f; roughness < 1.1f; roughness += 0.2f) {
        const Material metal = {.kind = MATERIAL_METAL,
                                .specular = 1,
                                .roughness = roughness,
                                .refraction = 1,
                                .coat = 0.5f,
                                .coat_roughness = roughness};
        Scene *scene = scene_of(&metal, 1);
        ShadingContext context;
        assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
        const float *row = context.albedos + context.materials[1].albedos, alpha = roughness * roughness;
        for (size_t i = 0; i < sizeof cosines / sizeof cosines[0]; i++) {
            const double want = mirrored((double)cosines[i], (double)alpha, all, 1);
            const double got = (double)albedo_at(row, cosines[i], alpha);
            const double coat = mirrored((double)cosines[i], (double)alpha, schlick_share, 1.5);
            const double got_coat =
                (double)albedo_at(context.albedos + context.materials[1].coat_albedos, cosines[i], alpha);
            if (!(fabs(got - want) < 3e-3 && fabs(got_coat - coat) < 1e-3))
                fail_msg("roughness %g, cosine %g: %g, want %g; coat %g, want %g", (double)roughness,
                         (double)cosines[i], got, want, got_coat, coat);
        }
        shading_context_free(&context);
        scene_destroy(&scene);
    }
}

/* Into glass of index 1.5, or out of water, or into what is thinner than its surroundings. */
static void glass_sends_as_defined(void **state) {
    static const struct {
        float roughness, refraction, cosine;
        bool inside;
    } cases[] = {{0.4f, 1.5f, 0.9f, false}, {0.4f, 1.5f, 0.9f, true},  {0.7f, 1.5f, 0.3f, false},
                 {0.7f, 1.5f, 0.6f, true},  {1, 1.5f, 0.8f, false},    {1, 1.33f, 0.5f, true},
                 {1, 2.4f, 0.2f, false},    {0.6f, 0.75f, 0.7f, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Material glass = {
            .kind = MATERIAL_GLASS, .roughness = cases[i].roughness, .refraction = cases[i].refraction};
        Scene *scene = scene_of(&glass, 1);
        ShadingContext context;
        assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
        assert_true(context.rich);
        const float *row = context.albedos + context.materials[1].albedos + (cases[i].inside ? ALBEDO_ROW : 0);
        const double alpha = (double)(cases[i].roughness * cases[i].roughness), cosine = (double)cases[i].cosine;
        const double index = (double)(cases[i].inside ? 1 / cases[i].refraction : cases[i].refraction);
        const double want = mirrored(cosine, alpha, fresnel_share, index) + refracted(cosine, alpha, index);
        const double got = (double)albedo_at(row, cases[i].cosine, (float)alpha);
        if (!(fabs(got - want) < 3e-3))
            fail_msg("glass %zu: %g, want %g", i + 1, got, want);
        shading_context_free(&context);
        scene_destroy(&scene);
    }
}

/* Seen straight on, facets of alpha 1 mirror 1 - ln 2. G is 2 c / (1 + c), and c, the cosine of the way out, is even
 * between -1 and 1. */
static void metal_of_roughness_1_mirrors_a_logarithm(void **state) {
    (void)state;
    const Material metal = {.kind = MATERIAL_METAL, .specular = 1, .roughness = 1, .refraction = 1};
    Scene *scene = scene_of(&metal, 1);
    ShadingContext context;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    const float *row = context.albedos + context.materials[1].albedos;
    assert_true(fabs((double)albedo_at(row, 1, 1) - (1 - log(2))) < 1e-3);
    shading_context_free(&context);
    scene_destroy(&scene);
}

/* White metal gets back all that its facets lose. Grey metal gets a geometric series of it: by f = 1/2 a time, and a
 * mean of 1/2, 1/8 + 1/32 + ... = 1/6 of what is lost, where a single reflection sends 1/2. */
static void further_reflections_are_a_series(void **state) {
    (void)state;
    assert_true(fabsf(albedo_more(0.25f, 0.5f, 1) - 3) < 1e-6f);
    assert_true(fabsf(0.5f * 0.25f * albedo_more(0.25f, 0.5f, 0.5f) - 0.75f / 6) < 1e-6f);
}

/* The scene stays as it is: the rows are in materials of the context. */
static void equal_materials_share_rows(void **state) {
    (void)state;
    const Material rough = {.kind = MATERIAL_METAL, .roughness = 0.5f},
                   other = {.kind = MATERIAL_METAL, .roughness = 0.7f};
    const Material smooth = {.kind = MATERIAL_METAL}, materials[] = {smooth, rough, other, rough};
    Scene *scene = scene_of(materials, 4);
    ShadingContext context;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    assert_int_equal(context.albedo_count, 2 * ALBEDO_ROW);
    assert_int_equal(context.materials[2].albedos, context.materials[4].albedos);
    assert_int_equal(context.materials[3].albedos, ALBEDO_ROW);
    assert_int_equal(scene->materials[3].albedos, 0);
    shading_context_free(&context);
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    shading_context_free(&context);
    scene_destroy(&scene);
    scene = scene_of(&smooth, 1);
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    assert_ptr_equal(context.materials, scene->materials);
    shading_context_free(&context);
    scene_destroy(&scene);
}

/* Rows take longest, and moves leave materials as they are. */
static void moved_scenes_keep_rows(void **state) {
    (void)state;
    const Material rough = {.kind = MATERIAL_METAL, .roughness = 0.5f};
    Scene *scene = scene_of(&rough, 1);
    ShadingContext context;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    const float *rows = context.albedos, first = rows[ALBEDO_MEAN];
    assert_int_equal(shading_context_remake(scene, &context), STATUS_OK);
    assert_ptr_equal(context.albedos, rows);
    assert_true(context.albedos[ALBEDO_MEAN] == first && context.albedo_count == ALBEDO_ROW);
    assert_int_equal(context.materials[1].kind, MATERIAL_METAL);
    shading_context_free(&context);
    scene_destroy(&scene);
}

/* The CPU keeps a context from move to move, and its rows from scene to scene, as long as materials stay. */
static void devices_keep_rows_while_materials_stay(void **state) {
    (void)state;
    const Material rough = {.kind = MATERIAL_METAL, .roughness = 0.5f},
                   other = {.kind = MATERIAL_METAL, .roughness = 0.7f};
    Scene *scene = scene_of(&rough, 1), *another = scene_of(&other, 1);
    Device *device;
    Queue *queue;
    ShadingContext context;
    assert_int_equal(cpu_backend.open(0, 1, &device), STATUS_OK);
    assert_int_equal(queue_open(device, &queue), STATUS_OK);
    cache_begin(queue);
    assert_int_equal(cpu_lighting(queue, scene, &context), STATUS_OK);
    cache_end(queue);
    const float *rows = context.albedos, first = rows[ALBEDO_MEAN];
    scene->moves++;
    cache_begin(queue);
    assert_int_equal(cpu_lighting(queue, scene, &context), STATUS_OK);
    cache_end(queue);
    assert_ptr_equal(context.albedos, rows);
    cache_begin(queue);
    assert_int_equal(cpu_lighting(queue, another, &context), STATUS_OK);
    cache_end(queue);
    assert_true(fabsf(context.albedos[ALBEDO_MEAN] - first) > 1e-3f);
    queue_close(&queue);
    device_close(&device);
    scene_destroy(&scene);
    scene_destroy(&another);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metal_and_coats_mirror_as_defined),
        cmocka_unit_test(glass_sends_as_defined),
        cmocka_unit_test(metal_of_roughness_1_mirrors_a_logarithm),
        cmocka_unit_test(further_reflections_are_a_series),
        cmocka_unit_test(equal_materials_share_rows),
        cmocka_unit_test(moved_scenes_keep_rows),
        cmocka_unit_test(devices_keep_rows_while_materials_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
