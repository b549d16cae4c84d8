/* counters.h: what each instruction of a launch did, counted as NVIDIA's profiler Nsight Compute does. Its metrics are
 * named where one is the same. Its Kernel Profiling Guide (Metrics Decoder, Memory Tables) defines request, sector and
 * wavefront. A GPU runs SASS, which its compiler makes of the PTX: where that merges or drops instructions, counts
 * differ. */
#ifndef GLINT_EMULATOR_COUNTERS_H
#define GLINT_EMULATOR_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of work of an instruction. */
typedef enum EmulatorWork {
    EMULATOR_WORK_INTEGER, /* bits and comparisons, too */
    EMULATOR_WORK_FP16,
    EMULATOR_WORK_FP32,
    EMULATOR_WORK_FP64,
    EMULATOR_WORK_MOVE, /* and selection */
    EMULATOR_WORK_CONVERSION,
    EMULATOR_WORK_MEMORY,
    EMULATOR_WORK_EXCHANGE, /* among the lanes of a warp */
    EMULATOR_WORK_MATRIX,
    EMULATOR_WORK_CONTROL, /* branches and barriers */
    EMULATOR_WORKS
} EmulatorWork;

/* All are sums over the warps of a launch. */
typedef struct EmulatorCount {
    uint64_t warps;      /* times that a warp carried it out: smsp__inst_executed.sum */
    uint64_t threads;    /* lanes that came to it: smsp__thread_inst_executed.sum */
    uint64_t threads_on; /* lanes whose predicate let them: smsp__thread_inst_executed_pred_on.sum */

    /* Global memory. A request is a warp's. A sector is 32 bytes, and counts once a request; of atomics, once for each
     * lane that meets others at its address. For loads these are the metrics
     * l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum and l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum. The names for
     * stores and atomics have op_st, op_atom and op_red. */
    uint64_t global_requests, global_sectors;
    uint64_t global_bytes; /* that lanes asked for, also where several ask for the same */
    uint64_t global_used;  /* without those: the different bytes of each request, at most 32 a sector */

    /* Shared memory has 32 banks of 4 bytes. A wavefront is one pass over them: each bank gives one word, to any number
     * of lanes. Accesses of 8 bytes take a pass for each half of the warp, of 16 bytes for each quarter: so many are
     * ideal. Loads take half of them if lanes have their neighbour's address. The rest are
     * l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum. */
    uint64_t shared_requests, shared_wavefronts, shared_conflicts, shared_bytes;

    uint64_t local_requests, local_bytes;
    uint64_t constant_requests, constant_bytes; /* of .const, not of parameters */

    uint64_t atomic_lanes;     /* lanes of atomics */
    uint64_t atomic_conflicts; /* passes beyond the first, as lanes of a warp meet at an address */
    uint64_t barriers;         /* times that a warp came to a barrier of the block: smsp__inst_executed_op_... of BAR */
} EmulatorCount;

/* An instruction of the PTX. */
typedef struct EmulatorRow {
    int line, ptx_line; /* of the kernel's source, 0: not known; of the PTX */
    EmulatorWork work;
    EmulatorCount count;
    /* The sectors of the watched block's loads from global memory (emulator_counters_watch), and those among them that
     * no load of the block had touched before. */
    uint64_t block_sectors, block_fresh;
} EmulatorRow;

typedef enum EmulatorSpace { EMULATOR_GLOBAL, EMULATOR_SHARED, EMULATOR_LOCAL, EMULATOR_CONSTANT } EmulatorSpace;

enum { EMULATOR_LANES = 32, EMULATOR_SECTOR_BYTES = 32, EMULATOR_BANKS = 32, EMULATOR_BANK_BYTES = 4 };

/* The addresses that the lanes of a warp reach for in one instruction. */
typedef struct EmulatorAccess {
    uint32_t row;      /* the index of the instruction */
    uint32_t warp;     /* of the block */
    uint32_t barriers; /* that all threads of the block had passed */
    uint32_t lanes;    /* that take part, a bit each */
    EmulatorSpace space;
    uint8_t bytes; /* a lane's */
    bool writes, atomic;
    uint64_t address[EMULATOR_LANES]; /* in the space; of lanes that take no part, any */
} EmulatorAccess;

/* The accesses to be kept: those of a block's first warps, in each instruction the first ones of each warp. A block
 * outside of the grid is the last one in that direction. */
typedef struct EmulatorWatch {
    unsigned block[3];
    unsigned warps, times; /* 0: none */
} EmulatorWatch;

typedef struct EmulatorCounters EmulatorCounters;

/* Counters of the launch that they were given to last. */
EmulatorCounters *emulator_counters(void);
/* Before the launch; else no access is kept. */
void emulator_counters_watch(EmulatorCounters *counters, const EmulatorWatch *watch);
/* Access `index` of those that were kept, in the order in which warps came to them; false behind the last. */
bool emulator_counters_access(const EmulatorCounters *counters, size_t index, EmulatorAccess *access);
void emulator_counters_free(EmulatorCounters *counters); /* accepts NULL */
/* Instruction `index` of the launched kernel, in the PTX's order; false behind the last. */
bool emulator_counters_row(const EmulatorCounters *counters, size_t index, EmulatorRow *row);

#ifdef __cplusplus
}
#endif

#endif
