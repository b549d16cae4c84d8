/* tiles.h: a picture in tiles of equal size, and where a pixel lies between the centres of four of them.
 * Owns the arithmetic for every backend. The last tiles may reach beyond the picture, which is mirrored there. */
#ifndef GLINT_CORE_MATH_TILES_H
#define GLINT_CORE_MATH_TILES_H

#include "core/math/bins.h"

#include <stdbool.h>

enum { TILES_MAX = 64, TILE_SIDE_MAX = 1 << 22, TILE_BINS = 256 }; /* a side; pixels; from black to white */

typedef struct Tiles {
    int across, down;  /* how many */
    int width, height; /* of each, pixels */
} Tiles;

GLINT_HD Tiles tiles_of(int across, int down, int width, int height) {
    const Tiles tiles = {across, down, (width + across - 1) / across, (height + down - 1) / down};
    return tiles;
}

/* Two neighbouring tiles, and how far from the first towards the second. */
typedef struct Between {
    int first, second;
    double part;
} Between;

/* As OpenCV has it, whose pixels lie at their left edges. Beyond the outer centres, both tiles are the same. Where
 * results are bytes, parts are 256ths: then f32 holds every product, and all levels round alike. */
GLINT_HD Between tiles_between(int at, int size, int count, bool bytes) {
    const int twice = 2 * at - size, first = twice < 0 ? -1 : twice / (2 * size), rest = twice - 2 * size * first;
    const uint32_t part = (256 * (uint32_t)rest + (uint32_t)size) / (2 * (uint32_t)size);
    const Between between = {first < 0 ? 0 : first, first + 1 < count ? first + 1 : count - 1,
                             bytes ? part / 256.0 : (double)rest / (2.0 * size)};
    return between;
}

/* How many values a bin keeps, and how many bins share all those cut off. Where results are bytes, each bin gets as
 * many as in OpenCV, and the rest goes to every n-th bin from the first on. Else it is spread evenly. The first bins
 * alone would brighten the picture where tiles have about as many pixels as bins. */
typedef struct Clip {
    uint32_t limit, bins;
    uint64_t cut;
    bool bytes;
} Clip;

GLINT_HD uint32_t clip_limit(double clip, uint64_t total, int bins) {
    const double limit = clip * (double)total / bins;
    return !(clip > 0) || limit > 4294967295.0 ? 4294967295U : limit > 1 ? (uint32_t)limit : 1;
}
/* The share of bin i in the values cut off. */
GLINT_HD uint32_t clip_share(Clip clip, uint32_t i) {
    if (!clip.bytes)
        return (uint32_t)((i + 1) * clip.cut / clip.bins - i * clip.cut / clip.bins);
    const uint32_t rest = (uint32_t)(clip.cut % clip.bins), step = rest > 0 ? clip.bins / rest : 1;
    return (uint32_t)(clip.cut / clip.bins) + (i % step == 0 && i / step < rest ? 1 : 0);
}
/* The values that bin i holds in the end. */
GLINT_HD uint32_t clip_count(Clip clip, uint32_t count, uint32_t i) {
    return (count < clip.limit ? count : clip.limit) + clip_share(clip, i);
}

#endif
