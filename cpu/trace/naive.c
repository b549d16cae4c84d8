/* naive.c: every pixel against every sphere, one thread. */
#include "cpu/trace/accepts.h"
#include "cpu/trace/brute_force.h"

#include "cpu/trace/tile_rows.h"

static void trace_whole_row(const void *job, size_t y) {
    const TraceTiles *rows = job;
    trace_row(rows->stage, rows->world, &rows->context, rows->part, y);
}

static Status run(Queue *queue, const Stage *stage) {
    const World world = {trace_job(stage)->scene};
    TraceTiles rows = {.stage = stage, .world = &world, .part = trace_part(stage)};
    TRY(cpu_lighting(queue, trace_job(stage)->scene, &rows.context));
    cpu_make_result(queue, part_rows(rows.part), trace_whole_row, &rows);
    return STATUS_OK;
}

const Level cpu_trace_naive = {
    .op = &op_trace,
    .name = "naive",
    .idea = "one thread, every pixel against every sphere in single precision",
    .accepts = accepts_flat,
    .run = run,
};
