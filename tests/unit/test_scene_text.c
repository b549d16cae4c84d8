/* test_scene_text.c: scenes with changes as texts, and the effects of changes. */
#include "core/scene/files/glint.h"
#include "core/scene/scene_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static Scene *opened(const char *text) {
    Scene *scene = NULL;
    if (scene_text_open(text, &scene) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return scene;
}

static const Param *param_of(ParamTable table, const char *name) {
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.params[i].name, name) == 0)
            return &table.params[i];
    fail_msg("no parameter %s", name);
    return NULL;
}

static const ScenePart *part(const char *name) {
    return scene_part_by_name(name, strlen(name));
}

static void files_may_have_commas(void **state) {
    (void)state;
    assert_int_equal(scene_text_base("spheres=count=3:seed=2,sun=azimuth=4"), strlen("spheres=count=3:seed=2"));
    assert_int_equal(scene_text_base("spheres"), strlen("spheres"));
    assert_int_equal(scene_text_base("a,b.scene"), strlen("a,b.scene"));
    assert_int_equal(scene_text_base("a,b.scene,sphere=1:red=0.5"), strlen("a,b.scene"));
    assert_int_equal(scene_text_base("photo.png,x"), strlen("photo.png,x"));
    assert_true(scene_text_recognize("cloud,sun=azimuth=4") && scene_text_recognize("a,b.nff,sky=2"));
    assert_false(scene_text_recognize("a,b.png") || scene_text_recognize("sphere=1"));
    assert_string_equal(scene_text_generator("cloud,sun=3")->name, "cloud");
    assert_null(scene_text_generator("a.scene"));
}

/* Only the parts that a change names differ from the scene without changes. */
static void a_surface_is_changed(void **state) {
    (void)state;
    Scene *plain = opened("spheres=count=9:seed=3");
    Scene *scene = opened("spheres=count=9:seed=3,sphere=7:red=0.25:material=glass:refraction=1.5");
    const Sphere *sphere = &scene->spheres[6];
    const Material *material = &scene->materials[sphere->material];
    assert_true(sphere->red == 0.25F && sphere->green == plain->spheres[6].green && sphere->x == plain->spheres[6].x);
    assert_int_equal(scene->material_count, 2);
    assert_true(material->kind == MATERIAL_GLASS && material->refraction == 1.5F && material->diffuse == 1);
    assert_memory_equal(&scene->spheres[5], &plain->spheres[5], sizeof(Sphere));
    scene_destroy(&scene);
    scene_destroy(&plain);
}

static Scene *parsed(const char *text) {
    Scene *scene = NULL;
    if (scene_parse("test.scene", text, &scene) != STATUS_OK)
        fail_msg("%s", status_message());
    return scene;
}

static void every_part_of_a_file_is_changed(void **state) {
    (void)state;
    Scene *scene = parsed("glint-scene 2\nmaterial metal 0 1 9 .5 1 0 0\n"
                          "ground 0 2 1 1 1 0 0 0\nlight sun 0 1 0 3 3 3\nlight point 1 2 3 4 2 1\n"
                          "sky gradient 1 1 1 .5 .5 1\ntriangle 0 0 0 1 0 0 0 1 0 1 1 1 1\n");
    const char *text =
        "x.scene,triangle=1:blue=0:roughness=0.25:coat=0.5:coat_roughness=0.75,ground=height=-2:odd_red=0.5,"
        "sun=azimuth=90:altitude=0:strength=2,sky=strength=4,lamp=1:y=7:strength=8";
    assert_int_equal(scene_text_apply(text, scene, NULL), STATUS_OK);
    const Material *material = &scene->materials[scene->triangles[0].material];
    assert_true(scene->triangles[0].colour.blue == 0 && scene->triangles[0].colour.red == 1);
    assert_true(material->kind == MATERIAL_METAL && material->roughness == 0.25F && material->phong_exponent == 9);
    assert_true(material->coat == 0.5F && material->coat_roughness == 0.75F);
    assert_true(scene->ground.height == -2 && scene->ground.odd.red == 0.5F && scene->ground.odd.blue == 0);
    assert_true(fabsf(scene->lights[0].at.x - 1) < 1e-6F && fabsf(scene->lights[0].at.y) < 1e-6F &&
                fabsf(scene->lights[0].at.z) < 1e-6F);
    assert_true(scene->lights[0].colour.green == 2);
    assert_true(scene->sky.horizon.red == 4 && scene->sky.zenith.red == 2);
    assert_true(scene->lights[1].at.y == 7 && scene->lights[1].at.x == 1);
    assert_true(scene->lights[1].colour.red == 8 && scene->lights[1].colour.green == 4);
    scene_destroy(&scene);
}

/* The image stays as it is; as a gradient it is not to be changed. */
static void a_sky_of_an_image_is_turned(void **state) {
    (void)state;
    Scene *scene = parsed("glint-scene 2\nsky image \"none.hdr\" 20\n");
    assert_int_equal(scene_text_apply("x.scene,sky=strength=4", scene, NULL), STATUS_USAGE);
    assert_int_equal(scene_text_apply("x.scene,environment=azimuth=-70.5", scene, NULL), STATUS_OK);
    assert_true(scene->sky.kind == SKY_IMAGE && scene->sky.azimuth == -70.5F);
    assert_string_equal(scene->sky_file, "none.hdr");
    scene_destroy(&scene);
}

/* The sun that scenes without light are shown by becomes their own, and so does the sky. */
static void scenes_without_light_get_a_sun(void **state) {
    (void)state;
    Scene *scene = opened("spheres,sun=altitude=90");
    assert_int_equal(scene->light_count, 1);
    assert_true(fabsf(scene->lights[0].at.y - 1) < 1e-6F && scene->lights[0].colour.red > 1);
    assert_int_equal(scene->sky.kind, SKY_GRADIENT);
    scene_destroy(&scene);
    scene = parsed("glint-scene 2\nlight point 0 5 0 9 9 9\nsphere 0 0 0 1 1 1 1\n");
    assert_int_equal(scene_text_apply("x.scene,sun=azimuth=10", scene, NULL), STATUS_OK); /* of strength 0 */
    assert_int_equal(scene->light_count, 1);
    assert_int_equal(scene_text_apply("x.scene,sun=strength=3", scene, NULL), STATUS_OK);
    assert_int_equal(scene->light_count, 2);
    scene_destroy(&scene);
}

/* A copy is changed, and its original is not; trees over the one are those over the other. */
static void copies_borrow(void **state) {
    (void)state;
    Scene *base = parsed("glint-scene 2\nlight sun 0 1 0 3 3 3\nsphere 0 0 0 1 1 1 1\n"
                         "triangle 0 0 0 1 0 0 0 1 0 1 1 1\n");
    Scene *copy = NULL, *other = NULL;
    assert_int_equal(scene_copy(base, &copy), STATUS_OK);
    assert_int_equal(scene_copy(base, &other), STATUS_OK);
    assert_true(copy->serial != base->serial && copy->serial != other->serial);
    assert_true(scene_geometry(copy) == scene_geometry(base) && scene_geometry(base) == base->serial);
    assert_ptr_equal(copy->triangles, base->triangles);
    assert_int_equal(scene_text_apply("x.scene,sphere=1:red=0,triangle=1:red=0,sun=strength=1", copy, base), STATUS_OK);
    assert_true(copy->spheres[0].red == 0 && copy->triangles[0].colour.red == 0 && copy->lights[0].colour.red == 1);
    assert_true(base->spheres[0].red == 1 && base->triangles[0].colour.red == 1 && base->lights[0].colour.red == 3);
    scene_copy_free(base, &copy);
    scene_copy_free(base, &other);
    scene_copy_free(base, &other); /* NULL */
    scene_destroy(&base);
}

/* Both halves of a bond keep their colours, unless the first one's changes; another radius is another geometry. */
static void cylinders_are_changed(void **state) {
    (void)state;
    Scene *base = parsed("glint-scene 2\nbond 0 0 0 1 0 0 0.5 1 0 0 0 0 1\ndisc 0 0 0 0 1 0 2 1 1 1\n"), *copy = NULL;
    assert_int_equal(scene_copy(base, &copy), STATUS_OK);
    assert_ptr_equal(copy->cylinders, base->cylinders);
    assert_int_equal(scene_text_apply("x.scene,cylinder=1:material=metal", copy, base), STATUS_OK);
    assert_int_equal(copy->materials[copy->cylinders[0].material].kind, MATERIAL_METAL);
    assert_true(copy->cylinders[0].colours[0].red == 1 && copy->cylinders[0].colours[1].blue == 1);
    assert_true(scene_geometry(copy) == scene_geometry(base));
    assert_int_equal(scene_text_apply("x.scene,cylinder=1:green=0.5,cylinder=2:radius=0.25", copy, base), STATUS_OK);
    assert_true(copy->cylinders[0].colours[1].red == 1 && copy->cylinders[0].colours[1].green == 0.5F);
    assert_true(copy->cylinders[1].radius == 0.25F && base->cylinders[1].radius == 2);
    assert_true(base->cylinders[0].material == 0 && base->cylinders[0].colours[1].blue == 1);
    assert_true(scene_geometry(copy) != scene_geometry(base));
    scene_copy_free(base, &copy);
    scene_destroy(&base);
}

static void texts_are_edited(void **state) {
    (void)state;
    const ScenePart *sphere = part("sphere"), *sun = part("sun");
    char a[SCENE_TEXT_MAX], b[SCENE_TEXT_MAX];
    const char *text = "spheres=count=9:seed=3";
    assert_int_equal(scene_text_set(text, sphere, 6, param_of(sphere->table, "red"), 0.5, a), STATUS_OK);
    assert_string_equal(a, "spheres=count=9:seed=3,sphere=7:0.5");
    assert_int_equal(scene_text_set(a, sphere, 6, param_of(sphere->table, "material"), MATERIAL_METAL, b), STATUS_OK);
    assert_string_equal(b, "spheres=count=9:seed=3,sphere=7:0.5:material=metal");
    assert_int_equal(scene_text_set(b, sun, 0, param_of(sun->table, "altitude"), 20, a), STATUS_OK);
    assert_string_equal(a, "spheres=count=9:seed=3,sphere=7:0.5:material=metal,sun=altitude=20");
    assert_int_equal(scene_text_set(a, sphere, 6, param_of(sphere->table, "red"), 0.25, b), STATUS_OK);
    assert_string_equal(b, "spheres=count=9:seed=3,sphere=7:0.25:material=metal,sun=altitude=20");
    assert_true(scene_text_changes(b, sphere, 6) && !scene_text_changes(b, sphere, 5));
    assert_int_equal(scene_text_reset(b, sphere, 6, a), STATUS_OK);
    assert_string_equal(a, "spheres=count=9:seed=3,sun=altitude=20");
    assert_int_equal(scene_text_reset(b, NULL, 0, a), STATUS_OK);
    assert_string_equal(a, text);
    const Param *count = param_of(scene_text_generator(text)->table, "count");
    assert_int_equal(scene_text_set(b, NULL, 0, count, 6, a), STATUS_OK); /* without number 7 */
    assert_string_equal(a, "spheres=6:3,sun=altitude=20");
    assert_int_equal(scene_text_merge(b, "sphere=7:blue=1,sphere=2:green=0,spheres=seed=4", a), STATUS_OK);
    assert_string_equal(a, "spheres=9:4,sphere=7:0.25:blue=1:metal,sun=altitude=20,sphere=2:green=0");
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"spheres=count=9,sphere=10:red=1", "sphere 10: there are 9"},
        {"spheres,ground=height=2", "ground: there is none to be changed"},
        {"spheres,sphere=1:red=2", "sphere: red is 2, want 0 to 1"},
        {"spheres,cube=1:red=1", "no \"cube\" in scenes to be changed; there is day, sun, sky, environment, lamp, "
                                 "sphere, triangle, cylinder, ground"},
        {"spheres,environment=azimuth=3", "environment: there is none to be changed"},
        {"spheres,sphere", "sphere: want a change, as in sphere=1:red=0.5"},
        {"spheres,sun=colour=2", "sun: no parameter \"colour\""},
    };
    Scene *scene;
    char text[SCENE_TEXT_MAX], *longest = calloc(1, SCENE_TEXT_MAX + 1);
    assert_non_null(longest);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(scene_text_open(wrong[i].text, &scene), STATUS_USAGE);
        assert_null(scene);
        assert_memory_equal(status_message(), wrong[i].why, strlen(wrong[i].why));
    }
    memset(longest, 'a', SCENE_TEXT_MAX - 1);
    memcpy(longest + SCENE_TEXT_MAX - 1 - 6, ".scene", sizeof ".scene");
    assert_int_equal(scene_text_merge(longest, "sun=azimuth=3", text), STATUS_USAGE);
    free(longest);
    assert_int_equal(scene_text_merge("a.scene", "spheres=count=3", text), STATUS_USAGE);
}

static void changes_are_told_in_words(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *words, *key;
    } cases[] = {
        {"spheres", "spheres=count=30", "spheres: count 20 → 30", "spheres count"},
        {"spheres", "cloud=9", "scene cloud=9", ""},
        {"spheres", "spheres,sphere=7:red=0.5", "sphere 7: red 0.5", "sphere 7 red"},
        {"spheres,sphere=7:red=0.5", "spheres,sphere=7:red=0.75", "sphere 7: red 0.5 → 0.75", "sphere 7 red"},
        {"spheres,sphere=7:material=metal", "spheres,sphere=7:material=glass", "sphere 7: material metal → glass",
         "sphere 7 material"},
        {"spheres,sphere=7:red=0.5", "spheres", "sphere 7: red as it was", "sphere 7 red"},
        {"spheres,sun=altitude=3", "spheres,sun=altitude=4,sphere=2:red=1", "sphere 2: red 1", "sphere 2 red"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[96], key[96];
        scene_text_describe(cases[i].from, cases[i].to, words, key, sizeof words);
        if (i + 1 < sizeof cases / sizeof cases[0]) { /* of two changes, either is told */
            assert_string_equal(words, cases[i].words);
            assert_string_equal(key, cases[i].key);
        } else {
            assert_true(strcmp(words, cases[i].words) == 0 || strcmp(words, "sun: altitude 3 → 4") == 0);
        }
    }
}

/* ---- spheres and lamps that are added, moved and removed ---- */

static void spheres_are_added_and_moved(void **state) {
    (void)state;
    Scene *scene =
        opened("spheres=count=9:seed=3,sphere=10:red=0.5:x=1:y=2:z=3:radius=4,sphere=2:x=-7,sphere=3:radius=0");
    const Sphere *made = &scene->spheres[9];
    assert_int_equal(scene->count, 10);
    assert_true(made->x == 1 && made->y == 2 && made->z == 3 && made->radius == 4);
    assert_true(made->red == 0.5F && made->green == 1 && made->blue == 1 && made->material == 0);
    assert_true(scene->spheres[1].x == -7 && scene->spheres[1].radius > 0);
    assert_true(scene->spheres[2].radius == 0 && scene->spheres[2].red > 0);
    scene_destroy(&scene);
    scene = opened("spheres=count=9:seed=3,sphere=12:radius=4"); /* 10 and 11 were removed again: none is seen */
    assert_int_equal(scene->count, 12);
    assert_true(scene->spheres[9].radius == 0 && scene->spheres[10].radius == 0 && scene->spheres[11].radius == 4);
    scene_destroy(&scene);
    assert_int_equal(scene_text_open("spheres=count=9,sphere=1010:radius=4", &scene), STATUS_USAGE);
    assert_string_equal(status_message(), "sphere 1010: there are 9, and room for 1000 more");
}

static void lamps_are_added(void **state) {
    (void)state;
    Scene *scene = opened("spheres=count=9:seed=3,lamp=1:y=5:strength=2:blue=0.5");
    assert_int_equal(scene->light_count, 1);
    assert_true(scene->lights[0].kind == LIGHT_POINT && scene->lights[0].at.y == 5 && scene->lights[0].at.x == 0);
    assert_true(scene->lights[0].colour.red == 2 && scene->lights[0].colour.blue == 1);
    scene_destroy(&scene);
    assert_int_equal(scene_text_open("spheres=count=9,lamp=1:y=5", &scene), STATUS_USAGE);
    assert_string_equal(status_message(), "lamp 1: there are 0; one that has a strength is new");
}

/* BVHs are found by that number: equal places have the same, and others have another. */
static void other_places_are_another_geometry(void **state) {
    static const struct {
        const char *text;
        bool same_as_first;
    } cases[] = {{"x.scene,sphere=1:x=2", true},         {"x.scene,sphere=1:x=2:red=0.5", true},
                 {"x.scene,sphere=1:x=3", false},        {"x.scene,sphere=1:red=0.5", false},
                 {"x.scene,sphere=2:radius=1", false},   {"x.scene,sphere=1:radius=0", false},
                 {"x.scene,sphere=1:radius=0.5", false}, {"x.scene,sphere=2:x=2:radius=1", false}};
    uint64_t numbers[sizeof cases / sizeof cases[0]];
    Scene *base = parsed("glint-scene 1\nsphere 0 0 0 1 1 1 1\n");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scene *copy;
        assert_int_equal(scene_copy(base, &copy), STATUS_OK);
        assert_int_equal(scene_text_apply(cases[i].text, copy, base), STATUS_OK);
        numbers[i] = scene_geometry(copy);
        assert_true((numbers[i] == scene_geometry(base)) == (i == 3)); /* a colour alone */
        assert_true((numbers[i] == numbers[0]) == cases[i].same_as_first);
        scene_copy_free(base, &copy);
    }
    assert_true(base->spheres[0].x == 0 && base->count == 1);
    scene_destroy(&base);
}

/* Another number of spheres by the generator does not take those of hands. */
static void added_spheres_stay_behind_all_others(void **state) {
    (void)state;
    const char *text = "spheres=count=9:seed=3,sphere=7:red=1,sphere=10:x=1:radius=4";
    const Param *count = param_of(scene_text_generator(text)->table, "count");
    char result[SCENE_TEXT_MAX];
    assert_int_equal(scene_text_set(text, NULL, 0, count, 12, result), STATUS_OK);
    assert_string_equal(result, "spheres=12:3,sphere=7:red=1,sphere=13:x=1:radius=4");
    assert_int_equal(scene_text_set(text, NULL, 0, count, 6, result), STATUS_OK);
    assert_string_equal(result, "spheres=6:3,sphere=7:x=1:radius=4");
    assert_int_equal(scene_text_next(text, part("sphere"), 9), 10);
    assert_int_equal(scene_text_next(text, part("lamp"), 3), 3);
}

static void objects_are_told_in_words(void **state) {
    static const struct {
        const char *from, *to, *words, *key;
    } cases[] = {
        {"spheres", "spheres,sphere=31:red=1:x=1:y=2:z=3:radius=4", "sphere 31: at 1, 2, 3, radius 4",
         "sphere 31 place"},
        {"spheres,sphere=31:x=1:y=2:z=3:radius=4", "spheres,sphere=31:x=1:y=5:z=3:radius=4", "sphere 31: to 1, 5, 3",
         "sphere 31 place"},
        {"spheres,sphere=31:x=1:y=2:z=3:radius=4", "spheres", "sphere 31: no longer at 1, 2, 3", "sphere 31 place"},
        {"spheres", "spheres,sphere=7:radius=0", "sphere 7: removed", "sphere 7 place"},
        {"spheres", "spheres,sphere=7:radius=3", "sphere 7: radius 3", "sphere 7 radius"},
        {"spheres,lamp=1:strength=3", "spheres,lamp=1:strength=0", "lamp 1: removed", "lamp 1 place"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[96], key[96];
        scene_text_describe(cases[i].from, cases[i].to, words, key, sizeof words);
        assert_string_equal(words, cases[i].words);
        assert_string_equal(key, cases[i].key);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_may_have_commas),
        cmocka_unit_test(a_surface_is_changed),
        cmocka_unit_test(every_part_of_a_file_is_changed),
        cmocka_unit_test(a_sky_of_an_image_is_turned),
        cmocka_unit_test(scenes_without_light_get_a_sun),
        cmocka_unit_test(copies_borrow),
        cmocka_unit_test(cylinders_are_changed),
        cmocka_unit_test(texts_are_edited),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(changes_are_told_in_words),
        cmocka_unit_test(spheres_are_added_and_moved),
        cmocka_unit_test(lamps_are_added),
        cmocka_unit_test(other_places_are_another_geometry),
        cmocka_unit_test(added_spheres_stay_behind_all_others),
        cmocka_unit_test(objects_are_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
