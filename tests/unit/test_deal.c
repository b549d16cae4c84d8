/* test_deal.c: rows of a picture dealt out to devices; expected values are shares worked out by hand. */
#include "core/tracer/deal.h"

#include "tests/check.h"

enum { DEVICES_MAX = 5 };

static void rows_are_shared_by_time(void **state) {
    static const struct {
        double ms[4];
        size_t blocks[5], count, devices, want[DEVICES_MAX + 1];
    } cases[] = {
        {{1}, {0, 100}, 1, 4, {0, 25, 50, 75, 100}},
        {{1}, {0, 7}, 1, 1, {0, 7}},
        {{30, 10}, {0, 50, 100}, 2, 2, {0, 33, 100}},          /* 20 of 40 ms: two thirds of the first block */
        {{10, 10, 20}, {0, 10, 20, 30}, 3, 2, {0, 20, 30}},    /* a share that ends with a block */
        {{1}, {0, 2}, 1, 4, {0, 1, 1, 1, 2}},                  /* fewer rows than devices */
        {{1}, {0, 1}, 1, 3, {0, 1, 1, 1}},                     /* one row: the first's */
        {{90, 1, 1}, {0, 1, 2, 2}, 3, 3, {0, 1, 1, 2}},        /* the first row takes nearly all the time */
        {{1e6, 1e-3}, {0, 1, 700}, 2, 5, {0, 1, 1, 1, 1, 700}} /* others have none, never fewer than none */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t begin[DEVICES_MAX + 1];
        deal_rows(cases[i].ms, cases[i].blocks, cases[i].count, cases[i].devices, begin);
        assert_memory_equal(begin, cases[i].want, (cases[i].devices + 1) * sizeof begin[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_shared_by_time),
    };
    return cmocka_run_group_tests_name("deal", tests, NULL, NULL);
}
