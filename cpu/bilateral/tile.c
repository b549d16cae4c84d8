/* tile.c: how a stage is cut into tiles, and the threads that run them. */
#include "cpu/bilateral/tile.h"

#include "cpu/isa.h"
#include "cpu/team.h"

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

size_t bilateral_cut(BilateralWork *work, size_t columns, size_t rows, bool pairs) {
    static const size_t vector_bytes[ISA_LEVELS] = {16, 32, 64};
    const Stage *stage = work->stage;
    const size_t radius = (size_t)bilateral_job(stage)->radius, real = bilateral_real(stage);
    const size_t planes =
        (size_t)stage->in[0].shape.channels + (bilateral_job(stage)->joint ? (size_t)stage->in[1].shape.channels : 0);
    work->columns = columns;
    work->rows = rows;
    work->reach = pairs ? (int)round_up(radius, vector_bytes[isa_detect()] / real) : 0;
    work->margin = work->reach + (int)radius;
    work->pitch = round_up(columns + 2 * (size_t)work->margin, BILATERAL_LANES);
    work->plane = work->pitch * (rows + 2 * radius);
    return round_up(planes * work->plane * real, 64) + 64;
}

typedef struct Shared {
    const BilateralWork *job;
    BilateralTile *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

void bilateral_run_tiles(Queue *queue, const BilateralWork *work, int which, char *scratch, size_t own) {
    static BilateralTile *const *const tiles[ISA_LEVELS] = {bilateral_tiles_portable, bilateral_tiles_avx2,
                                                            bilateral_tiles_avx512};
    const Shared shared = {work, tiles[isa_detect()][which]};
    const Shape shape = work->stage->out.shape;
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, work->columns, work->rows, scratch, own}, run_tile,
                    &shared);
}
