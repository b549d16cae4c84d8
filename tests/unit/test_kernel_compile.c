/* test_kernel_compile.c: the parts of a kernel's compilation: words of compilers, descriptions of kernels, included
 * files, the cache, and programs that do not end. */
#include "core/base/timing.h"
#include "kernel/compile/cache.h"
#include "kernel/compile/child.h"
#include "kernel/compile/compile.h"
#include "kernel/compile/diagnostics.h"
#include "kernel/compile/entries.h"
#include "kernel/compile/includes.h"
#include "kernel/compile/places.h"
#include "kernel/layout.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/check.h"

/* ---- words of compilers ---- */

typedef struct Wanted {
    const char *file;
    int line, column;
    bool error;
    const char *text;
} Wanted;

static void check_log(const char *log, const Wanted *wanted, size_t wanted_count) {
    KernelDiagnostic *list;
    size_t count;
    REQUIRE(diagnostics_parse(log, &list, &count));
    assert_int_equal(count, wanted_count);
    for (size_t i = 0; i < wanted_count; i++) {
        assert_string_equal(list[i].file, wanted[i].file);
        assert_int_equal(list[i].line, wanted[i].line);
        assert_int_equal(list[i].column, wanted[i].column);
        assert_int_equal(list[i].error, wanted[i].error);
        assert_string_equal(list[i].text, wanted[i].text);
    }
    diagnostics_free(list, count);
}

#define CHECK_LOG(log, ...)                                                                                            \
    do {                                                                                                               \
        const Wanted wanted[] = {__VA_ARGS__};                                                                         \
        check_log(log, wanted, sizeof wanted / sizeof *wanted);                                                        \
    } while (0)

static void nvidias_words_are_read(void **state) {
    (void)state;
    CHECK_LOG("mine.cu(5): error: identifier \"foo\" is undefined\n"
              "      foo(3);\n"
              "      ^\n\n"
              "a (1)/mine.cu(40): warning #177-D: variable \"v\" was declared but never referenced\n"
              "      int v;\n"
              "          ^\n\n"
              "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
              "1 error detected in the compilation of \"mine.cu\".\n",
              {"mine.cu", 5, 5, true, "identifier \"foo\" is undefined"},
              {"a (1)/mine.cu", 40, 9, false, "variable \"v\" was declared but never referenced"});
    CHECK_LOG("mine.cu(2): catastrophic error: cannot open source file \"no.h\"",
              {"mine.cu", 2, 0, true, "cannot open source file \"no.h\""});
}

static void words_of_gcc_and_clang_are_read(void **state) {
    (void)state;
    CHECK_LOG("In file included from mine.c:1:\n"
              "mine.c: In function 'p':\n"
              "a:b/mine.c:6:15: error: 'x' undeclared (first use in this function)\n"
              "    6 |     x = ;\n"
              "      |     ^\n"
              "mine.c:6:5: note: each undeclared identifier is reported only once\n"
              "mine.c:2:10: fatal error: no.h: No such file or directory\n"
              "mine.c:4:9: warning: unused variable 'v' [-Wunused-variable]\n",
              {"a:b/mine.c", 6, 15, true, "'x' undeclared (first use in this function)"},
              {"mine.c", 2, 10, true, "no.h: No such file or directory"},
              {"mine.c", 4, 9, false, "unused variable 'v' [-Wunused-variable]"});
    CHECK_LOG("/usr/bin/ld: /tmp/x.o: in function `p':\n"
              "mine.c:(.text+0x1): undefined reference to `foo'\n"
              "collect2: error: ld returned 1 exit status\n",
              {"", 0, 0, true, "undefined reference to `foo'"}, {"collect2", 0, 0, true, "ld returned 1 exit status"});
}

static void other_words_are_no_diagnostics(void **state) {
    KernelDiagnostic *list;
    size_t count;
    (void)state;
    REQUIRE(diagnostics_parse("\n:\n(\n(9): \nerror\nmine.cu(3)\nan error: of mine\n:::: error", &list, &count));
    assert_int_equal(count, 0);
    diagnostics_free(list, count);
}

/* ---- descriptions of kernels ---- */

static Status read_entries(const char *ptx, KernelEntry **entries, size_t *count) {
    return entries_read("mine.cu", KERNEL_PTX, (Bytes){(unsigned char *)ptx, strlen(ptx)}, entries, count);
}

/* NVIDIA's compilers leave out the zeros at the end; others may write ints. */
static void descriptions_in_ptx_are_read(void **state) {
    KernelEntry *entries;
    size_t count;
    (void)state;
    REQUIRE(
        read_entries(".const .align 4 .b8 glint_kernel_late[32] = {1, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 8, 0, 0, 0, "
                     "1, 0, 0, 0, 2, 0, 0, 0, 253, 255, 255, 255, 44, 1};\n"
                     ".visible .const .align 4 .u32 glint_kernel_a_2[8] = {1, 2, 256, 1, 4, 1, 1024, 7};\n"
                     "ld.const.u32 %r1, [glint_kernel_late+4];\n",
                     &entries, &count));
    assert_int_equal(count, 2);
    assert_string_equal(entries[0].name, "a_2");
    assert_int_equal(entries[0].operation, GLINT_reduce);
    assert_int_equal(entries[0].block[0], 256);
    assert_int_equal(entries[0].pixels[0], 4);
    assert_int_equal(entries[0].shared, 1024);
    assert_int_equal(entries[0].line, 7);
    assert_string_equal(entries[1].name, "late");
    assert_int_equal(entries[1].operation, GLINT_convolve);
    assert_int_equal(entries[1].shared, -3);
    assert_int_equal(entries[1].block[1], 8);
    assert_int_equal(entries[1].line, 300);
    free(entries);
}

static void refuse(const char *words, const char *sentence) {
    char ptx[256];
    KernelEntry *entries;
    size_t count;
    snprintf(ptx, sizeof ptx, ".const .align 4 .u32 glint_kernel_k[8] = {%s};", words);
    assert_int_equal(read_entries(ptx, &entries, &count), STATUS_INPUT);
    assert_string_equal(status_message(), sentence);
}

static void kernels_that_cannot_be_launched_are_refused(void **state) {
    KernelEntry *entries;
    size_t count;
    (void)state;
    refuse("1, 0, 64, 32, 1, 1, 0, 3", "mine.cu:3: a block of k has 64 x 32 threads, want 1 to 1024 in all");
    refuse("1, 0, 0, 32, 1, 1, 0, 3", "mine.cu:3: a block of k has 0 x 32 threads, want 1 to 1024 in all");
    refuse("1, 0, 32, 8, 1, 0, 0, 3", "mine.cu:3: a thread of k has 1 x 0 pixels, want 1 to 1024 each way");
    refuse("1, 0, 32, 8, 1, 1, 300000, 3",
           "mine.cu:3: a block of k has 300000 bytes of dynamic shared memory, want at most 232448");
    refuse("1, 1, 32, 8, 1, 1, -4, 3", "mine.cu:3: k asks for HALO memory, and only convolve has a mask");
    refuse("2, 0, 32, 8, 1, 1, 0, 3", "mine.cu: its glint/kernel.h is of another version of glint");
    assert_int_equal(read_entries(".version 7.0", &entries, &count), STATUS_INPUT);
    assert_string_equal(status_message(),
                        "mine.cu: has no kernel; want one that begins like KERNEL(convolve, mine, 32, 8, 1, 1, 0)");
    assert_int_equal(entries_read("mine.c", KERNEL_CPU, (Bytes){(unsigned char *)"\177ELF", 4}, &entries, &count),
                     STATUS_INPUT);
}

/* An object with a kernel, and the same with each byte changed, or without its end: nothing is read outside of it. */
static void damaged_objects_are_read_safely(void **state) {
    const KernelTarget target = {.kind = KERNEL_CPU, .type = "u8", .channels = 3};
    KernelBinary binary;
    KernelEntry *entries = NULL;
    size_t count;
    (void)state;
    FILE *file = fopen("object.c", "w");
    assert_non_null(file);
    fputs("#include <glint/kernel.h>\n\nKERNEL(dot, mine) {\n    *out = 0;\n}\n", file);
    assert_int_equal(fclose(file), 0);
    if (kernel_compile("object.c", &target, &binary) == STATUS_DEVICE) {
        kernel_binary_free(&binary);
        skip();
    }
    assert_int_equal(binary.kernel_count, 1);
    assert_int_equal(binary.kernels[0].operation, GLINT_dot);
    assert_int_equal(binary.kernels[0].line, 3);
    for (size_t at = 0; at < binary.bytes.size; at += check_every(5)) {
        Bytes damaged = {malloc(binary.bytes.size), binary.bytes.size};
        memcpy(damaged.data, binary.bytes.data, damaged.size);
        damaged.data[at] ^= (unsigned char)(at % 3 == 0 ? 0xFF : 1 + at % 7);
        if (entries_read("object.c", KERNEL_CPU, damaged, &entries, &count) == STATUS_OK)
            free(entries);
        Bytes cut = {realloc(damaged.data, at + 1), at + 1};
        if (entries_read("object.c", KERNEL_CPU, cut, &entries, &count) == STATUS_OK)
            free(entries);
        bytes_free(&cut);
    }
    kernel_binary_free(&binary);
}

/* ---- places ---- */

static void make_file(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x", file);
    assert_int_equal(fclose(file), 0);
}

/* The first place that has one, of a list with colons the first path, of several files the last name. */
static void files_are_found_in_order(void **state) {
    static const SearchPlace places[] = {
        {"GLINT_TEST_NONE", "/lib*.so*"}, {"GLINT_TEST_PLACES", "/lib*.so*"}, {NULL, "far/lib*"}};
    char path[PATH_MAX];
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(mkdir((const char *[]){"far", "empty", "near"}[i], 0700), 0);
    assert_int_equal(setenv("GLINT_TEST_PLACES", "missing::empty:near", 1), 0);
    assert_false(places_find(places, 3, path));
    make_file("far/lib.so");
    assert_true(places_find(places, 3, path));
    assert_string_equal(path, "far/lib.so");
    make_file("near/lib.so.12");
    make_file("near/lib.so.13");
    assert_int_equal(mkdir("near/lib.so.14", 0700), 0);
    assert_true(places_find(places, 3, path));
    assert_string_equal(path, "near/lib.so.13");
    assert_int_equal(setenv("PATH", "near:far:/bin", 1), 0);
    assert_false(program_find("lib.so", path)); /* nobody may run it */
    assert_int_equal(chmod("far/lib.so", 0700), 0);
    assert_true(program_find("lib.so", path));
    assert_string_equal(path, "far/lib.so");
    assert_true(program_find("./far/lib.so", path));
    assert_false(program_find("./near/lib.so.13", path));
}

/* ---- included files ---- */

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static CacheName name_of(const char *path) {
    CacheName name = 0;
    REQUIRE(includes_name(path, &name));
    return name;
}

static void a_change_in_an_included_file_is_noticed(void **state) {
    (void)state;
    assert_int_equal(mkdir("parts", 0700), 0);
    write_text("mine.cu", "#include <glint/kernel.h>\n  #  include \"parts/a.h\"\nint x;\n");
    write_text("parts/a.h", "#include \"b.h\"\n#include \"a.h\"\n");
    write_text("parts/b.h", "one\n");
    const CacheName first = name_of("mine.cu");
    assert_true(first == name_of("mine.cu"));
    write_text("parts/b.h", "two\n");
    const CacheName second = name_of("mine.cu");
    assert_true(first != second);
    write_text("parts/b.h", "one\n");
    assert_true(first == name_of("mine.cu"));
    write_text("b.h", "no part of it\n");
    assert_true(first == name_of("mine.cu"));
    assert_int_equal(unlink("parts/b.h"), 0);
    assert_true(first != name_of("mine.cu"));
    CacheName name = 0;
    assert_int_equal(includes_name("none.cu", &name), STATUS_INPUT);
}

/* ---- the cache ---- */

static size_t files_in(const char *path) {
    size_t count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void keep(CacheName name, const char *bytes, const char *log) {
    const KernelBinary binary = {
        .bytes = {(unsigned char *)bytes, strlen(bytes)}, .log = (char *)log, .compiler = "cc 1"};
    cache_keep(name, &binary);
}

#define FOLDER "cache/glint/kernels"

static void use_cache(void) {
    char path[4096];
    assert_non_null(getcwd(path, sizeof path - 16));
    strcat(path, "/cache");
    assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
}

static void results_are_kept(void **state) {
    KernelBinary found = {0};
    (void)state;
    use_cache();
    assert_false(cache_find(7, &found));
    keep(7, "PTX", "words");
    assert_true(cache_find(7, &found));
    assert_int_equal(found.bytes.size, 3);
    assert_string_equal((char *)found.bytes.data, "PTX");
    assert_string_equal(found.log, "words");
    assert_string_equal(found.compiler, "cc 1");
    kernel_binary_free(&found);
    assert_false(cache_find(8, &found));
    assert_int_equal(files_in(FOLDER), 1);
}

/* Each byte of the file matters, and so does its length. */
static void damaged_results_are_none(void **state) {
    static const char path[] = FOLDER "/0000000000000007.kernel";
    KernelBinary found = {0};
    struct stat info;
    (void)state;
    use_cache();
    keep(7, "PTX", "words");
    assert_int_equal(stat(path, &info), 0);
    for (long at = 0; at < info.st_size; at++) {
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        fseek(file, at, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ 1, file);
        fclose(file);
        const bool taken = cache_find(7, &found);
        if (taken) /* the compiler's name, which is for people */
            assert_string_equal((char *)found.bytes.data, "PTX");
        kernel_binary_free(&found);
        keep(7, "PTX", "words");
    }
    assert_int_equal(truncate(path, info.st_size - 1), 0);
    assert_false(cache_find(7, &found));
    keep(7, "PTX", "words");
    assert_int_equal(chmod(FOLDER, 0777), 0);
    assert_false(cache_find(7, &found)); /* others may write there */
    assert_int_equal(chmod(FOLDER, 0700), 0);
    assert_true(cache_find(7, &found));
    kernel_binary_free(&found);
}

static void the_cache_is_bounded(void **state) {
    static char large[CACHE_BYTES / 4];
    KernelBinary found = {0};
    (void)state;
    use_cache();
    memset(large, 'x', sizeof large - 1);
    for (CacheName name = 100; name < 106; name++)
        keep(name, large, "");
    assert_in_range(files_in(FOLDER), 2, 4);
    assert_true(cache_find(105, &found));
    kernel_binary_free(&found);
    assert_false(cache_find(100, &found));
}

/* ---- programs ---- */

static Status run_shell(const char *script, const char *argument, double seconds, const Stop *stop, ChildEnd *end) {
    Arguments arguments = {0};
    arguments_add_words(&arguments, "sh -c");
    arguments_add(&arguments, "%s", script);
    arguments_add(&arguments, "sh");
    arguments_add(&arguments, "%s", argument);
    const Child child = {"/bin/sh", &arguments, ".", seconds, stop, 0};
    const Status status = child_run(&child, end);
    arguments_free(&arguments);
    return status;
}

static void a_program_is_run_without_a_shell(void **state) {
    ChildEnd end;
    (void)state;
    REQUIRE(run_shell("printf %s \"$1\"; echo \" $TMPDIR $LC_ALL\" >&2; exit 3", "$(touch gone) a;b", 60, NULL, &end));
    assert_true(WIFEXITED(end.how));
    assert_int_equal(WEXITSTATUS(end.how), 3);
    assert_false(end.late);
    assert_string_equal((char *)end.said.data, "$(touch gone) a;b . C\n");
    bytes_free(&end.said);
    const Arguments none = {.list = {"no"}, .count = 1};
    const Child missing = {"./no-such-program", &none, ".", 60, NULL, 0};
    assert_int_equal(child_run(&missing, &end), STATUS_DEVICE);
    bytes_free(&end.said);
}

/* The program that it has started holds the pipe, and is ended with it. */
static void a_late_program_is_ended_with_its_own(void **state) {
    ChildEnd end;
    const double start = clock_ms();
    (void)state;
    REQUIRE(run_shell("sleep 1000 & echo $!; wait", "", 0.3, NULL, &end));
    assert_true(end.late);
    assert_true(WIFSIGNALED(end.how));
    assert_true(clock_ms() - start < 60e3);
    const pid_t grandchild = atoi((char *)end.said.data);
    assert_true(grandchild > 1);
    for (int i = 0; i < 1000 && kill(grandchild, 0) == 0; i++) { /* whoever adopted it may be slow */
        char path[64], text[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)grandchild);
        FILE *file = fopen(path, "r");
        const bool zombie = file && fgets(text, sizeof text, file) && strstr(text, ") Z");
        if (file)
            fclose(file);
        if (zombie)
            break;
        usleep(10000);
        assert_true(i < 999);
    }
    bytes_free(&end.said);
}

static void a_flood_of_words_is_cut(void **state) {
    ChildEnd end;
    (void)state;
    REQUIRE(run_shell("head -c 5000000 /dev/zero | tr '\\0' x", "", 60, NULL, &end));
    assert_int_equal(end.how, 0);
    assert_true(end.said.size <= SAID_MAX && end.said.size > SAID_MAX / 2);
    bytes_free(&end.said);
}

static void a_program_is_stopped_when_asked(void **state) {
    Stop stop = {.asked = true};
    ChildEnd end;
    (void)state;
    assert_int_equal(run_shell("sleep 1000", "", 900, &stop, &end), STATUS_INTERRUPTED);
    bytes_free(&end.said);
}

/* Begun ahead, the program reads the word that is no argument of it. */
static void check_ahead(const char *begun, const char *word, const char *said) {
    Arguments arguments = {0};
    ChildEnd end;
    arguments_add_words(&arguments, "sh -c");
    arguments_add(&arguments, "if [ $# -gt 0 ]; then echo $0 is given $1; else echo $0 reads $(tr '\\0' ' '); fi");
    arguments_add(&arguments, "%s", begun);
    arguments_add(&arguments, "%s", word);
    const Child child = {.program = "/bin/sh", .arguments = &arguments, .folder = ".", .seconds = 60, .ahead = 4};
    REQUIRE(child_run(&child, &end));
    assert_string_equal((const char *)end.said.data, said);
    assert_int_equal(end.how, 0);
    bytes_free(&end.said);
    arguments_free(&arguments);
}

static void a_program_is_begun_ahead(void **state) {
    (void)state;
    check_ahead("one", "a", "one is given a\n");
    check_ahead("one", "b", "one reads b\n");
    check_ahead("two", "c", "two is given c\n"); /* another program waits: it goes */
    check_ahead("two", "d", "two reads d\n");
}

/* ---- all of it ---- */

static void write_program(const char *path, const char *text) {
    write_text(path, text);
    assert_int_equal(chmod(path, 0700), 0);
}

static void a_compiler_that_does_not_end_is_ended(void **state) {
    const KernelTarget target = {.kind = KERNEL_CPU, .type = "u8", .channels = 3, .seconds = 0.3};
    KernelBinary binary;
    (void)state;
    use_cache();
    write_text("slow.c", "\n");
    write_program("slow-cc", "#!/bin/sh\ncase $* in *--version) echo version 3.1 ;; *) sleep 1000 ;; esac\n");
    assert_int_equal(setenv("CC", "./slow-cc", 1), 0);
    assert_int_equal(kernel_compile("slow.c", &target, &binary), STATUS_INPUT);
    assert_string_equal(status_message(), "slow.c: ./slow-cc was ended after 0.3 s");
    assert_string_equal(binary.compiler, "cc 3.1");
    kernel_binary_free(&binary);
    unsetenv("CC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvidias_words_are_read),
        cmocka_unit_test(words_of_gcc_and_clang_are_read),
        cmocka_unit_test(other_words_are_no_diagnostics),
        cmocka_unit_test(descriptions_in_ptx_are_read),
        cmocka_unit_test(kernels_that_cannot_be_launched_are_refused),
        cmocka_unit_test(damaged_objects_are_read_safely),
        cmocka_unit_test(a_change_in_an_included_file_is_noticed),
        cmocka_unit_test(results_are_kept),
        cmocka_unit_test(damaged_results_are_none),
        cmocka_unit_test(the_cache_is_bounded),
        cmocka_unit_test(a_program_is_run_without_a_shell),
        cmocka_unit_test(a_late_program_is_ended_with_its_own),
        cmocka_unit_test(a_flood_of_words_is_cut),
        cmocka_unit_test(a_program_is_stopped_when_asked),
        cmocka_unit_test(a_program_is_begun_ahead),
        cmocka_unit_test(a_compiler_that_does_not_end_is_ended),
        cmocka_unit_test(files_are_found_in_order),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
