/* tile.isa.c: the tile in one instruction set, in sums of float and of double. */
#include "cpu/bilateral/tile.h"
#include "cpu/isa.h"
#include "cpu/polynomial.h"

#include <stdint.h>
#include <string.h>

#define REAL       float
#define BITS       int32_t
#define UNSIGNED   uint32_t
#define MANTISSA   23
#define ONE_APART  12582912.0F
#define POWER_MIN  (-126.0F)
#define POLYNOMIAL POWER_OF_TWO_F32
#define NAME(x)    x##_f32
#include "cpu/bilateral/tile_real.h"
#undef REAL
#undef BITS
#undef UNSIGNED
#undef MANTISSA
#undef ONE_APART
#undef POWER_MIN
#undef POLYNOMIAL
#undef NAME

#define REAL       double
#define BITS       int64_t
#define UNSIGNED   uint64_t
#define MANTISSA   52
#define ONE_APART  6755399441055744.0
#define POWER_MIN  (-1022.0)
#define POLYNOMIAL POWER_OF_TWO_F64
#define NAME(x)    x##_f64
#include "cpu/bilateral/tile_real.h"

static void run(const BilateralWork *work, size_t x, size_t y, void *scratch) {
    if (work->stage->in[0].shape.type == PIXEL_U16)
        run_tile_f64(work, x, y, scratch);
    else
        run_tile_f32(work, x, y, scratch);
}

BilateralTile *const ISA_NAME(bilateral_tile) = run;
