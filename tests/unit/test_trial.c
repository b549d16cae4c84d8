/* test_trial.c: an end of the process ends the child alone, and the parent says how. */
#include "core/base/trial.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/stat.h>

#include "tests/check.h"

static int touched;

static void touch(void) {
    touched = 1;
}

static void wait_for_ever(void) {
    for (;;)
        pause();
}

static void end_with_3(void) {
    _exit(3);
}

static void end_with_0(void) {
    _exit(0);
}

static void end_by_bus_error(void) {
    raise(SIGBUS);
}

static void load_half(void) {
    (void)dlopen("./half.so", RTLD_NOW | RTLD_LOCAL);
}

static void a_copy_of_the_process_tries(void **state) {
    int signal = 1;
    (void)state;
    assert_true(trial_survived(touch, 10, &signal));
    assert_int_equal(signal, 0);
    assert_int_equal(touched, 0);
}

static void its_end_is_told(void **state) {
    int signal;
    (void)state;
    assert_false(trial_survived(end_by_bus_error, 10, &signal));
    assert_int_equal(signal, SIGBUS);
    assert_false(trial_survived(abort, 10, &signal));
    assert_int_equal(signal, SIGABRT);
    assert_false(trial_survived(end_with_3, 10, &signal));
    assert_int_equal(signal, 0);
    assert_false(trial_survived(end_with_0, 10, &signal));
    assert_int_equal(signal, 0);
    assert_false(trial_survived(wait_for_ever, 1, &signal));
    assert_int_equal(signal, SIGALRM);
}

/* The loader writes into pages that the file no longer has. */
static void a_library_that_is_cut_short_ends_it(void **state) {
    Dl_info library;
    struct stat info;
    char command[1200];
    int signal;
    (void)state;
    assert_true(dladdr((void *)(intptr_t)_cmocka_run_group_tests, &library));
    REQUIRE(stat(library.dli_fname, &info) == 0 ? STATUS_OK : STATUS_DEVICE);
    snprintf(command, sizeof command, "head -c %ld '%s' >half.so", (long)info.st_size / 2, library.dli_fname);
    assert_int_equal(system(command), 0);
    assert_false(trial_survived(load_half, 10, &signal));
    assert_int_not_equal(signal, SIGALRM);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_copy_of_the_process_tries), cmocka_unit_test(its_end_is_told),
                                       cmocka_unit_test(a_library_that_is_cut_short_ends_it)};
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
