/* separable.c: masks that are one outer product, as a pass along the rows and a pass down the columns. */
#include "core/backend.h"
#include "cpu/convolve/tile.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask is no outer product of a row and a column";
    return mask_separable(convolve_job(stage)->mask);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return tile_workspace(device, stage, true);
}

static Status run(Queue *queue, const Stage *stage) {
    MaskTerms terms;
    TRY(mask_factor(convolve_job(stage)->mask, 1, &terms));
    const Status status = tile_run_all(queue, stage, &terms);
    mask_terms_free(&terms);
    return status;
}

const Level cpu_convolve_separable = {
    .op = &op_convolve,
    .name = "separable",
    .idea = "an outer product needs w + h taps instead of w x h: along the rows, then down the columns, the rows "
            "between kept in the cache",
    .accepts = accepts,
    .workspace = workspace,
    .takes_points = true,
    .run = run,
};
