/* tiles.h: a picture in tiles of equal size, and where a pixel lies between the centres of four of them.
 * Owns the arithmetic for every backend. The last tiles may reach beyond the picture, which is mirrored there. */
#ifndef GLINT_CORE_MATH_TILES_H
#define GLINT_CORE_MATH_TILES_H

#include "core/math/bins.h"

#include <stdbool.h>

enum { TILES_MAX = 64, TILE_SIDE_MAX = 1 << 22, TILE_BINS = 4096 }; /* a side; pixels; bins of u16 and f32 */

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

/* How many values a bin keeps, and how many those cut off add to each bin: `batch` to all, one more to every `step`th
 * of the first `rest`. */
typedef struct Clip {
    uint32_t limit, batch, step, rest;
} Clip;

GLINT_HD uint32_t clip_limit(double clip, uint64_t total, int bins) {
    const double limit = clip * (double)total / bins;
    return !(clip > 0) || limit > 4294967295.0 ? 4294967295U : limit > 1 ? (uint32_t)limit : 1;
}
GLINT_HD Clip clip_of(uint32_t limit, uint64_t cut, int bins) {
    const uint32_t batch = (uint32_t)(cut / (uint64_t)bins), rest = (uint32_t)(cut % (uint64_t)bins);
    const Clip clip = {limit, batch, rest > 0 ? (uint32_t)bins / rest : 1, rest};
    return clip;
}
/* What bin i holds in the end. */
GLINT_HD uint32_t clip_count(Clip clip, uint32_t count, uint32_t i) {
    const uint32_t kept = count < clip.limit ? count : clip.limit;
    return kept + clip.batch + (i % clip.step == 0 && i / clip.step < clip.rest ? 1 : 0);
}

#endif
