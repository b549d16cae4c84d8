/* count.c: threads count in tables of their own, which are added up. */
#include "cpu/histogram/count.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <string.h>

static size_t table_values(const Stage *stage) {
    return stage->out.shape.width * stage->out.shape.height;
}

size_t histogram_workspace(const Device *device, const Stage *stage, int turns) {
    return (size_t)device->threads * (size_t)turns * table_values(stage) * sizeof(uint32_t);
}

static void add_up(const Stage *stage, const uint32_t *tables, size_t count) {
    const size_t values = table_values(stage), bins = stage->out.shape.width;
    for (size_t row = 0; row < stage->out.shape.height; row++) {
        uint32_t *to = view_row(stage->out, row);
        memcpy(to, tables + row * bins, bins * sizeof *to);
        for (size_t table = 1; table < count; table++)
            for (size_t i = 0; i < bins; i++)
                to[i] += tables[table * values + row * bins + i];
    }
}

enum { ROWS_TOGETHER = 8 }; /* counted by a thread at a time */

typedef struct Shared {
    const Stage *stage;
    CountRow *row;
    uint32_t *tables;
    size_t values; /* of a thread's tables */
} Shared;

static void share_rows(const void *work, size_t piece, size_t thread) {
    const Shared *shared = work;
    const size_t begin = piece * ROWS_TOGETHER, end = begin + ROWS_TOGETHER;
    for (size_t y = begin; y < end && y < shared->stage->in[0].shape.height; y++)
        shared->row(shared->stage, y, shared->tables + thread * shared->values);
}

Status histogram_count(Queue *queue, const Stage *stage, int turns) {
    CountRows *const sets[ISA_LEVELS] = {&count_rows_portable, &count_rows_avx2, &count_rows_avx512};
    const Shape in = stage->in[0].shape;
    const int threads = queue->device->threads;
    const size_t bytes = histogram_workspace(queue->device, stage, turns);
    void *tables;
    TRY(cpu_scratch(queue, bytes, &tables));
    memset(tables, 0, bytes);
    cpu_share(queue, (in.height + ROWS_TOGETHER - 1) / ROWS_TOGETHER, share_rows,
              &(Shared){stage, (*sets[isa_detect()])[turns > 1][in.type][in.channels - 1], tables,
                        (size_t)turns * table_values(stage)});
    add_up(stage, tables, (size_t)threads * (size_t)turns);
    return STATUS_OK;
}
