/* occupancy.h: how many blocks of a kernel a GPU's multiprocessor holds at once, and which resource keeps it from more.
 * Owns the table of compute capabilities; needs no GPU. */
#ifndef GLINT_CORE_DEVICE_OCCUPANCY_H
#define GLINT_CORE_DEVICE_OCCUPANCY_H

#include "core/base/status.h"

#include <stddef.h>

/* The resources of a multiprocessor. */
typedef struct Multiprocessor {
    int major, minor;      /* the compute capability */
    int threads, blocks;   /* resident at once, at most */
    int registers;         /* of 32 bits */
    size_t shared;         /* bytes of shared memory */
    size_t reserved;       /* of that the system takes for each block */
    size_t shared_at_once; /* bytes that shared memory is given out by */
} Multiprocessor;

extern const Multiprocessor multiprocessors[]; /* oldest first */
extern const size_t multiprocessor_count;
const Multiprocessor *multiprocessor_find(int major, int minor); /* NULL if the table does not have it */
/* The unit in which devices of this compute capability give shared memory out. */
size_t multiprocessor_shared_at_once(int major);

enum { WARP_THREADS = 32, BLOCK_THREADS_MAX = 1024, THREAD_REGISTERS_MAX = 255 };

/* The resources that blocks share. */
typedef enum OccupancyLimit {
    LIMIT_THREADS,
    LIMIT_BLOCKS,
    LIMIT_REGISTERS,
    LIMIT_SHARED,
    OCCUPANCY_LIMITS
} OccupancyLimit;
extern const char
    *const occupancy_limit_names[OCCUPANCY_LIMITS]; /* "threads", "blocks", "registers", "shared memory" */

typedef struct Occupancy {
    int allowed[OCCUPANCY_LIMITS]; /* blocks, if there were no other limit */
    int blocks, warps;             /* resident on a multiprocessor; blocks 0: none can be launched */
    double share;                  /* of the warps that there can be, 0 to 1 */
    OccupancyLimit limit;          /* the resource that allows the fewest blocks; of several the first */
} Occupancy;

/* Finds the occupancy for blocks of `threads` threads, with `registers` a thread and `shared` bytes of shared memory a
 * block, static and dynamic. STATUS_USAGE where no kernel has such numbers. */
Status occupancy_of(const Multiprocessor *multiprocessor, int registers, size_t shared, int threads,
                    Occupancy *occupancy);

#endif
