/* path.h: light along random paths: the rendering equation by Monte Carlo (Kajiya, The Rendering Equation, SIGGRAPH
 * 1986). Every surface that scatters finds light in two ways, by aiming at surfaces that shine and by chance. Russian
 * roulette ends paths. */
#ifndef GLINT_CORE_MATH_PATH_H
#define GLINT_CORE_MATH_PATH_H

#include "core/math/emitter.h"
#include "core/math/sampler.h"
#include "core/math/scatter.h"

enum { PATH_SURE = 3 }; /* surfaces on a path before roulette begins */

/* ---- sources of light ---- */

/* The light that is scattered of an aim, if its way is free. */
GLINT_HD Vec path_arrives(const World *world, const ShadingContext *context, const Lobe *lobe, const Aim *aim) {
    const Vec way = aim->way;
    const bool above = vec_dot(lobe->normal, way) > 0;
    if (!(aim->density > 0) || !(above || lobe->kind == LOBE_GLASS) ||
        (lobe->surface->bent && surface_faces(lobe->surface, lobe->normal, way) != above))
        return vec(0, 0, 0);
    const Ray ray = surface_leave(lobe->surface, way);
    if (surface_shadowed(world, context, ray, aim_distance(aim, ray)))
        return vec(0, 0, 0);
    const Scatter scatter = path_scatter(lobe, way);
    const float weight = aim->sized ? power_heuristic(aim->density, scatter.density) : 1;
    return vec_times(vec_each(aim->light, scatter.share), quotient(weight, PI_F * aim->density));
}

/* The light that is scattered from all aims of a surface: the lights of every one, one of the emitters, an image of the
 * sky. One loop serves all, because GPUs run through the same instructions for each, and these are many. */
GLINT_HD Vec path_direct(const World *world, const ShadingContext *context, const Lobe *lobe, uint32_t sample,
                         uint32_t seed, uint32_t bounce) {
    const uint32_t asked = context->direct_light_count, emitters = context->leaf_count > 0, sky = asked + emitters;
    const uint32_t count = sky + (context->sky.kind == SKY_IMAGE);
    const uint32_t pick_seed = sampler_hash(seed, 4 * bounce + 2), rest_seed = sampler_hash(seed, 4 * bounce + 3);
    const Vec side = lobe->kind == LOBE_GLASS ? vec(0, 0, 0) : lobe->normal; /* none: what shines may be on both */
    Vec sum = vec(0, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        float u, v, pick, unused;
        const uint32_t own = i < asked ? sampler_hash(sampler_hash(rest_seed, 5), i)
                             : i < sky ? sampler_hash(pick_seed, 3) /* 1 and 2 are taken within sampler_point */
                                       : rest_seed;
        sampler_point(sample, own, &u, &v);
        Aim aim;
        if (i < asked) {
            aim = aim_at_light(&context->lights[context->direct_lights[i]], lobe->surface->at);
        } else if (i < sky) {
            sampler_point(sample, pick_seed, &pick, &unused);
            aim = aim_at_emitter(context, lobe->surface->at, side, pick, u, v);
        } else {
            aim = aim_at_sky(&context->image, u, v);
        }
        aim_draw(&aim, u, v);
        sum = vec_along(sum, 1, path_arrives(world, context, lobe, &aim));
    }
    return sum;
}

/* The light along a ray that hits nothing, from the sky and from suns with a size. `scattered` is the density with
 * which its direction was scattered, 0 where nothing was aimed at. */
GLINT_HD Vec path_escapes(const ShadingContext *context, Vec direction, float scattered) {
    Vec light = sky_light(context, direction);
    if (scattered > 0 && context->sky.kind == SKY_IMAGE)
        light = vec_times(light, power_heuristic(scattered, sky_density(&context->image, direction)));
    for (uint32_t i = 0; i < context->direct_light_count; i++) {
        const Light *sun = &context->lights[context->direct_lights[i]];
        const float spread = sun->kind == LIGHT_SUN ? sun_spread(sun) : 0;
        if (spread > 0 && cone_holds(vec_unit(sun->at), spread, direction)) {
            const float weight = scattered > 0 ? power_heuristic(scattered, cone_density(spread)) : 1;
            light = vec_along(light, weight * sun_radiance(spread), colour_of(sun->colour));
        }
    }
    return light;
}

/* The light from a surface that shines, hit by a ray that left `at` on a surface that looks along `normal`; `scattered`
 * as for path_escapes. */
GLINT_HD Vec path_shines(const ShadingContext *context, const Surface *surface, Vec at, Vec normal, float scattered) {
    const float other = scattered > 0 ? emitter_density(context, surface, at, normal) : 0;
    return vec_times(surface->colour,
                     surface->material.emission * (scattered > 0 ? power_heuristic(scattered, other) : 1));
}

/* ---- paths ---- */

/* Refraction from an index n into an index m gathers radiance into smaller solid angles, or spreads it. It becomes (m /
 * n)^2 times as much, apart from the share that Fresnel's equations take (E. Veach, Robust Monte Carlo Methods for
 * Light Transport Simulation, 1997, section 5.2). A path goes from the eye to the light. From the medium of the eye's
 * side into the one beyond, its weight is therefore `eta` squared, the index before by the one behind. Roulette leaves
 * that factor out, which the way out of the glass takes back. */

/* Whether a metal's ray is mirrored rather than scattered, by chance: both have the share that the material says. No
 * material sends on more light than it gets: shares whose sum is more than 1 are divided by it. */
GLINT_HD bool path_mirrors(const Material *material, float chance, float *weight) {
    const float all = material->diffuse + material->specular, share = all > 0 ? quotient(material->specular, all) : 1;
    const bool mirrors = material->kind == MATERIAL_METAL && chance < share;
    *weight = material->kind != MATERIAL_METAL ? 1 : quotient(1, (mirrors ? share : 1 - share) * fmaxf(all, 1));
    return mirrors;
}

/* The rows of the film on a surface, NULL without one. */
GLINT_HD const float *path_film(const ShadingContext *context, const Surface *surface, bool rich) {
    const bool filmed = rich && material_is_filmed(&surface->material);
    return filmed ? context->albedos + surface->material.film_rows : NULL;
}

/* A path on its way: the light that has come back so far, and the ray that it takes next. */
typedef struct PathState {
    Ray ray;
    Vec radiance, through; /* light so far, and the share of light along the ray that counts */
    Vec normal;            /* of the surface that the ray leaves, on its side; 0 of rough glass */
    float scattered;       /* of path_escapes */
    uint32_t bounce;       /* surfaces so far */
} PathState;

GLINT_HD PathState path_from(Ray ray) {
    const PathState path = {ray, vec(0, 0, 0), vec(1, 1, 1), vec(0, 0, 0), 0, 0};
    return path;
}

GLINT_HD void path_add(PathState *path, Vec light) {
    path->radiance = vec_along(path->radiance, 1, vec_each(path->through, light));
}

/* Follows the path to the next surface, of `depth` at most, and gathers that surface's emission. False: it ends
 * there. `rich` is context->rich, or a constant where a GPU has kernels of both kinds. */
GLINT_HD bool path_step(const World *world, const ShadingContext *context, PathState *path, uint32_t sample,
                        uint32_t seed, uint32_t depth, bool rich) {
    const Ray ray = path->ray;
    const uint32_t bounce = path->bounce++;
    const float came = path->scattered;
    Surface surface;
    if (bounce > 0)
        RAY_COUNT(world, SECONDARY_RAYS);
    if (!surface_hit(world, context, ray, &surface)) {
        path_add(path, path_escapes(context, ray.direction, came));
        return false;
    }
    const Material *material = &surface.material;
    if (material->kind == MATERIAL_LIGHT)
        path_add(path, path_shines(context, &surface, ray.origin, path->normal, came));
    if (material->kind == MATERIAL_LIGHT || bounce >= depth)
        return false;
    const bool inside = vec_dot(surface.normal, ray.direction) > 0;
    const Vec normal = inside ? vec_times(surface.smooth, -1) : surface.smooth;
    bool passes = false;  /* through the surface */
    float compressed = 1; /* the growth of radiance in the glass where the path goes on */
    float u, v, chance = 0, roulette = 0, share;
    Vec direction, drawn = vec(1, 1, 1), weight = vec(1, 1, 1);
    const bool glass = material->kind == MATERIAL_GLASS;
    const bool facets = rich && material_is_rough_glass(material), lacquered = rich && material_is_coated(material);
    if (material->kind == MATERIAL_METAL || facets || lacquered || bounce >= PATH_SURE)
        sampler_point(sample, sampler_hash(seed, 4 * bounce + 1), &chance, &roulette);
    path->scattered = 0;
    path->normal = normal;
    const float eta = inside ? material->refraction : quotient(1, material->refraction);
    if (glass && !facets) {
        const float cosine = -vec_dot(normal, ray.direction), *film = path_film(context, &surface, rich);
        float onward = 0;
        sampler_point(sample, sampler_hash(seed, 4 * bounce), &u, &v);
        const Vec mirrored = path_mirrored_by_glass(film, cosine, eta, &onward);
        if (u < path_chance(film, mirrored)) {
            direction = vec_mirror(ray.direction, normal);
        } else {
            passes = true;
            direction = vec_along(vec_times(ray.direction, eta), eta * cosine - onward, normal);
            weight = path_transmittance(&surface, eta);
        }
        if (film)
            weight = vec_each(weight, path_split(film, mirrored, passes));
    } else {
        float on_coat = 1;
        const bool coat =
            lacquered && path_draws_coat(context, &surface, -vec_dot(normal, ray.direction), &chance, &on_coat);
        const bool mirrors = path_mirrors(material, chance, &share);
        const Lobe lobe = {&surface,      normal,
                           ray.direction, facets ? LOBE_GLASS : mirrors ? LOBE_METAL : LOBE_DIFFUSE,
                           eta,           path_film(context, &surface, rich)};
        share *= on_coat;
        const bool rough = !mirrors || material->roughness >= MATERIAL_ROUGH;
        Vec direct = vec(0, 0, 0);
        if (rough)
            direct = path_direct(world, context, &lobe, sample, seed, bounce);
        weight = lobe.kind == LOBE_DIFFUSE ? vec_times(surface.colour, material->diffuse)
                 : coat                    ? vec(1, 1, 1)
                                           : path_regained(context, &lobe, inside);
        path->radiance = vec_along(path->radiance, share, vec_each(path->through, vec_each(weight, direct)));
        sampler_point(sample, sampler_hash(seed, 4 * bounce), &u, &v);
        if (lobe.kind == LOBE_DIFFUSE)
            direction = path_cosine(normal, u, v);
        else if (!(facets ? path_glass(&lobe, u, v, chance, &direction, &drawn, &passes)
                          : path_metal(&lobe, u, v, &direction, &drawn)))
            return false;
        weight = vec_times(vec_each(weight, drawn), share);
        path->scattered = rough ? path_scatter(&lobe, direction).density : 0;
    }
    if (glass && inside != passes)
        compressed = material->refraction * material->refraction;
    if (facets)
        path->normal = vec(0, 0, 0);
    if (surface.bent && surface_faces(&surface, normal, direction) == passes)
        return false; /* where a bent surface hides itself */
    path->through = vec_each(path->through, weight);
    if (bounce >= PATH_SURE) {
        const float survival = fminf(vec_max(path->through) * compressed, 0.95f);
        if (!(roulette < survival))
            return false;
        path->through = vec_times(path->through, quotient(1, survival));
    }
    path->ray = surface_leave(&surface, vec_unit(direction));
    return true;
}

/* The light along a ray, from sources aimed at or hit by chance, by way of at most `depth` surfaces between them and
 * the eye. */
GLINT_HD Vec path_radiance(const World *world, const ShadingContext *context, Ray ray, uint32_t sample, uint32_t seed,
                           uint32_t depth) {
    PathState path = path_from(ray);
    while (path_step(world, context, &path, sample, seed, depth, context->rich))
        ;
    return path.radiance;
}

#endif
