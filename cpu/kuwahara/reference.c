/* reference.c: the definition of the most even quadrant. Never optimized. */
#include "core/device/backend.h"
#include "cpu/kuwahara/window.h"
#include "cpu/team.h"

static uint64_t variance_at(const Stage *stage, ptrdiff_t left, ptrdiff_t top) {
    const int side = kuwahara_job(stage)->radius + 1;
    int64_t sum = 0;
    uint64_t squares = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            const int64_t luma = kuwahara_luma_at(stage, left + i, top + j);
            sum += luma;
            squares += (uint64_t)(luma * luma);
        }
    return kuwahara_variance((uint64_t)side * (uint64_t)side, sum, squares);
}

static void filter_row(const Stage *stage, size_t row) {
    const int radius = kuwahara_job(stage)->radius;
    const ptrdiff_t y = (ptrdiff_t)row;
    for (ptrdiff_t x = 0; x < (ptrdiff_t)stage->out.shape.width; x++) {
        uint64_t best = 0;
        ptrdiff_t left = 0, top = 0;
        for (int quadrant = 0; quadrant < 4; quadrant++) {
            const ptrdiff_t from_x = quadrant % 2 ? x : x - radius, from_y = quadrant / 2 ? y : y - radius;
            const uint64_t variance = variance_at(stage, from_x, from_y);
            if (quadrant == 0 || variance < best) {
                best = variance;
                left = from_x;
                top = from_y;
            }
        }
        kuwahara_store(stage, x, y, left, top);
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, filter_row);
    return STATUS_OK;
}

const Level cpu_kuwahara_reference = {
    .op = &op_kuwahara,
    .name = "reference",
    .idea = "four variances over all their pixels; every other level is checked against it",
    .run = run,
};
