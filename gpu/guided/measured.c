/* measured.c: which level is the fastest. The cost of `fits` is the window's area. The blocks of `running` go down 128
 * rows, which takes time on a small picture, too. Blocks of `ring` go down six radii at least. Beyond that, values
 * count, however large the window. In ms on an H200:
 *
 *                                   fits          running   ring
 *     160 x 120 u8x3, radius 4      0.031         0.200     0.059
 *     320 x 240 u8x3, radius 4      0.063         0.212     0.060
 *     320 x 240 f32x1, radius 4     0.034                   0.031
 *     1920 x 1080 u8x3, radius 2    0.42          0.34      0.069
 *     1920 x 1080 u8x3, radius 4    1.12          0.35      0.071
 *     1920 x 1080 u8x3, radius 11   7.05          0.37      0.213
 *     1920 x 1080 u8x1, radius 11   2.38          0.27      0.107
 *     1920 x 1080 u16x3, radius 4   1.26          0.37      0.153
 *     4096 x 4096 u8x3, radius 1    1.66
 *     4096 x 4096 u8x3, radius 8                  1.33      0.605
 *     4096 x 4096 u8x3, radius 64                 3.43      1.50
 *     4096 x 4096 u16x3, radius 8                 1.58      1.09
 *     4096 x 4096 f32x3, radius 8                           0.98
 *     8192 x 8192 u8x1, radius 4    11.7          1.58
 *     8192 x 8192 u8x3, radius 4    35.2          4.69
 *     700 x 300 u8x1, radius 16     0.64          0.22 */
#include "gpu/guided/measured.h"

#include "core/ops/guided.h"

#include <math.h>
#include <string.h>

static double predict(const Level *level, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const double values = (double)shape.width * (double)shape.height * shape.channels;
    const double side = 2.0 * guided_job(stage)->radius + 1;
    if (strcmp(level->name, "fits") == 0)
        return 0.02 + values * (1.4e-8 + side * side * 2.1e-9);
    if (strcmp(level->name, "ring") == 0) {
        static const double each[PIXEL_TYPES] = {1.2e-8, 1.9e-8, 1.8e-8};
        return 0.01 + guided_job(stage)->radius * (0.002 + 0.0033 * shape.channels) +
               values * each[stage->in[0].shape.type];
    }
    const bool real = stage->in[0].shape.type == PIXEL_F32 || guided_guide(stage).shape.type == PIXEL_F32;
    return 0.2 + values * (real ? 5e-8 : 2.35e-8) * 247 / (256 - side); /* windows take columns from 256 */
}

const Predictor guided_measured = {"NVIDIA H200", predict};
