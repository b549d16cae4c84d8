/* rows.c: a point program on runs of pixels, by the widest instruction set. */
#include "cpu/point/rows.h"

#include "core/backend.h"
#include "cpu/isa.h"

PointRow *point_row_vectors(void) {
    PointRow *const rows[ISA_LEVELS] = {point_row_portable, point_row_avx2, point_row_avx512};
    return rows[isa_detect()];
}

static Status run(Queue *queue, const Stage *stage) {
    PointRow *const row = point_row_vectors();
    const PointTable none[POINT_STEPS] = {{0}};
    const long height = (long)stage->out.shape.height;
#pragma omp parallel for num_threads(queue->device->threads) schedule(static)
    for (long y = 0; y < height; y++) {
        PointScratch scratch;
        row(stage, none, (size_t)y, &scratch);
    }
    return STATUS_OK;
}

const Level cpu_point_rows = {
    .op = &op_point,
    .name = "rows",
    .idea = "runs of pixels taken apart into planes, whose loops the compiler turns into vectors",
    .run = run,
};
