/* stream.h: writing past the caches, for *.isa.c files. */
#ifndef GLINT_CPU_STREAM_H
#define GLINT_CPU_STREAM_H

#include "cpu/isa.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#    include <immintrin.h>
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

static inline void stream_row(char *to, const char *from, size_t bytes) {
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

#endif
