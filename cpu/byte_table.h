/* byte_table.h: the results of a table of 256 for a row of bytes, for *.isa.c files. */
#ifndef GLINT_CPU_BYTE_TABLE_H
#define GLINT_CPU_BYTE_TABLE_H

#include "cpu/vector.h"

#include <stdbool.h>

typedef uint8_t AnyBytes __attribute__((vector_size(VECTOR_BYTES), aligned(1), may_alias));

#if defined(ISA_avx512)
/* Most processors with AVX-512 look up single bytes: a quarter of the table at a time. Returns how many are done. */
__attribute__((target("avx512vbmi"))) static size_t byte_table_quarters(const uint8_t table[256], const uint8_t *from,
                                                                        uint8_t *to, size_t count) {
    const __m512i t0 = _mm512_loadu_si512(table), t1 = _mm512_loadu_si512(table + 64);
    const __m512i t2 = _mm512_loadu_si512(table + 128), t3 = _mm512_loadu_si512(table + 192);
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        const __m512i bytes = _mm512_loadu_si512(from + i);
        const __mmask64 odd = _mm512_movepi8_mask(_mm512_add_epi8(bytes, bytes)), high = _mm512_movepi8_mask(bytes);
        const __m512i below = _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(bytes, t0), odd, bytes, t1);
        const __m512i above = _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(bytes, t2), odd, bytes, t3);
        _mm512_storeu_si512(to + i, _mm512_mask_blend_epi8(high, below, above));
    }
    return i;
}

/* The others look up words: two bytes of the table are one, and 64 of these a table of two vectors. */
static size_t byte_table_words(const uint8_t table[256], const uint8_t *from, uint8_t *to, size_t count) {
    const __m512i t0 = _mm512_loadu_si512(table), t1 = _mm512_loadu_si512(table + 64);
    const __m512i t2 = _mm512_loadu_si512(table + 128), t3 = _mm512_loadu_si512(table + 192);
    const __m512i low = _mm512_set1_epi16(0xff), one = _mm512_set1_epi16(1), high = _mm512_set1_epi16(0x80);
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        const __m512i bytes = _mm512_loadu_si512(from + i);
        __m512i found[2];
        for (int half = 0; half < 2; half++) {
            const __m512i at = half ? _mm512_srli_epi16(bytes, 8) : _mm512_and_si512(bytes, low);
            const __m512i word = _mm512_srli_epi16(at, 1);
            const __m512i below = _mm512_permutex2var_epi16(t0, word, t1),
                          above = _mm512_permutex2var_epi16(t2, word, t3);
            const __m512i both = _mm512_mask_blend_epi16(_mm512_test_epi16_mask(at, high), below, above);
            const __m512i odd = _mm512_slli_epi16(_mm512_and_si512(at, one), 3);
            found[half] = _mm512_srlv_epi16(both, odd);
        }
        _mm512_storeu_si512(to + i, _mm512_or_si512(_mm512_and_si512(found[0], low), _mm512_slli_epi16(found[1], 8)));
    }
    return i;
}

static size_t byte_table_vectors(const uint8_t table[256], const uint8_t *from, uint8_t *to, size_t count) {
    return __builtin_cpu_supports("avx512vbmi") ? byte_table_quarters(table, from, to, count)
                                                : byte_table_words(table, from, to, count);
}
#elif defined(ISA_avx2)
/* By vectors, where the machine looks up 16 at once: a table of 256 is two halves of 8 parts of 16. Step k takes the
 * entries of part k for the bytes less 16 k, and 0 for bytes below 0. Each byte is among the steps up to its own part,
 * so that a part holds its exclusive or with the part before. A byte of the other half begins below 0. */
static size_t byte_table_vectors(const uint8_t table[256], const uint8_t *from, uint8_t *to, size_t count) {
    enum { PART = 16, PARTS = 8, AT_ONCE = 2 };
    ByteLanes parts[2][PARTS];
    size_t i = 0;
    for (size_t k = 0; k < (size_t)2 * PARTS; k++)
        for (size_t at = 0; at < VECTOR_BYTES; at += PART)
            memcpy((char *)(parts[0] + k) + at, table + k * PART, PART);
    for (size_t k = PARTS; k-- > 1;) {
        parts[0][k] ^= parts[0][k - 1];
        parts[1][k] ^= parts[1][k - 1];
    }
    for (; i + sizeof(ByteLanes[AT_ONCE]) <= count; i += sizeof(ByteLanes[AT_ONCE])) {
        ByteLanes bytes[AT_ONCE][2], results[AT_ONCE] = {{0}};
        for (size_t v = 0; v < AT_ONCE; v++) {
            bytes[v][0] = *(const AnyBytes *)(from + i + v * sizeof(ByteLanes));
            bytes[v][1] = bytes[v][0] ^ 0x80;
            for (size_t half = 0; half < 2; half++)
                bytes[v][half] |= (ByteLanes)(bytes[v][half] > 0x7f) & 0x70;
        }
        for (size_t k = 0; k < PARTS; k++)
            for (size_t v = 0; v < AT_ONCE; v++)
                for (size_t half = 0; half < 2; half++) {
                    results[v] ^= pick_bytes(parts[half][k], bytes[v][half]);
                    bytes[v][half] -= PART;
                }
        for (size_t v = 0; v < AT_ONCE; v++)
            *(AnyBytes *)(to + i + v * sizeof(ByteLanes)) = results[v];
    }
    return i;
}
#else
static size_t byte_table_vectors(const uint8_t table[256], const uint8_t *from, uint8_t *to, size_t count) {
    (void)table, (void)from, (void)to, (void)count;
    return 0;
}
#endif

/* Where a table turns from its first value to its last, if it has no others. */
static inline unsigned byte_table_edge(const uint8_t table[256]) {
    unsigned low = 0, high = 255; /* the edge is behind the one, and not behind the other */
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (table[middle] == table[0])
            low = middle;
        else
            high = middle;
    }
    return high;
}

static inline bool byte_table_is_zero(ByteLanes lanes) {
    uint64_t words[VECTOR_BYTES / sizeof(uint64_t)], all = 0;
    memcpy(words, &lanes, sizeof words);
    for (size_t i = 0; i < VECTOR_BYTES / sizeof *words; i++)
        all |= words[i];
    return all == 0;
}

/* Tables of one operation: bits turned over, as invert does, or one edge between two values, as threshold has it. */
static size_t byte_table_plain(const uint8_t table[256], const uint8_t *from, uint8_t *to, size_t count) {
    const uint8_t edge = (uint8_t)byte_table_edge(table);
    const ByteLanes zero = {0}, first = zero + table[0], change = zero + (uint8_t)(table[0] ^ table[255]);
    ByteLanes places, turned = zero, stepped = zero;
    size_t i = 0;
    for (int lane = 0; lane < VECTOR_BYTES; lane++)
        places[lane] = (uint8_t)lane;
    for (int k = 0; k < 256 / VECTOR_BYTES; k++, places += VECTOR_BYTES) {
        const ByteLanes found = *(const AnyBytes *)(table + (ptrdiff_t)k * VECTOR_BYTES) ^ first;
        turned |= found ^ places;
        stepped |= found ^ ((ByteLanes)(places >= edge) & change);
    }
    if (byte_table_is_zero(turned))
        for (; i + VECTOR_BYTES <= count; i += VECTOR_BYTES)
            *(AnyBytes *)(to + i) = *(const AnyBytes *)(from + i) ^ first;
    else if (byte_table_is_zero(stepped))
        for (; i + VECTOR_BYTES <= count; i += VECTOR_BYTES)
            *(AnyBytes *)(to + i) = ((ByteLanes)(*(const AnyBytes *)(from + i) >= edge) & change) ^ first;
    return i;
}

/* Vectors leave some, which go eight at a time: one load and one store for eight. */
static inline void byte_table_look_up(const uint8_t table[256], const uint8_t *from, uint8_t *to, size_t count) {
    enum { LONG = 1024 }; /* bytes: fewer are not worth a look at the table */
    size_t i = count >= LONG ? byte_table_plain(table, from, to, count) : 0;
    i = i > 0 ? i : byte_table_vectors(table, from, to, count);
    for (; i + 8 <= count; i += 8) {
        uint64_t v, out = 0;
        memcpy(&v, from + i, 8);
        for (int byte = 0; byte < 8; byte++)
            out |= (uint64_t)table[v >> 8 * byte & 255] << 8 * byte;
        memcpy(to + i, &out, 8);
    }
    for (; i < count; i++)
        to[i] = table[from[i]];
}

#endif
