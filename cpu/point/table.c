/* table.c: a program of functions of one 8- or 16-bit value is a table of all its results. Where other functions stand
 * between such, each run of them is a table. */
#include "core/device/backend.h"
#include "cpu/point/measured.h"
#include "cpu/point/rows.h"

/* A table of results is possible. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const PointProgram program = point_program_divide(stage, true);
    *why_not = "none of its steps depends on one 8- or 16-bit value alone, or encodes light as u8, in a large picture";
    for (int i = 0; i < program.count; i++)
        if (program.parts[i].kind == POINT_PART_TABLE || program.parts[i].kind == POINT_PART_STAIRS)
            return true;
    return false;
}

static Status run(Queue *queue, const Stage *stage) {
    return point_run_rows(queue, stage, true);
}

const Level cpu_point_table = {
    .op = &op_point,
    .name = "table",
    .idea = "functions of one value become a table of all 256 or 65536 results",
    .accepts = accepts,
    .predictor = &cpu_point_measured,
    .run = run,
};
