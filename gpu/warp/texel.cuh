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

static __device__ __forceinline__ void rounded(double shifted, uint16_t *to) {
    *to = (uint16_t)__double2loint(shifted);
}
static __device__ __forceinline__ void rounded(float value, float *to) {
    *to = value;
}

/* A pixel of a result: its values, or its bytes in a word. */
template <typename In, int C> struct Result { In values[C]; };
template <int C> struct Result<uint8_t, C> { uint32_t word; };

template <typename In, int C> static __device__ __forceinline__ void put(const In (&values)[C], Result<In, C> *to) {
#pragma unroll
    for (int c = 0; c < C; c++)
        to->values[c] = values[c];
}
template <int C> static __device__ __forceinline__ void put(const uint8_t (&values)[C], Result<uint8_t, C> *to) {
    Texel<uint8_t, C>::pack(values, &to->word);
}

/* The mean of four f32 values, of which all count, also with weight 0. */
static __device__ __forceinline__ float mean_of(float first, float next, float below, float last, float t, float s) {
    return fmaf(t * s, last, fmaf((1 - t) * s, below, fmaf(t * (1 - s), next, (1 - t) * (1 - s) * first)));
}

/* The mean of four pixels: for whole numbers the first and a sum of differences, which rounds when they meet. */
template <typename In, int C>
static __device__ __forceinline__ void linear(const uint32_t *tile, int pitch, uint32_t right, uint32_t down,
                                              float bias, Result<In, C> *to) {
    typedef Texel<In, C> T;
    typedef typename Whole<In>::Real Real;
    uint32_t a[T::WORDS], b[T::WORDS], c[T::WORDS], d[T::WORDS];
    read<T::WORDS, T::WORDS>(tile, a);
    read<T::WORDS, T::WORDS>(tile + T::WORDS, b);
    read<T::WORDS, T::WORDS>(tile + pitch, c);
    read<T::WORDS, T::WORDS>(tile + pitch + T::WORDS, d);
    Real t, s;
    fraction(right, &t);
    fraction(down, &s);
#pragma unroll
    for (int i = 0; i < C; i++) {
        const Real first = T::value(a, i), next = T::value(b, i), below = T::value(c, i), last = T::value(d, i);
        if constexpr (sizeof(In) == sizeof(float)) {
            rounded(mean_of(first, next, below, last, t, s), to->values + i);
        } else {
            const Real along = next - first, lower = below - first, twist = (last - below) - along;
            rounded(first + (t * along + (s * lower + (t * s * twist + (Real)bias))), to->values + i);
        }
    }
}

/* The sum of a pair's bytes times a pair's halves: the lower two bytes, or the upper two. */
template <bool UPPER>
static __device__ __forceinline__ uint32_t add_pair(uint32_t weights, uint32_t bytes, uint32_t sum) {
    return UPPER ? __dp2a_hi(weights, bytes, sum) : __dp2a_lo(weights, bytes, sum);
}

/* The mean of four pixels of bytes. Their weights sum to 2^32. Sums of the weights' upper halves hold the result above
 * bit 16, and those of the lower halves carry into it. */
template <int C>
static __device__ __forceinline__ void linear(const uint32_t *tile, int pitch, uint32_t right, uint32_t down,
                                              float bias, Result<uint8_t, C> *to) {
    const uint32_t a = tile[0], b = tile[1], c = tile[pitch], d = tile[pitch + 1];
    const uint32_t half = 0x8000 + (uint32_t)(TIE_BIAS * 65536);
    const uint32_t t = right | 1; /* or the first weight may be 2^32 */
    const uint32_t last = __umulhi(t, down), next = t - last, below = down - last, first = 0 - next - down;
    const uint32_t top = __byte_perm(first, next, 0x7632), top_rest = __byte_perm(first, next, 0x5410);
    const uint32_t bottom = __byte_perm(below, last, 0x7632), bottom_rest = __byte_perm(below, last, 0x5410);
    uint32_t sums[4] = {};
#pragma unroll
    for (int i = 0; i < C; i += 2) { /* two values of neighbours, the first ones in the lower bytes */
        const uint32_t above = __byte_perm(a, b, i == 0 ? 0x5140 : 0x7362);
        const uint32_t under = __byte_perm(c, d, i == 0 ? 0x5140 : 0x7362);
        sums[i] = add_pair<false>(top, above, add_pair<false>(bottom, under, half)) +
                  (add_pair<false>(top_rest, above, add_pair<false>(bottom_rest, under, 0)) >> 16);
        if (i + 1 < C)
            sums[i + 1] = add_pair<true>(top, above, add_pair<true>(bottom, under, half)) +
                          (add_pair<true>(top_rest, above, add_pair<true>(bottom_rest, under, 0)) >> 16);
    }
    to->word = __byte_perm(sums[0], sums[1], 0x0062);
    if (C > 2)
        to->word = __byte_perm(to->word, C == 4 ? __byte_perm(sums[2], sums[3], 0x6200) : sums[2], 0x7610);
    if (C == 1)
        to->word = sums[0] >> 16;
}

template <typename Real> static __device__ __forceinline__ void cubic_weights(Real t, Real (&weights)[4]) {
    weights[0] = (((Real)-0.5 * t + 1) * t - (Real)0.5) * t;
    weights[1] = ((Real)1.5 * t - (Real)2.5) * t * t + 1;
    weights[2] = (((Real)-1.5 * t + 2) * t + (Real)0.5) * t;
    weights[3] = ((Real)0.5 * t - (Real)0.5) * t * t;
}

template <typename In, int C>
static __device__ __forceinline__ void cubic(const uint32_t *tile, int pitch, uint32_t right, uint32_t below,
                                             float bias, Result<In, C> *to) {
    typedef Texel<In, C> T;
    typedef typename Whole<In>::Real Real;
    Real t, s, across[4], down[4], sums[C];
    In values[C];
    fraction(right, &t);
    fraction(below, &s);
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
        values[c] = Stored<In>::from(sums[c]);
    put(values, to);
}

template <typename In, int C> static __device__ __forceinline__ void nearest(const uint32_t *tile, Result<In, C> *to) {
    typedef Texel<In, C> T;
    uint32_t words[T::WORDS];
    In values[C];
    read<T::WORDS, T::WORDS>(tile, words);
#pragma unroll
    for (int c = 0; c < C; c++)
        values[c] = T::unpack(words, c);
    put(values, to);
}
template <int C> static __device__ __forceinline__ void nearest(const uint32_t *tile, Result<uint8_t, C> *to) {
    to->word = *tile;
}

/* The result at a place. `tile` is the first of the pixels around, and rows are `pitch` words apart. The place lies
 * `across` and `down` behind the pixel, in 2^-32. */
template <typename In, int C, int TAPS>
static __device__ __forceinline__ void sample(const uint32_t *tile, int pitch, uint32_t across, uint32_t down,
                                              float bias, Result<In, C> *to) {
    if constexpr (TAPS == 1)
        nearest(tile, to);
    else if constexpr (TAPS == 2)
        linear(tile, pitch, across, down, bias, to);
    else
        cubic(tile, pitch, across, down, bias, to);
}

#endif
