/* surfaces.h: the surfaces that the rays of a pixel see, as denoising wants them. Behind mirrors and
 * clear glass, these are the first ones that scatter light. A template, as core/math/surface.h is. */
#ifndef GLINT_CORE_MATH_SURFACES_H
#define GLINT_CORE_MATH_SURFACES_H

#include "core/math/film.h"

enum { SURFACES_BOUNCES = 6 /* mirrors and panes that are looked at and through */ };

/* The share of light that a surface sends on, and how it faces. */
typedef struct SeenSurface {
    Vec normal, albedo;
    float way; /* along the ray and those that follow from it; INFINITY: the sky */
} SeenSurface;

/* Where the light comes from that a ray sees at a surface, if that is one direction: then *ray is the one on. */
GLINT_HD bool surfaces_passes(const Surface *surface, Vec normal, bool inside, Ray *ray, Vec *tint) {
    const Material *material = &surface->material;
    const Vec direction = ray->direction;
    if (material->kind == MATERIAL_METAL && material->roughness < MATERIAL_ROUGH &&
        material->specular > material->diffuse) {
        *tint = vec_times(vec_each(*tint, surface->colour), material->specular);
        *ray = surface_leave(surface, vec_mirror(direction, normal));
        return true;
    }
    if (material->kind == MATERIAL_GLASS && !material_is_rough_glass(material)) {
        const float eta = inside ? material->refraction : quotient(1, material->refraction);
        const float cosine = -vec_dot(normal, direction);
        float onward = 0;
        if (fresnel(cosine, eta, &onward) < 1) {
            *tint = vec_times(vec_each(*tint, surface->colour), material->transmittance * eta * eta);
            *ray =
                surface_leave(surface, vec_unit(vec_along(vec_times(direction, eta), eta * cosine - onward, normal)));
        } else {
            *ray = surface_leave(surface, vec_mirror(direction, normal));
        }
        return true;
    }
    return false;
}

GLINT_HD SeenSurface surfaces_follow(const World *world, const ShadingContext *context, Ray ray) {
    SeenSurface seen = {{0, 0, 0}, {1, 1, 1}, 0};
    for (int bounce = 0; bounce <= SURFACES_BOUNCES; bounce++) {
        Surface surface;
        if (!surface_hit(world, context, ray, &surface)) {
            seen.normal = vec_times(ray.direction, -1);
            seen.albedo = vec_each(seen.albedo, sky_light(context, ray.direction));
            seen.way = INFINITY;
            return seen;
        }
        const Material *material = &surface.material;
        const bool inside = vec_dot(surface.normal, ray.direction) > 0;
        seen.normal = inside ? vec_times(surface.smooth, -1) : surface.smooth;
        seen.way += vec_dot(vec_minus(surface.at, ray.origin), ray.direction);
        if (bounce < SURFACES_BOUNCES && surfaces_passes(&surface, seen.normal, inside, &ray, &seen.albedo))
            continue;
        const float share = material->kind == MATERIAL_LIGHT   ? material->emission
                            : material->kind == MATERIAL_METAL ? fminf(material->diffuse + material->specular, 1)
                            : material->kind == MATERIAL_GLASS ? 1
                                                               : material->diffuse;
        seen.albedo = vec_times(vec_each(seen.albedo, surface.colour), share);
        break;
    }
    return seen;
}

/* The nearness, affine across a plane in the picture. For a perspective camera it is 1 by the way ahead. For others it
 * goes from 3 to 1, with the picture's height as their unit. */
GLINT_HD float surfaces_nearness(Camera camera, Ray ray, float way, size_t height) {
    if (camera.kind == CAMERA_PERSPECTIVE)
        return way == INFINITY ? 0 : quotient(1, fmaxf(way * vec_dot(ray.direction, camera.forward), 1e-6f));
    const float scaled = way / (camera.unit * (float)(uint32_t)height);
    return way == INFINITY ? 1 : 2 - scaled / (1 + fabsf(scaled));
}

/* Adds rays `first` to before first + samples of those that film sends through a pixel. The means over these and the
 * rays before are that of its normal with the nearness, and that of its albedo. Begins again where `first` is 0. The
 * means do not depend on how rays are shared out among calls. */
GLINT_HD void surfaces_pixel(const World *world, const ShadingContext *context, Camera camera, uint32_t first,
                             uint32_t samples, uint32_t seed, size_t px, size_t py, size_t width, size_t height,
                             float *normal, float *albedo) {
    const uint32_t own = sampler_hash(sampler_hash(seed, (uint32_t)px), (uint32_t)py);
    Vec normals = vec(0, 0, 0), colours = vec(0, 0, 0);
    float near = 0;
    if (first > 0) {
        normals = vec(normal[0], normal[1], normal[2]);
        colours = vec(albedo[0], albedo[1], albedo[2]);
        near = normal[3];
    }
    for (uint32_t sample = first; sample < first + samples; sample++) {
        const Ray ray = film_ray(camera, LOOK_PATHS, px, py, width, height, sample, own);
        const SeenSurface seen = surfaces_follow(world, context, ray);
        const float share = 1.0f / (float)(sample + 1);
        normals = vec_along(normals, share, vec_minus(seen.normal, normals));
        colours = vec_along(colours, share, vec_minus(seen.albedo, colours));
        near += share * (surfaces_nearness(camera, ray, seen.way, height) - near);
    }
    const Vec pairs[2] = {normals, colours};
    float *const to[2] = {normal, albedo};
    for (int i = 0; i < 2; i++) {
        to[i][0] = pairs[i].x;
        to[i][1] = pairs[i].y;
        to[i][2] = pairs[i].z;
        to[i][3] = i == 0 ? near : 1;
    }
}

#endif
