/* bytes.h: programs whose values are all bytes, row by row, for rows.isa.c. A byte goes through tables of 256 results,
 * through sums of colours, and is held against another picture's: no planes, and few lanes of double. */
#ifndef GLINT_CPU_POINT_BYTES_H
#define GLINT_CPU_POINT_BYTES_H

#include "cpu/byte_table.h"
#include "cpu/pack.h"
#include "cpu/planes.h"
#include "cpu/point/program.h"
#include "cpu/vector.h"

enum {
    BYTES_UNIT = 192, /* values: whole pixels of 3 or 4, and whole vectors */
    BYTES_RUN = 8 * BYTES_UNIT,
    BYTES_BESIDE = 64, /* values that may be read and written behind a run */
};

static inline Floats bytes_times_plus(Floats a, Floats b, Floats c) {
#if defined(ISA_avx512)
    return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(ISA_avx2)
    return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}

/* Whole sums by their divisor. The quotient that the reciprocal gives is corrected once by its remainder, which rounds
 * it as a division does (P. Markstein, IBM J. Res. Dev. 34(1), 1990): ties stay ties. */
static inline Floats bytes_divided(Floats sum, Floats by, Floats reciprocal) {
#if defined(__FMA__)
    const Floats quotient = sum * reciprocal;
    return bytes_times_plus(bytes_times_plus(-quotient, by, sum), reciprocal, quotient);
#else
    (void)reciprocal;
    return sum / by;
#endif
}

#if !defined(ISA_avx512) && !defined(ISA_avx2)
/* A colour of the pixel by point.def's matrix. */
static inline uint8_t bytes_sum(const PointMatrix *matrix, int c, const uint8_t *pixel) {
    const double *p = matrix->rows + (ptrdiff_t)4 * c;
    return (uint8_t)(int32_t)planes_rounded(
        (p[0] * pixel[0] + p[1] * pixel[1] + p[2] * pixel[2] + p[3]) / matrix->divisor, 255);
}
#endif

#if defined(ISA_avx512)
/* The values of sixteen pixels of 3 or 4 bytes, a register for each channel. Four pixels lie in each 16 bytes, at first
 * 3 or 4 words of 4 bytes apart. */
static inline __attribute__((always_inline)) void bytes_apart(const uint8_t *from, int channels, __m512i values[4]) {
    const __m512i apart = channels == 3 ? _mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11)
                                        : _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i pixels = _mm512_permutexvar_epi32(apart, _mm512_loadu_si512(from));
    for (int c = 0; c < channels; c++)
        values[c] = _mm512_shuffle_epi8(
            pixels, _mm512_broadcast_i32x4(_mm_setr_epi32(c | ~0xff, (c + channels) | ~0xff, (c + 2 * channels) | ~0xff,
                                                          (c + 3 * channels) | ~0xff)));
}

/* The first `count` of such values as bytes, clamped. */
static inline __attribute__((always_inline)) void bytes_together(const __m512i values[4], int channels, size_t count,
                                                                 uint8_t *to) {
    const __m512i together = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
    const __m128i order = channels == 3 ? _mm_setr_epi8(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, -1, -1, -1, -1)
                                        : _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i bytes =
        _mm512_packus_epi16(_mm512_packs_epi32(values[0], values[1]), _mm512_packs_epi32(values[2], values[3]));
    __m512i made = _mm512_shuffle_epi8(bytes, _mm512_broadcast_i32x4(order));
    if (channels == 3)
        made = _mm512_permutexvar_epi32(together, made);
    _mm512_mask_storeu_epi8(to, ~(__mmask64)0 >> (64 - count), made);
}

/* A colour of sixteen pixels by point.def's matrix, in its order, rounded. */
static __m512i bytes_exact(const __m512i values[3], const PointMatrix *matrix, int c) {
    const double *p = matrix->rows + (ptrdiff_t)4 * c;
    __m256i halves[2];
    for (int half = 0; half < 2; half++) {
        __m512d parts[3];
        for (int k = 0; k < 3; k++) {
            const __m256i some = half ? _mm512_extracti64x4_epi64(values[k], 1) : _mm512_castsi512_si256(values[k]);
            parts[k] = _mm512_mul_pd(_mm512_set1_pd(p[k]), _mm512_cvtepi32_pd(some));
        }
        const __m512d sum = _mm512_add_pd(_mm512_add_pd(parts[0], parts[1]), parts[2]);
        const __m512d all = _mm512_div_pd(_mm512_add_pd(sum, _mm512_set1_pd(p[3])), _mm512_set1_pd(matrix->divisor));
        halves[half] = _mm512_cvtpd_epi32(_mm512_min_pd(_mm512_max_pd(all, _mm512_setzero_pd()), _mm512_set1_pd(255)));
    }
    return _mm512_inserti64x4(_mm512_castsi256_si512(halves[0]), halves[1], 1);
}

/* Sums of the colours of `count` values: sixteen pixels of 3 or 4 bytes at once, a register for each colour. f32
 * decides where it rounds as double, which it always does for whole numbers. Whole vectors can be read, and no more is
 * written. */
static inline __attribute__((always_inline)) void
bytes_colours(const PointMatrix *matrix, const uint8_t *from, uint8_t *to, size_t count, int channels, bool is_whole) {
    __m512 factors[3][3], addends[3];
    for (int c = 0; c < 3; c++) {
        addends[c] = _mm512_set1_ps(matrix->addends[c]);
        for (int k = 0; k < 3; k++)
            factors[c][k] = _mm512_set1_ps(matrix->factors[k - c + 2][c]);
    }
    const __m512 sure = _mm512_set1_ps(matrix->sure), by = _mm512_set1_ps((float)matrix->divisor);
    const __m512 reciprocal = _mm512_set1_ps(1 / (float)matrix->divisor);
    const size_t step = 16 * (size_t)channels;
    for (size_t i = 0; i < count; i += step) {
        __m512 colours[3], sums[3];
        __m512i values[4], whole[4];
        bytes_apart(from + i, channels, values);
        for (int c = 0; c < 3; c++)
            colours[c] = _mm512_cvtepi32_ps(values[c]);
        for (int c = 0; c < 3; c++) {
            sums[c] = _mm512_fmadd_ps(factors[c][0], colours[0], addends[c]);
            sums[c] = _mm512_fmadd_ps(factors[c][1], colours[1], sums[c]);
            sums[c] = _mm512_fmadd_ps(factors[c][2], colours[2], sums[c]);
            if (is_whole)
                sums[c] = (__m512)bytes_divided((Floats)sums[c], (Floats)by, (Floats)reciprocal);
            whole[c] = _mm512_cvtps_epi32(sums[c]);
        }
        /* The farthest off a whole number of the three. */
        enum { NEAREST = 0, LARGER_SIZE = 0xb };
        const __m512 off = _mm512_range_ps(
            _mm512_range_ps(_mm512_reduce_ps(sums[0], NEAREST), _mm512_reduce_ps(sums[1], NEAREST), LARGER_SIZE),
            _mm512_reduce_ps(sums[2], NEAREST), LARGER_SIZE);
        if (!is_whole && _mm512_cmplt_ps_mask(sure, off))
            for (int c = 0; c < 3; c++)
                whole[c] = bytes_exact(values, matrix, c);
        whole[3] = channels == 3 ? whole[2] : values[3];
        bytes_together(whole, channels, count - i < step ? count - i : step, to + i);
    }
}
#elif defined(ISA_avx2)
/* The values of eight pixels of 3 or 4 bytes, a register for each channel. Four pixels lie in each 16 bytes. */
static inline __attribute__((always_inline)) void bytes_apart(const uint8_t *from, int channels, __m256i values[4]) {
    const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(from + (ptrdiff_t)4 * channels));
    const __m256i pixels = _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
    for (int c = 0; c < channels; c++)
        values[c] = _mm256_shuffle_epi8(
            pixels, _mm256_broadcastsi128_si256(_mm_setr_epi32(
                        c | ~0xff, (c + channels) | ~0xff, (c + 2 * channels) | ~0xff, (c + 3 * channels) | ~0xff)));
}

/* Such values as bytes, clamped. Pixels of three have four bytes more written behind them. */
static inline __attribute__((always_inline)) void bytes_together(const __m256i values[4], int channels, uint8_t *to) {
    const __m128i order = channels == 3 ? _mm_setr_epi8(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, -1, -1, -1, -1)
                                        : _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m256i bytes =
        _mm256_packus_epi16(_mm256_packs_epi32(values[0], values[1]), _mm256_packs_epi32(values[2], values[3]));
    const __m256i made = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(order));
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(made));
    _mm_storeu_si128((__m128i *)(void *)(to + (ptrdiff_t)4 * channels), _mm256_extracti128_si256(made, 1));
}

/* A colour of eight pixels by point.def's matrix, in its order, rounded. */
static __m256i bytes_exact(const __m256i values[3], const PointMatrix *matrix, int c) {
    const double *p = matrix->rows + (ptrdiff_t)4 * c;
    __m128i halves[2];
    for (int half = 0; half < 2; half++) {
        __m256d parts[3];
        for (int k = 0; k < 3; k++) {
            const __m128i some = half ? _mm256_extracti128_si256(values[k], 1) : _mm256_castsi256_si128(values[k]);
            parts[k] = _mm256_mul_pd(_mm256_set1_pd(p[k]), _mm256_cvtepi32_pd(some));
        }
        const __m256d sum = _mm256_add_pd(_mm256_add_pd(parts[0], parts[1]), parts[2]);
        const __m256d all = _mm256_div_pd(_mm256_add_pd(sum, _mm256_set1_pd(p[3])), _mm256_set1_pd(matrix->divisor));
        halves[half] = _mm256_cvtpd_epi32(_mm256_min_pd(_mm256_max_pd(all, _mm256_setzero_pd()), _mm256_set1_pd(255)));
    }
    return _mm256_inserti128_si256(_mm256_castsi128_si256(halves[0]), halves[1], 1);
}

/* How far off a whole number. */
static inline __attribute__((always_inline)) __m256 bytes_off(__m256 sum) {
    const __m256 off = _mm256_sub_ps(sum, _mm256_round_ps(sum, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), off);
}

/* Sums of the colours of `count` values: eight pixels of 3 or 4 bytes at once, a register for each colour. f32 decides
 * where it rounds as double, which it always does for whole numbers. A vector behind the last value can be read and
 * written. */
static inline __attribute__((always_inline)) void
bytes_colours(const PointMatrix *matrix, const uint8_t *from, uint8_t *to, size_t count, int channels, bool is_whole) {
    __m256 factors[3][3], addends[3];
    for (int c = 0; c < 3; c++) {
        addends[c] = _mm256_set1_ps(matrix->addends[c]);
        for (int k = 0; k < 3; k++)
            factors[c][k] = _mm256_set1_ps(matrix->factors[k - c + 2][c]);
    }
    const __m256 sure = _mm256_set1_ps(matrix->sure), by = _mm256_set1_ps((float)matrix->divisor);
    const __m256 reciprocal = _mm256_set1_ps(1 / (float)matrix->divisor);
    const size_t step = 8 * (size_t)channels;
    for (size_t i = 0; i < count; i += step) {
        __m256 colours[3], sums[3];
        __m256i values[4], whole[4];
        bytes_apart(from + i, channels, values);
        for (int c = 0; c < 3; c++)
            colours[c] = _mm256_cvtepi32_ps(values[c]);
        for (int c = 0; c < 3; c++) {
            sums[c] = _mm256_fmadd_ps(factors[c][0], colours[0], addends[c]);
            sums[c] = _mm256_fmadd_ps(factors[c][1], colours[1], sums[c]);
            sums[c] = _mm256_fmadd_ps(factors[c][2], colours[2], sums[c]);
            if (is_whole)
                sums[c] = (__m256)bytes_divided((Floats)sums[c], (Floats)by, (Floats)reciprocal);
            whole[c] = _mm256_cvtps_epi32(sums[c]);
        }
        const __m256 off = _mm256_max_ps(_mm256_max_ps(bytes_off(sums[0]), bytes_off(sums[1])), bytes_off(sums[2]));
        if (!is_whole && _mm256_movemask_ps(_mm256_cmp_ps(sure, off, _CMP_LT_OQ)))
            for (int c = 0; c < 3; c++)
                whole[c] = bytes_exact(values, matrix, c);
        whole[3] = channels == 3 ? whole[2] : values[3];
        bytes_together(whole, channels, to + i);
    }
}
#else
/* Sums of the colours of `count` values, BYTES_RUN at most: f32 decides where it rounds as double, which it always does
 * for whole numbers. Four values before `from`, and a vector behind the last, can be read; `to` has room for whole
 * vectors. */
static inline __attribute__((always_inline)) void
bytes_colours(const PointMatrix *matrix, const uint8_t *from, uint8_t *to, size_t count, int channels, bool is_whole) {
    _Alignas(64) float sums[BYTES_RUN];
    uint16_t unsure[BYTES_RUN];
    size_t unsures = 0;
    const int vectors = channels == 3 ? 3 : 1;
    const Floats rounder = spread(0x1.8p23F), sure = spread(matrix->sure), by = spread((float)matrix->divisor);
    const Floats reciprocal = spread(1 / (float)matrix->divisor);
    for (size_t i = 0; i < count; i += (size_t)(vectors * LANES))
        for (int k = 0; k < vectors; k++) {
            const size_t at = i + (size_t)(k * LANES);
            Floats sum = load(matrix->addends + (ptrdiff_t)k * LANES);
#    pragma GCC unroll 5
            for (int tap = 0; tap < POINT_TAPS; tap++)
                sum = bytes_times_plus(load(matrix->factors[tap] + (ptrdiff_t)k * LANES),
                                       floats_of_u8(from + at + tap - 2), sum);
            if (is_whole)
                sum = bytes_divided(sum, by, reciprocal);
            memcpy(sums + at, &sum, sizeof sum);
            const Floats off = sum - ((sum + rounder) - rounder);
            for (unsigned bits = is_whole ? 0 : bits_of(less(sure, greater(off, -off))); bits; bits &= bits - 1)
                unsure[unsures++] = (uint16_t)(at + (size_t)__builtin_ctz(bits));
        }
    for (size_t i = 0; i < count; i += VECTOR_BYTES)
        pack_vectors_u8(sums + i, to + i);
    for (size_t i = 0; i < unsures; i++) {
        const size_t c = unsure[i] % (size_t)channels;
        if (unsure[i] < count && c < 3)
            to[unsure[i]] = bytes_sum(matrix, (int)c, from + unsure[i] - c);
    }
}
#endif

/* With channels and the kind of sums as constants. */
static void bytes_mix(const PointMatrix *matrix, const uint8_t *from, uint8_t *to, size_t count, int channels) {
    if (channels == 3 && matrix->is_whole)
        bytes_colours(matrix, from, to, count, 3, true);
    else if (channels == 3)
        bytes_colours(matrix, from, to, count, 3, false);
    else if (matrix->is_whole)
        bytes_colours(matrix, from, to, count, 4, true);
    else
        bytes_colours(matrix, from, to, count, 4, false);
}

static void bytes_difference(const uint8_t *from, const uint8_t *other, uint8_t *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = from[i] > other[i] ? (uint8_t)(from[i] - other[i]) : (uint8_t)(other[i] - from[i]);
}

static inline uint8_t bytes_sharpened(const double *p, double white, uint8_t value, float blurred) {
    const double v = value, detail = v - (double)blurred;
    return (uint8_t)(int32_t)planes_rounded(fabs(detail) <= p[1] * white ? v : v + p[0] * detail, 255);
}

/* p[0] times the detail that a blur lacks, where it is more than p[1] of white, if that is more than none. f32 decides
 * as in bytes_colours. `to` has room for whole vectors, and both rows can be read so far. */
static inline __attribute__((always_inline)) void bytes_sharpen(const double *p, double white, const uint8_t *from,
                                                                const float *blurred, uint8_t *to, size_t count,
                                                                bool has_least) {
    _Alignas(64) float sums[BYTES_RUN];
    uint16_t unsure[BYTES_RUN];
    size_t unsures = 0;
    const float error = (float)((1 + fabs(p[0])) * 0x1p-14); /* of values up to 1024 */
    const Floats whole = spread(0x1.8p23F), sure = spread(0.5F - error), amount = spread((float)p[0]);
    const Floats least = spread((float)(p[1] * white)), none = spread(error), large = spread(1024);
    for (size_t i = 0; i < count; i += LANES) {
        const Floats v = floats_of_u8(from + i), detail = v - load(blurred + i), size = greater(detail, -detail);
        const Floats sharp = bytes_times_plus(amount, detail, v);
        const Floats sum = has_least ? blend(at_most(size, least), v, sharp) : sharp;
        memcpy(sums + i, &sum, sizeof sum);
        const Floats off = sum - ((sum + whole) - whole), beyond = greater(size - least, least - size);
        Which doubt = less(sure, greater(off, -off)) | ~less(size, large);
        if (has_least)
            doubt |= at_most(beyond, none);
        for (unsigned bits = bits_of(doubt); bits; bits &= bits - 1)
            unsure[unsures++] = (uint16_t)(i + (size_t)__builtin_ctz(bits));
    }
    for (size_t i = 0; i < count; i += VECTOR_BYTES)
        pack_vectors_u8(sums + i, to + i);
    for (size_t i = 0; i < unsures; i++)
        if (unsure[i] < count)
            to[unsure[i]] = bytes_sharpened(p, white, from[unsure[i]], blurred[unsure[i]]);
}

static void bytes_unsharp(const double *p, double white, const uint8_t *from, const float *blurred, uint8_t *to,
                          size_t count) {
    if (p[1] > 0)
        bytes_sharpen(p, white, from, blurred, to, count, true);
    else
        bytes_sharpen(p, white, from, blurred, to, count, false);
}

#if defined(ISA_avx512)
/* stairs_step for a vector. NaN is the foot. */
static inline Ints bytes_stairs(const Stairs *stairs, Floats light) {
    const char *before = (const char *)stairs + offsetof(Stairs, below) - 3; /* four bytes end with the place's */
    const Floats clamped = lesser(greater(light, spread(stairs->foot)), spread(stairs->edges[254]));
    const Ints place = ((Ints)clamped >> STAIRS_KEPT) - spread_int((int32_t)stairs->first), none = {0};
    const Ints step = (Ints)_mm512_srli_epi32(_mm512_i32gather_epi32((__m512i)place, before, 1), 24);
    return step + blend_int(at_most(pick(stairs->edges, step), clamped), spread_int(1), none);
}

/* Eight of sixteen numbers. */
static inline __m512d bytes_half(__m512 all, int half) {
    return _mm512_cvtps_pd(half ? _mm512_extractf32x8_ps(all, 1) : _mm512_castps512_ps256(all));
}

/* Bytes to light by the first table, colours through a matrix, as doubles have it, and to bytes by the stairs. */
static inline __attribute__((always_inline)) void bytes_light(const PointPart *table, const PointMatrix *matrix,
                                                              const uint8_t *from, uint8_t *to, size_t count,
                                                              int channels) {
    const Stairs *stairs = table[2].stairs;
    const float *lights = table->colours;
    const size_t step = 16 * (size_t)channels;
    for (size_t i = 0; i < count; i += step) {
        __m512d light[3][2];
        __m512i values[4], made[4];
        bytes_apart(from + i, channels, values);
        for (int c = 0; c < 3; c++) {
            const __m512 found = (__m512)pick(lights, (Ints)values[c]);
            light[c][0] = bytes_half(found, 0);
            light[c][1] = bytes_half(found, 1);
        }
        for (int c = 0; c < 3; c++) {
            const double *p = matrix->rows + (ptrdiff_t)4 * c;
            __m256 halves[2];
            for (int half = 0; half < 2; half++) {
                const __m512d two = _mm512_add_pd(_mm512_mul_pd(_mm512_set1_pd(p[0]), light[0][half]),
                                                  _mm512_mul_pd(_mm512_set1_pd(p[1]), light[1][half]));
                const __m512d three = _mm512_add_pd(two, _mm512_mul_pd(_mm512_set1_pd(p[2]), light[2][half]));
                halves[half] = _mm512_cvtpd_ps(_mm512_add_pd(three, _mm512_set1_pd(p[3])));
            }
            const __m512 sums = _mm512_insertf32x8(_mm512_castps256_ps512(halves[0]), halves[1], 1);
            made[c] = (__m512i)bytes_stairs(stairs, (Floats)sums);
        }
        made[3] = channels == 3 ? made[2] : values[3];
        bytes_together(made, channels, count - i < step ? count - i : step, to + i);
    }
}
#else
static inline __attribute__((always_inline)) void bytes_light(const PointPart *table, const PointMatrix *matrix,
                                                              const uint8_t *from, uint8_t *to, size_t count,
                                                              int channels) {
    const float *lights = table->colours;
    for (size_t i = 0; i + (size_t)channels <= count; i += (size_t)channels) {
        const double r = (double)lights[from[i]], g = (double)lights[from[i + 1]], b = (double)lights[from[i + 2]];
        for (int c = 0; c < 3; c++) {
            const double *p = matrix->rows + (ptrdiff_t)4 * c;
            to[i + (size_t)c] = (uint8_t)stairs_step(table[2].stairs, (float)(p[0] * r + p[1] * g + p[2] * b + p[3]));
        }
    }
}
#endif

typedef struct BytesStep {
    const PointStep *step;  /* of a table: its first one */
    const PointPart *light; /* the table to light; behind it are the matrix, which is `step`, and the stairs */
    const uint8_t *table;   /* or NULL */
    const PointMatrix *matrix;
} BytesStep;

/* One step of `count` values, from value `at` of row y on. Whole vectors can be read and written, also of the row if
 * this `is_inside` it. */
static void bytes_step(const Stage *stage, const BytesStep *now, size_t at, size_t y, const uint8_t *from, uint8_t *to,
                       size_t count, bool is_inside) {
    const PointStep *step = now->step;
    const int channels = stage->out.shape.channels;
    if (now->table) {
        byte_table_look_up(now->table, from, to, count);
    } else if (now->light) {
        channels == 3 ? bytes_light(now->light, now->matrix, from, to, count, 3)
                      : bytes_light(now->light, now->matrix, from, to, count, 4);
    } else if (step->function == POINT_difference) {
        bytes_difference(from, (const uint8_t *)view_row(stage->in[step->reads[1]], y) + at, to, count);
    } else if (step->function == POINT_unsharp) {
        const float *blurred = (const float *)view_row(stage->in[step->reads[1]], y) + at;
        float room[BYTES_RUN + LANES];
        if (!is_inside) {
            memcpy(room, blurred, count * sizeof *room);
            memset(room + count, 0, LANES * sizeof *room);
        }
        bytes_unsharp(point_job(stage)->pool + step->parameters, step->white, from, is_inside ? blurred : room, to,
                      count);
    } else {
        bytes_mix(now->matrix, from, to, count, channels);
    }
    for (size_t i = (size_t)channels - 1; channels % 2 == 0 && i < count; i += (size_t)channels)
        to[i] = from[i];
}

static int bytes_steps(const Stage *stage, const PointProgram *program, BytesStep *steps) {
    const PointJob *job = point_job(stage);
    int count = 0;
    for (int i = 0; i < program->count; i++) {
        const PointPart *part = &program->parts[i];
        const bool looks_up = part->kind == POINT_PART_TABLE, is_light = point_parts_are_light(stage, program, i);
        if (is_light) {
            const int mix = part[1].first;
            steps[count++] = (BytesStep){.step = &job->steps[mix], .light = part, .matrix = program->matrices[mix]};
            i += 2;
            continue;
        }
        for (int k = part->first; k < (looks_up ? part->first + 1 : part->first + part->steps); k++)
            steps[count++] = (BytesStep){
                .step = &job->steps[k], .table = looks_up ? part->colours : NULL, .matrix = program->matrices[k]};
    }
    return count;
}

/* How many values from `at` on are a run: in the row itself, so that whole vectors stay in it, or elsewhere. */
static size_t bytes_run(size_t at, size_t values, bool *is_inside) {
    const size_t left = values - at;
#if defined(ISA_avx512) || defined(ISA_avx2)
    *is_inside = left >= BYTES_UNIT + BYTES_BESIDE;
#else
    *is_inside = left >= BYTES_UNIT + BYTES_BESIDE && at > 0; /* the first run has neighbours before it */
#endif
    const size_t run = *is_inside ? (left - BYTES_BESIDE) / BYTES_UNIT * BYTES_UNIT : left;
    return run < BYTES_RUN ? run : BYTES_RUN;
}

/* Row y of a program of bytes. */
static void bytes_row(const Stage *stage, const PointProgram *program, size_t y) {
    uint8_t runs[2][BYTES_BESIDE + BYTES_RUN + BYTES_BESIDE];
    BytesStep steps[POINT_STEPS];
    const int count = bytes_steps(stage, program, steps);
    const size_t values = stage->out.shape.width * (size_t)stage->out.shape.channels;
    const uint8_t *from = view_row(stage->in[0], y);
    uint8_t *to = view_row(stage->out, y);
    if (count == 1 && steps[0].table && stage->out.shape.channels % 2 == 1) { /* one table needs no neighbours */
        byte_table_look_up(steps[0].table, from, to, values);
        return;
    }
    bool is_inside;
    for (size_t at = 0, some; at < values; at += some) {
        some = bytes_run(at, values, &is_inside);
        const uint8_t *now = from + at;
        if (!is_inside) {
            for (int i = 0; i < 2; i++) {
                memset(runs[i], 0, BYTES_BESIDE);
                memset(runs[i] + BYTES_BESIDE + some, 0, BYTES_RUN - some + BYTES_BESIDE);
            }
            now = memcpy(runs[1] + BYTES_BESIDE, from + at, some);
        }
        for (int i = 0; i < count; i++) {
            uint8_t *next = is_inside && i + 1 == count ? to + at : runs[i % 2] + BYTES_BESIDE;
            bytes_step(stage, &steps[i], at, y, now, next, some, is_inside);
            now = next;
        }
        if (!is_inside)
            memcpy(to + at, now, some);
    }
}

#endif
