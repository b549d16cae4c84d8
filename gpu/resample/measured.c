/* measured.c: where `march` beats `polyphase`: everywhere but for u8x1 by 1/2; `tensor` beats both. `products` takes
 * other sizes. In ms on an H200, 4096 x 4096 (u8x4 by 1/2: 8192 x 8192), Lanczos: by 1/2                         by 1/4
 *              polyphase  march  tensor       polyphase  march  tensor
 *     u8x1      0.055     0.049  0.023         0.037     0.037  0.020
 *     u8x2      0.078            0.037         0.060            0.028
 *     u8x3      0.109     0.101  0.046         0.090     0.075  0.039
 *     u8x4      0.484     0.445  0.222         0.137     0.089  0.046
 *     u16x1                                    0.086     0.039
 *     u16x3     0.234     0.130                0.188     0.090
 *     u16x4                                    0.373     0.116
 *     f32x1     0.072     0.051                0.075     0.042
 *     f32x3     0.196     0.125                0.203     0.087
 *
 *     u8x3        by 0.25   0.3    1/3    0.5    0.7    0.9    1.5
 *     polyphase     0.090  0.087  0.092  0.107  0.114  0.148  0.240
 *     products      0.043  0.049  0.054  0.075  0.157  0.188  0.507
 * By 0.3, products takes 0.025 of u8x1 (polyphase 0.042) and 0.071 of u8x4 (0.125).
 * Means of bytes, u8x3: `blocks` takes 0.023 by 1/2 and 0.021 by 1/4. */
#include "gpu/resample/measured.h"

#include "core/ops/resample.h"

#include <math.h>
#include <string.h>

/* By the time of `polyphase`. */
static double predict(const Level *level, const Stage *stage) {
    /* u8x1, other u8 and f32, and u16, by 1/2 and 1/4 */
    static const double march[3][2] = {{1.16, 0.98}, {0.88, 0.7}, {0.55, 0.48}};
    static const double tensor = 0.45, blocks = 0.23;
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    const ResampleJob *job = resample_job(stage);
    const double scale = fmin(job->x.scale, job->y.scale);
    if (strcmp(level->name, "blocks") == 0)
        return blocks;
    if (strcmp(level->name, "tensor") == 0)
        return tensor;
    if (strcmp(level->name, "products") == 0)
        return scale > 2.5 ? in.type == PIXEL_U16 ? 0.45 : 0.58 : scale > 1.7 ? 0.75 : 1.5;
    const int kind = in.type == PIXEL_U16 ? 2 : in.type != PIXEL_U8 || in.channels > 1;
    return strcmp(level->name, "march") == 0 ? march[kind][in.width / out.width == 4] : 1;
}

const Predictor resample_measured = {"NVIDIA H200", predict};
