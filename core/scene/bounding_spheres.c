/* bounding_spheres.c: the smallest spheres around triangles and cylinders, and a little more. */
#include "core/scene/bounding_spheres.h"

#include <stdlib.h>

static void difference(Vec a, Vec b, double *d) {
    d[0] = (double)a.x - (double)b.x;
    d[1] = (double)a.y - (double)b.y;
    d[2] = (double)a.z - (double)b.z;
}
static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The centre of the sphere around the points: the middle of the longest side. If the third point lies outside of that
 * sphere, its angle is less than a right one. Then the centre is the middle of the circle through all three, by its
 * barycentric coordinates. */
static Vec centre_of(const Vec *points) {
    int longest = 0;
    double max = -1, side[3], squares[3];
    for (int i = 0; i < 3; i++) {
        difference(points[(i + 1) % 3], points[(i + 2) % 3], side);
        squares[i] = dot(side, side);
        if (squares[i] > max) {
            max = squares[i];
            longest = i;
        }
    }
    double weights[3] = {0.5, 0.5, 0.5};
    weights[longest] = 0;
    if (squares[0] + squares[1] + squares[2] > 2 * max)
        for (int i = 0; i < 3; i++)
            weights[i] = squares[i] * (squares[(i + 1) % 3] + squares[(i + 2) % 3] - squares[i]);
    const double sum = weights[0] + weights[1] + weights[2];
    double centre[3] = {0};
    for (int i = 0; i < 3; i++) {
        centre[0] += weights[i] / sum * (double)points[i].x;
        centre[1] += weights[i] / sum * (double)points[i].y;
        centre[2] += weights[i] / sum * (double)points[i].z;
    }
    return vec((float)centre[0], (float)centre[1], (float)centre[2]);
}

/* Whatever the centre, the radius reaches all points, with more room than rounding it takes. */
static Sphere sphere_around(const Triangle *triangle) {
    const Vec centre = centre_of(triangle->points);
    double max = 0, way[3];
    for (int i = 0; i < 3; i++) {
        difference(triangle->points[i], centre, way);
        max = fmax(max, dot(way, way));
    }
    return (Sphere){.x = centre.x, .y = centre.y, .z = centre.z, .radius = (float)(sqrt(max) * (1 + 1e-6))};
}

/* By the way from the rounded centre to the middle, and from there to an edge. */
static Sphere sphere_around_cylinder(const Cylinder *cylinder) {
    const Vec first = cylinder->ends[0];
    CylinderAxis axis;
    if (!cylinder_axis(cylinder, &axis))
        return (Sphere){.x = first.x, .y = first.y, .z = first.z};
    const Vec centre = wide_vec(axis.middle);
    const Wide off = wide_along(axis.middle, -1, wide_of(centre));
    const double reach = hypot(axis.half, (double)cylinder->radius) + sqrt(wide_dot(off, off));
    return (Sphere){.x = centre.x, .y = centre.y, .z = centre.z, .radius = (float)(reach * (1 + 1e-6))};
}

Status bounding_spheres_create(const Scene *scene, Scene *bounds) {
    const size_t count = scene->triangle_count + scene->cylinder_count;
    *bounds = (Scene){.count = count, .serial = scene->serial, .moves = scene->moves};
    bounds->spheres = malloc((count + 1) * sizeof *bounds->spheres);
    if (!bounds->spheres)
        return fail(STATUS_DEVICE, "trace: no memory for the bounds of %zu triangles and cylinders", count);
    for (size_t i = 0; i < scene->triangle_count; i++)
        bounds->spheres[i] = sphere_around(&scene->triangles[i]);
    for (size_t i = 0; i < scene->cylinder_count; i++)
        bounds->spheres[scene->triangle_count + i] = sphere_around_cylinder(&scene->cylinders[i]);
    return STATUS_OK;
}

void bounding_spheres_free(Scene *bounds) {
    free(bounds->spheres);
    *bounds = (Scene){0};
}
