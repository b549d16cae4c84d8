/* test_bonds.c: bonds of molecules as chemists know them, and neighbours against all pairs. */
#include "core/math/pcg.h"
#include "core/scene/particles/bonds.h"
#include "core/scene/particles/elements.h"
#include "core/scene/particles/trajectory.h"

#include "tests/unit/scene_fixture.h"

#include <math.h>
#include <stdlib.h>

/* ---- elements ---- */

static void elements_have_known_sizes(void **state) {
    (void)state;
    assert_true(element_by_symbol("cl", 2)->number == 17 && element_by_symbol("CLA", 2)->number == 17);
    assert_true(element_by_symbol("C", 1)->number == 6 && element_by_number(92)->radius == 2.71f);
    assert_null(element_by_symbol("", 0));
    assert_null(element_by_symbol("Pm", 2));
    assert_null(element_by_number(0));
}

/* ---- neighbours ---- */

static bool is_listed(const Bonds *bonds, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < bonds->count; i++)
        if (bonds->list[i].from == from && bonds->list[i].to == to)
            return true;
    return false;
}

/* Each pair that is near enough comes once, wherever it is: about 0, far from it, in a line, in one place. */
static void neighbours_are_those_of_all_pairs(void **state) {
    (void)state;
    enum { COUNT = 700, PERIOD = 7 };
    static const float reaches[PERIOD] = {0.5F, 0.2F, 0, 0.5F, 0.9F, 0.01F, 0.3F};
    const struct {
        Vec at, size;
    } places[] = {
        {{0, 0, 0}, {9, 9, 9}}, {{1e5F, -1e5F, 3}, {9, 9, 9}}, {{-4, 0, 0}, {300, 0, 0}}, {{1, 1, 1}, {0, 0, 0}}};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        Pcg pcg = pcg_seed(9, p);
        Sphere spheres[COUNT];
        Bonds bonds;
        size_t want = 0;
        for (int i = 0; i < COUNT; i++) {
            const float x = pcg_float(&pcg) - 0.5F, y = pcg_float(&pcg) - 0.5F, z = pcg_float(&pcg) - 0.5F;
            spheres[i] = (Sphere){.x = places[p].at.x + x * places[p].size.x,
                                  .y = places[p].at.y + y * places[p].size.y,
                                  .z = places[p].at.z + z * places[p].size.z};
        }
        assert_int_equal(bonds_by_distance("test", spheres, COUNT, reaches, PERIOD, 0.1F, &bonds), STATUS_OK);
        for (uint32_t i = 0; i < COUNT; i++)
            for (uint32_t k = i + 1; k < COUNT; k++) {
                const double x = (double)spheres[i].x - (double)spheres[k].x,
                             y = (double)spheres[i].y - (double)spheres[k].y;
                const double z = (double)spheres[i].z - (double)spheres[k].z, away = sqrt(x * x + y * y + z * z);
                const float one = reaches[i % PERIOD], other = reaches[k % PERIOD];
                if (!(one > 0 && other > 0 && away < (double)one + (double)other && away >= (double)0.1F))
                    continue;
                want++;
                assert_true(is_listed(&bonds, i, k));
            }
        assert_int_equal(bonds.count, want);
        assert_true(want > 30 || p == 3);
        bonds_free(&bonds);
    }
}

/* ---- molecules ---- */

/* Angstrom, from crystals and microwaves (NIST's CCCBDB); caffeine is a model. */
static const char water[] = "3\n\nO 0 0 0.1173\nH 0 0.7572 -0.4692\nH 0 -0.7572 -0.4692\n";
static const char hydrogen[] = "4\n\nH 0 0 0\nH 0 0 0.7414\nH 0 3 0\nH 0 3 0.7414\n";
static const char benzene[] =
    "12\n\nC 0 1.3970 0\nC 1.2098 0.6985 0\nC 1.2098 -0.6985 0\nC 0 -1.3970 0\nC -1.2098 -0.6985 0\n"
    "C -1.2098 0.6985 0\nH 0 2.4810 0\nH 2.1486 1.2405 0\nH 2.1486 -1.2405 0\nH 0 -2.4810 0\nH -2.1486 -1.2405 0\n"
    "H -2.1486 1.2405 0\n";
static const char salt[] = "2\n\nNa 0 0 0\nCl 0 0 2.3608\n";
static const char argon[] = "2\n\nAr 0 0 0\nAr 0 0 3.758\n";

static Scene *parse_with(const char *path, const char *text, ParticleOptions options) {
    Scene *scene = NULL;
    void *values;
    REQUIRE(params_create(particle_options, &values));
    ParticleOptions *const all = values;
    all->bonds = options.bonds ? strdup(options.bonds) : NULL;
    all->radius = options.radius ? strdup(options.radius) : NULL;
    all->bond_radius = options.bond_radius;
    all->normals = options.normals;
    for (int i = 0; i < 3; i++)
        all->images[i] = options.images[i] > 0 ? options.images[i] : 1;
    const Status status = scene_format_parse(scene_format_for_path(path), path, bytes_of(text), all, &scene);
    params_destroy(particle_options, &values);
    if (status != STATUS_OK)
        assert_null(scene);
    return scene;
}

static void molecules_have_their_bonds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t bonds;
    } molecules[] = {{water, 2}, {hydrogen, 2}, {benzene, 12}, {salt, 1}, {argon, 0}};
    for (size_t i = 0; i < sizeof molecules / sizeof molecules[0]; i++) {
        Scene *scene = parse_with("t.xyz", molecules[i].text, (ParticleOptions){.bonds = "1.2x"});
        assert_non_null(scene);
        assert_int_equal(scene->cylinder_count, molecules[i].bonds);
        scene_destroy(&scene);
    }
}

/* From the oxygen, red, to a hydrogen, white; balls of a quarter of van der Waals radii. */
static void bonds_look_as_said(void **state) {
    (void)state;
    Scene *scene = parse_with("t.xyz", water, (ParticleOptions){.bonds = "1.2x"});
    assert_non_null(scene);
    const Cylinder *bond = &scene->cylinders[0];
    assert_true(bond->ends[0].z == 0.1173F && bond->ends[1].y == 0.7572F && bond->radius == 0.15F && !bond->flat);
    assert_true(bond->colours[0].red == scene->spheres[0].red && bond->colours[1].red == scene->spheres[1].red);
    assert_true(bond->colours[0].green < 0.1F && bond->colours[1].green > 0.9F);
    assert_true(scene->spheres[0].radius == 0.25F * 1.52F);
    scene_destroy(&scene);
    scene = parse_with("t.xyz", water, (ParticleOptions){.bonds = "1.6", .bond_radius = 0.3, .radius = "0.5"});
    assert_non_null(scene);
    assert_int_equal(scene->cylinder_count, 3); /* the hydrogens, too, are 1.514 apart */
    assert_true(scene->cylinders[0].radius == 0.3F && scene->spheres[0].radius == 0.5F);
    scene_destroy(&scene);
}

/* A row of atoms in a box that is repeated: bonds join the images, and not the ends. */
static void images_are_joined(void **state) {
    (void)state;
    static const char row[] = "2\nLattice=\"3 0 0 0 9 0 0 0 9\"\nC 0 0 0\nC 1.5 0 0\n";
    Scene *scene = parse_with("t.xyz", row, (ParticleOptions){.bonds = "1.2x", .images = {4}});
    assert_non_null(scene);
    assert_int_equal(scene->count, 8);
    assert_int_equal(scene->cylinder_count, 7);
    scene_destroy(&scene);
}

#define ATOM(serial, x) "ATOM  " serial "  C   ALA A   1    " x "   0.000   0.000  1.00  0.00           C\n"

/* CONECT says each bond twice, double ones twice more; atoms that are not there have none. */
static void bonds_are_those_of_the_file(void **state) {
    (void)state;
    static const char entry[] = ATOM("    3", "   0.000") ATOM("    5", "   9.000")
        ATOM("   12", "  20.000") "CONECT    3    5    5   99\nCONECT    5    3    3   12\nCONECT   12    5\nEND\n";
    Scene *scene = parse_with("t.pdb", entry, (ParticleOptions){.bonds = "file"});
    assert_non_null(scene);
    assert_int_equal(scene->cylinder_count, 2);
    assert_true(scene->cylinders[0].ends[0].x == 0 && scene->cylinders[0].ends[1].x == 9);
    assert_true(scene->cylinders[1].ends[0].x == 9 && scene->cylinders[1].ends[1].x == 20);
    scene_destroy(&scene);
}

static void wrong_bonds_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *path, *text, *bonds, *message;
    } wrong[] = {
        {"t.xyz", water, "1.2y", "t.xyz: bonds is \"1.2y\", want a factor up to 10, as 1.2x"},
        {"t.xyz", water, "11x", "bonds is \"11x\""},
        {"t.xyz", water, "-1", "bonds is \"-1\""},
        {"t.xyz", water, "file", "t.xyz: bonds=file is for files of PDB"},
        {"t.csv", "x,y,z\n1,2,3\n", "1.2x", "t.csv: bonds=1.2x wants elements, of which it has no column"},
        {"t.csv", "x,y,z,element,r,g,b\n1,2,3,C,1,1,1\n", "1.2x", "t.csv: bonds=1.2x wants colours by one column"},
        {"t.pdb", ATOM("    3", "   0.000"), "file", "t.pdb: has no record CONECT"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(
            parse_with(wrong[i].path, wrong[i].text, (ParticleOptions){.bonds = (char *)(uintptr_t)wrong[i].bonds}));
        assert_message_has(wrong[i].message);
    }
}

/* ---- films ---- */

/* Two atoms that move, one of which goes around the box, and a third that comes near in the last frame. */
static void bonds_follow_their_atoms(void **state) {
    (void)state;
    static const char film[] = "3\nLattice=\"20 0 0 0 20 0 0 0 20\"\nC 1 0 0\nC 2 0 0\nC 9 0 0\n"
                               "3\nLattice=\"20 0 0 0 20 0 0 0 20\"\nC 1 4 0\nC 2.5 4 0\nC 9 0 0\n"
                               "3\nLattice=\"20 0 0 0 20 0 0 0 20\"\nC 1 4 0\nC 2.5 4 0\nC 2.5 5.5 0\n"
                               "3\nLattice=\"20 0 0 0 20 0 0 0 20\"\nC 19.5 4 0\nC 1 4 0\nC 9 0 0\n";
    FILE *file = fopen("film.xyz", "w");
    assert_non_null(file);
    assert_true(fputs(film, file) >= 0);
    assert_int_equal(fclose(file), 0);
    Trajectory *trajectory;
    Scene *scene = NULL;
    REQUIRE(trajectory_open("film.xyz:bonds=1.2x", &trajectory));
    REQUIRE(trajectory_show(trajectory, 1, &scene));
    assert_int_equal(scene->cylinder_count, 1);
    assert_true(scene->cylinders[0].ends[1].x == 2);
    const uint64_t serial = scene->serial, moves = scene->moves;
    REQUIRE(trajectory_show(trajectory, 1.5, &scene));
    assert_true(scene->serial == serial && scene->moves > moves);
    assert_true(scene->cylinders[0].ends[0].y == 2 && scene->cylinders[0].ends[1].x == 2.25F);
    REQUIRE(trajectory_show(trajectory, 2, &scene));
    assert_true(scene->serial == serial && scene->cylinders[0].ends[1].x == 2.5F);
    REQUIRE(trajectory_show(trajectory, 3, &scene));
    assert_int_equal(scene->cylinder_count, 2);
    assert_true(scene->serial != serial);
    REQUIRE(trajectory_show(trajectory, 2.5, &scene)); /* as many as the second frame has */
    assert_int_equal(scene->cylinder_count, 1);
    REQUIRE(trajectory_show(trajectory, 4, &scene));
    assert_int_equal(scene->cylinder_count, 0);
    scene_destroy(&scene);
    trajectory_close(&trajectory);
}

/* ---- discs ---- */

static void points_with_normals_are_discs(void **state) {
    (void)state;
    static const char points[] = "x,y,z,nx,ny,nz,red,green,blue\n0,0,0,0,0,2,1,0,0\n,1,1,1,0,0,0,0,0\n"
                                 "0,4,0,0,0,0,0,1,0\n3,0,0,-1,0,1,0,0,1\n";
    Scene *scene = parse_with("t.csv", points, (ParticleOptions){.normals = 1, .radius = "0.5"});
    assert_non_null(scene);
    assert_int_equal(scene->count, 0);
    assert_int_equal(scene->cylinder_count, 2); /* without a place or a normal there is no disc */
    const Cylinder *last = &scene->cylinders[1];
    assert_true(last->flat && last->ends[0].x == 3 && last->radius == 0.5F && last->colours[1].blue == 1);
    assert_true(fabsf(last->ends[1].x + sqrtf(0.5F)) < 1e-6F && fabsf(last->ends[1].z - sqrtf(0.5F)) < 1e-6F);
    scene_destroy(&scene);
    assert_null(parse_with("t.csv", "x,y,z\n1,2,3\n", (ParticleOptions){.normals = 1}));
    assert_message_has("t.csv: normals=discs wants columns nx, ny and nz; its columns are x, y, z");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_those_of_all_pairs),
        cmocka_unit_test(molecules_have_their_bonds),
        cmocka_unit_test(bonds_look_as_said),
        cmocka_unit_test(images_are_joined),
        cmocka_unit_test(bonds_are_those_of_the_file),
        cmocka_unit_test(elements_have_known_sizes),
        cmocka_unit_test(wrong_bonds_are_refused),
        cmocka_unit_test(bonds_follow_their_atoms),
        cmocka_unit_test(points_with_normals_are_discs),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
