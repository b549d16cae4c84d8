/* measured.c: where `march` beats `polyphase`: everywhere but for u8x1 by 1/2; `tensor` beats both. In ms on an H200,
 * 4096 x 4096 (u8x4 by 1/2: 8192 x 8192), Lanczos:
 *                  by 1/2                         by 1/4
 *              polyphase  march  tensor       polyphase  march  tensor
 *     u8x1      0.055     0.049  0.023         0.037     0.037  0.020
 *     u8x2      0.078            0.037         0.060            0.028
 *     u8x3      0.109     0.101  0.046         0.090     0.075  0.039
 *     u8x4      0.484     0.445  0.222         0.137     0.089  0.046
 *     f32x1     0.072     0.051                0.075     0.042
 *     f32x3     0.196     0.125                0.203     0.087
 * Means of bytes, u8x3: `blocks` takes 0.023 by 1/2 and 0.021 by 1/4. */
#include "gpu/resample/measured.h"

#include "core/ops/resample.h"

#include <string.h>

/* By the time of `polyphase`. */
static double predict(const Level *level, const Stage *stage) {
    static const double march[2][2] = {{1.16, 0.98}, {0.88, 0.7}}; /* u8x1, and all others, by 1/2 and 1/4 */
    static const double tensor = 0.45, blocks = 0.23, smaller = 0.5, larger = 1.2;
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    if (strcmp(level->name, "blocks") == 0)
        return blocks;
    if (strcmp(level->name, "tensor") == 0)
        return tensor;
    if (strcmp(level->name, "products") == 0)
        return in.width >= out.width && in.height >= out.height ? smaller : larger;
    return strcmp(level->name, "march") == 0 ? march[in.type != PIXEL_U8 || in.channels > 1][in.width / out.width == 4]
                                             : 1;
}

const Predictor resample_measured = {"NVIDIA H200", predict};
