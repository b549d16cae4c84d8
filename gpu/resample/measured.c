/* measured.c: where `march` beats `polyphase`: everywhere but for u8x1 by 1/2. In ms on an H200, 4096 x 4096 (u8x4 by
 * 1/2: 8192 x 8192), Lanczos:
 *                  by 1/2                  by 1/4
 *              polyphase  march        polyphase  march
 *     u8x1      0.043     0.050         0.030     0.029
 *     u8x3      0.102     0.095         0.082     0.067
 *     u8x4      0.480     0.434         0.131     0.080
 *     f32x1     0.072     0.051         0.075     0.042
 *     f32x3     0.196     0.125         0.203     0.087 */
#include "gpu/resample/measured.h"

#include "core/ops/resample.h"

#include <string.h>

/* By the time of `polyphase`. */
static double predict(const Level *level, const Stage *stage) {
    static const double march[2][2] = {{1.16, 0.98}, {0.88, 0.7}}; /* u8x1, and all others, by 1/2 and 1/4 */
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    const size_t scale = in.width / out.width;
    if (scale != 2 && scale != 4)
        return -1;
    return strcmp(level->name, "march") == 0 ? march[in.type != PIXEL_U8 || in.channels > 1][scale == 4] : 1;
}

const Predictor resample_measured = {"NVIDIA H200", predict};
