/* measured.c: the order of the levels of rank. Where both accept, `network` is faster than `tiles`, and `tiles` than
 * levels that count: 9 x 9 takes 0.55 ms of u8x3 noise of 4096 x 4096, by `counts` 4.5. The table shows from how many
 * values on `counts` beats `histogram`. It has few long strips, with which a small picture does not fill the device,
 * and begins each by summing a window's height. Noise, whose medians lie together, asks for fewer marches. In ms:
 *                                            histogram   counts
 *     photograph, 1280 x 853 u8x3, 9 x 9     0.76        0.66
 *     photograph, 1280 x 853 u8x3, 17 x 17   0.72        0.80
 *     photograph, 1280 x 853 u8x3, 63 x 63   1.0         2.1
 *     photograph, 3840 x 2559 u8x3, 9 x 9    5.1         3.4
 *     photograph, 3840 x 2559 u8x3, 63 x 63  5.6         4.2
 *     noise, 701 x 433 u8x1, 9 x 9           0.09        0.16
 *     noise, 1920 x 1080 u8x3, 63 x 63       0.62        0.67
 *     noise, 3840 x 2160 u8x3, 63 x 63       2.3         0.9 */
#include "gpu/rank/measured.h"

#include "core/ops/rank.h"

#include <math.h>
#include <string.h>

enum { VALUES_A_ROW = 250000 }; /* of the window, from which on */

/* No time: the place among the levels that accept the stage. */
static double predict(const Level *level, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const double values = (double)shape.width * (double)shape.height * shape.channels;
    const bool large = values >= (double)VALUES_A_ROW * rank_job(stage)->window->height;
    const char *const places[] = {"network", "tiles", large ? "counts" : "histogram", large ? "histogram" : "counts"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strcmp(places[i], level->name) == 0)
            return (double)i;
    return INFINITY;
}

const Predictor rank_measured = {"NVIDIA H200", predict};
