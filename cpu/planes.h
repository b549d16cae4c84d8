/* planes.h: a run of pixels taken apart into planes of doubles, and put together again. It is for *.isa.c files that
 * are compiled without contraction (CMakeLists.txt): every value is the reference's. */
#ifndef GLINT_CPU_PLANES_H
#define GLINT_CPU_PLANES_H

#include "core/image/image.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PLANES_RUN = 128 }; /* pixels whose planes stay in the nearest cache */

typedef struct Planes {
    double v[4][PLANES_RUN];
} Planes;

/* Values change places by their own type, and their type plane by plane: both are loops for whole vectors. */
#define PLANES_SPLIT(Type)                                                                                             \
    static inline __attribute__((always_inline)) void planes_split_##Type(const void *row, int channels, size_t count, \
                                                                          Planes *planes) {                            \
        const Type *from = row;                                                                                        \
        Type apart[4][PLANES_RUN];                                                                                     \
        for (size_t i = 0; i < count; i++)                                                                             \
            for (int c = 0; c < channels; c++)                                                                         \
                apart[c][i] = from[i * (size_t)channels + (size_t)c];                                                  \
        for (int c = 0; c < channels; c++)                                                                             \
            for (size_t i = 0; i < count; i++)                                                                         \
                planes->v[c][i] = (double)apart[c][i];                                                                 \
    }
PLANES_SPLIT(uint8_t)
PLANES_SPLIT(uint16_t)
PLANES_SPLIT(float)

/* As view_set_value does: adding and taking away 1.5 times 2^52 rounds halves to even. */
static inline double planes_rounded(double value, double white) {
    const double low = value > 0 ? value : 0; /* NaN is 0, too */
    return (low < white ? low : white) + 0x1.8p52 - 0x1.8p52;
}

#define PLANES_JOIN(Type, stored)                                                                                      \
    static inline __attribute__((always_inline)) void planes_join_##Type(const Planes *planes, int channels,           \
                                                                         size_t count, void *row) {                    \
        Type *to = row; /* NOLINT(bugprone-macro-parentheses): a type */                                               \
        Type apart[4][PLANES_RUN];                                                                                     \
        for (int c = 0; c < channels; c++)                                                                             \
            for (size_t i = 0; i < count; i++) {                                                                       \
                const double value = planes->v[c][i];                                                                  \
                apart[c][i] = (Type)(stored);                                                                          \
            }                                                                                                          \
        for (size_t i = 0; i < count; i++)                                                                             \
            for (int c = 0; c < channels; c++)                                                                         \
                to[i * (size_t)channels + (size_t)c] = apart[c][i];                                                    \
    }
PLANES_JOIN(uint8_t, (int32_t)planes_rounded(value, 255))
PLANES_JOIN(uint16_t, (int32_t)planes_rounded(value, 65535))
PLANES_JOIN(float, value)

/* Loops for a known number of channels: their strides are constants. */
#define PLANES_FOR_CHANNELS(call)                                                                                      \
    do {                                                                                                               \
        if (channels == 4)                                                                                             \
            call(4);                                                                                                   \
        else if (channels == 3)                                                                                        \
            call(3);                                                                                                   \
        else if (channels == 2)                                                                                        \
            call(2);                                                                                                   \
        else                                                                                                           \
            call(1);                                                                                                   \
    } while (0)

static inline void planes_split(ImageView view, size_t x, size_t y, size_t count, Planes *planes) {
    const int channels = view.shape.channels;
    const size_t pixel = (size_t)channels * pixel_type_size(view.shape.type);
    const void *row = (const char *)view_row(view, y) + x * pixel;
#define PLANES_SPLIT_BY(n)                                                                                             \
    view.shape.type == PIXEL_U8    ? planes_split_uint8_t(row, n, count, planes)                                       \
    : view.shape.type == PIXEL_U16 ? planes_split_uint16_t(row, n, count, planes)                                      \
                                   : planes_split_float(row, n, count, planes)
    PLANES_FOR_CHANNELS(PLANES_SPLIT_BY);
}

static inline void planes_join(const Planes *planes, ImageView view, size_t x, size_t y, size_t count) {
    const int channels = view.shape.channels;
    const size_t pixel = (size_t)channels * pixel_type_size(view.shape.type);
    void *row = (char *)view_row(view, y) + x * pixel;
#define PLANES_JOIN_BY(n)                                                                                              \
    view.shape.type == PIXEL_U8    ? planes_join_uint8_t(planes, n, count, row)                                        \
    : view.shape.type == PIXEL_U16 ? planes_join_uint16_t(planes, n, count, row)                                       \
                                   : planes_join_float(planes, n, count, row)
    PLANES_FOR_CHANNELS(PLANES_JOIN_BY);
}

#endif
