/* sphere.h: spheres, the orthographic camera and the classic shading.
 * Owns the intersection arithmetic for every backend. */
#ifndef GLINT_CORE_HD_SPHERE_H
#define GLINT_CORE_HD_SPHERE_H

#include "core/hd/hd.h"

#include <stddef.h>

/* World units; colours 0 to 1. */
typedef struct Sphere {
    float x, y, z, radius;
    float red, green, blue;
} Sphere;

/* Orthographic, looking down -z from infinity: the pixel (px, py) sees the line through
 * x = centre_x + (px - width / 2) * unit, y = centre_y - (py - height / 2) * unit. */
typedef struct Camera {
    float centre_x, centre_y; /* world units, at the picture's middle */
    float unit;               /* world units a pixel, > 0; the course's camera has 1 */
} Camera;

HD float camera_x(Camera camera, size_t px, size_t width) {
    return camera.centre_x + ((float)px - (float)(width / 2)) * camera.unit;
}
HD float camera_y(Camera camera, size_t py, size_t height) {
    return camera.centre_y - ((float)py - (float)(height / 2)) * camera.unit;
}

#endif
