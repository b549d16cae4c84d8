/* separable.c: masks that are one outer product, as a pass along the rows and a pass down the columns. */
#include "cpu/convolve/tile.h"
#include "cpu/levels.h"

Status cpu_convolve_separable(Device *device, const Stage *stage) {
    MaskTerms terms;
    TRY(mask_factor(convolve_job(stage)->mask, 1, &terms));
    const Status status = tile_run_all(device, stage, &terms);
    mask_terms_free(&terms);
    return status;
}
