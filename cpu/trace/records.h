/* records.h: records of eight 32-bit numbers, from anywhere in memory into vectors and back: one record a lane.
 * For *.isa.c files. Paths, spheres and materials are such records (Sphere, Material; cpu/trace/shade.h). The data of
 * one path lies in one or two cache lines, and a vector of paths is a transposition away. */
#ifndef GLINT_CPU_TRACE_RECORDS_H
#define GLINT_CPU_TRACE_RECORDS_H

#include "cpu/vector.h"

enum { FIELDS = 8, RECORD_BYTES = FIELDS * 4 };

/* A field of LANES records in each vector. */
typedef struct Records {
    Floats field[FIELDS];
} Records;

#if defined(ISA_avx2)
static inline void transpose(__m256 rows[FIELDS]) {
    __m256 pairs[FIELDS], fours[FIELDS];
    for (int i = 0; i < 4; i++) {
        pairs[2 * i] = _mm256_unpacklo_ps(rows[2 * i], rows[2 * i + 1]);
        pairs[2 * i + 1] = _mm256_unpackhi_ps(rows[2 * i], rows[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++)
        for (int half = 0; half < 2; half++) {
            const __m256 a = pairs[4 * i + half], b = pairs[4 * i + 2 + half];
            fours[4 * i + 2 * half] = _mm256_shuffle_ps(a, b, 0x44);
            fours[4 * i + 2 * half + 1] = _mm256_shuffle_ps(a, b, 0xEE);
        }
    for (int i = 0; i < 4; i++) {
        rows[i] = _mm256_permute2f128_ps(fours[i], fours[4 + i], 0x20);
        rows[4 + i] = _mm256_permute2f128_ps(fours[i], fours[4 + i], 0x31);
    }
}
#endif

/* The records `indices`, one a lane, of those that begin `stride` bytes apart at `base`. */
static inline Records load_records(const void *base, size_t stride, const uint32_t indices[LANES]) {
    Records records;
#if defined(ISA_avx2)
    __m256 rows[FIELDS];
    for (int lane = 0; lane < LANES; lane++)
        memcpy(&rows[lane], (const char *)base + indices[lane] * stride, RECORD_BYTES);
    transpose(rows);
    for (int i = 0; i < FIELDS; i++)
        records.field[i] = (Floats)rows[i];
#else
    float rows[LANES][FIELDS];
    for (int lane = 0; lane < LANES; lane++)
        memcpy(rows[lane], (const char *)base + indices[lane] * stride, RECORD_BYTES);
    for (int i = 0; i < FIELDS; i++)
        for (int lane = 0; lane < LANES; lane++)
            records.field[i][lane] = rows[lane][i];
#endif
    return records;
}

/* One record a lane, as rows. */
typedef struct Rows {
    _Alignas(64) float lane[LANES][FIELDS];
} Rows;

static inline Rows rows_of(const Records *records) {
    Rows rows;
#if defined(ISA_avx2)
    __m256 turned[FIELDS];
    for (int i = 0; i < FIELDS; i++)
        turned[i] = (__m256)records->field[i];
    transpose(turned);
    for (int lane = 0; lane < LANES; lane++)
        _mm256_store_ps(rows.lane[lane], turned[lane]);
#else
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < FIELDS; i++)
            rows.lane[lane][i] = records->field[i][lane];
#endif
    return rows;
}

#endif
