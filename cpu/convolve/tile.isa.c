/* tile.isa.c: the tile in one instruction set; tile_real.h is the code, for f32 and for double. */
#include "cpu/convolve/tile.h"
#include "cpu/isa.h"

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

enum { ROWS_AHEAD = 8 }; /* source rows that are asked for before they are needed */

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

/* Where there is no instruction for it: adding ROUNDER makes the last bit of a sum count 1, so that adding and taking
 * it away rounds to nearest even. */
#define ROUND_LANES(to, sums)                                                                                          \
    for (size_t i = 0; i < VECTOR_BYTES / sizeof(REAL); i++) {                                                         \
        REAL value = (sums)[i] > 0 ? (sums)[i] : 0;                                                                    \
        value = value < MOST ? value : MOST;                                                                           \
        (to)[i] = (WHOLE)(int32_t)((value + ROUNDER) - ROUNDER);                                                       \
    }

/* The type of the sums, the whole type that they are stored as, and that type's largest value. */
#define REAL    float
#define WHOLE   uint8_t
#define MOST    255
#define ROUNDER 8388608.0f
#define NAME(x) x##_f32
typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));

/* Rounds to nearest even, clamps and stores a vector of sums. */
static inline void NAME(narrow)(WHOLE *to, NAME(Vector) sums) {
#if defined(ISA_avx512)
    const __m512 clamped = _mm512_max_ps((__m512)sums, _mm512_setzero_ps()); /* beyond 2^31 becomes 2^31, then 255 */
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(clamped)));
#elif defined(ISA_avx2)
    const __m256 clamped = _mm256_min_ps(_mm256_max_ps((__m256)sums, _mm256_setzero_ps()), _mm256_set1_ps(MOST));
    const __m256i whole = _mm256_cvtps_epi32(clamped);
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(words, words));
#else
    ROUND_LANES(to, sums);
#endif
}
#include "cpu/convolve/tile_real.h"
#undef REAL
#undef WHOLE
#undef MOST
#undef ROUNDER
#undef NAME

#define REAL    double
#define WHOLE   uint16_t
#define MOST    65535
#define ROUNDER 4503599627370496.0
#define NAME(x) x##_f64
typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));

static inline void NAME(narrow)(WHOLE *to, NAME(Vector) sums) {
#if defined(ISA_avx512)
    const __m512d clamped = _mm512_min_pd(_mm512_max_pd((__m512d)sums, _mm512_setzero_pd()), _mm512_set1_pd(MOST));
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_cvtepi32_epi16(_mm512_cvtpd_epi32(clamped)));
#elif defined(ISA_avx2)
    const __m256d clamped = _mm256_min_pd(_mm256_max_pd((__m256d)sums, _mm256_setzero_pd()), _mm256_set1_pd(MOST));
    const __m128i whole = _mm256_cvtpd_epi32(clamped);
    _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi32(whole, whole));
#else
    ROUND_LANES(to, sums);
#endif
}
#include "cpu/convolve/tile_real.h"

static void run(const TileJob *job, size_t x, size_t y, void *scratch) {
    if (job->stage->in[0].shape.type == PIXEL_U16)
        run_tile_f64(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
}

TileRun *const ISA_NAME(tile_run) = run;
