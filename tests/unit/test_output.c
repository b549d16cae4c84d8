/* test_output.c: which files may be written, and which are left when they are not. */
#include "core/base/draft.h"
#include "core/base/file.h"
#include "core/base/ledger.h"
#include "core/base/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

static const OutputRules plain = {.writer = "one"}, other = {.writer = "other"},
                         over = {.writer = "one", .overwrite = true}, skipping = {.writer = "one", .skip = true},
                         report = {.writer = "--json", .opening = "{\"glint\":\"test\","};

static void make_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_content(const char *path, const char *want) {
    char got[256] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, want);
}

static Status write_text(const char *path, OutputRules rules, const char *text, bool *skipped) {
    Output *output;
    TRY(output_claim(path, rules, &output));
    Status status = output_append(output, (Bytes){(unsigned char *)(uintptr_t)text, strlen(text)});
    if (status == STATUS_OK)
        status = output_finish(output, skipped);
    output_destroy(&output);
    return status;
}

/* How many files are there: an output's leftovers would count. */
static int files_here(void) {
    int count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here));)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(here);
    return count;
}

static void an_output_appears_when_it_is_finished(void **state) {
    (void)state;
    Output *output;
    FILE *stream;
    const int before = files_here();
    assert_int_equal(output_claim("a", plain, &output), STATUS_OK);
    assert_int_equal(output_stream(output, &stream), STATUS_OK);
    fputs("text", stream);
    fflush(stream);
    assert_int_not_equal(access("a", F_OK), 0);
    output_destroy(&output);
    assert_int_equal(files_here(), before);
    assert_int_equal(write_text("a", plain, "text", NULL), STATUS_OK);
    expect_content("a", "text");
    assert_int_equal(files_here(), before + 1);
}

static void what_exists_is_replaced_by_the_rules(void **state) {
    (void)state;
    bool skipped = false;
    assert_int_equal(write_text("a", plain, "new", NULL), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "a exists"));
    assert_int_equal(write_text("a", report, "{\"glint\":\"test\",1}", NULL), STATUS_USAGE);
    assert_int_equal(write_text("a", skipping, "new", &skipped), STATUS_OK);
    assert_true(skipped);
    expect_content("a", "text");
    assert_int_equal(write_text("a", over, "new", &skipped), STATUS_OK);
    assert_false(skipped);
    expect_content("a", "new");

    make_file("r", "");
    assert_int_equal(write_text("r", report, "{\"glint\":\"test\",1}", NULL), STATUS_OK);
    assert_int_equal(write_text("r", report, "{\"glint\":\"test\",2}", NULL), STATUS_OK);
    make_file("r", " {\n  \"glint\": \"test\",\n 3}"); /* white space is not compared */
    assert_int_equal(write_text("r", report, "{\"glint\":\"test\",4}", NULL), STATUS_OK);
    expect_content("r", "{\"glint\":\"test\",4}");
    const char *const no_reports[] = {"{\"glint\":\"bench\",1}", "{\"glint\":\"test\"", "{", "text", " "};
    for (size_t i = 0; i < sizeof no_reports / sizeof *no_reports; i++) {
        make_file("r", no_reports[i]);
        assert_int_equal(write_text("r", report, "{\"glint\":\"test\",1}", NULL), STATUS_USAGE);
        expect_content("r", no_reports[i]);
    }
    assert_int_equal(unlink("r"), 0);
}

static void inputs_are_no_outputs(void **state) {
    (void)state;
    Bytes bytes;
    make_file("in", "input");
    assert_int_equal(link("in", "hard"), 0);
    assert_int_equal(symlink("in", "soft"), 0);
    assert_int_equal(symlink(".", "here"), 0);
    assert_int_equal(file_read("in", &bytes), STATUS_OK);
    bytes_free(&bytes);
    const char *const names[] = {"in",        "./in",           "hard",      "soft",
                                 "here/hard", "here/here/soft", "new/../in", "new/../here//./in"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(write_text(names[i], over, "output", NULL), STATUS_USAGE);
        assert_non_null(strstr(status_message(), "in is an input"));
    }
    expect_content("in", "input");

    /* Read after it was claimed, and meanwhile put where the output goes. */
    Output *output;
    make_file("late", "input");
    assert_int_equal(output_claim("late", over, &output), STATUS_OK);
    assert_int_equal(file_read("late", &bytes), STATUS_USAGE);
    assert_int_equal(output_finish(output, NULL), STATUS_USAGE);
    output_destroy(&output);
    expect_content("late", "input");
    assert_int_equal(output_claim("free", over, &output), STATUS_OK);
    assert_int_equal(symlink("in", "free"), 0);
    assert_int_equal(output_finish(output, NULL), STATUS_USAGE);
    output_destroy(&output);
    expect_content("in", "input");
    assert_int_equal(unlink("free"), 0);
}

/* A window's people gave no options: what they did is named, and what would be right. */
static void people_are_told_without_options(void **state) {
    (void)state;
    const OutputRules rules = {.writer = "the export", .by_hand = true},
                      replacing = {.writer = "the export", .by_hand = true, .overwrite = true};
    Bytes bytes;
    make_file("opened", "input");
    assert_int_equal(file_read("opened", &bytes), STATUS_OK);
    bytes_free(&bytes);
    assert_int_equal(write_text("opened", replacing, "output", NULL), STATUS_USAGE);
    assert_string_equal(status_message(), "opened: that is a file you opened; choose another name");
    make_file("there", "older");
    assert_int_equal(write_text("there", rules, "output", NULL), STATUS_USAGE);
    assert_string_equal(status_message(), "there already exists; choose another name");
    expect_content("there", "older");
}

static void outputs_are_distinct(void **state) {
    (void)state;
    const char *const names[][2] = {
        {"b", "./b"},      {"b", "here/b"}, {"new/b", "new//b"}, {"new/b", "here/new/./b"}, {"new/b", "new/x/../b"},
        {"new/../b", "b"}, {"-", "-"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Output *first, *second;
        assert_int_equal(output_claim(names[i][0], plain, &first), STATUS_OK);
        assert_int_equal(output_claim(names[i][1], other, &second), STATUS_USAGE);
        assert_non_null(strstr(status_message(), "one and other would both write"));
        assert_null(second);
        assert_int_equal(output_claim(names[i][1], plain, &second), STATUS_USAGE); /* nor twice by the same */
        output_destroy(&first);
        assert_int_equal(output_claim(names[i][1], plain, &first), STATUS_OK); /* but one after the other */
        output_destroy(&first);
    }
    Output *first, *second;
    assert_int_equal(output_claim("b1", plain, &first), STATUS_OK);
    assert_int_equal(output_claim("b2", other, &second), STATUS_OK);
    output_destroy(&first);
    output_destroy(&second);
}

static void what_was_written_may_be_read(void **state) {
    (void)state;
    Bytes bytes;
    assert_int_equal(write_text("again", plain, "1", NULL), STATUS_OK);
    assert_int_equal(write_text("again", over, "2", NULL), STATUS_OK);
    assert_int_equal(file_read("again", &bytes), STATUS_OK);
    bytes_free(&bytes);
    assert_int_equal(write_text("again", over, "3", NULL), STATUS_USAGE);
    expect_content("again", "2");
}

/* Files with an unfinished file's name that nobody holds are removed when the folder is entered, and only they. */
static void leftovers_are_removed(void **state) {
    (void)state;
    assert_int_equal(mkdir("left", 0777), 0);
    const char *const dead = "left/.glint-abcdefg0.tmp", *const alive = "left/.glint-abcdefg1.tmp";
    const char *const others[] = {"left/.glint-abcdefg.tmp", "left/.glint-ABCDEFGH.tmp", "left/glint-abcdefg0.tmp",
                                  "left/.glint-abcdefg0.tmp~"};
    make_file(dead, "half");
    make_file(alive, "half");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        make_file(others[i], "mine");
    const int held = open(alive, O_RDWR);
    assert_int_equal(flock(held, LOCK_EX), 0);
    assert_int_equal(write_text("left/a", plain, "text", NULL), STATUS_OK);
    assert_int_not_equal(access(dead, F_OK), 0);
    assert_int_equal(access(alive, F_OK), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_content(others[i], "mine");
    close(held);
}

/* A process that is killed while it writes. */
static void nothing_is_left_of_the_killed(void **state) {
    (void)state;
    const int before = files_here();
    const pid_t child = fork();
    if (child == 0) {
        Output *output;
        if (output_claim("killed", plain, &output) == STATUS_OK &&
            output_append(output, (Bytes){(unsigned char *)(uintptr_t) "half", 4}) == STATUS_OK)
            raise(SIGKILL);
        _exit(1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_int_not_equal(access("killed", F_OK), 0);
    assert_true(files_here() <= before + 1); /* where the file system has no O_TMPFILE, one that the next run removes */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_output_appears_when_it_is_finished),
        cmocka_unit_test(what_exists_is_replaced_by_the_rules),
        cmocka_unit_test(inputs_are_no_outputs),
        cmocka_unit_test(people_are_told_without_options),
        cmocka_unit_test(outputs_are_distinct),
        cmocka_unit_test(what_was_written_may_be_read),
        cmocka_unit_test(leftovers_are_removed),
        cmocka_unit_test(nothing_is_left_of_the_killed),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
