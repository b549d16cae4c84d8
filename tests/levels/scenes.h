/* scenes.h: scenes that several groups trace. */
#ifndef GLINT_TESTS_LEVELS_SCENES_H
#define GLINT_TESTS_LEVELS_SCENES_H

#include "core/scene/scene.h"
#include "tests/levels/harness.h"

enum { TESTS_MAX = 40000000 }; /* of pixels against spheres or triangles, in one case */

/* Light by two samples a pixel. */
Plan *plan_of(const Scene *scene, const char *sight, Look look, Shape shape);
/* Checks every look of the scenes that `make` makes of so many kinds, few and many parts, by cameras of all sorts. */
void check_sights(Bench *benches, Scene *(*make)(int kind, size_t count), int kinds);
/* The scene, and a camera that sees something of it. */
Scene *open_seen(const char *text, Camera *camera);

/* Spheres that make bad trees: alike, within each other, in a line, far from all others, of no size, of all sizes. */
typedef enum Degenerate { NONE, ALIKE, CONCENTRIC, LINE, FAR_AWAY, POINTS, ALL_SIZES, DEGENERATES } Degenerate;

Scene *degenerate_scene(Degenerate kind, size_t count);

#endif
