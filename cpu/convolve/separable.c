/* separable.c: masks that are one outer product, as a pass along the rows and a pass down the columns. */
#include "cpu/convolve/tile.h"
#include "cpu/levels.h"

Status cpu_convolve_separable(Device *device, const Stage *stage) {
    return tile_run_terms(device, stage, 1);
}
