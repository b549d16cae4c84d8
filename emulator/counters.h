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
} EmulatorRow;

typedef struct EmulatorCounters EmulatorCounters;

/* Counters of the launch that they were given to last. */
EmulatorCounters *emulator_counters(void);
void emulator_counters_free(EmulatorCounters *counters); /* accepts NULL */
/* Instruction `index` of the launched kernel, in the PTX's order; false behind the last. */
bool emulator_counters_row(const EmulatorCounters *counters, size_t index, EmulatorRow *row);

#ifdef __cplusplus
}
#endif

#endif
