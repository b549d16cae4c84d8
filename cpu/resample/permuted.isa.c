/* permuted.isa.c: a tile in one instruction set: loading and storing here, all else in permuted_real.h, for sums in f32
 * and in double. */
#include "cpu/resample/permuted.h"
#include "cpu/pack.h"
#include "cpu/vector.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* `count` values of an input row from `first` on, which f32 holds exactly. */
static void load_row(ImageView in, size_t y, size_t first, size_t count, float *restrict to) {
    const void *row = view_row(in, y);
    if (in.shape.type == PIXEL_U8)
        for (size_t i = 0; i < count; i++)
            to[i] = (float)((const uint8_t *)row)[first + i];
    else if (in.shape.type == PIXEL_U16)
        for (size_t i = 0; i < count; i++)
            to[i] = (float)((const uint16_t *)row)[first + i];
    else
        memcpy(to, (const float *)row + first, count * sizeof *to);
}

/* Four vectors of sums to as many results. */
INLINE void store_f32(const Floats sums[4], PixelType type, char *to) {
    if (type == PIXEL_U8)
        pack_vectors_u8((const float *)sums, (uint8_t *)to);
    else
        memcpy(to, sums, 4 * sizeof *sums);
}
INLINE void store_f64(const Wides sums[4], PixelType type, char *to) {
    (void)type;
    pack_vectors_u16((const double *)sums, (uint16_t *)(void *)to);
}

#define REAL    float
#define VECTOR  Floats
#define WIDE    0
#define STORE   store_f32
#define NAME(x) x##_f32
#include "cpu/resample/permuted_real.h"
#undef REAL
#undef VECTOR
#undef WIDE
#undef STORE
#undef NAME

#define REAL    double
#define VECTOR  Wides
#define WIDE    1
#define STORE   store_f64
#define NAME(x) x##_f64
#include "cpu/resample/permuted_real.h"

static void run(const PermutedJob *job, size_t x, size_t y, void *scratch) {
    if (job->stage->out.shape.type == PIXEL_U16)
        run_tile_f64(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
}

PermutedRun *const ISA_NAME(permuted_run) = run;
