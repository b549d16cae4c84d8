/* numbers.h: whether vectors of f32 are numbers, for *.isa.c files. Numbers have minima and maxima without keys
 * (cpu/keys.h), since NaN alone is in no order. */
#ifndef GLINT_CPU_NUMBERS_H
#define GLINT_CPU_NUMBERS_H

#include "cpu/extrema.h"

#include <stdbool.h>

/* True unless one of them is NaN. */
static inline __attribute__((always_inline, unused)) Which ordered(Floats a, Floats b) {
#if defined(ISA_avx512)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_ORD_Q);
#elif defined(ISA_avx2)
    return (Which)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_ORD_Q);
#elif defined(__SSE2__)
    return (Which)_mm_cmpord_ps((__m128)a, (__m128)b);
#else
    return (a == a) & (b == b);
#endif
}

/* Whether none of these f32 is NaN; two vectors at least. */
static inline __attribute__((always_inline, unused)) bool are_numbers(const Vector_i32 *vectors, int count) {
    Which all = ordered((Floats)vectors[0], (Floats)vectors[count - 1]);
#pragma GCC unroll 10
    for (int i = 1; i + 1 < count; i += 2)
        all &= ordered((Floats)vectors[i], (Floats)vectors[i + 1]);
    return bits_of(all) == (1U << LANES) - 1;
}

#endif
