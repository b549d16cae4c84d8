/* measured.c: where `tile` beats `naive`. It takes longer to begin, and gains less the larger a pixel is. On an H200,
 * turned by 10 degrees, in ms (glint bench warp --backend cuda --filter rotate=10 --alpha ignore --size ...):
 *                        640 x 480        1920 x 1080      4096 x 4096
 *                        naive   tile     naive   tile     naive   tile
 *     u8x3 linear        0.013   0.016    0.049   0.025    0.326   0.092
 *     u8x4 linear        0.012   0.016    0.040   0.027    0.251   0.092
 *     f32x1 linear       0.010   0.016    0.030   0.025    0.179   0.085
 *     u16x3 linear       0.014   0.017    0.049   0.036    0.326   0.160
 *     f32x2 linear       0.011   0.016    0.033   0.028    0.208   0.131
 *     f32x3 linear       0.012   0.016    0.040   0.043    0.253   0.210
 *     f32x4 linear       0.014   0.019    0.049   0.050    0.330   0.281
 *     u8x3 nearest                                         0.132   0.069
 *     u16x3 nearest                                        0.164   0.125
 *     f32x3 nearest                                        0.154   0.193
 *     f32x4 nearest                                        0.219   0.247
 *     u8x3 cubic                                           0.843   0.235
 *     u16x3 cubic                                          0.787   0.376
 *     f32x3 cubic                                          0.591   0.288
 *     f32x4 cubic                                          0.947   0.405
 * 4096 x 4096 makes 22.5 million pixels. */
#include "gpu/warp/measured.h"

#include "core/ops/warp.h"
#include "gpu/point/weighed.h"

#include <math.h>
#include <string.h>

enum { SIZES = 4 };

static double predict(const Level *level, const Stage *stage) {
    static const double each[WARP_KERNELS][SIZES][2] = {
        /* ms a million pixels, by naive and by tile, of up to 4, 8, 12 and 16 bytes */
        {{0.0056, 0.0025}, {0.0070, 0.0050}, {0.0066, 0.0080}, {0.0095, 0.0104}},
        {{0.0141, 0.0035}, {0.0141, 0.0068}, {0.0110, 0.0088}, {0.0144, 0.0119}},
        {{0.0372, 0.0099}, {0.0347, 0.0162}, {0.0260, 0.0122}, {0.0418, 0.0174}}};
    static const double begins[2] = {0.006, 0.0125}; /* ms */
    const Shape out = stage->out.shape;
    const size_t bytes = (size_t)out.channels * pixel_type_size(out.type), size = (bytes + 3) / 4 - 1;
    const int is_tile = strcmp(level->name, "tile") == 0;
    return begins[is_tile] +
           each[warp_job(stage)->kernel][size][is_tile] * (double)out.width * (double)out.height / 1e6;
}

/* Whether the pixel beyond the edges, which is as f32 has it, is one of bytes that alpha leaves as it is. */
static bool outside_stays(const WarpJob *job, int channels) {
    const float alpha = job->outside[channels - 1];
    if (job->border == BORDER_CLAMP || job->border == BORDER_MIRROR || job->border == BORDER_WRAP)
        return true;
    for (int c = 0; c < channels; c++)
        if (job->outside[c] < 0 || job->outside[c] > alpha || fabsf(rintf(job->outside[c]) - job->outside[c]) > 0)
            return false;
    return !(alpha > 0 && alpha < 255) && alpha <= 255;
}

/* A frame of f32 less is written and read, twice: the kernel takes no longer than that of f32. */
double warp_points_ms(const Stage *stage) {
    return gpu_points_weigh(stage) && warp_job(stage)->kernel == WARP_LINEAR &&
                   outside_stays(warp_job(stage), stage->out.shape.channels)
               ? 0
               : -1;
}

const Predictor warp_measured = {"NVIDIA H200", predict};
