/* test_folder_watch.c: files that come into folders, each once it is complete. */
#include "core/base/folder_watch.h"

#include "core/base/interrupt.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/check.h"

static bool is_wanted(const char *path) {
    return strstr(path, ".jpg") != NULL;
}

static void append(const char *path, const char *text) {
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static char in[] = "in";
static char *const folders[] = {in};

static FolderWatch *watch_in(void) {
    FolderWatch *watch;
    REQUIRE(folder_watch_open(&(FolderWatchRules){folders, 1, true, is_wanted}, &watch));
    return watch;
}

/* The next file is this one; if not, the test waits for it without end, or fails. */
static void expect(FolderWatch *watch, const char *path, const char *below) {
    WatchedFile file;
    REQUIRE(folder_watch_next(watch, &file));
    assert_string_equal(file.path, path);
    assert_string_equal(file.below, below);
    assert_null(file.trouble);
}

static void expect_end(FolderWatch *watch) {
    WatchedFile file;
    folder_watch_end(watch);
    REQUIRE(folder_watch_next(watch, &file));
    assert_null(file.path);
}

static void test_order(void **state) {
    (void)state;
    append("in/10.jpg", "x");
    append("in/9.jpg", "x");
    append("in/9.txt", "x");
    append("in/empty.jpg", "");
    assert_int_equal(mkdir("in/sub", 0777), 0);
    append("in/sub/a.jpg", "x");
    FolderWatch *watch = watch_in();
    expect(watch, "in/9.jpg", "");
    expect(watch, "in/10.jpg", "");
    expect(watch, "in/sub/a.jpg", "sub");
    append("in/empty.jpg", "x");
    expect(watch, "in/empty.jpg", "");
    expect_end(watch);
    folder_watch_close(&watch);
}

/* A file that is open to be written does not come; one that comes later overtakes it. */
static void test_open_file(void **state) {
    (void)state;
    const int writer = open("in/open.jpg", O_WRONLY | O_CREAT, 0666);
    assert_true(writer >= 0 && write(writer, "x", 1) == 1);
    FolderWatch *watch = watch_in();
    WatchedFile file = {0};
    for (int i = 0; i < 4; i++)
        REQUIRE(folder_watch_next(watch, &file)); /* of the test before */
    append("in/second.jpg", "x");
    expect(watch, "in/second.jpg", "");
    assert_true(write(writer, "y", 1) == 1 && close(writer) == 0);
    expect(watch, "in/open.jpg", "");
    folder_watch_close(&watch);
}

/* A file that changes comes again, but only once the caller is done with it; one that stays the same does not. */
static void test_again(void **state) {
    (void)state;
    struct stat opened;
    WatchedFile file;
    FolderWatch *watch = watch_in();
    for (int i = 0; i < 6; i++)
        REQUIRE(folder_watch_next(watch, &file));
    append("in/a.jpg", "x");
    expect(watch, "in/a.jpg", "");
    assert_int_equal(stat("in/a.jpg", &opened), 0);
    assert_true(folder_watch_was_whole("in/a.jpg", &opened));
    append("in/a.jpg", "more");
    assert_false(folder_watch_was_whole("in/a.jpg", &opened));
    append("in/b.jpg", "x");
    expect(watch, "in/b.jpg", "");
    folder_watch_done(watch, "in/a.jpg", "", false);
    expect(watch, "in/a.jpg", "");
    folder_watch_done(watch, "in/a.jpg", "", true); /* without an event */
    expect(watch, "in/a.jpg", "");
    assert_int_equal(stat("in/a.jpg", &opened), 0);
    const int writer = open("in/a.jpg", O_WRONLY);
    assert_false(folder_watch_was_whole("in/a.jpg", &opened));
    assert_int_equal(close(writer), 0);
    assert_int_equal(unlink("in/a.jpg"), 0);
    assert_true(folder_watch_was_whole("in/a.jpg", &opened));
    folder_watch_done(watch, "in/a.jpg", "", false);
    append("in/a.jpg", "other");
    expect(watch, "in/a.jpg", "");
    folder_watch_close(&watch);
}

static void test_gone(void **state) {
    (void)state;
    WatchedFile file;
    FolderWatch *watch = watch_in();
    assert_int_equal(rename("in", "away"), 0);
    Status status = STATUS_OK;
    for (int i = 0; i < 20 && status == STATUS_OK; i++)
        status = folder_watch_next(watch, &file);
    assert_int_equal(status, STATUS_INPUT);
    assert_string_equal(status_message(), "in: was moved or removed while it was watched");
    folder_watch_close(&watch);
    assert_int_equal(folder_watch_open(&(FolderWatchRules){folders, 1, false, is_wanted}, &watch), STATUS_INPUT);
    assert_null(watch);
}

static int setup(void **state) {
    interrupts_catch();
    return check_enter_folder(state) == 0 ? mkdir("in", 0777) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_open_file),
                                       cmocka_unit_test(test_again), cmocka_unit_test(test_gone)};
    return cmocka_run_group_tests(tests, setup, check_leave_folder);
}
