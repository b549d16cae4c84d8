/* surface.h: what rays of light meet, and what those surfaces do with light.
 * The includer says what a World is (before, if it counts), and defines how rays meet it: world_closest and
 * world_blocked. One whose worlds are spheres alone may define SPHERES_ALONE, and is spared what triangles cost. */
#ifndef GLINT_CORE_HD_SURFACE_H
#define GLINT_CORE_HD_SURFACE_H

#include "core/hd/sampler.h"
#include "core/hd/setting.h"
#include "core/hd/tally.h"

#include <stdbool.h>

typedef struct World World;
/* The nearest sphere or triangle on the ray. */
HD Hit world_closest(const World *world, Ray ray);
/* Whether one stands on the ray nearer than `distance`. */
HD bool world_blocked(const World *world, Ray ray, float distance);

typedef struct Surface {
    Vec at, normal; /* outward, of length 1 */
    Vec smooth;     /* the normal that light sees, on the same side: another one where `bent` */
    Vec colour;
    Material material;
    float slack; /* how far from the surface rays that leave it begin: more than rounding moves them */
    bool bent;
    bool listed; /* if it shines, it is among the setting's shining spheres */
} Surface;

#ifdef SPHERES_ALONE
enum { TRIANGLES_TOO = 0 };
#else
enum { TRIANGLES_TOO = 1 };
#endif

HD Vec colour_of(Colour colour) {
    return vec(colour.red, colour.green, colour.blue);
}
HD Vec vec_each(Vec a, Vec b) {
    return vec(a.x * b.x, a.y * b.y, a.z * b.z);
}
HD float vec_most(Vec a) {
    return fmaxf(a.x, fmaxf(a.y, a.z));
}

/* ---- what rays meet ---- */

HD float ground_distance(const Setting *setting, Ray ray) {
    const float distance = (setting->ground.height - ray.origin.y) / ray.direction.y;
    return setting->has_ground && distance > 0 ? distance : INFINITY; /* NaN, along the plane, is not greater */
}

HD Vec ground_colour(const Ground *ground, Vec at) {
    const bool odd = ((int)floorf(at.x / ground->side) ^ (int)floorf(at.z / ground->side)) & 1;
    return colour_of(odd ? ground->odd : ground->even);
}

/* Smooth normals that look away from where the ray comes from are not used. */
HD void surface_of_triangle(const Setting *setting, const Triangle *triangle, Ray ray, Surface *surface) {
    const Facet facet = triangle_facet(triangle, ray);
    surface->at = facet.at;
    surface->normal = surface->smooth = facet.flat;
    surface->bent = triangle->smooth && vec_dot(facet.smooth, ray.direction) * vec_dot(facet.flat, ray.direction) > 0;
    if (surface->bent)
        surface->smooth = facet.smooth;
    surface->colour = colour_of(triangle->colour);
    surface->material = setting->materials[triangle->material];
    Vec middle = vec(0, 0, 0);
    float size = 0;
    for (int i = 0; i < 3; i++) { /* a point between others is as exact as they are large */
        const Vec p = triangle->points[i], to = vec_minus(p, facet.at);
        surface->slack = fmaxf(surface->slack, 1e-6f * fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))));
        size = fmaxf(size, fmaxf(fabsf(to.x), fmaxf(fabsf(to.y), fabsf(to.z))));
        middle = vec_along(middle, 1.0f / 3, p);
    }
    /* Inwards by less than anyone sees: rounding must not put it beyond a neighbour that meets this one at an angle. */
    surface->at = vec_along(facet.at, fminf(surface->slack / size, 0.5f), vec_minus(middle, facet.at));
}

HD bool surface_met(const World *world, const Setting *setting, Ray ray, Surface *surface) {
    const Hit hit = world_closest(world, ray);
    const float ground = ground_distance(setting, ray), distance = fminf(hit.distance, ground);
    if (distance == INFINITY)
        return false;
    const Vec at = surface->at = vec_along(ray.origin, distance, ray.direction);
    const float far = fmaxf(fabsf(at.x), fmaxf(fabsf(at.y), fabsf(at.z)));
    surface->slack = 4e-6f * fmaxf(far, distance);
    surface->bent = surface->listed = false;
    if (ground < hit.distance) {
        surface->at.y = setting->ground.height;
        surface->normal = vec(0, 1, 0);
        surface->colour = ground_colour(&setting->ground, at);
        surface->material = setting->materials[setting->ground.material];
    } else if (TRIANGLES_TOO && hit.index >= setting->sphere_count) {
        surface_of_triangle(setting, &setting->triangles[hit.index - setting->sphere_count], ray, surface);
        return true;
    } else {
        const Sphere *sphere = &setting->spheres[hit.index];
        surface->normal = vec_unit(vec_minus(at, sphere_centre(sphere)));
        surface->colour = vec(sphere->red, sphere->green, sphere->blue);
        surface->material = setting->materials[sphere->material];
        surface->slack = fmaxf(surface->slack, 1e-4f * sphere->radius);
        surface->listed = true;
    }
    surface->smooth = surface->normal;
    return true;
}

/* Whether `direction` goes to the side of the surface that `normal`, its smooth one or the reverse of it, is on. A bent
 * surface may show its normal where it hides itself. */
HD bool surface_faces(const Surface *surface, Vec normal, Vec direction) {
    return !TRIANGLES_TOO || !surface->bent ||
           vec_dot(surface->normal, direction) * vec_dot(surface->normal, normal) > 0;
}

/* From the surface into `direction`, begun on the side of it to which that goes. */
HD Ray surface_leave(const Surface *surface, Vec direction) {
    const float side = vec_dot(surface->normal, direction) < 0 ? -1.0f : 1.0f;
    const Ray ray = {vec_along(surface->at, side * surface->slack, surface->normal), direction, 0};
    return ray;
}

/* What comes from the sky along -direction. */
HD Vec sky_light(const Setting *setting, Vec direction) {
    const float up = fmaxf(direction.y, 0);
    if (setting->sky.kind == SKY_NONE)
        return vec(0, 0, 0);
    if (setting->sky.kind == SKY_IMAGE)
        return sky_lookup(&setting->image, direction);
    return vec_along(vec_times(colour_of(setting->sky.horizon), 1 - up), up, colour_of(setting->sky.zenith));
}

/* A tenth of what an open sky sends to all sides: shadows are not black. */
HD Vec sky_ambient(const Setting *setting) {
    if (setting->sky.kind == SKY_IMAGE)
        return vec_times(setting->image.mean, 0.1f);
    const Vec both = vec_along(colour_of(setting->sky.horizon), 1, colour_of(setting->sky.zenith));
    return vec_times(both, setting->sky.kind == SKY_NONE ? 0 : 0.05f);
}

/* Light on its way to a surface: the way back to its source, how far that is, and what of it a white diffuse surface
 * that faces it sends on. */
typedef struct Arrival {
    Ray ray;
    float distance;
    Vec light;
} Arrival;

/* A sun's colour is its irradiance, a point's its intensity, a steady point's what is sent on. */
HD Arrival light_arrival(const Light *source, const Surface *surface) {
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
HD void vec_basis(Vec n, Vec *s, Vec *t) {
    const float sign = n.z < 0 ? -1.0f : 1.0f, a = -1 / (sign + n.z), b = n.x * n.y * a;
    *s = vec(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *t = vec(b, sign + n.y * n.y * a, -n.y);
}

HD Vec vec_from_local(Vec n, float x, float y, float z) {
    Vec s, t;
    vec_basis(n, &s, &t);
    return vec_along(vec_along(vec_times(s, x), y, t), z, n);
}

HD Vec vec_mirror(Vec direction, Vec normal) {
    return vec_along(direction, -2 * vec_dot(direction, normal), normal);
}

/* The share that glass mirrors (Fresnel's equations, unpolarized); `cosine` is that of the way in, `eta` the index
 * before by the one behind, and *through the cosine of the way on. */
HD float fresnel(float cosine, float eta, float *through) {
    const float square = 1 - eta * eta * (1 - cosine * cosine);
    if (square <= 0)
        return 1;
    *through = sqrtf(square);
    const float along = (cosine - eta * *through) / (cosine + eta * *through);
    const float across = (eta * cosine - *through) / (eta * cosine + *through);
    return 0.5f * (along * along + across * across);
}

#endif
