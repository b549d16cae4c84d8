/* extrema.h: vectors of keys (cpu/keys.h) for *.isa.c files, their lesser and greater values, and rows of results on
 * their way to the picture. */
#ifndef GLINT_CPU_EXTREMA_H
#define GLINT_CPU_EXTREMA_H

#include "core/math/order.h"
#include "cpu/vector.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t Vector_u8 __attribute__((vector_size(VECTOR_BYTES), aligned(1), may_alias));
typedef uint16_t Vector_u16 __attribute__((vector_size(VECTOR_BYTES), aligned(2), may_alias));
typedef int32_t Vector_i32 __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

/* lesser_u8(a, b), greater_u8(a, b), ... */
#define EXTREMUM(name, Vector, expression)                                                                             \
    static inline __attribute__((always_inline, unused)) Vector name(Vector a, Vector b) {                             \
        return (Vector)(expression);                                                                                   \
    }
#if defined(ISA_avx512)
EXTREMUM(lesser_u8, Vector_u8, _mm512_min_epu8((__m512i)a, (__m512i)b))
EXTREMUM(greater_u8, Vector_u8, _mm512_max_epu8((__m512i)a, (__m512i)b))
EXTREMUM(lesser_u16, Vector_u16, _mm512_min_epu16((__m512i)a, (__m512i)b))
EXTREMUM(greater_u16, Vector_u16, _mm512_max_epu16((__m512i)a, (__m512i)b))
EXTREMUM(lesser_i32, Vector_i32, _mm512_min_epi32((__m512i)a, (__m512i)b))
EXTREMUM(greater_i32, Vector_i32, _mm512_max_epi32((__m512i)a, (__m512i)b))
#elif defined(ISA_avx2)
EXTREMUM(lesser_u8, Vector_u8, _mm256_min_epu8((__m256i)a, (__m256i)b))
EXTREMUM(greater_u8, Vector_u8, _mm256_max_epu8((__m256i)a, (__m256i)b))
EXTREMUM(lesser_u16, Vector_u16, _mm256_min_epu16((__m256i)a, (__m256i)b))
EXTREMUM(greater_u16, Vector_u16, _mm256_max_epu16((__m256i)a, (__m256i)b))
EXTREMUM(lesser_i32, Vector_i32, _mm256_min_epi32((__m256i)a, (__m256i)b))
EXTREMUM(greater_i32, Vector_i32, _mm256_max_epi32((__m256i)a, (__m256i)b))
#else
#    if defined(__SSE2__)
EXTREMUM(lesser_u8, Vector_u8, _mm_min_epu8((__m128i)a, (__m128i)b))
EXTREMUM(greater_u8, Vector_u8, _mm_max_epu8((__m128i)a, (__m128i)b))
/* The baseline lacks minima of u16; a - b, not below 0, makes them. */
EXTREMUM(lesser_u16, Vector_u16, a - (Vector_u16)_mm_subs_epu16((__m128i)a, (__m128i)b))
EXTREMUM(greater_u16, Vector_u16, b + (Vector_u16)_mm_subs_epu16((__m128i)a, (__m128i)b))
#    else
EXTREMUM(lesser_u8, Vector_u8, ((Vector_u8)(a < b) & a) | (~(Vector_u8)(a < b) & b))
EXTREMUM(greater_u8, Vector_u8, ((Vector_u8)(a < b) & b) | (~(Vector_u8)(a < b) & a))
EXTREMUM(lesser_u16, Vector_u16, ((Vector_u16)(a < b) & a) | (~(Vector_u16)(a < b) & b))
EXTREMUM(greater_u16, Vector_u16, ((Vector_u16)(a < b) & b) | (~(Vector_u16)(a < b) & a))
#    endif
EXTREMUM(lesser_i32, Vector_i32, ((a < b) & a) | (~(a < b) & b))
EXTREMUM(greater_i32, Vector_i32, ((a < b) & b) | (~(a < b) & a))
#endif
#undef EXTREMUM

/* Some keys as pixels, one by one. */
static inline void store_some(char *to, const char *keys, size_t bytes, int is_f32) {
    if (!is_f32)
        memcpy(to, keys, bytes);
    for (size_t i = 0; is_f32 && i < bytes; i += sizeof(int32_t)) {
        int32_t key;
        memcpy(&key, keys + i, sizeof key);
        key = order_bits(key);
        memcpy(to + i, &key, sizeof key);
    }
}

/* `bytes` of keys as pixels: u8 and u16 as they are, f32 by its bits; past the caches if `stream`. */
static inline void store_row(char *to, const char *keys, size_t bytes, int is_f32, int stream) {
    const size_t head = stream ? (size_t)(-(uintptr_t)to % VECTOR_BYTES) : 0;
    size_t i = head < bytes ? head : bytes;
    store_some(to, keys, i, is_f32);
    for (; i + VECTOR_BYTES <= bytes; i += VECTOR_BYTES) {
        Vector_u8 vector = *(const Vector_u8 *)(const void *)(keys + i);
        if (is_f32) {
            const Vector_i32 key = (Vector_i32)vector;
            vector = (Vector_u8)(key ^ (key >> 31 & 0x7fffffff));
        }
        if (stream)
            stream_vector(to + i, (Ints)vector);
        else
            *(Vector_u8 *)(void *)(to + i) = vector;
    }
    store_some(to + i, keys + i, bytes - i, is_f32);
}

#endif
