/* test_scene_files.c: scenes read from files, and written to them. */

#include "tests/unit/scene_fixture.h"

/* ---- files ---- */

static void file_is_read(void **state) {
    (void)state;
    Scene *scene = NULL;
    const char *text = "glint-scene 1  # two\r\n"
                       "\n"
                       "# all blanks are alike\n"
                       "\tsphere 1 -2.5  3e2 0.5 0 1 1/4# close by\r\n"
                       "sphere -1e9 0 0 0 1 1 1";
    assert_int_equal(scene_parse("t", text, &scene), STATUS_OK);
    assert_int_equal(scene->count, 2);
    const Sphere want = {1, -2.5f, 300, 0.5f, 0, 1, 0.25f, 0};
    assert_memory_equal(&scene->spheres[0], &want, sizeof want);
    assert_true(scene->spheres[1].x == -1e9f && scene->spheres[1].radius == 0);
    scene_destroy(&scene);
    assert_int_equal(scene_parse("t", "glint-scene 1", &scene), STATUS_OK);
    assert_int_equal(scene->count, 0);
    scene_destroy(&scene);
}

static void errors_point_at_line_and_column(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"", "t:1:1: the first line is not \"glint-scene 1\""},
        {"glint-scene 3\n", "t:1:1:"},
        {"glint-scene 12\n", "t:1:1:"},
        {"glint-scene 1 x\n", "t:1:15: \"x\", want the end of the line"},
        {"glint-scene 1\ncube 1 2 3", "t:2:1: \"cube\", want sphere"},
        {"glint-scene 1\nspheres 1 2 3 4 1 1 1", "t:2:1: \"spheres\", want sphere"},
        {"glint-scene 1\n#\n sphere 1 2 y 4 1 1 1", "t:3:13: \"y\", want z, a number from -1e9 to 1e9"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1", "t:2:19: the line ends, want blue"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1 # 1\n", "t:2:23: the line ends, want blue"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1 1 1", "t:2:22: \"1\", want the end of the line"},
        {"glint-scene 1\nsphere 1 2 3 -4 1 1 1", "t:2:14: \"-4\", want radius"},
        {"glint-scene 1\nsphere 1 2 3 1e-7 1 1 1", "t:2:14: \"1e-7\", want radius"},
        {"glint-scene 1\nsphere nan 2 3 4 1 1 1", "t:2:8: \"nan\", want x"},
        {"glint-scene 1\nsphere 1 inf 3 4 1 1 1", "t:2:10: \"inf\", want y"},
        {"glint-scene 1\nsphere 1 2 3 1e999 1 1 1", "t:2:14: \"1e999\", want radius"},
        {"glint-scene 1\nsphere 1 2 2e9 4 1 1 1", "t:2:12: \"2e9\", want z"},
        {"glint-scene 1\nsphere 1 2 3 4 1.01 1 1", "t:2:16: \"1.01\", want red, a number from 0 to 1"},
        {"glint-scene 1\nsphere 1 2 3 4 1 -0.1 1", "t:2:18: \"-0.1\", want green"},
        {"glint-scene 1\nsphere 1 2 3 4 1 1 1x", "t:2:20: \"1x\", want blue"},
        {"glint-scene 1\nsphere 1,2,3,4,1,1,1", "t:2:8: \"1,2,3,4,1,1,1\", want x"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Scene *scene = (Scene *)&scene;
        if (scene_parse("t", wrong[i][0], &scene) != STATUS_INPUT)
            fail_msg("taken: %s", wrong[i][0]);
        assert_null(scene);
        assert_message_has(wrong[i][1]);
    }
}

static void format_reads_back_bit_for_bit(void **state) {
    (void)state;
    Scene *scene = open_scene("spheres=300:5"), *again = NULL;
    const size_t size = scene_format(scene, NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    assert_int_equal(scene_format(scene, text, size), size - 1);
    assert_int_equal(strlen(text), size - 1);
    assert_int_equal(scene_parse("t", text, &again), STATUS_OK);
    assert_int_equal(again->count, scene->count);
    assert_memory_equal(again->spheres, scene->spheres, scene->count * sizeof *scene->spheres);
    free(text);
    scene_destroy(&scene);
    scene_destroy(&again);
}

static void write_file(const char *path, const char *text, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void files_are_opened(void **state) {
    (void)state;
    char path[] = "/tmp/glint-test-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    Scene *scene = NULL;
    const char text[] = "glint-scene 1\nsphere 1 2 3 4 1 1 1\n";
    write_file(path, text, sizeof text - 1);
    assert_int_equal(scene_open(path, &scene), STATUS_OK);
    assert_int_equal(scene->count, 1);
    scene_destroy(&scene);
    write_file(path, text, sizeof text); /* with the zero byte */
    assert_int_equal(scene_open(path, &scene), STATUS_INPUT);
    assert_message_has("zero byte at 35");
    write_file(path, text, 20); /* cut off */
    assert_int_equal(scene_open(path, &scene), STATUS_INPUT);
    assert_message_has(":2:7: the line ends, want x");
    assert_message_has(path);
    unlink(path);
    assert_int_equal(scene_open("no/such.scene", &scene), STATUS_INPUT);
    assert_null(scene);
}

static void bundled_course_scene_is_the_generator(void **state) {
    (void)state;
    Scene *file = open_scene(GLINT_SOURCE_DIR "/assets/scenes/course.scene"), *made = open_scene("spheres");
    assert_int_equal(file->count, made->count);
    assert_memory_equal(file->spheres, made->spheres, made->count * sizeof *made->spheres);
    scene_destroy(&file);
    scene_destroy(&made);
}

/* ---- version 2 ---- */

static const char everything[] = "glint-scene 2\n"
                                 "camera 1 2 30 0 0.5 0 0 1 0 35.5\n"
                                 "sky image \"sky # 1.hdr\" -137.3\n"
                                 "light point 6 8 6 20 22 1e9\n"
                                 "light sun -1 2 1/3 1.6 0 1.4 # towards it\n"
                                 "material glass 0 1 400 0 1.5 0.95 0\n"
                                 "material light 0 0 0 0 0.1 0 3\n"
                                 "material metal 0.1 0.9 1e6 0.25 10 0 0\n"
                                 "material diffuse 1 1 1 1 1 1 1e9 0.5 0.25\n"
                                 "ground -0.5 2 0.8 0.8 0.78 0.25 0.27 0.3 4\n"
                                 "sphere 0 0.9 0 0.9 1 0.9 0.7 2\n"
                                 "sphere -0 1e9 1e-42 0 0.1 0.2 0.3\n"
                                 "triangle 0 0 0 1 0 0 0 1 0 0.5 0.6 0.7 3\n"
                                 "smooth 0 0 0 1 0 0 0 1 0 0 0 1 0 1 1 -1 0 7 0.5 0.6 0.7\n"
                                 "cylinder 0 0 0 1 2 3 0.25 0.5 0.6 0.7 2\n"
                                 "bond 4 5 6 1 2 -3 1e9 0.5 0.6 0.7 0 0.1 0.2\n"
                                 "disc 4 5 6 0 0 -8 0 0.5 0.6 0.7 1\n";

static void version_2_is_read(void **state) {
    (void)state;
    Scene *scene = parse_as("scene", everything);
    assert_int_equal(scene->count, 2);
    assert_int_equal(scene->material_count, 5);
    assert_int_equal(scene->materials[0].kind, MATERIAL_DIFFUSE);
    assert_true(scene->materials[0].diffuse == 1 && scene->materials[0].refraction == 1);
    const Material glass = {
        .kind = MATERIAL_GLASS, .specular = 1, .phong_exponent = 400, .refraction = 1.5f, .transmittance = 0.95f};
    assert_memory_equal(&scene->materials[1], &glass, sizeof glass);
    assert_int_equal(scene->materials[2].kind, MATERIAL_LIGHT);
    assert_true(scene->materials[2].emission == 3);
    assert_int_equal(scene->materials[3].kind, MATERIAL_METAL);
    assert_true(scene->materials[3].coat <= 0);
    assert_true(scene->materials[4].coat == 0.5f && scene->materials[4].coat_roughness == 0.25f);
    assert_int_equal(scene->light_count, 2);
    assert_int_equal(scene->lights[0].kind, LIGHT_POINT);
    assert_true(scene->lights[0].at.z == 6 && scene->lights[0].colour.blue == 1e9f);
    assert_int_equal(scene->lights[1].kind, LIGHT_SUN);
    assert_true(scene->lights[1].at.z == (float)(1 / 3.0) && scene->lights[1].angle == 0.53f);
    assert_true(scene->has_ground && scene->ground.height == -0.5f && scene->ground.side == 2);
    assert_true(scene->ground.odd.blue == 0.3f && scene->ground.material == 4);
    assert_int_equal(scene->sky.kind, SKY_IMAGE);
    assert_string_equal(scene->sky_file, "sky # 1.hdr");
    assert_true(scene->sky.azimuth == -137.3f);
    assert_int_equal(scene->spheres[0].material, 2);
    assert_int_equal(scene->spheres[1].material, 0);
    assert_int_equal(scene->triangle_count, 2);
    assert_true(scene->triangles[0].points[2].y == 1 && scene->triangles[0].colour.green == 0.6f);
    assert_true(!scene->triangles[0].smooth && scene->triangles[0].material == 3);
    assert_true(scene->triangles[1].smooth && scene->triangles[1].normals[2].z == 7);
    const Cylinder cylinders[] = {{{{0, 0, 0}, {1, 2, 3}}, 0.25f, {{0.5f, 0.6f, 0.7f}, {0.5f, 0.6f, 0.7f}}, 0, 2},
                                  {{{4, 5, 6}, {1, 2, -3}}, 1e9f, {{0.5f, 0.6f, 0.7f}, {0, 0.1f, 0.2f}}, 0, 0},
                                  {{{4, 5, 6}, {0, 0, -8}}, 0, {{0.5f, 0.6f, 0.7f}, {0.5f, 0.6f, 0.7f}}, 1, 1}};
    assert_int_equal(scene->cylinder_count, 3);
    assert_memory_equal(scene->cylinders, cylinders, sizeof cylinders);
    Camera camera;
    assert_true(scene->has_viewpoint);
    assert_int_equal(camera_from(scene->viewpoint, &camera), STATUS_OK);
    assert_true(camera.kind == CAMERA_PERSPECTIVE && camera.from.z == 30);
    scene_destroy(&scene);
    scene = parse_as("scene", "glint-scene 2\nsky gradient 1 2 3 4 5 6\n");
    assert_true(scene->sky.kind == SKY_GRADIENT && scene->sky.horizon.blue == 3 && scene->sky.zenith.red == 4);
    scene_destroy(&scene);
}

static void version_2_says_where_it_is_wrong(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"", "t:1:1: the first line is not \"glint-scene 1\" or \"glint-scene 2\""},
        {"glint-scene 2.0", "t:1:1:"},
        {"glint-scene 2 2", "t:1:15: \"2\", want the end of the line"},
        {"glint-scene 1\nlight sun 0 1 0 1 1 1", "t:2:1: \"light\", want sphere"},
        {"glint-scene 1\nsphere 0 0 0 1 1 1 1 0", "t:2:22: \"0\", want the end of the line"},
        {"glint-scene 2\ncube 1",
         "t:2:1: \"cube\", want sphere, triangle, smooth, cylinder, bond, disc, material, light, ground, sky, camera"},
        {"glint-scene 2\nsphere 0 0 0 1 1 1 1 1", "t:2:22: \"1\", want the number of a material above"},
        {"glint-scene 2\nsphere 0 0 0 1 1 1 1 -1", "t:2:22: \"-1\", want the number of a material above"},
        {"glint-scene 2\nsphere 0 0 0 1 1 1 1 0 0", "t:2:24: \"0\", want the end of the line: a sphere has 7 numbers"},
        {"glint-scene 2\nmaterial glass 0 1 400 0 1.5 0.95 0\nsphere 0 0 0 1 1 1 1 0.5",
         "t:3:22: \"0.5\", want the number of a material above, a whole number from 0 to 1"},
        {"glint-scene 2\nmaterial gold 1 1 1 1 1 1 1", "t:2:10: \"gold\", want diffuse or metal or glass or light"},
        {"glint-scene 2\nmaterial", "t:2:9: the line ends, want diffuse or metal"},
        {"glint-scene 2\nmaterial glass 1.5 1 1 1 1 1 1", "t:2:16: \"1.5\", want diffuse"},
        {"glint-scene 2\nmaterial glass 1 -1 1 1 1 1 1", "t:2:18: \"-1\", want specular"},
        {"glint-scene 2\nmaterial glass 1 1 2e6 1 1 1 1", "t:2:20: \"2e6\", want shine, a number from 0 to 1e6"},
        {"glint-scene 2\nmaterial glass 1 1 1 2 1 1 1", "t:2:22: \"2\", want roughness"},
        {"glint-scene 2\nmaterial glass 1 1 1 1 0 1 1", "t:2:24: \"0\", want refraction, a number from 0.1 to 10"},
        {"glint-scene 2\nmaterial glass 1 1 1 1 1 nan 1", "t:2:26: \"nan\", want transmittance"},
        {"glint-scene 2\nmaterial glass 1 1 1 1 1 1 inf", "t:2:28: \"inf\", want emission"},
        {"glint-scene 2\nmaterial metal 1 1 1 1 1 1 1 1", "t:2:31: the line ends, want coat's roughness"},
        {"glint-scene 2\nmaterial metal 1 1 1 1 1 1 1 2 0", "t:2:30: \"2\", want coat, a number from 0 to 1"},
        {"glint-scene 2\nmaterial metal 1 1 1 1 1 1 1 1 0 1", "t:2:35: the line ends, want film's refraction"},
        {"glint-scene 2\nlight moon 1 1 1 1 1 1", "t:2:7: \"moon\", want point or sun"},
        {"glint-scene 2\nlight point 1 2 3 -1 1 1", "t:2:19: \"-1\", want red, a number from 0 to 1e9"},
        {"glint-scene 2\nlight sun 0 0 0 1 1 1", "t:2:10: the way to the sun has no length"},
        {"glint-scene 2\nlight sun 0 1 0 1 1 1 1 1",
         "t:2:25: \"1\", want the end of the line: a sun has 6 numbers and the angle"},
        {"glint-scene 2\nlight sun 0 1 0 1 1 1 91", "t:2:23: \"91\", want angle, a number from 0 to 90"},
        {"glint-scene 2\nlight point 0 1 0 1 1 1 1", "t:2:25: \"1\", want the end of the line: a light"},
        {"glint-scene 2\nground 0 0 1 1 1 1 1 1", "t:2:10: \"0\", want side"},
        {"glint-scene 2\nground 0 1 1 1 1 1 1", "t:2:21: the line ends, want odd blue"},
        {"glint-scene 2\nground 0 1 1 1 1 1 1 1 9", "t:2:24: \"9\", want the number of a material above"},
        {"glint-scene 2\nground 0 1 1 1 1 1 1 1\nground 0 1 1 1 1 1 1 1", "t:3:1: a second ground, want one at most"},
        {"glint-scene 2\nsky none", "t:2:5: \"none\", want gradient or image"},
        {"glint-scene 2\nsky gradient 1 1 1 1 1", "t:2:23: the line ends, want zenith's blue"},
        {"glint-scene 2\nsky image sky.hdr", "t:2:11: \"sky.hdr\", want a file's name in double quotes"},
        {"glint-scene 2\nsky image \"sky.hdr\nsphere",
         "t:2:11: \"\"sky.hdr\", want a file's name between double quotes"},
        {"glint-scene 2\nsky image \"\"", "t:2:11: \"\"\"\", want a file's name between"},
        {"glint-scene 2\nsky image \"a\" b", "t:2:15: \"b\", want azimuth"},
        {"glint-scene 2\nsky image \"a\" 361", "t:2:15: \"361\", want azimuth, a number from -360 to 360"},
        {"glint-scene 2\nsky image \"a\" 3 b", "t:2:17: \"b\", want the end of the line"},
        {"glint-scene 2\nsky image \"a\"\nsky image \"a\"", "t:3:1: a second sky"},
        {"glint-scene 2\ntriangle 0 0 0 1 0 0 0 1 2e9 1 1 1", "t:2:26: \"2e9\", want the third point's z"},
        {"glint-scene 2\ntriangle 0 0 0 1 0 0 0 1 0 1 1", "t:2:31: the line ends, want blue"},
        {"glint-scene 2\ncylinder 0 0 0 1 0 0 -1 1 1 1", "t:2:22: \"-1\", want radius"},
        {"glint-scene 2\nbond 0 0 0 1 0 0 1 1 1 1", "t:2:25: the line ends, want the second half's red"},
        {"glint-scene 2\nbond 0 0 0 1 0 0 1 1 1 1 1 1 1 0 0",
         "t:2:34: \"0\", want the end of the line: a bond has 13 numbers"},
        {"glint-scene 2\ndisc 0 0 0 0 0 0 1 1 1 1", "t:2:5: the normal of the disc has no length"},
        {"glint-scene 2\nsmooth 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 0 0 1 1 1 1",
         "t:2:7: a normal of the triangle has no length"},
        {"glint-scene 2\ncamera 0 0 0 0 0 0 0 1 0 45", "t:2:7: the camera at 0, 0, 0 looks at 0, 0, 0"},
        {"glint-scene 2\ncamera 0 5 0 0 0 0 0 1 0 45", "t:2:7: the camera at 0, 5, 0 looks at"},
        {"glint-scene 2\ncamera 0 5 0 0 0 0 0 0 0 45", "t:2:7: the camera's upward direction has no length"},
        {"glint-scene 2\ncamera 0 5 0 0 0 0 0 0 1 171", "t:2:26: \"171\", want angle, a number from 0.01 to 170"},
        {"glint-scene 2\ncamera 0 5 0 0 0 0 0 0 1 45\ncamera 0 5 0 0 0 0 0 0 1 45", "t:3:1: a second camera"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused("scene", wrong[i][0], wrong[i][1]);
}

static void assert_reads_back(Scene *scene, const char *header) {
    char *text = text_of(scene);
    assert_memory_equal(text, header, strlen(header));
    Scene *again = parse_as("scene", text);
    assert_same_scene(scene, again);
    free(text);
    scene_destroy(&again);
    scene_destroy(&scene);
}

static void every_scene_reads_back_bit_for_bit(void **state) {
    (void)state;
    assert_reads_back(parse_as("scene", everything), "glint-scene 2\n");
    assert_reads_back(parse_as("scene", "glint-scene 2\nsphere 1 2 3 4 1 1 1\n"), "glint-scene 1\n");
    assert_reads_back(parse_as("scene", "glint-scene 2\nlight sun 0 1 0 1 1 1\n"), "glint-scene 2\n");
    assert_reads_back(parse_as("scene", "glint-scene 2\nlight sun 0 1 0 1 1 1 0\n"), "glint-scene 2\n");
    assert_reads_back(parse_as("scene", "glint-scene 1\n"), "glint-scene 1\n");
    assert_reads_back(open_scene("sphereflake=2"), "glint-scene 2\n");
    assert_reads_back(open_scene("packed=300:9"), "glint-scene 2\n");
    assert_reads_back(open_scene("lattice=5"), "glint-scene 1\n");
    assert_reads_back(open_scene("cloud=100"), "glint-scene 1\n");
    const char *const files[] = {"course.scene", "flower.scene", "marbles.scene", "globes.scene",
                                 "films.scene",  "gem.nff",      "water.xyz",     "c60.xyz"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/assets/scenes/%s", GLINT_SOURCE_DIR, files[i]);
        assert_reads_back(open_scene(path), i < 2 ? "glint-scene 1\n" : "glint-scene 2\n");
    }
}

static void sky_lies_beside_its_scene(void **state) {
    (void)state;
    const char *const cases[][3] = {
        {"a/b/c.scene", "sky.hdr", "a/b/sky.hdr"},
        {"c.scene", "x/sky.hdr", "x/sky.hdr"},
        {"a/c.scene", "/sky.hdr", "/sky.hdr"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Scene *scene = NULL;
        char text[80], path[80];
        snprintf(text, sizeof text, "glint-scene 2\nsky image \"%s\"\n", cases[i][1]);
        assert_int_equal(scene_parse(cases[i][0], text, &scene), STATUS_OK);
        assert_int_equal(scene_sky_path(scene, path, sizeof path), strlen(cases[i][2]));
        assert_string_equal(path, cases[i][2]);
        scene_destroy(&scene);
    }
    Scene *scene = open_scene("spheres");
    assert_int_equal(scene_sky_path(scene, NULL, 0), 0);
    scene_destroy(&scene);
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_sky_refused(const char *why) {
    Scene *scene = NULL;
    assert_int_equal(scene_open("under-a-sky.scene", &scene), STATUS_INPUT);
    assert_null(scene);
    if (!strstr(status_message(), why))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), why);
}

/* Opening a scene reads its sky: 8-bit values are sRGB, floating point is light, below 0 there is none. */
static void sky_is_read_with_its_scene(void **state) {
    (void)state;
    static const char scene_text[] = "glint-scene 2\nsky image \"sky-of-test.pfm\"\n";
    static const char pixmap[] = "P6 2 1 255\n\xFF\x00\x80\x00\x00\x00";
    float light[6] = {1, 2, 3, -4, 5, 6e8F};
    char file[64];
    const int head = snprintf(file, sizeof file, "PF\n2 1\n-1.0\n");
    write_bytes("under-a-sky.scene", scene_text, sizeof scene_text - 1);
    (void)remove("sky-of-test.pfm");
    assert_sky_refused("sky-of-test.pfm: ");
    memcpy(file + head, light, sizeof light);
    write_bytes("sky-of-test.pfm", file, (size_t)head + sizeof light);
    Scene *scene = open_scene("under-a-sky.scene");
    assert_true(scene->sky_image.width == 2 && scene->sky_image.height == 1);
    assert_true(scene->sky_image.texels[0].z == 3 && scene->sky_image.texels[1].x == 0);
    assert_true(scene->sky_image.texels[1].z == 6e8F);
    scene_destroy(&scene);
    const float wrong[] = {NAN, INFINITY, 2e9F};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        light[4] = wrong[i];
        memcpy(file + head, light, sizeof light);
        write_bytes("sky-of-test.pfm", file, (size_t)head + sizeof light);
        assert_sky_refused("sky-of-test.pfm: the light at (1, 0) is ");
    }
    write_bytes("sky-of-test.pfm", pixmap, sizeof pixmap - 1);
    scene = open_scene("under-a-sky.scene");
    assert_true(scene->sky_image.texels[0].x == 1 && scene->sky_image.texels[0].y == 0);
    assert_true(fabsf(scene->sky_image.texels[0].z - 0.21586F) < 1e-4F);
    scene_destroy(&scene);
    assert_int_equal(setenv("GLINT_MEMORY", "100", 1), 0); /* the scene of 64 and the pixels fit */
    assert_sky_refused("GLINT_MEMORY");
    assert_int_equal(unsetenv("GLINT_MEMORY"), 0);
    (void)remove("sky-of-test.pfm");
    (void)remove("under-a-sky.scene");
}

/* ---- the other formats ---- */

static const char good_nff[] = "# all that is taken\n"
                               "v\nfrom 2.1 1.3 1.7\nat 0 0 0\n\nup 0 0 1\nangle 45\nhither 0.01\nresolution 512 512\n"
                               "b 0.078 0.361 0.753\n"
                               "l 4 3 2\nl 1 -4 4 0.5 0.25 1\nl -3 1 5\n"
                               "f 1 0.75 0.33 0.8 0 0 0 0\n"
                               "p 4\n12 12 -0.5\n-12 12 -0.5 # a comment\n-12 -12 -0.5\n12 -12 -0.5\n"
                               "f 1 0.9 0.7 0.5 0.5 3.0827 0 0\r\n"
                               "s 0 0 0 0.5\r\n"
                               "f 1 1 1 0 1 10 0.9 1.5\n"
                               "pp 3\n0 0 0 0 0 1\n1 0 0 0 0 2\n0 1 0 0 0 3\n"
                               "f 0.1 0.2 0.3 0.5 0.5 3.0827 0 0\n"
                               "s 1 1 1 0";

static void nff_is_read(void **state) {
    (void)state;
    Scene *scene = parse_as("nff", good_nff);
    const float each = 1 / sqrtf(3);
    assert_true(scene->has_viewpoint && scene->viewpoint.from.y == 1.3f && scene->viewpoint.up.z == 1);
    assert_true(scene->viewpoint.angle == 45);
    assert_true(scene->sky.kind == SKY_GRADIENT && scene->sky.horizon.green == 0.361f);
    assert_true(scene->sky.zenith.blue == 0.753f);
    assert_int_equal(scene->light_count, 3);
    assert_true(scene->lights[0].colour.red == each && scene->lights[2].colour.blue == each);
    assert_true(scene->lights[1].colour.green == 0.25f && scene->lights[1].at.y == -4);
    assert_int_equal(scene->triangle_count, 3);
    const Triangle *fan = scene->triangles;
    assert_true(fan[0].points[0].x == 12 && fan[0].points[1].x == -12 && fan[0].points[2].y == -12);
    assert_true(fan[1].points[0].y == 12 && fan[1].points[1].x == -12 && fan[1].points[1].y == -12);
    assert_true(fan[1].points[2].x == 12 && fan[1].points[2].y == -12);
    assert_true(fan[2].smooth && fan[2].normals[2].z == 3 && !fan[0].smooth);
    assert_int_equal(scene->count, 2);
    assert_int_equal(scene->material_count, 4);
    assert_int_equal(scene->spheres[0].material, scene->spheres[1].material); /* the same, stated twice */
    assert_true(scene->spheres[1].red == 0.1f);
    const Material *shiny = &scene->materials[scene->spheres[0].material];
    assert_true(shiny->kind == MATERIAL_METAL && shiny->specular == 0.5f && shiny->refraction == 1);
    assert_int_equal(scene->materials[fan[0].material].kind, MATERIAL_DIFFUSE);
    assert_int_equal(scene->materials[fan[2].material].kind, MATERIAL_GLASS);
    assert_true(scene->materials[fan[2].material].refraction == 1.5f);
    scene_destroy(&scene);
    scene = parse_as("nff", "");
    assert_int_equal(scene->count, 0);
    scene_destroy(&scene);
}

static void nff_says_where_it_is_wrong(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"x", "t:1:1: \"x\", want v, b, l, f, s, p, pp"},
        {"s 0 0 0 1\nc\n0 0 0 1\n1 1 1 1", "t:2:1: \"c\" is a cone or a cylinder, which glint cannot show; want v, b"},
        {"v 1", "t:1:3: \"1\", want the end of the line"},
        {"v\nat 0 0 0", "t:2:1: \"at\", want from"},
        {"v\nfrom 0 0", "t:2:9: the line ends, want z"},
        {"v\nfrom 0 0 0\n", "t:3:1: the file ends, want at"},
        {"v\nfrom 1 0 0\nat 0 0 0\nup 0 0 0", "t:4:3: the camera's upward direction has no length"},
        {"v\nfrom 1 0 0\nat 0 0 0\nup 0 0 1\nangle 0", "t:5:7: \"0\", want angle"},
        {"v\nfrom 1 0 0\nat 0 0 0\nup 0 0 1\nangle 9\nhither -1", "t:6:8: \"-1\", want hither"},
        {"v\nfrom 1 0 0\nat 0 0 0\nup 0 0 1\nangle 9\nhither 1\nresolution 0 5", "t:7:12: \"0\", want width"},
        {"v\nfrom 1 0 0\nat 1 0 0\nup 0 0 1\nangle 9\nhither 1\nresolution 5 5", "t:1:2: the camera at 1, 0, 0"},
        {"b 0 0", "t:1:6: the line ends, want blue"},
        {"b 0 0 -1", "t:1:7: \"-1\", want blue"},
        {"l 0 0 0 1", "t:1:10: the line ends, want green"},
        {"l 0 0 nan", "t:1:7: \"nan\", want z"},
        {"l 0 0 0 1 1 1 1", "t:1:15: \"1\", want the end of the line"},
        {"f 1 1 1 1 1 1 1", "t:1:16: the line ends, want the index of refraction"},
        {"f 2 1 1 1 1 1 1 1", "t:1:3: \"2\", want red"},
        {"f 1 1 1 1 1 1 1 11", "t:1:17: \"11\", want the index of refraction"},
        {"s 0 0 0", "t:1:8: the line ends, want radius"},
        {"s 0 0 0 -1", "t:1:9: \"-1\", want radius"},
        {"s 0 0 0 1e400", "t:1:9: \"1e400\", want radius"},
        {"s 0 0 0 1 1", "t:1:11: \"1\", want the end of the line"},
        {"p 2\n0 0 0\n1 0 0", "t:1:3: \"2\", want the number of corners, a whole number from 3 to 1000000"},
        {"p 4000000000", "t:1:3: \"4000000000\", want the number of corners"},
        {"p 3.5", "t:1:3: \"3.5\", want the number of corners"},
        {"p", "t:1:2: the line ends, want the number of corners"},
        {"p 3 0 0 0", "t:1:5: \"0\", want the end of the line"},
        {"p 3\n0 0 0\n1 0 0\n", "t:4:1: the file ends, want a corner of the polygon"},
        {"p 3\n0 0 0\n1 0 0\ns 0 0 0 1", "t:4:1: \"s\", want a corner's x"},
        {"p 3\n0 0 0\n1 0 0 1", "t:3:7: \"1\", want the end of the line"},
        {"pp 3\n0 0 0", "t:2:6: the line ends, want a normal's x"},
        {"pp 3\n0 0 0 0 0 0", "t:2:6: a corner's normal has no length"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused("nff", wrong[i][0], wrong[i][1]);
}

/* Corners x y in the plane z = 0, and the area that they enclose, worked out by hand; 0: their edges cross. */
static const struct {
    const char *corners;
    double area;
} polygons[] = {
    {"0 0, 4 0, 4 4, 0 4", 16},
    {"0 0, 2 0, 4 0, 4 4, 0 4", 16},                                    /* three in a line */
    {"-2 -2, 2 -2, 2 2, 0 -1, -2 2", 10},                               /* a notch */
    {"0 0, 4 0, 4 1, 1 1, 1 4, 0 4", 7},                                /* an L */
    {"0 0, 5 0, 5 3, 4 3, 4 1, 3 1, 3 3, 2 3, 2 1, 1 1, 1 3, 0 3", 11}, /* a comb */
    {"0 0, 5 0, 5 5, 1 5, 1 2, 3 2, 3 3, 2 3, 2 4, 4 4, 4 1, 0 1", 15}, /* a spiral */
    {"0 0, 6 0, 6 6, 0 6, 0 0, 2 2, 2 4, 4 4, 4 2, 2 2", 32},           /* a hole, walked to and back */
    {"0 4, 1 1, 4 0, 1 -1, 0 -4, -1 -1, -4 0, -1 1", 16},               /* a star of four rays */
    {"0 0, 4 4, 4 0, 0 4", 0},                                          /* a bow tie */
    {"0 4, 3 -4, -4 1, 4 1, -3 -4", 0},                                 /* a pentagram: it goes around twice */
};

/* Writes a shape turned into space, seen from either side, from any corner on. */
static void write_polygon(const char *corners, size_t first, bool backwards, bool tilted, char *text, size_t size) {
    double x[16], y[16];
    size_t count = 0, length = 0;
    for (const char *at = corners; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL, count++)
        assert_int_equal(sscanf(at, "%lf %lf", &x[count], &y[count]), 2);
    length = (size_t)snprintf(text, size, "p %zu\n", count);
    for (size_t i = 0; i < count; i++) {
        const size_t k = (first + (backwards ? count - i : i)) % count;
        if (tilted)
            length += (size_t)snprintf(text + length, size - length, "%g %g %g\n", 3 * x[k], y[k], 4 * x[k]);
        else
            length += (size_t)snprintf(text + length, size - length, "%g %g 0\n", x[k], y[k]);
    }
}

static void polygons_need_not_be_convex(void **state) {
    (void)state;
    char text[1024];
    for (size_t i = 0; i < sizeof polygons / sizeof *polygons; i++)
        for (size_t turn = 0; turn < 4 * 12; turn++) {
            const bool tilted = turn & 1;
            write_polygon(polygons[i].corners, turn / 4, turn & 2, tilted, text, sizeof text);
            if (polygons[i].area <= 0) {
                assert_refused("nff", text, "t:1: a polygon whose edges cross");
                continue;
            }
            Scene *scene = parse_as("nff", text);
            double sum = 0, signs = 0;
            for (size_t k = 0; k < scene->triangle_count; k++) {
                const TrianglePlane plane = triangle_plane(&scene->triangles[k]);
                sum += sqrt(plane.square) / 2 / (tilted ? 5 : 1);
                signs += tilted ? -plane.x / 4 / 2 : plane.z / 2;
            }
            if (fabs(sum - polygons[i].area) > 1e-6 || fabs(fabs(signs) - sum) > 1e-6)
                fail_msg("polygon %zu, turn %zu: area %g, turned around %g, want %g", i, turn, sum, signs,
                         polygons[i].area);
            scene_destroy(&scene);
        }
}

static void normals_stay_with_their_corners(void **state) {
    (void)state;
    Scene *scene = parse_as("nff", "pp 5\n-2 -2 0 1 0 1\n2 -2 0 2 0 1\n2 2 0 3 0 1\n0 -1 0 4 0 1\n-2 2 0 5 0 1\n");
    const float corners[5][2] = {{-2, -2}, {2, -2}, {2, 2}, {0, -1}, {-2, 2}};
    assert_int_equal(scene->triangle_count, 3);
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const Vec point = scene->triangles[i].points[k];
            const int which = (int)scene->triangles[i].normals[k].x - 1;
            assert_true(point.x == corners[which][0] && point.y == corners[which][1]);
        }
    scene_destroy(&scene);
}

static void xyz_is_read(void **state) {
    (void)state;
    Scene *scene = parse_as("xyz", "  4 \n\nO 0 0 0\n h\t-0.757 -0.5859 0 0.4 extra\r\n17 1e1 2 3\nD 0 0 1\n\n");
    assert_int_equal(scene->count, 4);
    assert_true(scene->spheres[0].radius == 1.52f && scene->spheres[1].radius == 1.2f);
    assert_true(scene->spheres[1].x == -0.757f && scene->spheres[3].radius == 1.2f);
    assert_true(scene->spheres[2].radius == 1.75f && scene->spheres[2].x == 10);
    assert_true(scene->spheres[0].red > 0.9f && scene->spheres[0].blue < 0.1f); /* oxygen is red */
    Camera camera;
    assert_true(scene->has_viewpoint);
    assert_int_equal(camera_from(scene->viewpoint, &camera), STATUS_OK);
    scene_destroy(&scene);
}

static void xyz_says_where_it_is_wrong(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"", "t:1:1: the file ends, want the number of atoms"},
        {"0\n\n", "t:1:1: \"0\", want the number of atoms, a whole number from 1"},
        {"-1\n\n", "t:1:1: \"-1\", want the number of atoms"},
        {"1e99\n\n", "t:1:1: \"1e99\", want the number of atoms"},
        {"two\n\n", "t:1:1: \"two\", want the number of atoms"},
        {"1 2\n\nO 0 0 0", "t:1:3: \"2\", want the end of the line"},
        {"1\n", "t:2:1: the file ends, want a line of comment"},
        {"1\n\n", "t:3:1: the file ends, want an atom"},
        {"4000000000\n\nO 0 0 0\n", "t:4:1: the file ends, want an atom"},
        {"2\n\nO 0 0 0\n\nO 0 0 0", "t:4:1: the line ends, want an element"},
        {"1\n\nQq 0 0 0", "t:3:1: \"Qq\", want an element"},
        {"1\n\n0 0 0 0", "t:3:1: \"0\", want an element"},
        {"1\n\n61 0 0 0", "t:3:1: \"61\", want an element whose size is known"},
        {"1\n\nO 0 x 0", "t:3:5: \"x\", want y"},
        {"1\n\nO 0 0", "t:3:6: the line ends, want z"},
        {"1\n\nO 0 0 1e10", "t: row 1 is 1e+10 from the origin along an axis, want 1e9 at most"},
        {"1\n\nO 0 0 nan", "t: no particle is within clip, or has a place"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused("xyz", wrong[i][0], wrong[i][1]);
}

/* Columns of a record: serial, name, residue, then the place and the element. */
#define ATOM(name, x, y, z, element) "ATOM      1 " name " RES A   1    " x y z "  1.00  0.00          " element

static const char good_pdb[] = "HEADER    MADE UP\n" ATOM(" N  ", "   1.000", "  -2.500", "   0.125", " N") "\n" ATOM(
    " CA ", "-100.000", "-200.000", "-300.000",
    "  ") "\r\n" ATOM("HG11", "   0.000", "   0.000", "   0.000",
                      "") "\n" ATOM("1HB ", "   0.000", "   0.000", "   0.000",
                                    "") "\n" ATOM("FE  ", "   0.000", "   0.000", "   0.000",
                                                  "") "\n" ATOM("CB  ", "   0.000", "   0.000", "   0.000",
                                                                "") "\n"
                                                                    "HETATM    7 CL    CL A   2       0.000   0.000   "
                                                                    "0.000  1.00  0.00          CL2-\n"
                                                                    "CONECT    1    2\nENDMDL\n" ATOM(
                                                                        " N  ", "   1.000", "  -2.500", "   0.125",
                                                                        " N");

static void pdb_is_read(void **state) {
    (void)state;
    Scene *scene = parse_as("pdb", good_pdb);
    const float radii[] = {1.55f, 1.7f, 1.2f, 1.2f, 2.44f, 1.7f, 1.75f};
    assert_int_equal(scene->count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_true(scene->spheres[i].radius == radii[i]);
    assert_true(scene->spheres[0].x == 1 && scene->spheres[0].y == -2.5f && scene->spheres[0].z == 0.125f);
    assert_true(scene->spheres[1].x == -100 && scene->spheres[1].z == -300);
    assert_true(scene->has_viewpoint);
    scene_destroy(&scene);
}

/* Columns 73 to 80 are the entry's name and the line's number. */
static void pdb_of_before_1996_is_read(void **state) {
    (void)state;
    static const char *const ends[] = {"1CRN  70", "1CRN 170", "1CRN1070", "4HHB2 70"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[256];
        snprintf(text, sizeof text, "%-72.72s%s\n%-72.72s%s\n", ATOM(" N  ", "   1.000", "   1.000", "   1.000", ""),
                 ends[i], ATOM(" CA ", "   1.000", "   1.000", "   1.000", ""), ends[i]);
        Scene *scene = parse_as("pdb", text);
        assert_int_equal(scene->count, 2);
        assert_true(scene->spheres[0].radius == 1.55f && scene->spheres[1].radius == 1.7f);
        scene_destroy(&scene);
    }
}

static void pdb_says_where_it_is_wrong(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"", "t:1:1: the file ends, want a record ATOM or HETATM"},
        {"HEADER\nEND\n", "t:3:1: the file ends, want a record ATOM"},
        {"MODEL\nENDMDL\n", "t:2:1: \"ENDMDL\", want a record ATOM"},
        {"ATOM      1  N   RES A   1 ", "t:1:28: the line ends, want x, a number"},
        {ATOM(" N  ", "   1.0x0", "  -2.500", "   0.125", " N"), "t:1:34: \"1.0x0\", want x, a number"},
        {ATOM(" N  ", "   1.000", "  1 .000", "   0.125", " N"), "t:1:41: \"1 .000\", want y, a number"},
        {ATOM(" N  ", "   1.000", "   1.000", "     abc", " N"), "t:1:52: \"abc\", want z, a number"},
        {"\n" ATOM(" N  ", "   1.000", "   1.000", "   1.000", "Qq"), "t:2:77: \"Qq\", want an element whose size"},
        {ATOM(" Q  ", "   1.000", "   1.000", "   1.000", "70"), "t:1:14: \"Q\", want an element whose size is known"},
        {ATOM("    ", "   1.000", "   1.000", "   1.000", ""), "t:1:17: \"\", want an element"},
        {ATOM(" Q  ", "   1.000", "   1.000", "   1.000", ""), "t:1:14: \"Q\", want an element whose size is known"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused("pdb", wrong[i][0], wrong[i][1]);
}

/* Two bytes a sphere: its place and its radius. */
static Status parse_pairs(const char *name, Bytes file, Scene *scene) {
    for (size_t i = 0; i + 1 < file.size; i += 2)
        TRY(scene_add_sphere(scene, (Sphere){.x = file.data[i], .radius = file.data[i + 1]}));
    return file.size % 2 == 0 ? STATUS_OK : (fail)(STATUS_INPUT, "%s: want two bytes a sphere", name);
}

static void a_format_may_be_binary(void **state) {
    (void)state;
    const SceneFormat format = {.name = "pairs", .binary = true, .parse = parse_pairs};
    unsigned char bytes[] = {0, 3, 200, 1, 0};
    Scene *scene = NULL;
    assert_int_equal(scene_format_parse(&format, "t", (Bytes){bytes, 4}, NULL, &scene), STATUS_OK);
    assert_int_equal(scene->count, 2);
    assert_true(scene->spheres[0].x == 0 && scene->spheres[0].radius == 3 && scene->spheres[1].x == 200);
    scene_destroy(&scene);
    assert_int_equal(scene_format_parse(&format, "t", (Bytes){bytes, 5}, NULL, &scene), STATUS_INPUT);
    assert_null(scene);
    assert_message_has("t: want two bytes a sphere");
}

/* Each beginning of a good file lies in memory of its own, so that a sanitizer sees a step beyond its end. */
static void cut_files_are_read_or_refused(void **state) {
    (void)state;
    const char *const files[][2] = {
        {"t.scene", everything}, {"t.nff", good_nff}, {"t.pdb", good_pdb}, {"t.xyz", "2\n\nO 0 0 0\nH 1 1 1"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const SceneFormat *format = scene_format_for_path(files[i][0]);
        for (size_t length = 0; length < strlen(files[i][1]); length++) {
            char *text = malloc(length + 1);
            assert_non_null(text);
            memcpy(text, files[i][1], length);
            text[length] = '\0';
            Scene *scene = NULL;
            const Status status = scene_format_parse(format, "t", (Bytes){(unsigned char *)text, length}, NULL, &scene);
            assert_true(status == STATUS_OK ? scene != NULL : status == STATUS_INPUT && scene == NULL);
            scene_destroy(&scene);
            free(text);
        }
    }
}

static void budget_limits_files(void **state) {
    (void)state;
    char spheres[1000] = "glint-scene 2\n", corners[1000] = "p 32\n";
    for (int i = 0; i < 32; i++) {
        strcat(spheres, "sphere 0 0 0 1 1 1 1\n");
        strcat(corners, "0 0 0\n");
    }
    setenv("GLINT_MEMORY", "1016", 1);
    assert_refused("scene", spheres, "t:31: more than the 1016 bytes");
    assert_message_has("GLINT_MEMORY");
    /* a sphere, a material and ten triangles fit: the eleventh ends with corner 13 */
    assert_refused("nff", corners, "t:14: more than the 1016 bytes");
    unsetenv("GLINT_MEMORY");
    Scene *scene = parse_as("scene", spheres);
    assert_int_equal(scene->count, 32);
    scene_destroy(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_is_read),
        cmocka_unit_test(errors_point_at_line_and_column),
        cmocka_unit_test(format_reads_back_bit_for_bit),
        cmocka_unit_test(files_are_opened),
        cmocka_unit_test(bundled_course_scene_is_the_generator),
        cmocka_unit_test(version_2_is_read),
        cmocka_unit_test(version_2_says_where_it_is_wrong),
        cmocka_unit_test(every_scene_reads_back_bit_for_bit),
        cmocka_unit_test(sky_lies_beside_its_scene),
        cmocka_unit_test(sky_is_read_with_its_scene),
        cmocka_unit_test(nff_is_read),
        cmocka_unit_test(nff_says_where_it_is_wrong),
        cmocka_unit_test(polygons_need_not_be_convex),
        cmocka_unit_test(normals_stay_with_their_corners),
        cmocka_unit_test(pdb_of_before_1996_is_read),
        cmocka_unit_test(xyz_is_read),
        cmocka_unit_test(xyz_says_where_it_is_wrong),
        cmocka_unit_test(pdb_is_read),
        cmocka_unit_test(pdb_says_where_it_is_wrong),

        cmocka_unit_test(cut_files_are_read_or_refused),
        cmocka_unit_test(a_format_may_be_binary),
        cmocka_unit_test(budget_limits_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
