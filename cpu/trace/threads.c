/* threads.c: the same, tiles of the picture shared out among the cores. */
#include "cpu/trace/accepts.h"
#include "cpu/trace/brute_force.h"

#include "cpu/trace/tile_rows.h"

static Status run(Queue *queue, const Stage *stage) {
    const World world = {trace_job(stage)->scene};
    return trace_tiles(queue, stage, &world);
}

const Level cpu_trace_threads = {
    .op = &op_trace,
    .name = "threads",
    .idea = "naive, with tiles of the picture shared out among the cores",
    .accepts = accepts_flat,
    .run = run,
};
