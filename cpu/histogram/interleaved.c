/* interleaved.c: counting with four tables a core. A count that was stored a moment ago takes longer to load again than
 * one that was not: in flat pictures, neighbours have equal values. Tables of 65536 bins would leave the caches. */
#include "cpu/histogram/count.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "four tables of that many bins leave the nearest caches";
    return histogram_job(stage)->bins.count <= 4096;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return histogram_workspace(device, stage, TABLES_MAX);
}

static Status run(Queue *queue, const Stage *stage) {
    return histogram_count(queue, stage, TABLES_MAX);
}

const Level cpu_histogram_interleaved = {
    .op = &op_histogram,
    .name = "interleaved",
    .idea = "four neighbours count in four tables, so that none waits for the count that the last one has just stored",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
