/* occupancy.c: counting out threads, places, registers and shared memory, as NVIDIA's calculator does. */
#include "core/device/occupancy.h"

#include <limits.h>

enum { PARTITIONS = 4 /* of a multiprocessor, each with a scheduler and registers */, REGISTERS_AT_ONCE = 256 };
#define KIB ((size_t)1024)

/* CUDA C++ Programming Guide 13.0, technical specifications per compute capability; cuda_occupancy.h 13.0 for the
 * places and for the units given out at once. */
const Multiprocessor multiprocessors[] = {
    {7, 5, 1024, 16, 65536, 64 * KIB, 0, 256},     {8, 0, 2048, 32, 65536, 164 * KIB, KIB, 128},
    {8, 6, 1536, 16, 65536, 100 * KIB, KIB, 128},  {8, 9, 1536, 24, 65536, 100 * KIB, KIB, 128},
    {9, 0, 2048, 32, 65536, 228 * KIB, KIB, 128},  {10, 0, 2048, 32, 65536, 228 * KIB, KIB, 128},
    {12, 0, 1536, 24, 65536, 100 * KIB, KIB, 128},
};
const size_t multiprocessor_count = sizeof multiprocessors / sizeof multiprocessors[0];

const char *const occupancy_limit_names[OCCUPANCY_LIMITS] = {
    [LIMIT_THREADS] = "threads",
    [LIMIT_BLOCKS] = "blocks",
    [LIMIT_REGISTERS] = "registers",
    [LIMIT_SHARED] = "shared memory",
};

const Multiprocessor *multiprocessor_find(int major, int minor) {
    for (size_t i = 0; i < multiprocessor_count; i++)
        if (multiprocessors[i].major == major && multiprocessors[i].minor == minor)
            return &multiprocessors[i];
    return NULL;
}

size_t multiprocessor_shared_at_once(int major) {
    return major < 8 ? 256 : 128;
}

static int round_up(int value, int step) {
    return (value + step - 1) / step * step;
}

/* A warp's registers lie in one partition. A block must fit as if it had as many warps in each. */
static int by_registers(const Multiprocessor *multiprocessor, int registers, int warps) {
    const int of_warp = round_up(registers * WARP_THREADS, REGISTERS_AT_ONCE);
    if (of_warp * round_up(warps, PARTITIONS) > multiprocessor->registers)
        return 0;
    return multiprocessor->registers / PARTITIONS / of_warp * PARTITIONS / warps;
}

static int by_shared(const Multiprocessor *multiprocessor, size_t shared) {
    const size_t step = multiprocessor->shared_at_once;
    const size_t of_block = (shared + multiprocessor->reserved + step - 1) / step * step;
    return of_block > 0 ? (int)(multiprocessor->shared / of_block) : INT_MAX;
}

Status occupancy_of(const Multiprocessor *multiprocessor, int registers, size_t shared, int threads,
                    Occupancy *occupancy) {
    if (threads < 1 || threads > BLOCK_THREADS_MAX)
        return fail(STATUS_USAGE, "a block of %d threads: want 1 to %d", threads, BLOCK_THREADS_MAX);
    if (registers < 1 || registers > THREAD_REGISTERS_MAX)
        return fail(STATUS_USAGE, "%d registers a thread: want 1 to %d", registers, THREAD_REGISTERS_MAX);
    if (shared > multiprocessor->shared - multiprocessor->reserved)
        return fail(STATUS_USAGE, "%zu bytes of shared memory a block: compute capability %d.%d has %zu at most",
                    shared, multiprocessor->major, multiprocessor->minor,
                    multiprocessor->shared - multiprocessor->reserved);
    const int warps = (threads + WARP_THREADS - 1) / WARP_THREADS, most = multiprocessor->threads / WARP_THREADS;
    *occupancy = (Occupancy){.allowed = {[LIMIT_THREADS] = most / warps,
                                         [LIMIT_BLOCKS] = multiprocessor->blocks,
                                         [LIMIT_REGISTERS] = by_registers(multiprocessor, registers, warps),
                                         [LIMIT_SHARED] = by_shared(multiprocessor, shared)}};
    for (OccupancyLimit i = 0; i < OCCUPANCY_LIMITS; i++)
        if (occupancy->allowed[i] < occupancy->allowed[occupancy->limit])
            occupancy->limit = i;
    occupancy->blocks = occupancy->allowed[occupancy->limit];
    occupancy->warps = occupancy->blocks * warps;
    occupancy->share = (double)occupancy->warps / most;
    return STATUS_OK;
}
