/* measured.c: atomics of lanes never meet, and pairs need half as many. Both have more counts to begin and to end with,
 * and pay for large pictures alone. Lines through 1024 x 1024, 3840 x 2160 and 8192 x 8192, u8. */
#include "gpu/histogram/measured.h"

#include <string.h>

static double predict(const Level *level, const Stage *stage) {
    static const struct {
        const char *level;
        double fixed[2], each[2]; /* ms, and ms a million pixels: of one row of counts, and of three */
    } lines[] = {
        {"product", {0.0095, 1}, {0.00031, 1}},
        {"pairs", {0.013, 1}, {0.00036, 1}},
        {"lanes", {0.030, 0.040}, {0.00030, 0.00105}},
        {"privatized", {0.010, 0.013}, {0.00046, 0.00160}},
    };
    const int rows = stage->out.shape.height > 1;
    const double pixels = (double)stage->in[0].shape.width * (double)stage->in[0].shape.height / 1e6;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(lines[i].level, level->name) == 0)
            return lines[i].fixed[rows] + lines[i].each[rows] * pixels;
    return -1;
}

const Predictor histogram_measured = {"NVIDIA H200", predict};
