/* record.c: sums over launches. */
#include "kernel/record.h"

#include <string.h>

/* All counts are of one type. */
static void add(EmulatorCount *to, const EmulatorCount *count) {
    uint64_t sums[sizeof *to / sizeof(uint64_t)], more[sizeof *to / sizeof(uint64_t)];
    memcpy(sums, to, sizeof sums);
    memcpy(more, count, sizeof more);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        sums[i] += more[i];
    memcpy(to, sums, sizeof sums);
}

static void add_rows(KernelRecord *record, const Emulator *emulator, const EmulatorCounters *counters) {
    EmulatorRow row;
    size_t i = 0;
    for (; emulator->counters_row(counters, i, &row); i++) {
        if (i >= RECORD_ROWS) {
            record->cut = true;
            break;
        }
        if (i < record->rows) {
            add(&row.count, &record->row[i].count);
            row.block_sectors += record->row[i].block_sectors;
            row.block_fresh += record->row[i].block_fresh;
        }
        record->row[i] = row;
    }
    record->rows = i;
}

static void take_accesses(KernelRecord *record, const Emulator *emulator, const EmulatorCounters *counters) {
    EmulatorAccess access;
    for (size_t i = 0; emulator->counters_access(counters, i, &access); i++) {
        if (i >= RECORD_ACCESSES) {
            record->cut = true;
            return;
        }
        record->access[i] = access;
        record->accesses = i + 1;
    }
}

void kernel_record_add(KernelRecord *record, const Emulator *emulator, const EmulatorCounters *counters,
                       const unsigned grid[3], const unsigned block[3], size_t shared_bytes) {
    add_rows(record, emulator, counters);
    if (record->launches++ > 0)
        return;
    memcpy(record->grid, grid, sizeof record->grid);
    memcpy(record->block, block, sizeof record->block);
    record->shared_bytes = shared_bytes;
    take_accesses(record, emulator, counters);
}

static bool is_whole(const EmulatorAccess *access, size_t rows) {
    return access->row < rows && (unsigned)access->space <= EMULATOR_CONSTANT && access->bytes > 0 &&
           *(const unsigned char *)&access->writes <= 1 && *(const unsigned char *)&access->atomic <= 1;
}

void kernel_record_clean(KernelRecord *record) {
    size_t kept = 0;
    record->cut = *(const unsigned char *)&record->cut != 0;
    if (record->rows > RECORD_ROWS || record->accesses > RECORD_ACCESSES)
        record->rows = record->accesses = 0;
    for (size_t i = 0; i < record->rows; i++)
        if ((unsigned)record->row[i].work >= EMULATOR_WORKS)
            record->row[i].work = EMULATOR_WORK_CONTROL;
    for (size_t i = 0; i < record->accesses; i++)
        if (is_whole(&record->access[i], record->rows))
            record->access[kept++] = record->access[i];
    record->accesses = kept;
}
