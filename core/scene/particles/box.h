/* box.h: boxes that hold particles. */
#ifndef GLINT_CORE_SCENE_PARTICLES_BOX_H
#define GLINT_CORE_SCENE_PARTICLES_BOX_H

#include <stdbool.h>

/* A parallelepiped: a corner, and the sides that leave it. */
typedef struct Box {
    double corner[3], sides[3][3];
    bool open[3]; /* along that side it is not periodic */
} Box;

/* A lower corner and lengths along the axes. */
Box box_along_axes(const double corner[3], const double lengths[3]);
/* A box by lengths and angles: alpha between b and c, beta between a and c, gamma between a and b, in degrees. Its side
 * a is along x, and b in the plane of x and y. False if there is no such box. */
bool box_by_angles(const double lengths[3], const double angles[3], Box *box);
/* The box around so many boxes along each side. */
Box box_repeated(const Box *box, const double times[3]);
/* The inverse of a solid box's sides: its rows give the shares of a place from its corner. */
void box_invert(const Box *box, double inverse[3][3]);
/* False for a box that has no volume, or is not finite. */
bool box_is_solid(const Box *box);

#endif
