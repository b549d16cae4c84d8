/* colours.h: matrices of the colours of floats, in registers, for rows.isa.c. LANES pixels are taken apart, added up as
 * doubles in the order of point.def, and put together. Planes would go by way of memory three times. Only AVX-512 puts
 * lanes of two vectors in any order at once; with fewer instructions, planes are as fast. */
#ifndef GLINT_CPU_POINT_COLOURS_H
#define GLINT_CPU_POINT_COLOURS_H

#include "core/ops/point.h"
#include "cpu/vector.h"

#if defined(ISA_avx512)

#    define COLOURS_INLINE static inline __attribute__((always_inline))

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

/* Eight lanes as doubles. */
COLOURS_INLINE __m512d colours_half(Floats all, int half) {
    return _mm512_cvtps_pd(half ? _mm512_extractf32x8_ps((__m512)all, 1) : _mm512_castps512_ps256((__m512)all));
}

/* The colours of LANES pixels by the factors on r, g and b, four a colour, and the addends. */
COLOURS_INLINE void colours_sum(const double *p, const double addends[3], Floats colours[3]) {
    __m512d halves[3][2];
    for (int c = 0; c < 3; c++)
        for (int half = 0; half < 2; half++)
            halves[c][half] = colours_half(colours[c], half);
    for (int c = 0; c < 3; c++) {
        __m256 sums[2];
        for (int half = 0; half < 2; half++)
            sums[half] = _mm512_cvtpd_ps(p[4 * c] * halves[0][half] + p[4 * c + 1] * halves[1][half] +
                                         p[4 * c + 2] * halves[2][half] + addends[c]);
        colours[c] = (Floats)_mm512_insertf32x8(_mm512_castps256_ps512(sums[0]), sums[1], 1);
    }
}

COLOURS_INLINE void colours_some(const double *p, const double addends[3], const float *from, float *to, int channels) {
    Floats in[4], colours[4];
    for (int k = 0; k < channels; k++)
        in[k] = load(from + (ptrdiff_t)k * LANES);
    if (channels == 3) {
        colours[0] = colours_apart3(in, 0);
        colours[1] = colours_apart3(in, 1);
        colours[2] = colours_apart3(in, 2);
        colours_sum(p, addends, colours);
        in[0] = colours_together3(colours, 0);
        in[1] = colours_together3(colours, 1);
        in[2] = colours_together3(colours, 2);
    } else {
        colours_turn4(in, colours);
        colours_sum(p, addends, colours);
        colours_turn4(colours, in);
    }
    for (int k = 0; k < channels; k++)
        memcpy(to + (ptrdiff_t)k * LANES, &in[k], sizeof in[k]);
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
