/* check.h: every cmocka program includes it, last. It has the headers that cmocka wants, checks of a Status, and a
 * folder of its own for a program that writes files. */
#ifndef GLINT_TESTS_CHECK_H
#define GLINT_TESTS_CHECK_H

#include "core/base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* The call must succeed; if not, its reason is the test's. */
#define REQUIRE(call)                                                                                                  \
    do {                                                                                                               \
        if ((call) != STATUS_OK)                                                                                       \
            fail_msg("%s: %s", #call, status_message());                                                               \
    } while (0)

/* Whether tests shall repeat themselves less: GLINT_TEST_QUICK, which the tests of a change set. */
static inline bool check_quick(void) {
    return getenv("GLINT_TEST_QUICK") != NULL;
}

/* The step of a sweep that tries every point at night: of a change, every n-th. */
static inline size_t check_every(size_t n) {
    return check_quick() ? n : 1;
}

/* Group setup and teardown: a new folder becomes the working directory, *state is its name; it is removed with all that
 * is in it. */
static inline int check_enter_folder(void **state) {
    static char folder[] = "test.XXXXXX";
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}
static inline int check_leave_folder(void **state) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", (const char *)*state);
    return chdir("..") == 0 && system(command) == 0 ? 0 : -1;
}

#endif
