/* bonds.h: which particles are bonded, and the cylinders between them. */
#ifndef GLINT_CORE_SCENE_PARTICLES_BONDS_H
#define GLINT_CORE_SCENE_PARTICLES_BONDS_H

#include "core/scene/particles/box.h"
#include "core/scene/scene.h"

/* Two spheres by their indices, the lower one first. Across a periodic border it is the half that `from` has of a bond,
 * to the middle of the way to an image of `to`. The other half is a bond of its own. */
typedef struct Bond {
    uint32_t from, to;
    int8_t across[3]; /* sides of the box from `to` to that image */
} Bond;

typedef struct Bonds {
    Bond *list; /* owned */
    size_t count;
    Vec sides[3]; /* of the box */
} Bonds;

void bonds_free(Bonds *bonds); /* accepts a zeroed one */

/* Finds all pairs of spheres that are nearer to each other than both their reaches together, and at least `least`
 * apart. Sphere i has reaches[i % period]; 0: it has no bonds. The time grows as the number of spheres, where these are
 * nowhere dense. Spheres also have bonds to images of others in a periodic box. `box` NULL: nothing is periodic. `name`
 * is the file's. STATUS_INPUT if they take more than memory_budget(), STATUS_DEVICE without
 * memory. */
Status bonds_by_distance(const char *name, const Sphere *spheres, size_t count, const float *reaches, size_t period,
                         float least, const Box *box, Bonds *bonds);
/* Makes bonds of pairs of numbers that a file has for particles: of sphere i, numbers[i]. Pairs that come twice count
 * once. Pairs are left out if one of both is no sphere. Where several spheres have a number, it is the first one's.
 * Each bond is to the nearest image of its sphere in a periodic box, NULL where nothing is periodic. It comes `images`
 * times. The spheres of the next image are `count` farther. Fails as above. */
Status bonds_by_number(const char *name, const Bonds *pairs, const uint32_t *numbers, const Sphere *spheres,
                       size_t count, size_t images, const Box *box, Bonds *bonds);
/* Gives the scene a cylinder for each bond, in their order. Halves have their spheres' colours, both the first sphere's
 * material. A bond across a border ends in the middle of its way. Fails as above. */
Status bonds_draw(const char *name, const Bonds *bonds, float radius, Scene *scene);
/* Puts these cylinders where the scene's spheres are now, with their colours. A bond is not seen if it is more than
 * twice as long as in `from`. One of its spheres then came in at the other side of a periodic box. */
void bonds_move(const Bonds *bonds, const Scene *from, Scene *scene);

#endif
