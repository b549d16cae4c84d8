/* test_timing.c: spans, the history of the last runs, and quantiles. */
#include "core/base/timing.h"

#include "tests/check.h"

static void the_clock_does_not_go_back(void **state) {
    (void)state;
    double last = clock_ms();
    for (int i = 0; i < 1000; i++) {
        const double now = clock_ms();
        assert_true(now >= last);
        last = now;
    }
}

static void spans_of_one_name_add_up(void **state) {
    (void)state;
    Spans spans = {0};
    spans_clear(&spans);
    assert_int_equal(spans.count, 0);
    assert_true(spans_total(&spans) == 0);
    spans_add(&spans, "upload", 10, 11.5);
    spans_add(&spans, "gaussian", 12, 14);
    const char again[] = "upload"; /* equal text at another address */
    spans_add(&spans, again, 14, 14.25);
    assert_int_equal(spans.count, 2);
    assert_string_equal(spans.spans[0].name, "upload");
    assert_true(spans.spans[0].ms == 1.75);
    assert_string_equal(spans.spans[1].name, "gaussian");
    assert_true(spans_total(&spans) == 3.75);
    spans_clear(&spans);
    assert_int_equal(spans.count, 0);
}

static void more_spans_than_fit_do_not_overrun(void **state) {
    (void)state;
    static char names[SPANS_MAX + 10][2];
    Spans spans = {0};
    spans_clear(&spans);
    for (size_t i = 0; i < SPANS_MAX + 10; i++) {
        names[i][0] = (char)(1 + i);
        spans_add(&spans, names[i], 0, 1);
    }
    assert_int_equal(spans.count, SPANS_MAX);
}

static void history_keeps_the_last(void **state) {
    (void)state;
    History history = {0};
    const size_t extra = 10;
    for (size_t i = 0; i < HISTORY_MAX + extra; i++) {
        history_add(&history, (double)i);
        assert_true(history_latest(&history) == (double)i);
        assert_int_equal(history.count, i + 1 < HISTORY_MAX ? i + 1 : HISTORY_MAX);
    }
    for (size_t age = 0; age < HISTORY_MAX; age++)
        assert_true(history_value(&history, age) == (double)(HISTORY_MAX + extra - 1 - age));
}

static void history_median_is_the_middle(void **state) {
    (void)state;
    History history = {0};
    assert_true(history_median(&history) == 0);
    const double values[] = {9, 1, 5};
    for (size_t i = 0; i < 3; i++)
        history_add(&history, values[i]);
    assert_true(history_median(&history) == 5);
    /* Taking the median leaves the order of arrival alone. */
    assert_true(history_value(&history, 0) == 5 && history_value(&history, 1) == 1 && history_value(&history, 2) == 9);
}

static void quantiles_are_nearest_ranks(void **state) {
    (void)state;
    assert_true(quantile(NULL, 0, 0.5) == 0);
    double one[] = {4};
    assert_true(quantile(one, 1, 0) == 4 && quantile(one, 1, 0.95) == 4 && quantile(one, 1, 1) == 4);

    /* Nearest rank: the smallest value with at least q * count values at or below it. */
    double ten[] = {7, 3, 9, 1, 10, 5, 2, 8, 6, 4};
    for (int percent = 1; percent <= 100; percent++) {
        const double got = quantile(ten, 10, percent / 100.0);
        const int rank = (percent + 9) / 10;
        if (got != rank)
            fail_msg("the %d %% quantile of 1..10 is %g, want %d", percent, got, rank);
    }
    assert_true(quantile(ten, 10, 0) == 1);
}

/* By counting, for lengths and repetitions of all kinds. */
static void quantiles_have_so_many_values_below(void **state) {
    (void)state;
    enum { VALUES = 130 };
    unsigned random = 1;
    for (size_t count = 1; count <= VALUES; count++)
        for (unsigned kinds = 1; kinds <= 1000; kinds *= 10) {
            double values[VALUES];
            size_t below = 0, within = 0;
            for (size_t i = 0; i < count; i++) {
                random = random * 1664525 + 1013904223;
                values[i] = (random >> 16) % kinds;
            }
            const double q = (double)(random >> 16) / 65536, got = quantile(values, count, q);
            for (size_t i = 0; i < count; i++) {
                below += values[i] < got;
                within += values[i] <= got;
            }
            if (within == below || (double)within < q * (double)count ||
                (below > 0 && (double)below >= q * (double)count))
                fail_msg("%zu of %zu values are below the %g quantile, %zu within", below, count, q, within);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_does_not_go_back),          cmocka_unit_test(spans_of_one_name_add_up),
        cmocka_unit_test(more_spans_than_fit_do_not_overrun),  cmocka_unit_test(history_keeps_the_last),
        cmocka_unit_test(history_median_is_the_middle),        cmocka_unit_test(quantiles_are_nearest_ranks),
        cmocka_unit_test(quantiles_have_so_many_values_below),
    };
    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
