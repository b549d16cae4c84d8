/* rows.isa.c: a run of pixels is taken apart into planes of doubles, goes through the function's body plane by plane,
 * and is put together as the result's type: each of these is a loop without a branch. */
#include "cpu/point/rows.h"
#include "cpu/isa.h"

#include <stdint.h>

enum { RUN = 128, CHANNELS = 4 }; /* pixels whose planes stay in the nearest cache */

typedef struct Planes {
    double v[CHANNELS][RUN];
} Planes;

#define SPLIT(Type)                                                                                                    \
    static inline __attribute__((always_inline)) void split_##Type(const void *row, int channels, size_t count,        \
                                                                   Planes *planes) {                                   \
        const Type *from = row;                                                                                        \
        for (int c = 0; c < channels; c++)                                                                             \
            for (size_t i = 0; i < count; i++)                                                                         \
                planes->v[c][i] = (double)from[i * (size_t)channels + (size_t)c];                                      \
    }
SPLIT(uint8_t)
SPLIT(uint16_t)
SPLIT(float)

/* As view_set_value does; rint rounds halves to even. */
static inline double clamped(double value, double white) {
    const double low = value > 0 ? value : 0; /* NaN is 0, too */
    return low < white ? low : white;
}

#define JOIN(Type, stored)                                                                                             \
    static inline                                                                                                      \
        __attribute__((always_inline)) void join_##Type(const Planes *planes, int channels, size_t count, void *row) { \
        Type *to = row; /* NOLINT(bugprone-macro-parentheses): a type */                                               \
        for (int c = 0; c < channels; c++)                                                                             \
            for (size_t i = 0; i < count; i++) {                                                                       \
                const double value = planes->v[c][i];                                                                  \
                to[i * (size_t)channels + (size_t)c] = (Type)(stored);                                                 \
            }                                                                                                          \
    }
JOIN(uint8_t, (int32_t)rint(clamped(value, 255)))
JOIN(uint16_t, (int32_t)rint(clamped(value, 65535)))
JOIN(float, value)

/* Loops for a known number of channels: their strides are constants. */
#define FOR_CHANNELS(call)                                                                                             \
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

static void split(ImageView view, size_t x, size_t y, size_t count, Planes *planes) {
    const int channels = view.shape.channels;
    const size_t pixel = (size_t)channels * pixel_type_size(view.shape.type);
    const void *row = (const char *)view_row(view, y) + x * pixel;
#define SPLIT_BY(n)                                                                                                    \
    view.shape.type == PIXEL_U8    ? split_uint8_t(row, n, count, planes)                                              \
    : view.shape.type == PIXEL_U16 ? split_uint16_t(row, n, count, planes)                                             \
                                   : split_float(row, n, count, planes)
    FOR_CHANNELS(SPLIT_BY);
}

static void join(const Planes *planes, ImageView view, size_t x, size_t y, size_t count) {
    const int channels = view.shape.channels;
    const size_t pixel = (size_t)channels * pixel_type_size(view.shape.type);
    void *row = (char *)view_row(view, y) + x * pixel;
#define JOIN_BY(n)                                                                                                     \
    view.shape.type == PIXEL_U8    ? join_uint8_t(planes, n, count, row)                                               \
    : view.shape.type == PIXEL_U16 ? join_uint16_t(planes, n, count, row)                                              \
                                   : join_float(planes, n, count, row)
    FOR_CHANNELS(JOIN_BY);
}

#define PLANE_ALPHA_FIRST(in, in2, white)  (in)
#define PLANE_ALPHA_SECOND(in, in2, white) (in2)
#define PLANE_ALPHA_OPAQUE(in, in2, white) (white)
#define SEEN                               __attribute__((unused)) const double

/* The bodies of core/math/point.def in loops over planes. Where there is no alpha, it is 1. */
#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    static void planes_##name(const PointJob *job, int channels, const Planes *in, const Planes *in2, Planes *out,     \
                              size_t count) {                                                                          \
        const int colours = channels % 2 ? channels : channels - 1;                                                    \
        const bool has_alpha = colours < channels, coloured = colours == 3;                                            \
        const double *lasts = in->v[channels - 1], *lasts2 = in2->v[channels - 1];                                     \
        SEEN *p = job->parameters, w = job->white;                                                                     \
        for (int c = 0; c < colours; c++)                                                                              \
            for (size_t i = 0; i < count; i++) {                                                                       \
                SEEN v = in->v[c][i], v2 = (inputs) > 1 ? in2->v[c][i] : 0;                                            \
                SEEN last = lasts[i], last2 = (inputs) > 1 ? lasts2[i] : 0;                                            \
                SEEN a = has_alpha ? last / w : 1, a2 = has_alpha ? last2 / w : 1;                                     \
                SEEN luma =                                                                                            \
                    coloured ? 0.2126 * in->v[0][i] + 0.7152 * in->v[1][i] + 0.0722 * in->v[2][i] : in->v[0][i];       \
                out->v[c][i] = body;                                                                                   \
            }                                                                                                          \
        for (size_t i = 0; has_alpha && i < count; i++)                                                                \
            out->v[colours][i] = PLANE_ALPHA_##alpha(lasts[i], (inputs) > 1 ? lasts2[i] : 0, w);                       \
    }                                                                                                                  \
    static void row_##name(const Stage *stage, size_t y) {                                                             \
        const size_t width = stage->out.shape.width;                                                                   \
        Planes in, in2, out;                                                                                           \
        for (size_t x = 0; x < width; x += RUN) {                                                                      \
            const size_t count = width - x < RUN ? width - x : RUN;                                                    \
            split(stage->in[0], x, y, count, &in);                                                                     \
            if ((inputs) > 1)                                                                                          \
                split(stage->in[1], x, y, count, &in2);                                                                \
            planes_##name(point_job(stage), stage->in[0].shape.channels, &in, &in2, &out, count);                      \
            join(&out, stage->out, x, y, count);                                                                       \
        }                                                                                                              \
    }
#include "core/math/point.def"
#undef POINT

PointRow *const ISA_NAME(point_rows)[POINT_FUNCTIONS] = {
#define POINT(name, inputs, reach, alpha, help, body) row_##name,
#include "core/math/point.def"
#undef POINT
};
