/* test_rows.c: pictures that are read and written by rows are those that are read and written whole. Every sample of
 * tests/formats that has rows, and every shape that a format writes, goes in pieces of all sizes; damage is refused. */
#include "core/base/file.h"
#include "core/base/output.h"
#include "core/codec/codec.h"

#include <dirent.h>
#include <string.h>

#include "tests/check.h"

#define FOLDER GLINT_SOURCE_DIR "/tests/formats/"

static const size_t pieces[] = {1, 2, 3, 7, 16, 1000};

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* All rows from where the source is, `piece` at a time. */
static Status read_all(RowSource *rows, size_t piece, ImageView to) {
    for (size_t y = 0; y < rows->shape.height; y += piece)
        TRY(rows->read(rows, view_crop(to, 0, y, to.shape.width, smaller(piece, rows->shape.height - y))));
    return STATUS_OK;
}

/* The file's picture by rows, twice. False if it has none. */
static bool read_by_rows(const char *path, size_t piece, Image **image, Status *status) {
    CodecFile file;
    RowSource *rows = NULL;
    Image *about = NULL;
    *image = NULL;
    *status = codec_open(path, (Pages){0}, &file);
    if (*status != STATUS_OK || !codec_has_rows(&file)) {
        codec_close(&file);
        return *status != STATUS_OK;
    }
    *status = codec_read_rows(&file, &rows, &about);
    if (*status == STATUS_OK) {
        REQUIRE(image_create(rows->shape, image));
        *status = read_all(rows, piece, (*image)->view);
        if (*status == STATUS_OK) {
            memset((*image)->view.pixels, 0x55, shape_bytes(rows->shape));
            REQUIRE(rows->rewind(rows));
            REQUIRE(read_all(rows, piece, (*image)->view));
        }
        image_pass_on(about, *image);
    }
    row_source_close(&rows);
    image_destroy(&about);
    codec_close(&file);
    return true;
}

static void check_same(const Image *want, const Image *got, const char *name) {
    assert_true(shape_equal(want->view.shape, got->view.shape));
    if (memcmp(want->view.pixels, got->view.pixels, shape_bytes(want->view.shape)) != 0)
        fail_msg("%s: other pixels", name);
    assert_int_equal(want->extras, got->extras);
    assert_int_equal(want->profile_size, got->profile_size);
    assert_int_equal(want->exif.size, got->exif.size);
    assert_int_equal(want->xmp.size, got->xmp.size);
}

static void samples_have_the_same_rows(void **state) {
    (void)state;
    DIR *folder = opendir(FOLDER);
    size_t with_rows = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[600];
        Image *want = NULL, *got;
        Status status;
        snprintf(path, sizeof path, FOLDER "%s", entry->d_name);
        if (!format_for_path(path) || codec_load(path, &want) != STATUS_OK)
            continue;
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces && read_by_rows(path, pieces[i], &got, &status); i++) {
            REQUIRE(status);
            check_same(want, got, entry->d_name);
            with_rows += i == 0;
            image_destroy(&got);
        }
        image_destroy(&want);
    }
    closedir(folder);
    assert_true(with_rows >= (format_by_name("tiff")->lacks ? 0 : 15));
}

static void write_file(const char *path, Bytes bytes) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
}

static void write_by_rows(const char *path, const Image *image, size_t piece) {
    Output *output;
    ByteSink *bytes;
    RowSink *rows;
    const Shape shape = image->view.shape;
    REQUIRE(output_claim(path, (OutputRules){.writer = "-o", .overwrite = true}, &output));
    REQUIRE(output_byte_sink(output, &bytes));
    assert_true(codec_takes_rows(format_for_path(path), shape, bytes->seeks));
    REQUIRE(codec_write_rows(format_for_path(path), image, (SaveOptions){0}, bytes, &rows));
    for (size_t y = 0; y < shape.height; y += piece)
        REQUIRE(rows->write(rows, view_crop(image->view, 0, y, shape.width, smaller(piece, shape.height - y))));
    if (rows->finish)
        REQUIRE(rows->finish(rows));
    row_sink_close(&rows);
    REQUIRE(output_finish(output, NULL));
    output_destroy(&output);
}

/* The bytes of the file are the same, and the written picture is read again by rows. */
static void files_are_the_same(void **state) {
    (void)state;
    for (size_t f = 0; f < format_count; f++) {
        const Format *format = formats[f];
        for (int bit = 0; bit < 12 && format->write_rows; bit++) {
            const Shape shape = {61, 97, bit % 4 + 1, (PixelType)(bit / 4)};
            char path[32];
            Image *image = NULL, *got;
            Bytes want, is;
            Status status;
            if (!codec_takes_rows(format, shape, true))
                continue;
            REQUIRE(image_create(shape, &image));
            view_fill_random(image->view, f);
            REQUIRE(image_block_set(&image->xmp, "a packet", 8));
            REQUIRE(codec_encode(format, image, (SaveOptions){0}, &want));
            for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
                snprintf(path, sizeof path, "%d-%zu.%s", bit, i, format->name); /* a read file is not written again */
                write_by_rows(path, image, pieces[i]);
                REQUIRE(file_read(path, &is));
                assert_int_equal(is.size, want.size);
                assert_memory_equal(is.data, want.data, want.size);
                bytes_free(&is);
                assert_true(read_by_rows(path, pieces[i], &got, &status));
                REQUIRE(status);
                if (!got || !image || memcmp(got->view.pixels, image->view.pixels, shape_bytes(shape)) != 0)
                    fail_msg("%s: other pixels", path);
                image_destroy(&got);
            }
            for (size_t size = 0; size < want.size; size += want.size / 50 + 1) { /* cut off anywhere */
                write_file(path, (Bytes){want.data, size});
                if (!read_by_rows(path, 7, &got, &status) || status != STATUS_INPUT || !status_message()[0])
                    fail_msg("%s of %zu of %zu bytes: status %d", path, size, want.size, (int)status);
                image_destroy(&got);
            }
            bytes_free(&want);
            image_destroy(&image);
        }
    }
}

/* Formats that seek need files; pictures that are interlaced, turned or texts have no rows. */
static void some_have_no_rows(void **state) {
    (void)state;
    CodecFile file;
    const Shape shape = {4, 4, 3, PIXEL_U8};
    const Format *tiff = format_by_name("tiff");
    if (tiff && !tiff->lacks) {
        assert_false(codec_takes_rows(tiff, shape, false));
        REQUIRE(codec_open(FOLDER "tiff-turned.tif", (Pages){.count = 1}, &file));
        assert_false(codec_has_rows(&file));
        codec_close(&file);
        REQUIRE(codec_open(FOLDER "tiff-pages.tif", (Pages){0}, &file));
        assert_false(codec_has_rows(&file));
        codec_close(&file);
    }
    assert_true(codec_takes_rows(format_by_name("png"), shape, false));
    assert_false(codec_takes_rows(format_by_name("bmp"), shape, true));
    static unsigned char text[] = "P2 2 2 9 1 2 3 4 ";
    write_file("text.pgm", (Bytes){text, sizeof text - 1});
    REQUIRE(codec_open("text.pgm", (Pages){0}, &file));
    assert_false(codec_has_rows(&file));
    codec_close(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_have_the_same_rows),
                                       cmocka_unit_test(files_are_the_same), cmocka_unit_test(some_have_no_rows)};
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
