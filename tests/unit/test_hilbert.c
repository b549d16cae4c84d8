/* test_hilbert.c: Hilbert's curve goes from cell to neighbouring cell, through all of a cube before it leaves it. */
#include "core/math/hilbert.h"

#include <stdbool.h>

#include "tests/check.h"

enum { SIDE = 16, CELLS = SIDE * SIDE * SIDE };

/* From here on, and of 16 cells a side. */
static void check_cube(uint32_t left, uint32_t top, uint32_t front) {
    static uint32_t at[CELLS][3];
    static bool met[CELLS];
    const uint64_t cube = hilbert_code(left, top, front) / CELLS;
    for (size_t i = 0; i < CELLS; i++)
        met[i] = false;
    for (uint32_t z = 0; z < SIDE; z++)
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) {
                const uint64_t code = hilbert_code(left + x, top + y, front + z), place = code % CELLS;
                assert_int_equal(code / CELLS, cube);
                assert_false(met[place]);
                met[place] = true;
                at[place][0] = x, at[place][1] = y, at[place][2] = z;
            }
    for (size_t i = 1; i < CELLS; i++) {
        int steps = 0;
        for (int c = 0; c < 3; c++)
            steps += abs((int)at[i][c] - (int)at[i - 1][c]);
        assert_int_equal(steps, 1);
    }
}

static void follows_neighbours(void **state) {
    (void)state;
    check_cube(0, 0, 0);
    check_cube(0x1FFFF0, 0x1FFFF0, 0x1FFFF0);
    check_cube(0x12340, 0x100000, 0xABCD0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
