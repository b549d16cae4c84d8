/* test_array.c: arrays that grow keep their members, grow seldom, and stay as they are where memory is short. */
#include "core/base/array.h"

#include <stdint.h>
#include <stdlib.h>

#include "tests/check.h"

static void members_stay(void **state) {
    (void)state;
    enum { MEMBERS = 1000, GROWTHS = 7 /* 16, 32, ... 1024 */ };
    uint32_t *numbers = NULL;
    size_t capacity = 0, growths = 0;
    for (size_t i = 0; i < MEMBERS; i++) {
        const size_t before = capacity;
        assert_true(ARRAY_ROOM(numbers, capacity, i + 1));
        assert_true(capacity > i);
        growths += capacity != before;
        numbers[i] = (uint32_t)(i * i);
    }
    for (size_t i = 0; i < MEMBERS; i++)
        assert_int_equal(numbers[i], i * i);
    assert_int_equal(growths, GROWTHS);
    free(numbers);
}

static void an_empty_array_has_room(void **state) {
    (void)state;
    double *values = NULL;
    size_t capacity = 0;
    assert_true(ARRAY_ROOM(values, capacity, 0));
    assert_non_null(values);
    assert_true(ARRAY_ROOM(values, capacity, 1000));
    assert_true(capacity >= 1000);
    free(values);
}

static void what_no_memory_holds_is_refused(void **state) {
    (void)state;
    double *values = NULL;
    size_t capacity = 0;
    assert_true(ARRAY_ROOM(values, capacity, 1));
    const double *before = values;
    const size_t had = capacity;
    assert_false(ARRAY_ROOM(values, capacity, SIZE_MAX / sizeof *values + 1)); /* its bytes wrap */
    assert_ptr_equal(values, before);
    assert_int_equal(capacity, had);
    free(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_stay),
        cmocka_unit_test(an_empty_array_has_room),
        cmocka_unit_test(what_no_memory_holds_is_refused),
    };
    return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}
