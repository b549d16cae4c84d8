/* choose.c: which level is fastest, by measurements.
 * Convolutions: copies on an H200, 8192 x 8192 pixels, dense masks and gaussians of these sides:
 *     glint bench convolve --backend cuda --size 8192x8192 --type TYPE --mask K|--filter gaussian=S:radius=R
 * (u16 and f32 colours: 4096 x 4096). Between the sides a straight line is drawn; u16 and what is taken apart have no
 * measurement at 63, but what their arithmetic makes of the one at 31. What is slower than another level everywhere has
 * no row. */
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
    {"march", PIXEL_U8, true, false, {1.3F, 1.5F, 2.0F, 2.3F, INFINITY, INFINITY, INFINITY}},
    {"running", PIXEL_U8, true, true, {1.7F, 1.7F, 1.7F, 1.8F, 1.9F, 2.0F, 2.4F}},
    {"outer", PIXEL_U8, true, true, {3.4F, 3.4F, 3.4F, 3.4F, 3.4F, 5.2F, 50.0F}},
    {"tensor", PIXEL_U8, true, false, {2.9F, 3.7F, 4.3F, 4.8F, 6.7F, 16.8F, 52.6F}},
    {"fft", PIXEL_U8, true, false, {68.1F, 67.5F, 68.1F, 68.7F, 68.6F, 68.1F, 78.1F}},
    {"separable", PIXEL_U8, true, true, {15.5F, 19.2F, 25.0F, 29.3F, 44.9F, 86.2F, 167.7F}},
    {"fused", PIXEL_U8, true, true, {3.2F, 3.4F, 3.8F, 4.2F, 6.0F, 15.9F, 253.5F}},
    {"texture", PIXEL_U16, false, false, {10.4F, 21.9F, 41.7F, 67.6F, 178.0F, 738.0F, 3050.0F}},
    {"registers", PIXEL_U16, false, false, {11.0F, 13.8F, 17.3F, 22.9F, 50.9F, 200.0F, 820.0F}},
    {"separable", PIXEL_U16, false, true, {12.3F, 14.8F, 17.4F, 19.8F, 29.5F, 52.3F, 104.0F}},
    {"texture", PIXEL_U16, true, false, {5.0F, 9.9F, 17.9F, 28.4F, 75.6F, 324.0F, 1340.0F}},
    {"registers", PIXEL_U16, true, false, {7.4F, 10.9F, 14.6F, 22.7F, 59.5F, 251.0F, 1040.0F}},
    {"separable", PIXEL_U16, true, true, {11.6F, 13.9F, 18.0F, 21.9F, 34.4F, 57.9F, 116.0F}},
    {"registers", PIXEL_F32, true, false, {1.5F, 1.6F, 1.9F, 2.4F, 5.3F, 52.1F, 222.0F}},
    {"fft", PIXEL_F32, true, false, {21.9F, 22.0F, 21.8F, 21.9F, 22.0F, 23.6F, 23.5F}},
    {"separable", PIXEL_F32, true, true, {5.4F, 6.8F, 9.0F, 11.3F, 18.6F, 32.7F, 64.0F}},
    {"fused", PIXEL_F32, true, true, {1.6F, 1.6F, 1.8F, 1.8F, 2.2F, 4.6F, 40.0F}},
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

/* The most spheres for which testing all, or all that a warp can see, beats the hierarchy: a cloud, 1024 x 1024. */
static const struct {
    const char *level;
    bool together; /* for cameras whose rays stay together */
    size_t most;
} traced[] = {{"cull", true, 5500}, {"soa", false, 60}, {"bvh", true, SIZE_MAX}, {"wide", false, SIZE_MAX}};

/* Light: Whitted's takes 0.54 ms of sphereflake by wide and 0.66 by bvh; paths of packed, which go to lamps and come
 * back together for longer, 52 and 37. */
static const Level *choose_trace(const Device *device, const Stage *stage) {
    const TraceJob *job = &stage->trace;
    const bool together = job->camera.kind != CAMERA_RANDOM;
    size_t i = 0;
    if (job->scene->triangle_count > 0 || job->look == LOOK_NODES)
        return NULL;
    while (traced[i].together != together || job->scene->count > traced[i].most)
        i++;
    const char *light = job->look == LOOK_WHITTED ? "wide" : "bvh";
    return level_by_name(device->backend, OPERATION_TRACE, look_is_light(job->look) ? light : traced[i].level);
}

static const Level *choose_convolve(const Device *device, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    const Level *best = NULL;
    double least = INFINITY;
    const char *why_not;
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

const Level *choose_level(const Device *device, const Stage *stage) {
    return stage->operation == OPERATION_CONVOLVE ? choose_convolve(device, stage)
           : stage->operation == OPERATION_TRACE  ? choose_trace(device, stage)
                                                  : NULL;
}
