/* ring.c: rows come in one by one, and their sums leave again when the windows have passed. These are moments, whole
 * numbers where values are u8, and the fits, which wait for it in a ring. */
#include "cpu/guided/ring.h"

#include "cpu/guided/running.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

static RingTile *const *const tiles[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &ring_tile_portable,
    [ISA_LEVEL_AVX2] = &ring_tile_avx2,
    [ISA_LEVEL_AVX512] = &ring_tile_avx512,
};

/* A thread's scratch, in bytes. */
static size_t bytes_of(const Stage *stage) {
    const size_t bytes = (ring_scratch_bytes(stage) + 63) / 64 * 64, other = guided_running_bytes(stage);
    const size_t more = other > bytes ? (other + 63) / 64 * 64 : bytes;
    return stage->in[0].shape.type == PIXEL_F32 || guided_guide(stage).shape.type == PIXEL_F32 ? more : bytes;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * bytes_of(stage);
}

static void share_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Stage *stage = work;
    const Shape shape = stage->out.shape;
    const size_t rows = ring_rows(stage);
    if (!(*tiles[isa_detect()])(stage, x, y, scratch)) /* a value that is not finite has stayed in the sums */
        guided_running(stage, x, y, shape.width - x < RING_COLUMNS ? shape.width - x : RING_COLUMNS,
                       shape.height - y < rows ? shape.height - y : rows, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue,
                    &(TeamTiles){shape.width, shape.height, RING_COLUMNS, ring_rows(stage), scratch, bytes_of(stage)},
                    share_tile, stage);
    return STATUS_OK;
}

const Level cpu_guided_ring = {
    .op = &op_guided,
    .name = "ring",
    .idea = "row by row: entering rows are added, leaving rows subtracted, by vectors, whole numbers exactly; fits "
            "wait in a ring for the window",
    .workspace = workspace,
    .run = run,
};
