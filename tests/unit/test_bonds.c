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
        assert_int_equal(bonds_by_distance("test", spheres, COUNT, reaches, PERIOD, 0.1F, NULL, &bonds), STATUS_OK);
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

/* The bonds of spheres in a box, by all pairs and all images up to five sides away. */
static size_t count_in_box(const Sphere *spheres, uint32_t count, double reach, const Box *box, size_t *halves) {
    enum { SIDES = 5 };
    size_t whole = 0;
    *halves = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            for (int a = -SIDES; a <= SIDES; a++)
                for (int b = -SIDES; b <= SIDES; b++)
                    for (int c = box->open[2] ? 0 : -SIDES; c <= (box->open[2] ? 0 : SIDES); c++) {
                        double way[3] = {(double)spheres[k].x - (double)spheres[i].x,
                                         (double)spheres[k].y - (double)spheres[i].y,
                                         (double)spheres[k].z - (double)spheres[i].z};
                        for (int axis = 0; axis < 3; axis++)
                            way[axis] += a * box->sides[0][axis] + b * box->sides[1][axis] + c * box->sides[2][axis];
                        const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
                        if (!(square > 0) || square >= reach * reach)
                            continue;
                        if (a == 0 && b == 0 && c == 0)
                            whole += i < k;
                        else
                            (*halves)++;
                    }
    return whole;
}

/* Boxes with right angles, skewed ones, those that are smaller than bonds are long, and slabs; some spheres are out of
 * the box. */
static void borders_are_crossed(void **state) {
    (void)state;
    enum { COUNT = 40 };
    static const struct {
        Box box;
        float reach; /* of each sphere */
    } cases[] = {
        {{{0, 0, 0}, {{9, 0, 0}, {0, 8, 0}, {0, 0, 10}}, {false}}, 1.2F},
        {{{-3, 2, 1}, {{6, 0, 0}, {-2.5, 7, 0}, {1.5, 2.5, 5}}, {false}}, 1.0F},
        {{{0, 0, 0}, {{6, 0, 0}, {0, 6, 0}, {0, 0, 6}}, {false, false, true}}, 1.1F},
        {{{0, 0, 0}, {{2, 0, 0}, {0.5, 2, 0}, {0, 0, 2}}, {false}}, 1.3F},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const Box *box = &cases[n].box;
        Pcg pcg = pcg_seed(31, n);
        Sphere spheres[COUNT];
        Bonds bonds;
        size_t halves = 0, want_halves;
        for (int i = 0; i < COUNT; i++) {
            const float shares[3] = {1.2F * pcg_float(&pcg) - 0.1F, pcg_float(&pcg), pcg_float(&pcg)};
            double at[3];
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = box->corner[axis];
                for (int side = 0; side < 3; side++)
                    at[axis] += (double)shares[side] * box->sides[side][axis];
            }
            spheres[i] = (Sphere){.x = (float)at[0], .y = (float)at[1], .z = (float)at[2]};
        }
        const size_t want = count_in_box(spheres, COUNT, 2 * (double)cases[n].reach, box, &want_halves);
        assert_int_equal(bonds_by_distance("test", spheres, COUNT, &cases[n].reach, 1, 0, box, &bonds), STATUS_OK);
        for (size_t i = 0; i < bonds.count; i++)
            halves += bonds.list[i].across[0] || bonds.list[i].across[1] || bonds.list[i].across[2];
        assert_int_equal(halves, want_halves);
        assert_int_equal(bonds.count - halves, want);
        assert_true(halves > 20);
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

/* A row of atoms in a box that is repeated: bonds join the images, and both ends have half of one. */
static void images_are_joined(void **state) {
    (void)state;
    static const char row[] = "2\nLattice=\"3 0 0 0 9 0 0 0 9\"\nC 0 0 0\nC 1.5 0 0\n";
    Scene *scene = parse_with("t.xyz", row, (ParticleOptions){.bonds = "1.2x", .images = {4}});
    assert_non_null(scene);
    assert_int_equal(scene->count, 8);
    assert_int_equal(scene->cylinder_count, 7 + 2);
    const Cylinder *first = &scene->cylinders[1]; /* of the atom at 0, behind its bond to the next one */
    assert_true(first->ends[0].x == 0 && first->ends[1].x == -0.75F);
    scene_destroy(&scene);
}

/* Crystals, and how many bonds ASE 3.29 finds for them (neighbor_list with natural_cutoffs(mult=1.2)): within the box,
 * and over its border, seen from each atom. */
static const char quartz[] =
    "9\nLattice=\"4.916 0 0 -2.458 4.2574 0 0 0 5.4054\"\nSi 2.309 0 1.8018\nSi -1.1545 1.9997 3.6036\n"
    "Si 1.3035 2.2577 0\nO 1.3767 1.1363 1.158\nO 3.2436 0.6241 2.9598\nO 2.7537 2.497 4.7616\n"
    "O 0.2957 1.7604 4.2474\nO -1.0813 3.1211 2.4456\nO 0.7856 3.6332 0.6438\n";
static const char silicon[] =
    "2\nLattice=\"0 2.715 2.715 2.715 0 2.715 2.715 2.715 0\"\nSi 0 0 0\nSi 1.3575 1.3575 1.3575\n";

static void crystals_have_their_bonds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double images[3];
        size_t within, across;
    } crystals[] = {{quartz, {1, 1, 1}, 6, 12}, {silicon, {1, 1, 1}, 1, 6}, {silicon, {3, 2, 1}, 13, 22}};
    for (size_t i = 0; i < sizeof crystals / sizeof crystals[0]; i++) {
        const double *images = crystals[i].images;
        Scene *scene = parse_with("t.xyz", crystals[i].text,
                                  (ParticleOptions){.bonds = "1.2x", .images = {images[0], images[1], images[2]}});
        assert_non_null(scene);
        assert_int_equal(scene->cylinder_count, crystals[i].within + crystals[i].across);
        for (size_t k = 0; k < scene->cylinder_count; k++) { /* 2.35 and 1.61 long, and the halves of that */
            const Vec way = vec_minus(scene->cylinders[k].ends[1], scene->cylinders[k].ends[0]);
            const float length = sqrtf(vec_dot(way, way)), whole = i == 0 ? 1.61F : 2.351F;
            assert_true(fabsf(length - whole) < 0.01F || fabsf(2 * length - whole) < 0.01F);
        }
        scene_destroy(&scene);
    }
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

/* A bond of the file goes to the nearest image, in each image of the box. */
static void bonds_of_the_file_cross_borders(void **state) {
    (void)state;
    static const char entry[] =
        "CRYST1   20.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n" ATOM("    3", "   0.500")
            ATOM("    5", "  19.500") "CONECT    3    5\nEND\n";
    Scene *scene = parse_with("t.pdb", entry, (ParticleOptions){.bonds = "file", .images = {2}});
    assert_non_null(scene);
    assert_int_equal(scene->cylinder_count, 4);
    static const float ends[4][2] = {{0.5F, 0}, {19.5F, 20}, {20.5F, 20}, {39.5F, 40}};
    for (size_t i = 0; i < 4; i++)
        assert_true(scene->cylinders[i].ends[0].x == ends[i][0] && scene->cylinders[i].ends[1].x == ends[i][1]);
    scene_destroy(&scene);
}

#define CIF_ATOMS                                                                                                      \
    "data_X\nloop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_alt_id\n"        \
    "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.auth_seq_id\n"            \
    "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"                                                     \
    "7 S SG . CYS A 3 3 1 0 0\n9 S SG . CYS A 8 8 2 0 0\n11 C \"C1'\" A LIG B . 1 3 0 0\n"                             \
    "12 C \"C1'\" B LIG B . 1 4 0 0\n14 O O . HOH C . 101 5 0 0\n15 O O . HOH C . 102 6 0 0\n#\n"
#define CIF_PARTNER(n)                                                                                                 \
    "_struct_conn.ptnr" n "_label_asym_id\n_struct_conn.ptnr" n "_label_comp_id\n_struct_conn.ptnr" n                  \
    "_label_seq_id\n_struct_conn.ptnr" n "_label_atom_id\n_struct_conn.pdbx_ptnr" n                                    \
    "_label_alt_id\n_struct_conn.ptnr" n "_auth_seq_id\n_struct_conn.ptnr" n "_symmetry\n"
#define CIF_LOOP "loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n" CIF_PARTNER("1") CIF_PARTNER("2")

/* Disulfide bridges, alternate places, waters by their numbers; no hydrogen bonds, no symmetric copies, no atoms that
 * are not there. Rows may have several lines; a category of one row has a line for each item. */
static void bonds_are_those_of_struct_conn(void **state) {
    (void)state;
    static const char loop[] = CIF_LOOP "disulf1 disulf A CYS 3 SG ? 3 1_555 A CYS 8 SG ? 8 1_555\n"
                                        "covale1 covale A CYS 8 SG ? 8 1_555\nB LIG . \"C1'\" B 1 1_555\n"
                                        "metalc1 metalc B LIG . \"C1'\" A 1 1_555 C HOH . O ? 102 1_555\n"
                                        "hydrog1 hydrog C HOH . O ? 101 1_555 C HOH . O ? 102 1_555\n"
                                        "covale2 covale A CYS 3 SG ? 3 1_555 C HOH . O ? 101 2_655\n"
                                        "covale3 covale A CYS 3 SG ? 3 1_555 C HOH . O ? 103 1_555\n#\n";
    static const char row[] = "_struct_conn.id disulf1\n_struct_conn.conn_type_id disulf\n"
                              "_struct_conn.ptnr1_label_asym_id A\n_struct_conn.ptnr1_label_seq_id 8\n"
                              "_struct_conn.ptnr1_label_atom_id SG\n_struct_conn.ptnr2_label_asym_id A\n"
                              "_struct_conn.ptnr2_label_seq_id 3\n_struct_conn.ptnr2_label_atom_id SG\n#\n";
    static const float ends[3][2] = {{1, 2}, {2, 4}, {3, 6}};
    char text[4096];
    for (int behind = 0; behind < 2; behind++) {
        snprintf(text, sizeof text, "%s%s%s", behind ? "" : loop, CIF_ATOMS, behind ? loop : "");
        Scene *scene = parse_with("t.cif", text, (ParticleOptions){.bonds = "file"});
        assert_non_null(scene);
        assert_int_equal(scene->cylinder_count, 3);
        for (size_t i = 0; i < 3; i++)
            assert_true(scene->cylinders[i].ends[0].x == ends[i][0] && scene->cylinders[i].ends[1].x == ends[i][1]);
        scene_destroy(&scene);
    }
    snprintf(text, sizeof text, "%s%s", CIF_ATOMS, row);
    Scene *scene = parse_with("t.cif", text, (ParticleOptions){.bonds = "file"});
    assert_non_null(scene);
    assert_int_equal(scene->cylinder_count, 1);
    assert_true(scene->cylinders[0].ends[0].x == 1 && scene->cylinders[0].ends[1].x == 2);
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
        {"t.xyz", water, "file", "t.xyz: bonds=file is for PDB and mmCIF"},
        {"t.cif", CIF_ATOMS, "file", "t.cif: has no category struct_conn"},
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
    REQUIRE(trajectory_show(trajectory, 4, &scene)); /* each has the half of a bond over the border */
    assert_int_equal(scene->cylinder_count, 2);
    assert_true(scene->cylinders[0].ends[0].x == 19.5F && scene->cylinders[0].ends[1].x == 20.25F);
    assert_true(scene->cylinders[1].ends[0].x == 1 && scene->cylinders[1].ends[1].x == 0.25F);
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
        cmocka_unit_test(borders_are_crossed),
        cmocka_unit_test(crystals_have_their_bonds),
        cmocka_unit_test(bonds_of_the_file_cross_borders),
        cmocka_unit_test(bonds_are_those_of_struct_conn),
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
