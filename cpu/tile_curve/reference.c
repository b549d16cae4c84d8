/* reference.c: the curve of each tile. */
#include "core/device/backend.h"
#include "core/ops/tiles.h"
#include "cpu/team.h"

static void make_curve(const Stage *stage, size_t row) {
    const TilesJob *job = tiles_job_of(stage);
    const uint32_t *counts = view_row(stage->in[0], row);
    const int bins = job->bins.count;
    uint64_t total = 0, cut = 0, sum = 0;
    for (int i = 0; i < bins; i++)
        total += counts[i];
    const uint32_t limit = clip_limit(job->clip, total, bins);
    for (int i = 0; i < bins; i++)
        cut += counts[i] > limit ? counts[i] - limit : 0;
    const Clip clip = {limit, (uint32_t)bins, cut, job->type == PIXEL_U8};
    for (int i = 0; i < bins; i++) {
        sum += clip_count(clip, counts[i], (uint32_t)i);
        view_set_value(stage->out, (size_t)i, row, 0,
                       total ? (double)sum * job->white / (double)total : bin_value(job->bins, i));
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, make_curve);
    return STATUS_OK;
}

const Level cpu_tile_curve_reference = {
    .op = &op_tile_curve,
    .name = "reference",
    .idea = "bin by bin, the tiles shared out among the cores",
    .run = run,
};
