/* tile.isa.c: the tile in one instruction set, in sums of float and of double. */
#include "cpu/nlmeans/tile.h"
#include "cpu/isa.h"
#include "cpu/polynomial.h"

#include <stdint.h>
#include <string.h>

#define SUMS_FLOAT 1
#include "cpu/real.h"

#include "cpu/nlmeans/tile_real.h"

#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

#include "cpu/nlmeans/tile_real.h"

_Static_assert(sizeof(Work_f64) >= sizeof(Work_f32), "room for either");

static void run(const Stage *stage, size_t x, size_t y, void *scratch) {
    if (stage->in[0].shape.type == PIXEL_U16)
        run_tile_f64(stage, x, y, scratch);
    else
        run_tile_f32(stage, x, y, scratch);
}

NlmeansTile *const ISA_NAME(nlmeans_tile) = run;
