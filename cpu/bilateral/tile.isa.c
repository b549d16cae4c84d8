/* tile.isa.c: the tile in one instruction set, in sums of float and of double. The polynomials are Chebyshev fits of
 * 2^x from -1/2 to 1/2, within 8e-8 and 2e-9 of it. */
#include "cpu/bilateral/tile.h"
#include "cpu/isa.h"

#include <stdint.h>
#include <string.h>

#define REAL      float
#define BITS      int32_t
#define UNSIGNED  uint32_t
#define MANTISSA  23
#define ONE_APART 12582912.0F
#define POWER_MIN -126.0F
#define POLYNOMIAL(x)                                                                                                  \
    (((((0.0013266970388716754F * (x) + 0.0096754597455665104F) * (x) + 0.055507426159953209F) * (x) +                 \
       0.24022121753560205F) *                                                                                         \
          (x) +                                                                                                        \
      0.693146949161068F) *                                                                                            \
         (x) +                                                                                                         \
     1.0000000710297006F)
#define NAME(x) x##_f32
#include "cpu/bilateral/tile_real.h"
#undef REAL
#undef BITS
#undef UNSIGNED
#undef MANTISSA
#undef ONE_APART
#undef POWER_MIN
#undef POLYNOMIAL
#undef NAME

#define REAL      double
#define BITS      int64_t
#define UNSIGNED  uint64_t
#define MANTISSA  52
#define ONE_APART 6755399441055744.0
#define POWER_MIN -1022.0
#define POLYNOMIAL(x)                                                                                                  \
    ((((((0.00015337576765576751 * (x) + 0.0013399860365777526) * (x) + 0.0096185195346241616) * (x) +                 \
        0.05550328997508136) *                                                                                         \
           (x) +                                                                                                       \
       0.24022646608711054) *                                                                                          \
          (x) +                                                                                                        \
      0.6931472056005179) *                                                                                            \
         (x) +                                                                                                         \
     1.0000000005920209)
#define NAME(x) x##_f64
#include "cpu/bilateral/tile_real.h"

static void run(const BilateralWork *work, size_t x, size_t y, void *scratch) {
    if (work->stage->in[0].shape.type == PIXEL_U16)
        run_tile_f64(work, x, y, scratch);
    else
        run_tile_f32(work, x, y, scratch);
}

BilateralTile *const ISA_NAME(bilateral_tile) = run;
