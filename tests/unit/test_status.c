/* test_status.c: failures carry their sentence, per thread. */
#include "core/base/status.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"
/* cmocka's macro of this name ends a test; here the function itself is tested. */
#undef fail

static void fail_records_and_returns(void **state) {
    (void)state;
    assert_int_equal(fail(STATUS_INPUT, "gaussian: sigma %g, want > 0", -1.5), STATUS_INPUT);
    assert_string_equal(status_message(), "gaussian: sigma -1.5, want > 0");
    assert_int_equal(fail(STATUS_DEVICE, "second"), STATUS_DEVICE);
    assert_string_equal(status_message(), "second");
}

static void within_puts_the_context_first(void **state) {
    (void)state;
    assert_int_equal(fail(STATUS_INPUT, "ends after 3 rows"), STATUS_INPUT);
    assert_int_equal(fail_within(STATUS_PARTIAL, "%s: ", "in.png"), STATUS_PARTIAL);
    assert_string_equal(status_message(), "in.png: ends after 3 rows");
    assert_int_equal(fail_within(STATUS_PARTIAL, "batch: "), STATUS_PARTIAL);
    assert_string_equal(status_message(), "batch: in.png: ends after 3 rows");
}

static void an_argument_may_be_the_old_message(void **state) {
    (void)state;
    assert_int_equal(fail(STATUS_INPUT, "inner"), STATUS_INPUT);
    assert_int_equal(fail(STATUS_INPUT, "outer (%s), again: %s", status_message(), status_message()), STATUS_INPUT);
    assert_string_equal(status_message(), "outer (inner), again: inner");
    assert_int_equal(fail_within(STATUS_INPUT, "[%s] ", status_message()), STATUS_INPUT);
    assert_string_equal(status_message(), "[outer (inner), again: inner] outer (inner), again: inner");
}

static void a_long_sentence_is_cut_not_overrun(void **state) {
    (void)state;
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(fail(STATUS_INPUT, "start %s", text), STATUS_INPUT);
    const size_t length = strlen(status_message());
    assert_true(length >= 200 && length < sizeof text - 1);
    assert_memory_equal(status_message(), "start xxx", 9);
    assert_int_equal(fail_within(STATUS_INPUT, "prefix: "), STATUS_INPUT);
    assert_memory_equal(status_message(), "prefix: start xxx", 17);
    assert_int_equal(strlen(status_message()), length);
    assert_int_equal(fail_within(STATUS_INPUT, "%s", text), STATUS_INPUT);
    assert_memory_equal(status_message(), "xxx", 3);
}

/* A path may be 4095 letters; the fault stands behind it. */
static void a_long_path_keeps_its_reason(void **state) {
    (void)state;
    char path[4096];
    for (size_t shift = 0; shift < 3; shift++) { /* whatever part of a character the cut meets */
        memset(path, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof path; i += 3)
            memcpy(path + i, "\xE2\x82\xAC", 4); /* the euro sign */
        assert_int_equal(fail(STATUS_INPUT, "%s: cannot be read: %s", path, "File name too long"), STATUS_INPUT);
        const char *said = status_message(), *gap = strstr(said, " ... ");
        assert_non_null(gap);
        assert_non_null(strstr(gap, ": cannot be read: File name too long"));
        assert_int_equal((size_t)(gap - said - (ptrdiff_t)shift) % 3, 0);
        assert_memory_equal(gap + 5, "\xE2\x82\xAC", 3);
        assert_true(strlen(said) > 1000);
    }
}

static void *fail_elsewhere(void *seen) {
    *(size_t *)seen = strlen(status_message());
    assert_int_equal(fail(STATUS_INPUT, "of the other thread"), STATUS_INPUT);
    return NULL;
}

static void each_thread_has_its_own(void **state) {
    (void)state;
    assert_int_equal(fail(STATUS_INPUT, "of this thread"), STATUS_INPUT);
    pthread_t thread;
    size_t seen = 99;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &seen), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(seen, 0); /* empty before a thread's first failure */
    assert_string_equal(status_message(), "of this thread");
}

static Status tried(Status inner, int *reached) {
    TRY(inner);
    *reached = 1;
    return STATUS_OK;
}

static void try_returns_at_once(void **state) {
    (void)state;
    int reached = 0;
    assert_int_equal(tried(STATUS_DEVICE, &reached), STATUS_DEVICE);
    assert_int_equal(reached, 0);
    assert_int_equal(tried(STATUS_OK, &reached), STATUS_OK);
    assert_int_equal(reached, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_records_and_returns),
        cmocka_unit_test(within_puts_the_context_first),
        cmocka_unit_test(an_argument_may_be_the_old_message),
        cmocka_unit_test(a_long_sentence_is_cut_not_overrun),
        cmocka_unit_test(a_long_path_keeps_its_reason),
        cmocka_unit_test(each_thread_has_its_own),
        cmocka_unit_test(try_returns_at_once),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
