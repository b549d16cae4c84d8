/* tile.isa.c: the tile in one instruction set, in sums of float and of double. */
#include "cpu/derivative/tile.h"
#include "cpu/isa.h"

#include <math.h>
#include <stdint.h>

#define REAL      float
#define ROOT      sqrtf
#define ONE_APART 12582912.0F
#define NAME(x)   x##_f32
#include "cpu/derivative/tile_real.h"
#undef REAL
#undef ROOT
#undef ONE_APART
#undef NAME

#define REAL      double
#define ROOT      sqrt
#define ONE_APART 6755399441055744.0
#define NAME(x)   x##_f64
#include "cpu/derivative/tile_real.h"

static void run(const Stage *stage, bool wide, size_t x, size_t count, size_t y, size_t rows) {
    if (wide)
        run_tile_f64(stage, x, count, y, rows);
    else
        run_tile_f32(stage, x, count, y, rows);
}

DerivativeTile *const ISA_NAME(derivative_tile) = run;
