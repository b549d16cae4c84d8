/* scatter.h: the directions into which surfaces scatter light: diffusely, and by microfacets (Walter et al., Microfacet
 * Models for Refraction through Rough Surfaces, EGSR 2007). A template, as core/math/surface.h is. */
#ifndef GLINT_CORE_MATH_SCATTER_H
#define GLINT_CORE_MATH_SCATTER_H

#include "core/math/albedo.h"
#include "core/math/surface.h"
#include "core/math/thin_film.h"

/* ---- directions ---- */

/* Density: cosine / pi. */
GLINT_HD Vec path_cosine(Vec normal, float u, float v) {
    const float radius = root_from_0(u);
    float x, y;
    circle_point(v, &x, &y);
    return vec_from_local(normal, radius * x, radius * y, root_from_0(fmaxf(0, 1 - u)));
}

/* Smith's masking of microfacets by GGX, for a direction with this cosine. */
GLINT_HD float path_visible(float cosine, float alpha) {
    const float square = cosine * cosine;
    return quotient(2 * cosine, cosine + root_of(times_plus(alpha * alpha, 1 - square, square)));
}

/* Schlick's share by which light at this cosine is mirrored besides what is straight on. */
GLINT_HD float path_grazing(float cosine) {
    const float rest = 1 - fminf(1, fmaxf(0, cosine)), square = rest * rest;
    return square * square * rest;
}

/* Schlick's Fresnel of a facet that the way back hits with this cosine, and the material's share of it. */
GLINT_HD Vec path_schlick(const Surface *surface, float cosine) {
    const float grazing = path_grazing(cosine);
    return vec_times(vec_along(surface->colour, grazing, vec_minus(vec(1, 1, 1), surface->colour)),
                     surface->material.specular);
}

GLINT_HD float path_alpha(const Surface *surface) {
    return fmaxf(surface->material.roughness * surface->material.roughness, 1e-4f);
}

/* How a surface scatters light on its way: diffusely, mirrored by metal, or by glass to both sides. */
typedef enum LobeKind { LOBE_DIFFUSE, LOBE_METAL, LOBE_GLASS } LobeKind;

typedef struct Lobe {
    const Surface *surface;
    Vec normal, direction; /* of the way here */
    LobeKind kind;
    float eta;         /* of glass, the index before by the one behind */
    const float *film; /* its rows (core/math/thin_film.h); NULL without one */
} Lobe;

/* The share that a facet of metal mirrors, seen with this cosine. */
GLINT_HD Vec path_mirrored(const Lobe *lobe, float cosine) {
    if (!lobe->film)
        return path_schlick(lobe->surface, cosine);
    return vec_times(thin_film_on_metal(lobe->film, lobe->surface->colour, cosine), lobe->surface->material.specular);
}

/* The share that glass mirrors, with the arguments of fresnel(). A film does so from both sides alike, at the angles on
 * them that belong together; all of the light beyond the critical angle. */
GLINT_HD Vec path_mirrored_by_glass(const float *film, float cosine, float eta, float *through) {
    const float plain = fresnel(cosine, eta, through);
    if (film && plain < 1)
        return thin_film_on_glass(film, eta < 1 ? cosine : *through);
    return vec(plain, plain, plain);
}

/* The chance with which glass mirrors that mirrors these shares. */
GLINT_HD float path_chance(const float *film, Vec mirrored) {
    return film ? (mirrored.x + mirrored.y + mirrored.z) * (1.0f / 3) : mirrored.x;
}

/* Filmed glass splits colours unevenly: the factors on those that it mirrors, or lets through where `passes`. A way
 * that no light goes has no factor: its share is 0. */
GLINT_HD Vec path_split(const float *film, Vec mirrored, bool passes) {
    const float chance = path_chance(film, mirrored), least = 1e-6f;
    if (!film)
        return vec(1, 1, 1);
    return passes ? vec_times(vec_minus(vec(1, 1, 1), mirrored), quotient(1, fmaxf(1 - chance, least)))
                  : vec_times(mirrored, quotient(1, fmaxf(chance, least)));
}

/* The normal of a facet that is seen along -direction (Heitz, Sampling the GGX Distribution of Visible Normals, JCGT
 * 7(4), 2018). */
GLINT_HD Vec path_facet(const Lobe *lobe, float u, float v) {
    const Vec normal = lobe->normal, direction = lobe->direction;
    const float alpha = path_alpha(lobe->surface);
    Vec s, t;
    vec_basis(normal, &s, &t);
    const Vec view = vec(-vec_dot(direction, s), -vec_dot(direction, t), -vec_dot(direction, normal));
    const Vec stretched = vec_unit(vec(alpha * view.x, alpha * view.y, view.z));
    const float square = stretched.x * stretched.x + stretched.y * stretched.y;
    const Vec across =
        square > 1e-12f ? vec_times(vec(-stretched.y, stretched.x, 0), inverse_root_of(square)) : vec(1, 0, 0);
    const Vec along = vec_cross(stretched, across);
    const float radius = root_from_0(u), half = 0.5f * (1 + stretched.z);
    float x, y;
    circle_point(v, &x, &y);
    const float a = radius * x, b = (1 - half) * root_from_0(fmaxf(0, 1 - a * a)) + half * radius * y;
    const Vec facet =
        vec_along(vec_along(vec_times(across, a), b, along), root_from_0(fmaxf(0, 1 - a * a - b * b)), stretched);
    const Vec local = vec_unit(vec(alpha * facet.x, alpha * facet.y, fmaxf(0, facet.z)));
    return vec_along(vec_along(vec_times(s, local.x), local.y, t), local.z, normal);
}

/* Draws a direction that rough metal mirrors. False if that goes below the surface. */
GLINT_HD bool path_metal(const Lobe *lobe, float u, float v, Vec *out, Vec *weight) {
    const Vec facet = path_facet(lobe, u, v);
    *out = vec_unit(vec_mirror(lobe->direction, facet));
    const float cosine = vec_dot(*out, lobe->normal);
    if (!(cosine > 0))
        return false;
    *weight = vec_times(path_mirrored(lobe, -vec_dot(lobe->direction, facet)),
                        path_visible(cosine, path_alpha(lobe->surface)));
    return true;
}

/* The share of light that comes through glass, in a medium where its radiance is another. */
GLINT_HD Vec path_transmittance(const Surface *surface, float eta) {
    return vec_times(surface->colour, surface->material.transmittance * eta * eta);
}

/* Draws a direction that rough glass mirrors, or refracts where *passes. False if it goes to the other side. */
GLINT_HD bool path_glass(const Lobe *lobe, float u, float v, float chance, Vec *out, Vec *weight, bool *passes) {
    const Vec facet = path_facet(lobe, u, v);
    const float cosine = -vec_dot(lobe->direction, facet), eta = lobe->eta;
    float onward = 0;
    const Vec mirrored = path_mirrored_by_glass(lobe->film, cosine, eta, &onward);
    *passes = !(chance < path_chance(lobe->film, mirrored));
    *out = *passes ? vec_along(vec_times(lobe->direction, eta), eta * cosine - onward, facet)
                   : vec_mirror(lobe->direction, facet);
    *out = vec_unit(*out);
    const float facing = vec_dot(*out, lobe->normal) * (*passes ? -1.0f : 1.0f);
    if (!(facing > 0))
        return false;
    *weight = vec_times(*passes ? path_transmittance(lobe->surface, eta) : vec(1, 1, 1),
                        path_visible(facing, path_alpha(lobe->surface)));
    *weight = vec_each(*weight, path_split(lobe->film, mirrored, *passes));
    return true;
}

/* The factor on the light that facets of a rough surface send along -direction. It adds the light that they pass to
 * each other first. Schlick's Fresnel has the mean (20 F0 + 1) / 21. Glass has a row for each side, and filmed glass
 * these for each of red, green and blue. */
GLINT_HD Vec path_regained(const ShadingContext *context, const Lobe *lobe, bool inside) {
    const Surface *surface = lobe->surface;
    if (surface->material.roughness < MATERIAL_ROUGH)
        return vec(1, 1, 1);
    const bool glass = lobe->kind == LOBE_GLASS;
    const float *row = context->albedos + surface->material.albedos + (glass && inside ? ALBEDO_ROW : 0);
    const float seen = -vec_dot(lobe->normal, lobe->direction), alpha = path_alpha(surface);
    const float once = albedo_at(row, seen, alpha);
    if (glass && lobe->film)
        return vec(quotient(1, once), quotient(1, albedo_at(row + 2 * ALBEDO_ROW, seen, alpha)),
                   quotient(1, albedo_at(row + 4 * ALBEDO_ROW, seen, alpha)));
    if (glass)
        return vec_times(vec(1, 1, 1), quotient(1, once));
    const float mean = row[ALBEDO_MEAN];
    const Vec facet = lobe->film
                          ? vec_times(thin_film_mean(lobe->film, surface->colour), surface->material.specular)
                          : vec_times(vec_along(vec(1, 1, 1), 20, surface->colour), surface->material.specular / 21);
    return vec(1 + albedo_more(once, mean, facet.x), 1 + albedo_more(once, mean, facet.y),
               1 + albedo_more(once, mean, facet.z));
}

/* The share of light from one direction that is scattered, relative to a surface that is white, diffuse and facing it.
 * `density` is that with which this direction is drawn for the path. */
typedef struct Scatter {
    Vec share;
    float density;
} Scatter;

/* The density per solid angle of facets that are seen, times the cosine at which they are, by 4: that of a mirrored
 * direction. */
GLINT_HD float path_facets(const Lobe *lobe, Vec facet) {
    const float alpha = path_alpha(lobe->surface), square = alpha * alpha;
    const float seen = fmaxf(-vec_dot(lobe->direction, lobe->normal), 1e-6f);
    const Vec tilt = vec_cross(facet, lobe->normal); /* its square is that of the sine, exact where it is small */
    const float up = vec_dot(facet, lobe->normal), width = up * up * square + vec_dot(tilt, tilt);
    return quotient(path_visible(seen, alpha) * square, 4 * seen * PI_F * width * width);
}

/* Through rough glass, or mirrored by it (Walter et al., equations 16 and 17). */
GLINT_HD Scatter path_scatter_glass(const Lobe *lobe, Vec to, float facing) {
    const bool passes = facing < 0;
    const Vec sum = vec_along(to, passes ? -lobe->eta : -1, lobe->direction);
    const Vec facet = vec_times(vec_unit(sum), vec_dot(sum, lobe->normal) < 0 ? -1.0f : 1.0f);
    const float seen = -vec_dot(lobe->direction, facet), leaves = vec_dot(to, facet);
    Scatter scatter = {{0, 0, 0}, 0};
    float onward = 0, share, both = times_plus(lobe->eta, seen, leaves);
    const float *film = lobe->film;
    if (!(seen > 0) || (passes && !(leaves < 0)))
        return scatter;
    const Vec mirrored = path_mirrored_by_glass(film, seen, lobe->eta, &onward);
    share = path_chance(film, mirrored);
    if (passes)
        share = quotient(-4 * leaves * seen * (1 - share), both * both);
    scatter.density = share * path_facets(lobe, facet);
    scatter.share = vec_times(passes ? path_transmittance(lobe->surface, lobe->eta) : vec(1, 1, 1),
                              PI_F * path_visible(fabsf(facing), path_alpha(lobe->surface)) * scatter.density);
    scatter.share = vec_each(scatter.share, path_split(film, mirrored, passes));
    return scatter;
}

/* By what the lobe is. Only glass scatters below its surface. */
GLINT_HD Scatter path_scatter(const Lobe *lobe, Vec to) {
    const float facing = vec_dot(lobe->normal, to);
    Scatter scatter = {{facing, facing, facing}, facing / PI_F};
    if (lobe->kind == LOBE_GLASS)
        return path_scatter_glass(lobe, to, facing);
    if (lobe->kind == LOBE_METAL) {
        const Vec facet = vec_unit(vec_minus(to, lobe->direction));
        scatter.density = path_facets(lobe, facet);
        scatter.share = vec_times(path_mirrored(lobe, -vec_dot(lobe->direction, facet)),
                                  PI_F * path_visible(facing, path_alpha(lobe->surface)) * scatter.density);
    }
    return scatter;
}

/* ---- coats ---- */

/* The share of light along a direction at this cosine that the surface's coat mirrors. The surface below gets the
 * rest. */
GLINT_HD float path_coat(const ShadingContext *context, const Material *material, float cosine) {
    const float alpha = fmaxf(material->coat_roughness * material->coat_roughness, 1e-4f);
    if (material->coat_roughness >= MATERIAL_ROUGH)
        return material->coat * albedo_at(context->albedos + material->coat_albedos, cosine, alpha);
    return material->coat * times_plus(1 - MATERIAL_COAT_MIRRORS, path_grazing(cosine), MATERIAL_COAT_MIRRORS);
}

/* Draws the coat or what is below. Where it is the coat, the surface becomes that alone, as colourless metal that
 * mirrors little, and *share is the factor on its light. Chance is even again. */
GLINT_HD bool path_draws_coat(const ShadingContext *context, Surface *surface, float cosine, float *chance,
                              float *share) {
    Material *material = &surface->material;
    const float coat = path_coat(context, material, cosine);
    const bool drawn = *chance < coat;
    *chance = quotient(drawn ? *chance : *chance - coat, drawn ? coat : 1 - coat);
    if (!drawn)
        return false;
    *share = quotient(1, coat);
    surface->colour = vec(MATERIAL_COAT_MIRRORS, MATERIAL_COAT_MIRRORS, MATERIAL_COAT_MIRRORS);
    material->kind = MATERIAL_METAL;
    material->diffuse = 0;
    material->specular = material->coat;
    material->roughness = material->coat_roughness;
    material->film = 0;
    return true;
}

#endif
