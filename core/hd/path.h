/* path.h: light along random paths: the rendering equation by Monte Carlo (Kajiya, The Rendering Equation, SIGGRAPH
 * 1986), with light sources sampled at every diffuse surface and paths ended by Russian roulette. */
#ifndef GLINT_CORE_HD_PATH_H
#define GLINT_CORE_HD_PATH_H

#include "core/hd/sampler.h"
#include "core/hd/surface.h"

enum { PATH_SURE = 3 }; /* surfaces on a path before roulette begins */

/* Metal that is smoother is a mirror: it meets light sources by itself, and suns and points, which have no size, not at
 * all. */
#define PATH_ROUGH 0.1f

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

/* Schlick's Fresnel of a facet that the way back meets with this cosine, and the material's share of it. */
HD Vec path_gleam(const Surface *surface, float cosine) {
    const float grazing = powf(1 - fminf(1, fmaxf(0, cosine)), 5);
    return vec_times(vec_along(surface->colour, grazing, vec_minus(vec(1, 1, 1), surface->colour)),
                     surface->material.specular);
}

HD float path_alpha(const Surface *surface) {
    return fmaxf(surface->material.roughness * surface->material.roughness, 1e-4f);
}

/* Rough metal: the normal of a microfacet that is seen from `view` (Heitz, Sampling the GGX Distribution of Visible
 * Normals, JCGT 7(4), 2018), and what it mirrors. False if that goes below the surface. */
HD bool path_metal(const Surface *surface, Vec normal, Vec direction, float u, float v, Vec *out, Vec *weight) {
    const float alpha = path_alpha(surface);
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
    *weight = vec_times(path_gleam(surface, -vec_dot(direction, n)), path_visible(cosine, alpha));
    return true;
}

/* How a surface scatters light on its way: diffusely, or mirrored by rough metal. */
typedef struct Lobe {
    const Surface *surface;
    Vec normal, direction; /* of the way here */
    bool mirrors;
} Lobe;

/* What is scattered, of light from one direction on a surface that would send on all if it were white, diffuse and
 * facing it; and the density with which that direction is drawn for the path. */
typedef struct Scatter {
    Vec share;
    float density;
} Scatter;

HD Scatter path_scatter(const Lobe *lobe, Vec to) {
    const float facing = vec_dot(lobe->normal, to);
    Scatter scatter = {{facing, facing, facing}, facing / PI_F};
    if (lobe->mirrors) {
        const float alpha = path_alpha(lobe->surface), square = alpha * alpha;
        const float seen = fmaxf(-vec_dot(lobe->direction, lobe->normal), 1e-6f);
        const Vec facet = vec_unit(vec_minus(to, lobe->direction));
        const float up = vec_dot(facet, lobe->normal), width = up * up * (square - 1) + 1;
        /* GGX's distribution of facets, of which path_metal draws those that are seen. */
        scatter.density = path_visible(seen, alpha) * square / (4 * seen * PI_F * width * width);
        scatter.share = vec_times(path_gleam(lobe->surface, -vec_dot(lobe->direction, facet)),
                                  PI_F * path_visible(facing, alpha) * scatter.density);
    }
    return scatter;
}

/* ---- light sources ---- */

HD bool path_lit(const World *world, const Setting *setting, const Lobe *lobe, Ray ray, float distance) {
    return vec_dot(lobe->normal, ray.direction) > 0 && surface_faces(lobe->surface, lobe->normal, ray.direction) &&
           !surface_shadowed(world, setting, ray, distance);
}

/* What of the light along `ray`, from something `distance` away, is scattered. */
HD Vec path_arrives(const World *world, const Setting *setting, const Lobe *lobe, Ray ray, float distance, Vec light) {
    return path_lit(world, setting, lobe, ray, distance) ? vec_each(light, path_scatter(lobe, ray.direction).share)
                                                         : vec(0, 0, 0);
}

/* What of all suns and points is scattered. */
HD Vec path_lights(const World *world, const Setting *setting, const Lobe *lobe) {
    Vec sum = vec(0, 0, 0);
    for (uint32_t i = 0; i < setting->light_count; i++) {
        const Arrival arrival = light_arrival(&setting->lights[i], lobe->surface);
        sum = vec_along(sum, 1, path_arrives(world, setting, lobe, arrival.ray, arrival.distance, arrival.light));
    }
    return sum;
}

/* What of one of the shining spheres is scattered, times their number. */
HD Vec path_lamp(const World *world, const Setting *setting, const Lobe *lobe, uint32_t sample, uint32_t seed) {
    float pick, unused, u, v;
    sampler_point(sample, seed, &pick, &unused);
    sampler_point(sample, sampler_hash(seed, 3), &u, &v); /* 1 and 2 are taken within sampler_point */
    const uint32_t index = (uint32_t)(pick * (float)setting->shining_count);
    const Sphere *sphere = &setting->spheres[setting->shining[index]];
    const Vec to = vec_minus(sphere_centre(sphere), lobe->surface->at);
    const float sine = sphere->radius * sphere->radius / vec_dot(to, to); /* squared */
    if (!(sine < 1))
        return vec(0, 0, 0); /* within it, where nothing is seen but it */
    /* Uniform within the cone that the sphere fills. */
    const float spread = sine / (1 + sqrtf(1 - sine)); /* 1 - cosine, without cancellation */
    const float cosine = 1 - u * spread, radius = sqrtf(fmaxf(0, 1 - cosine * cosine)), angle = 2 * PI_F * v;
    const Vec way = vec_from_local(vec_unit(to), radius * cosf(angle), radius * sinf(angle), cosine);
    const Ray ray = surface_leave(lobe->surface, way);
    const float distance = sphere_entry(sphere_centre(sphere), sphere->radius, ray);
    const float power = setting->materials[sphere->material].emission * 2 * spread; /* the cone's angle by pi */
    const Vec light = vec_times(vec(sphere->red, sphere->green, sphere->blue), power * (float)setting->shining_count);
    return path_arrives(world, setting, lobe, ray, distance, light);
}

/* What of an image sky is scattered, from one direction that is drawn to where the image is bright. The path may meet
 * the sky as well: of the two ways to find the same light, each counts as its density has a part in the sum of both
 * (Veach and Guibas, Optimally Combining Sampling Techniques for Monte Carlo Rendering, SIGGRAPH 1995: the balance
 * heuristic). */
HD Vec path_sky(const World *world, const Setting *setting, const Lobe *lobe, uint32_t sample, uint32_t seed) {
    float u, v, density;
    sampler_point(sample, seed, &u, &v);
    const Ray ray = surface_leave(lobe->surface, sky_draw(&setting->image, u, v, &density));
    if (!path_lit(world, setting, lobe, ray, INFINITY))
        return vec(0, 0, 0);
    const Scatter scatter = path_scatter(lobe, ray.direction);
    return vec_times(vec_each(sky_lookup(&setting->image, ray.direction), scatter.share),
                     1 / (PI_F * (density + scatter.density)));
}

/* What the sky sends back along a ray that met nothing; `scattered` is the density with which that was scattered, 0
 * where path_sky had no part. */
HD Vec path_escapes(const Setting *setting, Vec direction, float scattered) {
    const Vec light = sky_light(setting, direction);
    return scattered > 0 ? vec_times(light, scattered / (scattered + sky_density(&setting->image, direction))) : light;
}

/* ---- paths ---- */

/* Whether a metal's ray is mirrored rather than scattered, by chance: both have the share that the material says. No
 * material sends on more light than it gets: shares whose sum is more than 1 are divided by it. */
HD bool path_mirrors(const Material *material, float chance, float *weight) {
    const float all = material->diffuse + material->specular, share = all > 0 ? material->specular / all : 1;
    const bool mirrors = material->kind == MATERIAL_METAL && chance < share;
    *weight = material->kind != MATERIAL_METAL ? 1 : 1 / ((mirrors ? share : 1 - share) * fmaxf(all, 1));
    return mirrors;
}

/* What comes back along a ray from what shines, by way of at most `depth` surfaces between that and the eye, whether it
 * was aimed at or hit by chance. */
HD Vec path_radiance(const World *world, const Setting *setting, Ray ray, uint32_t sample, uint32_t seed,
                     uint32_t depth) {
    Vec radiance = vec(0, 0, 0), through = vec(1, 1, 1);
    bool counts = true;  /* what shines is not counted where it was sampled as a light source */
    float scattered = 0; /* of path_escapes */
    for (uint32_t bounce = 0;; bounce++) {
        Surface surface;
        if (bounce > 0)
            TALLY(world, SECONDARY);
        if (!surface_met(world, setting, ray, &surface))
            return vec_along(radiance, 1, vec_each(through, path_escapes(setting, ray.direction, scattered)));
        const Material *material = &surface.material;
        const bool inside = vec_dot(surface.normal, ray.direction) > 0;
        if (material->kind == MATERIAL_LIGHT) /* from within, nothing was aimed at it */
            return counts || !surface.listed || inside
                       ? vec_along(radiance, material->emission, vec_each(through, surface.colour))
                       : radiance;
        if (bounce >= depth)
            return radiance;
        const Vec normal = inside ? vec_times(surface.smooth, -1) : surface.smooth;
        bool passes = false; /* through the surface */
        float u, v, chance = 0, roulette = 0, share;
        sampler_point(sample, sampler_hash(seed, 4 * bounce), &u, &v);
        if (material->kind == MATERIAL_METAL || bounce >= PATH_SURE)
            sampler_point(sample, sampler_hash(seed, 4 * bounce + 1), &chance, &roulette);
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
        } else {
            const Lobe lobe = {&surface, normal, ray.direction, path_mirrors(material, chance, &share)};
            const bool rough = !lobe.mirrors || material->roughness >= PATH_ROUGH;
            const bool drawn = rough && setting->sky.kind == SKY_IMAGE;
            if (!lobe.mirrors)
                weight = vec_times(surface.colour, material->diffuse);
            Vec direct = vec(0, 0, 0);
            if (rough)
                direct = path_lights(world, setting, &lobe);
            if (!lobe.mirrors && setting->shining_count > 0) {
                direct =
                    vec_along(direct, 1, path_lamp(world, setting, &lobe, sample, sampler_hash(seed, 4 * bounce + 2)));
                counts = false;
            }
            if (drawn)
                direct =
                    vec_along(direct, 1, path_sky(world, setting, &lobe, sample, sampler_hash(seed, 4 * bounce + 3)));
            radiance = vec_along(radiance, share, vec_each(through, vec_each(weight, direct)));
            if (!lobe.mirrors)
                direction = path_cosine(normal, u, v);
            else if (!path_metal(&surface, normal, ray.direction, u, v, &direction, &weight))
                return radiance;
            weight = vec_times(weight, share);
            scattered = drawn ? path_scatter(&lobe, direction).density : 0;
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
}

#endif
