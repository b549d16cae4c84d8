/* test_trajectory.c: frames of files, and places between them, against what other readers find
 * (tests/particles/trajectories.py); files that are long, and files that are damaged. */
#include "core/base/file.h"
#include "core/scene/particles/elements.h"
#include "core/scene/particles/frames.h"
#include "core/scene/particles/legend.h"
#include "core/scene/particles/trajectory.h"
#include "core/scene/scene_text.h"

#include "tests/unit/scene_fixture.h"

#include <math.h>
#include <stdlib.h>

#define FOLDER GLINT_SOURCE_DIR "/tests/particles/"

enum { LINE = 512, PATH = 1024 };

static Trajectory *open_run(const char *text) {
    Trajectory *trajectory = NULL;
    if (trajectory_open(text, &trajectory) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return trajectory;
}

/* ---- against others ---- */

static void assert_sphere(const char *sample, size_t row, const char *line, const Sphere *sphere) {
    const double within = 2e-5; /* f32, and the digits of OVITO's displacements */
    double want[3];
    char symbol[8];
    assert_int_equal(sscanf(line, "%lf %lf %lf %7s", &want[0], &want[1], &want[2], symbol), 4);
    const float got[] = {sphere->x, sphere->y, sphere->z};
    for (int i = 0; i < 3; i++)
        if (!(fabs((double)got[i] - want[i]) <= within))
            fail_msg("%s: sphere %zu: axis %d is %.9g, want %.9g", sample, row, i, (double)got[i], want[i]);
    const Element *element = strcmp(symbol, "-") != 0 ? element_by_symbol(symbol, strlen(symbol)) : NULL;
    if (element)
        assert_true(sphere->radius == element->radius && sphere->blue == element->colour.blue);
}

static Scene *show_sample(char *line) {
    char path[PATH], *name = line;
    Scene *scene = NULL;
    const double place = strtod(line, &name);
    snprintf(path, sizeof path, FOLDER "%.*s", (int)strcspn(name + 1, "\n"), name + 1);
    Trajectory *trajectory = open_run(path);
    if (trajectory_show(trajectory, place, &scene) != STATUS_OK)
        fail_msg("%s at %g: %s", path, place, status_message());
    trajectory_close(&trajectory);
    return scene;
}

static void assert_frames(char *line) {
    char path[PATH], *name;
    const unsigned long frames = strtoul(line, &name, 10);
    snprintf(path, sizeof path, FOLDER "%.*s", (int)strcspn(name + 1, "\n"), name + 1);
    Trajectory *trajectory = open_run(path);
    assert_int_equal(trajectory_frames(trajectory), frames);
    trajectory_close(&trajectory);
}

static void others_find_the_same(void **state) {
    (void)state;
    FILE *file = fopen(FOLDER "trajectories.txt", "r");
    char line[LINE], sample[LINE] = "";
    Scene *scene = NULL;
    size_t row = 0, samples = 0, counts = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "frames ", 7) == 0) {
            assert_frames(line + 7);
            counts++;
        } else if (strncmp(line, "sample ", 7) == 0) {
            snprintf(sample, sizeof sample, "%s", line + 7);
            scene = show_sample(sample);
            row = 0;
            samples++;
        } else if (line[0] != '#' && line[0] != '\n') {
            assert_non_null(scene);
            assert_true(row < scene->count);
            assert_sphere(sample, row, line, &scene->spheres[row]);
            row++;
        } else if (scene) {
            assert_int_equal(row, scene->count);
            scene_destroy(&scene);
        }
    }
    scene_destroy(&scene);
    assert_int_equal(fclose(file), 0);
    assert_true(samples == 21 && counts == 6);
}

/* ---- a scene on its way ---- */

/* run.dump has nine atoms in three frames, in any order, and seven in the last. */
static void particles_that_stay_are_moved(void **state) {
    (void)state;
    Trajectory *trajectory = open_run(FOLDER "run.dump:radius=mass,sphere=4:red=1");
    Scene *scene = NULL;
    REQUIRE(trajectory_show(trajectory, 1, &scene));
    const Scene *first = scene;
    const uint64_t serial = scene->serial, moves = scene->moves;
    assert_true(scene->spheres[3].radius == 4 && scene->spheres[3].red == 1);
    REQUIRE(trajectory_show(trajectory, 2, &scene));
    REQUIRE(trajectory_show(trajectory, 2.5, &scene));
    REQUIRE(trajectory_show(trajectory, 3, &scene));
    assert_true(scene == first && scene->serial == serial && scene->moves > moves + 2);
    assert_true(scene->spheres[3].radius == 4 && scene->spheres[3].red == 1);
    REQUIRE(trajectory_show(trajectory, 4, &scene));
    assert_true(scene->serial != serial);
    assert_int_equal(scene->count, 7);
    const Sphere last = scene->spheres[6];
    REQUIRE(trajectory_show(trajectory, 1.5, &scene));
    assert_int_equal(scene->count, 9);
    REQUIRE(trajectory_show(trajectory, 4, &scene));
    assert_memory_equal(&last, &scene->spheres[6], sizeof last);
    trajectory_close(&trajectory);
    scene_destroy(&scene);
}

static void images_go_along(void **state) {
    (void)state;
    Trajectory *trajectory = open_run(FOLDER "slab.xyz:images=2:1:1:scale=0.5");
    Scene *scene = NULL;
    REQUIRE(trajectory_show(trajectory, 1.3, &scene));
    assert_int_equal(scene->count, 20);
    for (size_t i = 0; i < 10; i++) { /* the first side is 6 long, along x */
        assert_true(fabsf(scene->spheres[i + 10].x - scene->spheres[i].x - 3) < 1e-5f);
        assert_true(fabsf(scene->spheres[i + 10].z - scene->spheres[i].z) < 1e-5f);
    }
    trajectory_close(&trajectory);
    scene_destroy(&scene);
}

/* A quarter beyond the border is in again, at the other side; a side without a period has no other side. */
static void wrapped_particles_stay_within(void **state) {
    (void)state;
    FILE *file = fopen("wrap.xyz", "w"), *slab = fopen("open.xyz", "w");
    for (int i = 0; i < 2; i++) {
        const char *const x = i ? "1" : "9";
        fprintf(file, "1\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\nO %s 5 5\n", x);
        fprintf(slab, "1\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3 pbc=\"T T F\"\nO %s 5 %d\n",
                x, 13 + i);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(fclose(slab), 0);
    static const struct {
        const char *text;
        double place;
        float x, z;
    } cases[] = {{"wrap.xyz", 1.75, 10.5f, 5},
                 {"wrap.xyz:wrap=1", 1.75, 0.5f, 5},
                 {"wrap.xyz:wrap=1", 1.25, 9.5f, 5},
                 {"open.xyz:wrap=1", 1, 9, 13},
                 {"open.xyz:wrap=1", 1.75, 0.5f, 13.75f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Trajectory *trajectory = open_run(cases[i].text);
        Scene *scene = NULL;
        REQUIRE(trajectory_show(trajectory, cases[i].place, &scene));
        assert_true(fabsf(scene->spheres[0].x - cases[i].x) < 1e-5f);
        assert_true(fabsf(scene->spheres[0].z - cases[i].z) < 1e-5f);
        trajectory_close(&trajectory);
        scene_destroy(&scene);
    }
}

static double length_of_box(const Scene *scene) {
    const ParticleLegend *legend = particles_legend(scene);
    assert_true(legend && legend->has_box);
    return legend->box.sides[0][0];
}

/* A box that grows from 10 to 20; the text's own sphere, which a film changed, is again as the text has it. */
static void boxes_and_own_spheres_go_along(void **state) {
    (void)state;
    FILE *file = fopen("grows.xyz", "w");
    for (int i = 0; i < 3; i++)
        fprintf(file, "1\nLattice=\"%d 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\nO 1 5 5\n", 10 + 5 * i);
    assert_int_equal(fclose(file), 0);
    static const struct {
        double place, length;
    } cases[] = {{1, 10}, {1.5, 12.5}, {2, 15}, {2.2, 16}, {3, 20}, {2, 15}, {1.2, 11}};
    Trajectory *trajectory = open_run("grows.xyz,sphere=2:x=30:radius=2:red=0.5");
    Scene *scene = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        REQUIRE(trajectory_show(trajectory, cases[i].place, &scene));
        assert_int_equal(scene->count, 2);
        assert_true(fabs(length_of_box(scene) - cases[i].length) < 1e-9);
        assert_true(scene->spheres[1].red == 0.5f && scene->spheres[1].x == 30);
        scene->spheres[1].red = 0.25f; /* as figures have colours */
    }
    trajectory_close(&trajectory);
    scene_destroy(&scene);
}

/* Values grow, and the first frame's stay the ends of the map; radii by distances stay. */
static void first_frame_decides_ranges(void **state) {
    (void)state;
    FILE *file = fopen("ranges.xyz", "w");
    for (int i = 0; i < 2; i++)
        fprintf(file, "2\nProperties=pos:R:3:heat:R:1\n0 0 0 %d\n%d 0 0 %d\n", i, i ? 8 : 2, i ? 9 : 1);
    assert_int_equal(fclose(file), 0);
    Trajectory *trajectory = open_run("ranges.xyz:color=heat:map=gray");
    Scene *scene = NULL;
    REQUIRE(trajectory_show(trajectory, 1, &scene));
    assert_true(scene->spheres[0].red == 0 && scene->spheres[1].red == 1 && scene->spheres[0].radius == 1);
    REQUIRE(trajectory_show(trajectory, 2, &scene));
    assert_true(scene->spheres[0].red == 1 && scene->spheres[1].red == 1 && scene->spheres[0].radius == 1);
    trajectory_close(&trajectory);
    scene_destroy(&scene);
}

static void texts_have_places(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double place, new_place;
        const char *result;
    } cases[] = {
        {"a/run.dump", 1, 2.5, "a/run.dump:frame=2.5"},
        {"run.dump:radius=1:frame=3:every=2,sphere=1:red=1", 3, 12,
         "run.dump:radius=1:frame=12:every=2,sphere=1:red=1"},
        {"run.dump:frame=3:radius=1", 3, 1, "run.dump:radius=1"},
        {"run.dump:color='x:frame=9':frame=2,sun=altitude=3", 2, 4,
         "run.dump:color='x:frame=9':frame=4,sun=altitude=3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char result[SCENE_TEXT_MAX];
        assert_true(fabs(trajectory_place(cases[i].text) - cases[i].place) < 1e-9);
        REQUIRE(trajectory_set_place(cases[i].text, cases[i].new_place, result));
        assert_string_equal(result, cases[i].result);
    }
}

/* ---- the index ---- */

enum { ATOMS = 40000, LONG_FRAMES = 12 };

/* Frames of 1.6 MB, and one of 9 MB, which no window of the index's first size holds. */
static void write_long(const char *path, const char *head, const char *tail) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int frame = 1; frame <= LONG_FRAMES; frame++) {
        const int atoms = frame == 7 ? 6 * ATOMS : ATOMS;
        fprintf(file, head, atoms);
        for (int i = 0; i < atoms; i++)
            fprintf(file, "%d O %d.125 %d.25 %d.0000000000000000\n", i, i % 100, i / 100, frame);
        fputs(tail, file);
    }
    assert_int_equal(fclose(file), 0);
}

static void long_files_are_read_frame_by_frame(void **state) {
    (void)state;
    write_long("long.dump", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n%d\nITEM: ATOMS id element x y z\n", "");
    write_long("long.xyz", "%d\nProperties=id:I:1:species:S:1:pos:R:3\n", "\n");
    static const char *const paths[] = {"long.dump", "long.xyz"};
    setenv("GLINT_MEMORY", "60M", 1); /* the file has 27 MB, and reading all of it takes as much besides its spheres */
    for (size_t i = 0; i < 2; i++) {
        Trajectory *trajectory = open_run(paths[i]);
        Scene *scene = NULL;
        assert_int_equal(trajectory_frames(trajectory), LONG_FRAMES);
        for (size_t frame = LONG_FRAMES; frame >= 1; frame -= frame == 7 ? 2 : 1) {
            REQUIRE(trajectory_show(trajectory, (double)frame, &scene));
            assert_int_equal(scene->count, frame == 7 ? 6 * ATOMS : ATOMS);
            assert_true(scene->spheres[4321].x == 21.125f && scene->spheres[4321].z == (float)frame);
        }
        trajectory_close(&trajectory);
        scene_destroy(&scene);
    }
    unsetenv("GLINT_MEMORY");
}

/* "long.xyz:frame=5" takes the memory of a frame, where the file has 27 MB. */
static void a_chosen_frame_is_read_alone(void **state) {
    (void)state;
    write_long("long.xyz", "%d\nProperties=id:I:1:species:S:1:pos:R:3\n", "\n");
    setenv("GLINT_MEMORY", "20M", 1);
    for (int frame = 1; frame <= LONG_FRAMES; frame += 4) {
        char text[64];
        snprintf(text, sizeof text, "long.xyz:frame=%d", frame);
        Scene *scene = open_scene(text);
        assert_int_equal(scene->count, ATOMS);
        assert_true(scene->spheres[4321].x == 21.125f && scene->spheres[4321].z == (float)frame);
        scene_destroy(&scene);
    }
    unsetenv("GLINT_MEMORY");
}

static void write_text(const char *path, const char *text, size_t size) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A frame that the scene's text chooses is wrong for the same reason. */
static void assert_refused_alone(const char *text, size_t frame, const char *message) {
    char chosen[96], *behind;
    Scene *scene = NULL;
    snprintf(chosen, sizeof chosen, "%s:frame=%zu", text, frame);
    assert_int_equal(scene_open(chosen, &scene), STATUS_INPUT);
    assert_null(scene);
    behind = strstr(message, ": t.");
    assert_message_has(strncmp(message, "frame ", 6) == 0 && behind ? behind + 2 : message);
}

/* Lines are those of the file. */
static void damaged_frames_say_where(void **state) {
    (void)state;
#define DUMP(count, atoms) "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n" count "\nITEM: ATOMS id x y z\n" atoms
    static const struct {
        const char *path, *text;
        size_t frames, frame;
        const char *message;
    } wrong[] = {
        {"t.dump", DUMP("1", "1 0 0 0\n") DUMP("1", "1 0 zero 0\n") DUMP("1", "1 0 0 0\n"), 3, 2,
         "frame 2: t.dump:12:5: \"zero\", want y, a number"},
        {"t.dump", DUMP("1", "1 0 0 0\n") DUMP("2", "1 0 0 0\n") DUMP("1", "1 0 0 0\n"), 3, 2,
         "frame 2: t.dump:13:1: the frame ends, want an atom"},
        {"t.dump", DUMP("1", "1 0 0 0\n") DUMP("2", "1 0 0 0\n2 0"), 2, 2,
         "frame 2: t.dump:13:4: the line ends, want y, a number"},
        {"t.dump", DUMP("1", "1 0 0 0\n") "ITEM: TIMESTEP\n5\n", 2, 2, "frame 2: t.dump:9:1: "},
        {"t.dump", DUMP("1", "1.5 0 0 0\n"), 1, 1, "\"1.5\", want the particle's number, a whole one"},
        {"t.dump", DUMP("1", "1 0 0 0\n"), 1, 2, "t.dump: has 1 frame, want frame=1 to 1"},
        {"t.dump", "nothing\n", 1, 1, "t.dump:1:1: \"nothing\", want \"ITEM: ...\""},
        {"t.xyz", "1\n\nO 0 0 0\n1\n\nO 0 0 x\n1\n\nO 0 0 0\n", 3, 2, "frame 2: t.xyz:6:7: \"x\", want z, a number"},
        {"t.xyz", "1\n\nO 0 0 0\none\n\nO 0 0 0\n", 2, 2, "frame 2: t.xyz:4:1: \"one\", want the number of atoms"},
        {"t.xyz", "1\n\nO 0 0 0\n2\n\nO 0 0 0\n", 2, 2, "frame 2: t.xyz:7:1: the frame ends, want an atom"},
        {"t.xyz",
         "\xef\xbb\xbf"
         "1\n\nO 0 0 0\n1\n\nO 0 0 x\n",
         2, 2, "frame 2: t.xyz:6:7: \"x\", want z, a number"},
        {"t.xyz", "", 1, 1, "t.xyz:1:1: the file ends, want the number of atoms"},
        {"t.gro",
         "one\n1\n    1SOL     OW    1   0.000   0.000   0.000\n1 1 1\ntwo\n1\n    1SOL     OW    1   0.000   "
         "0.0x0   0.000\n1 1 1\n\n",
         2, 2, "frame 2: t.gro:7:32: \"0.0x0\", want y, a number"},
        {"t.pdb",
         "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00\nMODEL        1\n"
         "ATOM      1  O   HOH A   1       0.000   0.000   0.000\nENDMDL\nMODEL        2\n"
         "ATOM      1  O   HOH A   1       0.000   0.0y0   0.000\nENDMDL\nEND\n",
         2, 2, "frame 2: t.pdb:6:42: \"0.0y0\", want y, a number"},
        {"t.cif",
         "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
         "_atom_site.pdbx_PDB_model_num\nO 1 2 3 1\nO 1 2 w 2\n#\n",
         2, 2, "frame 2: t.cif:9:7: \"w\", want z, a number"},
    };
#undef DUMP
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];
        Scene *scene = NULL;
        write_text(wrong[i].path, wrong[i].text, strlen(wrong[i].text));
        snprintf(text, sizeof text, "%s:radius=1", wrong[i].path);
        Trajectory *trajectory = open_run(text);
        if (trajectory_frames(trajectory) != wrong[i].frames)
            fail_msg("row %zu: %zu frames", i, trajectory_frames(trajectory));
        if (wrong[i].frame > 1 && wrong[i].frame <= wrong[i].frames)
            REQUIRE(trajectory_show(trajectory, 1, &scene));
        const Scene *before = scene;
        if (trajectory_show(trajectory, (double)wrong[i].frame, &scene) != STATUS_INPUT)
            fail_msg("row %zu: taken", i);
        assert_ptr_equal(scene, before);
        assert_message_has(wrong[i].message);
        if (wrong[i].frames == 3) /* what is behind is whole */
            REQUIRE(trajectory_show(trajectory, 3, &scene));
        assert_refused_alone(text, wrong[i].frame, wrong[i].message);
        trajectory_close(&trajectory);
        scene_destroy(&scene);
    }
    Trajectory *trajectory = NULL;
    assert_int_equal(trajectory_open(FOLDER "c.npy", &trajectory), STATUS_USAGE);
    assert_message_has("c.npy: has no frames; want .dump");
    assert_null(trajectory);
}

/* Nobody can tell where a third frame would begin; the second says why. */
static void frames_behind_damage_are_refused_by_it(void **state) {
    (void)state;
    Scene *scene = NULL;
    static const char text[] = "1\n\nO 0 0 0\none\n\nO 0 0 0\n1\n\nO 0 0 0\n";
    write_text("t.xyz", text, sizeof text - 1);
    assert_int_equal(scene_open("t.xyz:frame=3", &scene), STATUS_INPUT);
    assert_message_has("t.xyz:4:1: \"one\", want the number of atoms");
}

/* The box of an mmCIF may stand behind its atoms, and belongs to all models. Lines behind the models are counted on. */
static void all_models_have_what_is_behind_the_last(void **state) {
    (void)state;
    static const char text[] =
        "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
        "_atom_site.pdbx_PDB_model_num\nO 1 2 3 1\nO 4 2 3 2\nO 7 2 3 3\n#\n"
        "_cell.length_a 10\n_cell.length_b 11\n_cell.length_c 12\n"
        "_cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 90\n";
    write_text("cell.cif", text, sizeof text - 1);
    for (int frame = 1; frame <= 3; frame++) {
        char name[32];
        snprintf(name, sizeof name, "cell.cif:frame=%d", frame);
        Scene *scene = open_scene(name);
        assert_true(scene->count == 1 && scene->spheres[0].x == (float)(3 * frame - 2));
        assert_true(fabs(length_of_box(scene) - 10) < 1e-9);
        scene_destroy(&scene);
    }
    Frames frames;
    Bytes frame;
    Extract extract;
    REQUIRE(frames_open("cell.cif", &frames));
    REQUIRE(frames_read(&frames, 2, &frame, &extract));
    const char *const cell = strstr((const char *)frame.data, "_cell.length_b");
    assert_non_null(cell);
    assert_int_not_equal(lines_wrong("cell.cif", (const char *)frame.data, extract, (Word){cell, cell + 5}, "y"), 0);
    assert_message_has("cell.cif:13:1: \"_cell\", want y");
    bytes_free(&frame);
    frames_close(&frames);
}

/* A model whose ENDMDL lacks ends where the next begins, alone and in a film. */
static void models_end_before_the_next(void **state) {
    (void)state;
#define ATOM "ATOM      1  O   HOH A   1       0.000   0.000   0.000\n"
    static const char text[] = "MODEL        1\n" ATOM "MODEL        2\n" ATOM ATOM "END\n";
#undef ATOM
    write_text("open.pdb", text, sizeof text - 1);
    Trajectory *trajectory = open_run("open.pdb");
    assert_int_equal(trajectory_frames(trajectory), 2);
    for (size_t frame = 1; frame <= 2; frame++) {
        char name[32];
        Scene *shown = NULL, *alone;
        snprintf(name, sizeof name, "open.pdb:frame=%zu", frame);
        REQUIRE(trajectory_show(trajectory, (double)frame, &shown));
        REQUIRE(scene_text_open(name, &alone));
        assert_int_equal(shown->count, frame);
        assert_int_equal(alone->count, frame);
        scene_destroy(&shown);
        scene_destroy(&alone);
    }
    trajectory_close(&trajectory);
}

static const char *const files[] = {"run.dump", "slab.xyz", "run.gro", "models.pdb", "models.cif"};

/* Whatever the bytes are: frames, or a sentence. */
static void assert_settled(const char *path) {
    Trajectory *trajectory = NULL;
    Scene *scene = NULL;
    if (trajectory_open(path, &trajectory) != STATUS_OK)
        fail_msg("%s", status_message());
    const size_t frames = trajectory_frames(trajectory);
    assert_true(frames >= 1);
    for (size_t frame = 1; frame <= frames; frame++) {
        const Status status = trajectory_show(trajectory, (double)frame - (frame > 1 ? 0.5 : 0), &scene);
        assert_true(status == STATUS_OK ? scene != NULL : status == STATUS_INPUT && status_message()[0]);
    }
    trajectory_close(&trajectory);
    scene_destroy(&scene);
}

static void damaged_files_are_read_or_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[PATH];
        Bytes file;
        snprintf(path, sizeof path, FOLDER "%s", files[i]);
        REQUIRE(file_read(path, &file));
        for (size_t at = 0; at < file.size; at += check_every(37) + 2) {
            static const char others[] = {'\0', '9', ' ', '\n'};
            const unsigned char kept = file.data[at];
            write_text(files[i], (const char *)file.data, at);
            assert_settled(files[i]);
            file.data[at] = (unsigned char)others[at % sizeof others];
            write_text(files[i], (const char *)file.data, file.size);
            assert_settled(files[i]);
            file.data[at] = kept;
        }
        bytes_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_find_the_same),
        cmocka_unit_test(particles_that_stay_are_moved),
        cmocka_unit_test(images_go_along),
        cmocka_unit_test(wrapped_particles_stay_within),
        cmocka_unit_test(boxes_and_own_spheres_go_along),
        cmocka_unit_test(first_frame_decides_ranges),
        cmocka_unit_test(texts_have_places),
        cmocka_unit_test(long_files_are_read_frame_by_frame),
        cmocka_unit_test(a_chosen_frame_is_read_alone),
        cmocka_unit_test(damaged_frames_say_where),
        cmocka_unit_test(frames_behind_damage_are_refused_by_it),
        cmocka_unit_test(all_models_have_what_is_behind_the_last),
        cmocka_unit_test(models_end_before_the_next),
        cmocka_unit_test(damaged_files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
