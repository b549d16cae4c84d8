/* pack.h: sums become whole numbers, for *.isa.c files: rounded to nearest even and clamped. pack_u8 and pack_u16 take
 * 16 at once; NaN becomes 0. pack_vectors_u8 takes four aligned vectors of numbers that an int32_t holds. */
#ifndef GLINT_CPU_PACK_H
#define GLINT_CPU_PACK_H

#include "cpu/isa.h"

#include <math.h>
#include <stdint.h>
#if defined(__SSE2__)
#    include <immintrin.h>
#endif

enum { PACK = 16 }; /* values that are converted at once */

#if defined(ISA_avx512)

static inline void pack_u8(const float *sums, uint8_t *to) {
    const __m512i whole = _mm512_cvtps_epi32(_mm512_max_ps(_mm512_loadu_ps(sums), _mm512_setzero_ps()));
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtusepi32_epi8(whole));
}

static inline __m256i whole_u16(const double *sums) {
    return _mm512_cvtpd_epi32(_mm512_max_pd(_mm512_loadu_pd(sums), _mm512_setzero_pd()));
}
static inline void pack_u16(const double *sums, uint16_t *to) {
    const __m512i whole = _mm512_inserti64x4(_mm512_castsi256_si512(whole_u16(sums)), whole_u16(sums + 8), 1);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtusepi32_epi16(whole));
}

static inline void pack_vectors_u8(const float *sums, uint8_t *to) {
    __m512i whole[4];
    for (int i = 0; i < 4; i++)
        whole[i] = _mm512_cvtps_epi32(_mm512_load_ps(sums + (ptrdiff_t)16 * i));
    const __m512i low = _mm512_packs_epi32(whole[0], whole[1]), high = _mm512_packs_epi32(whole[2], whole[3]);
    const __m512i mixed = _mm512_packus_epi16(low, high); /* fours, those of every first quarter first */
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_storeu_si512(to, _mm512_permutexvar_epi32(order, mixed));
}

#elif defined(__SSE2__)

static inline __m128i whole_u8(const float *sums) {
    const __m128 min = _mm_max_ps(_mm_loadu_ps(sums), _mm_setzero_ps());
    return _mm_cvtps_epi32(_mm_min_ps(min, _mm_set1_ps(255)));
}
static inline void pack_u8(const float *sums, uint8_t *to) {
    const __m128i low = _mm_packs_epi32(whole_u8(sums), whole_u8(sums + 4));
    const __m128i high = _mm_packs_epi32(whole_u8(sums + 8), whole_u8(sums + 12));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_packus_epi16(low, high));
}

static inline __m128i whole_pair_u16(const double *sums) {
    const __m128d min = _mm_max_pd(_mm_loadu_pd(sums), _mm_setzero_pd());
    return _mm_cvtpd_epi32(_mm_min_pd(min, _mm_set1_pd(65535)));
}
/* Less 32768, for packing with signed saturation. */
static inline __m128i whole_u16(const double *sums) {
    const __m128i four = _mm_unpacklo_epi64(whole_pair_u16(sums), whole_pair_u16(sums + 2));
    return _mm_sub_epi32(four, _mm_set1_epi32(32768));
}
static inline void pack_u16(const double *sums, uint16_t *to) {
    for (int half = 0; half < PACK; half += 8) {
        const __m128i eight = _mm_packs_epi32(whole_u16(sums + half), whole_u16(sums + half + 4));
        _mm_storeu_si128((__m128i *)(void *)(to + half), _mm_xor_si128(eight, _mm_set1_epi16(INT16_MIN)));
    }
}

#    if defined(ISA_avx2)

static inline void pack_vectors_u8(const float *sums, uint8_t *to) {
    __m256i whole[4];
    for (int i = 0; i < 4; i++)
        whole[i] = _mm256_cvtps_epi32(_mm256_load_ps(sums + (ptrdiff_t)8 * i));
    const __m256i low = _mm256_packs_epi32(whole[0], whole[1]), high = _mm256_packs_epi32(whole[2], whole[3]);
    const __m256i mixed = _mm256_packus_epi16(low, high); /* fours, those of every first half first */
    const __m256i all = _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_storeu_si256((__m256i *)(void *)to, all);
}

#    else

static inline void pack_vectors_u8(const float *sums, uint8_t *to) {
    pack_u8(sums, to);
}

#    endif

#else

static inline void pack_u8(const float *sums, uint8_t *to) {
    for (int i = 0; i < PACK; i++)
        to[i] = (uint8_t)lrintf(fminf(fmaxf(sums[i], 0), 255));
}
static inline void pack_u16(const double *sums, uint16_t *to) {
    for (int i = 0; i < PACK; i++)
        to[i] = (uint16_t)lrint(fmin(fmax(sums[i], 0), 65535));
}
static inline void pack_vectors_u8(const float *sums, uint8_t *to) {
    pack_u8(sums, to);
}

#endif

#endif
