/* reference.c: surfaces where rays hit them in double precision. Never optimized. */
#include "cpu/trace/exact.h"

#include "cpu/surfaces/rows.h"

static Status run(Queue *queue, const Stage *stage) {
    const World world = {surfaces_job(stage)->scene};
    return surfaces_make(queue, stage, &world);
}

const Level cpu_surfaces_reference = {
    .op = &op_surfaces,
    .name = "reference",
    .idea = "every ray against every sphere in double precision; every other level is checked against it",
    .run = run,
};
