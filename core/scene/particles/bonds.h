/* bonds.h: which particles are bonded, and the cylinders between them. */
#ifndef GLINT_CORE_SCENE_PARTICLES_BONDS_H
#define GLINT_CORE_SCENE_PARTICLES_BONDS_H

#include "core/scene/scene.h"

/* Two spheres by their indices, the lower one first. */
typedef struct Bond {
    uint32_t from, to;
} Bond;

typedef struct Bonds {
    Bond *list; /* owned */
    size_t count;
} Bonds;

void bonds_free(Bonds *bonds); /* accepts a zeroed one */

/* Finds all pairs of spheres that are nearer to each other than both their reaches together, and at least `least`
 * apart. Sphere i has reaches[i % period]; 0: it has no bonds. The time grows as the number of spheres, where these are
 * nowhere dense. `name` is the file's. STATUS_INPUT if they take more than memory_budget(), STATUS_DEVICE without
 * memory. */
Status bonds_by_distance(const char *name, const Sphere *spheres, size_t count, const float *reaches, size_t period,
                         float least, Bonds *bonds);
/* Makes bonds of pairs of numbers that a file has for particles: of sphere i, numbers[i]. Pairs that come twice count
 * once. Pairs are left out if one of both is no sphere. Where several spheres have a number, it is the first one's.
 * Each bond comes `images` times. The spheres of the next image are `count` farther. Fails as above. */
Status bonds_by_number(const char *name, const Bonds *pairs, const uint32_t *numbers, size_t count, size_t images,
                       Bonds *bonds);
/* Gives the scene a cylinder for each bond, in their order. Halves have their spheres' colours, both the first sphere's
 * material. Fails as above. */
Status bonds_draw(const char *name, const Bonds *bonds, float radius, Scene *scene);
/* Puts these cylinders where the scene's spheres are now, with their colours. A bond is not seen if it is more than
 * twice as long as in `from`. One of its spheres then came in at the other side of a periodic box. */
void bonds_move(const Bonds *bonds, const Scene *from, Scene *scene);

#endif
