/* alpha.h: colours times alpha and back, for *.isa.c files: these steps go around most filters of pictures with alpha.
 * In f32 where that rounds as double does, which a pixel of 8 bits nearly always allows. */
#ifndef GLINT_CPU_POINT_ALPHA_H
#define GLINT_CPU_POINT_ALPHA_H

#include "core/stage/point.h"
#include "cpu/widen.h"

/* Lanes that hold alpha, in pixels of 2 or 4 channels. */
static inline Which alpha_lanes(int channels) {
    Ints lane;
    for (int i = 0; i < LANES; i++)
        lane[i] = i % channels;
    return same_int(lane, spread_int(channels - 1));
}

/* The lane of alpha for each lane, in pixels of 2 and of 4 channels. */
#if VECTOR_BYTES == 64
#    define ALPHAS_OF_2 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#    define ALPHAS_OF_4 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15
#elif VECTOR_BYTES == 32
#    define ALPHAS_OF_2 1, 1, 3, 3, 5, 5, 7, 7
#    define ALPHAS_OF_4 3, 3, 3, 3, 7, 7, 7, 7
#else
#    define ALPHAS_OF_2 1, 1, 3, 3
#    define ALPHAS_OF_4 3, 3, 3, 3
#endif

/* Each pixel's alpha in all of its lanes. */
static inline Floats spread_alpha(Floats pixels, int channels) {
    return channels == 2 ? __builtin_shufflevector(pixels, pixels, ALPHAS_OF_2)
                         : __builtin_shufflevector(pixels, pixels, ALPHAS_OF_4);
}

/* u8 times alpha by 255. The product is whole, and its quotient is farther from where f32 rounds up or down than a
 * double's errors reach. */
static inline __attribute__((always_inline)) void premultiply_u8(const uint8_t *from, float *to, size_t count,
                                                                 int channels) {
    const size_t values = count * (size_t)channels;
    size_t i = 0;
    for (; i + LANES <= values; i += LANES) {
        const Floats v = widen_u8(from + i);
        const Floats factor = blend(alpha_lanes(channels), spread(255), spread_alpha(v, channels));
        const Floats made = v * factor / 255;
        memcpy(to + i, &made, sizeof made);
    }
    for (; i < values; i++) {
        const int alpha = (int)i % channels == channels - 1 ? 255 : from[i | (size_t)(channels - 1)];
        to[i] = (float)(from[i] * alpha) / 255;
    }
}

/* A pixel's colours by its alpha, and alpha by 1, in a whole pixel of u16. */
static inline Shorts alpha_factors(Shorts pixels, int channels) {
    typedef uint64_t Fours __attribute__((vector_size(VECTOR_BYTES)));
    typedef uint32_t Pairs __attribute__((vector_size(VECTOR_BYTES)));
    const Fours alpha = (Fours)pixels >> 48;
    return channels == 2 ? (Shorts)((Pairs)pixels >> 16 | 1U << 16)
                         : (Shorts)(alpha | alpha << 16 | alpha << 32 | (uint64_t)1 << 48);
}

/* u8 times alpha as stored: whole numbers, which u16 holds. */
static inline __attribute__((always_inline)) void times_alpha_u8(const uint8_t *from, uint16_t *to, size_t count,
                                                                 int channels) {
    const size_t values = count * (size_t)channels;
    size_t i = 0;
    for (; i + SHORTS <= values; i += SHORTS) {
        const Shorts v = widen_shorts(from + i), made = v * alpha_factors(v, channels);
        memcpy(to + i, &made, sizeof made);
    }
    for (; i < values; i++) {
        const int alpha = (int)i % channels == channels - 1 ? 1 : from[i | (size_t)(channels - 1)];
        to[i] = (uint16_t)(from[i] * alpha);
    }
}

/* NARROW vectors of the same undone; of how far the colours are from those of `other`, unless that is NULL. A quotient
 * of two u16 that is no half is farther from one than f32 is off. It is 1 / (2 alpha) away at least, while values up to
 * 65535 / alpha are off by 2^-8 / alpha at most. */
static inline __attribute__((always_inline)) void by_alpha_vectors(const uint16_t *from, const uint16_t *other,
                                                                   uint8_t *to, int channels) {
    const Which is_alpha = alpha_lanes(channels);
    Floats made[NARROW];
#pragma GCC unroll 8
    for (int k = 0; k < NARROW; k++) {
        Floats v = widen_u16_f32(from + (ptrdiff_t)k * LANES);
        const Floats alpha = spread_alpha(v, channels);
        if (other) {
            const Floats more = v - widen_u16_f32(other + (ptrdiff_t)k * LANES);
            v = blend(is_alpha, v, blend(less(more, spread(0)), -more, more));
        }
        made[k] = blend(less(spread(0), alpha), v / blend(is_alpha, spread(1), alpha), spread(0));
    }
    narrow_u8(made, to);
}

static inline __attribute__((always_inline)) void by_alpha_u8(const uint16_t *from, const uint16_t *other, uint8_t *to,
                                                              size_t count, int channels) {
    enum { MANY = NARROW * LANES };
    const size_t values = count * (size_t)channels;
    uint16_t last[MANY] = {0}, last_other[MANY] = {0};
    uint8_t made[MANY];
    size_t i = 0;
    for (; i + MANY <= values; i += MANY)
        by_alpha_vectors(from + i, other ? other + i : NULL, to + i, channels);
    memcpy(last, from + i, (values - i) * sizeof *last);
    if (other)
        memcpy(last_other, other + i, (values - i) * sizeof *last);
    by_alpha_vectors(last, other ? last_other : NULL, made, channels);
    memcpy(to + i, made, values - i);
}

/* The definition, for pixels that are too near to where u8 rounds up or down. */
static inline void unpremultiply_exactly(const float *from, uint8_t *to, size_t values, int channels) {
    for (size_t i = 0; i < values; i += (size_t)channels) {
        double in[POINT_CHANNELS], out[POINT_CHANNELS];
        for (int c = 0; c < channels; c++)
            in[c] = (double)from[i + (size_t)c];
        point_unpremultiply(NULL, 255, channels, in, NULL, NULL, out);
        for (int c = 0; c < channels; c++)
            to[i + (size_t)c] = (uint8_t)point_stored(out[c], PIXEL_U8);
    }
}

/* Whether the quotients decide these pixels as u8; `made` gets the quotients. */
static inline __attribute__((always_inline)) bool unpremultiply_nearly(const float *from, float *made, int channels) {
    const Floats v = load(from), alpha = spread_alpha(v, channels);
    const Floats quotient = blend(less(spread(255 * 0x1p-18F), alpha), v / alpha * 255, spread(0));
    const Floats wanted = blend(alpha_lanes(channels), v, quotient);
    const Floats low = blend(less(spread(0), wanted), wanted, spread(0));
    const Floats clamped = blend(less(low, spread(256)), low, spread(256));
    const Floats shift = spread(0x1.8p23F), away = clamped - ((clamped + shift) - shift);
    memcpy(made, &clamped, sizeof clamped);
    return !bits_of(less(spread(0.4999F), blend(less(away, spread(0)), -away, away)));
}

static inline __attribute__((always_inline)) void unpremultiply_u8(const float *from, uint8_t *to, size_t count,
                                                                   int channels) {
    const size_t values = count * (size_t)channels;
    size_t i = 0;
    for (; i + PACK <= values; i += PACK) {
        float made[PACK];
        bool clear = true;
        for (int k = 0; k < PACK; k += LANES)
            clear &= unpremultiply_nearly(from + i + k, made + k, channels);
        if (clear)
            pack_u8(made, to + i);
        else
            unpremultiply_exactly(from + i, to + i, PACK, channels);
    }
    unpremultiply_exactly(from + i, to + i, values - i, channels);
}

#endif
