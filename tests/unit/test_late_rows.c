/* test_late_rows.c: large files of numbers, whose rows are read when spheres are filled, against the same bytes in
 * memory. */
#include "core/base/file.h"
#include "core/base/input.h"
#include "core/scene/files/format_read.h"

#include "tests/unit/scene_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 20000 };

static char path[64];

/* Writes numbers that differ from row to row, `width` bytes each, in this machine's order or the other one. */
static void write_number(FILE *file, double value, size_t width, bool swapped) {
    const float narrow = (float)value;
    unsigned char bytes[8];
    memcpy(bytes, width == 8 ? (const void *)&value : (const void *)&narrow, width);
    for (size_t i = 0; i < width; i++)
        fputc(bytes[swapped ? width - 1 - i : i], file);
}

static FILE *begin(const char *extension) {
    snprintf(path, sizeof path, "/tmp/glint-late-%ld.%s", (long)getpid(), extension);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    return file;
}

static void write_ply(bool swapped) {
    FILE *file = begin("ply");
    fprintf(file,
            "ply\nformat binary_%s_endian 1.0\nelement camera 2\nproperty uchar x\nelement vertex %d\n"
            "property double x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
            "property uchar blue\nproperty float radius\nend_header\n12",
            swapped ? "big" : "little", ROWS);
    for (int i = 0; i < ROWS; i++) {
        write_number(file, i * 0.37, 8, swapped);
        write_number(file, 5 - i * 0.01, 4, swapped);
        write_number(file, i % 77, 4, swapped);
        fprintf(file, "%c%c%c", i % 251, i % 241, i % 7);
        write_number(file, 0.5 + i % 3, 4, swapped);
    }
    assert_int_equal(fclose(file), 0);
}

static void write_npy(bool columns_apart) {
    char head[128];
    FILE *file = begin("npy");
    const int length = snprintf(head, sizeof head, "{'descr': '<f8', 'fortran_order': %s, 'shape': (%d, 3), }",
                                columns_apart ? "True" : "False", ROWS);
    fprintf(file, "\x93NUMPY%c%c%c%c%s%*s\n", 1, 0, 118, 0, head, 117 - length, "");
    for (int i = 0; i < 3 * ROWS; i++)
        write_number(file, i * 0.25, 8, false);
    assert_int_equal(fclose(file), 0);
}

/* Its comment says that it is binary. */
static void write_text(void) {
    FILE *file = begin("ply");
    fprintf(file,
            "ply\nformat ascii 1.0\ncomment format binary\nelement vertex %d\nproperty float x\nproperty float y\n"
            "property float z\nend_header\n",
            ROWS);
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "%d %g %d\n", i, i * 0.5, -i);
    assert_int_equal(fclose(file), 0);
}

static void assert_read_alike(const char *options) {
    char name[128];
    Bytes bytes;
    Scene *late, *whole;
    void *values;
    const char *at;
    snprintf(name, sizeof name, "%s%s%s", path, *options ? ":" : "", options);
    if (scene_open(name, &late) != STATUS_OK)
        fail_msg("%s: %s", name, status_message());
    assert_int_equal(file_read(path, &bytes), STATUS_OK);
    assert_int_equal(params_create(particle_options, &values), STATUS_OK);
    if (*options)
        assert_int_equal(params_parse(particle_options, path, options, options + strlen(options), values, &at),
                         STATUS_OK);
    assert_int_equal(scene_format_parse(scene_format_for_path(path), path, bytes, values, &whole), STATUS_OK);
    assert_int_equal(late->count, whole->count);
    assert_memory_equal(late->spheres, whole->spheres, late->count * sizeof *late->spheres);
    params_destroy(particle_options, &values);
    bytes_free(&bytes);
    scene_destroy(&late);
    scene_destroy(&whole);
}

static void rows_of_files_are_those_of_bytes(void **state) {
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        write_ply(swapped);
        assert_read_alike("");
        assert_read_alike("every=3");
        assert_read_alike("color=x:radius=2:origin=5:6:7:clip=0:-50:0:999:9:9");
        unlink(path);
    }
    for (int apart = 0; apart < 2; apart++) {
        write_npy(apart);
        assert_read_alike("radius=1");
        assert_read_alike("x=#3:z=#1");
        unlink(path);
    }
    write_text();
    assert_read_alike("");
    unlink(path);
}

/* Rows are read after the header promised them. */
static void shorter_files_are_refused(void **state) {
    (void)state;
    for (int text = 0; text < 2; text++) {
        Input input;
        Scene *scene;
        if (text)
            write_text();
        else
            write_ply(false);
        assert_int_equal(input_open(path, &input), STATUS_OK);
        assert_int_equal(truncate(path, 200000), 0);
        assert_int_equal(scene_format_read(scene_format_for_path(path), &input, NULL, &scene), STATUS_INPUT);
        assert_message_has("has become shorter while it was read");
        unlink(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_files_are_those_of_bytes),
        cmocka_unit_test(shorter_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
