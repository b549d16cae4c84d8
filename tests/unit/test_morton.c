/* test_morton.c: Morton codes are the bits of three numbers in turns. */
#include "core/math/morton.h"
#include "core/math/pcg.h"

#include "tests/check.h"

/* Bit by bit, x first. */
static uint64_t in_turns(uint32_t x, uint32_t y, uint32_t z, int bits) {
    uint64_t code = 0;
    for (int bit = bits - 1; bit >= 0; bit--)
        code = code << 3 | (uint64_t)((x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1));
    return code;
}

static void codes_take_bits_in_turns(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(1, 1);
    for (int i = 0; i < 1000; i++) {
        const uint32_t x = pcg_next(&pcg), y = pcg_next(&pcg), z = pcg_next(&pcg);
        assert_int_equal(morton_code(x >> 22, y >> 22, z >> 22), in_turns(x >> 22, y >> 22, z >> 22, 10));
        assert_int_equal(morton_code_wide(x >> 11, y >> 11, z >> 11), in_turns(x >> 11, y >> 11, z >> 11, 21));
    }
}

static void codes_reach_from_end_to_end(void **state) {
    (void)state;
    assert_int_equal(morton_code(1023, 1023, 1023), (1u << 30) - 1);
    assert_int_equal(morton_code_wide(0x1FFFFF, 0x1FFFFF, 0x1FFFFF), (1ull << 63) - 1);
    assert_int_equal(morton_code_wide(0x1FFFFF, 0, 0), 4 * 0x1249249249249249ull);
    assert_int_equal(morton_code_wide(0, 0, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_take_bits_in_turns),
        cmocka_unit_test(codes_reach_from_end_to_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
