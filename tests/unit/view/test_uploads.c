/* test_uploads.c: files of pages, in pieces of any size; names that pages should not send; what is left behind. */
#include "app/view/window/uploads.h"
#include "core/base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

static const char message[] = "a b.pgm\0P2 1 1 9 5\n";

/* Sends the message in pieces of that size, and returns whether the file is as it was sent. */
static bool comes_whole(Uploads *uploads, size_t piece) {
    static const char want[] = "P2 1 1 9 5\n";
    const size_t size = sizeof message - 1;
    Bytes file;
    for (size_t at = 0; at < size; at += piece)
        REQUIRE(uploads_take(uploads, message + at, size - at < piece ? size - at : piece));
    REQUIRE(uploads_complete(uploads));
    REQUIRE(file_read(uploads->path, &file));
    const bool same = file.size == sizeof want - 1 && memcmp(file.data, want, file.size) == 0;
    bytes_free(&file);
    return same && strcmp(strrchr(uploads->path, '/'), "/a b.pgm") == 0;
}

static void pieces_make_a_file(void **state) {
    (void)state;
    Uploads uploads;
    char first[UPLOAD_PATH], folder[sizeof uploads.folder];
    uploads_begin(&uploads);
    assert_true(comes_whole(&uploads, sizeof message));
    memcpy(first, uploads.path, sizeof first);
    for (size_t piece = 1; piece < sizeof message; piece++)
        assert_true(comes_whole(&uploads, piece));
    assert_string_not_equal(first, uploads.path); /* though it has the same name */
    assert_int_equal(access(first, R_OK), 0);
    memcpy(folder, uploads.folder, sizeof folder);
    uploads_end(&uploads);
    assert_int_equal(access(folder, F_OK), -1);
}

static void refused(const char *bytes, size_t size, const char *words) {
    Uploads uploads;
    uploads_begin(&uploads);
    const Status status = uploads_take(&uploads, bytes, size);
    assert_int_equal(status == STATUS_OK ? uploads_complete(&uploads) : status, STATUS_INPUT);
    if (!strstr(status_message(), words))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), words);
    assert_string_equal(uploads.folder, "");
    uploads_end(&uploads);
}

static void names_stay_in_the_folder(void **state) {
    (void)state;
    char longest[UPLOAD_NAME_MAX + 2];
    memset(longest, 'n', sizeof longest);
    refused("../a.pgm", 9, "want one without / and");
    refused("/etc/passwd", 12, "want one without / and");
    refused(".a", 3, "a dot in front");
    refused("a\nb", 4, "want one without");
    refused("", 1, "want one without");
    refused("", 0, "no name");
    refused("a.pgm", 5, "no name");
    refused(longest, sizeof longest, "more than 200 bytes");
}

static void files_have_a_limit(void **state) {
    (void)state;
    Uploads uploads;
    uploads_begin(&uploads);
    REQUIRE(uploads_take(&uploads, message, sizeof message - 1));
    uploads.size = UPLOAD_MAX - 1; /* as if so much had come */
    REQUIRE(uploads_take(&uploads, "x", 1));
    assert_int_equal(uploads_take(&uploads, "x", 1), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "a b.pgm: larger than 256 MiB"));
    uploads_drop(&uploads);
    assert_int_equal(access(uploads.path, F_OK), -1);
    assert_true(comes_whole(&uploads, 3));
    uploads_end(&uploads);
}

static void all_files_have_a_limit(void **state) {
    (void)state;
    const size_t left = 20; /* behind the bytes of the message's file */
    Uploads uploads;
    uploads_begin(&uploads);
    assert_true(comes_whole(&uploads, 3));
    assert_true(uploads.total > 0);
    uploads.total =
        (1 << 30) - 8192 - left; /* as if so much had come: 1 GiB, of which each file takes 8 KiB at least */
    REQUIRE(uploads_take(&uploads,
                         "b.pgm\0"
                         "0123456789",
                         16));
    assert_int_equal(uploads_take(&uploads, "0123456789.", 11), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "b.pgm: files dropped so far leave less of their 1024 MiB"));
    char folder[UPLOAD_PATH];
    memcpy(folder, uploads.path, sizeof folder);
    *strrchr(folder, '/') = '\0';
    assert_int_equal(access(folder, F_OK), 0);
    uploads_drop(&uploads);
    assert_int_equal(access(folder, F_OK), -1); /* what is refused leaves nothing behind */
    assert_true(comes_whole(&uploads, 5));      /* fewer bytes fit */
    assert_int_equal(uploads_take(&uploads, "c.pgm", 6), STATUS_INPUT);
    uploads_end(&uploads);
    uploads_begin(&uploads);
    assert_true(comes_whole(&uploads, 5)); /* another window's files begin anew */
    uploads_end(&uploads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_a_file),
        cmocka_unit_test(names_stay_in_the_folder),
        cmocka_unit_test(files_have_a_limit),
        cmocka_unit_test(all_files_have_a_limit),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
