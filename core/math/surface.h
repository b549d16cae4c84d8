/* surface.h: the surfaces that rays of light hit, and their way with light.
 * A template: define struct World, world_closest_hit() and world_any_hit() around including this file. Optional:
 * SPHERES_ONLY omits the code for all other primitives; RAY_COUNTERS enables counters, and needs World to be defined
 * before. */
#ifndef GLINT_CORE_MATH_SURFACE_H
#define GLINT_CORE_MATH_SURFACE_H

#include "core/math/ray_counters.h"
#include "core/math/sampler.h"
#include "core/math/shading_context.h"

#include <stdbool.h>

typedef struct World World;
/* The nearest primitive on the ray, hit_start() if there is none before that. */
GLINT_HD Hit world_closest_hit(const World *world, Ray ray);
/* Whether one, besides that which the ray leaves, stands on the ray nearer than `distance`. */
GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance);

typedef struct Surface {
    Vec at, normal; /* outward, of length 1 */
    Vec smooth;     /* the normal that light sees, on the same side: another one where `bent` */
    Vec colour;
    Material material;
    uint32_t index;        /* of the primitive, HIT_GROUND for the ground */
    float radius;          /* of a sphere, 0 for others */
    const Cylinder *solid; /* a cylinder that is no disc; NULL for others */
    bool bent;
} Surface;

GLINT_HD Vec vec_each(Vec a, Vec b) {
    return vec(a.x * b.x, a.y * b.y, a.z * b.z);
}
GLINT_HD float vec_max(Vec a) {
    return fmaxf(a.x, fmaxf(a.y, a.z));
}

/* ---- surfaces that rays hit ---- */

/* INFINITY where the ray does not hit the ground, and where it leaves it. */
GLINT_HD float ground_distance(const ShadingContext *context, Ray ray) {
    const float distance = quotient(context->ground.height - ray.origin.y, ray.direction.y);
    const bool hits = context->has_ground && ray.left != HIT_GROUND && distance > 0; /* NaN, along it, is not greater */
    return hits ? distance : INFINITY;
}

GLINT_HD Vec ground_colour(const Ground *ground, Vec at) {
    const bool odd = ((int)floorf(at.x / ground->side) ^ (int)floorf(at.z / ground->side)) & 1;
    return colour_of(odd ? ground->odd : ground->even);
}

/* How much farther out rounding may have put a point: 4 units in the last place of its greatest coordinate. */
GLINT_HD float surface_slack(Vec at) {
    return 0x1p-21f * fmaxf(fabsf(at.x), fmaxf(fabsf(at.y), fabsf(at.z)));
}

/* A point of a triangle, moved inwards by less than anyone sees. Rounding must not put it beyond a neighbour that joins
 * this one at an angle. */
GLINT_HD Vec triangle_inwards(const Triangle *triangle, Vec at, float slack) {
    Vec middle = vec(0, 0, 0);
    for (int i = 0; i < 3; i++)
        middle = vec_along(middle, 1.0f / 3, triangle->points[i]);
    const Vec to = vec_minus(middle, at);
    const float size = fmaxf(fabsf(to.x), fmaxf(fabsf(to.y), fabsf(to.z)));
    return vec_along(at, size > 0 ? fminf(slack / size, 0.5f) : 0, to);
}

/* Smooth normals that look away from where the ray comes from are not used. */
GLINT_HD void surface_of_triangle(const ShadingContext *context, const Triangle *triangle, Ray ray, float distance,
                                  Surface *surface) {
    const Facet facet = triangle_facet(triangle, ray);
    const float slack = fmaxf(surface_slack(surface->at), fmaxf(surface_slack(ray.origin), 0x1p-21f * distance));
    surface->at = triangle_settle(triangle, triangle_inwards(triangle, surface->at, slack));
    surface->normal = surface->smooth = facet.flat;
    surface->bent = triangle->smooth && vec_dot(facet.smooth, ray.direction) * vec_dot(facet.flat, ray.direction) > 0;
    if (surface->bent)
        surface->smooth = facet.smooth;
    surface->colour = colour_of(triangle->colour);
    surface->material = material_read(&context->materials[triangle->material]);
}

GLINT_HD void surface_of_cylinder(const ShadingContext *context, const Cylinder *cylinder, Ray ray, float distance,
                                  Surface *surface) {
    const CylinderSpot spot = cylinder_spot(cylinder, ray, distance);
    surface->at = spot.at;
    surface->normal = surface->smooth = spot.normal;
    surface->colour = colour_of(spot.colour);
    surface->material = material_read(&context->materials[cylinder->material]);
    surface->solid = cylinder->flat ? NULL : cylinder;
}

/* A primitive that is no sphere, by its index behind all spheres. */
GLINT_HD void surface_of_other(const ShadingContext *context, uint32_t index, Ray ray, float distance,
                               Surface *surface) {
    if (HAS_CYLINDERS && index >= context->triangle_count)
        surface_of_cylinder(context, &context->cylinders[index - context->triangle_count], ray, distance, surface);
    else
        surface_of_triangle(context, &context->triangles[index], ray, distance, surface);
}

GLINT_HD void surface_of_sphere(const ShadingContext *context, const Sphere *hit, Ray ray, float distance,
                                Surface *surface) {
    const Sphere sphere = sphere_read(hit);
    const Vec centre = sphere_centre(&sphere);
    surface->at = sphere_settle(centre, sphere.radius, surface->at, ray.direction, distance);
    surface->normal = surface->smooth = vec_unit(vec_minus(surface->at, centre));
    surface->colour = vec(sphere.red, sphere.green, sphere.blue);
    surface->material = material_read(&context->materials[sphere.material]);
    surface->radius = sphere.radius;
}

GLINT_HD void surface_of_ground(const ShadingContext *context, Surface *surface) {
    surface->at.y = context->ground.height;
    surface->normal = surface->smooth = vec(0, 1, 0);
    surface->colour = ground_colour(&context->ground, surface->at);
    surface->material = material_read(&context->materials[context->ground.material]);
}

GLINT_HD bool surface_hit(const World *world, const ShadingContext *context, Ray ray, Surface *surface) {
    const Hit hit = world_closest_hit(world, ray);
    const float ground = ground_distance(context, ray), distance = fminf(hit.distance, ground);
    if (distance == INFINITY)
        return false;
    surface->at = vec_along(ray.origin, distance, ray.direction);
    surface->index = ground < hit.distance ? HIT_GROUND : hit.index;
    surface->radius = 0;
    if (HAS_CYLINDERS)
        surface->solid = NULL;
    surface->bent = false;
    if (surface->index == HIT_GROUND)
        surface_of_ground(context, surface);
    else if (HAS_TRIANGLES && hit.index >= context->sphere_count)
        surface_of_other(context, hit.index - context->sphere_count, ray, distance, surface);
    else
        surface_of_sphere(context, &context->spheres[hit.index], ray, distance, surface);
    return true;
}

/* Whether `direction` goes to the side of the surface that `normal`, its smooth one or the reverse of it, is on. A bent
 * surface may show its normal where it hides itself. */
GLINT_HD bool surface_faces(const Surface *surface, Vec normal, Vec direction) {
    return !HAS_TRIANGLES || !surface->bent ||
           vec_dot(surface->normal, direction) * vec_dot(surface->normal, normal) > 0;
}

/* From the surface into `direction`. The ray does not hit the primitive that it leaves. Triangles, discs and the ground
 * are not hit at all, spheres and cylinders not from outside. From inside it hits the far side, a sphere's 2 radius
 * |cosine| away. Other surfaces that touch it there are hit or not as they should be. The ray begins on the side to
 * which it goes, farther out than rounding has moved it (its coordinates' errors along the normal, as in Pharr, Jakob
 * and Humphreys, Physically Based Rendering, "Managing Rounding Error"; Waechter and Binder, A Fast and Robust Method
 * for Avoiding Self-Intersection, Ray Tracing Gems, chapter 6, 2019). */
GLINT_HD Ray surface_leave(const Surface *surface, Vec direction) {
    const Vec at = surface->at, normal = surface->normal;
    const float cosine = vec_dot(normal, direction);
    const float x = fabsf(at.x), y = fabsf(at.y), z = fabsf(at.z);
    const float along = fabsf(normal.x) * x + fabsf(normal.y) * y + fabsf(normal.z) * z;
    const float slack = times_plus(0x1p-21f, along, 0x1p-50f * (x + y + z)); /* the latter is left by settling */
    Ray ray = ray_from(vec_along(at, cosine < 0 ? -slack : slack, normal), direction);
    ray.left = surface->index;
    ray.t_min = 0x1p-100f; /* the ray does not hit surfaces in the same plane */
    if (cosine < 0 && surface->radius > 0)
        ray.far = -2 * surface->radius * cosine;
    if (HAS_CYLINDERS && cosine < 0 && surface->solid)
        ray.far = cylinder_way_out(surface->solid, ray);
    return ray;
}

/* Whether something stands on a ray, which leaves a surface, nearer than `distance`. */
GLINT_HD bool surface_shadowed(const World *world, const ShadingContext *context, Ray ray, float distance) {
    RAY_COUNT(world, SHADOW_RAYS);
    return ray.far < distance || ground_distance(context, ray) < distance || world_any_hit(world, ray, distance);
}

/* The light of the sky along -direction. */
GLINT_HD Vec sky_light(const ShadingContext *context, Vec direction) {
    const float up = fmaxf(direction.y, 0);
    if (context->sky.kind == SKY_NONE)
        return vec(0, 0, 0);
    if (context->sky.kind == SKY_IMAGE)
        return sky_lookup(&context->image, direction);
    return vec_along(vec_times(colour_of(context->sky.horizon), 1 - up), up, colour_of(context->sky.zenith));
}

/* A tenth of the light that an open sky sends to all sides: shadows are not black. */
GLINT_HD Vec sky_ambient(const ShadingContext *context) {
    if (context->sky.kind == SKY_IMAGE)
        return vec_times(context->image.mean, 0.1f);
    const Vec both = vec_along(colour_of(context->sky.horizon), 1, colour_of(context->sky.zenith));
    return vec_times(both, context->sky.kind == SKY_NONE ? 0 : 0.05f);
}

/* Light on its way to a surface. Members are the way back to its source, its length, and the part that a white diffuse
 * surface facing it sends on. */
typedef struct Arrival {
    Ray ray;
    float distance;
    Vec light;
} Arrival;

/* A sun's colour is its irradiance, a point's its intensity, a steady point's the light that is sent on. */
GLINT_HD Arrival light_arrival(const Light *source, const Surface *surface) {
    const bool sun = source->kind == LIGHT_SUN;
    const Vec way = sun ? source->at : vec_minus(source->at, surface->at);
    Arrival arrival;
    arrival.ray = surface_leave(surface, vec_unit(way));
    arrival.distance = sun ? INFINITY : vec_dot(vec_minus(source->at, arrival.ray.origin), arrival.ray.direction);
    const float fade = source->kind == LIGHT_POINT ? vec_dot(way, way) : 1;
    arrival.light = vec_times(colour_of(source->colour), source->kind == LIGHT_STEADY ? 1 : 1 / (PI_F * fade));
    return arrival;
}

/* ---- directions ---- */

/* Two directions at right angles to a normal and to each other (Duff et al., Building an Orthonormal Basis, Revisited,
 * JCGT 6(1), 2017). */
GLINT_HD void vec_basis(Vec n, Vec *s, Vec *t) {
    const float sign = n.z < 0 ? -1.0f : 1.0f, a = -1 / (sign + n.z), b = n.x * n.y * a;
    *s = vec(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *t = vec(b, sign + n.y * n.y * a, -n.y);
}

GLINT_HD Vec vec_from_local(Vec n, float x, float y, float z) {
    Vec s, t;
    vec_basis(n, &s, &t);
    return vec_along(vec_along(vec_times(s, x), y, t), z, n);
}

GLINT_HD Vec vec_mirror(Vec direction, Vec normal) {
    return vec_along(direction, -2 * vec_dot(direction, normal), normal);
}

/* The share that glass mirrors (Fresnel's equations, unpolarized). `cosine` is that of the way in, `eta` the index
 * before by the one behind, and *through the cosine of the way on. */
GLINT_HD float fresnel(float cosine, float eta, float *through) {
    const float square = 1 - eta * eta * (1 - cosine * cosine);
    if (square <= 0)
        return 1;
    *through = sqrtf(square);
    const float along = quotient(cosine - eta * *through, cosine + eta * *through);
    const float across = quotient(eta * cosine - *through, eta * cosine + *through);
    return 0.5f * (along * along + across * across);
}

#endif
