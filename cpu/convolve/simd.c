/* simd.c: dense masks with vectors. */
#include "cpu/convolve/tile.h"
#include "cpu/levels.h"

Status cpu_convolve_simd(Device *device, const Stage *stage) {
    return tile_run_all(device, stage, NULL);
}
