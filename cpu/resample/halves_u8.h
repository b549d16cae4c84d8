/* halves_u8.h: means of blocks of 2 x 2 values of 8 bits, straight from the rows to the result. Bytes are not widened
 * one by one. Bytes in even and in odd places, two to a sum's 16 bits, are added apart. Included by blocks.isa.c. */

typedef uint16_t Sums16 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t Pixels __attribute__((vector_size(32)));
typedef uint64_t Halves __attribute__((vector_size(32)));
typedef uint8_t Bytes __attribute__((vector_size(32)));
typedef uint8_t Lane __attribute__((vector_size(16), aligned(1), may_alias));

INLINE Sums16 even(Sums16 bytes) {
    return bytes & 0xFF;
}
INLINE Sums16 odd(Sums16 bytes) {
    return bytes >> 8;
}
INLINE Sums16 means_of(Sums16 sums) {
    return (sums + 2) >> 2;
}

/* Pixels of one value: neighbours are the even and the odd bytes. */
INLINE size_t halve_ones(const uint8_t *above, const uint8_t *below, size_t pixels, uint8_t *to) {
    size_t p = 0;
    for (; p + 16 <= pixels; p += 16) {
        const Sums16 a = *(const Sums16 *)(const void *)(above + 2 * p),
                     b = *(const Sums16 *)(const void *)(below + 2 * p);
        *(Lane *)(to + p) = __builtin_convertvector(means_of(even(a) + odd(a) + even(b) + odd(b)), Lane);
    }
    return p;
}

/* Pixels of four: a pixel and the next, in each half of a vector. */
INLINE Sums16 add_pixels(Sums16 a, Sums16 b) {
    return (Sums16)__builtin_shufflevector((Pixels)a, (Pixels)b, 0, 2, 8, 10, 4, 6, 12, 14) +
           (Sums16)__builtin_shufflevector((Pixels)a, (Pixels)b, 1, 3, 9, 11, 5, 7, 13, 15);
}
INLINE size_t halve_fours(const uint8_t *above, const uint8_t *below, size_t pixels, uint8_t *to) {
    size_t p = 0;
    for (; p + 8 <= pixels; p += 8) {
        const Sums16 *a = (const Sums16 *)(const void *)(above + 8 * p),
                     *b = (const Sums16 *)(const void *)(below + 8 * p);
        const Sums16 evens = add_pixels(even(a[0]) + even(b[0]), even(a[1]) + even(b[1]));
        const Sums16 odds = add_pixels(odd(a[0]) + odd(b[0]), odd(a[1]) + odd(b[1]));
        const Halves all = (Halves)(means_of(evens) | means_of(odds) << 8);
        *(Sums16 *)(void *)(to + 4 * p) = (Sums16)__builtin_shufflevector(all, all, 0, 2, 1, 3);
    }
    return p;
}

/* Pixels of three: values, and those three further on; of 16 sums, every other three are wanted, nine in all. */
#if VECTOR_BYTES > 16
enum { WANTED = 9, APART = 18 /* bytes of input that they take */ };

INLINE Sums16 two_lanes(const uint8_t *from) {
    return (Sums16)__builtin_shufflevector(*(const Lane *)from, *(const Lane *)(from + APART), 0, 1, 2, 3, 4, 5, 6, 7,
                                           8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                                           28, 29, 30, 31);
}
INLINE size_t halve_threes(const uint8_t *above, const uint8_t *below, size_t pixels, uint8_t *to) {
    size_t p = 0;
    for (; p + 9 <= pixels; p += 6) { /* reads 37 bytes and writes 25 */
        const Sums16 a = two_lanes(above + 6 * p), b = two_lanes(above + 6 * p + 3);
        const Sums16 c = two_lanes(below + 6 * p), d = two_lanes(below + 6 * p + 3);
        const Bytes all =
            (Bytes)(means_of(even(a) + even(b) + even(c) + even(d)) | means_of(odd(a) + odd(b) + odd(c) + odd(d)) << 8);
        const Bytes wanted = __builtin_shufflevector(all, all, 0, 1, 2, 6, 7, 8, 12, 13, 14, 15, 15, 15, 15, 15, 15, 15,
                                                     16, 17, 18, 22, 23, 24, 28, 29, 30, 31, 31, 31, 31, 31, 31, 31);
        *(Lane *)(to + 3 * p) =
            __builtin_shufflevector(wanted, wanted, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        *(Lane *)(to + 3 * p + WANTED) =
            __builtin_shufflevector(wanted, wanted, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    return p;
}
#else /* bytes cannot be permuted */
INLINE size_t halve_threes(const uint8_t *above, const uint8_t *below, size_t pixels, uint8_t *to) {
    (void)above, (void)below, (void)pixels, (void)to;
    return 0;
}
#endif

/* The means of two rows; how many pixels, from the first on, were made: the last ones may not fill a vector. */
static size_t halve_u8(ImageView rows, uint8_t *to) {
    const uint8_t *above = view_row(rows, 0), *below = view_row(rows, 1);
    const size_t pixels = rows.shape.width / 2;
    switch (rows.shape.channels) {
    case 1:
        return halve_ones(above, below, pixels, to);
    case 3:
        return halve_threes(above, below, pixels, to);
    case 4:
        return halve_fours(above, below, pixels, to);
    default:
        return 0;
    }
}
