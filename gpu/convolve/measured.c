/* measured.c: how long the levels of the convolution take, by measurements.
 * An H200, pictures of 4096 x 4096 pixels (of one byte: 8192 x 8192), dense masks, gaussians and boxes of these sides:
 *     glint bench convolve --backend cuda --check-best --json FILE --size 4096x4096 --type u8x1,u8x3,... --mask 3,5,...
 *         --filter gaussian=S:radius=R --filter box=K ...
 * This command also tests the choice of levels (tools/gpu-check). Between the sides a straight line is drawn. A level
 * that is slower than another one everywhere has no row. The rows of outer are those of gaussians; boxes take longer.
 * fft's rows for u8x3 at 31 to 91 follow times at 1920 x 1080, where tensor takes longer than its own say.
 * running was timed at 3, 5, 9, 15, 31, 63 and 121 a side. Its rows for u8x1 at 5 to 15 follow times at 4096 x 4096,
 * where it takes 0.027 ms, and outer 0.032 to 0.041. At 3 its row is a little more than the 2.1 that it takes, so that
 * boxes stay with march. */
#include "gpu/convolve/measured.h"

#include "core/ops/convolve.h"
#include "core/stage/op.h"
#include "gpu/point/around.h"

#include <math.h>
#include <string.h>

#define BYTES_PER_MS 4.3e9 /* by a copy on an H200, read and written: the unit of the table */

enum { SIDES = 12, RAGGED_BYTES = 256 };
static const double sides[SIDES] = {3, 5, 7, 9, 11, 15, 21, 31, 41, 63, 91, 121};

/* The masks that a row is about. ANY: every mask. EQUAL: all weights are equal, and a byte holds them exactly.
 * UNDIVIDED: the sums need no division. UNROLLED: the loops are unrolled, for odd squares of up to 15 a side. PASSES:
 * two passes of an outer product, where a side is the mean of width and height and not the root of their product. */
typedef enum MaskKind { ANY, EQUAL, UNDIVIDED, UNROLLED, PASSES } MaskKind;

typedef struct Measured {
    const char *level;
    PixelType type;
    int channels; /* 1, 3 or 4; two are taken for four */
    MaskKind kind;
    double min_ms;        /* where the picture has too few of its strips for all multiprocessors: 1920 x 1080 */
    double ragged_ms;     /* more for rows that are no multiple of RAGGED_BYTES */
    double copies[SIDES]; /* 0: more than 20 times as slow as the fastest */
} Measured;

static const Measured measured[] = {
    {"registers", PIXEL_U8, 1, ANY, 0.022, 0, {4.28, 5.37, 6.88, 9.66, 12.6, 21.1, 88, 170}},
    {"fft", PIXEL_U8, 1, ANY, 0, 0, {69, 69, 69, 69, 69, 68.9, 69, 69, 69.1, 79.1, 79.2, 79.4}},
    {"march", PIXEL_U8, 1, ANY, 0, 0.023, {2.19, 2.58, 2.61, 3.07}},
    {"tensor", PIXEL_U8, 1, ANY, 0.042, 0, {5.08, 6.24, 6.74, 7.55, 8.22, 9.34, 14.9, 19.6, 31.9, 57, 109, 181}},
    {"tensor", PIXEL_U8, 1, EQUAL, 0.042, 0, {4.49, 4.85, 5.25, 5.69, 6.1, 6.86, 10.6, 13.7, 21.3, 38, 69.8, 137}},
    {"separable", PIXEL_U8, 1, PASSES, 0, 0, {25.8, 31.9, 40.3, 48.3, 59.7, 79.2, 112, 165, 194, 279, 388, 502}},
    {"fused", PIXEL_U8, 1, PASSES, 0.021, 0, {4.55, 4.81, 5.23, 5.49, 6.29, 6.8, 8.53, 11.6, 32.9, 121, 298, 864}},
    {"outer", PIXEL_U8, 1, PASSES, 0.016, 0, {2.4, 2.4, 2.4, 2.4, 2.6, 2.98, 3.01, 3.91, 3.97, 5.95}},
    {"running", PIXEL_U8, 1, PASSES, 0.015, 0, {2.3, 2.2, 2.2, 2.2, 2.2, 2.25, 2.35, 2.5, 2.6, 2.82, 3.6, 4.4}},
    {"registers", PIXEL_U8, 3, ANY, 0.03, 0, {4.55, 5.75, 7.83, 10.3, 13.8, 24}},
    {"fft", PIXEL_U8, 3, ANY, 0, 0, {77.8, 77.8, 77.8, 77.8, 77.8, 77.8, 77.7, 78, 78, 78, 78, 80.1}},
    {"march", PIXEL_U8, 3, ANY, 0, 0.021, {2.42, 2.63, 2.78, 3.6}},
    {"tensor", PIXEL_U8, 3, ANY, 0.022, 0, {3.72, 5.29, 5.92, 6.58, 7.14, 8.52, 15.1, 20.9, 35.1, 66.6, 130, 388}},
    {"tensor", PIXEL_U8, 3, EQUAL, 0.022, 0, {3.06, 3.49, 3.9, 4.26, 4.73, 5.5, 9.46, 13, 21, 41.9, 101, 323}},
    {"separable", PIXEL_U8, 3, PASSES, 0, 0, {20.5, 25.3, 32, 39.9, 50.2, 75.3, 90.6, 119, 149, 215, 297, 385}},
    {"fused", PIXEL_U8, 3, PASSES, 0.037, 0, {4.87, 5.35, 5.75, 6.32, 7.56, 8.62, 9.92, 14.2, 83.3, 218, 749}},
    {"outer", PIXEL_U8, 3, PASSES, 0.021, 0, {2.65, 2.65, 2.65, 2.65, 3.02, 3.76, 3.76, 6.11, 6.11, 11.2}},
    {"running", PIXEL_U8, 3, PASSES, 0.019, 0, {2.22, 2.26, 2.26, 2.26, 2.3, 2.5, 2.75, 3.12, 3.9, 5.2, 5.97, 6.83}},
    {"registers", PIXEL_U8, 4, ANY, 0.03, 0, {3.83, 5.08, 7.02, 9.31, 12.5, 21.4, 109}},
    {"fft", PIXEL_U8, 4, ANY, 0, 0, {78.2, 78.2, 78.2, 78.2, 78.2, 78.2, 78.2, 85.7, 85.7, 86.1, 85.9, 80.2}},
    {"march", PIXEL_U8, 4, ANY, 0.017, 0.033, {1.99, 2.17, 2.56, 3.17}},
    {"tensor", PIXEL_U8, 4, ANY, 0.025, 0, {3.54, 4.54, 4.99, 5.66, 6.13, 7.52, 13.2, 18.2, 30, 55.9, 183, 307}},
    {"tensor", PIXEL_U8, 4, EQUAL, 0.025, 0, {2.96, 3.36, 3.71, 4.05, 4.43, 5.17, 8.83, 12.3, 19.8, 41.5, 144}},
    {"separable", PIXEL_U8, 4, PASSES, 0, 0, {19.3, 24, 31.7, 40.3, 52.8, 66.9, 83.7, 116, 146, 211, 292, 378}},
    {"fused", PIXEL_U8, 4, PASSES, 0.04, 0, {4.1, 4.52, 4.96, 5.51, 6.56, 7.6, 8.85, 16.6, 86.4, 300}},
    {"outer", PIXEL_U8, 4, PASSES, 0.032, 0, {2.53, 2.53, 2.53, 2.53, 2.9, 3.65, 3.65, 5.16, 5.16, 8.87}},
    {"running", PIXEL_U8, 4, PASSES, 0.021, 0, {2.07, 2.15, 2.2, 2.38, 2.54, 2.66, 2.98, 3.24, 3.59, 4.18, 5.67, 6.75}},
    {"halo", PIXEL_U16, 1, ANY, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 2150, 4490, 7900}},
    {"texture", PIXEL_U16, 1, ANY, 0, 0, {14, 29, 51, 87}},
    {"registers", PIXEL_U16, 1, ANY, 0, 0, {15.2, 19.4, 23.1, 31, 42.7, 67, 136, 271, 477, 1140, 2380}},
    {"registers", PIXEL_U16, 1, UNDIVIDED, 0, 0, {12.6, 16.9, 21.1, 29.7}},
    {"registers", PIXEL_U16, 1, UNROLLED, 0, 0, {3.72, 5.06, 6.6, 7.37, 10.1, 17.4}},
    {"march", PIXEL_U16, 1, UNROLLED, 0, 0, {2.05, 2.95, 4.42}},
    {"outer", PIXEL_U16, 1, PASSES, 0.025, 0, {3.91, 3.91, 3.91, 3.91, 3.91, 3.91, 3.91, 3.91}},
    {"fused", PIXEL_U16, 1, PASSES, 0.03, 0, {4.93, 5.45, 6.41, 6.86, 7.56, 8.78, 9.8, 23.8, 30.6, 76.1}},
    {"separable", PIXEL_U16, 1, PASSES, 0, 0, {15.4, 18.4, 21.9, 24.5, 29.2, 37, 48.4, 67.7, 87.8, 152, 180, 229}},
    {"naive", PIXEL_U16, 3, ANY, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1820, 3810, 6730}},
    {"constant", PIXEL_U16, 3, ANY, 0, 0, {7.62, 15, 25.8, 40.5}},
    {"registers", PIXEL_U16, 3, ANY, 0, 0, {13.5, 18, 21.8, 26.5, 46.2, 72.9, 147, 288, 474, 1190, 2480}},
    {"registers", PIXEL_U16, 3, UNROLLED, 0, 0, {3.33, 4.74, 6.39, 6.83, 11, 17.8}},
    {"march", PIXEL_U16, 3, UNROLLED, 0, 0, {1.54, 2.26, 4.08}},
    {"outer", PIXEL_U16, 3, PASSES, 0.04, 0, {3.57, 3.57, 3.57, 3.57, 3.57, 3.57, 3.57, 3.57}},
    {"fused", PIXEL_U16, 3, PASSES, 0.067, 0, {3.55, 4.12, 4.74, 5.36, 5.96, 7.24, 8.42, 25.7, 50.7, 124}},
    {"separable", PIXEL_U16, 3, PASSES, 0, 0, {12.3, 14.7, 18.1, 21.8, 26.8, 39.9, 47.1, 61.1, 76.3, 110, 152, 197}},
    {"naive", PIXEL_U16, 4, ANY, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1690, 3510, 6210}},
    {"texture", PIXEL_U16, 4, ANY, 0, 0, {5.22, 10.6, 19, 30.5, 44.9, 81.2, 157, 343, 601, 1570, 4970, 11890}},
    {"registers", PIXEL_U16, 4, ANY, 0, 0, {11.9, 15.2, 19.5, 24.8, 38.4, 72.8, 135, 290, 506, 1190, 2480}},
    {"registers", PIXEL_U16, 4, UNROLLED, 0, 0, {2.98, 4.23, 5.77, 6.33, 10.5, 17.4}},
    {"march", PIXEL_U16, 4, UNROLLED, 0, 0, {1.51, 2.24, 4.32}},
    {"outer", PIXEL_U16, 4, PASSES, 0.05, 0, {3.6, 3.6, 3.6, 3.6, 3.6, 3.6, 3.6, 3.6}},
    {"fused", PIXEL_U16, 4, PASSES, 0, 0, {3.08, 3.59, 4.1, 4.68, 5.25, 6.41, 7.58, 28.4, 51.6, 200}},
    {"separable", PIXEL_U16, 4, PASSES, 0, 0, {12, 14.5, 18.6, 22.7, 27.6, 35.7, 45.7, 60.1, 78.5, 120, 160, 196}},
    {"registers", PIXEL_F32, 1, ANY, 0, 0, {1.45, 1.52, 1.73, 2.37, 3, 5.26, 27.2, 50.6}},
    {"fft", PIXEL_F32, 1, ANY, 0, 0, {19.4, 19.4, 19.4, 19.4, 19.3, 19.3, 19.5, 21.3, 21.4, 21.4, 21.5, 20.4}},
    {"separable", PIXEL_F32, 1, PASSES, 0, 0, {7.37, 8.73, 10.3, 11.8, 13.9, 17.8, 23.6, 32.7, 41.9, 71, 87, 110}},
    {"fused", PIXEL_F32, 1, PASSES, 0, 0, {1.45, 1.49, 1.57, 1.64, 1.62, 1.88, 2.23, 2.75, 8.49, 29.1, 72.2, 210}},
    {"registers", PIXEL_F32, 3, ANY, 0, 0, {1.64, 1.81, 2.17, 2.68, 3.57, 5.88, 32.3, 59.2, 97.3, 251}},
    {"fft", PIXEL_F32, 3, ANY, 0, 0, {21.4, 21.4, 21.4, 21.4, 21.4, 21.4, 21.4, 23.3, 23.4, 23.4, 23.4, 22}},
    {"separable", PIXEL_F32, 3, PASSES, 0, 0, {5.46, 6.58, 8.33, 10.2, 12.6, 18.8, 22.3, 28.8, 36, 51.5, 70.7, 91.2}},
    {"fused", PIXEL_F32, 3, PASSES, 0, 0, {1.64, 1.74, 1.82, 1.89, 2.24, 2.41, 2.76, 3.69, 20.9, 54.7, 189}},
    {"registers", PIXEL_F32, 4, ANY, 0, 0, {1.63, 1.74, 2.1, 2.69, 3.48, 5.62, 30.2, 54.8, 90, 235}},
    {"fft", PIXEL_F32, 4, ANY, 0, 0, {22.7, 22.7, 22.7, 22.7, 22.7, 22.8, 22.8, 24.7, 24.8, 24.8, 24.8, 23.4}},
    {"separable", PIXEL_F32, 4, PASSES, 0, 0, {5.62, 7.07, 9.33, 11.8, 15.2, 19.3, 24.3, 33.7, 42.7, 61.9, 85.7, 111}},
    {"fused", PIXEL_F32, 4, PASSES, 0, 0, {1.66, 1.75, 1.9, 1.97, 2.24, 2.51, 3.05, 4.79, 22.4, 76.9}},
};

static double copies_at(const Measured *row, int i) {
    return row->copies[i] > 0 ? row->copies[i] : INFINITY;
}

/* Copies for a mask of this side; beyond the last one they grow by the power of the side that they last grew by. */
static double copies_for(const Measured *row, double side) {
    const int last = SIDES - 1;
    if (side >= sides[last]) {
        const double growth = log(copies_at(row, last) / copies_at(row, last - 1)) / log(sides[last] / sides[last - 1]);
        return copies_at(row, last) * pow(side / sides[last], fmax(growth, 0));
    }
    int i = 0;
    while (side >= sides[i + 1])
        i++;
    const double at = fmax(0, (side - sides[i]) / (sides[i + 1] - sides[i]));
    return at > 0 ? (1 - at) * copies_at(row, i) + at * copies_at(row, i + 1) : copies_at(row, i);
}

/* The level's time for this stage, in ms on an H200. */
static double row_ms(const Measured *row, const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    const double side =
        row->kind == PASSES ? (mask->width + mask->height) / 2.0 : sqrt((double)mask->width * (double)mask->height);
    const double ms = fmax(copies_for(row, side) * stage_cost(stage).bytes / BYTES_PER_MS, row->min_ms);
    return shape_row_bytes(stage->out.shape) % RAGGED_BYTES > 0 ? ms + row->ragged_ms : ms;
}

static bool is_equal(const Mask *mask) {
    const int count = mask->width * mask->height;
    int i = 1;
    while (i < count && !(mask->weights[i] < mask->weights[0] || mask->weights[i] > mask->weights[0]))
        i++;
    return i == count;
}

/* By the quickest of the level's rows: one about a kind of masks holds for these besides that about any mask. */
static double predict(const Level *level, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    const int channels = shape.channels == 2 ? 4 : shape.channels;
    const Mask *mask = convolve_job(stage)->mask;
    const bool holds[] = {[ANY] = true,
                          [EQUAL] = is_equal(mask),
                          [UNDIVIDED] = !(mask->divisor < 1 || mask->divisor > 1),
                          [UNROLLED] = mask->width == mask->height && mask->width % 2 == 1 && mask->width >= 3 &&
                                       mask->width <= 15,
                          [PASSES] = true};
    double min = INFINITY;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const Measured *row = &measured[i];
        if (row->type == shape.type && row->channels == channels && holds[row->kind] &&
            strcmp(row->level, level->name) == 0)
            min = fmin(min, row_ms(row, stage));
    }
    return min;
}

/* Points that go along, by the chains of tools/chains from 640 x 480 to 3840 x 2160. Their kernel does not know types
 * and masks when it is compiled. Next to alpha, fused takes a share of its own time more, which grows with the mask's
 * width; that time counts with LATE_MS. Other jobs take ns of a pixel more, and ns for each program next to alpha.
 * Where tiles overlap, a program before them sees pixels more than once. */
#define AGAIN      0.25
#define AGAIN_SIDE 0.033 /* for each pixel of the mask's width */
#define LATE_MS    0.018
#define AROUND_NS  0.009
#define ALPHA_NS   0.0035
#define OVERLAP_NS 0.000015
#define IDLE_MS    0.003 /* less: small pictures leave multiprocessors idle */

static double around_ms(const Level *level, const Stage *stage) {
    const Stage alone = stage_alone(stage);
    const Shape shape = stage->in[0].shape;
    const Mask *mask = convolve_job(stage)->mask;
    const bool alpha = shape.channels % 2 == 0, tiles = strcmp(level->name, "fused") == 0;
    const int programs = (stage->points->before != NULL) + (stage->points->after != NULL);
    if (alpha && tiles)
        return (AGAIN + AGAIN_SIDE * mask->width) * (predict(level, &alone) + LATE_MS);
    const double overlap = tiles && stage->points->before ? OVERLAP_NS * mask->width * mask->height : 0;
    const double ns = AROUND_NS + (alpha ? ALPHA_NS * programs : 0) + overlap * shape.channels;
    return fmax(ns * 1e-6 * (double)shape.width * (double)shape.height - IDLE_MS, 0);
}

double convolve_points_ms(const Level *level, const Stage *stage) {
    return gpu_takes_points(stage) ? around_ms(level, stage) : -1;
}

const Predictor convolve_measured = {"NVIDIA H200", predict};
