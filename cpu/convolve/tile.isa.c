/* tile.isa.c: the tile in one instruction set: all else in tile_real.h, for sums in f32 and in double. */
#include "cpu/convolve/tile.h"
#include "cpu/widen.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Registers for TILE_ROWS x VECTORS sums, VECTORS values and a weight: AVX-512 has 32, the others 16. */
#if defined(ISA_avx512)
#    define VECTORS 4
#else
#    define VECTORS 2
#endif

#define TAPS_ALONE 49 /* sums of up to so many taps are not grouped */
#define SUMS_FLOAT 1
#include "cpu/real.h"

#include "cpu/convolve/tile_real.h"

#undef TAPS_ALONE
#define TAPS_ALONE (MASK_MAX * MASK_MAX)
#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

#include "cpu/convolve/tile_real.h"

static void run(const TileJob *job, size_t x, size_t y, void *scratch) {
    if (stage_shape_read(job->stage).type == PIXEL_U16)
        run_tile_f64(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
    stream_end();
}

TileRun *const ISA_NAME(tile_run) = run;
