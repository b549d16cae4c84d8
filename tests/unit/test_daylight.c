/* test_daylight.c: the sky and the sun of days. Luminances and colours are by sums in Python, and the sun is that of
 * pvlib 0.16.1, a model of its own. tests/unit/daylight.py prints both. */
#include "core/math/sky.h"
#include "core/scene/atmosphere.h"
#include "core/scene/daylight.h"
#include "core/scene/scene_parts.h"
#include "core/scene/scene_text.h"
#include "core/scene/sky.h"

#include "tests/unit/scene_fixture.h"

#include <math.h>

#define WHITE 31.8309886f /* kcd / m2 */

static void assert_light(const char *what, Vec got, Vec want, float within) {
    const Vec apart = {got.x - want.x, got.y - want.y, got.z - want.z};
    if (!(fabsf(apart.x) <= within * want.x && fabsf(apart.y) <= within * want.y && fabsf(apart.z) <= within * want.z))
        fail_msg("%s: %g %g %g, want %g %g %g", what, (double)got.x, (double)got.y, (double)got.z, (double)want.x,
                 (double)want.y, (double)want.z);
}

static SkyImage sky_of(const Daylight *day) {
    SkyImage sky;
    assert_int_equal(sky_of_day(day, &sky), STATUS_OK);
    return sky;
}

/* The rows are printed by tests/unit/daylight.py, whose sums are independent of glint's. */
static void sky_is_as_summed(void **state) {
    (void)state;
    static const struct {
        Daylight day;
        float altitude, azimuth; /* of the direction, degrees */
        Vec light;               /* linear sRGB, kcd / m2 */
        float within;
    } cases[] = {
        {{60, 2, 0.2f, 0}, 80, 90, {3.6485f, 4.6253f, 7.0622f}, 0.01f},
        {{60, 2, 0.2f, 0}, 20, 20, {6.3133f, 8.0569f, 11.731f}, 0.01f},
        {{60, 2, 0.2f, 0}, 20, 90, {3.6305f, 5.0819f, 8.313f}, 0.01f},
        {{60, 2, 0.2f, 0}, 40, 180, {1.9892f, 2.9398f, 5.387f}, 0.01f},
        {{60, 2, 0.2f, 0}, 2, 0, {12.909f, 12.567f, 12.639f}, 0.01f},
        {{60, 2, 0.2f, 0}, 2, 180, {8.3224f, 8.6886f, 9.6418f}, 0.01f},
        {{80, 10, 0.5f, 0}, 80, 90, {46.277f, 43.475f, 40.282f}, 0.035f},
        {{80, 10, 0.5f, 0}, 20, 20, {19.232f, 17.827f, 16.053f}, 0.035f},
        {{80, 10, 0.5f, 0}, 20, 90, {18.101f, 16.931f, 15.427f}, 0.035f},
        {{80, 10, 0.5f, 0}, 40, 180, {14.95f, 15.035f, 15.487f}, 0.035f},
        {{80, 10, 0.5f, 0}, 2, 0, {19.759f, 16.24f, 12.317f}, 0.035f},
        {{80, 10, 0.5f, 0}, 2, 180, {19.035f, 15.715f, 11.983f}, 0.035f},
        {{20, 3, 0.2f, 0}, 80, 90, {1.461f, 1.9613f, 3.0858f}, 0.01f},
        {{20, 3, 0.2f, 0}, 20, 20, {21.431f, 20.617f, 18.534f}, 0.01f},
        {{20, 3, 0.2f, 0}, 20, 90, {2.9658f, 3.7421f, 5.0373f}, 0.01f},
        {{20, 3, 0.2f, 0}, 40, 180, {1.6684f, 2.3805f, 3.8405f}, 0.01f},
        {{20, 3, 0.2f, 0}, 2, 0, {46.549f, 34.097f, 20.523f}, 0.01f},
        {{20, 3, 0.2f, 0}, 2, 180, {4.3945f, 4.176f, 3.8561f}, 0.01f},
        {{-4, 2, 0.2f, 0}, 80, 90, {0.0048317f, 0.008461f, 0.019877f}, 0.045f},
        {{-4, 2, 0.2f, 0}, 20, 20, {0.028251f, 0.041603f, 0.070178f}, 0.045f},
        {{-4, 2, 0.2f, 0}, 20, 90, {0.010705f, 0.016673f, 0.032368f}, 0.045f},
        {{-4, 2, 0.2f, 0}, 40, 180, {0.0077243f, 0.012455f, 0.026262f}, 0.045f},
        {{-4, 2, 0.2f, 0}, 2, 0, {0.050994f, 0.024835f, 0.01727f}, 0.045f},
        {{-4, 2, 0.2f, 0}, 2, 180, {0.0056331f, 0.0081104f, 0.013696f}, 0.045f},
        {{5, 4, 0.2f, 0}, 80, 90, {0.53121f, 0.68066f, 0.98283f}, 0.035f},
        {{5, 4, 0.2f, 0}, 20, 20, {4.7992f, 3.478f, 2.2453f}, 0.035f},
        {{5, 4, 0.2f, 0}, 20, 90, {1.0632f, 1.1647f, 1.2823f}, 0.035f},
        {{5, 4, 0.2f, 0}, 40, 180, {0.73869f, 0.98236f, 1.3562f}, 0.035f},
        {{5, 4, 0.2f, 0}, 2, 0, {9.1487f, 3.1946f, 0.59929f}, 0.035f},
        {{5, 4, 0.2f, 0}, 2, 180, {0.80677f, 0.63261f, 0.50553f}, 0.035f},
        {{15, 3, 0.3f, 10000}, 80, 90, {0.14292f, 0.28443f, 0.72657f}, 0.01f},
        {{15, 3, 0.3f, 10000}, 20, 20, {0.63245f, 1.2322f, 2.9246f}, 0.01f},
        {{15, 3, 0.3f, 10000}, 20, 90, {0.37777f, 0.75459f, 1.8814f}, 0.01f},
        {{15, 3, 0.3f, 10000}, 40, 180, {0.25663f, 0.50746f, 1.2638f}, 0.01f},
        {{15, 3, 0.3f, 10000}, 2, 0, {3.5946f, 6.5387f, 12.142f}, 0.01f},
        {{15, 3, 0.3f, 10000}, 2, 180, {3.3481f, 6.196f, 11.633f}, 0.01f},
        {{15, 3, 0.3f, 10000}, -30, 60, {3.7547f, 3.9159f, 4.7421f}, 0.01f},
    };
    const float degree = PI_F / 180;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SkyImage sky = sky_of(&cases[i].day);
        const float level = cosf(cases[i].altitude * degree), turn = cases[i].azimuth * degree;
        const Vec way = vec(sinf(turn) * level, sinf(cases[i].altitude * degree), -cosf(turn) * level);
        assert_light("sky", vec_times(sky_lookup(&sky, way), WHITE), cases[i].light, cases[i].within);
        sky_free(&sky);
    }
}

/* Rows are of SPECTRL2 (R. Bird and C. Riordan, 1986), whose haze has the longer way of REST2 (C. Gueymard, 2008): 5.70
 * times the upward one at 10 degrees. Air of that model has 5.59, and haze of glint 5.72. The bounds come from the
 * air. Bird's upward depth is 1.1 % more at 450 nm, and the way through it 0.6 % longer at 10 degrees and 1.6 % at 5.
 * Times a depth of 1.2 and 2.3, these make 2 and 6 % of blue, and less of red and green. */
static void sun_is_as_others_have_it(void **state) {
    (void)state;
    static const struct {
        float altitude, turbidity;
        Vec light; /* linear sRGB, klx */
        float within;
    } cases[] = {
        {90, 2, {121.54f, 103.95f, 86.77f}, 0.01f},  {60, 2, {118.28f, 100.29f, 81.945f}, 0.01f},
        {45, 3, {100.64f, 81.768f, 61.623f}, 0.01f}, {20, 3, {68.477f, 49.487f, 28.857f}, 0.01f},
        {10, 4, {21.22f, 10.996f, 3.1816f}, 0.02f},  {5, 2, {24.233f, 11.392f, 2.1906f}, 0.06f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Light sun = daylight_sun(&(Daylight){cases[i].altitude, cases[i].turbidity, 0, 0}, 90);
        const Vec got = vec(sun.colour.red * WHITE, sun.colour.green * WHITE, sun.colour.blue * WHITE);
        assert_light("sun", got, cases[i].light, cases[i].within);
        assert_true(fabsf(sun.at.z) < 1e-6f && sun.at.x > 0 && sun.angle == SUN_ANGLE_DEFAULT);
        assert_true(fabsf(atan2f(sun.at.y, sun.at.x) * 180 / PI_F - cases[i].altitude) < 1e-3f);
    }
}

/* The shares of light that pass, by closed forms. Upwards it is exp(-depth). Along the horizon, half of the sun's disc
 * is seen. Depth is longer there by Chapman's function, sqrt(pi x / 2) (1 + 3 / (8 x)). Its x is the Earth's radius
 * divided by the height in which density falls by e. Bands 0 and 20 have no ozone. */
static void depths_are_closed_forms(void **state) {
    (void)state;
    static const struct {
        double turbidity, up;
        int band;
        double share, within;
    } cases[] = {
        {2, 1, 0, 0.543863, 1e-4},   {2, 1, 9, 0.798959, 1e-4},    {2, 1, 20, 0.916252, 1e-4},
        {6, 1, 0, 0.284371, 1e-4},   {6, 1, 9, 0.540034, 1e-4},    {6, 1, 20, 0.710306, 1e-4},
        {2, 0, 0, 2.3953e-14, 1e-3}, {2, 0, 20, 6.32336e-4, 1e-3}, {6, 0, 20, 5.04541e-14, 1e-3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float share[AIR_BANDS];
        atmosphere_sunbeam(0, cases[i].up, cases[i].turbidity, share);
        const double got = (double)share[cases[i].band];
        if (!(fabs(got - cases[i].share) <= cases[i].within * cases[i].share))
            fail_msg("row %zu: %g, want %g", i, got, cases[i].share);
    }
    float below[AIR_BANDS];
    atmosphere_sunbeam(0, -0.0047, 2, below); /* the whole disc has set */
    for (int k = 0; k < AIR_BANDS; k++)
        assert_true(!(below[k] > 0));
}

static double luminance_of(Vec light) {
    return 1e3 * (double)WHITE * (double)vec_luminance(light);
}

/* Sun and sky light the ground as P. Seidelmann, Explanatory Supplement to the Astronomical Almanac, 1992, has it from
 * measurements: the logarithms of lx, as polynomials of the sun's altitude. */
static void ground_is_as_light_as_measured(void **state) {
    (void)state;
    static const struct {
        float altitude;
        double lux, within;
    } cases[] = {{60, 103100, 0.05}, {45, 77850, 0.08}, {20, 27380, 0.18}, {10, 11120, 0.05}, {5, 4538, 0.08},
                 {0, 759, 0.05},     {-4, 29.9, 0.37},  {-6, 3.41, 0.31},  {-9, 0.116, 0.31}, {-12, 0.00806, 0.05}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Daylight day = {cases[i].altitude, 3, 0.2f, 0};
        SkyImage sky = sky_of(&day);
        const Light sun = daylight_sun(&day, 0);
        double falls = luminance_of(vec(sun.colour.red, sun.colour.green, sun.colour.blue)) * fmax((double)sun.at.y, 0);
        for (uint32_t y = 0; y < DAYLIGHT_HEIGHT / 2; y++) {
            const double zenith = (double)PI_F * (y + 0.5) / DAYLIGHT_HEIGHT;
            for (uint32_t x = 0; x < DAYLIGHT_WIDTH; x++)
                falls += luminance_of(sky.texels[y * DAYLIGHT_WIDTH + x]) * cos(zenith) * sin(zenith) * 2 *
                         (double)PI_F * (double)PI_F / (DAYLIGHT_WIDTH * DAYLIGHT_HEIGHT);
        }
        if (!(fabs(falls - cases[i].lux) <= cases[i].within * cases[i].lux))
            fail_msg("%g degrees: %g lx, want %g", (double)cases[i].altitude, falls, cases[i].lux);
        sky_free(&sky);
    }
}

/* From 10 km, the horizon is 3.2 degrees below the eye. The air above it is bright, the ground below dimmed by air. */
static void horizons_sink_with_height(void **state) {
    (void)state;
    SkyImage sky = sky_of(&(Daylight){40, 2, 0, 10000});
    const float degree = PI_F / 180;
    const Vec above = sky_lookup(&sky, vec(cosf(-2 * degree), sinf(-2 * degree), 0));
    const Vec below = sky_lookup(&sky, vec(0, -1, 0)), zenith = sky_lookup(&sky, vec(0, 1, 0));
    assert_true(below.z > 0 && below.z < 0.5f * above.z && zenith.z < 0.3f * above.z && zenith.z > 2 * zenith.x);
    sky_free(&sky);
}

/* The ground sends back its share of what sky and sun give it, in all directions alike. */
static void ground_is_lit_by_its_sky(void **state) {
    (void)state;
    const Daylight day = {30, 3, 0.5f, 0};
    SkyImage sky = sky_of(&day);
    const Light sun = daylight_sun(&day, 0);
    const Vec ground = sky_lookup(&sky, vec(0, -1, 0));
    enum { STEPS = 400 };
    double falls = (double)sun.colour.green * (double)sun.at.y;
    for (int y = 0; y < STEPS; y++) /* by equal areas of the disc below: each has as much of the cosine */
        for (int x = 0; x < STEPS; x++) {
            const float up = sqrtf(((float)y + 0.5f) / STEPS), turn = 2 * PI_F * ((float)x + 0.5f) / STEPS;
            const float level = sqrtf(1 - up * up);
            falls += (double)sky_lookup(&sky, vec(sinf(turn) * level, up, cosf(turn) * level)).y * (double)PI_F /
                     (STEPS * STEPS);
        }
    assert_true(fabs((double)ground.y - 0.5 * falls / (double)PI_F) < 0.002 * (double)ground.y);
    assert_true(sky_lookup(&sky, vec(0.8f, -0.6f, 0)).y == ground.y);
    sky_free(&sky);
}

static void files_have_days(void **state) {
    (void)state;
    Scene *scene = parse_as("scene", "glint-scene 2\nlight point 1 2 3 4 4 4\nsky day 25.1 140 2.5 0.3\n");
    const Daylight day = {25.1f, 2.5f, 0.3f, 0};
    const Light sun = daylight_sun(&day, 140);
    assert_int_equal(scene->sky.kind, SKY_IMAGE);
    assert_string_equal(scene->sky_file, "day=altitude=25.1:turbidity=2.5:albedo=0.3");
    assert_true(scene->sky.azimuth == 140 && scene->light_count == 2);
    assert_memory_equal(&scene->lights[0], &sun, sizeof sun);
    char *text = text_of(scene);
    assert_non_null(strstr(text, "sky day 25.1 140 2.5 0.3\nlight point 1 2 3 4 4 4\n"));
    Scene *again = parse_as("scene", text);
    assert_same_scene(scene, again);
    free(text);
    scene_destroy(&again);
    scene->lights[0].angle = 2; /* no longer the day's sun */
    text = text_of(scene);
    again = parse_as("scene", text);
    assert_same_scene(scene, again);
    free(text);
    scene_destroy(&again);
    scene_destroy(&scene);
    scene = parse_as("scene", "glint-scene 2\nsky day -7.5 140 2.5 0.3 8848\n");
    assert_string_equal(scene->sky_file, "day=altitude=-7.5:turbidity=2.5:albedo=0.3:height=8848");
    text = text_of(scene);
    assert_non_null(strstr(text, "sky day -7.5 140 2.5 0.3 8848\n"));
    again = parse_as("scene", text);
    assert_same_scene(scene, again);
    free(text);
    scene_destroy(&again);
    scene_destroy(&scene);
    scene = parse_as("scene", "glint-scene 2\nsky day 90 -12.5\n");
    assert_string_equal(scene->sky_file, "day=altitude=90:turbidity=3:albedo=0.2");
    scene_destroy(&scene);
    static const char *const wrong[][2] = {
        {"91 0", "t:2:9: \"91\", want altitude, a number from -18 to 90"},
        {"9", "t:2:10: the line ends, want azimuth"},
        {"9 0 1.9", "t:2:13: \"1.9\", want turbidity, a number from 2 to 10"},
        {"9 0 2 2", "t:2:15: \"2\", want albedo, a number from 0 to 1"},
        {"9 0 2 1 6e5", "t:2:17: \"6e5\", want height, a number from 0 to 60000"},
        {"9 0 2 1 1 1", "t:2:19: \"1\", want the end of the line"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[80];
        snprintf(line, sizeof line, "glint-scene 2\nsky day %s", wrong[i][0]);
        assert_refused("scene", line, wrong[i][1]);
    }
}

/* The image is there once a scene is opened. */
static void opened_days_have_their_sky(void **state) {
    (void)state;
    static const char path[] = "day.scene";
    static const struct {
        const char *sky, *message; /* NULL: it is opened */
    } cases[] = {{"day 20 30", NULL},
                 {"image \"day=20:turbidity=4\" 30", NULL},
                 {"image \"day=turbidity=1\"", "turbidity is 1, want 2 to 10"},
                 {"image \"day=noon\"", "the sky \"day=noon\": "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Scene *scene = NULL;
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "glint-scene 2\nsky %s\n", cases[i].sky);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(scene_open(path, &scene), cases[i].message ? STATUS_INPUT : STATUS_OK);
        if (cases[i].message)
            assert_message_has(cases[i].message);
        else
            assert_true(scene->sky_image.width == DAYLIGHT_WIDTH && scene->sky.azimuth == 30);
        scene_destroy(&scene);
    }
    assert_int_equal(remove(path), 0);
}

static void changes_make_days(void **state) {
    (void)state;
    Scene *base = open_scene("spheres=count=3"), *copy;
    assert_int_equal(scene_copy(base, &copy), STATUS_OK);
    assert_int_equal(scene_text_apply("spheres=count=3,day=altitude=10:azimuth=80", copy, base), STATUS_OK);
    assert_true(copy->sky.kind == SKY_IMAGE && copy->sky_image.texels && copy->sky.azimuth == 80);
    assert_true(copy->light_count == 1 && fabsf(copy->lights[0].at.y - 0.17364818f) < 1e-6f);
    assert_int_equal(scene_text_apply("spheres=count=3,day=altitude=60,sun=strength=0", copy, base), STATUS_OK);
    assert_true(copy->light_count == 1 && copy->lights[0].colour.red == 0 && copy->sky.azimuth == 80);
    assert_string_equal(copy->sky_file, "day=altitude=60:turbidity=3:albedo=0.2");
    assert_true(base->sky.kind == SKY_NONE && !base->sky_image.texels && base->light_count == 0);
    Scene *second; /* which borrows the first one's */
    assert_int_equal(scene_copy(copy, &second), STATUS_OK);
    assert_ptr_equal(second->sky_image.texels, copy->sky_image.texels);
    assert_int_equal(scene_text_apply("x.scene,day=altitude=5", second, copy), STATUS_OK);
    assert_ptr_not_equal(second->sky_image.texels, copy->sky_image.texels);
    scene_copy_free(copy, &second);
    assert_true(copy->sky_image.texels[0].x > 0);
    scene_copy_free(base, &copy);
    scene_destroy(&base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sky_is_as_summed),
        cmocka_unit_test(depths_are_closed_forms),
        cmocka_unit_test(ground_is_as_light_as_measured),
        cmocka_unit_test(horizons_sink_with_height),
        cmocka_unit_test(sun_is_as_others_have_it),
        cmocka_unit_test(ground_is_lit_by_its_sky),
        cmocka_unit_test(files_have_days),
        cmocka_unit_test(opened_days_have_their_sky),
        cmocka_unit_test(changes_make_days),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
