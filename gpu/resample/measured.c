/* measured.c: where `march` beats `polyphase`: everywhere but for u8x1 by 1/2; `tensor` beats both. `products` takes
 * other sizes, and most of u16. In ms on an H200, 4096 x 4096, Lanczos (glint bench resample --backend cuda --type ...
 * --size 4096x4096 --filter resize=scale=...):
 *
 *              by 1/2                               by 1/4
 *              polyphase  march  tensor  products   polyphase  march  tensor  products
 *     u8x1     0.054      0.048  0.023   0.032      0.038      0.040  0.021   0.024
 *     u8x3     0.108      0.100  0.045   0.079      0.092      0.076  0.040   0.046
 *     u8x4     0.144      0.122  0.059   0.099      0.137      0.086  0.045   0.051
 *     u16x1    0.108      0.057          0.043      0.092      0.045          0.034
 *     u16x3    0.240      0.136          0.159      0.194      0.094          0.076
 *     u16x4    0.291      0.173          0.159      0.381      0.117
 *     f32x1    0.072      0.051                     0.090      0.056
 *     f32x3    0.196      0.125                     0.216      0.097
 *     f32x4                                         0.304      0.130
 *
 *                  by 0.3    1/3   0.45   0.55    0.7    0.9    1.5
 *     u8x3 polyphase 0.090  0.097  0.098  0.110  0.115  0.148  0.241
 *          products  0.053  0.058  0.074  0.111  0.143  0.188  0.519
 *     u16x3 polyphase 0.230                      0.277  0.319  0.675
 *          products  0.103                       0.417  0.264  0.590
 * By 0.3, products takes 0.026 of u8x1 (polyphase 0.042) and 0.074 of u8x4 (0.132).
 * Means of bytes, u8x3: `blocks` takes 0.023 by 1/2 and 0.021 by 1/4. */
#include "gpu/resample/measured.h"

#include "core/ops/resample.h"

#include <math.h>
#include <string.h>

/* Products by the time of `polyphase`: of u8, and of u16 with three channels and with others. */
static double products(Shape in, double scale) {
    static const double least[] = {2.5, 1.9, 1.3, 0};
    static const double times[][3] = {{0.6, 0.45, 0.4}, {0.75, 0.66, 0.5}, {1.3, 1.5, 1.5}, {2, 0.85, 0.85}};
    size_t i = 0;
    while (scale <= least[i])
        i++;
    return times[i][in.type != PIXEL_U16 ? 0 : in.channels == 3 ? 1 : 2];
}

/* By the time of `polyphase`. */
static double predict(const Level *level, const Stage *stage) {
    /* u8x1, other u8 and f32, and u16, by 1/2 and 1/4 */
    static const double march[3][2] = {{1.16, 0.98}, {0.88, 0.7}, {0.57, 0.48}};
    static const double tensor = 0.45, blocks = 0.23;
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    const ResampleJob *job = resample_job(stage);
    if (strcmp(level->name, "blocks") == 0)
        return blocks;
    if (strcmp(level->name, "tensor") == 0)
        return tensor;
    if (strcmp(level->name, "products") == 0)
        return products(in, fmin(job->x.scale, job->y.scale));
    const int kind = in.type == PIXEL_U16 ? 2 : in.type != PIXEL_U8 || in.channels > 1;
    return strcmp(level->name, "march") == 0 ? march[kind][in.width / out.width == 4] : 1;
}

const Predictor resample_measured = {"NVIDIA H200", predict};
