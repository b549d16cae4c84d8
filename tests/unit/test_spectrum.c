/* test_spectrum.c: colours of black bodies, and where scenes take them. The colours are those of colour-science 0.4.7:
 * sd_blackbody, sd_to_XYZ over 360 to 830 nm by 1 nm, and matrix_XYZ_to_RGB of sRGB. */
#include "core/scene/scene_text.h"
#include "core/scene/spectrum.h"

#include "tests/unit/scene_fixture.h"

#include <math.h>

static bool close_to(Colour a, Colour b, float within) {
    return fabsf(a.red - b.red) <= within && fabsf(a.green - b.green) <= within && fabsf(a.blue - b.blue) <= within;
}

static void black_bodies_have_their_colours(void **state) {
    (void)state;
    static const struct {
        double kelvin;
        Colour colour;
    } cases[] = {
        {1000, {1.0000f, 0.0088f, 0.0000f}},  {1500, {1.0000f, 0.1331f, 0.0000f}}, {2000, {1.0000f, 0.2568f, 0.0081f}},
        {2856, {1.0000f, 0.4479f, 0.1265f}},  {4000, {1.0000f, 0.6537f, 0.3773f}}, {5000, {1.0000f, 0.7917f, 0.6283f}},
        {5778, {1.0000f, 0.8773f, 0.8218f}},  {6500, {1.0000f, 0.9429f, 0.9922f}}, {10000, {0.6093f, 0.6952f, 1.0000f}},
        {40000, {0.3425f, 0.4804f, 1.0000f}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Colour got = black_body(cases[i].kelvin);
        if (!close_to(got, cases[i].colour, 0.002f)) /* half a code value of a byte */
            fail_msg("%g K: %g %g %g", cases[i].kelvin, (double)got.red, (double)got.green, (double)got.blue);
    }
    const Colour coldest = black_body(KELVIN_MIN), hottest = black_body(KELVIN_MAX);
    assert_true(close_to(coldest, (Colour){1, 0, 0}, 0) && hottest.blue == 1 && hottest.red > 0.29f);
}

static void files_have_temperatures(void **state) {
    (void)state;
    Scene *scene = parse_as("scene", "glint-scene 2\nlight point 1 2 3 2856K*8 # warm\nsphere 0 0 0 1 10000K*0.5\n"
                                     "sky gradient 1 2 3 2000K\nground 0 1 5000K .1 .2 .3\n");
    assert_true(close_to(scene->lights[0].colour, (Colour){8, 8 * 0.4479f, 8 * 0.1265f}, 0.016f));
    const Sphere *sphere = &scene->spheres[0];
    assert_true(close_to((Colour){sphere->red, sphere->green, sphere->blue}, (Colour){0.3047f, 0.3476f, 0.5f}, 0.001f));
    assert_true(scene->sky.horizon.blue == 3 && close_to(scene->sky.zenith, (Colour){1, 0.2568f, 0.0081f}, 0.002f));
    assert_true(close_to(scene->ground.even, (Colour){1, 0.7917f, 0.6283f}, 0.002f) && scene->ground.odd.blue == 0.3f);
    char *text = text_of(scene);
    Scene *again = parse_as("scene", text);
    assert_same_scene(scene, again);
    free(text);
    scene_destroy(&again);
    scene_destroy(&scene);
}

static void wrong_temperatures_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"499K", "2e6K", "3000Kx", "3000K*", "3000K*1.5", "3000K*-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[80], message[80];
        snprintf(text, sizeof text, "glint-scene 2\nsphere 0 0 0 1 %s\n", wrong[i]);
        snprintf(message, sizeof message, "t:2:16: \"%s\", want a temperature from 500K to 1e6K", wrong[i]);
        assert_refused("scene", text, message);
    }
    assert_refused("scene", "glint-scene 2\nsphere 3000K 0 0 1 1 1 1\n", "want x, a number");
    assert_refused("scene", "glint-scene 2\nsphere 0 0 0 1 1 3000K\n", "want green, a number");
    assert_refused("scene", "glint-scene 1\nsphere 0 0 0 1 3000K\n", "want red, a number from 0 to 1");
    assert_refused("nff", "l 0 0 0 3000K\n", "t:1:9:");
}

static void changes_have_temperatures(void **state) {
    (void)state;
    Scene *scene = parse_as("scene", "glint-scene 2\nsphere 0 0 0 1 1 1 1\nlight point 0 9 0 5 5 5\n");
    const char *text = "x.scene,sphere=1:kelvin=10000,lamp=1:kelvin=2000:strength=3,sun=kelvin=5778:strength=2";
    assert_int_equal(scene_text_apply(text, scene, NULL), STATUS_OK);
    const Sphere *sphere = &scene->spheres[0];
    assert_true(close_to((Colour){sphere->red, sphere->green, sphere->blue}, (Colour){0.6093f, 0.6952f, 1}, 0.002f));
    assert_true(close_to(scene->lights[0].colour, (Colour){3, 0.7704f, 0.0243f}, 0.006f));
    assert_true(close_to(scene->lights[1].colour, (Colour){2, 1.7546f, 1.6436f}, 0.004f));
    scene_destroy(&scene);
}

/* Values beyond the range take its ends; what is missing is gray. */
static void particles_shine_by_temperature(void **state) {
    (void)state;
    static const char path[] = "hot.csv";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x,y,z,t\n0,0,0,1000\n2,0,0,2000\n4,0,0,10000\n6,0,0,50000\n8,0,0,\n", file);
    assert_int_equal(fclose(file), 0);
    Scene *scene = open_scene("hot.csv:radius=1:color=t:map=kelvin:range=1000:10000:emission=3");
    static const Colour want[] = {
        {1, 0.0088f, 0}, {1, 0.2568f, 0.0081f}, {0.6093f, 0.6952f, 1}, {0.6093f, 0.6952f, 1}, {0.8f, 0.8f, 0.8f}};
    assert_int_equal(scene->count, 5);
    for (size_t i = 0; i < 5; i++) {
        const Sphere *s = &scene->spheres[i];
        if (!close_to((Colour){s->red, s->green, s->blue}, want[i], 0.004f)) /* the map has steps of 9 K */
            fail_msg("sphere %zu: %g %g %g", i, (double)s->red, (double)s->green, (double)s->blue);
        assert_int_equal(scene->materials[s->material].kind, MATERIAL_LIGHT);
        assert_true(scene->materials[s->material].emission == 3);
    }
    scene_destroy(&scene);
    scene = open_scene("hot.csv:radius=1:color=t:map=kelvin");
    assert_int_equal(scene->material_count, 1);
    scene_destroy(&scene);
    assert_int_equal(remove(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(black_bodies_have_their_colours), cmocka_unit_test(files_have_temperatures),
        cmocka_unit_test(wrong_temperatures_are_refused),  cmocka_unit_test(changes_have_temperatures),
        cmocka_unit_test(particles_shine_by_temperature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
