/* vector.h: vectors of f32 for *.isa.c files, as wide as the instruction set has them.
 * Comparisons give a Which: bits where the machine has registers for them, else lanes of all ones or zeros; & | ~ work
 * on both. */
#ifndef GLINT_CPU_VECTOR_H
#define GLINT_CPU_VECTOR_H

#include "cpu/isa.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#    include <immintrin.h>
#endif

enum { LANES = VECTOR_BYTES / 4 };

typedef float Floats __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t Ints __attribute__((vector_size(VECTOR_BYTES)));
typedef uint8_t ByteLanes __attribute__((vector_size(VECTOR_BYTES)));

#if defined(ISA_avx512)
typedef __mmask16 Which;
#else
typedef Ints Which;
#endif

static inline Floats spread(float value) {
    return value - (Floats){0};
}
static inline Ints spread_int(int32_t value) {
    return value - (Ints){0};
}

static inline Floats load(const float *from) {
    Floats lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
static inline Ints load_int(const uint32_t *from) {
    Ints lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
/* LANES whole numbers. */
static inline Floats floats_of_u8(const uint8_t *from) {
#if defined(ISA_avx512)
    return (Floats)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)));
#elif defined(ISA_avx2)
    return (Floats)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)));
#else
    Floats lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = (float)from[lane];
    return lanes;
#endif
}
static inline Floats floats_of_u16(const uint16_t *from) {
#if defined(ISA_avx512)
    return (Floats)_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from)));
#elif defined(ISA_avx2)
    return (Floats)_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)));
#else
    Floats lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = (float)from[lane];
    return lanes;
#endif
}

/* Without a word, GCC would read a value from memory again for each operation that it goes into. */
#if defined(ISA_avx512)
#    define KEEP_IN_REGISTER(vector) __asm__("" : "+v"(vector))
#elif defined(__SSE2__)
#    define KEEP_IN_REGISTER(vector) __asm__("" : "+x"(vector))
#else
#    define KEEP_IN_REGISTER(vector) (void)0
#endif

/* Lane i becomes lane places[i], which is one of the vector's. */
static inline Floats permute(Floats value, Ints places) {
#if defined(ISA_avx512)
    return (Floats)_mm512_permutexvar_ps((__m512i)places, (__m512)value);
#elif defined(ISA_avx2)
    return (Floats)_mm256_permutevar8x32_ps((__m256)value, (__m256i)places);
#else
    Floats lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = value[places[lane]];
    return lanes;
#endif
}

/* Byte i becomes byte places[i] % 16 of those 16 of the table that it is among; 0 where places[i] is above 127. */
static inline ByteLanes pick_bytes(ByteLanes table, ByteLanes places) {
#if defined(ISA_avx512)
    return (ByteLanes)_mm512_shuffle_epi8((__m512i)table, (__m512i)places);
#elif defined(ISA_avx2)
    return (ByteLanes)_mm256_shuffle_epi8((__m256i)table, (__m256i)places);
#else
    ByteLanes lanes;
    for (int i = 0; i < VECTOR_BYTES; i++)
        lanes[i] = places[i] > 127 ? 0 : table[i / 16 * 16 + places[i] % 16];
    return lanes;
#endif
}

/* Eight values of 16 bits from each of from + first[0], from + first[1], ..., as many as a vector has room for. */
static inline ByteLanes load_pieces(const uint16_t *from, const uint32_t *first) {
#if defined(ISA_avx512)
    __m512i lanes = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)(from + first[0])));
    lanes = _mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(from + first[1])), 1);
    lanes = _mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(from + first[2])), 2);
    return (ByteLanes)_mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(from + first[3])), 3);
#elif defined(ISA_avx2)
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)(from + first[0]));
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(from + first[1]));
    return (ByteLanes)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
#else
    ByteLanes lanes;
    memcpy(&lanes, from + first[0], sizeof lanes);
    return lanes;
#endif
}

/* 16 bytes from each of from, from + step, ..., as many as a vector has room for. */
static inline ByteLanes load_sixteens(const uint8_t *from, size_t step) {
#if defined(ISA_avx512)
    __m512i lanes = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)from));
    lanes = _mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(from + step)), 1);
    lanes = _mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(from + 2 * step)), 2);
    return (ByteLanes)_mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(from + 3 * step)), 3);
#elif defined(ISA_avx2)
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(from + step));
    return (ByteLanes)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
#else
    ByteLanes lanes;
    (void)step;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
#endif
}
/* The other way, in that order. */
static inline void store_sixteens(ByteLanes lanes, uint8_t *to, size_t step) {
#if defined(ISA_avx512)
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_castsi512_si128((__m512i)lanes));
    _mm_storeu_si128((__m128i *)(void *)(to + step), _mm512_extracti32x4_epi32((__m512i)lanes, 1));
    _mm_storeu_si128((__m128i *)(void *)(to + 2 * step), _mm512_extracti32x4_epi32((__m512i)lanes, 2));
    _mm_storeu_si128((__m128i *)(void *)(to + 3 * step), _mm512_extracti32x4_epi32((__m512i)lanes, 3));
#elif defined(ISA_avx2)
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128((__m256i)lanes));
    _mm_storeu_si128((__m128i *)(void *)(to + step), _mm256_extracti128_si256((__m256i)lanes, 1));
#else
    (void)step;
    memcpy(to, &lanes, sizeof lanes);
#endif
}

/* Multiplies the two signed numbers of 16 bits in each lane by those of the other vector, and adds the two products. */
static inline Ints multiply_pairs(Ints a, Ints b) {
#if defined(ISA_avx512)
    return (Ints)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(ISA_avx2)
    return (Ints)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (Ints)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    return (a >> 16) * (b >> 16) + ((a << 16) >> 16) * ((b << 16) >> 16);
#endif
}

/* The lanes of both, clamped to signed numbers of 16 bits: by turns four of `a` and four of `b`. */
static inline Ints pack_pairs(Ints a, Ints b) {
#if defined(ISA_avx512)
    return (Ints)_mm512_packs_epi32((__m512i)a, (__m512i)b);
#elif defined(ISA_avx2)
    return (Ints)_mm256_packs_epi32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (Ints)_mm_packs_epi32((__m128i)a, (__m128i)b);
#else
    int16_t lanes[2 * LANES];
    Ints both;
    for (int i = 0; i < 2 * LANES; i++) {
        const int32_t value = i / 4 % 2 == 0 ? a[i / 8 * 4 + i % 4] : b[i / 8 * 4 + i % 4];
        lanes[i] = (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
    }
    memcpy(&both, lanes, sizeof both);
    return both;
#endif
}

/* Stores one vector at a place aligned to it, past the caches where the instruction set can. stream_end, behind the
 * last one, makes them visible to others. */
static inline void stream_vector(void *to, Ints lanes) {
#if defined(ISA_avx512)
    _mm512_stream_si512((__m512i *)to, (__m512i)lanes);
#elif defined(ISA_avx2)
    _mm256_stream_si256((__m256i *)to, (__m256i)lanes);
#elif defined(__x86_64__)
    _mm_stream_si128((__m128i *)to, (__m128i)lanes);
#else
    memcpy(to, &lanes, sizeof lanes);
#endif
}
/* Writes bytes to anywhere, past the caches as stream_vector does. */
static inline void stream(void *to, const void *from, size_t bytes) {
    size_t i = -(uintptr_t)to % VECTOR_BYTES;
    i = i < bytes ? i : bytes;
    memcpy(to, from, i);
    for (; i + VECTOR_BYTES <= bytes; i += VECTOR_BYTES) {
        Ints lanes;
        memcpy(&lanes, (const char *)from + i, sizeof lanes);
        stream_vector((char *)to + i, lanes);
    }
    memcpy((char *)to + i, (const char *)from + i, bytes - i);
}
static inline void stream_end(void) {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

/* a < b, a <= b, a == b: false where either is NaN. */
static inline Which less(Floats a, Floats b) {
#if defined(ISA_avx512)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
#else
    return a < b;
#endif
}
static inline Which at_most(Floats a, Floats b) {
#if defined(ISA_avx512)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#else
    return a <= b;
#endif
}
static inline Which same(Floats a, Floats b) {
#if defined(ISA_avx512)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
#else
    return a == b;
#endif
}
static inline Which less_int(Ints a, Ints b) {
#if defined(ISA_avx512)
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
#else
    return a < b;
#endif
}

static inline Which same_int(Ints a, Ints b) {
#if defined(ISA_avx512)
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
#else
    return a == b;
#endif
}

static inline Ints blend_int(Which mask, Ints yes, Ints no) {
#if defined(ISA_avx512)
    return (Ints)_mm512_mask_blend_epi32(mask, (__m512i)no, (__m512i)yes);
#else
    return (mask & yes) | (~mask & no);
#endif
}
static inline Floats blend(Which mask, Floats yes, Floats no) {
    return (Floats)blend_int(mask, (Ints)yes, (Ints)no);
}

/* The mask as bits, one a lane. */
static inline unsigned bits_of(Which mask) {
#if defined(ISA_avx512)
    return mask;
#elif defined(ISA_avx2)
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined(__x86_64__)
    return (unsigned)_mm_movemask_ps((__m128)mask);
#else
    unsigned bits = 0;
    for (int lane = 0; lane < LANES; lane++)
        bits |= (unsigned)(mask[lane] & 1) << lane;
    return bits;
#endif
}

/* The mask of these bits, one a lane. */
static inline Which which_of(unsigned bits) {
#if defined(ISA_avx512)
    return (Which)bits;
#else
    Which mask;
    for (int lane = 0; lane < LANES; lane++)
        mask[lane] = -(int32_t)(bits >> lane & 1);
    return mask;
#endif
}

/* The less and the greater; b where a is NaN. */
static inline Floats lesser(Floats a, Floats b) {
#if defined(ISA_avx512)
    return (Floats)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(ISA_avx2)
    return (Floats)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__x86_64__)
    return (Floats)_mm_min_ps((__m128)a, (__m128)b);
#else
    return blend(a < b, a, b);
#endif
}
static inline Floats greater(Floats a, Floats b) {
#if defined(ISA_avx512)
    return (Floats)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(ISA_avx2)
    return (Floats)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__x86_64__)
    return (Floats)_mm_max_ps((__m128)a, (__m128)b);
#else
    return blend(a > b, a, b);
#endif
}

/* The smallest and the greatest lane; none may be NaN. */
static inline float min_lane(Floats value) {
#if defined(ISA_avx512)
    return _mm512_reduce_min_ps((__m512)value);
#else
    float min = value[0];
    for (int lane = 1; lane < LANES; lane++)
        min = value[lane] < min ? value[lane] : min;
    return min;
#endif
}
static inline float greatest_lane(Floats value) {
#if defined(ISA_avx512)
    return _mm512_reduce_max_ps((__m512)value);
#else
    float greatest = value[0];
    for (int lane = 1; lane < LANES; lane++)
        greatest = value[lane] > greatest ? value[lane] : greatest;
    return greatest;
#endif
}

static inline Floats square_root(Floats value) {
#if defined(ISA_avx512)
    return (Floats)_mm512_sqrt_ps((__m512)value);
#elif defined(ISA_avx2)
    return (Floats)_mm256_sqrt_ps((__m256)value);
#elif defined(__x86_64__)
    return (Floats)_mm_sqrt_ps((__m128)value);
#else
    for (int lane = 0; lane < LANES; lane++)
        value[lane] = sqrtf(value[lane]);
    return value;
#endif
}

/* from[places], each lane its own. */
static inline Floats pick(const float *from, Ints places) {
#if defined(ISA_avx512)
    return (Floats)_mm512_i32gather_ps((__m512i)places, from, 4);
#elif defined(ISA_avx2)
    return (Floats)_mm256_i32gather_ps(from, (__m256i)places, 4);
#else
    Floats lanes;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = from[places[lane]];
    return lanes;
#endif
}

#endif
