/* pixel.h: pixels as pieces of bytes that are copied whole: PIXELS(X) names the sizes there are, X(bytes, type). */
#ifndef GLINT_CPU_MOVE_PIXEL_H
#define GLINT_CPU_MOVE_PIXEL_H

#include "core/ops/move.h"

#include <string.h>

typedef struct Pixel1 {
    unsigned char bytes[1];
} Pixel1;
typedef struct Pixel2 {
    unsigned char bytes[2];
} Pixel2;
typedef struct Pixel3 {
    unsigned char bytes[3];
} Pixel3;
typedef struct Pixel4 {
    unsigned char bytes[4];
} Pixel4;
typedef struct Pixel6 {
    unsigned char bytes[6];
} Pixel6;
typedef struct Pixel8 {
    unsigned char bytes[8];
} Pixel8;
typedef struct Pixel12 {
    unsigned char bytes[12];
} Pixel12;
typedef struct Pixel16 {
    unsigned char bytes[16];
} Pixel16;

#define PIXELS(X)                                                                                                      \
    X(1, Pixel1) X(2, Pixel2) X(3, Pixel3) X(4, Pixel4) X(6, Pixel6) X(8, Pixel8) X(12, Pixel12) X(16, Pixel16)

/* The result columns (or rows) `first` to before `end` lie in the picture, and go through it step by step. `at` is the
 * first one's place there. All other columns lie beyond the picture's edges. */
typedef struct MoveInside {
    size_t first, end;
    ptrdiff_t at;
} MoveInside;

static inline MoveInside move_inside(ptrdiff_t begin, size_t count, size_t n, bool mirrored) {
    const ptrdiff_t last = begin + (ptrdiff_t)count < (ptrdiff_t)n ? begin + (ptrdiff_t)count : (ptrdiff_t)n;
    const ptrdiff_t first = begin > 0 ? begin : 0;
    if (first >= last)
        return (MoveInside){count, count, 0};
    return (MoveInside){(size_t)(first - begin), (size_t)(last - begin), mirrored ? (ptrdiff_t)n - 1 - first : first};
}

#endif
