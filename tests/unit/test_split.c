/* test_split.c: into how many parts the CUDA levels of nbody divide the bodies that pull. */
#include "gpu/course/nbody/split.h"

#include "tests/check.h"

static void a_few_thousand_bodies_fill_the_device(void **state) {
    (void)state;
    assert_int_equal(split_parts(16, 16384, 132, 4), 33); /* 16 x 33 = 132 x 4 */
    assert_int_equal(split_parts(1, 1000, 132, 4), 16);   /* 64 bodies a part at least */
    assert_int_equal(split_parts(1, 1, 1, 1), 1);
    assert_int_equal(split_parts(1000, 1000000, 100, 4), 1); /* no multiprocessor is idle at the end */
}

/* Whatever the device: no part is empty, and as long as parts are to be had it is busy for seven eighths of the time.
 */
static void no_part_is_empty(void **state) {
    (void)state;
    for (unsigned processors = 1; processors <= 160; processors += 13)
        for (unsigned count = 1; count < 3000000; count = count * 5 / 3 + 1) {
            const unsigned across = (count + 1023) / 1024, parts = split_parts(across, count, processors, 4);
            const unsigned blocks = across * parts, turns = (blocks + processors - 1) / processors;
            assert_in_range(parts, 1, count);
            if (count / 64 / parts > 1)
                assert_true(8 * blocks >= 7 * turns * processors);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_thousand_bodies_fill_the_device),
        cmocka_unit_test(no_part_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
