/* measured.c: where `tile` beats `naive`. It takes longer to begin, and gains less the larger a pixel is. On an H200,
 * 4096 x 4096 turned by 10 degrees, which makes 22.5 million pixels, in ms:
 *                        naive    tile
 *     u8x1 nearest       0.106    0.068
 *     u8x3 nearest       0.127    0.093
 *     u8x3 linear        0.320    0.080
 *     u8x3 cubic         0.916    0.260
 *     u16x3 linear       0.320    0.217
 *     f32x3 linear       0.246    0.258
 *     f32x4 nearest      0.215    0.264
 *     f32x4 linear       0.324    0.297
 * At 640 x 480, u8x3 takes 0.009 and 0.011. Cubics of other types are taken for those of bytes. */
#include "gpu/warp/measured.h"

#include "core/ops/warp.h"

#include <string.h>

enum { SIZES = 4 };

static double predict(const Level *level, const Stage *stage) {
    static const double each[WARP_KERNELS][SIZES][2] = {
        /* ms a million pixels, by naive and by tile, of up to 4, 8, 12 and 16 bytes */
        {{0.0055, 0.0038}, {0.0055, 0.0055}, {0.0094, 0.0113}, {0.0094, 0.0113}},
        {{0.0141, 0.0034}, {0.0141, 0.0093}, {0.0108, 0.0111}, {0.0142, 0.0128}},
        {{0.0406, 0.0112}, {0.0406, 0.0112}, {0.0406, 0.0112}, {0.0406, 0.0112}}};
    static const double begins[2] = {0.003, 0.0085}; /* ms */
    const Shape out = stage->out.shape;
    const size_t bytes = (size_t)out.channels * pixel_type_size(out.type), size = (bytes + 3) / 4 - 1;
    const int is_tile = strcmp(level->name, "tile") == 0;
    return begins[is_tile] +
           each[warp_job(stage)->kernel][size][is_tile] * (double)out.width * (double)out.height / 1e6;
}

const Predictor warp_measured = {"NVIDIA H200", predict};
