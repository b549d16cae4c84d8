/* widen.h: vectors of whole numbers as vectors of f32 or double and back, for *.isa.c files. GCC's own conversions
 * between vectors of different lanes take a value at a time. */
#ifndef GLINT_CPU_WIDEN_H
#define GLINT_CPU_WIDEN_H

#include "cpu/pack.h"
#include "cpu/vector.h"

typedef double Doubles __attribute__((vector_size(VECTOR_BYTES)));

static inline Floats widen_u8(const uint8_t *from) {
#if defined(ISA_avx512)
    return (Floats)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)));
#elif defined(ISA_avx2)
    return (Floats)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)));
#elif defined(__SSE2__)
    const __m128i bytes = _mm_loadu_si32(from), none = _mm_setzero_si128();
    return (Floats)_mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, none), none));
#else
    Floats lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = from[lane];
    return lanes;
#endif
}

static inline Doubles widen_u16(const uint16_t *from) {
#if defined(ISA_avx512)
    return (Doubles)_mm512_cvtepi32_pd(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)));
#elif defined(ISA_avx2)
    return (Doubles)_mm256_cvtepi32_pd(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)));
#elif defined(__SSE2__)
    return (Doubles)_mm_cvtepi32_pd(_mm_unpacklo_epi16(_mm_loadu_si32(from), _mm_setzero_si128()));
#else
    Doubles lanes;
    for (int lane = 0; lane < LANES / 2; lane++)
        lanes[lane] = from[lane];
    return lanes;
#endif
}

/* u16 as f32, which holds all of them. */
static inline Floats widen_u16_f32(const uint16_t *from) {
#if defined(ISA_avx512)
    return (Floats)_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from)));
#elif defined(ISA_avx2)
    return (Floats)_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)));
#elif defined(__SSE2__)
    const __m128i shorts = _mm_loadl_epi64((const __m128i *)(const void *)from);
    return (Floats)_mm_cvtepi32_ps(_mm_unpacklo_epi16(shorts, _mm_setzero_si128()));
#else
    Floats lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = from[lane];
    return lanes;
#endif
}

/* u8 as u16. */
enum { SHORTS = VECTOR_BYTES / 2 };
typedef uint16_t Shorts __attribute__((vector_size(VECTOR_BYTES)));

static inline Shorts widen_shorts(const uint8_t *from) {
#if defined(ISA_avx512)
    return (Shorts)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)from));
#elif defined(ISA_avx2)
    return (Shorts)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from));
#elif defined(__SSE2__)
    return (Shorts)_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)from), _mm_setzero_si128());
#else
    Shorts lanes;
    for (int lane = 0; lane < SHORTS; lane++)
        lanes[lane] = from[lane];
    return lanes;
#endif
}

static inline Doubles widen_i32(const int32_t *from) {
#if defined(ISA_avx512)
    return (Doubles)_mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)(const void *)from));
#elif defined(ISA_avx2)
    return (Doubles)_mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(const void *)from));
#elif defined(__SSE2__)
    return (Doubles)_mm_cvtepi32_pd(_mm_loadl_epi64((const __m128i *)(const void *)from));
#else
    Doubles lanes;
    for (int lane = 0; lane < LANES / 2; lane++)
        lanes[lane] = from[lane];
    return lanes;
#endif
}

/* Eight vectors rounded to nearest even and clamped; NaN becomes 0. */
enum { NARROW = 8 };

static inline void narrow_u8(const Floats from[NARROW], uint8_t *to) {
#if defined(ISA_avx512)
    for (int i = 0; i < NARROW; i++) {
        const __m512i whole = _mm512_cvtps_epi32(_mm512_max_ps((__m512)from[i], _mm512_setzero_ps()));
        _mm_storeu_si128((__m128i *)(void *)(to + i * LANES), _mm512_cvtusepi32_epi8(whole));
    }
#elif defined(ISA_avx2)
    const __m256 max = _mm256_set1_ps(255);
#    pragma GCC unroll 2
    for (int i = 0; i < NARROW; i += 4) { /* NaN and too small values become the smallest number, packed to 0 */
        const __m256i a = _mm256_cvtps_epi32(_mm256_min_ps(max, (__m256)from[i]));
        const __m256i b = _mm256_cvtps_epi32(_mm256_min_ps(max, (__m256)from[i + 1]));
        const __m256i c = _mm256_cvtps_epi32(_mm256_min_ps(max, (__m256)from[i + 2]));
        const __m256i d = _mm256_cvtps_epi32(_mm256_min_ps(max, (__m256)from[i + 3]));
        const __m256i mixed = _mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        _mm256_storeu_si256((__m256i *)(void *)(to + i * LANES), _mm256_permutevar8x32_epi32(mixed, order));
    }
#else
    float sums[NARROW * LANES];
    memcpy(sums, from, sizeof sums);
    for (int i = 0; i < NARROW * LANES; i += PACK)
        pack_u8(sums + i, to + i);
#endif
}

/* Whole numbers of 16 bits with a sign, clamped to bytes: those of two vectors. */
static inline void narrow_two_shorts(Shorts first, Shorts second, uint8_t *to) {
#if defined(ISA_avx512)
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    _mm512_storeu_si512(to, _mm512_permutexvar_epi64(order, _mm512_packus_epi16((__m512i)first, (__m512i)second)));
#elif defined(ISA_avx2)
    const __m256i mixed = _mm256_packus_epi16((__m256i)first, (__m256i)second);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute4x64_epi64(mixed, 0xd8));
#elif defined(__SSE2__)
    _mm_storeu_si128((__m128i *)(void *)to, _mm_packus_epi16((__m128i)first, (__m128i)second));
#else
    const Shorts both[] = {first, second};
    for (int i = 0; i < 2 * SHORTS; i++) {
        const int16_t value = (int16_t)both[i / SHORTS][i % SHORTS];
        to[i] = (uint8_t)(value < 0 ? 0 : value < 255 ? value : 255);
    }
#endif
}
static inline void narrow_shorts(const Shorts from[NARROW], uint8_t *to) {
    for (int i = 0; i < NARROW; i += 2)
        narrow_two_shorts(from[i], from[i + 1], to + (ptrdiff_t)i * SHORTS);
}

static inline void narrow_u16(const Doubles from[NARROW], uint16_t *to) {
#if defined(ISA_avx512)
    for (int i = 0; i < NARROW; i++) {
        const __m256i whole = _mm512_cvtpd_epi32(_mm512_max_pd((__m512d)from[i], _mm512_setzero_pd()));
        _mm_storeu_si128((__m128i *)(void *)(to + i * (LANES / 2)), _mm256_cvtusepi32_epi16(whole));
    }
#elif defined(ISA_avx2)
    const __m256d max = _mm256_set1_pd(65535);
#    pragma GCC unroll 2
    for (int i = 0; i < NARROW; i += 4) {
        const __m128i a = _mm256_cvtpd_epi32(_mm256_min_pd(max, (__m256d)from[i]));
        const __m128i b = _mm256_cvtpd_epi32(_mm256_min_pd(max, (__m256d)from[i + 1]));
        const __m128i c = _mm256_cvtpd_epi32(_mm256_min_pd(max, (__m256d)from[i + 2]));
        const __m128i d = _mm256_cvtpd_epi32(_mm256_min_pd(max, (__m256d)from[i + 3]));
        _mm_storeu_si128((__m128i *)(void *)(to + i * (LANES / 2)), _mm_packus_epi32(a, b));
        _mm_storeu_si128((__m128i *)(void *)(to + (i + 2) * (LANES / 2)), _mm_packus_epi32(c, d));
    }
#else
    double sums[NARROW * (LANES / 2)];
    memcpy(sums, from, sizeof sums);
    for (int i = 0; i < NARROW * (LANES / 2); i += PACK)
        pack_u16(sums + i, to + i);
#endif
}

#endif
