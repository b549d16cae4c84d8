/* rows.c: a point function on runs of pixels, by the widest instruction set. */
#include "cpu/point/rows.h"

#include "core/backend.h"
#include "cpu/isa.h"

static Status run(Queue *queue, const Stage *stage) {
    static PointRow *const *const tables[ISA_LEVELS] = {point_rows_portable, point_rows_avx2, point_rows_avx512};
    PointRow *const row = tables[isa_detect()][point_job(stage)->function];
    const long height = (long)stage->out.shape.height;
#pragma omp parallel for num_threads(queue->device->threads) schedule(static)
    for (long y = 0; y < height; y++)
        row(stage, (size_t)y);
    return STATUS_OK;
}

const Level cpu_point_rows = {
    .op = &op_point,
    .name = "rows",
    .idea = "runs of pixels taken apart into planes, whose loops the compiler turns into vectors",
    .run = run,
};
