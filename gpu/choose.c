/* choose.c: which level is fastest for a convolution, by measurements.
 * Copies on an H200, 8192 x 8192 pixels, dense masks and gaussians of these sides:
 *     glint bench convolve --backend cuda --size 8192x8192 --type TYPE --mask K|--filter gaussian=S:radius=R
 * Between the sides a straight line is drawn; what is slower than another level everywhere has no row. */
#include "gpu/levels.h"

#include <math.h>

enum { SIDES = 7 };
static const float sides[SIDES] = {3, 5, 7, 9, 15, 31, 63};

typedef struct Measured {
    const char *level;
    PixelType type;
    bool colours;    /* of several channels */
    bool two_passes; /* a side is the mean of width and height, else the root of their product */
    float copies[SIDES];
} Measured;

static const Measured measured[] = {
    {"registers", PIXEL_U8, false, false, {3.8F, 4.8F, 5.9F, 7.9F, 17.4F, 219.8F, 896.9F}},
    {"march", PIXEL_U8, false, false, {1.8F, 2.1F, 2.3F, 2.5F, INFINITY, INFINITY, INFINITY}},
    {"tensor", PIXEL_U8, false, false, {4.6F, 5.7F, 6.0F, 6.6F, 8.5F, 17.1F, 49.3F}},
    {"fft", PIXEL_U8, false, false, {62.5F, 61.9F, 60.4F, 60.8F, 62.1F, 61.7F, 70.2F}},
    {"separable", PIXEL_U8, false, true, {21.3F, 26.0F, 34.4F, 39.0F, 62.6F, 118.1F, 233.4F}},
    {"fused", PIXEL_U8, false, true, {4.0F, 4.1F, 4.4F, 4.7F, 6.4F, 10.1F, 104.0F}},
    {"registers", PIXEL_U8, true, false, {3.0F, 4.0F, 5.7F, 8.3F, 19.2F, 215.0F, 927.0F}},
    {"march", PIXEL_U8, true, false, {1.4F, 1.6F, 1.9F, 2.3F, INFINITY, INFINITY, INFINITY}},
    {"outer", PIXEL_U8, true, true, {3.4F, 3.4F, 3.4F, 3.4F, 3.5F, 5.2F, INFINITY}},
    {"tensor", PIXEL_U8, true, false, {2.9F, 3.7F, 4.3F, 4.8F, 6.7F, 16.8F, 52.6F}},
    {"fft", PIXEL_U8, true, false, {68.1F, 67.5F, 68.1F, 68.7F, 68.6F, 68.1F, 78.1F}},
    {"separable", PIXEL_U8, true, true, {15.5F, 19.2F, 25.0F, 29.3F, 44.9F, 86.2F, 167.7F}},
    {"fused", PIXEL_U8, true, true, {3.2F, 3.4F, 3.8F, 4.2F, 6.0F, 15.9F, 253.5F}},
    {"registers", PIXEL_F32, false, false, {1.3F, 1.3F, 1.5F, 1.9F, 4.6F, 60.0F, 248.5F}},
    {"fft", PIXEL_F32, false, false, {16.8F, 16.8F, 16.8F, 16.8F, 16.7F, 16.9F, 19.2F}},
    {"separable", PIXEL_F32, false, true, {5.7F, 6.6F, 8.5F, 9.8F, 15.1F, 28.5F, 55.1F}},
    {"fused", PIXEL_F32, false, true, {1.3F, 1.3F, 1.3F, 1.3F, 1.5F, 2.3F, 27.4F}},
};

/* What a level takes for this mask; beyond the last side the arithmetic grows with the taps. */
static double predicted(const Measured *row, const Mask *mask) {
    const double side =
        row->two_passes ? (mask->width + mask->height) / 2.0 : sqrt((double)mask->width * (double)mask->height);
    const double last = (double)row->copies[SIDES - 1], ratio = side / (double)sides[SIDES - 1];
    if (ratio >= 1)
        return last * (row->two_passes ? ratio : ratio * ratio);
    int i = 0;
    while (i < SIDES - 2 && side > (double)sides[i + 1])
        i++;
    const double at = fmax(0, (side - (double)sides[i]) / (double)(sides[i + 1] - sides[i]));
    return at > 0 ? (1 - at) * (double)row->copies[i] + at * (double)row->copies[i + 1] : (double)row->copies[i];
}

const Level *choose_level(const Device *device, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    const Level *best = NULL;
    double least = INFINITY;
    const char *why_not;
    if (stage->operation != OPERATION_CONVOLVE)
        return NULL;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const Measured *row = &measured[i];
        if (row->type != shape.type || row->colours != (shape.channels > 1))
            continue;
        const Level *level = level_by_name(device->backend, stage->operation, row->level);
        const double copies = predicted(row, stage->convolve.mask);
        if (level && copies < least && level->accepts(device, stage, &why_not)) {
            best = level;
            least = copies;
        }
    }
    return best;
}
