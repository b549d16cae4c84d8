/* test_file.c: files read whole and written whole. */
#include "core/base/draft.h"
#include "core/base/file.h"
#include "core/base/input.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check.h"

static Bytes text(const char *of) {
    return (Bytes){(unsigned char *)(uintptr_t)of, strlen(of)};
}

static Status write_file(const char *path, Bytes bytes, bool replace) {
    Draft *draft;
    bool taken;
    TRY(draft_begin(NULL, path, replace, &draft));
    const Status status = draft_append(draft, bytes.data, bytes.size);
    if (status != STATUS_OK)
        draft_drop(&draft);
    return status == STATUS_OK ? draft_finish(&draft, replace, &taken) : status;
}

static void expect_content(const char *path, const char *want) {
    Bytes got;
    assert_int_equal(file_read(path, &got), STATUS_OK);
    assert_int_equal(got.size, strlen(want));
    assert_memory_equal(got.data, want, got.size);
    bytes_free(&got);
}

/* How many files the folder holds: a temporary one that was left would count. */
static int files_here(void) {
    int count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(here);
    return count;
}

static void writes_what_was_given(void **state) {
    (void)state;
    assert_int_equal(write_file("a", text("first"), false), STATUS_OK);
    expect_content("a", "first");
    assert_int_equal(files_here(), 1);
}

static void keeps_what_exists(void **state) {
    (void)state;
    assert_int_equal(write_file("a", text("second"), false), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "a: exists"));
    expect_content("a", "first");
    assert_int_equal(files_here(), 1);
}

static void replaces_when_told(void **state) {
    (void)state;
    struct stat info;
    assert_int_equal(chmod("a", 0640), 0);
    assert_int_equal(write_file("a", text("third, and longer"), true), STATUS_OK);
    expect_content("a", "third, and longer");
    assert_int_equal(stat("a", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(files_here(), 1);
}

static void respects_the_umask(void **state) {
    (void)state;
    struct stat info;
    const mode_t old = umask(027);
    assert_int_equal(write_file("masked", text("x"), false), STATUS_OK);
    umask(old);
    assert_int_equal(stat("masked", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(unlink("masked"), 0);
}

static void a_reader_keeps_the_old_file(void **state) {
    (void)state;
    char old[32] = "";
    FILE *reader = fopen("a", "r");
    assert_non_null(reader);
    assert_int_equal(write_file("a", text("new"), true), STATUS_OK);
    assert_non_null(fgets(old, sizeof old, reader)); /* a rename, not a rewrite under the reader's eyes */
    assert_string_equal(old, "third, and longer");
    fclose(reader);
}

static void fails_without_a_trace(void **state) {
    (void)state;
    const int before = files_here();
    assert_int_equal(write_file("missing/b", text("x"), false), STATUS_DEVICE);
    assert_non_null(strstr(status_message(), "missing/b"));
    assert_int_equal(mkdir("taken", 0777), 0);
    assert_int_equal(write_file("taken", text("x"), true), STATUS_DEVICE);
    assert_int_equal(rmdir("taken"), 0);
    assert_int_equal(files_here(), before);
}

static void replaces_what_a_link_points_to(void **state) {
    (void)state;
    struct stat info;
    assert_int_equal(mkdir("inner", 0777), 0);
    assert_int_equal(write_file("inner/b", text("old"), false), STATUS_OK);
    assert_int_equal(symlink("inner/b", "link"), 0);
    assert_int_equal(write_file("link", text("x"), false), STATUS_INPUT);
    expect_content("inner/b", "old");
    assert_int_equal(write_file("link", text("new"), true), STATUS_OK);
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_content("inner/b", "new");
    assert_int_equal(unlink("inner/b"), 0);
    assert_int_equal(write_file("link", text("x"), false), STATUS_INPUT); /* a link to nothing is taken, too */
    assert_int_equal(unlink("link"), 0);
    assert_int_equal(rmdir("inner"), 0); /* nothing was left in it */
}

enum { WRITERS = 8, WRITES = 20 };

typedef struct Writer {
    pthread_t thread;
    bool overwrite;
    unsigned char letter;
    int made; /* writes that were done */
} Writer;

static void *write_often(void *of) {
    Writer *writer = of;
    unsigned char content[4096];
    memset(content, writer->letter, sizeof content);
    for (int i = 0; i < WRITES; i++)
        writer->made += write_file("race", (Bytes){content, sizeof content}, writer->overwrite) == STATUS_OK;
    return NULL;
}

static void race(Writer writers[static WRITERS], bool overwrite) {
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (Writer){.overwrite = overwrite, .letter = (unsigned char)('a' + i)};
        assert_int_equal(pthread_create(&writers[i].thread, NULL, write_often, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_join(writers[i].thread, NULL), 0);
}

/* Among many writers of one file one wins without `overwrite`, and all with it; no mixture is ever seen. */
static void writers_do_not_mix(void **state) {
    (void)state;
    Writer writers[WRITERS];
    const int before = files_here();
    int made = 0;
    race(writers, false);
    for (int i = 0; i < WRITERS; i++)
        made += writers[i].made;
    assert_int_equal(made, 1);
    race(writers, true);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(writers[i].made, WRITES);
    Bytes got;
    assert_int_equal(file_read("race", &got), STATUS_OK);
    assert_int_equal(got.size, 4096);
    for (size_t i = 1; i < got.size; i++)
        assert_int_equal(got.data[i], got.data[0]);
    bytes_free(&got);
    assert_int_equal(files_here(), before + 1);
    assert_int_equal(unlink("race"), 0);
}

/* Many processes may write into one folder, and some of them on other machines, where threads have the same numbers. */
static void temporaries_of_others_are_kept(void **state) {
    (void)state;
    char name[64];
    snprintf(name, sizeof name, ".b.%ld.tmp", (long)gettid());
    assert_int_equal(write_file(name, text("another's"), false), STATUS_OK);
    assert_int_equal(write_file("b", text("mine"), false), STATUS_OK);
    expect_content(name, "another's");
    assert_int_equal(unlink(name), 0);
    assert_int_equal(unlink("b"), 0);
}

static void long_names_are_written(void **state) {
    (void)state;
    char name[256] = ""; /* NAME_MAX characters */
    memset(name, 'n', sizeof name - 1);
    assert_int_equal(write_file(name, text("x"), false), STATUS_OK);
    expect_content(name, "x");
    assert_int_equal(unlink(name), 0);
}

static void reads_nothing_but_files(void **state) {
    (void)state;
    Bytes bytes;
    assert_int_equal(file_read("missing", &bytes), STATUS_INPUT);
    assert_int_equal(file_read(".", &bytes), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "folder"));
    assert_int_equal(write_file("empty", (Bytes){0}, false), STATUS_OK);
    assert_int_equal(file_read("empty", &bytes), STATUS_OK);
    assert_int_equal(bytes.size, 0);
    bytes_free(&bytes);
    assert_int_equal(unlink("empty"), 0);
}

static void reads_no_more_than_the_budget(void **state) {
    (void)state;
    Bytes bytes;
    setenv("GLINT_MEMORY", "2", 1); /* the file has three bytes */
    assert_int_equal(file_read("a", &bytes), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "GLINT_MEMORY"));
    setenv("GLINT_MEMORY", "3", 1);
    assert_int_equal(file_read("a", &bytes), STATUS_OK);
    assert_int_equal(bytes.size, 3);
    bytes_free(&bytes);
    unsetenv("GLINT_MEMORY");
}

static int leave_folder(void **state) {
    unlink("a"); /* nothing else may be left */
    return chdir("..") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

/* A file that says how large it is need not be read to see that it is too large. */
static void reads_nothing_of_what_is_too_large(void **state) {
    Input input;
    (void)state;
    FILE *file = fopen("vast", "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)1 << 32), 0);
    fclose(file);
    assert_int_equal(input_open("vast", &input), STATUS_OK);
    assert_int_equal(input_read(&input, 4 * INPUT_HEAD), STATUS_INPUT);
    assert_int_equal(input.bytes.size, INPUT_HEAD);
    input_close(&input);
    unlink("vast");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_was_given),
        cmocka_unit_test(keeps_what_exists),
        cmocka_unit_test(replaces_when_told),
        cmocka_unit_test(respects_the_umask),
        cmocka_unit_test(a_reader_keeps_the_old_file),
        cmocka_unit_test(fails_without_a_trace),
        cmocka_unit_test(replaces_what_a_link_points_to),
        cmocka_unit_test(writers_do_not_mix),
        cmocka_unit_test(temporaries_of_others_are_kept),
        cmocka_unit_test(long_names_are_written),
        cmocka_unit_test(reads_nothing_but_files),
        cmocka_unit_test(reads_no_more_than_the_budget),
        cmocka_unit_test(reads_nothing_of_what_is_too_large),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, leave_folder);
}
