/* permuted.isa.c: a tile in one instruction set: loading and storing here, all else in permuted_type.h, for each type
 * of pixels. */
#include "cpu/resample/permuted.h"
#include "cpu/pack.h"
#include "cpu/vector.h"

#include <string.h>

/* LANES values from anywhere, permuted. */
INLINE Floats take_u8(const uint8_t *from, Ints places) {
    return permute(floats_of_u8(from), places);
}
INLINE Floats take_f32(const float *from, Ints places) {
    return permute(load(from), places);
}

/* Four vectors of sums to as many results. */
INLINE void store_u8(const Floats sums[4], uint8_t *to) {
    pack_vectors_u8((const float *)sums, to);
}
INLINE void store_f32(const Floats sums[4], float *to) {
    memcpy(to, sums, 4 * sizeof *sums);
}

#define TYPE    uint8_t
#define REAL    float
#define VECTOR  Floats
#define WHOLE   0
#define BIAS    ((float)TIE_BIAS)
#define NAME(x) x##_u8
#include "cpu/resample/permuted_type.h"
#undef TYPE
#undef NAME

#define TYPE float
#undef BIAS
#define BIAS    0
#define NAME(x) x##_f32
#include "cpu/resample/permuted_type.h"
#undef TYPE
#undef REAL
#undef VECTOR
#undef WHOLE
#undef BIAS
#undef NAME

#undef BIAS
#define TYPE    uint16_t
#define REAL    int32_t
#define VECTOR  Ints
#define WHOLE   1
#define NAME(x) x##_u16
#include "cpu/resample/permuted_type.h"

PermutedRun *const ISA_NAME(permuted_runs)[PIXEL_TYPES] = {
    [PIXEL_U8] = run_tile_u8, [PIXEL_U16] = run_tile_u16, [PIXEL_F32] = run_tile_f32};
