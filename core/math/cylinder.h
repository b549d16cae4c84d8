/* cylinder.h: where rays hit cylinders with flat ends, and discs.
 * A cylinder is what an endless one and the slab between two planes have in common. The ray is in each of both along
 * one stretch, and in the cylinder along what these have in common (Kay and Kajiya, Ray Tracing Complex Scenes,
 * SIGGRAPH 1986). The stretch in the endless one follows from the component of the way to the middle that is
 * perpendicular to both axis and ray. Nothing large cancels there (Haines, Guenther and Akenine-Moeller, Precision
 * Improvements for Ray/Sphere Intersection, Ray Tracing Gems, chapter 7, 2019). All of it is in double precision, since
 * a thin cylinder may be a million times as long as wide. Single precision only dismisses rays that surely pass by. */
#ifndef GLINT_CORE_MATH_CYLINDER_H
#define GLINT_CORE_MATH_CYLINDER_H

#include "core/math/colour.h"
#include "core/math/sphere.h"

#include <stdbool.h>

/* Points within +-SPHERE_FARTHEST. A cylinder of no length is never seen, and no disc without a normal. */
typedef struct Cylinder {
    Vec ends[2];       /* the middles of both ends; of a disc: its middle, then its normal, of any length but 0 */
    float radius;      /* as a sphere's */
    Colour colours[2]; /* of the halves at these ends, 0 to 1; of a disc both are the same */
    uint32_t flat;     /* 1: a disc */
    uint32_t material; /* in the scene's table */
} Cylinder;

/* A vector of three doubles. */
typedef struct Wide {
    double x, y, z;
} Wide;

GLINT_HD Wide wide_of(Vec a) {
    const Wide wide = {(double)a.x, (double)a.y, (double)a.z};
    return wide;
}
/* a + s * b */
GLINT_HD Wide wide_along(Wide a, double s, Wide b) {
    const Wide wide = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return wide;
}
GLINT_HD double wide_dot(Wide a, Wide b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
GLINT_HD Wide wide_times(Wide a, double s) {
    const Wide wide = {a.x * s, a.y * s, a.z * s};
    return wide;
}
GLINT_HD Vec wide_vec(Wide a) {
    return vec((float)a.x, (float)a.y, (float)a.z);
}

/* Where a cylinder is. */
typedef struct CylinderAxis {
    Wide middle, way; /* the way from the first end to the second has length 1 */
    double half;      /* of the cylinder's length; 0: it is a disc */
} CylinderAxis;

/* False if the cylinder is never seen. */
GLINT_HD bool cylinder_axis(const Cylinder *cylinder, CylinderAxis *axis) {
    const Wide a = wide_of(cylinder->ends[0]), b = wide_of(cylinder->ends[1]);
    const Wide way = cylinder->flat ? b : wide_along(b, -1, a);
    const double length = sqrt(wide_dot(way, way));
    axis->middle = cylinder->flat ? a : wide_along(a, 0.5, way);
    axis->half = cylinder->flat ? 0 : 0.5 * length;
    axis->way = wide_times(way, 1 / length);
    return length > 0 && cylinder->radius > 0;
}

/* The box around a cylinder, at its first end if it is never seen. Each end reaches along an axis of the world as far
 * as the cylinder's is at right angles to it. */
GLINT_HD void cylinder_bounds(const Cylinder *cylinder, Vec *min, Vec *max) {
    CylinderAxis axis;
    *min = *max = cylinder->ends[0];
    if (!cylinder_axis(cylinder, &axis))
        return;
    const Wide way = axis.way, middle = axis.middle;
    const double radius = (double)cylinder->radius;
    const Wide reach = {fabs(way.x) * axis.half + sqrt(way.y * way.y + way.z * way.z) * radius,
                        fabs(way.y) * axis.half + sqrt(way.z * way.z + way.x * way.x) * radius,
                        fabs(way.z) * axis.half + sqrt(way.x * way.x + way.y * way.y) * radius};
    *min = wide_vec(wide_along(middle, -1, reach));
    *max = wide_vec(wide_along(middle, 1, reach));
}

/* A ray by its components along a cylinder's axis and perpendicular to it, from the middle on. */
typedef struct AxialRay {
    double along, slope; /* along the axis: its origin, and its direction */
    Wide aside, drift;   /* perpendicular to the axis: the same */
} AxialRay;

GLINT_HD AxialRay ray_axial(Ray ray, const CylinderAxis *axis) {
    const Wide from = wide_along(wide_of(ray.origin), -1, axis->middle), direction = wide_of(ray.direction);
    AxialRay axial;
    axial.along = wide_dot(from, axis->way);
    axial.slope = wide_dot(direction, axis->way);
    axial.aside = wide_along(from, -axial.along, axis->way);
    axial.drift = wide_along(direction, -axial.slope, axis->way);
    return axial;
}

/* The stretch of a ray that is in a cylinder, and whether it begins and stops at one of the flat ends. */
typedef struct CylinderSpan {
    double enter, leave; /* distances along the ray; enter > leave: it is nowhere in it */
    bool enters_flat, leaves_flat;
} CylinderSpan;

GLINT_HD CylinderSpan span_none(void) {
    const CylinderSpan none = {INFINITY, -INFINITY, false, false};
    return none;
}

/* The stretch in the endless cylinder. A ray along the axis is in it all the way, or nowhere. */
GLINT_HD CylinderSpan span_round(const AxialRay *axial, double radius) {
    const double square = wide_dot(axial->drift, axial->drift);
    const double nearest = square > 0 ? -wide_dot(axial->aside, axial->drift) / square : 0;
    const Wide aside = wide_along(axial->aside, nearest, axial->drift);
    const double discriminant = radius * radius - wide_dot(aside, aside);
    if (!(discriminant >= 0))
        return span_none();
    const double root = square > 0 ? sqrt(discriminant / square) : INFINITY;
    const CylinderSpan span = {nearest - root, nearest + root, false, false};
    return span;
}

/* The stretch between both ends. A ray within the plane of a disc does not see it. */
GLINT_HD CylinderSpan span_flat(const AxialRay *axial, double half) {
    const double slope = axial->slope;
    if (!(slope * slope > 0))
        return span_none();
    const double first = (-half - axial->along) / slope, second = (half - axial->along) / slope;
    const CylinderSpan span = {slope > 0 ? first : second, slope > 0 ? second : first, true, true};
    return span;
}

GLINT_HD CylinderSpan cylinder_span(const AxialRay *axial, double half, double radius) {
    CylinderSpan span = span_round(axial, radius);
    if (!(span.enter <= span.leave))
        return span;
    if (half > 0 && !(axial->slope * axial->slope > 0)) /* the ray is at right angles to the axis */
        return axial->along >= -half && axial->along <= half ? span : span_none();
    const CylinderSpan flat = span_flat(axial, half);
    span.enters_flat = flat.enter >= span.enter;
    span.leaves_flat = flat.leave <= span.leave;
    span.enter = span.enters_flat ? flat.enter : span.enter;
    span.leave = span.leaves_flat ? flat.leave : span.leave;
    return span;
}

/* The stretch of a ray in a cylinder that may be invisible. */
GLINT_HD CylinderSpan cylinder_ray_span(const Cylinder *cylinder, Ray ray) {
    CylinderAxis axis;
    if (!cylinder_axis(cylinder, &axis))
        return span_none();
    const AxialRay axial = ray_axial(ray, &axis);
    return cylinder_span(&axial, axis.half, (double)cylinder->radius);
}

/* How far along the ray the cylinder is hit; INFINITY if it is not. */
GLINT_HD double cylinder_distance(const Cylinder *cylinder, Ray ray) {
    const CylinderSpan span = cylinder_ray_span(cylinder, ray);
    const double distance = span.enter < (double)ray.t_min ? span.leave : span.enter; /* the former from within */
    return span.enter <= span.leave && distance >= (double)ray.t_min ? distance : INFINITY;
}

/* Whether the ray surely passes the endless cylinder, by the distance of two lines. Its error is below 2^-20 of the way
 * to the first end. */
GLINT_HD bool cylinder_passes_by(const Cylinder *cylinder, Ray ray) {
    const Vec to = vec_minus(cylinder->ends[0], ray.origin);
    const Vec way = cylinder->flat ? cylinder->ends[1] : vec_minus(cylinder->ends[1], cylinder->ends[0]);
    const Vec across = vec_cross(ray.direction, way);
    const float reach = fabsf(to.x) + fabsf(to.y) + fabsf(to.z) + cylinder->radius;
    const float length = fabsf(way.x) + fabsf(way.y) + fabsf(way.z);
    const float distance = fabsf(vec_dot(to, across)) - 0x1p-20f * reach * length;
    return distance > 0 && distance * distance > cylinder->radius * cylinder->radius * vec_dot(across, across);
}

/* Takes the cylinder as hit_offer_near takes a sphere; `index` is behind those of all spheres and triangles. */
GLINT_HD void hit_offer_cylinder(Hit *hit, const Cylinder *cylinder, uint32_t index, Ray ray) {
    if (index == ray.left || cylinder_passes_by(cylinder, ray))
        return;
    const float distance = (float)cylinder_distance(cylinder, ray);
    if (!(distance < INFINITY) || distance < ray.t_min || distance > hit->distance ||
        (distance == hit->distance && index > hit->index))
        return;
    hit->distance = distance;
    hit->root = 0;
    hit->index = index;
}

/* How far a ray goes within the cylinder that it leaves inwards; 0 where rounding has put its origin outside. */
GLINT_HD float cylinder_way_out(const Cylinder *cylinder, Ray ray) {
    const CylinderSpan span = cylinder_ray_span(cylinder, ray);
    return span.enter <= span.leave ? fmaxf((float)span.leave, 0) : 0;
}

/* ---- at a hit ---- */

typedef struct CylinderSpot {
    Vec at;        /* on the surface, but for its rounding */
    Vec normal;    /* outward, of length 1; of a disc: its own */
    Colour colour; /* of the half that it is on */
} CylinderSpot;

/* Where a ray that hits the cylinder at that distance does so: where it enters, or where it leaves. */
GLINT_HD CylinderSpot cylinder_spot(const Cylinder *cylinder, Ray ray, float distance) {
    CylinderSpot spot = {vec_along(ray.origin, distance, ray.direction), vec_times(ray.direction, -1),
                         cylinder->colours[0]};
    CylinderAxis axis;
    if (!cylinder_axis(cylinder, &axis))
        return spot;
    const AxialRay axial = ray_axial(ray, &axis);
    const CylinderSpan span = cylinder_span(&axial, axis.half, (double)cylinder->radius);
    if (!(span.enter <= span.leave))
        return spot;
    const bool leaves = fabs(span.leave - (double)distance) < fabs(span.enter - (double)distance);
    const bool second = (axial.slope > 0) == leaves; /* of the ends, if it is one */
    const double way = leaves ? span.leave : span.enter;
    double along = axial.along + way * axial.slope;
    Wide aside = wide_along(axial.aside, way, axial.drift);
    if (leaves ? span.leaves_flat : span.enters_flat) {
        along = second ? axis.half : -axis.half;
        spot.normal = wide_vec(wide_times(axis.way, cylinder->flat || second ? 1 : -1));
    } else {
        const Wide normal = wide_times(aside, 1 / sqrt(wide_dot(aside, aside)));
        aside = wide_times(normal, (double)cylinder->radius);
        spot.normal = wide_vec(normal);
    }
    spot.at = wide_vec(wide_along(wide_along(axis.middle, along, axis.way), 1, aside));
    spot.colour = cylinder->colours[along > 0 ? 1 : 0];
    return spot;
}

#endif
