/* tile.isa.c: the tile in one instruction set, in sums of float and of double. */
#include "cpu/derivative/tile.h"
#include "cpu/isa.h"

#include <math.h>
#include <stdint.h>

#define SUMS_FLOAT 1
#include "cpu/real.h"

#include "cpu/derivative/tile_real.h"

#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

#include "cpu/derivative/tile_real.h"

static void run(const Stage *stage, bool wide, size_t x, size_t count, size_t y, size_t rows) {
    if (wide)
        run_tile_f64(stage, x, count, y, rows);
    else
        run_tile_f32(stage, x, count, y, rows);
}

DerivativeTile *const ISA_NAME(derivative_tile) = run;
