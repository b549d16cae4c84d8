/* turn.h: blocks of as many vectors as a vector has values, transposed in registers, for *.isa.c files.
 * Blocks are turned in steps: at each, pairs of rows exchange pieces of half the length of the step before. EXCHANGE's
 * lists say which values of two rows go into each. */
#ifndef GLINT_CPU_TURN_H
#define GLINT_CPU_TURN_H

#include "cpu/isa.h"

#include <stddef.h>

#define LIST(...) __VA_ARGS__
#define EXCHANGE(block, distance, low, high)                                                                           \
    for (size_t i = 0; i < sizeof(*(block)) / sizeof((*(block))[0]); i++)                                              \
        if ((i & (distance)) == 0) {                                                                                   \
            const __typeof__(*(block)) a = (block)[i], b = (block)[i + (distance)];                                    \
            (block)[i] = __builtin_shufflevector(a, b, LIST low);                                                      \
            (block)[i + (distance)] = __builtin_shufflevector(a, b, LIST high);                                        \
        }

/* TURN_F32(block), TURN_F64(block): an array of vectors of the widest kind. */
#if VECTOR_BYTES == 64
#    define TURN_F32(block)                                                                                            \
        EXCHANGE(block, 8, (0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),                                   \
                 (8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))                                       \
        EXCHANGE(block, 4, (0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27),                                 \
                 (4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31))                                         \
        EXCHANGE(block, 2, (0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),                                 \
                 (2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31))                                         \
        EXCHANGE(block, 1, (0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30),                                \
                 (1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31))
#    define TURN_F64(block)                                                                                            \
        EXCHANGE(block, 4, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15))                                   \
        EXCHANGE(block, 2, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15))                                   \
        EXCHANGE(block, 1, (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
#elif VECTOR_BYTES == 32
#    define TURN_F32(block)                                                                                            \
        EXCHANGE(block, 4, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15))                                   \
        EXCHANGE(block, 2, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15))                                   \
        EXCHANGE(block, 1, (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
#    define TURN_F64(block)                                                                                            \
        EXCHANGE(block, 2, (0, 1, 4, 5), (2, 3, 6, 7))                                                                 \
        EXCHANGE(block, 1, (0, 4, 2, 6), (1, 5, 3, 7))
#else
#    define TURN_F32(block)                                                                                            \
        EXCHANGE(block, 2, (0, 1, 4, 5), (2, 3, 6, 7))                                                                 \
        EXCHANGE(block, 1, (0, 4, 2, 6), (1, 5, 3, 7))
#    define TURN_F64(block) EXCHANGE(block, 1, (0, 2), (1, 3))
#endif

#endif
