/* test_occupancy.c: resident blocks, as NVIDIA's calculator has them. */
#include "core/device/occupancy.h"

#include "tests/check.h"

enum { THREADS = 1 << LIMIT_THREADS, BLOCKS = 1 << LIMIT_BLOCKS, REGISTERS = 1 << LIMIT_REGISTERS };
enum { SHARED = 1 << LIMIT_SHARED };

/* Resident blocks on these devices, and all that limits them, by cudaOccMaxActiveBlocksPerMultiprocessor of
 * cuda_occupancy.h (CUDA 13.0), which NVIDIA's spreadsheet is made of. */
static const struct {
    int major, minor, registers;
    size_t shared;
    int threads, blocks, limits;
} nvidia[] = {
    {7, 5, 32, 0, 256, 4, THREADS},
    {7, 5, 40, 0, 512, 2, THREADS},
    {7, 5, 64, 0, 256, 4, THREADS | REGISTERS},
    {7, 5, 128, 16384, 128, 4, REGISTERS | SHARED},
    {7, 5, 255, 0, 256, 1, REGISTERS},
    {7, 5, 16, 0, 32, 16, BLOCKS},
    {7, 5, 24, 0, 768, 1, THREADS},
    {7, 5, 32, 49152, 256, 1, SHARED},
    {7, 5, 33, 1000, 192, 5, THREADS},
    {7, 5, 96, 0, 1024, 0, REGISTERS},
    {7, 5, 32, 100352, 128, 0, SHARED},
    {7, 5, 20, 0, 100, 8, THREADS},
    {7, 5, 168, 0, 384, 1, REGISTERS},
    {7, 5, 48, 24576, 64, 2, SHARED},
    {8, 0, 32, 0, 256, 8, THREADS | REGISTERS},
    {8, 0, 40, 0, 512, 3, REGISTERS},
    {8, 0, 64, 0, 256, 4, REGISTERS},
    {8, 0, 128, 16384, 128, 4, REGISTERS},
    {8, 0, 255, 0, 256, 1, REGISTERS},
    {8, 0, 16, 0, 32, 32, BLOCKS},
    {8, 0, 24, 0, 768, 2, THREADS},
    {8, 0, 32, 49152, 256, 3, SHARED},
    {8, 0, 33, 1000, 192, 8, REGISTERS},
    {8, 0, 96, 0, 1024, 0, REGISTERS},
    {8, 0, 32, 100352, 128, 1, SHARED},
    {8, 0, 20, 0, 100, 16, THREADS},
    {8, 0, 168, 0, 384, 1, REGISTERS},
    {8, 0, 48, 24576, 64, 6, SHARED},
    {8, 6, 32, 0, 256, 6, THREADS},
    {8, 6, 40, 0, 512, 3, THREADS | REGISTERS},
    {8, 6, 64, 0, 256, 4, REGISTERS},
    {8, 6, 128, 16384, 128, 4, REGISTERS},
    {8, 6, 255, 0, 256, 1, REGISTERS},
    {8, 6, 16, 0, 32, 16, BLOCKS},
    {8, 6, 24, 0, 768, 2, THREADS},
    {8, 6, 32, 49152, 256, 2, SHARED},
    {8, 6, 33, 1000, 192, 8, THREADS | REGISTERS},
    {8, 6, 96, 0, 1024, 0, REGISTERS},
    {8, 6, 32, 100352, 128, 1, SHARED},
    {8, 6, 20, 0, 100, 12, THREADS},
    {8, 6, 168, 0, 384, 1, REGISTERS},
    {8, 6, 48, 24576, 64, 4, SHARED},
    {8, 9, 32, 0, 256, 6, THREADS},
    {8, 9, 40, 0, 512, 3, THREADS | REGISTERS},
    {8, 9, 64, 0, 256, 4, REGISTERS},
    {8, 9, 128, 16384, 128, 4, REGISTERS},
    {8, 9, 255, 0, 256, 1, REGISTERS},
    {8, 9, 16, 0, 32, 24, BLOCKS},
    {8, 9, 24, 0, 768, 2, THREADS},
    {8, 9, 32, 49152, 256, 2, SHARED},
    {8, 9, 33, 1000, 192, 8, THREADS | REGISTERS},
    {8, 9, 96, 0, 1024, 0, REGISTERS},
    {8, 9, 32, 100352, 128, 1, SHARED},
    {8, 9, 20, 0, 100, 12, THREADS},
    {8, 9, 168, 0, 384, 1, REGISTERS},
    {8, 9, 48, 24576, 64, 4, SHARED},
    {9, 0, 32, 0, 256, 8, THREADS | REGISTERS},
    {9, 0, 40, 0, 512, 3, REGISTERS},
    {9, 0, 64, 0, 256, 4, REGISTERS},
    {9, 0, 128, 16384, 128, 4, REGISTERS},
    {9, 0, 255, 0, 256, 1, REGISTERS},
    {9, 0, 16, 0, 32, 32, BLOCKS},
    {9, 0, 24, 0, 768, 2, THREADS},
    {9, 0, 32, 49152, 256, 4, SHARED},
    {9, 0, 33, 1000, 192, 8, REGISTERS},
    {9, 0, 96, 0, 1024, 0, REGISTERS},
    {9, 0, 32, 100352, 128, 2, SHARED},
    {9, 0, 20, 0, 100, 16, THREADS},
    {9, 0, 168, 0, 384, 1, REGISTERS},
    {9, 0, 48, 24576, 64, 9, SHARED},
    {10, 0, 32, 0, 256, 8, THREADS | REGISTERS},
    {10, 0, 40, 0, 512, 3, REGISTERS},
    {10, 0, 64, 0, 256, 4, REGISTERS},
    {10, 0, 128, 16384, 128, 4, REGISTERS},
    {10, 0, 255, 0, 256, 1, REGISTERS},
    {10, 0, 16, 0, 32, 32, BLOCKS},
    {10, 0, 24, 0, 768, 2, THREADS},
    {10, 0, 32, 49152, 256, 4, SHARED},
    {10, 0, 33, 1000, 192, 8, REGISTERS},
    {10, 0, 96, 0, 1024, 0, REGISTERS},
    {10, 0, 32, 100352, 128, 2, SHARED},
    {10, 0, 20, 0, 100, 16, THREADS},
    {10, 0, 168, 0, 384, 1, REGISTERS},
    {10, 0, 48, 24576, 64, 9, SHARED},
    {12, 0, 32, 0, 256, 6, THREADS},
    {12, 0, 40, 0, 512, 3, THREADS | REGISTERS},
    {12, 0, 64, 0, 256, 4, REGISTERS},
    {12, 0, 128, 16384, 128, 4, REGISTERS},
    {12, 0, 255, 0, 256, 1, REGISTERS},
    {12, 0, 16, 0, 32, 24, BLOCKS},
    {12, 0, 24, 0, 768, 2, THREADS},
    {12, 0, 32, 49152, 256, 2, SHARED},
    {12, 0, 33, 1000, 192, 8, THREADS | REGISTERS},
    {12, 0, 96, 0, 1024, 0, REGISTERS},
    {12, 0, 32, 100352, 128, 1, SHARED},
    {12, 0, 20, 0, 100, 12, THREADS},
    {12, 0, 168, 0, 384, 1, REGISTERS},
    {12, 0, 48, 24576, 64, 4, SHARED},
};

static void as_the_calculator_of_nvidia(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof nvidia / sizeof nvidia[0]; i++) {
        const Multiprocessor *device = multiprocessor_find(nvidia[i].major, nvidia[i].minor);
        Occupancy occupancy;
        assert_non_null(device);
        if (nvidia[i].shared > device->shared - device->reserved) { /* the calculator counts this as no block */
            assert_int_equal(occupancy_of(device, nvidia[i].registers, nvidia[i].shared, nvidia[i].threads, &occupancy),
                             STATUS_USAGE);
            continue;
        }
        REQUIRE(occupancy_of(device, nvidia[i].registers, nvidia[i].shared, nvidia[i].threads, &occupancy));
        if (occupancy.blocks != nvidia[i].blocks || !(nvidia[i].limits & 1 << occupancy.limit))
            fail_msg("%d.%d, %d registers, %zu bytes, %d threads: %d blocks by %s, want %d", device->major,
                     device->minor, nvidia[i].registers, nvidia[i].shared, nvidia[i].threads, occupancy.blocks,
                     occupancy_limit_names[occupancy.limit], nvidia[i].blocks);
    }
}

/* Worked out by hand: 9.0 has 65536 registers and 2048 threads. A warp of 40 registers a thread takes 1280, so that 12
 * fit into a partition's 16384, 48 into the four, three blocks of 16. */
static void the_share_is_of_warps(void **state) {
    Occupancy occupancy;
    (void)state;
    REQUIRE(occupancy_of(multiprocessor_find(9, 0), 40, 0, 512, &occupancy));
    assert_int_equal(occupancy.blocks, 3);
    assert_int_equal(occupancy.warps, 48);
    assert_true(occupancy.share > 0.7499 && occupancy.share < 0.7501);
    assert_string_equal(occupancy_limit_names[occupancy.limit], "registers");
    assert_int_equal(occupancy.allowed[LIMIT_THREADS], 4);
    assert_int_equal(occupancy.allowed[LIMIT_BLOCKS], 32);
    REQUIRE(occupancy_of(multiprocessor_find(8, 6), 16, 0, 33, &occupancy)); /* two warps, one of a single thread */
    assert_int_equal(occupancy.warps, 32);
}

static void what_no_kernel_has_is_refused(void **state) {
    const Multiprocessor *device = multiprocessor_find(9, 0);
    Occupancy occupancy;
    (void)state;
    assert_null(multiprocessor_find(9, 1));
    assert_int_equal(occupancy_of(device, 32, 0, 0, &occupancy), STATUS_USAGE);
    assert_int_equal(occupancy_of(device, 32, 0, 1025, &occupancy), STATUS_USAGE);
    assert_int_equal(occupancy_of(device, 0, 0, 32, &occupancy), STATUS_USAGE);
    assert_int_equal(occupancy_of(device, 256, 0, 32, &occupancy), STATUS_USAGE);
    REQUIRE(occupancy_of(device, 32, 227 << 10, 32, &occupancy));
    assert_int_equal(occupancy.blocks, 1);
    assert_int_equal(occupancy_of(device, 32, (227 << 10) + 1, 32, &occupancy), STATUS_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_calculator_of_nvidia),
        cmocka_unit_test(the_share_is_of_warps),
        cmocka_unit_test(what_no_kernel_has_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
