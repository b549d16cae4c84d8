/* reference.c: the definition of the guided filter in double precision: a fit for each window, wherever it lies. Never
 * optimized, but that a fit is made once: for a tile and its surroundings. */
#include "core/device/backend.h"
#include "core/ops/guided.h"
#include "core/stage/window.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum { TILE = 64 };

typedef struct Fit {
    double a, b;
} Fit;

static Fit fit_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    const int radius = guided_job(stage)->radius;
    const double count = (2.0 * radius + 1) * (2 * radius + 1);
    const ImageView guide = guided_guide(stage);
    const int guide_c = guide.shape.channels > 1 ? c : 0;
    double sum_i = 0, sum_p = 0, sum_ii = 0, sum_ip = 0;
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            const double value = window_value(guide, guided_job(stage)->border, x + i, y + j, guide_c);
            const double p = window_value(stage->in[0], guided_job(stage)->border, x + i, y + j, c);
            sum_i += value;
            sum_p += p;
            sum_ii += value * value;
            sum_ip += value * p;
        }
    const double mean_i = sum_i / count, mean_p = sum_p / count;
    const double a =
        (sum_ip / count - mean_i * mean_p) / (sum_ii / count - mean_i * mean_i + guided_job(stage)->epsilon);
    return (Fit){a, mean_p - a * mean_i};
}

static void run_tile(const Stage *stage, ptrdiff_t left, ptrdiff_t top, int c, Fit *fits) {
    const Shape shape = stage->out.shape;
    const int radius = guided_job(stage)->radius, side = TILE + 2 * radius;
    const double count = (2.0 * radius + 1) * (2 * radius + 1);
    const ImageView guide = guided_guide(stage);
    const int columns = (ptrdiff_t)shape.width - left < TILE ? (int)((ptrdiff_t)shape.width - left) : TILE;
    const int rows = (ptrdiff_t)shape.height - top < TILE ? (int)((ptrdiff_t)shape.height - top) : TILE;
    for (int y = 0; y < rows + 2 * radius; y++)
        for (int x = 0; x < columns + 2 * radius; x++)
            fits[y * side + x] = fit_at(stage, left + x - radius, top + y - radius, c);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            Fit sum = {0, 0};
            for (int j = 0; j <= 2 * radius; j++)
                for (int i = 0; i <= 2 * radius; i++) {
                    sum.a += fits[(y + j) * side + x + i].a;
                    sum.b += fits[(y + j) * side + x + i].b;
                }
            const size_t px = (size_t)(left + x), py = (size_t)(top + y);
            const double value = view_value(guide, px, py, guide.shape.channels > 1 ? c : 0);
            view_set_value(stage->out, px, py, c, sum.a / count * value + sum.b / count);
        }
}

static size_t fit_bytes(const Stage *stage) {
    const size_t side = TILE + 2 * (size_t)guided_job(stage)->radius;
    return side * side * sizeof(Fit);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * fit_bytes(stage);
}

static void filter_tile(const void *job, size_t x, size_t y, void *scratch) {
    const Stage *stage = job;
    for (int c = 0; c < stage->out.shape.channels; c++)
        run_tile(stage, (ptrdiff_t)x, (ptrdiff_t)y, c, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    TeamTiles tiles = {stage->out.shape.width, stage->out.shape.height, TILE, TILE, NULL, fit_bytes(stage)};
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &tiles.scratch));
    cpu_share_tiles(queue, &tiles, filter_tile, stage);
    return STATUS_OK;
}

const Level cpu_guided_reference = {
    .op = &op_guided,
    .name = "reference",
    .idea = "four sums over each window for the fit, two for their means; every other level is checked against it",
    .workspace = workspace,
    .run = run,
};
