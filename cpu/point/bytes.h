/* bytes.h: programs whose values are all bytes, row by row, for rows.isa.c. A byte goes through tables of 256 results,
 * through sums of colours, and is held against another picture's: no planes, and few lanes of double. */
#ifndef GLINT_CPU_POINT_BYTES_H
#define GLINT_CPU_POINT_BYTES_H

#include "cpu/pack.h"
#include "cpu/planes.h"
#include "cpu/point/program.h"
#include "cpu/vector.h"

enum {
    BYTES_RUN = 1536, /* values: whole pixels of 3 or 4, and whole vectors */
    BYTES_TAPS = 5    /* a colour's neighbours among its pixel's values: from 2 to the left to 2 to the right */
};

/* The results of a table for all bytes. */
static void bytes_look_up(const uint8_t table[256], const uint8_t *from, uint8_t *to, size_t count) {
    size_t i = 0;
#if defined(ISA_avx512)
    /* Two bytes of the table are a word, and 64 words a table of two vectors. */
    const __m512i t0 = _mm512_loadu_si512(table), t1 = _mm512_loadu_si512(table + 64);
    const __m512i t2 = _mm512_loadu_si512(table + 128), t3 = _mm512_loadu_si512(table + 192);
    const __m512i low = _mm512_set1_epi16(0xff), one = _mm512_set1_epi16(1), high = _mm512_set1_epi16(0x80);
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
#endif
    for (; i < count; i++)
        to[i] = table[from[i]];
}

static inline Floats bytes_times_plus(Floats a, Floats b, Floats c) {
#if defined(ISA_avx512)
    return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(ISA_avx2)
    return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}

/* A colour of the pixel by point.def's matrix. */
static inline uint8_t bytes_sum(const double *p, double white, int c, const uint8_t *pixel) {
    return (uint8_t)(int32_t)planes_rounded(
        p[4 * c] * pixel[0] + p[4 * c + 1] * pixel[1] + p[4 * c + 2] * pixel[2] + p[4 * c + 3] * white, 255);
}

/* Each lane's factors on its neighbours, and its addend; alpha stays. */
typedef struct BytesMatrix {
    float factors[BYTES_TAPS][4 * LANES], addends[4 * LANES];
    float sure; /* so far off its whole number a sum may be, that f32 rounds as double */
} BytesMatrix;

static void bytes_prepare(const double *p, double white, int channels, BytesMatrix *matrix) {
    float factors[BYTES_TAPS][4] = {{0}}, addends[4] = {0};
    double most = 1;
    for (int c = 0; c < channels; c++) {
        double reach = c < 3 ? fabs(p[4 * c + 3] * white) : 0;
        addends[c] = c < 3 ? (float)(p[4 * c + 3] * white) : 0;
        for (int tap = 0; tap < BYTES_TAPS; tap++) {
            const int other = c + tap - 2;
            const double factor = c == 3 ? other == 3 : other < 0 || other > 2 ? 0 : p[4 * c + other];
            factors[tap][c] = (float)factor;
            reach += fabs(factor) * 255;
        }
        most = reach > most ? reach : most;
    }
    for (int lane = 0, c = 0; lane < 4 * LANES; lane++, c = c + 1 < channels ? c + 1 : 0) {
        matrix->addends[lane] = addends[c];
        for (int tap = 0; tap < BYTES_TAPS; tap++)
            matrix->factors[tap][lane] = factors[tap][c];
    }
    matrix->sure = (float)(0.5 - most * 0x1p-20); /* roundings of eight, of 2^-24 each, and some room */
}

#if defined(ISA_avx512)
/* A colour of sixteen pixels by point.def's matrix, in its order, rounded. */
static __m512i bytes_exact(const __m512i values[3], const double *p, double white) {
    __m256i halves[2];
    for (int half = 0; half < 2; half++) {
        __m512d parts[3];
        for (int k = 0; k < 3; k++) {
            const __m256i some = half ? _mm512_extracti64x4_epi64(values[k], 1) : _mm512_castsi512_si256(values[k]);
            parts[k] = _mm512_mul_pd(_mm512_set1_pd(p[k]), _mm512_cvtepi32_pd(some));
        }
        const __m512d sum = _mm512_add_pd(_mm512_add_pd(parts[0], parts[1]), parts[2]);
        const __m512d all = _mm512_add_pd(sum, _mm512_set1_pd(p[3] * white));
        halves[half] = _mm512_cvtpd_epi32(_mm512_min_pd(_mm512_max_pd(all, _mm512_setzero_pd()), _mm512_set1_pd(255)));
    }
    return _mm512_inserti64x4(_mm512_castsi256_si512(halves[0]), halves[1], 1);
}

/* Sums of the colours of `count` values: sixteen pixels of 3 or 4 bytes at once, a register for each colour. f32
 * decides where it rounds as double. Whole vectors can be read, and no more is written. */
static inline __attribute__((always_inline)) void bytes_colours(const BytesMatrix *matrix, const double *p,
                                                                double white, const uint8_t *from, uint8_t *to,
                                                                size_t count, int channels) {
    /* Four pixels lie in each 16 bytes, at first 3 or 4 words of 4 bytes apart. */
    const __m512i apart = channels == 3 ? _mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11)
                                        : _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i together = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
    const __m128i order = channels == 3 ? _mm_setr_epi8(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, -1, -1, -1, -1)
                                        : _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i places[4];
    __m512 factors[3][3], addends[3];
    for (int c = 0; c < 4; c++)
        places[c] = _mm512_broadcast_i32x4(
            _mm_setr_epi32(c | ~0xff, (c + channels) | ~0xff, (c + 2 * channels) | ~0xff, (c + 3 * channels) | ~0xff));
    for (int c = 0; c < 3; c++) {
        addends[c] = _mm512_set1_ps((float)(p[4 * c + 3] * white));
        for (int k = 0; k < 3; k++)
            factors[c][k] = _mm512_set1_ps((float)p[4 * c + k]);
    }
    const __m512 sure = _mm512_set1_ps(matrix->sure);
    const size_t step = 16 * (size_t)channels;
    for (size_t i = 0; i < count; i += step) {
        const __m512i pixels = _mm512_permutexvar_epi32(apart, _mm512_loadu_si512(from + i));
        __m512 colours[3], sums[3];
        __m512i values[3], whole[4];
        for (int c = 0; c < 3; c++) {
            values[c] = _mm512_shuffle_epi8(pixels, places[c]);
            colours[c] = _mm512_cvtepi32_ps(values[c]);
        }
        for (int c = 0; c < 3; c++) {
            sums[c] = _mm512_fmadd_ps(factors[c][0], colours[0], addends[c]);
            sums[c] = _mm512_fmadd_ps(factors[c][1], colours[1], sums[c]);
            sums[c] = _mm512_fmadd_ps(factors[c][2], colours[2], sums[c]);
            whole[c] = _mm512_cvtps_epi32(sums[c]);
        }
        /* The farthest off a whole number of the three. */
        enum { NEAREST = 0, LARGER_SIZE = 0xb };
        const __m512 off = _mm512_range_ps(
            _mm512_range_ps(_mm512_reduce_ps(sums[0], NEAREST), _mm512_reduce_ps(sums[1], NEAREST), LARGER_SIZE),
            _mm512_reduce_ps(sums[2], NEAREST), LARGER_SIZE);
        if (_mm512_cmplt_ps_mask(sure, off))
            for (int c = 0; c < 3; c++)
                whole[c] = bytes_exact(values, p + (ptrdiff_t)4 * c, white);
        whole[3] = channels == 3 ? whole[2] : _mm512_shuffle_epi8(pixels, places[3]);
        const __m512i bytes =
            _mm512_packus_epi16(_mm512_packs_epi32(whole[0], whole[1]), _mm512_packs_epi32(whole[2], whole[3]));
        __m512i made = _mm512_shuffle_epi8(bytes, _mm512_broadcast_i32x4(order));
        if (channels == 3)
            made = _mm512_permutexvar_epi32(together, made);
        const size_t left = count - i < step ? count - i : step;
        _mm512_mask_storeu_epi8(to + i, ~(__mmask64)0 >> (64 - left), made);
    }
}
#else
/* Sums of the colours of `count` values, BYTES_RUN at most: f32 decides where it rounds as double. Four values before
 * `from`, and a vector behind the last, can be read; `to` has room for whole vectors. */
static inline __attribute__((always_inline)) void bytes_colours(const BytesMatrix *matrix, const double *p,
                                                                double white, const uint8_t *from, uint8_t *to,
                                                                size_t count, int channels) {
    _Alignas(64) float sums[BYTES_RUN];
    uint16_t unsure[BYTES_RUN];
    size_t unsures = 0;
    const int vectors = channels == 3 ? 3 : 1;
    const Floats whole = spread(0x1.8p23F), sure = spread(matrix->sure);
    for (size_t i = 0; i < count; i += (size_t)(vectors * LANES))
        for (int k = 0; k < vectors; k++) {
            const size_t at = i + (size_t)(k * LANES);
            Floats sum = load(matrix->addends + (ptrdiff_t)k * LANES);
#    pragma GCC unroll 5
            for (int tap = 0; tap < BYTES_TAPS; tap++)
                sum = bytes_times_plus(load(matrix->factors[tap] + (ptrdiff_t)k * LANES),
                                       floats_of_u8(from + at + tap - 2), sum);
            memcpy(sums + at, &sum, sizeof sum);
            const Floats off = sum - ((sum + whole) - whole);
            for (unsigned bits = bits_of(less(sure, greater(off, -off))); bits; bits &= bits - 1)
                unsure[unsures++] = (uint16_t)(at + (size_t)__builtin_ctz(bits));
        }
    for (size_t i = 0; i < count; i += VECTOR_BYTES)
        pack_vectors_u8(sums + i, to + i);
    for (size_t i = 0; i < unsures; i++) {
        const size_t c = unsure[i] % (size_t)channels;
        if (unsure[i] < count && c < 3)
            to[unsure[i]] = bytes_sum(p, white, (int)c, from + unsure[i] - c);
    }
}

#endif

static void bytes_difference(const uint8_t *from, const uint8_t *other, uint8_t *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = from[i] > other[i] ? (uint8_t)(from[i] - other[i]) : (uint8_t)(other[i] - from[i]);
}

static inline uint8_t bytes_sharpened(const double *p, double white, uint8_t value, float blurred) {
    const double v = value, detail = v - (double)blurred;
    return (uint8_t)(int32_t)planes_rounded(fabs(detail) <= p[1] * white ? v : v + p[0] * detail, 255);
}

/* p[0] times the detail that a blur lacks, where it is more than p[1] of white. f32 decides as in bytes_colours. `to`
 * has room for whole vectors, and both rows can be read so far. */
static void bytes_unsharp(const double *p, double white, const uint8_t *from, const float *blurred, uint8_t *to,
                          size_t count) {
    _Alignas(64) float sums[BYTES_RUN];
    uint16_t unsure[BYTES_RUN];
    size_t unsures = 0;
    const float error = (float)((1 + fabs(p[0])) * 0x1p-14); /* of values up to 1024 */
    const Floats whole = spread(0x1.8p23F), sure = spread(0.5F - error), amount = spread((float)p[0]);
    const Floats least = spread((float)(p[1] * white)), none = spread(p[1] > 0 ? error : -1), large = spread(1024);
    for (size_t i = 0; i < count; i += LANES) {
        const Floats v = floats_of_u8(from + i), detail = v - load(blurred + i), size = greater(detail, -detail);
        const Floats sum = blend(at_most(size, least), v, bytes_times_plus(amount, detail, v));
        memcpy(sums + i, &sum, sizeof sum);
        const Floats off = sum - ((sum + whole) - whole), beyond = greater(size - least, least - size);
        const Which doubt = less(sure, greater(off, -off)) | at_most(beyond, none) | ~less(size, large);
        for (unsigned bits = bits_of(doubt); bits; bits &= bits - 1)
            unsure[unsures++] = (uint16_t)(i + (size_t)__builtin_ctz(bits));
    }
    for (size_t i = 0; i < count; i += VECTOR_BYTES)
        pack_vectors_u8(sums + i, to + i);
    for (size_t i = 0; i < unsures; i++)
        if (unsure[i] < count)
            to[unsure[i]] = bytes_sharpened(p, white, from[unsure[i]], blurred[unsure[i]]);
}

/* stairs_step for each of `count` values; whole vectors can be read and written. */
static void bytes_stairs(const Stairs *stairs, const float *light, uint8_t *to, size_t count) {
#if defined(ISA_avx512)
    const Floats foot = spread(stairs->foot), top = spread(stairs->edges[254]);
    const Ints first = spread_int((int32_t)stairs->first), one = spread_int(1), none = {0};
    const char *before = (const char *)stairs + offsetof(Stairs, below) - 3; /* four bytes end with the place's */
    for (size_t i = 0; i < count; i += LANES) {
        /* NaN is the foot. */
        const Floats clamped = lesser(greater(load(light + i), foot), top);
        const Ints place = ((Ints)clamped >> STAIRS_KEPT) - first;
        const __m512i read = _mm512_i32gather_epi32((__m512i)place, before, 1);
        const Ints step = (Ints)_mm512_srli_epi32(read, 24);
        const Ints made = step + blend_int(at_most(pick(stairs->edges, step), clamped), one, none);
        _mm_storeu_si128((__m128i *)(void *)(to + i), _mm512_cvtepi32_epi8((__m512i)made));
    }
#else
    for (size_t i = 0; i < count; i++)
        to[i] = (uint8_t)stairs_step(stairs, light[i]);
#endif
}

/* Bytes to light by the first table, colours through a matrix, as doubles have it, and to bytes by the stairs. */
static void bytes_light(const PointPart *table, const double *p, double white, const uint8_t *from, uint8_t *to,
                        size_t count, int channels) {
    enum { PIXELS = BYTES_RUN / 3, ROOM = PIXELS + 2 * LANES };
    const Stairs *stairs = table[2].stairs;
    const float *lights = table->colours;
    const size_t pixels = count / (size_t)channels;
    uint8_t apart[3][ROOM];
    float light[3][ROOM], sums[ROOM];
    for (size_t i = 0; i < pixels; i++)
        for (int c = 0; c < 3; c++)
            apart[c][i] = from[i * (size_t)channels + (size_t)c];
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < pixels; i++)
            light[c][i] = lights[apart[c][i]];
    for (int c = 0; c < 3; c++, p += 4) {
        for (size_t i = 0; i < pixels; i++)
            sums[i] = (float)(p[0] * (double)light[0][i] + p[1] * (double)light[1][i] + p[2] * (double)light[2][i] +
                              p[3] * white);
        memset(sums + pixels, 0, LANES * sizeof *sums);
        bytes_stairs(stairs, sums, apart[c], pixels);
    }
    for (size_t i = 0; i < pixels; i++)
        for (int c = 0; c < 3; c++)
            to[i * (size_t)channels + (size_t)c] = apart[c][i];
}

/* Rows of 3 equal factors. */
static const double bytes_luma[] = {0.2126, 0.7152, 0.0722, 0, 0.2126, 0.7152, 0.0722, 0, 0.2126, 0.7152, 0.0722, 0};

static const double *bytes_factors(const PointJob *job, const PointStep *step) {
    return step->function == POINT_grayscale ? bytes_luma : job->pool + step->parameters;
}

typedef struct BytesStep {
    const PointStep *step;  /* of a table: its first one */
    const PointPart *light; /* the table to light; behind it are the matrix, which is `step`, and the stairs */
    const uint8_t *table;   /* or NULL */
    BytesMatrix matrix;
} BytesStep;

/* One step of `count` values, from value `at` of row y on. Whole vectors can be read and written. */
static void bytes_step(const Stage *stage, const BytesStep *now, size_t at, size_t y, const uint8_t *from, uint8_t *to,
                       size_t count) {
    const PointStep *step = now->step;
    const PointJob *job = point_job(stage);
    const int channels = stage->out.shape.channels;
    const double *p = bytes_factors(job, step);
    if (now->table) {
        bytes_look_up(now->table, from, to, count);
    } else if (now->light) {
        bytes_light(now->light, p, step->white, from, to, count, channels);
    } else if (step->function == POINT_difference) {
        bytes_difference(from, (const uint8_t *)view_row(stage->in[step->reads[1]], y) + at, to, count);
    } else if (step->function == POINT_unsharp) {
        float blurred[BYTES_RUN + VECTOR_BYTES];
        memcpy(blurred, (const float *)view_row(stage->in[step->reads[1]], y) + at, count * sizeof *blurred);
        memset(blurred + count, 0, VECTOR_BYTES * sizeof *blurred);
        bytes_unsharp(p, step->white, from, blurred, to, count);
    } else if (channels == 3) {
        bytes_colours(&now->matrix, p, step->white, from, to, count, 3);
    } else {
        bytes_colours(&now->matrix, p, step->white, from, to, count, 4);
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
            steps[count++] = (BytesStep){.step = &job->steps[part[1].first], .light = part};
            i += 2;
            continue;
        }
        for (int k = part->first; k < (looks_up ? part->first + 1 : part->first + part->steps); k++) {
            const PointStep *step = &job->steps[k];
            BytesStep *now = &steps[count++];
            now->step = step;
            now->light = NULL;
            now->table = looks_up ? part->colours : NULL;
            now->matrix.sure = 0; /* no sums */
            if (!looks_up && (step->function == POINT_matrix || step->function == POINT_grayscale))
                bytes_prepare(bytes_factors(job, step), step->white, stage->out.shape.channels, &now->matrix);
        }
    }
    return count;
}

/* Row y of a program of bytes. */
static void bytes_row(const Stage *stage, const PointProgram *program, size_t y) {
    enum { BESIDE = 64 };
    uint8_t runs[2][BESIDE + BYTES_RUN + BESIDE];
    BytesStep steps[POINT_STEPS];
    const int count = bytes_steps(stage, program, steps);
    const size_t values = stage->out.shape.width * (size_t)stage->out.shape.channels;
    const uint8_t *from = view_row(stage->in[0], y);
    uint8_t *to = view_row(stage->out, y);
    if (count == 1 && steps[0].table && stage->out.shape.channels % 2 == 1) { /* one table needs no neighbours */
        bytes_look_up(steps[0].table, from, to, values);
        return;
    }
    for (int i = 0; i < 2; i++) {
        memset(runs[i], 0, BESIDE);
        memset(runs[i] + BESIDE + BYTES_RUN, 0, BESIDE);
    }
    for (size_t at = 0; at < values; at += BYTES_RUN) {
        const bool is_inside = at > 0 && values - at >= BYTES_RUN + BESIDE;
        const size_t some = values - at < BYTES_RUN ? values - at : BYTES_RUN;
        const uint8_t *now = from + at;
        if (!is_inside) {
            memset(runs[1] + BESIDE, 0, BYTES_RUN);
            now = memcpy(runs[1] + BESIDE, from + at, some);
        }
        for (int i = 0; i < count; i++) {
            uint8_t *next = is_inside && i + 1 == count ? to + at : runs[i % 2] + BESIDE;
            bytes_step(stage, &steps[i], at, y, now, next, some);
            now = next;
        }
        if (!is_inside)
            memcpy(to + at, now, some);
    }
}

#endif
