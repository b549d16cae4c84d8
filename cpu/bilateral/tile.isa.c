/* tile.isa.c: the tiles in one instruction set, in sums of float and of double; results of bytes are content with a
 * coarser exponential. */
#include "cpu/bilateral/tile.h"
#include "cpu/isa.h"
#include "cpu/polynomial.h"
#include "cpu/vector.h"

#include <stdint.h>
#include <string.h>

#define RAISED_TO(value, min) ((VECTOR)greater(spread(min), (Floats)(value)))
#define SUMS_FLOAT            1
#include "cpu/real.h"

#include "cpu/bilateral/planes_real.h"
#include "cpu/bilateral/tile_real.h"

#undef POLYNOMIAL
#undef NAME
#define POLYNOMIAL POWER_OF_TWO_U8
#define NAME(x)    x##_f32_coarse
#include "cpu/bilateral/planes_real.h"
#include "cpu/bilateral/tile_real.h"

#undef RAISED_TO
#define RAISED_TO(value, min)                                                                                          \
    ((VECTOR)(((NAME(Bits))(value) & ~(NAME(Bits))((value) < (min))) |                                                 \
              ((NAME(Bits))((VECTOR){0} + (min)) & (NAME(Bits))((value) < (min)))))
#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

#include "cpu/bilateral/planes_real.h"
#include "cpu/bilateral/tile_real.h"

#define BY_TYPE(name)                                                                                                  \
    static void name(const BilateralWork *work, size_t x, size_t y, void *scratch) {                                   \
        if (work->stage->in[0].shape.type == PIXEL_U16)                                                                \
            name##_f64(work, x, y, scratch);                                                                           \
        else if (work->stage->out.shape.type == PIXEL_U8)                                                              \
            name##_f32_coarse(work, x, y, scratch);                                                                    \
        else                                                                                                           \
            name##_f32(work, x, y, scratch);                                                                           \
    }
BY_TYPE(run_tile)
BY_TYPE(run_pairs)

BilateralTile *const ISA_NAME(bilateral_tiles)[BILATERAL_TILES] = {run_tile, run_pairs};
