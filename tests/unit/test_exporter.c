/* test_exporter.c: pictures that are exported in the background, each by its chain. One that fails loses only itself.
 * An export that is cancelled leaves whole files alone. */
#include "app/backends.h"
#include "app/batch/exporter.h"
#include "core/codec/codec.h"

#include <dirent.h>
#include <string.h>

#include "tests/check.h"

enum { COUNT = 12 };

static const ExporterOptions plain = {.backend = "cpu", .type_max = PIXEL_F32, .threads = 2};

static void save_gray(const char *path, size_t width, size_t height, int value) {
    Image *image;
    Bytes file;
    REQUIRE(image_create((Shape){width, height, 1, PIXEL_U8}, &image));
    memset(image->view.pixels, value, width * height);
    REQUIRE(codec_encode_for(path, image, (SaveOptions){0}, &file));
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(file.data, 1, file.size, stream), file.size);
    fclose(stream);
    bytes_free(&file);
    image_destroy(&image);
}

static ExportFile file_of(const char *input, const char *output, const char *chain) {
    return (ExportFile){.input = strdup(input), .output = strdup(output), .chain = strdup(chain)};
}

static int first_value(const char *path) {
    Image *image;
    REQUIRE(codec_load(path, &image));
    const int value = (int)view_value(image->view, 0, 0, 0);
    image_destroy(&image);
    return value;
}

static void each_has_its_chain(void **state) {
    (void)state;
    Exporter *exporter;
    ExportFile *files = calloc(4, sizeof *files);
    save_gray("dark.pgm", 8, 6, 10);
    files[0] = file_of("dark.pgm", "out/same.png", "");
    files[1] = file_of("dark.pgm", "out/inverse.png", "invert");
    files[2] = file_of("missing.pgm", "out/missing.png", "invert");
    files[3] = file_of("dark.pgm", "out/none.png", "no-filter-of-this-name");
    REQUIRE(exporter_begin(&plain, files, 4, &exporter));
    exporter_join(exporter);
    const ExporterState now = exporter_state(exporter);
    exporter_end(&exporter);
    assert_true(now.ended && !now.cancelled);
    assert_int_equal(now.done, 2);
    assert_int_equal(now.failed, 2);
    assert_non_null(strstr(now.why, "missing.pgm"));
    assert_int_equal(first_value("out/same.png"), 10);
    assert_int_equal(first_value("out/inverse.png"), 245);
    assert_int_not_equal(access("out/missing.png", F_OK), 0);
}

static int last_value(const char *path) {
    Image *image;
    REQUIRE(codec_load(path, &image));
    const Shape shape = image->view.shape;
    const int value = (int)view_value(image->view, shape.width - 1, shape.height - 1, 0);
    image_destroy(&image);
    return value;
}

static ExporterState export_all(ExporterOptions options, ExportFile *files, size_t count) {
    Exporter *exporter;
    REQUIRE(exporter_begin(&options, files, count, &exporter));
    exporter_join(exporter);
    const ExporterState now = exporter_state(exporter);
    exporter_end(&exporter);
    return now;
}

/* The pixel, the one above it, and a third of the one below: 10 + 0 + 0 between zeros, 10 + 90 + 30 in a border of 90.
 */
static void each_has_its_border(void **state) {
    (void)state;
    ExportFile *files = calloc(3, sizeof *files);
    save_gray("dark.pgm", 1, 1, 10);
    for (int i = 0; i < 2; i++)
        files[i] = file_of("dark.pgm", i > 0 ? "bright.png" : "zeros.png", "convolve=1;1;1/3");
    files[1].plan.border = (Border){BORDER_CONSTANT, 90};
    files[2] = file_of("dark.pgm", "never.png", "");
    files[2].why = strdup("the sidecar is damaged");
    const ExporterState now = export_all(plain, files, 3);
    assert_int_equal(now.done, 2);
    assert_int_equal(now.failed, 1);
    assert_string_equal(now.why, "the sidecar is damaged");
    assert_int_equal(first_value("zeros.png"), 10);
    assert_int_equal(first_value("bright.png"), 130);
    assert_int_not_equal(access("never.png", F_OK), 0);
}

/* Pictures of 12 MB of values. Half of the first budget takes one in strips. All of the second takes one whole, since
 * its format has no rows. Rotating needs all rows at once, for which the last has no room: they lie on the disk. */
static void large_pictures_are_exported(void **state) {
    (void)state;
    static const struct {
        const char *memory, *output, *small, *chain;
        int want;
    } cases[] = {
        {"48M", "strips.png", "a.png", "invert", 155},
        {"160M", "alone.bmp", "b.png", "invert", 155},
        {"12M", "spilled.png", "c.png", "rotate=90", 100},
    };
    save_gray("large.pgm", 4000, 3000, 100);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ExportFile *files = calloc(2, sizeof *files);
        files[0] = file_of("large.pgm", cases[i].output, cases[i].chain);
        files[1] = file_of("dark.pgm", cases[i].small, cases[i].chain);
        setenv("GLINT_MEMORY", cases[i].memory, 1);
        const ExporterState now = export_all(plain, files, 2);
        unsetenv("GLINT_MEMORY");
        if (now.failed > 0)
            print_error("%s: %s\n", cases[i].output, now.why);
        assert_int_equal(now.done, 2);
        assert_int_equal(first_value(cases[i].output), cases[i].want);
        assert_int_equal(last_value(cases[i].output), cases[i].want);
    }
}

static size_t files_in(const char *folder) {
    size_t count = 0;
    DIR *open = opendir(folder);
    for (const struct dirent *entry; open && (entry = readdir(open));)
        count += entry->d_name[0] != '.' || (entry->d_name[1] && entry->d_name[1] != '.');
    if (open)
        closedir(open);
    return count;
}

/* The first one alone would take minutes. */
static void a_cancelled_one_ends_soon(void **state) {
    (void)state;
    Exporter *exporter;
    ExportFile *files = calloc(COUNT, sizeof *files);
    save_gray("large.pgm", 4000, 3000, 100);
    for (int i = 0; i < COUNT; i++) {
        char output[32];
        snprintf(output, sizeof output, "cancelled/%d.png", i);
        files[i] = file_of("large.pgm", output, "nlmeans,bilateral=20,nlmeans,bilateral=20,nlmeans");
    }
    REQUIRE(exporter_begin(&plain, files, COUNT, &exporter));
    while (exporter_state(exporter).share <= 0)
        usleep(1000);
    assert_string_equal(exporter_state(exporter).writing, "cancelled/0.png");
    assert_null(exporter_state(exporter).written);
    exporter_cancel(exporter);
    exporter_join(exporter);
    const ExporterState now = exporter_state(exporter);
    assert_true(now.ended && now.cancelled && !now.writing);
    exporter_end(&exporter);
    assert_int_equal(now.failed, 0);
    assert_true(now.done < COUNT);
    assert_int_equal(files_in("cancelled"), now.done);
}

static int prepare(void **state) {
    return backends_register() == STATUS_OK ? check_enter_folder(state) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_chain),
        cmocka_unit_test(each_has_its_border),
        cmocka_unit_test(large_pictures_are_exported),
        cmocka_unit_test(a_cancelled_one_ends_soon),
    };
    return cmocka_run_group_tests(tests, prepare, check_leave_folder);
}
