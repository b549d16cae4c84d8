/* four.h: the values of one pixel in a vector of four, for *.isa.c files. Loads read four values, whatever the pixel
 * has; stores round to nearest even and clamp, NaN to 0. */
#ifndef GLINT_CPU_FOUR_H
#define GLINT_CPU_FOUR_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#    include <immintrin.h>
#endif

typedef float Four __attribute__((vector_size(16)));
typedef double WideFour __attribute__((vector_size(32)));

static inline Four four_of_u8(const uint8_t *from) {
#if defined(__SSE4_1__)
    return (Four)_mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_loadu_si32(from)));
#elif defined(__SSE2__)
    const __m128i bytes = _mm_loadu_si32(from), none = _mm_setzero_si128();
    return (Four)_mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, none), none));
#else
    return (Four){(float)from[0], (float)from[1], (float)from[2], (float)from[3]};
#endif
}
static inline WideFour four_of_u16(const uint16_t *from) {
#if defined(__AVX2__)
    return (WideFour)_mm256_cvtepi32_pd(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)));
#else
    return (WideFour){(double)from[0], (double)from[1], (double)from[2], (double)from[3]};
#endif
}
static inline Four four_of_f32(const float *from) {
    Four four;
    memcpy(&four, from, sizeof four);
    return four;
}

/* The first `count` of four values. */
static inline void store_four_u8(Four four, uint8_t *to, int count) {
#if defined(__SSE2__)
    const __m128 clamped = _mm_min_ps(_mm_max_ps((__m128)four, _mm_setzero_ps()), _mm_set1_ps(255));
    const __m128i halves = _mm_packs_epi32(_mm_cvtps_epi32(clamped), _mm_setzero_si128());
    const int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(halves, halves));
    memcpy(to, &bytes, (size_t)count);
#else
    for (int c = 0; c < count; c++)
        to[c] = (uint8_t)lrintf(four[c] > 0 ? four[c] < 255 ? four[c] : 255 : 0);
#endif
}
static inline void store_four_u16(WideFour four, uint16_t *to, int count) {
#if defined(__AVX2__)
    const __m256d clamped = _mm256_min_pd(_mm256_max_pd((__m256d)four, _mm256_setzero_pd()), _mm256_set1_pd(65535));
    const __m128i whole = _mm256_cvtpd_epi32(clamped);
    const int64_t halves = _mm_cvtsi128_si64(_mm_packus_epi32(whole, whole));
    memcpy(to, &halves, (size_t)count * sizeof *to);
#else
    for (int c = 0; c < count; c++)
        to[c] = (uint16_t)lrint(four[c] > 0 ? four[c] < 65535 ? four[c] : 65535 : 0);
#endif
}
static inline void store_four_f32(Four four, float *to, int count) {
    memcpy(to, &four, (size_t)(count < 3 ? count : count / 2 * 2) * sizeof *to);
    if (count == 3) /* from its register: three values would go by way of memory */
        to[2] = four[2];
}

#endif
