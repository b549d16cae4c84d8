/* colours.h: matrices of the colours of floats, in registers, for rows.isa.c. LANES pixels are taken apart, added up as
 * doubles in the order of point.def, and put together. Planes would go by way of memory three times. */
#ifndef GLINT_CPU_POINT_COLOURS_H
#define GLINT_CPU_POINT_COLOURS_H

#include "core/ops/point.h"
#include "cpu/vector.h"

#if defined(ISA_avx512) || defined(ISA_avx2)

#    define COLOURS_INLINE static inline __attribute__((always_inline))

#    if defined(ISA_avx512)
typedef __m512d ColourHalf; /* half of the lanes, as doubles */

/* Lanes of both: those of b have numbers from LANES on. */
COLOURS_INLINE Floats colours_order(Floats a, Ints lanes, Floats b) {
    return (Floats)_mm512_permutex2var_ps((__m512)a, (__m512i)lanes, (__m512)b);
}

/* Colour c of LANES pixels of three values, and vector k of these values. Both numbers are constants where they are
 * called, so that orders of lanes are, too. */
COLOURS_INLINE Floats colours_apart3(const Floats in[3], int c) {
    Ints first, all;
    for (int lane = 0; lane < LANES; lane++) {
        const int at = 3 * lane + c;
        first[lane] = at < 2 * LANES ? at : 0;
        all[lane] = at < 2 * LANES ? lane : at - LANES;
    }
    return colours_order(colours_order(in[0], first, in[1]), all, in[2]);
}
COLOURS_INLINE Floats colours_together3(const Floats colours[3], int k) {
    Ints first, all;
    for (int lane = 0; lane < LANES; lane++) {
        const int at = k * LANES + lane, c = at % 3, pixel = at / 3;
        first[lane] = c == 1 ? LANES + pixel : pixel;
        all[lane] = c == 2 ? LANES + pixel : lane;
    }
    return colours_order(colours_order(colours[0], first, colours[1]), all, colours[2]);
}

COLOURS_INLINE void colours_read3(const float *from, Floats colours[3]) {
    Floats in[3];
    for (int k = 0; k < 3; k++)
        in[k] = load(from + (ptrdiff_t)k * LANES);
    colours[0] = colours_apart3(in, 0);
    colours[1] = colours_apart3(in, 1);
    colours[2] = colours_apart3(in, 2);
}
COLOURS_INLINE void colours_write3(const Floats colours[3], float *to) {
    const Floats made[3] = {colours_together3(colours, 0), colours_together3(colours, 1),
                            colours_together3(colours, 2)};
    memcpy(to, made, sizeof made);
}

/* Pixels of four values: rows of four by four change places with columns. The same brings them back. */
COLOURS_INLINE void colours_turn4(const Floats in[4], Floats out[4]) {
    const __m512 a = _mm512_unpacklo_ps((__m512)in[0], (__m512)in[1]);
    const __m512 b = _mm512_unpackhi_ps((__m512)in[0], (__m512)in[1]);
    const __m512 c = _mm512_unpacklo_ps((__m512)in[2], (__m512)in[3]);
    const __m512 d = _mm512_unpackhi_ps((__m512)in[2], (__m512)in[3]);
    out[0] = (Floats)_mm512_shuffle_ps(a, c, 0x44);
    out[1] = (Floats)_mm512_shuffle_ps(a, c, 0xee);
    out[2] = (Floats)_mm512_shuffle_ps(b, d, 0x44);
    out[3] = (Floats)_mm512_shuffle_ps(b, d, 0xee);
}

COLOURS_INLINE ColourHalf colours_half(Floats all, int half) {
    return _mm512_cvtps_pd(half ? _mm512_extractf32x8_ps((__m512)all, 1) : _mm512_castps512_ps256((__m512)all));
}
COLOURS_INLINE Floats colours_whole(ColourHalf first, ColourHalf second) {
    return (Floats)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(first)), _mm512_cvtpd_ps(second), 1);
}
#    else
typedef __m256d ColourHalf;

/* Four pixels are in the lower half of a vector, the next four in the upper: three shuffles of two take them apart. */
COLOURS_INLINE __m256 colours_fours(const float *from, int k) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + (ptrdiff_t)4 * k)),
                                _mm_loadu_ps(from + (ptrdiff_t)4 * k + 12), 1);
}
COLOURS_INLINE void colours_read3(const float *from, Floats colours[3]) {
    const __m256 a = colours_fours(from, 0), b = colours_fours(from, 1), c = colours_fours(from, 2);
    const __m256 late = _mm256_shuffle_ps(b, c, 0x9e);  /* r and g of the third and the fourth */
    const __m256 early = _mm256_shuffle_ps(a, b, 0x49); /* g and b of the first and the second */
    colours[0] = (Floats)_mm256_shuffle_ps(a, late, 0x8c);
    colours[1] = (Floats)_mm256_shuffle_ps(early, late, 0xd8);
    colours[2] = (Floats)_mm256_shuffle_ps(early, c, 0xcd);
}
COLOURS_INLINE void colours_write3(const Floats colours[3], float *to) {
    const __m256 r = (__m256)colours[0], g = (__m256)colours[1], b = (__m256)colours[2];
    const __m256 even = _mm256_shuffle_ps(r, g, 0x88), odd = _mm256_shuffle_ps(g, b, 0xdd);
    const __m256 both = _mm256_shuffle_ps(b, r, 0xd8);
    const __m256 made[3] = {_mm256_shuffle_ps(even, both, 0x88), _mm256_shuffle_ps(odd, even, 0xd8),
                            _mm256_shuffle_ps(both, odd, 0xdd)};
    for (int k = 0; k < 3; k++) {
        _mm_storeu_ps(to + (ptrdiff_t)4 * k, _mm256_castps256_ps128(made[k]));
        _mm_storeu_ps(to + (ptrdiff_t)4 * k + 12, _mm256_extractf128_ps(made[k], 1));
    }
}

COLOURS_INLINE void colours_turn4(const Floats in[4], Floats out[4]) {
    const __m256 a = _mm256_unpacklo_ps((__m256)in[0], (__m256)in[1]);
    const __m256 b = _mm256_unpackhi_ps((__m256)in[0], (__m256)in[1]);
    const __m256 c = _mm256_unpacklo_ps((__m256)in[2], (__m256)in[3]);
    const __m256 d = _mm256_unpackhi_ps((__m256)in[2], (__m256)in[3]);
    out[0] = (Floats)_mm256_shuffle_ps(a, c, 0x44);
    out[1] = (Floats)_mm256_shuffle_ps(a, c, 0xee);
    out[2] = (Floats)_mm256_shuffle_ps(b, d, 0x44);
    out[3] = (Floats)_mm256_shuffle_ps(b, d, 0xee);
}

COLOURS_INLINE ColourHalf colours_half(Floats all, int half) {
    return _mm256_cvtps_pd(half ? _mm256_extractf128_ps((__m256)all, 1) : _mm256_castps256_ps128((__m256)all));
}
COLOURS_INLINE Floats colours_whole(ColourHalf first, ColourHalf second) {
    return (Floats)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(first)), _mm256_cvtpd_ps(second), 1);
}
#    endif

/* The colours of LANES pixels by the factors on r, g and b, four a colour, and the addends. */
COLOURS_INLINE void colours_sum(const double *p, const double addends[3], Floats colours[3]) {
    ColourHalf halves[3][2];
    for (int c = 0; c < 3; c++)
        for (int half = 0; half < 2; half++)
            halves[c][half] = colours_half(colours[c], half);
    for (int c = 0; c < 3; c++) {
        ColourHalf sums[2];
        for (int half = 0; half < 2; half++)
            sums[half] = p[4 * c] * halves[0][half] + p[4 * c + 1] * halves[1][half] + p[4 * c + 2] * halves[2][half] +
                         addends[c];
        colours[c] = colours_whole(sums[0], sums[1]);
    }
}

COLOURS_INLINE void colours_some(const double *p, const double addends[3], const float *from, float *to, int channels) {
    Floats in[4], colours[4];
    if (channels == 3) {
        colours_read3(from, colours);
        colours_sum(p, addends, colours);
        colours_write3(colours, to);
        return;
    }
    for (int k = 0; k < 4; k++)
        in[k] = load(from + (ptrdiff_t)k * LANES);
    colours_turn4(in, colours);
    colours_sum(p, addends, colours);
    colours_turn4(colours, in);
    memcpy(to, in, sizeof in);
}

COLOURS_INLINE void colours_run(const double *p, const double addends[3], const float *from, float *to, size_t count,
                                int channels) {
    const size_t step = (size_t)LANES * (size_t)channels, values = count * (size_t)channels;
    size_t i = 0;
    for (; i + step <= values; i += step)
        colours_some(p, addends, from + i, to + i, channels);
    if (i < values) {
        float room[2][4 * LANES] = {{0}};
        memcpy(room[0], from + i, (values - i) * sizeof *room[0]);
        colours_some(p, addends, room[0], room[1], channels);
        memcpy(to + i, room[1], (values - i) * sizeof *room[1]);
    }
}

/* Carries out the step, whose parameters are `p`, on a row; or returns false, having done nothing. */
static bool colours_row(const PointStep *step, const double *p, ImageView from, ImageView to) {
    const double w = step->white;
    if (step->function != POINT_matrix || from.shape.type != PIXEL_F32 || to.shape.type != PIXEL_F32 ||
        from.shape.channels < 3 || to.shape.channels != from.shape.channels)
        return false;
    if (to.shape.channels == 3)
        colours_run(p, (double[]){p[3] * w, p[7] * w, p[11] * w}, from.pixels, to.pixels, to.shape.width, 3);
    else
        colours_run(p, (double[]){p[3] * w, p[7] * w, p[11] * w}, from.pixels, to.pixels, to.shape.width, 4);
    return true;
}

#else
static bool colours_row(const PointStep *step, const double *p, ImageView from, ImageView to) {
    (void)step, (void)p, (void)from, (void)to;
    return false;
}
#endif

#endif
