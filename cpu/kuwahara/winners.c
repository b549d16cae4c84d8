/* winners.c: boxes compete in pairs. As for `running`, the quadrants of all pixels are boxes of one size. Here running
 * sums add up channels as well, so that each box knows its mean. The decision between two boxes side by side serves two
 * rows. */
#include "cpu/kuwahara/winners.h"

#include "cpu/isa.h"
#include "cpu/kuwahara/running.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>

static WinnersTile *const *const tiles[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &winners_tile_portable,
    [ISA_LEVEL_AVX2] = &winners_tile_avx2,
    [ISA_LEVEL_AVX512] = &winners_tile_avx512,
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const KuwaharaJob *job = kuwahara_job(stage);
    const PixelType type = stage->in[0].shape.type;
    const float outside = job->border.value;
    *why_not = "its sums are of whole numbers, and luma's unit or the border's value is none";
    return type == PIXEL_F32 || (job->unit <= 1 && job->unit >= 1 && outside == rintf(outside) && outside >= 0 &&
                                 (double)outside <= pixel_type_white(type));
}

/* A thread's scratch, in bytes. */
static size_t bytes_of(const Stage *stage) {
    const size_t bytes = winners_scratch_bytes(stage), other = kuwahara_running_bytes();
    return stage->in[0].shape.type == PIXEL_F32 && other > bytes ? other : bytes;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * bytes_of(stage);
}

static void share_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Stage *stage = work;
    const Shape shape = stage->out.shape;
    if (!(*tiles[isa_detect()])(stage, x, y, scratch)) /* a value that is not finite has stayed in the sums */
        kuwahara_running(stage, x, y, shape.width - x < WINNERS_COLUMNS ? shape.width - x : WINNERS_COLUMNS,
                         shape.height - y < WINNERS_ROWS ? shape.height - y : WINNERS_ROWS, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue,
                    &(TeamTiles){shape.width, shape.height, WINNERS_COLUMNS, WINNERS_ROWS, scratch, bytes_of(stage)},
                    share_tile, stage);
    return STATUS_OK;
}

const Level cpu_kuwahara_winners = {
    .op = &op_kuwahara,
    .name = "winners",
    .idea = "sums of channels run as well, so that boxes know their means; the more even of two neighbours competes "
            "with the boxes above and below",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
