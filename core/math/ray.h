/* ray.h: rays, and where they hit spheres.
 * Owns the nearest hit of a ray, for every backend. */
#ifndef GLINT_CORE_MATH_RAY_H
#define GLINT_CORE_MATH_RAY_H

#include "core/math/vec.h"

#include <stdint.h>

#define HIT_NONE   UINT32_MAX
#define HIT_GROUND (UINT32_MAX - 1)

typedef struct Ray {
    Vec origin, direction; /* the direction has length 1 */
    float t_min;           /* the ray sees nothing before origin + t_min * direction */
    uint32_t left;         /* the primitive that the ray leaves and does not hit again; HIT_NONE: it leaves none */
    float far;             /* the distance to the far side of the solid that it leaves inwards; INFINITY: none */
} Ray;

/* A ray that leaves no primitive, seen from its origin on. */
GLINT_HD Ray ray_from(Vec origin, Vec direction) {
    const Ray ray = {origin, direction, 0, HIT_NONE, INFINITY};
    return ray;
}

/* The nearest primitive that a ray has hit so far. */
typedef struct Hit {
    float distance; /* along the ray */
    float root;     /* half the chord: |cosine of the angle between normal and ray| * radius */
    uint32_t index; /* HIT_NONE: the background */
} Hit;

GLINT_HD Hit hit_none(void) {
    const Hit none = {INFINITY, 0, HIT_NONE};
    return none;
}

/* The hit of a ray with nothing else in its way: the far side of the solid that it leaves inwards. Since no primitive
 * is tested that the ray leaves, this is where every search begins. */
GLINT_HD Hit hit_start(Ray ray) {
    const Hit start = {ray.far, 0.5f * ray.far, ray.far < INFINITY ? ray.left : HIT_NONE};
    return start;
}

/* ---- spheres ---- */

/* How the ray passes a sphere, by the component of the way to its centre that is perpendicular to the ray. Nothing
 * cancels for small or distant spheres (Haines, Guenther and Akenine-Moeller, Precision Improvements for Ray/Sphere
 * Intersection, Ray Tracing Gems, chapter 7, 2019). */
typedef struct Passing {
    float along;        /* to where the ray is nearest to the centre */
    float discriminant; /* radius^2 less the square of the distance there; negative: it passes by */
} Passing;

GLINT_HD Passing sphere_pass(Vec centre, float radius, Ray ray) {
    const Vec to = vec_minus(centre, ray.origin);
    const float along = vec_dot(to, ray.direction);
    const Vec aside = vec_along(to, -along, ray.direction);
    const Passing passing = {along, times_plus(radius, radius, -vec_dot(aside, aside))};
    return passing;
}

/* The power of a point with respect to a sphere: |point - centre|^2 - radius^2. For points near it this is twice the
 * radius times the height above the surface. In double precision, which rounds it by 2^-53 radius^2: for a radius of
 * 1e6, the height by 1e-10. */
GLINT_HD float sphere_power(Vec centre, float radius, Vec point) {
    const double x = (double)point.x - (double)centre.x, y = (double)point.y - (double)centre.y;
    const double z = (double)point.z - (double)centre.z;
    return (float)(x * x + y * y + z * z - (double)radius * (double)radius);
}

/* Whether the origin is within a thirty-second of the radius of the surface. There the distance is a small difference
 * of large numbers, of which single precision leaves 17 bits at the limit and none at the surface. */
#define SPHERE_NEAR 0x1p-4f
GLINT_HD int sphere_is_near(Passing passing, float radius) {
    return fabsf(times_plus(passing.along, passing.along, -passing.discriminant)) < SPHERE_NEAR * radius * radius;
}

/* Where a ray's line enters and leaves a sphere, and half the chord. NaN: nowhere. */
typedef struct Chord {
    float enter, leave, root;
} Chord;

/* Both distances from the power of the origin, which is their product. The one of greater magnitude is a sum of equal
 * signs, the other follows by division (Press et al., Numerical Recipes, section 5.6). */
GLINT_HD Chord sphere_chord(Vec centre, float radius, Ray ray, float along) {
    const float power = sphere_power(centre, radius, ray.origin), discriminant = times_plus(along, along, -power);
    const float root = discriminant > 0 ? root_of(discriminant) : NAN, sum = along + copysignf(root, along);
    const float other = quotient(power, sum);
    const Chord chord = {fminf(sum, other), fmaxf(sum, other), root};
    return chord;
}

/* Takes a sphere by its chord if that is nearer; of equals the first in the scene wins, whatever the order in which
 * they come. */
GLINT_HD void hit_take(Hit *hit, Chord chord, uint32_t index, Ray ray) {
    const float distance = chord.enter < ray.t_min ? chord.leave : chord.enter; /* the former from within */
    if (!(distance >= ray.t_min) || distance > hit->distance || (distance == hit->distance && index > hit->index))
        return;
    hit->distance = distance;
    hit->root = chord.root;
    hit->index = index;
}

/* Takes the sphere if the ray hits it nearer than its hit so far, for rays that begin on no surface. Spheres of radius
 * 0 are never hit. */
GLINT_HD void hit_offer(Hit *hit, Vec centre, float radius, uint32_t index, Ray ray) {
    const Passing passing = sphere_pass(centre, radius, ray);
    if (!(passing.discriminant > 0))
        return;
    const float root = root_of(passing.discriminant);
    const Chord chord = {passing.along - root, passing.along + root, root};
    hit_take(hit, chord, index, ray);
}

/* Takes the sphere as hit_offer does, for rays that may begin on or near a surface. The sphere that the ray leaves is
 * not taken: the ray begins near it, so that the test costs others nothing. */
GLINT_HD void hit_offer_near(Hit *hit, Vec centre, float radius, uint32_t index, Ray ray) {
    const Passing passing = sphere_pass(centre, radius, ray);
    if (!(passing.discriminant > 0))
        return;
    if (sphere_is_near(passing, radius)) {
        if (index != ray.left)
            hit_take(hit, sphere_chord(centre, radius, ray, passing.along), index, ray);
        return;
    }
    const float root = root_of(passing.discriminant);
    const Chord chord = {passing.along - root, passing.along + root, root};
    hit_take(hit, chord, index, ray);
}

/* A distance no farther along the ray than where it enters the sphere that it is aimed at, whatever rounding says. It
 * is for rays that ask for obstacles in between. The bound is that of the distance from the centre, off by 3 units in
 * the last place of each component of the way there. */
GLINT_HD float sphere_entry(Vec centre, float radius, Ray ray) {
    const Passing passing = sphere_pass(centre, radius, ray);
    if (sphere_is_near(passing, radius))
        return fminf(sphere_chord(centre, radius, ray, passing.along).enter * (1 - 0x1p-12f), passing.along);
    const float slack = 0x1p-20f * (fabsf(passing.along) + radius);
    return passing.along - root_of(fmaxf(passing.discriminant, 0) + (2 * radius + slack) * slack) - slack;
}

/* Puts a point of a ray that rounding has moved off the sphere back onto it. It goes along the ray, as far as the ray
 * leads there, then along the normal. From one power: after a step s, it is greater by s (2 slope + s). */
GLINT_HD Vec sphere_settle(Vec centre, float radius, Vec at, Vec direction, float distance) {
    const float power = sphere_power(centre, radius, at), max = 0x1p-10f * distance;
    const Vec out = vec_minus(at, centre);
    const float slope = vec_dot(out, direction);
    const float step = slope == 0 ? 0 : fminf(fmaxf(quotient(-0.5f * power, slope), -max), max);
    const float rest = times_plus(step, times_plus(2.0f, slope, step), power);
    return vec_along(vec_along(at, step, direction), quotient(-0.5f * rest, radius * radius), out);
}

#endif
