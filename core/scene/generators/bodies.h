/* bodies.h: what scenes of bodies share: random bodies, spheres of them, discs of them, and how they shine.
 * Lengths, times and masses are the scene's own, in which G is 1, unless a scene says otherwise. */
#ifndef GLINT_CORE_SCENE_GENERATORS_BODIES_H
#define GLINT_CORE_SCENE_GENERATORS_BODIES_H

#include "core/math/pcg.h"
#include "core/scene/scene.h"

#include <math.h>

typedef struct Point {
    double x, y, z; /* y is up */
} Point;

typedef struct OneBody {
    Point at, velocity;
    double mass, radius; /* 0: it is not seen */
    Colour colour;
} OneBody;

/* Bodies for all spheres of the scene, of a material that shines; a black sky. */
Status bodies_begin(Scene *scene, float scale, Gravity gravity);
void bodies_put(Scene *scene, size_t index, const OneBody *body);
/* The middle of the masses becomes the origin, and stays there. */
void bodies_centre(Scene *scene);
/* Where the scene is seen from, in its lengths. */
void bodies_look_from(Scene *scene, Point from, float angle);

double random_share(Pcg *pcg);                    /* above 0, below 1 */
double random_normal(Pcg *pcg);                   /* of variance 1 */
Point random_direction(Pcg *pcg, double length);  /* all alike */
Point random_normals(Pcg *pcg, double deviation); /* along each axis */

/* A galaxy: a disc with two arms, a bulge, and a halo that is not seen. */
typedef struct GalaxyPlan {
    size_t first, count;
    Point at, velocity;
    double tilt, node; /* of the disc from the plane of x and z, about an axis in it at this angle, radians */
    double mass, size; /* of the disc; its scale length */
    Colour arms, disc, bulge;
    double radius; /* of a body, as it is seen */
} GalaxyPlan;

void galaxy_put(Scene *scene, const GalaxyPlan *plan, Pcg *pcg);
/* So that as many discs of this radius cover a tenth of a picture so many lengths wide. */
double galaxy_radius(size_t count, double wide);

#endif
