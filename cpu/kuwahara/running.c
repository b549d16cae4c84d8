/* running.c: variances of quadrants by running sums, which cost the same for every radius. The quadrants of all pixels
 * are boxes of one size, so that each is summed up once and serves four pixels. Sums of whole numbers do not drift. */
#include "cpu/kuwahara/running.h"

#include "core/device/backend.h"
#include "cpu/kuwahara/window.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum { COLUMNS = 256, ROWS = 32, REACH = KUWAHARA_RADIUS_MAX };

/* A thread's memory for a tile; boxes by their upper left pixel, from radius before the tile on. */
typedef struct Tile {
    int luma[ROWS + 2 * REACH][COLUMNS + 2 * REACH];
    int64_t sums[COLUMNS + 2 * REACH];
    uint64_t squares[COLUMNS + 2 * REACH];
    uint64_t variances[ROWS + REACH][COLUMNS + REACH];
} Tile;

/* A row of lumas enters the columns' sums, or leaves them. */
static void enter(Tile *tile, int row, int count, int sign) {
    for (int x = 0; x < count; x++) {
        const int64_t luma = tile->luma[row][x];
        tile->sums[x] += sign * luma;
        tile->squares[x] += (uint64_t)(sign * luma * luma);
    }
}

static void find_variances(Tile *tile, int radius, int rows, int columns) {
    const int side = radius + 1, width = columns + 2 * radius;
    const uint64_t count = (uint64_t)side * (uint64_t)side;
    for (int x = 0; x < width; x++)
        tile->sums[x] = 0, tile->squares[x] = 0;
    for (int y = 0; y < radius; y++)
        enter(tile, y, width, 1);
    for (int y = 0; y < rows + radius; y++) {
        int64_t sum = 0;
        uint64_t squares = 0;
        enter(tile, y + radius, width, 1);
        if (y > 0)
            enter(tile, y - 1, width, -1);
        for (int x = 0; x < radius; x++) {
            sum += tile->sums[x];
            squares += tile->squares[x];
        }
        for (int x = 0; x < columns + radius; x++) {
            sum += tile->sums[x + radius];
            squares += tile->squares[x + radius];
            tile->variances[y][x] = kuwahara_variance(count, sum, squares);
            sum -= tile->sums[x];
            squares -= tile->squares[x];
        }
    }
}

static void run_tile(const Stage *stage, ptrdiff_t left, ptrdiff_t top, int columns, int rows, Tile *tile) {
    const int radius = kuwahara_job(stage)->radius;
    for (int y = 0; y < rows + 2 * radius; y++)
        for (int x = 0; x < columns + 2 * radius; x++)
            tile->luma[y][x] = kuwahara_luma_at(stage, left + x - radius, top + y - radius);
    find_variances(tile, radius, rows, columns);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            int i = 0, j = 0;
            for (int quadrant = 1; quadrant < 4; quadrant++) {
                const int tx = quadrant % 2 ? radius : 0, ty = quadrant / 2 ? radius : 0;
                if (tile->variances[y + ty][x + tx] < tile->variances[y + j][x + i])
                    i = tx, j = ty;
            }
            kuwahara_store(stage, left + x, top + y, left + x + i - radius, top + y + j - radius);
        }
}

size_t kuwahara_running_bytes(void) {
    return (sizeof(Tile) + 63) / 64 * 64;
}

static void share_tile(const void *stage, size_t x, size_t y, void *scratch) {
    const Shape shape = ((const Stage *)stage)->out.shape;
    run_tile(stage, (ptrdiff_t)x, (ptrdiff_t)y, shape.width - x < COLUMNS ? (int)(shape.width - x) : COLUMNS,
             shape.height - y < ROWS ? (int)(shape.height - y) : ROWS, scratch);
}

void kuwahara_running(const Stage *stage, size_t left, size_t top, size_t columns, size_t rows, void *scratch) {
    for (size_t y = 0; y < rows; y += ROWS)
        for (size_t x = 0; x < columns; x += COLUMNS)
            share_tile(stage, left + x, top + y, scratch);
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)stage;
    return (size_t)device->threads * kuwahara_running_bytes();
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, COLUMNS, ROWS, scratch, kuwahara_running_bytes()},
                    share_tile, stage);
    return STATUS_OK;
}

const Level cpu_kuwahara_running = {
    .op = &op_kuwahara,
    .name = "running",
    .idea = "variances by running sums: each box is summed up once and is a quadrant of four pixels",
    .workspace = workspace,
    .run = run,
};
