/* path.h: light along random paths: the rendering equation by Monte Carlo (Kajiya, The Rendering Equation, SIGGRAPH
 * 1986), with light sources sampled at every diffuse surface and paths ended by Russian roulette. */
#ifndef GLINT_CORE_HD_PATH_H
#define GLINT_CORE_HD_PATH_H

#include "core/hd/sampler.h"
#include "core/hd/surface.h"

enum { PATH_SURE = 3 }; /* surfaces on a path before roulette begins */

/* ---- directions ---- */

/* Density: cosine / pi. */
HD Vec path_cosine(Vec normal, float u, float v) {
    const float radius = sqrtf(u), angle = 2 * PI_F * v;
    return vec_from_local(normal, radius * cosf(angle), radius * sinf(angle), sqrtf(fmaxf(0, 1 - u)));
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
    vec_basis(normal, &s, &t);
    const Vec view = vec(-vec_dot(direction, s), -vec_dot(direction, t), -vec_dot(direction, normal));
    const Vec stretched = vec_unit(vec(alpha * view.x, alpha * view.y, view.z));
    const float square = stretched.x * stretched.x + stretched.y * stretched.y;
    const Vec across = square > 1e-12f ? vec_times(vec(-stretched.y, stretched.x, 0), 1 / sqrtf(square)) : vec(1, 0, 0);
    const Vec along = vec_cross(stretched, across);
    const float radius = sqrtf(u), angle = 2 * PI_F * v, half = 0.5f * (1 + stretched.z);
    const float a = radius * cosf(angle), b = (1 - half) * sqrtf(fmaxf(0, 1 - a * a)) + half * radius * sinf(angle);
    const Vec facet =
        vec_along(vec_along(vec_times(across, a), b, along), sqrtf(fmaxf(0, 1 - a * a - b * b)), stretched);
    const Vec local = vec_unit(vec(alpha * facet.x, alpha * facet.y, fmaxf(0, facet.z)));
    const Vec n = vec_along(vec_along(vec_times(s, local.x), local.y, t), local.z, normal);
    *out = vec_unit(vec_mirror(direction, n));
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
HD Vec path_arrives(const World *world, const Setting *setting, const Surface *surface, Vec normal, Ray ray,
                    float distance, Vec light) {
    const float facing = vec_dot(normal, ray.direction);
    if (!(facing > 0) || !surface_faces(surface, normal, ray.direction))
        return vec(0, 0, 0);
    TALLY(world, SHADOW);
    if (ground_distance(setting, ray) < distance || world_blocked(world, ray, distance))
        return vec(0, 0, 0);
    return vec_times(light, facing);
}

/* What all suns and points, and one of the shining spheres, send to a white diffuse surface and that sends on. */
HD Vec path_direct(const World *world, const Setting *setting, const Surface *surface, Vec normal, uint32_t sample,
                   uint32_t seed) {
    Vec sum = vec(0, 0, 0);
    for (uint32_t i = 0; i < setting->light_count; i++) {
        const Arrival arrival = light_arrival(&setting->lights[i], surface);
        sum = vec_along(sum, 1,
                        path_arrives(world, setting, surface, normal, arrival.ray, arrival.distance, arrival.light));
    }
    if (setting->shining_count == 0)
        return sum;
    /* Uniform within the cone that the sphere fills. */
    float pick, unused, u, v;
    sampler_point(sample, seed, &pick, &unused);
    sampler_point(sample, sampler_hash(seed, 3), &u, &v); /* 1 and 2 are taken within sampler_point */
    const uint32_t index = (uint32_t)(pick * (float)setting->shining_count);
    const Sphere *sphere = &setting->spheres[setting->shining[index]];
    const Vec to = vec_minus(sphere_centre(sphere), surface->at);
    const float sine = sphere->radius * sphere->radius / vec_dot(to, to); /* squared */
    if (!(sine < 1))
        return sum;                                    /* within it, where nothing is seen but it */
    const float spread = sine / (1 + sqrtf(1 - sine)); /* 1 - cosine, without cancellation */
    const float cosine = 1 - u * spread, radius = sqrtf(fmaxf(0, 1 - cosine * cosine)), angle = 2 * PI_F * v;
    const Vec way = vec_from_local(vec_unit(to), radius * cosf(angle), radius * sinf(angle), cosine);
    const Ray ray = surface_leave(surface, way);
    const Passing passing = sphere_pass(sphere_centre(sphere), sphere->radius, ray);
    const float distance = passing.along - sqrtf(fmaxf(0, passing.room)) - 1e-3f * sphere->radius;
    const float power = setting->materials[sphere->material].emission * 2 * spread; /* the cone's angle by pi */
    const Vec light = vec_times(vec(sphere->red, sphere->green, sphere->blue), power * (float)setting->shining_count);
    return vec_along(sum, 1, path_arrives(world, setting, surface, normal, ray, distance, light));
}

/* What an image sky sends in one direction, drawn to where it is bright, to a white diffuse surface, and that sends on.
 * The ray that the surface scatters may meet the sky as well: of the two ways to find the same light, each counts as
 * its density has a part in the sum of both (Veach and Guibas, Optimally Combining Sampling Techniques for Monte Carlo
 * Rendering, SIGGRAPH 1995: the balance heuristic). */
HD Vec path_sky(const World *world, const Setting *setting, const Surface *surface, Vec normal, float u, float v) {
    float density;
    const Ray ray = surface_leave(surface, sky_draw(&setting->image, u, v, &density));
    const float scattered = fmaxf(vec_dot(normal, ray.direction), 0) / PI_F;
    const Vec light = vec_times(sky_lookup(&setting->image, ray.direction), 1 / (PI_F * (density + scattered)));
    return path_arrives(world, setting, surface, normal, ray, INFINITY, light);
}

/* What the sky sends back along a ray that met nothing; `scattered` is the density with which that was scattered, 0
 * where path_sky had no part. */
HD Vec path_escapes(const Setting *setting, Vec direction, float scattered) {
    const Vec light = sky_light(setting, direction);
    return scattered > 0 ? vec_times(light, scattered / (scattered + sky_density(&setting->image, direction))) : light;
}

/* ---- paths ---- */

/* Whether a metal's ray is mirrored rather than scattered, by chance: both have the share that the material says. */
HD bool path_mirrors(const Material *material, float chance, float *weight) {
    const float all = material->diffuse + material->specular, share = all > 0 ? material->specular / all : 1;
    const bool mirrors = material->kind == MATERIAL_METAL && chance < share;
    *weight = material->kind != MATERIAL_METAL ? 1 : 1 / (mirrors ? share : 1 - share);
    return mirrors;
}

/* What comes back along a ray, by way of at most `depth` surfaces. */
HD Vec path_radiance(const World *world, const Setting *setting, Ray ray, uint32_t sample, uint32_t seed,
                     uint32_t depth) {
    Vec radiance = vec(0, 0, 0), through = vec(1, 1, 1);
    bool counts = true;  /* what shines is not counted where it was sampled as a light source */
    float scattered = 0; /* of path_escapes */
    for (uint32_t bounce = 0; bounce < depth; bounce++) {
        Surface surface;
        if (bounce > 0)
            TALLY(world, SECONDARY);
        if (!surface_met(world, setting, ray, &surface))
            return vec_along(radiance, 1, vec_each(through, path_escapes(setting, ray.direction, scattered)));
        const Material *material = &surface.material;
        if (material->kind == MATERIAL_LIGHT)
            return counts || !surface.listed
                       ? vec_along(radiance, material->emission, vec_each(through, surface.colour))
                       : radiance;
        const bool inside = vec_dot(surface.normal, ray.direction) > 0;
        const Vec normal = inside ? vec_times(surface.smooth, -1) : surface.smooth;
        bool passes = false; /* through the surface */
        float u, v, lobe = 0, roulette = 0, share;
        sampler_point(sample, sampler_hash(seed, 4 * bounce), &u, &v);
        if (material->kind == MATERIAL_METAL || bounce >= PATH_SURE)
            sampler_point(sample, sampler_hash(seed, 4 * bounce + 1), &lobe, &roulette);
        Vec direction, weight = vec(1, 1, 1);
        counts = true;
        scattered = 0;
        if (material->kind == MATERIAL_GLASS) {
            const float eta = inside ? material->refraction : 1 / material->refraction;
            const float cosine = -vec_dot(normal, ray.direction);
            float onward = 0;
            if (u < fresnel(cosine, eta, &onward)) {
                direction = vec_mirror(ray.direction, normal);
            } else {
                passes = true;
                direction = vec_along(vec_times(ray.direction, eta), eta * cosine - onward, normal);
                weight = vec_times(surface.colour, material->transmittance);
            }
        } else if (path_mirrors(material, lobe, &share)) {
            if (!path_metal(&surface, normal, ray.direction, u, v, &direction, &weight))
                return radiance;
            weight = vec_times(weight, share);
        } else {
            weight = vec_times(surface.colour, material->diffuse * share);
            const Vec direct =
                path_direct(world, setting, &surface, normal, sample, sampler_hash(seed, 4 * bounce + 2));
            radiance = vec_along(radiance, 1, vec_each(through, vec_each(weight, direct)));
            direction = path_cosine(normal, u, v);
            counts = setting->shining_count == 0;
            if (setting->sky.kind == SKY_IMAGE && bounce + 1 < depth) {
                float across, around;
                sampler_point(sample, sampler_hash(seed, 4 * bounce + 3), &across, &around);
                const Vec sky = path_sky(world, setting, &surface, normal, across, around);
                radiance = vec_along(radiance, 1, vec_each(through, vec_each(weight, sky)));
                scattered = fmaxf(vec_dot(normal, direction), 0) / PI_F;
            }
        }
        if (surface.bent && surface_faces(&surface, normal, direction) == passes)
            return radiance; /* where a bent surface hides itself */
        through = vec_each(through, weight);
        if (bounce >= PATH_SURE) {
            const float survival = fminf(vec_most(through), 0.95f);
            if (!(roulette < survival))
                return radiance;
            through = vec_times(through, 1 / survival);
        }
        ray = surface_leave(&surface, vec_unit(direction));
    }
    return radiance;
}

#endif
