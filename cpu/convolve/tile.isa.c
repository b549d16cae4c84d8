/* tile.isa.c: the tile in one instruction set; tile_real.h is the code, for f32 and for double. */
#include "cpu/convolve/tile.h"
#include "cpu/isa.h"

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#    include <emmintrin.h>
#endif

/* Registers for TILE_ROWS x VECTORS sums, VECTORS values and a weight: AVX-512 has 32, the others 16. */
#if defined(ISA_avx512)
#    define VECTORS 4
#else
#    define VECTORS 2
#endif

/* Copies a row past the caches where it can. */
static void stream_row(void *to, const void *from, size_t bytes) {
#if defined(__SSE2__)
    const size_t head = (size_t)(-(uintptr_t)to & 15);
    if (head < bytes) {
        memcpy(to, from, head);
        char *at = (char *)to + head;
        const char *source = (const char *)from + head;
        size_t left = bytes - head;
        for (; left >= 16; left -= 16, at += 16, source += 16)
            _mm_stream_si128((__m128i *)(void *)at, _mm_loadu_si128((const __m128i *)(const void *)source));
        memcpy(at, source, left);
        return;
    }
#endif
    memcpy(to, from, bytes);
}

/* The sums' type and its vectors; ROUNDER makes the last bit of a sum with a value in 0 to 65535 count 1, so that
 * adding and taking it away rounds to nearest even. */
#define REAL    float
#define NAME(x) x##_f32
#define ROUNDER 8388608.0f
#include "cpu/convolve/tile_real.h"
#undef REAL
#undef NAME
#undef ROUNDER

#define REAL    double
#define NAME(x) x##_f64
#define ROUNDER 4503599627370496.0
#include "cpu/convolve/tile_real.h"

static void run(const TileJob *job, size_t x, size_t y, void *scratch) {
    if (job->stage->in[0].shape.type == PIXEL_U16)
        run_tile_f64(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
}

TileRun *const ISA_NAME(tile_run) = run;
