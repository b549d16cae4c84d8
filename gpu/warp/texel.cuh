/* texel.cuh: pixels as a tile in shared memory has them, and the result at a place between them. */
#ifndef GLINT_GPU_WARP_TEXEL_CUH
#define GLINT_GPU_WARP_TEXEL_CUH

#include "gpu/warp/pixel.cuh"

/* Numbers to which whole ones are added so that they lie in the lowest bits: 2^23, and 2^52. Differences of two such
 * sums are those of the whole numbers, and a sum with a fraction is rounded to a whole number. */
template <typename In> struct Whole {
    typedef float Real;
    static __device__ __forceinline__ float shift() { return 0; }
};
template <> struct Whole<uint8_t> {
    typedef float Real;
    static __device__ __forceinline__ float shift() { return 8388608.0f; }
};
template <> struct Whole<uint16_t> {
    typedef double Real;
    static __device__ __forceinline__ double shift() { return 4503599627370496.0; }
};

/* 2^23 as a register, or an instruction that picks a byte would take it for its constant, and the selector not. */
static __device__ __forceinline__ uint32_t exponent() {
    return 0x4B000000U + threadIdx.z;
}

/* A pixel of C values in WORDS words. `pack` makes it of values; `value` is one of them, shifted; `unpack` one as it is
 * stored. */
template <typename In, int C> struct Texel;
template <int C> struct Texel<uint8_t, C> {
    enum { WORDS = 1 };
    static __device__ __forceinline__ void pack(const uint8_t *values, uint32_t *words) {
        words[0] = C == 1 ? 0x4B000000U | values[0] : values[0];
#pragma unroll
        for (int c = 1; c < C; c++)
            words[0] |= (uint32_t)values[c] << 8 * c;
    }
    static __device__ __forceinline__ float value(const uint32_t *words, int c) {
        return __uint_as_float(C == 1 ? words[0] : __byte_perm(words[0], exponent(), 0x7440 + c));
    }
    static __device__ __forceinline__ uint8_t unpack(const uint32_t *words, int c) {
        return (uint8_t)(words[0] >> 8 * c);
    }
};
template <int C> struct Texel<uint16_t, C> {
    enum { WORDS = (C + 1) / 2 };
    static __device__ __forceinline__ void pack(const uint16_t *values, uint32_t *words) {
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            words[w] = values[2 * w] | (2 * w + 1 < C ? (uint32_t)values[2 * w + (2 * w + 1 < C)] << 16 : 0);
    }
    static __device__ __forceinline__ double value(const uint32_t *words, int c) {
        return __hiloint2double(0x43300000, unpack(words, c));
    }
    static __device__ __forceinline__ uint16_t unpack(const uint32_t *words, int c) {
        return (uint16_t)(words[c / 2] >> 16 * (c % 2));
    }
};
template <int C> struct Texel<float, C> {
    enum { WORDS = C };
    static __device__ __forceinline__ void pack(const float *values, uint32_t *words) {
#pragma unroll
        for (int c = 0; c < C; c++)
            words[c] = __float_as_uint(values[c]);
    }
    static __device__ __forceinline__ float value(const uint32_t *words, int c) {
        return unpack(words, c);
    }
    static __device__ __forceinline__ float unpack(const uint32_t *words, int c) {
        return __uint_as_float(words[c]);
    }
};

/* COUNT words by the widest loads and stores that WORDS, a pixel's, allow. */
template <int COUNT, int WORDS> static __device__ __forceinline__ void read(const uint32_t *from, uint32_t *words) {
    constexpr int WIDE = WORDS % 4 == 0 ? 4 : WORDS % 2 == 0 ? 2 : 1;
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDE)
        if constexpr (WIDE == 4) {
            const uint4 all = *(const uint4 *)(from + i);
            words[i] = all.x, words[i + 1] = all.y, words[i + 2] = all.z, words[i + 3] = all.w;
        } else if constexpr (WIDE == 2) {
            const uint2 all = *(const uint2 *)(from + i);
            words[i] = all.x, words[i + 1] = all.y;
        } else
            words[i] = from[i];
}
template <int COUNT, int WORDS> static __device__ __forceinline__ void write(uint32_t *to, const uint32_t *words) {
    constexpr int WIDE = WORDS % 4 == 0 ? 4 : WORDS % 2 == 0 ? 2 : 1;
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDE)
        if constexpr (WIDE == 4)
            *(uint4 *)(to + i) = make_uint4(words[i], words[i + 1], words[i + 2], words[i + 3]);
        else if constexpr (WIDE == 2)
            *(uint2 *)(to + i) = make_uint2(words[i], words[i + 1]);
        else
            to[i] = words[i];
}

/* A number from 0 to 1 from its 32 bits behind the point. */
static __device__ __forceinline__ void fraction(uint32_t bits, float *to) {
    *to = __uint_as_float(__funnelshift_r(bits, 0x7F, 9)) - 1;
}
static __device__ __forceinline__ void fraction(uint32_t bits, double *to) {
    *to = __hiloint2double((int)__funnelshift_r(bits, 0x3FF, 12), (int)(bits << 20)) - 1;
}

static __device__ __forceinline__ void rounded(float shifted, uint8_t *to) {
    *to = (uint8_t)__float_as_uint(shifted);
}
static __device__ __forceinline__ void rounded(double shifted, uint16_t *to) {
    *to = (uint16_t)__double2loint(shifted);
}
static __device__ __forceinline__ void rounded(float value, float *to) {
    *to = value;
}

/* The mean of four pixels: for whole numbers the first and a sum of differences, which rounds when they meet. */
template <typename In, int C, typename Real>
static __device__ __forceinline__ void linear(const uint32_t *tile, int pitch, Real t, Real s, float bias, In *to) {
    typedef Texel<In, C> T;
    uint32_t a[T::WORDS], b[T::WORDS], c[T::WORDS], d[T::WORDS];
    read<T::WORDS, T::WORDS>(tile, a);
    read<T::WORDS, T::WORDS>(tile + T::WORDS, b);
    read<T::WORDS, T::WORDS>(tile + pitch, c);
    read<T::WORDS, T::WORDS>(tile + pitch + T::WORDS, d);
    const Real both = t * s;
#pragma unroll
    for (int i = 0; i < C; i++) {
        const Real first = T::value(a, i), right = T::value(b, i), below = T::value(c, i), last = T::value(d, i);
        if constexpr (sizeof(In) == sizeof(float)) { /* all count, also with weight 0 */
            rounded((1 - t) * (1 - s) * first + t * (1 - s) * right + (1 - t) * s * below + both * last, to + i);
        } else {
            const Real across = right - first, down = below - first, twist = (last - below) - across;
            rounded(first + (t * across + (s * down + (both * twist + (Real)bias))), to + i);
        }
    }
}

template <typename Real> static __device__ __forceinline__ void cubic_weights(Real t, Real (&weights)[4]) {
    weights[0] = (((Real)-0.5 * t + 1) * t - (Real)0.5) * t;
    weights[1] = ((Real)1.5 * t - (Real)2.5) * t * t + 1;
    weights[2] = (((Real)-1.5 * t + 2) * t + (Real)0.5) * t;
    weights[3] = ((Real)0.5 * t - (Real)0.5) * t * t;
}

template <typename In, int C, typename Real>
static __device__ __forceinline__ void cubic(const uint32_t *tile, int pitch, Real t, Real s, float bias, In *to) {
    typedef Texel<In, C> T;
    Real across[4], down[4], sums[C];
    cubic_weights(t, across);
    cubic_weights(s, down);
#pragma unroll
    for (int c = 0; c < C; c++)
        sums[c] = (Real)bias;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        Real row[C] = {};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint32_t words[T::WORDS];
            read<T::WORDS, T::WORDS>(tile + j * pitch + i * T::WORDS, words);
#pragma unroll
            for (int c = 0; c < C; c++)
                row[c] += across[i] * (T::value(words, c) - Whole<In>::shift());
        }
#pragma unroll
        for (int c = 0; c < C; c++)
            sums[c] += down[j] * row[c];
    }
#pragma unroll
    for (int c = 0; c < C; c++)
        to[c] = Stored<In>::from(sums[c]);
}

/* The result at a place. `tile` is the first of the pixels around, and rows are `pitch` words apart. The place lies
 * `across` and `down` behind the pixel, in 2^-32. */
template <typename In, int C, int TAPS>
static __device__ __forceinline__ void sample(const uint32_t *tile, int pitch, uint32_t across, uint32_t down,
                                              float bias, In *to) {
    typedef typename Whole<In>::Real Real;
    typedef Texel<In, C> T;
    if constexpr (TAPS == 1) {
        uint32_t words[T::WORDS];
        read<T::WORDS, T::WORDS>(tile, words);
#pragma unroll
        for (int c = 0; c < C; c++)
            to[c] = T::unpack(words, c);
    } else {
        Real t, s;
        fraction(across, &t);
        fraction(down, &s);
        if constexpr (TAPS == 2)
            linear<In, C, Real>(tile, pitch, t, s, bias, to);
        else
            cubic<In, C, Real>(tile, pitch, t, s, bias, to);
    }
}

#endif
