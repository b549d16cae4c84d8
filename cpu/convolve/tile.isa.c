/* tile.isa.c: the tile in one instruction set: all else in tile_real.h, for sums in f32, in double and in 16 bits. */
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

/* Sums of 16 bits, of bytes by whole numbers. */
#undef REAL
#undef WHOLE
#undef WIDEN
#undef NARROW_TO
#undef NAME
#define REAL      int16_t
#define WHOLE     uint8_t
#define WIDEN     widen_shorts
#define NARROW_TO narrow_shorts
#define NAME(x)   x##_i16

#include "cpu/convolve/tile_real.h"

/* Whether all sums of bytes are whole numbers of 16 bits, whatever their order. */
static bool is_short(const TileJob *job) {
    const ConvolveJob *convolve = convolve_job(job->stage);
    const Mask *mask = convolve->mask;
    const float outside = convolve->border.value, bias = convolve->bias;
    float size = 0;
    bool whole = stage_shape_read(job->stage).type == PIXEL_U8 && stage_shape_made(job->stage).type == PIXEL_U8 &&
                 !(mask->divisor < 1) && !(mask->divisor > 1) && bias == rintf(bias) && outside == rintf(outside) &&
                 fabsf(outside) <= UINT8_MAX && mask->width * mask->height <= TAPS_ALONE;
    for (int i = 0; i < mask->width * mask->height && whole; i++) {
        whole = mask->weights[i] == rintf(mask->weights[i]);
        size += fabsf(mask->weights[i]);
    }
    return whole && size * UINT8_MAX + fabsf(bias) <= INT16_MAX;
}

static void run(const TileJob *job, size_t x, size_t y, void *scratch) {
    if (stage_shape_read(job->stage).type == PIXEL_U16)
        run_tile_f64(job, x, y, scratch);
    else if (is_short(job))
        run_tile_i16(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
    stream_end();
}

TileRun *const ISA_NAME(tile_run) = run;
