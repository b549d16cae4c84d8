/* linear.h: bytes read linearly between pixels, a pixel a lane, for rows.isa.c. Narrow loads bring
 * the pixels around, in sets where shuffles put these in lanes. Others weigh pixel by pixel. */
#ifndef GLINT_CPU_WARP_LINEAR_H
#define GLINT_CPU_WARP_LINEAR_H

#include "core/ops/warp.h"
#include "cpu/vector.h"

#if defined(ISA_avx512) || defined(ISA_avx2)

typedef double Doubles __attribute__((vector_size(VECTOR_BYTES)));
enum {
    DOUBLES = LANES / 2,
    LINEAR_PIXELS = 128,  /* of a run, at most */
    LINEAR_FAR = 1 << 19, /* pixels: places have 20 bits before the point, with their sign */
    LINEAR_CHANNELS = 4,  /* at most */
};

/* Whether all bytes of the picture have a number of 31 bits, and there are pixels around to read. */
static inline bool linear_can(const Stage *stage) {
    const ImageView in = stage->in[0];
    return in.shape.type == PIXEL_U8 && warp_job(stage)->kernel == WARP_LINEAR && in.shape.channels != 2 &&
           in.shape.width >= 8 && in.shape.height >= 2 && in.shape.width < LINEAR_FAR && in.shape.height < LINEAR_FAR &&
           in.stride * in.shape.height < INT32_MAX;
}

/* ---- places of a run ---- */

/* A run of pixels to be read: the byte at which the four around one begin, and how far behind the first it lies. All
 * are found before the first is read, as the way from a place to its byte is long. */
typedef struct LinearRun {
    float across[LINEAR_PIXELS], down[LINEAR_PIXELS];
    int32_t at[LINEAR_PIXELS];
    unsigned inside[LINEAR_PIXELS / LANES]; /* bits of pixels whose four around lie within; others begin at 0 */
} LinearRun;

static inline Doubles linear_between(Doubles at, double least, double most) {
    const Doubles low = least - (Doubles){0}, high = most - (Doubles){0};
#    if defined(ISA_avx512)
    return (Doubles)_mm512_min_pd(_mm512_max_pd((__m512d)at, (__m512d)low), (__m512d)high);
#    else
    return (Doubles)_mm256_min_pd(_mm256_max_pd((__m256d)at, (__m256d)low), (__m256d)high);
#    endif
}

/* LANES places in two vectors, of which linear_halves puts the halves in order. */
static inline void linear_load(const double *at, Doubles places[2]) {
#    if defined(ISA_avx512)
    memcpy(places, at, 2 * sizeof *places);
#    else
    for (int k = 0; k < 2; k++)
        places[k] = (Doubles)_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(at + (ptrdiff_t)2 * k)),
                                                  _mm_loadu_pd(at + (ptrdiff_t)2 * k + 4), 1);
#    endif
}

/* The lower or the upper four bytes of each eight. */
static inline Ints linear_halves(Doubles first, Doubles second, bool upper) {
#    if defined(ISA_avx512)
    const __m512i evens = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return (Ints)_mm512_permutex2var_epi32((__m512i)first, _mm512_add_epi32(evens, _mm512_set1_epi32(upper)),
                                           (__m512i)second);
#    else
    return upper ? (Ints)_mm256_shuffle_ps((__m256)first, (__m256)second, 0xdd)
                 : (Ints)_mm256_shuffle_ps((__m256)first, (__m256)second, 0x88);
#    endif
}

/* The first of the two pixels around each of LANES places along an axis of `size` pixels, and how far behind it they
 * are. Where edges go on, places beyond them have the values of the nearest place within. Others beyond LINEAR_FAR are
 * that far. A sum with 1.5 times 2^20 has the whole pixels in its upper half, and the rest in its lower one. */
static inline Ints linear_places(const double *at, size_t size, bool goes_on, Floats *behind) {
    const double shift = 0x1.8p20, before_last = (double)(int32_t)size - 1 - 0x1p-30; /* between the last two */
    Doubles places[2];
    linear_load(at, places);
    for (int k = 0; k < 2; k++)
        places[k] =
            linear_between(places[k], goes_on ? 0 : -LINEAR_FAR, goes_on ? before_last : LINEAR_FAR - 1) + shift;
    const Ints rest = linear_halves(places[0], places[1], false), whole = linear_halves(places[0], places[1], true);
    *behind = 0x1p-24F * __builtin_convertvector(rest >> 8 & 0xffffff, Floats);
    return whole - 0x41380000; /* the upper half of the shift */
}

static inline void linear_find(const Stage *stage, const double *u, const double *v, size_t count, LinearRun *run) {
    const ImageView in = stage->in[0];
    const int32_t right = (int32_t)in.shape.width - 1, bottom = (int32_t)in.shape.height - 1;
    const bool goes_on = warp_job(stage)->border == BORDER_CLAMP;
    for (size_t i = 0; i < count; i += LANES) {
        Floats across, down;
        const Ints left = linear_places(u + i, in.shape.width, goes_on, &across);
        const Ints top = linear_places(v + i, in.shape.height, goes_on, &down);
        Ints at = left * in.shape.channels + top * (int32_t)in.stride;
        run->inside[i / LANES] = ~0U;
        if (!goes_on) {
            const Which is_inside = less_int(spread_int(-1), left) & less_int(spread_int(-1), top) &
                                    less_int(left, spread_int(right)) & less_int(top, spread_int(bottom));
            at = blend_int(is_inside, at, (Ints){0});
            run->inside[i / LANES] = bits_of(is_inside);
        }
        memcpy(run->across + i, &across, sizeof across);
        memcpy(run->down + i, &down, sizeof down);
        memcpy(run->at + i, &at, sizeof at);
    }
}

/* ---- their pixels ---- */

/* The four pixels around each of LANES places, the upper two first: channel c is byte first[k] + c of around[k]. */
typedef struct LinearPixels {
    Ints around[4];
    int first[4];
} LinearPixels;

/* Eight bytes from from + at for four lanes, half of them from `apart` lanes further on. Gathers are made of forty
 * instructions on AMD's processors, and loads of eight bytes take a quarter of these. */
static inline __m256i linear_pairs(const uint8_t *from, const int32_t *at, int apart) {
    __m128 halves[2];
    for (int half = 0; half < 2; half++) {
        const int32_t *lane = at + (ptrdiff_t)apart * half;
        const __m128i one = _mm_loadl_epi64((const __m128i *)(const void *)(from + lane[0]));
        halves[half] = _mm_loadh_pi(_mm_castsi128_ps(one), (const __m64 *)(const void *)(from + lane[1]));
    }
    return _mm256_castps_si256(_mm256_insertf128_ps(_mm256_castps128_ps256(halves[0]), halves[1], 1));
}

/* A pixel of 3 or 4 bytes from byte `first` on of each eight. */
static inline Ints linear_pixel(const Doubles pairs[2], int first, int channels, int *first_now) {
    Doubles now[] = {pairs[0], pairs[1]};
    *first_now = first < 4 ? first : first - 4;
    if (first < 4 && first + channels > 4) {
        for (int k = 0; k < 2; k++) {
            typedef uint64_t Longs __attribute__((vector_size(VECTOR_BYTES)));
            now[k] = (Doubles)((Longs)now[k] >> 8 * first);
        }
        *first_now = 0;
    }
    return linear_halves(now[0], now[1], first >= 4);
}

/* Two pixels side by side, of 3 or 4 bytes, from from + at on. Eight bytes are read; `behind` of them lie before. */
static inline void linear_gather(const uint8_t *from, const int32_t *at, int behind, int channels, Ints pixels[2],
                                 int first[2]) {
    from -= behind;
#    if defined(ISA_avx512)
    Doubles pairs[2];
    for (int k = 0; k < 2; k++) {
        const int32_t *eight = at + (ptrdiff_t)DOUBLES * k;
        pairs[k] = (Doubles)_mm512_inserti64x4(_mm512_castsi256_si512(linear_pairs(from, eight, 2)),
                                               linear_pairs(from, eight + DOUBLES / 2, 2), 1);
    }
#    else
    const Doubles pairs[] = {(Doubles)linear_pairs(from, at, 4), (Doubles)linear_pairs(from, at + 2, 4)};
#    endif
    for (int k = 0; k < 2; k++)
        pixels[k] = linear_pixel(pairs, behind + k * channels, channels, &first[k]);
}

/* The four pixels around each of `count` places, of a byte each: two lie side by side in either row. */
static inline void linear_words(ImageView in, const int32_t *at, size_t count, uint32_t *words) {
    const uint8_t *upper = view_row(in, 0), *lower = upper + in.stride;
    for (size_t i = 0; i < count; i++) {
        uint16_t above, below;
        memcpy(&above, upper + at[i], sizeof above);
        memcpy(&below, lower + at[i], sizeof below);
        words[i] = above | (uint32_t)below << 16;
    }
}

static inline LinearPixels linear_of_words(const uint32_t *words) {
    const Ints around = load_int(words);
    return (LinearPixels){{around, around, around, around}, {0, 1, 2, 3}};
}

/* The four pixels, of 3 or 4 bytes, around each place. Bytes that are read besides lie behind the upper two, and before
 * the lower two: so all are the picture's. */
static inline LinearPixels linear_around(ImageView in, const int32_t *at, int channels) {
    const uint8_t *upper = view_row(in, 0), *lower = upper + in.stride;
    LinearPixels found;
    linear_gather(upper, at, 0, channels, found.around, found.first);
    linear_gather(lower, at, 8 - 2 * channels, channels, found.around + 2, found.first + 2);
    return found;
}

/* ---- their sums ---- */

static inline Floats linear_byte(Ints pixels, int byte) {
    ByteLanes places;
    for (int b = 0; b < VECTOR_BYTES; b++)
        places[b] = (uint8_t)(b % 4 == 0 ? b % 16 + byte : 255);
    return __builtin_convertvector((Ints)pick_bytes((ByteLanes)pixels, places), Floats);
}

/* Signed numbers of 16 bits become bytes: by turns eight of `a` and eight of `b`. */
static inline ByteLanes linear_pack(Ints a, Ints b) {
#    if defined(ISA_avx512)
    return (ByteLanes)_mm512_packus_epi16((__m512i)a, (__m512i)b);
#    else
    return (ByteLanes)_mm256_packus_epi16((__m256i)a, (__m256i)b);
#    endif
}

/* The weighted sums of LANES pixels, in order. A half more, and the rest is cut off. */
static inline __attribute__((always_inline)) Ints linear_weigh(const LinearPixels *pixels, Floats u, Floats v,
                                                               int channels) {
    const Floats both = u * v, right = u - both, below = v - both, neither = (1 - u) - below;
    Ints sums[LINEAR_CHANNELS] = {{0}};
    for (int c = 0; c < channels; c++) {
        Floats sum = neither * linear_byte(pixels->around[0], pixels->first[0] + c) + (0.5F + (float)TIE_BIAS);
        sum += right * linear_byte(pixels->around[1], pixels->first[1] + c);
        sum += below * linear_byte(pixels->around[2], pixels->first[2] + c);
        sum += both * linear_byte(pixels->around[3], pixels->first[3] + c);
        sums[c] = __builtin_convertvector(sum, Ints);
    }
    /* Four pixels are 16 bytes, channel by channel, which a shuffle puts in order. */
    const ByteLanes bytes = linear_pack(pack_pairs(sums[0], sums[1]), pack_pairs(sums[2], sums[3]));
    ByteLanes places;
    Ints order;
    for (int b = 0; b < VECTOR_BYTES; b++)
        places[b] = (uint8_t)(b % 16 < 4 * channels ? b % 16 % channels * 4 + b % 16 / channels : 255);
    for (int lane = 0; lane < LANES; lane++)
        order[lane] = lane < LANES / 4 * channels ? lane / channels * 4 + lane % channels : 0;
    return (Ints)permute((Floats)pick_bytes(bytes, places), order);
}

#endif
#endif
