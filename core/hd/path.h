/* path.h: light along random paths: the rendering equation by Monte Carlo (Kajiya, The Rendering Equation, SIGGRAPH
 * 1986), with light sources sampled at every diffuse surface and paths ended by Russian roulette.
 * The includer says what a World is, and defines how rays meet it: world_closest and world_blocked. */
#ifndef GLINT_CORE_HD_PATH_H
#define GLINT_CORE_HD_PATH_H

#include "core/hd/sampler.h"
#include "core/hd/setting.h"

#include <stdbool.h>

enum { PATH_MOST = 16, PATH_SURE = 3 }; /* surfaces on a path; those before roulette begins */

#define PATH_PI 3.14159265358979323846f

typedef struct World World;
/* The nearest sphere on the ray. */
HD Hit world_closest(const World *world, Ray ray);
/* Whether a sphere stands on the ray nearer than `distance`. */
HD bool world_blocked(const World *world, Ray ray, float distance);

typedef struct Surface {
    Vec at, normal; /* outward, of length 1 */
    Vec colour;
    Material material;
    float slack; /* how far from the surface rays that leave it begin: more than rounding moves them */
} Surface;

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

HD bool path_surface(const World *world, const Setting *setting, Ray ray, Surface *surface) {
    const Hit hit = world_closest(world, ray);
    const float ground = ground_distance(setting, ray), distance = fminf(hit.distance, ground);
    if (distance == INFINITY)
        return false;
    const Vec at = surface->at = vec_along(ray.origin, distance, ray.direction);
    const float far = fmaxf(fabsf(at.x), fmaxf(fabsf(at.y), fabsf(at.z)));
    surface->slack = 4e-6f * fmaxf(far, distance);
    if (ground < hit.distance) {
        surface->at.y = setting->ground.height;
        surface->normal = vec(0, 1, 0);
        surface->colour = ground_colour(&setting->ground, at);
        surface->material = setting->materials[setting->ground.material];
    } else {
        const Sphere *sphere = &setting->spheres[hit.index];
        surface->normal = vec_unit(vec_minus(at, sphere_centre(sphere)));
        surface->colour = vec(sphere->red, sphere->green, sphere->blue);
        surface->material = setting->materials[sphere->material];
        surface->slack = fmaxf(surface->slack, 1e-4f * sphere->radius);
    }
    return true;
}

/* From the surface into `direction`, begun on the side of it to which that goes. */
HD Ray path_leave(const Surface *surface, Vec direction) {
    const float side = vec_dot(surface->normal, direction) < 0 ? -1.0f : 1.0f;
    const Ray ray = {vec_along(surface->at, side * surface->slack, surface->normal), direction, 0};
    return ray;
}

HD Vec path_sky(const Setting *setting, Vec direction) {
    const float up = fmaxf(direction.y, 0);
    if (setting->sky.kind == SKY_NONE)
        return vec(0, 0, 0);
    return vec_along(vec_times(colour_of(setting->sky.horizon), 1 - up), up, colour_of(setting->sky.zenith));
}

/* ---- directions ---- */

/* Two directions at right angles to a normal and to each other (Duff et al., Building an Orthonormal Basis, Revisited,
 * JCGT 6(1), 2017). */
HD void path_basis(Vec n, Vec *s, Vec *t) {
    const float sign = n.z < 0 ? -1.0f : 1.0f, a = -1 / (sign + n.z), b = n.x * n.y * a;
    *s = vec(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *t = vec(b, sign + n.y * n.y * a, -n.y);
}

HD Vec path_from_local(Vec n, float x, float y, float z) {
    Vec s, t;
    path_basis(n, &s, &t);
    return vec_along(vec_along(vec_times(s, x), y, t), z, n);
}

/* Density: cosine / pi. */
HD Vec path_cosine(Vec normal, float u, float v) {
    const float radius = sqrtf(u), angle = 2 * PATH_PI * v;
    return path_from_local(normal, radius * cosf(angle), radius * sinf(angle), sqrtf(fmaxf(0, 1 - u)));
}

HD Vec path_mirror(Vec direction, Vec normal) {
    return vec_along(direction, -2 * vec_dot(direction, normal), normal);
}

/* The share that glass mirrors (Fresnel's equations, unpolarized); `cosine` is that of the way in, `eta` the index
 * before by the one behind, and *through the cosine of the way on. */
HD float path_fresnel(float cosine, float eta, float *through) {
    const float square = 1 - eta * eta * (1 - cosine * cosine);
    if (square <= 0)
        return 1;
    *through = sqrtf(square);
    const float along = (cosine - eta * *through) / (cosine + eta * *through);
    const float across = (eta * cosine - *through) / (eta * cosine + *through);
    return 0.5f * (along * along + across * across);
}

/* Smith's masking of microfacets by GGX, for a direction with this cosine. */
HD float path_visible(float cosine, float alpha) {
    const float square = cosine * cosine;
    return 2 / (1 + sqrtf(1 + alpha * alpha * (1 - square) / square));
}

/* Rough metal: the normal of a microfacet that is seen from `view` (Heitz, Sampling the GGX Distribution of Visible
 * Normals, JCGT 7(4), 2018), and what it mirrors. False if that goes below the surface. */
HD bool path_metal(const Surface *surface, Vec normal, Vec direction, float u, float v, Vec *out, Vec *weight) {
    const float alpha = fmaxf(surface->material.roughness * surface->material.roughness, 1e-4f);
    Vec s, t;
    path_basis(normal, &s, &t);
    const Vec view = vec(-vec_dot(direction, s), -vec_dot(direction, t), -vec_dot(direction, normal));
    const Vec stretched = vec_unit(vec(alpha * view.x, alpha * view.y, view.z));
    const float square = stretched.x * stretched.x + stretched.y * stretched.y;
    const Vec across = square > 1e-12f ? vec_times(vec(-stretched.y, stretched.x, 0), 1 / sqrtf(square)) : vec(1, 0, 0);
    const Vec along = vec_cross(stretched, across);
    const float radius = sqrtf(u), angle = 2 * PATH_PI * v, half = 0.5f * (1 + stretched.z);
    const float a = radius * cosf(angle), b = (1 - half) * sqrtf(fmaxf(0, 1 - a * a)) + half * radius * sinf(angle);
    const Vec facet =
        vec_along(vec_along(vec_times(across, a), b, along), sqrtf(fmaxf(0, 1 - a * a - b * b)), stretched);
    const Vec local = vec_unit(vec(alpha * facet.x, alpha * facet.y, fmaxf(0, facet.z)));
    const Vec n = vec_along(vec_along(vec_times(s, local.x), local.y, t), local.z, normal);
    *out = vec_unit(path_mirror(direction, n));
    const float cosine = vec_dot(*out, normal);
    if (!(cosine > 0))
        return false;
    const float grazing = powf(1 - fminf(1, fmaxf(0, -vec_dot(direction, n))), 5); /* Schlick's Fresnel */
    const Vec white = vec(1, 1, 1), base = surface->colour;
    *weight = vec_times(vec_along(base, grazing, vec_minus(white, base)),
                        surface->material.specular * path_visible(cosine, alpha));
    return true;
}

/* ---- light sources ---- */

/* What of the light along `ray`, from something `distance` away, a white diffuse surface sends on. */
HD Vec path_arrives(const World *world, const Setting *setting, Vec normal, Ray ray, float distance, Vec light) {
    const float facing = vec_dot(normal, ray.direction);
    if (!(facing > 0) || ground_distance(setting, ray) < distance || world_blocked(world, ray, distance))
        return vec(0, 0, 0);
    return vec_times(light, facing);
}

/* What all suns and points, and one of the shining spheres, send to a white diffuse surface and that sends on. */
HD Vec path_direct(const World *world, const Setting *setting, const Surface *surface, Vec normal, float pick, float u,
                   float v) {
    Vec sum = vec(0, 0, 0);
    for (uint32_t i = 0; i < setting->light_count; i++) {
        const Light *source = &setting->lights[i];
        const bool sun = source->kind == LIGHT_SUN;
        const Vec way = sun ? source->at : vec_minus(source->at, surface->at);
        const Ray ray = path_leave(surface, vec_unit(way));
        const float distance = sun ? INFINITY : vec_dot(vec_minus(source->at, ray.origin), ray.direction);
        const Vec light = vec_times(colour_of(source->colour), 1 / (PATH_PI * (sun ? 1 : vec_dot(way, way))));
        sum = vec_along(sum, 1, path_arrives(world, setting, normal, ray, distance, light));
    }
    if (setting->shining_count == 0)
        return sum;
    /* Uniform within the cone that the sphere fills. */
    const uint32_t index = (uint32_t)(pick * (float)setting->shining_count);
    const Sphere *sphere = &setting->spheres[setting->shining[index]];
    const Vec to = vec_minus(sphere_centre(sphere), surface->at);
    const float sine = sphere->radius * sphere->radius / vec_dot(to, to); /* squared */
    if (!(sine < 1))
        return sum;                                    /* within it, where nothing is seen but it */
    const float spread = sine / (1 + sqrtf(1 - sine)); /* 1 - cosine, without cancellation */
    const float cosine = 1 - u * spread, radius = sqrtf(fmaxf(0, 1 - cosine * cosine)), angle = 2 * PATH_PI * v;
    const Vec way = path_from_local(vec_unit(to), radius * cosf(angle), radius * sinf(angle), cosine);
    const Ray ray = path_leave(surface, way);
    const Passing passing = sphere_pass(sphere_centre(sphere), sphere->radius, ray);
    const float distance = passing.along - sqrtf(fmaxf(0, passing.room)) - 1e-3f * sphere->radius;
    const float power = setting->materials[sphere->material].emission * 2 * spread; /* the cone's angle by pi */
    const Vec light = vec_times(vec(sphere->red, sphere->green, sphere->blue), power * (float)setting->shining_count);
    return vec_along(sum, 1, path_arrives(world, setting, normal, ray, distance, light));
}

/* ---- paths ---- */

/* What comes back along a ray. A sun's colour is its irradiance, a point's its intensity. */
HD Vec path_radiance(const World *world, const Setting *setting, Ray ray, uint32_t sample, uint32_t seed) {
    Vec radiance = vec(0, 0, 0), through = vec(1, 1, 1);
    bool counts = true; /* what shines is not counted where it was sampled as a light source */
    for (uint32_t bounce = 0; bounce < PATH_MOST; bounce++) {
        Surface surface;
        if (!path_surface(world, setting, ray, &surface)) {
            const Vec sky = path_sky(setting, ray.direction);
            return vec_along(radiance, 1, vec_each(through, sky));
        }
        const Material *material = &surface.material;
        if (material->kind == MATERIAL_LIGHT)
            return counts ? vec_along(radiance, material->emission, vec_each(through, surface.colour)) : radiance;
        const bool inside = vec_dot(surface.normal, ray.direction) > 0;
        const Vec normal = inside ? vec_times(surface.normal, -1) : surface.normal;
        float u, v, pick, roulette;
        sampler_point(sample, sampler_hash(seed, 3 * bounce), &u, &v);
        sampler_point(sample, sampler_hash(seed, 3 * bounce + 1), &pick, &roulette);
        Vec direction, weight = vec(1, 1, 1);
        if (material->kind == MATERIAL_GLASS) {
            const float eta = inside ? material->refraction : 1 / material->refraction;
            const float cosine = -vec_dot(normal, ray.direction);
            float onward = 0;
            if (u < path_fresnel(cosine, eta, &onward)) {
                direction = path_mirror(ray.direction, normal);
            } else {
                direction = vec_along(vec_times(ray.direction, eta), eta * cosine - onward, normal);
                weight = vec_times(surface.colour, material->transmittance);
            }
            counts = true;
        } else if (material->kind == MATERIAL_METAL) {
            if (!path_metal(&surface, normal, ray.direction, u, v, &direction, &weight))
                return radiance;
            counts = true;
        } else {
            float across, around;
            sampler_point(sample, sampler_hash(seed, 3 * bounce + 2), &across, &around);
            weight = vec_times(surface.colour, material->diffuse);
            const Vec direct = path_direct(world, setting, &surface, normal, pick, across, around);
            radiance = vec_along(radiance, 1, vec_each(through, vec_each(weight, direct)));
            direction = path_cosine(normal, u, v);
            counts = setting->shining_count == 0;
        }
        through = vec_each(through, weight);
        if (bounce >= PATH_SURE) {
            const float survival = fminf(vec_most(through), 0.95f);
            if (!(roulette < survival))
                return radiance;
            through = vec_times(through, 1 / survival);
        }
        ray = path_leave(&surface, vec_unit(direction));
    }
    return radiance;
}

/* From another point of the lens, through what the ray sees where all is sharp. */
HD Ray path_through_lens(Camera camera, Ray ray, uint32_t sample, uint32_t seed) {
    float u, v;
    sampler_point(sample, seed, &u, &v);
    const float radius = camera.lens * sqrtf(u), angle = 2 * PATH_PI * v;
    const Vec sharp = vec_along(ray.origin, camera.focus / vec_dot(ray.direction, camera.forward), ray.direction);
    ray.origin = vec_along(vec_along(ray.origin, radius * cosf(angle), camera.right), radius * sinf(angle), camera.up);
    ray.direction = vec_unit(vec_minus(sharp, ray.origin));
    return ray;
}

/* The mean over a pixel's paths, each through another point of it. */
HD Vec path_pixel(const World *world, const Setting *setting, Camera camera, size_t px, size_t py, size_t width,
                  size_t height, uint32_t samples, uint32_t seed) {
    const uint32_t own = sampler_hash(sampler_hash(seed, (uint32_t)px), (uint32_t)py);
    Vec sum = vec(0, 0, 0);
    for (uint32_t sample = 0; sample < samples; sample++) {
        float x, y;
        sampler_point(sample, sampler_hash(own, 0x51u), &x, &y);
        Ray ray = camera_ray_at(camera, px, py, x - 0.5f, y - 0.5f, width, height);
        if (camera.lens > 0)
            ray = path_through_lens(camera, ray, sample, sampler_hash(own, 0x52u));
        sum = vec_along(sum, 1, path_radiance(world, setting, ray, sample, own));
    }
    return vec_times(sum, 1 / (float)samples);
}

#endif
