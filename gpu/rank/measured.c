/* measured.c: the order of the levels of rank. Where both accept, `network` is faster than `tiles`. `tiles` is faster
 * than levels that count: 0.55 ms instead of 4.5 for 9 x 9 in u8x3 noise of 4096 x 4096. The table shows from how many
 * values on `counts` beats `histogram`. It has few long strips, with which a small picture does not fill the device. It
 * begins each by summing a window's height. Noise, whose medians lie together, asks for fewer marches. In ms:
 *                                            histogram   counts
 *     photograph, 1280 x 853 u8x3, 9 x 9     0.76        0.66
 *     photograph, 1280 x 853 u8x3, 17 x 17   0.72        0.80
 *     photograph, 1280 x 853 u8x3, 63 x 63   1.0         2.1
 *     photograph, 3840 x 2559 u8x3, 9 x 9    5.1         3.4
 *     photograph, 3840 x 2559 u8x3, 63 x 63  5.6         4.2
 *     noise, 701 x 433 u8x1, 9 x 9           0.09        0.16
 *     noise, 1280 x 853 u8x3, 31 x 31        0.31        0.37
 *     noise, 1920 x 1080 u8x3, 31 x 31       0.56        0.35
 *     noise, 1920 x 1080 u8x3, 63 x 63       0.63        0.59
 *     noise, 3840 x 2160 u8x1, 101 x 101     0.81        1.19
 *     noise, 4096 x 4096 u8x1, 101 x 101     1.53        1.13 */
#include "gpu/rank/measured.h"

#include "core/ops/rank.h"

#include <math.h>
#include <string.h>

enum {
    VALUES_A_ROW = 150000, /* of the window, from which on `counts` is the faster one that counts */
    SORTED_U8_MIN = 280,   /* values of a window from which on `sorted` is faster than counting, */
    SORTED_U8_MAX = 27,    /* and its side up to which it is */
    SORTED_MIN = 20        /* of u16 and f32: from which on it is faster than `naive` */
};

/* No time: the place among the levels that accept the stage. */
static double predict(const Level *level, const Stage *stage) {
    enum { PLACES = 6 };
    const Shape shape = stage->out.shape;
    const Mask *window = rank_job(stage)->window;
    const int longest = window->width > window->height ? window->width : window->height;
    const int area = window->width * window->height;
    const double values = (double)shape.width * (double)shape.height * shape.channels;
    const bool large = values >= (double)VALUES_A_ROW * window->height;
    const char *const counts = large ? "counts" : "histogram", *const other = large ? "histogram" : "counts";
    const bool sorted = shape.type != PIXEL_U8 ? area >= SORTED_MIN : area >= SORTED_U8_MIN && longest <= SORTED_U8_MAX;
    const char *const first[PLACES] = {"network", "tiles", "sorted", counts, other, "naive"};
    const char *const last[PLACES] = {"network", "tiles", counts, other, "naive", "sorted"};
    for (int i = 0; i < PLACES; i++)
        if (strcmp((sorted ? first : last)[i], level->name) == 0)
            return i;
    return INFINITY;
}

const Predictor rank_measured = {"NVIDIA H200", predict};
