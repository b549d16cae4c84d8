/* tile.isa.c: the tile in one instruction set, in sums of float and of double. */
#include "cpu/nlmeans/tile.h"
#include "cpu/isa.h"
#include "cpu/polynomial.h"

#include <stdint.h>
#include <string.h>

#define REAL       float
#define UNSIGNED   uint32_t
#define MANTISSA   23
#define ONE_APART  12582912.0F
#define POWER_MIN  (-126.0F)
#define POLYNOMIAL POWER_OF_TWO_F32
#define NAME(x)    x##_f32
#include "cpu/nlmeans/tile_real.h"
#undef REAL
#undef UNSIGNED
#undef MANTISSA
#undef ONE_APART
#undef POWER_MIN
#undef POLYNOMIAL
#undef NAME

#define REAL       double
#define UNSIGNED   uint64_t
#define MANTISSA   52
#define ONE_APART  6755399441055744.0
#define POWER_MIN  (-1022.0)
#define POLYNOMIAL POWER_OF_TWO_F64
#define NAME(x)    x##_f64
#include "cpu/nlmeans/tile_real.h"

_Static_assert(sizeof(Work_f64) >= sizeof(Work_f32), "room for either");

static void run(const Stage *stage, size_t x, size_t y, void *scratch) {
    if (stage->in[0].shape.type == PIXEL_U16)
        run_tile_f64(stage, x, y, scratch);
    else
        run_tile_f32(stage, x, y, scratch);
}

NlmeansTile *const ISA_NAME(nlmeans_tile) = run;
