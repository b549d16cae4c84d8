/* slopes.isa.c: sums of all values first, each from its neighbours of the same channel, which takes vectors of any
 * channels. Then it takes the greatest of each pixel. Whole numbers up to u16 have sums of 32 bits. */
#include "cpu/canny_peaks/slopes.h"

#include "cpu/isa.h"

#include <math.h>
#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

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

/* The first of equals. */
#define GREATEST(Type, Sum, absolute)                                                                                  \
    INLINE void greatest_##Type(const Sum *restrict right, const Sum *restrict down, size_t width, int colours,        \
                                int channels, SlopeRow to) {                                                           \
        double *restrict rights = to.right, *restrict downs = to.down, *restrict magnitudes = to.magnitudes;           \
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
            rights[x] = (double)i;                                                                                     \
            downs[x] = (double)j;                                                                                      \
            magnitudes[x] = (double)most;                                                                              \
        }                                                                                                              \
    }

/* Colours and channels as constants for the numbers that pictures have. */
#define SLOPES(Type, Sum, absolute)                                                                                    \
    typedef Sum sum_##Type;                                                                                            \
    SUMS(Type, Sum)                                                                                                    \
    GREATEST(Type, Sum, absolute)                                                                                      \
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

SLOPES(uint8_t, int, abs)
SLOPES(uint16_t, int, abs)
SLOPES(float, double, fabs)

SlopesOfRow *const ISA_NAME(slopes)[PIXEL_TYPES] = {slopes_uint8_t, slopes_uint16_t, slopes_float};

enum { SOME = 256 }; /* pixels whose classes wait as doubles, which a vector of comparisons leaves */

/* The comparisons of core/math/canny.h for all directions, without a branch. */
static void peaks(const CannyJob *job, SlopeRow row, const double *above, const double *below, size_t width,
                  unsigned char *to) {
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

PeaksOfRow *const ISA_NAME(peaks) = peaks;
