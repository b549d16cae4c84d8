/* running.isa.c: running sums of each type of values, in one instruction set. */
#include "cpu/convolve/running.h"

#include "cpu/widen.h"

#include <math.h>
#include <string.h>

/* Results of any type from any sums. */
#define FINISH_ANY(Sum)                                                                                                \
    const PixelType type = job->stage->out.shape.type;                                                                 \
    const double factor = job->factor, divisor = job->divisor, bias = job->bias, white = pixel_type_white(type);       \
    for (size_t i = 0; i < count; i++) {                                                                               \
        const double value = (double)((const Sum *)sums)[i] * factor / divisor + bias;                                 \
        const double low = value > 0 ? value : 0;                                                                      \
        if (type == PIXEL_F32)                                                                                         \
            ((float *)(void *)to)[i] = (float)value;                                                                   \
        else if (type == PIXEL_U16)                                                                                    \
            ((uint16_t *)(void *)to)[i] = (uint16_t)rint(low < white ? low : white);                                   \
        else                                                                                                           \
            ((uint8_t *)to)[i] = (uint8_t)rint(low < white ? low : white);                                             \
    }

static void finish_any(const RunningJob *job, const uint32_t *sums, size_t count, char *to) {
    FINISH_ANY(uint32_t)
}

/* sum / divisor + bias. The quotient that the reciprocal gives is corrected once by its remainder, which rounds it as
 * a division does (P. Markstein, IBM J. Res. Dev. 34(1), 1990), so that ties stay ties; that needs fused arithmetic. */
#if defined(__FMA__)
#    define DIVIDE(sum, by, quotient) ((quotient) + ((sum) - (quotient) * (by)) * (1 / (by)))
#else
#    define DIVIDE(sum, by, quotient) ((sum) / (by))
#endif

/* Sums of u8 are below 2^24 and exact in f32. */
static void finish_u8(const RunningJob *job, const uint32_t *sums, size_t count, char *to) {
    const float by = (float)job->divisor, bias = (float)job->bias;
    if (job->stage->out.shape.type != PIXEL_U8 || job->factor != 1 || (double)by != job->divisor) {
        finish_any(job, sums, count, to);
        return;
    }
    for (size_t i = 0; i < count; i += (size_t)NARROW * LANES) {
        Floats results[NARROW];
        for (size_t v = 0; v < NARROW; v++) {
            const Floats sum = __builtin_convertvector(load_int(sums + i + v * LANES), Floats);
            results[v] = DIVIDE(sum, by, sum * (1 / by)) + bias;
        }
        narrow_u8(results, (uint8_t *)to + i);
    }
}

/* Sums of u16 are exact in double, and below 2^31 for as many values as most boxes have. */
static void finish_u16(const RunningJob *job, const uint32_t *sums, size_t count, char *to) {
    enum { PER = LANES / 2 };
    const Mask *mask = convolve_job(job->stage)->mask;
    const double by = job->divisor, bias = job->bias;
    if (job->stage->out.shape.type != PIXEL_U16 || job->factor != 1 || mask->width * mask->height > 32768) {
        finish_any(job, sums, count, to);
        return;
    }
    for (size_t i = 0; i < count; i += (size_t)NARROW * PER) {
        Doubles results[NARROW];
        for (size_t v = 0; v < NARROW; v++) {
            const Doubles sum = widen_i32((const int32_t *)sums + i + v * PER);
            results[v] = DIVIDE(sum, by, sum * (1 / by)) + bias;
        }
        narrow_u16(results, (uint16_t *)(void *)to + i);
    }
}

static void finish_f32(const RunningJob *job, const double *sums, size_t count, char *to) {
    const double factor = job->factor / job->divisor, bias = job->bias;
    float *results = (float *)(void *)to;
    for (size_t i = 0; i < count; i++)
        results[i] = (float)(sums[i] * factor + bias);
}

/* ---- sums of 16 bits ---- */

typedef uint16_t Words __attribute__((vector_size(VECTOR_BYTES), aligned(2), may_alias));

/* The upper halves of products. */
INLINE Words words_high(Words a, Words b) {
#if defined(ISA_avx512)
    return (Words)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
#elif defined(ISA_avx2)
    return (Words)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (Words)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
    for (size_t i = 0; i < VECTOR_BYTES / 2; i++)
        a[i] = (uint16_t)((uint32_t)a[i] * b[i] >> 16);
    return a;
#endif
}

/* Sums of `reach` values a channel along the row, divided by a multiplication; a quotient halfway goes to the even
 * number. */
INLINE void finish_along_words(const RunningJob *job, const uint16_t *columns, size_t channels, size_t count,
                               size_t reach, uint8_t *to, bool is_even) {
    enum { PER = VECTOR_BYTES / 2 };
    const uint16_t by = (uint16_t)job->divisor;
    const Words none = {0}, multiplier = none + job->multiplier, divisor = none + by;
    const int shift = job->shift;
    for (size_t i = 0; i < count; i += (size_t)2 * PER) {
        const uint16_t *from = columns + i;
        Words sums[2] = {none + (uint16_t)(by / 2), none + (uint16_t)(by / 2)};
        for (size_t k = 0; k < reach; k++, from += channels)
            for (size_t v = 0; v < 2; v++)
                sums[v] += *(const Words *)(from + v * PER);
        for (size_t v = 0; v < 2; v++) {
            Words quotient = words_high(sums[v], multiplier) >> shift;
            if (is_even)
                quotient -= (Words)(quotient * divisor == sums[v]) & quotient & 1;
            sums[v] = quotient;
        }
        narrow_two_shorts((Shorts)sums[0], (Shorts)sums[1], to + i);
    }
}

static void finish_row_words(const RunningJob *job, const uint16_t *columns, size_t channels, size_t count,
                             size_t reach, char *to) {
    if ((uint16_t)job->divisor % 2 == 0)
        finish_along_words(job, columns, channels, count, reach, (uint8_t *)to, true);
    else if (reach == 3)
        finish_along_words(job, columns, channels, count, 3, (uint8_t *)to, false);
    else
        finish_along_words(job, columns, channels, count, reach, (uint8_t *)to, false);
}

#define IN         uint8_t
#define SUM        uint16_t
#define FINISH_ROW finish_row_words
#define NAME(of)   of##_words
#include "cpu/convolve/running_sums.h"

#define IN       uint8_t
#define SUM      uint32_t
#define FINISH   finish_u8
#define NAME(of) of##_u8
#include "cpu/convolve/running_sums.h"

#define IN       uint16_t
#define SUM      uint32_t
#define FINISH   finish_u16
#define NAME(of) of##_u16
#include "cpu/convolve/running_sums.h"

#define IN       float
#define SUM      double
#define FINISH   finish_f32
#define NAME(of) of##_f32
#include "cpu/convolve/running_sums.h"

static bool run(const RunningJob *job, size_t x, size_t y, void *scratch) {
    const PixelType type = job->stage->in[0].shape.type;
    const bool finite = job->words          ? tile_words(job, x, y, scratch)
                        : type == PIXEL_U8  ? tile_u8(job, x, y, scratch)
                        : type == PIXEL_U16 ? tile_u16(job, x, y, scratch)
                                            : tile_f32(job, x, y, scratch);
    stream_end();
    return finite;
}

RunningTile *const ISA_NAME(running_tile) = run;
