/* tile.isa.c: the tile in one instruction set: packing and streaming in its own words, all else in tile_real.h, for
 * sums in f32 and in double. */
#include "cpu/convolve/tile.h"
#include "cpu/pack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#    include <immintrin.h>
#endif

/* Registers for TILE_ROWS x VECTORS sums, VECTORS values and a weight: AVX-512 has 32, the others 16. */
#if defined(ISA_avx512)
#    define VECTORS 4
#else
#    define VECTORS 2
#endif

/* Without a word, GCC would read a value from memory again for each sum that it goes into. */
#if defined(ISA_avx512)
#    define KEEP_IN_REGISTER(vector) __asm__("" : "+v"(vector))
#elif defined(__SSE2__)
#    define KEEP_IN_REGISTER(vector) __asm__("" : "+x"(vector))
#else
#    define KEEP_IN_REGISTER(vector) (void)0
#endif

/* One vector from anywhere to a place aligned to it, past the caches where that can be said. */
static inline void stream_vector(char *to, const char *from) {
#if defined(ISA_avx512)
    _mm512_stream_si512((__m512i *)(void *)to, _mm512_loadu_si512(from));
#elif defined(ISA_avx2)
    _mm256_stream_si256((__m256i *)(void *)to, _mm256_loadu_si256((const __m256i *)(const void *)from));
#elif defined(__SSE2__)
    _mm_stream_si128((__m128i *)(void *)to, _mm_loadu_si128((const __m128i *)(const void *)from));
#else
    memcpy(to, from, VECTOR_BYTES);
#endif
}

static void stream_row(char *to, const char *from, size_t bytes) {
    const size_t head = (size_t)(-(uintptr_t)to % VECTOR_BYTES);
    size_t i = head < bytes ? head : bytes;
    memcpy(to, from, i);
    for (; i + VECTOR_BYTES <= bytes; i += VECTOR_BYTES)
        stream_vector(to + i, from + i);
    memcpy(to + i, from + i, bytes - i);
}

/* Makes streamed values visible to others before whatever is stored next. */
static inline void stream_end(void) {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#define TAPS_ALONE 49 /* sums of up to so many taps are not grouped */
#define REAL       float
#define WHOLE      uint8_t
#define PACK_TO    pack_u8
#define NAME(x)    x##_f32
#include "cpu/convolve/tile_real.h"
#undef REAL
#undef WHOLE
#undef PACK_TO
#undef NAME

#undef TAPS_ALONE
#define TAPS_ALONE (MASK_MAX * MASK_MAX)
#define REAL       double
#define WHOLE      uint16_t
#define PACK_TO    pack_u16
#define NAME(x)    x##_f64
#include "cpu/convolve/tile_real.h"

static void run(const TileJob *job, size_t x, size_t y, void *scratch) {
    if (stage_shape_read(job->stage).type == PIXEL_U16)
        run_tile_f64(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
    stream_end();
}

TileRun *const ISA_NAME(tile_run) = run;
