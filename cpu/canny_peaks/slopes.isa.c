/* slopes.isa.c: sums of all values first, each from its neighbours of the same channel, which takes vectors of any
 * channels. Then it takes the greatest of each pixel. Whole numbers up to u16 have sums of 32 bits. Bytes of one
 * channel have sums of 16 bits, and the slopes of all bytes are compared as such. */
#include "cpu/canny_peaks/slopes.h"

#include "cpu/vector.h"

#include <math.h>
#include <stdlib.h>

/* In the order of canny_slope (core/math/canny.h), which doubles depend on. */
#define SUMS(Type, Sum)                                                                                                \
    INLINE void sums_##Type(const Type *restrict above, const Type *restrict here, const Type *restrict below,         \
                            size_t channels, size_t values, sum_##Type *restrict right, sum_##Type *restrict down) {   \
        for (size_t i = channels; i < values - channels; i++) {                                                        \
            const size_t left = i - channels, next = i + channels;                                                     \
            const Sum a = (Sum)above[next] - (Sum)above[left], b = (Sum)here[next] - (Sum)here[left];                  \
            right[i] = a + 2 * b + ((Sum)below[next] - (Sum)below[left]);                                              \
            const Sum c = (Sum)below[left] - (Sum)above[left], d = (Sum)below[i] - (Sum)above[i];                      \
            down[i] = c + 2 * d + ((Sum)below[next] - (Sum)above[next]);                                               \
        }                                                                                                              \
    }

/* NOLINTBEGIN(bugprone-macro-parentheses): a type stands in none */
/* The first of equals. */
#define GREATEST(Type, Sum, absolute, Slope)                                                                           \
    INLINE void greatest_##Type(const Sum *restrict right, const Sum *restrict down, size_t width, int colours,        \
                                int channels, SlopeRow to) {                                                           \
        Slope *restrict rights = to.right, *restrict downs = to.down, *restrict magnitudes = to.magnitudes;            \
        for (size_t x = 1; x < width - 1; x++) {                                                                       \
            const size_t at = x * (size_t)channels;                                                                    \
            Sum i = right[at], j = down[at], most = absolute(i) + absolute(j);                                         \
            for (size_t c = 1; c < (size_t)colours; c++) {                                                             \
                const Sum magnitude = absolute(right[at + c]) + absolute(down[at + c]);                                \
                const bool greater = magnitude > most;                                                                 \
                i = greater ? right[at + c] : i;                                                                       \
                j = greater ? down[at + c] : j;                                                                        \
                most = greater ? magnitude : most;                                                                     \
            }                                                                                                          \
            rights[x] = (Slope)i;                                                                                      \
            downs[x] = (Slope)j;                                                                                       \
            magnitudes[x] = (Slope)most;                                                                               \
        }                                                                                                              \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Colours and channels as constants for the numbers that pictures have. */
#define SLOPES(Type, Sum, absolute, Slope)                                                                             \
    typedef Sum sum_##Type;                                                                                            \
    SUMS(Type, Sum)                                                                                                    \
    GREATEST(Type, Sum, absolute, Slope)                                                                               \
    static void slopes_##Type(const void *const rows[3], size_t width, int colours, int channels, double *sums,        \
                              SlopeRow to) {                                                                           \
        const size_t values = width * (size_t)channels;                                                                \
        sum_##Type *right = (sum_##Type *)(void *)sums, *down = right + values;                                        \
        sums_##Type(rows[0], rows[1], rows[2], (size_t)channels, values, right, down);                                 \
        if (channels == 1)                                                                                             \
            greatest_##Type(right, down, width, 1, 1, to);                                                             \
        else if (channels == 3 && colours == 3)                                                                        \
            greatest_##Type(right, down, width, 3, 3, to);                                                             \
        else if (channels == 4 && colours == 3)                                                                        \
            greatest_##Type(right, down, width, 3, 4, to);                                                             \
        else                                                                                                           \
            greatest_##Type(right, down, width, colours, channels, to);                                                \
    }

SLOPES(uint8_t, int, abs, int16_t)
SLOPES(uint16_t, int, abs, double)
SLOPES(float, double, fabs, double)

/* ---- bytes ---- */

typedef int16_t Words __attribute__((vector_size(VECTOR_BYTES)));
typedef uint8_t HalfBytes __attribute__((vector_size(VECTOR_BYTES / 2)));
enum { WORDS = VECTOR_BYTES / sizeof(int16_t) };

INLINE Words words_of(const uint8_t *from) {
    HalfBytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, Words);
}
INLINE Words load_words(const int16_t *from) {
    Words words;
    memcpy(&words, from, sizeof words);
    return words;
}
INLINE Words sizes_of(Words words) {
    const Words sign = words >> 15;
    return (words ^ sign) - sign;
}
INLINE Words either(Words mask, Words yes, Words no) {
    return (mask & yes) | (~mask & no);
}
/* The upper halves of products of 32 bits; of numbers that are not negative. */
INLINE Words upper_product(Words a, int16_t b) {
#if defined(ISA_avx512)
    return (Words)_mm512_mulhi_epi16((__m512i)a, _mm512_set1_epi16(b));
#elif defined(ISA_avx2)
    return (Words)_mm256_mulhi_epi16((__m256i)a, _mm256_set1_epi16(b));
#elif defined(__SSE2__)
    return (Words)_mm_mulhi_epi16((__m128i)a, _mm_set1_epi16(b));
#else
    for (size_t i = 0; i < WORDS; i++)
        a[i] = (int16_t)(a[i] * b >> 16);
    return a;
#endif
}

/* A vector of slopes from the pixel number `x` on. */
INLINE void slopes_of_bytes(const uint8_t *above, const uint8_t *here, const uint8_t *below, size_t x, SlopeRow to) {
    const Words above_left = words_of(above + x - 1), above_next = words_of(above + x + 1);
    const Words below_left = words_of(below + x - 1), below_next = words_of(below + x + 1);
    const Words across = words_of(here + x + 1) - words_of(here + x - 1);
    const Words steep = words_of(below + x) - words_of(above + x);
    const Words rising = below_next - above_left, falling = above_next - below_left;
    const Words right = rising + falling + across + across, down = rising - falling + steep + steep;
    const Words magnitude = sizes_of(right) + sizes_of(down);
    memcpy((int16_t *)to.right + x, &right, sizeof right);
    memcpy((int16_t *)to.down + x, &down, sizeof down);
    memcpy((int16_t *)to.magnitudes + x, &magnitude, sizeof magnitude);
}

/* The last vector overlaps the one before it, as no pixel behind the row may be read. */
static void slopes_bytes(const void *const rows[3], size_t width, int colours, int channels, double *sums,
                         SlopeRow to) {
    if (channels > 1 || width < WORDS + 2) {
        slopes_uint8_t(rows, width, colours, channels, sums, to);
        return;
    }
    for (size_t x = 1; x < width - 1; x += WORDS)
        slopes_of_bytes(rows[0], rows[1], rows[2], x + WORDS < width ? x : width - 1 - WORDS, to);
}

SlopesOfRow *const ISA_NAME(slopes)[PIXEL_TYPES] = {slopes_bytes, slopes_uint16_t, slopes_float};

/* The comparisons of core/math/canny.h for whole numbers. 79109 / 32768 is 2 and 13573 / 32768, and neither times a
 * number below 32768 is whole: comparisons with the whole part below are the same. */
INLINE Words classes_of_words(SlopeRow row, const int16_t *above, const int16_t *below, size_t x, Words low,
                              Words high) {
    const int16_t *here = row.magnitudes;
    const Words right = load_words((const int16_t *)row.right + x), down = load_words((const int16_t *)row.down + x);
    const Words at = load_words(here + x), twice = 2 * sizes_of(right), steep = sizes_of(down);
    const Words part = upper_product(twice, 13573), is_across = steep <= part, is_down = steep > twice + part;
    const Words is_rising = (right ^ down) >> 15, none = {0};
    const Words before_slanted = either(is_rising, load_words(above + x + 1), load_words(above + x - 1));
    const Words behind_slanted = either(is_rising, load_words(below + x - 1), load_words(below + x + 1));
    const Words before =
        either(is_across, load_words(here + x - 1), either(is_down, load_words(above + x), before_slanted));
    const Words behind =
        either(is_across, load_words(here + x + 1), either(is_down, load_words(below + x), behind_slanted));
    const Words is_peak = (at > before) & (at > behind + (is_across | is_down)); /* -1 makes it "or equal" */
    return is_peak & (at > low) & either(at > high, none + CANNY_STRONG, none + CANNY_WEAK);
}

/* Magnitudes are whole. */
static int16_t limit_of(double magnitude) {
    return (int16_t)(magnitude < INT16_MAX ? floor(magnitude) : INT16_MAX);
}

static void peaks_bytes(const CannyJob *job, SlopeRow row, const void *above, const void *below, size_t width,
                        unsigned char *to) {
    const Words none = {0}, low = none + limit_of(job->low), high = none + limit_of(job->high);
    for (size_t x = 0; x < width; x += WORDS) {
        const HalfBytes classes = __builtin_convertvector(classes_of_words(row, above, below, x, low, high), HalfBytes);
        if (width - x >= WORDS)
            memcpy(to + x, &classes, sizeof classes);
        else
            memcpy(to + x, &classes, width - x);
    }
}

enum { SOME = 256 }; /* pixels whose classes wait as doubles, which a vector of comparisons leaves */

/* The comparisons of core/math/canny.h for all directions, without a branch. */
static void peaks_reals(const CannyJob *job, SlopeRow row, const void *row_above, const void *row_below, size_t width,
                        unsigned char *to) {
    const double *above = row_above, *below = row_below;
    const double *rights = row.right, *downs = row.down, *here = row.magnitudes;
    const double low = job->low, high = job->high;
    for (size_t first = 0; first < width; first += SOME) {
        const size_t count = width - first < SOME ? width - first : SOME;
        double classes[SOME];
        for (size_t i = 0; i < count; i++) {
            const size_t x = first + i;
            const double right = rights[x], down = downs[x], at = here[x];
            const double across = fabs(right), steep = fabs(down) * 32768;
            const bool is_across = steep<across * 13573, is_down = steep> across * 79109;
            const bool is_rising = (right < 0) != (down < 0), is_straight = is_across | is_down;
            const double before_slanted = is_rising ? above[x + 1] : above[x - 1];
            const double behind_slanted = is_rising ? below[x - 1] : below[x + 1];
            const double before = is_across ? here[x - 1] : is_down ? above[x] : before_slanted;
            const double behind = is_across ? here[x + 1] : is_down ? below[x] : behind_slanted;
            const bool is_peak = (at > before) & ((at > behind) | (is_straight & (at >= behind)));
            const double class = at > high ? CANNY_STRONG : CANNY_WEAK;
            classes[i] = is_peak & (at > low) ? class : 0;
        }
        for (size_t i = 0; i < count; i++)
            to[first + i] = (unsigned char)(int)classes[i];
    }
}

PeaksOfRow *const ISA_NAME(peaks)[PIXEL_TYPES] = {peaks_bytes, peaks_reals, peaks_reals};
