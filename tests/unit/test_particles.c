/* test_particles.c: particles of files against what other readers find in them (tests/particles/make.py), and files
 * that are damaged. */
#include "core/base/decimal.h"
#include "core/base/file.h"
#include "core/scene/particles/elements.h"
#include "core/scene/particles/spheres.h"

#include "tests/unit/scene_fixture.h"

#include <math.h>
#include <stdlib.h>

#define FOLDER GLINT_SOURCE_DIR "/tests/particles/"

enum { LINE = 512, VALUES = 8 };

/* The next word of a line of expected.txt, which is "-" where nothing is known. */
static const char *take_word(char **line) {
    char *word = *line + strspn(*line, " \n");
    *line = word + strcspn(word, " \n");
    if (**line)
        *(*line)++ = '\0';
    return word;
}

static void assert_near(const char *sample, size_t row, const char *what, const char *wanted, float value,
                        double within) {
    if (strcmp(wanted, "-") == 0)
        return;
    const double want = strtod(wanted, NULL);
    if (!(fabs((double)value - want) <= within * fmax(1, fabs(want))))
        fail_msg("%s: sphere %zu: %s is %.9g, want %s", sample, row, what, (double)value, wanted);
}

static void assert_sphere(const char *sample, size_t row, char *line, const Sphere *sphere) {
    const float values[] = {sphere->x, sphere->y, sphere->z};
    const float colours[] = {sphere->red, sphere->green, sphere->blue};
    static const char *const axes[] = {"x", "y", "z"}, *const names[] = {"red", "green", "blue"};
    for (int i = 0; i < 3; i++)
        assert_near(sample, row, axes[i], take_word(&line), values[i], 1e-6);
    const char *symbol = take_word(&line), *radius = take_word(&line);
    if (strcmp(symbol, "-") != 0) {
        const Element *element = element_by_symbol(symbol, strlen(symbol));
        assert_non_null(element);
        if (strcmp(radius, "-") == 0 && !strstr(sample, "radius=") && sphere->radius != element->radius)
            fail_msg("%s: sphere %zu is %g large, want %s", sample, row, (double)sphere->radius, symbol);
        assert_true(sphere->red == element->colour.red && sphere->blue == element->colour.blue);
    }
    assert_near(sample, row, "radius", radius, sphere->radius, 1e-6);
    for (int i = 0; i < 3; i++)
        assert_near(sample, row, names[i], take_word(&line), colours[i], 1e-6);
}

static void others_find_the_same(void **state) {
    (void)state;
    FILE *file = fopen(FOLDER "expected.txt", "r");
    char line[LINE], sample[LINE] = "", path[2 * LINE];
    Scene *scene = NULL;
    size_t row = 0, samples = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "sample ", 7) == 0) {
            snprintf(sample, sizeof sample, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
            snprintf(path, sizeof path, FOLDER "%s", sample);
            scene = open_scene(path);
            row = 0;
            samples++;
        } else if (line[0] != '#' && line[0] != '\n') {
            assert_non_null(scene);
            if (row >= scene->count)
                fail_msg("%s: %zu spheres, want more", sample, scene->count);
            assert_sphere(sample, row, line, &scene->spheres[row]);
            row++;
        } else if (scene) {
            if (row != scene->count)
                fail_msg("%s: %zu spheres, want %zu", sample, scene->count, row);
            scene_destroy(&scene);
        }
    }
    scene_destroy(&scene);
    assert_int_equal(fclose(file), 0);
    assert_true(samples >= 36);
}

/* ---- options ---- */

static Status parse_with(const char *format, const char *text, const char *options, Scene **scene) {
    char path[16];
    const char *at;
    void *values;
    snprintf(path, sizeof path, "t.%s", format);
    assert_int_equal(params_create(particle_options, &values), STATUS_OK);
    Status status = params_parse(particle_options, "t", options, options + strlen(options), values, &at);
    if (status == STATUS_OK)
        status = scene_format_parse(scene_format_for_path(path), "t", bytes_of(text), values, scene);
    params_destroy(particle_options, &values);
    return status;
}

static Scene *scene_with(const char *format, const char *text, const char *options) {
    Scene *scene = NULL;
    if (parse_with(format, text, options, &scene) != STATUS_OK)
        fail_msg("%s: %s", options, status_message());
    return scene;
}

static Scene *table_with(const char *text, const char *options) {
    return scene_with("csv", text, options);
}

static const char grid[] =
    "x,y,z,speed,chain,Temp\n0,0,0,1,A,10\n1,0,0,2,B,20\n0,2,0,3,A,nan\n4,4,4,,C,30\n,1,1,5,C,1\n";

static void options_choose_and_place(void **state) {
    (void)state;
    Scene *scene = table_with(grid, "radius=0.25"); /* the last has no x */
    assert_int_equal(scene->count, 4);
    assert_true(scene->spheres[3].x == 4 && scene->spheres[3].radius == 0.25f);
    scene_destroy(&scene);
    scene = table_with(grid, "every=2:radius=1");
    assert_int_equal(scene->count, 2);
    assert_true(scene->spheres[1].y == 2);
    scene_destroy(&scene);
    scene = table_with(grid, "clip=0.5:-1:-1:4:3:9:radius=1");
    assert_int_equal(scene->count, 1);
    assert_true(scene->spheres[0].x == 1);
    scene_destroy(&scene);
    scene = table_with(grid, "radius=speed:scale=10:clip=-1:-1:-1:2:2:2");
    assert_int_equal(scene->count, 3);
    assert_true(scene->spheres[1].x == 10 && scene->spheres[1].radius == 20);
    scene_destroy(&scene);
    scene = table_with(grid, "radius=x:color=x:map=gray:clip=0.5:-1:-1:9:9:9"); /* a column has two roles */
    assert_int_equal(scene->count, 2);
    assert_true(scene->spheres[1].radius == 4 && scene->spheres[0].red == 0 && scene->spheres[1].red == 1);
    scene_destroy(&scene);
    scene = table_with(grid, "radius=1:origin=-1:2:0.5");
    assert_true(scene->spheres[0].x == 1 && scene->spheres[0].y == -2 && scene->spheres[0].z == -0.5f);
    scene_destroy(&scene);
}

/* The ends of viridis are dark violet and yellow (matplotlib: 68 1 84, 253 231 37). */
static void colours_come_by_maps(void **state) {
    (void)state;
    Scene *scene = table_with(grid, "radius=1:color=speed:range=1:3");
    const Sphere *s = scene->spheres;
    assert_true(fabsf(s[0].red - 68 / 255.0f) < 0.02f && fabsf(s[0].green - 1 / 255.0f) < 0.02f);
    assert_true(fabsf(s[2].red - 253 / 255.0f) < 0.04f && fabsf(s[2].blue - 37 / 255.0f) < 0.04f);
    assert_true(s[3].red == 0.8f && s[3].blue == 0.8f); /* an empty cell */
    scene_destroy(&scene);
    scene = table_with(grid, "radius=1:color=Temp:map=gray"); /* 10 to 30 */
    s = scene->spheres;
    assert_true(s[0].red == 0 && s[3].red == 1 && fabsf(s[1].green - 0.5f) < 0.001f);
    scene_destroy(&scene);
    scene = table_with(grid, "radius=1:color=chain");
    s = scene->spheres;
    assert_true(s[0].red == s[2].red && s[0].green == s[2].green && s[0].red != s[1].red && s[1].red != s[3].red);
    scene_destroy(&scene);
}

static void points_get_radii_by_their_distances(void **state) {
    (void)state;
    char text[8192] = "x y z\n";
    for (int i = 0; i < 125; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d %d %d\n", 3 * (i % 5), 3 * (i / 5 % 5),
                 3 * (i / 25));
    Scene *scene = table_with(text, "every=1");
    assert_true(scene->spheres[7].radius == 1.5f); /* neighbours touch */
    scene_destroy(&scene);
    scene = table_with("0 0 0\n", "every=1");
    assert_true(scene->spheres[0].radius == 1);
    scene_destroy(&scene);
}

/* numpy.savetxt writes "# " before the names, whatever separates them. */
static void blanks_belong_to_no_name(void **state) {
    (void)state;
    Scene *scene = table_with("# x\ty \t z\tr\n1\t 2 \t3\t 4\n\t7\t8\t9\n5\t6\t7\t8\n", "radius=r");
    assert_int_equal(scene->count, 2); /* the second row has no x */
    const Sphere *s = scene->spheres;
    assert_true(s[0].x == 1 && s[0].y == 2 && s[0].z == 3 && s[0].radius == 4);
    assert_true(s[1].x == 5 && s[1].radius == 8);
    scene_destroy(&scene);
}

static void wrong_files_say_where(void **state) {
    (void)state;
    static const struct {
        const char *format, *text, *options, *message;
        Status status;
    } wrong[] = {
        {"csv", "x,y\n1,2\n", "every=1", "no columns x, y and z; its columns are x, y", STATUS_INPUT},
        {"csv", "x,y,z\n1,2,3\n4,five,6\n", "radius=1", "t:3:3: \"five\", want y, a number", STATUS_INPUT},
        {"csv", "x y z\n1 2 3\n4 5\n", "radius=1", "t:3:4: the line ends, want z", STATUS_INPUT},
        {"csv", "x y z\n1 2 3\n", "radius=mass", "radius is \"mass\", want a column: x, y, z", STATUS_USAGE},
        {"csv", "x y z\n1 2 3\n", "radius=0", "radius is 0, want 1e-6 to 1e9", STATUS_USAGE},
        {"csv", "x y z\n1 2 3\n", "color=#4", "color is \"#4\", want a column", STATUS_USAGE},
        {"csv", "x y z\n1 2 3\n", "images=2", "has no box of its own, which images want", STATUS_USAGE},
        {"csv", "x y z\n1 2 3\n", "frame=2", "has 1 frame, want frame=1", STATUS_INPUT},
        {"csv", "x y z\n1 2e12 3\n", "radius=1", "row 1 is 2e+12 from the origin", STATUS_INPUT},
        {"csv", "x y z r\n1 2 3 -1\n", "radius=r", "row 1 has a radius of -1, want 0, or 1e-6", STATUS_INPUT},
        {"csv", "x y z\nnan 2 3\n", "radius=1", "no particle is within clip, or has a place", STATUS_INPUT},
        {"csv", "", "radius=1", "t:1:1: the file ends, want a line with the columns' names", STATUS_INPUT},
        {"ply", "plx\n", "every=1", "t:1:1: \"plx\", want \"ply\"", STATUS_INPUT},
        {"ply", "ply\nformat text 1.0\n", "every=1", "t:2:8: \"text\", want ascii", STATUS_INPUT},
        {"ply",
         "ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 "
         "2 3\n",
         "every=1", "t:9:1: the file ends, want a vertex", STATUS_INPUT},
        {"ply", "ply\nformat binary_little_endian 1.0\nelement vertex 999999999999\nproperty double x\nend_header\n",
         "every=1", "promises 999999999999 vertices of 8 bytes, and 0 bytes are there", STATUS_INPUT},
        {"ply",
         "ply\nformat binary_big_endian 1.0\nelement vertex 18446744073709551615\nproperty double x\nend_header\n",
         "every=1", "promises 18446744073709551615 vertices", STATUS_INPUT},
        {"ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int x\n", "every=1", "t:4:10: \"list\"",
         STATUS_INPUT},
        {"dump", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: ATOMS id x y z\n1 0 0 0\n", "radius=1",
         "the file ends, want an atom", STATUS_INPUT},
        {"dump", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id xs ys zs\n1 0 0 0\n", "radius=1",
         "has no box of its own, which coordinates in shares of it want", STATUS_INPUT},
        {"dump", "TIMESTEP\n", "radius=1", "t:1:1: \"TIMESTEP\", want \"ITEM: ...\"", STATUS_INPUT},
        {"xyz", "1\n\nO 0 0 0\n", "frame=3", "has 1 frame, want frame=1 to 1", STATUS_INPUT},
        {"xyz", "1\nProperties=pos:R:2:x\nO 0 0 0\n", "every=1", "want a property as in species:S:1", STATUS_INPUT},
        {"xyz", "1\nLattice=\"1 0 0\"\nO 0 0 0\n", "every=1", "want nine numbers of a lattice", STATUS_INPUT},
        {"gro", "title\n2\n    1SOL     OW    1   0.000   0.000   0.000\n", "every=1", "the file ends, want an atom",
         STATUS_INPUT},
        {"cif", "data_x\n", "every=1", "no loop of _atom_site", STATUS_INPUT},
        {"las", "LASF", "every=1", "no header of a LAS file", STATUS_INPUT},
        {"npy", "NUMPY", "every=1", "no array of NumPy", STATUS_INPUT},
        {"npz", "PK", "every=1", "no end of an archive", STATUS_INPUT},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Scene *scene = (Scene *)&scene;
        if (parse_with(wrong[i].format, wrong[i].text, wrong[i].options, &scene) != wrong[i].status)
            fail_msg("row %zu: %s", i, status_message());
        assert_null(scene);
        assert_message_has(wrong[i].message);
    }
}

/* A frame of LAMMPS that promises more atoms than it has ends before the next one, which keeps its number. */
static void frames_keep_their_numbers(void **state) {
    static const char text[] = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n9\nITEM: ATOMS id x y z\n1 0 0 0\n"
                               "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x y z\n1 0 0 0\n2 1 0 0\n"
                               "ITEM: TIMESTEP\n2\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id x y z\n1 0 0 0\n";
    (void)state;
    Scene *scene = scene_with("dump", text, "radius=1:frame=2");
    assert_int_equal(scene->count, 2);
    scene_destroy(&scene);
}

/* Where single precision has steps of 8, the eye is as far as a camera needs. */
static void far_particles_are_seen(void **state) {
    Scene *scene = table_with("x,y,z\n66666664,66666664,66666664\n", "radius=1");
    Camera camera;
    (void)state;
    assert_int_equal(camera_from(scene->viewpoint, &camera), STATUS_OK);
    scene_destroy(&scene);
}

static void options_follow_the_path(void **state) {
    (void)state;
    Scene *scene = NULL;
    assert_int_equal(scene_path_length("a/run.dump:every=2:radius=1"), strlen("a/run.dump"));
    assert_int_equal(scene_path_length("c:run.dump"), strlen("c:run.dump"));
    assert_int_equal(scene_path_length("run.sphere:every=2"), 0);
    assert_int_equal(scene_open(FOLDER "c.npy:colour=#4", &scene), STATUS_USAGE);
    assert_message_has("no parameter \"colour\"");
    assert_int_equal(scene_open(GLINT_SOURCE_DIR "/assets/scenes/course.scene:every=2", &scene), STATUS_USAGE);
    assert_message_has("takes no options");
}

/* A photographer's folder has texts that are no scenes. */
static void folders_show_no_texts(void **state) {
    (void)state;
    assert_non_null(scene_format_for_path("notes.TXT"));
    assert_false(scene_format_in_folder("notes.txt"));
    assert_false(scene_format_in_folder("notes"));
    assert_true(scene_format_in_folder("scan.PLY"));
}

/* ---- damage ---- */

static const char *const files[] = {
    "ascii.ply",  "big.ply",    "little.ply", "c.npy",      "structure.npy", "stored.npz",       "packed.npz",
    "comma.csv",  "quoted.csv", "blank.dat",  "frames.xyz", "plain.dump",    "skewed.lammpstrj", "water.gro",
    "models.pdb", "models.cif", "scan-2.las", "scan-7.las", "plain.xyz",     "unwrapped.dump",
};

/* Reads bytes that may be anything: a scene, or a sentence. */
static void assert_settled(const SceneFormat *format, const unsigned char *data, size_t size) {
    unsigned char *copy = malloc(size + 1); /* of this size exactly, for the sanitizers */
    Scene *scene = NULL;
    assert_non_null(copy);
    memcpy(copy, data, size);
    copy[size] = '\0';
    const Status status = scene_format_parse(format, "t", (Bytes){copy, size}, NULL, &scene);
    assert_true(status == STATUS_OK ? scene != NULL : status == STATUS_INPUT && scene == NULL && status_message()[0]);
    scene_destroy(&scene);
    free(copy);
}

static void damaged_files_are_read_or_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[LINE];
        Bytes file;
        snprintf(path, sizeof path, FOLDER "%s", files[i]);
        const SceneFormat *format = scene_format_for_path(path);
        assert_int_equal(file_read(path, &file), STATUS_OK);
        for (size_t length = 0; length < file.size; length += check_every(5))
            assert_settled(format, file.data, length);
        for (size_t at = 0; at < file.size; at += check_every(3)) {
            static const unsigned char others[] = {0, 0xFF, '9', ' ', '\n'};
            const unsigned char kept = file.data[at];
            for (size_t k = 0; k < sizeof others; k++) {
                file.data[at] = others[k];
                assert_settled(format, file.data, file.size);
            }
            file.data[at] = kept;
        }
        bytes_free(&file);
    }
}

static void budget_limits_particles(void **state) {
    (void)state;
    Scene *scene = NULL;
    setenv("GLINT_MEMORY", "1000", 1);
    assert_int_equal(scene_open(FOLDER "c.npy", &scene), STATUS_INPUT);
    assert_message_has("GLINT_MEMORY");
    unsetenv("GLINT_MEMORY");
}

/* ---- numbers ---- */

/* Against strtod, which rounds exactly. */
static void decimals_are_exact(void **state) {
    (void)state;
    uint64_t random = 88172645463325252u;
    char text[64];
    for (int i = 0; i < 400000; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const uint64_t bits = random;
        double any;
        memcpy(&any, &bits, sizeof any);
        if (i % 4 == 0 && isfinite(any))
            snprintf(text, sizeof text, "%.*g", (int)(bits % 20) + 1, any);
        else if (i % 4 == 1)
            snprintf(text, sizeof text, "%.17g", (double)(int64_t)bits * 1e-17);
        else if (i % 4 == 2) /* half way between two */
            snprintf(text, sizeof text, "%llu.5", (unsigned long long)(bits >> 11 | UINT64_C(1) << 52));
        else
            snprintf(text, sizeof text, "-%llue%d", (unsigned long long)(bits >> bits % 64), (int)(bits % 61) - 30);
        const char *at = text;
        double number;
        assert_true(decimal_read(&at, text + (i % 2 ? strlen(text) : sizeof text), &number) && *at == '\0');
        const double want = strtod(text, NULL);
        if (!(number >= want && number <= want) || signbit(number) != signbit(want))
            fail_msg("%s is %a, want %a", text, number, want);
    }
}

static void decimals_end_where_numbers_end(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double number;
        int length; /* 0: no number */
    } cases[] = {{"1.5,2", 1.5, 3}, {"-.5e1 ", -5, 5}, {"7e", 7, 1},  {"7e+x", 7, 1},        {"1D2", 100, 3},
                 {"0x10", 0, 1},    {"+3.", 3, 3},     {"-", 0, 0},   {".", 0, 0},           {"e5", 0, 0},
                 {"", 0, 0},        {"--1", 0, 0},     {"5-3", 5, 1}, {"1e400", INFINITY, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].text;
        double number = 0;
        assert_int_equal(decimal_read(&at, at + strlen(at), &number), cases[i].length > 0);
        assert_int_equal(at - cases[i].text, cases[i].length);
        assert_true(cases[i].length == 0 || number == cases[i].number);
    }
    const char *nan = "NaN ", *inf = "-inf";
    double number;
    assert_true(decimal_read(&nan, nan, &number) && isnan(number) && *nan == ' ');
    assert_true(decimal_read(&inf, inf, &number) && isinf(number) && number < 0);
}

/* A number in the middle of a text is read eight bytes at a time, and at its end byte by byte. */
static void decimals_are_alike_where_more_follows(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",          "7",        "12345678", "123456789",  "1234567.1", "12345678.12345678",
        "-0.0000001", ".5",       "5.",       "9/9",        "3:3",       "99999999999999999999",
        "1e-5",       "1.5D-200", "-inf",     "12345678e3", "1 2",       "4\xff\xff\xff\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char longer[64];
        double number = -1, same = -2;
        const int length = snprintf(longer, sizeof longer, "%s", texts[i]);
        snprintf(longer + length, sizeof longer - (size_t)length, "%s", " 77777777777777777777");
        const char *at = texts[i], *there = longer;
        assert_true(decimal_read(&at, texts[i], &number));
        assert_true(decimal_read(&there, longer + strlen(longer), &same));
        assert_int_equal(at - texts[i], there - longer);
        assert_true(number == same);
    }
}

/* Rows of 31 bytes and 0 to 3 more, so that newlines stand everywhere. */
static void newlines_are_counted(void **state) {
    (void)state;
    enum { SIZE = 40000 };
    static char text[SIZE];
    memset(text, 'x', sizeof text);
    size_t count = 0;
    for (size_t at = 31; at < SIZE; at += 31 + at % 4)
        text[at] = '\n';
    for (size_t size = 0; size < SIZE; size++) {
        if (size % 97 == 0 || size < 300)
            assert_int_equal(lines_within(text, size), count);
        count += text[size] == '\n';
    }
    memset(text, '\n', sizeof text);
    assert_int_equal(lines_within(text + 1, SIZE - 1), SIZE - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_find_the_same),
        cmocka_unit_test(options_choose_and_place),
        cmocka_unit_test(colours_come_by_maps),
        cmocka_unit_test(points_get_radii_by_their_distances),
        cmocka_unit_test(blanks_belong_to_no_name),
        cmocka_unit_test(wrong_files_say_where),
        cmocka_unit_test(frames_keep_their_numbers),
        cmocka_unit_test(far_particles_are_seen),
        cmocka_unit_test(options_follow_the_path),
        cmocka_unit_test(folders_show_no_texts),
        cmocka_unit_test(damaged_files_are_read_or_refused),
        cmocka_unit_test(budget_limits_particles),
        cmocka_unit_test(decimals_are_exact),
        cmocka_unit_test(decimals_end_where_numbers_end),
        cmocka_unit_test(decimals_are_alike_where_more_follows),
        cmocka_unit_test(newlines_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
