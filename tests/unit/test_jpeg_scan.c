/* test_jpeg_scan.c: JPEG's scans are walked from the start and from the middle, in windows, chunks and marks. Here
 * these are small (tests/CMakeLists.txt), so that files of a few KiB come to all of their ends. libjpeg decodes a file
 * that counts as plain without a warning. */
#include "core/codec/codec.h"
#include "core/codec/jpeg_plain.h"
#include "core/math/pcg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "tests/check.h"

enum { SIDE = 96, BLOCK_LAST = 63 /* values of a block behind the mean */, VALUE_MAX = 10 /* bits of these */ };

/* Noise, less of it in every second quarter. */
static Bytes make(int colours, int across, int quality, bool optimized) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *file = NULL, row[3 * SIDE];
    unsigned long size = 0;
    Pcg random = pcg_seed((uint64_t)quality, 3);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &file, &size);
    jpeg.image_width = jpeg.image_height = SIDE;
    jpeg.input_components = colours;
    jpeg.in_color_space = colours == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg.comp_info[0].h_samp_factor = across;
    jpeg.comp_info[0].v_samp_factor = across;
    jpeg.optimize_coding = optimized;
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < SIDE; y++) {
        for (int i = 0; i < SIDE * colours; i++)
            row[i] =
                (unsigned char)(y / 24 % 2 ? pcg_next(&random) & 255 : 100 + (pcg_next(&random) & 7) + (unsigned)y);
        jpeg_write_scanlines(&jpeg, &(JSAMPROW){row}, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return (Bytes){file, size};
}

static void put_behind(Bytes *file, size_t count) {
    size_t capacity = file->size;
    unsigned char *behind = malloc(count);
    memset(behind, 0x55, count);
    assert_true(bytes_append(file, &capacity, behind, count));
    free(behind);
}

/* Walks a copy of just this size, for the sanitizers' sake. */
static bool walked(Bytes file, size_t size, size_t *end) {
    Bytes copy = {malloc(size), size};
    memcpy(copy.data, file.data, size);
    const bool plain = jpeg_is_plain(copy, end);
    bytes_free(&copy);
    return plain;
}

/* With each length up to `most` of something behind it. */
static void check_plain(Bytes *file, size_t most) {
    const size_t size = file->size;
    size_t end = 0;
    put_behind(file, most);
    for (size_t more = 0; more <= most; more++) {
        assert_true(walked(*file, size + more, &end));
        assert_int_equal(end, size);
    }
}

static void whole_files_are_plain_whatever_follows(void **state) {
    (void)state;
    for (int colours = 1; colours <= 3; colours += 2)
        for (int across = 1; across <= (colours == 1 ? 1 : 2); across++)
            for (int quality = 20; quality <= 100; quality += 20) {
                Bytes file = make(colours, across, quality, quality % 40 == 0);
                check_plain(&file, 700);
                bytes_free(&file);
            }
}

static void damaged_files_are_not_plain(void **state) {
    const int tries = 4000 / (int)check_every(3);
    (void)state;
    Pcg random = pcg_seed(9, 9);
    for (int kind = 0; kind < 4; kind++) {
        Bytes file = make(kind == 0 ? 1 : 3, 1 + kind / 2, 60 + 10 * kind, kind % 2 == 0);
        for (int i = 0; i < tries; i++) {
            const size_t at = pcg_next(&random) % file.size;
            const unsigned char was = file.data[at];
            Image *image = NULL;
            size_t end;
            file.data[at] = (unsigned char)(i % 2 ? was ^ 1u << pcg_next(&random) % 8 : pcg_next(&random) & 255);
            if (walked(file, file.size, &end))
                REQUIRE(codec_decode(file, &image));
            image_destroy(&image);
            file.data[at] = was;
        }
        bytes_free(&file);
    }
}

/* ---- scans of long codes ---- */

static void append(Bytes *file, size_t *capacity, const void *bytes, size_t count) {
    assert_true(bytes_append(file, capacity, bytes, count));
}

static void append_segment(Bytes *file, size_t *capacity, unsigned char marker, const void *bytes, size_t count) {
    const unsigned char head[] = {0xFF, marker, 0, (unsigned char)(count + 2)};
    append(file, capacity, head, sizeof head);
    append(file, capacity, bytes, count);
}

/* Gray blocks below each other have one code for means and one for other values, both of 16 zeros. No bits follow the
 * first, `bits` zeros the second. A step then takes as many bits as there are. */
static Bytes make_zeros(unsigned blocks, unsigned bits, size_t *scan) {
    unsigned char quantizer[65], table[18] = {0};
    const unsigned char frame[] = {8, (unsigned char)(8 * blocks >> 8), (unsigned char)(8 * blocks), 0, 8, 1, 1, 0x11,
                                   0};
    const unsigned char header[] = {1, 1, 0, 0, BLOCK_LAST, 0};
    const size_t count = (size_t)blocks * (16 + BLOCK_LAST * (16 + bits));
    Bytes file = {0};
    size_t capacity = 0;
    memset(quantizer, 1, sizeof quantizer);
    quantizer[0] = 0;
    append(&file, &capacity, "\xFF\xD8", 2);
    append_segment(&file, &capacity, 0xDB, quantizer, sizeof quantizer);
    append_segment(&file, &capacity, 0xC0, frame, sizeof frame);
    table[16] = 1;
    append_segment(&file, &capacity, 0xC4, table, sizeof table);
    table[0] = 0x10;
    table[17] = (unsigned char)bits;
    append_segment(&file, &capacity, 0xC4, table, sizeof table);
    append_segment(&file, &capacity, 0xDA, header, sizeof header);
    *scan = file.size;
    unsigned char *zeros = calloc(1, count / 8 + 1);
    zeros[count / 8] = (unsigned char)((1 << (8 - count % 8)) - 1);
    append(&file, &capacity, zeros, (count + 7) / 8);
    append(&file, &capacity, "\xFF\xD9", 2);
    free(zeros);
    return file;
}

static void long_codes_are_walked_to_their_ends(void **state) {
    (void)state;
    for (unsigned bits = 1; bits <= VALUE_MAX; bits++) {
        size_t scan;
        Bytes file = make_zeros(12, bits, &scan);
        check_plain(&file, 900);
        bytes_free(&file);
    }
}

/* A bit of each byte changes in turn, wherever the middle is. No code begins with it, and the second walk begins again;
 * or it is of a value, which may be any. */
static void a_code_that_is_none_is_met(void **state) {
    enum { BEHIND = 300, BITS = 3, CODE = 16, BLOCK = CODE + BLOCK_LAST * (CODE + BITS) };
    (void)state;
    size_t scan, end;
    Bytes file = make_zeros(12, BITS, &scan);
    const size_t size = file.size;
    put_behind(&file, BEHIND);
    for (size_t at = scan; at < size - 3; at += check_every(61)) {
        const size_t bit = 8 * (at - scan) % BLOCK;
        const bool of_value = bit >= CODE && (bit - CODE) % (CODE + BITS) >= CODE;
        file.data[at] = 0x80;
        for (size_t more = 0; more <= BEHIND; more += 3)
            assert_int_equal(walked(file, size + more, &end), of_value);
        file.data[at] = 0;
    }
    bytes_free(&file);
}

/* A block begins with a code that is none, right behind a value of ones. Where the second walk comes to it just after
 * its window was filled, the bytes it dropped are not in memory any more. */
static void nothing_is_joined_before_the_window(void **state) {
    enum { BITS = 3, BLOCK = 16 + BLOCK_LAST * (16 + BITS), BLOCKS = 40, BEHIND = 6000 };
    (void)state;
    size_t scan, end;
    Bytes file = make_zeros(BLOCKS, BITS, &scan);
    const size_t size = file.size;
    put_behind(&file, BEHIND);
    for (size_t at = scan + BLOCK; at + 2 < size; at += BLOCK) { /* eight blocks are as many bytes as one has bits */
        file.data[at - 1] |= 7;
        file.data[at] = 0x80;
        for (size_t more = 0; more <= BEHIND; more += check_every(7))
            assert_false(walked(file, size + more, &end));
        file.data[at - 1] &= 0xF8;
        file.data[at] = 0;
    }
    bytes_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_files_are_plain_whatever_follows), cmocka_unit_test(damaged_files_are_not_plain),
        cmocka_unit_test(long_codes_are_walked_to_their_ends),    cmocka_unit_test(a_code_that_is_none_is_met),
        cmocka_unit_test(nothing_is_joined_before_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
