/* reverse.isa.c: as many whole pixels as 16 bytes hold change places in a register. */
#include "cpu/move/reverse.h"

#include "cpu/isa.h"
#include "cpu/move/pixel.h"

#if defined(__SSSE3__)
#    include <immintrin.h>

enum { REGISTER = 16 };

/* From the last results on, so that a picture's rows are read in their order. A read of 16 bytes begins with the
 * pixels', and more pixels lie behind them. A write of 16 bytes ends with theirs, and more follow before them. Returns
 * how many are left. */
static inline __attribute__((always_inline)) size_t reverse_some(const unsigned char *last, unsigned char *to,
                                                                 size_t count, size_t bytes) {
    const size_t pixels = REGISTER / bytes, unused = REGISTER - pixels * bytes;
    unsigned char places[REGISTER] = {0};
    for (size_t k = 0; k < pixels * bytes; k++)
        places[unused + k] = (unsigned char)((pixels - 1 - k / bytes) * bytes + k % bytes);
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)places);
    const unsigned char *from = last + bytes - count * bytes;
    size_t left = count;
    for (; left >= 2 * pixels; left -= pixels, from += pixels * bytes) {
        const __m128i pieces = _mm_loadu_si128((const __m128i *)(const void *)from);
        _mm_storeu_si128((__m128i *)(void *)(to + left * bytes - REGISTER), _mm_shuffle_epi8(pieces, order));
    }
    return left;
}
#else
static inline size_t reverse_some(const unsigned char *last, unsigned char *to, size_t count, size_t bytes) {
    (void)last, (void)to, (void)bytes;
    return count;
}
#endif

#define REVERSE(bytes, Pixel)                                                                                          \
    static void reverse_##bytes(const void *last, void *to, size_t count) {                                            \
        const Pixel *from = last;                                                                                      \
        Pixel *at = to; /* NOLINT(bugprone-macro-parentheses): a type */                                               \
        const size_t left = reverse_some(last, to, count, bytes);                                                      \
        for (size_t i = 0; i < left; i++)                                                                              \
            at[i] = from[-(ptrdiff_t)i];                                                                               \
    }
PIXELS(REVERSE)

#define ENTRY(bytes, Pixel) [bytes] = reverse_##bytes,
MoveReverse *const ISA_NAME(reverse)[MOVE_PIXEL_MAX + 1] = {PIXELS(ENTRY)};
