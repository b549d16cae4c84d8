/* tile.h: FLIP of a tile, by one instruction set.
 * Owns what all tiles have in common, and a worker's memory. */
#ifndef GLINT_CPU_FLIP_TILE_H
#define GLINT_CPU_FLIP_TILE_H

#include "core/image/image.h"

enum {
    FLIP_SIDE = 64,       /* of a tile, in pixels */
    FLIP_RADIUS_MAX = 55, /* of a mask, at 400 pixels a degree */
    FLIP_SPAN = FLIP_SIDE + 2 * FLIP_RADIUS_MAX,
    FLIP_AREA = FLIP_SIDE * FLIP_SIDE,
};
#define FLIP_COLOUR_POWER 0.7f /* of distances of colours */

/* One row of a mask, from -radius to radius. Masks are products of a row and a column. */
typedef struct FlipMask {
    int radius;
    float weights[2 * FLIP_RADIUS_MAX + 1];
} FlipMask;

/* Masks of colours: luminance, red against green, and blue against yellow, which is a sum of two. Masks of features: a
 * gaussian, and its first and second derivative. */
enum FlipRow { ROW_LIGHT, ROW_RED, ROW_BLUE, ROW_BLUE_2, ROW_SMOOTH, ROW_EDGE, ROW_POINT, ROWS };

typedef struct Flip {
    ImageView pictures[2], map;
    double ppd;         /* pixels a degree */
    bool premultiplied; /* colours of f32 are multiplied by alpha */
    int radius;         /* of the widest mask */
    FlipMask masks[ROWS];
    float opponent[3][3];       /* of linear RGB: y, x - y and y - z, where white has x = y = z = 1 */
    float rgb[3][3], xyz[3][3]; /* linear RGB of x, y and z, and back */
    float largest;              /* the distance of green and blue, to the FLIP_COLOUR_POWER */
    const float *light;         /* linear, of each value of u8 or u16; NULL: f32 */
    float gain;                 /* of f32, before the tone curve */
    size_t columns, tiles;
} Flip;

/* A picture's tile as the eye has it: L*a*b*, scaled, and how much of an edge and of a point is there. */
typedef struct FlipSeen {
    float lab[3][FLIP_AREA], edge[FLIP_AREA], point[FLIP_AREA];
} FlipSeen;

typedef struct FlipTile {
    float values[4 * FLIP_SPAN], light[3][FLIP_SPAN], opponents[3][FLIP_SPAN];
    float rows[ROWS][FLIP_SPAN * FLIP_SIDE];
    FlipSeen seen[2];
    float errors[FLIP_AREA];
} FlipTile;

/* L*a*b* of each of `count` colours x, y, z (white is 1), a* and b* scaled by a hundredth of L* (Hunt 1952: colours of
 * dim light seem less so). Another array each; count is a multiple of 16. */
typedef void FlipLab(const float *const xyz[3], size_t count, float *const lab[3]);
/* Raises the map to the errors of a tile's pixels. */
typedef void FlipCompare(const Flip *flip, size_t index, FlipTile *tile);

typedef struct FlipCalls {
    FlipLab *lab;
    FlipCompare *compare;
} FlipCalls;
extern const FlipCalls flip_calls_portable, flip_calls_avx2, flip_calls_avx512;

#endif
