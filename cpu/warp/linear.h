/* linear.h: bytes read linearly between pixels, a pixel a lane, for rows.isa.c: a gather brings the channels of a
 * pixel. Sets without gathers weigh pixel by pixel. */
#ifndef GLINT_CPU_WARP_LINEAR_H
#define GLINT_CPU_WARP_LINEAR_H

#include "core/ops/warp.h"
#include "cpu/vector.h"

#if defined(ISA_avx512) || defined(ISA_avx2)

/* Four bytes from from + at, for each lane. */
static inline Ints gather_bytes(const uint8_t *from, Ints at) {
#    if defined(ISA_avx512)
    return (Ints)_mm512_i32gather_epi32((__m512i)at, from, 1);
#    else
    return (Ints)_mm256_i32gather_epi32((const int *)(const void *)from, (__m256i)at, 1);
#    endif
}

static inline Floats byte_of(Ints pixels, int c) {
    ByteLanes places;
    for (int b = 0; b < VECTOR_BYTES; b++)
        places[b] = (uint8_t)(b % 4 == 0 ? b % 16 + c : 255);
    return __builtin_convertvector((Ints)pick_bytes((ByteLanes)pixels, places), Floats);
}

/* Whether all bytes of the picture have a number of 31 bits, and there are pixels around to read. */
static inline bool linear_can(const Stage *stage) {
    const ImageView in = stage->in[0];
    return in.shape.type == PIXEL_U8 && warp_job(stage)->kernel == WARP_LINEAR && in.shape.channels != 2 &&
           in.shape.width >= 8 && in.shape.height >= 2 && in.stride * in.shape.height < INT32_MAX;
}

#    if !defined(ISA_avx512)
/* Eight bytes from from + at, for the lanes number `first`, first + 1, first + 4 and first + 5. */
static inline __m256i four_pairs(const uint8_t *from, Ints at, int first) {
    __m128 halves[2];
    for (int half = 0; half < 2; half++) {
        const int lane = first + 4 * half;
        const __m128i one = _mm_loadl_epi64((const __m128i *)(const void *)(from + at[lane]));
        halves[half] = _mm_loadh_pi(_mm_castsi128_ps(one), (const __m64 *)(const void *)(from + at[lane + 1]));
    }
    return _mm256_castps_si256(_mm256_insertf128_ps(_mm256_castps128_ps256(halves[0]), halves[1], 1));
}
/* The lower four bytes of each eight, in the order of lanes. */
static inline Ints two_of_four(__m256i outer, __m256i inner) {
    return (Ints)_mm256_shuffle_ps(_mm256_castsi256_ps(outer), _mm256_castsi256_ps(inner), 0x88);
}
#    endif

/* Two pixels side by side from from + at on, of 3 or 4 bytes. Eight bytes are read. */
static inline void gather_pairs(const uint8_t *from, Ints at, int channels, Ints *left, Ints *right) {
#    if defined(ISA_avx512)
    const __m512i evens = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256((__m512i)at), from, 1);
    const __m512i high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64((__m512i)at, 1), from, 1);
    const unsigned bits = 8 * (unsigned)channels;
    *left = (Ints)_mm512_permutex2var_epi32(low, evens, high);
    *right = (Ints)_mm512_permutex2var_epi32(_mm512_srli_epi64(low, bits), evens, _mm512_srli_epi64(high, bits));
#    else
    /* Loads of eight bytes take a quarter of the instructions that this set's gathers are made of. */
    const __m256i outer = four_pairs(from, at, 0), inner = four_pairs(from, at, 2);
    const int bits = 8 * channels;
    *left = two_of_four(outer, inner);
    *right = two_of_four(_mm256_srli_epi64(outer, bits), _mm256_srli_epi64(inner, bits));
#    endif
}

static inline Ints lesser_int(Ints a, Ints b) {
    return blend_int(less_int(a, b), a, b);
}

/* The pixel nearest to (x, y) in the picture, whose last four bytes begin at `last`. */
static inline Ints gather_clamped(ImageView in, Ints x, Ints y, int channels, Ints last) {
    const Ints zero = {0};
    x = lesser_int(blend_int(less_int(x, zero), zero, x), spread_int((int32_t)in.shape.width - 1));
    y = lesser_int(blend_int(less_int(y, zero), zero, y), spread_int((int32_t)in.shape.height - 1));
    const Ints at = x * channels + y * (int32_t)in.stride, from = lesser_int(at, last);
    typedef uint32_t Words __attribute__((vector_size(VECTOR_BYTES)));
    return (Ints)((Words)gather_bytes(view_row(in, 0), from) >> (Words)(8 * (at - from)));
}

/* The four pixels around each place, the upper two first. */
typedef struct LinearPixels {
    Ints around[4];
} LinearPixels;

static inline Ints linear_weigh(const LinearPixels *pixels, Floats u, Floats v, int channels) {
    const Ints *around = pixels->around;
    Ints made = {0};
    for (int k = 0; k < channels; k++) {
        const Floats upper = byte_of(around[0], k) + u * (byte_of(around[1], k) - byte_of(around[0], k));
        const Floats lower = byte_of(around[2], k) + u * (byte_of(around[3], k) - byte_of(around[2], k));
        const Floats sum = upper + v * (lower - upper) + (float)TIE_BIAS;
        made |= ((Ints)(sum + 0x1.8p23F) & 0xff) << (8 * k); /* rounds to a whole number, which the lower bits hold */
    }
    return made;
}

/* The pixels at (x + u, y + v), a byte for each channel. Returns bits of those that are made: all if the border is
 * clamp, else where all that is read lies in the picture. */
static inline __attribute__((always_inline)) unsigned
linear_pixels(const Stage *stage, const int32_t *x, const int32_t *y, Floats u, Floats v, int channels, Ints *made) {
    const ImageView in = stage->in[0];
    const uint8_t *pixels = view_row(in, 0);
    const int near = channels == 1 ? 4 : channels == 4 ? 2 : 3; /* pixels, of the bytes that a gather reads */
    const unsigned all = (unsigned)((1ULL << LANES) - 1);
    LinearPixels found = {.around = {{0}}};
    Ints left, top, *around = found.around;
    memcpy(&left, x, sizeof left);
    memcpy(&top, y, sizeof top);
    const Which is_inside = less_int(spread_int(-1), left) & less_int(spread_int(-1), top) &
                            less_int(left, spread_int((int32_t)in.shape.width - near + 1)) &
                            less_int(top, spread_int((int32_t)in.shape.height - 1));
    unsigned inside = bits_of(is_inside);
    if (inside != all && warp_job(stage)->border == BORDER_CLAMP) {
        const Ints last =
            spread_int((int32_t)(in.stride * (in.shape.height - 1)) + (int32_t)in.shape.width * channels - 4);
        for (int k = 0; k < 4; k++)
            around[k] = gather_clamped(in, left + k % 2, top + k / 2, channels, last);
        inside = all;
    } else {
        const Ints at = blend_int(is_inside, left * channels + top * (int32_t)in.stride, (Ints){0});
        if (channels == 1) {
            around[0] = gather_bytes(pixels, at);
            around[2] = gather_bytes(pixels + in.stride, at);
            around[1] = around[0] >> 8;
            around[3] = around[2] >> 8;
        } else {
            gather_pairs(pixels, at, channels, &around[0], &around[1]);
            gather_pairs(pixels + in.stride, at, channels, &around[2], &around[3]);
        }
    }
    *made = linear_weigh(&found, u, v, channels);
    return inside;
}

#endif
#endif
