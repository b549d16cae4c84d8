/* photo.h: the things on the table, as photo.c traces them and photo_surfaces.c makes them. */
#ifndef GLINT_TOOLS_ASSETS_PHOTO_H
#define GLINT_TOOLS_ASSETS_PHOTO_H

#include "tools/assets/vec.h"

#include <stdbool.h>

typedef enum Kind {
    KIND_BALL,  /* at, radius */
    KIND_HALF,  /* a ball cut through its middle; `axis` points out of the cut */
    KIND_LEAF,  /* a bent patch: the part of the ball in a leaf's outline around `axis` */
    KIND_SHAPE, /* a distance function within the ball */
    KIND_TABLE, /* y = 0 down to the table's back edge */
    KIND_CLOTH,
    KIND_WALL,
} Kind;

typedef struct Finish {
    Vec albedo, normal;
    float coat, roughness; /* reflectance of the coat seen straight on */
} Finish;

typedef struct Thing Thing;
typedef Finish Surface(const Thing *thing, Vec at, Vec normal);
typedef float Distance(Vec at); /* in the thing's own frame, scaled to its size */

struct Thing {
    Kind kind;
    Vec at;
    float radius;
    Vec axis, side; /* unit, at right angles */
    Surface *surface;
    Distance *distance;
    float seed;
};

Distance apple, pear, lemon, bowl, stem;
Surface orange, cut_orange, red_apple, green_pear, yellow_lemon, berry, grape, twig, leaf, glaze, table, cloth, wall;
void cloth_place(const Thing *thing, Vec at, float *u, float *v);

#endif
