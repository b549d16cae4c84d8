/* record.h: a kernel's run on the emulated GPU, instruction by instruction, as it lies in memory that processes share.
 */
#ifndef GLINT_KERNEL_RECORD_H
#define GLINT_KERNEL_RECORD_H

#include "emulator/emulator.h"

enum { RECORD_ROWS = 1 << 14, RECORD_ACCESSES = 1 << 13 };

/* The launches of one kernel. Rows are sums over all launches; the grid and the accesses are those of the first. */
typedef struct KernelRecord {
    unsigned launches; /* 0: nothing is here yet */
    unsigned grid[3], block[3];
    size_t shared_bytes;
    size_t rows, accesses;
    bool cut; /* the kernel has more instructions, or its warps more accesses, than there is room for */
    EmulatorRow row[RECORD_ROWS];
    EmulatorAccess access[RECORD_ACCESSES];
} KernelRecord;

/* Adds a launch that was counted. */
void kernel_record_add(KernelRecord *record, const Emulator *emulator, const EmulatorCounters *counters,
                       const unsigned grid[3], const unsigned block[3], size_t shared_bytes);
/* Brings a record from memory that a kernel may have written over into the ranges of its values. */
void kernel_record_clean(KernelRecord *record);

#endif
