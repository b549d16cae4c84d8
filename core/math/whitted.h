/* whitted.h: light along reflected and refracted rays, with sharp shadows (Whitted, An Improved Illumination Model for
 * Shaded Display, Communications of the ACM 23(6), 1980). No chance is in it: one ray a pixel is a whole picture. */
#ifndef GLINT_CORE_MATH_WHITTED_H
#define GLINT_CORE_MATH_WHITTED_H

#include "core/math/surface.h"

/* The part of a light source's `light` that the surface sends back along `view`: diffusely, and as Phong's
 * highlight. */
GLINT_HD Vec whitted_lit(const World *world, const ShadingContext *context, const Surface *surface, Vec normal,
                         Vec view, Ray ray, float distance, Vec light) {
    const Material *material = &surface->material;
    const float facing = vec_dot(normal, ray.direction);
    if (!(facing > 0) || !surface_faces(surface, normal, ray.direction) ||
        surface_shadowed(world, context, ray, distance))
        return vec(0, 0, 0);
    const float along = fmaxf(vec_dot(vec_mirror(view, normal), ray.direction), 0);
    const float highlight = material->specular * powf(along, material->phong_exponent);
    return vec_each(light,
                    vec_along(vec(highlight, highlight, highlight), material->diffuse * facing, surface->colour));
}

/* The light of all sources that a surface sends along -view; `ambient` stands for the light from everywhere else. */
GLINT_HD Vec whitted_direct(const World *world, const ShadingContext *context, const Surface *surface, Vec normal,
                            Vec view) {
    Vec sum = vec_each(vec_times(surface->colour, surface->material.diffuse), sky_ambient(context));
    for (uint32_t i = 0; i < context->light_count; i++) {
        const Arrival arrival = light_arrival(&context->lights[i], surface);
        sum = vec_along(
            sum, 1, whitted_lit(world, context, surface, normal, view, arrival.ray, arrival.distance, arrival.light));
    }
    for (uint32_t i = 0; i < context->light_sphere_count; i++) {
        const Sphere *sphere = &context->spheres[context->light_spheres[i]];
        const Vec to = vec_minus(sphere_centre(sphere), surface->at);
        const float square = vec_dot(to, to), size = sphere->radius * sphere->radius;
        if (!(size < square))
            continue; /* within it */
        const Ray ray = surface_leave(surface, vec_unit(to));
        const float power = context->materials[sphere->material].emission * size / square;
        sum = vec_along(sum, 1,
                        whitted_lit(world, context, surface, normal, view, ray,
                                    sphere_entry(sphere_centre(sphere), sphere->radius, ray),
                                    vec_times(vec(sphere->red, sphere->green, sphere->blue), power)));
    }
    return sum;
}

/* A ray that waits while another is followed, and the share of its light that counts. */
typedef struct WhittedRay {
    Ray ray;
    Vec share;
    uint32_t depth;
} WhittedRay;

/* The light along a ray, by way of at most `depth` surfaces. */
GLINT_HD Vec whitted_radiance(const World *world, const ShadingContext *context, Ray ray, uint32_t depth) {
    WhittedRay waiting[DEPTH_MAX + 1] = {{ray, {1, 1, 1}, 1}};
    uint32_t count = 1;
    Vec sum = vec(0, 0, 0);
    while (count > 0) {
        const WhittedRay next = waiting[--count];
        Surface surface;
        if (next.depth > 1)
            RAY_COUNT(world, SECONDARY_RAYS);
        if (!surface_hit(world, context, next.ray, &surface)) {
            sum = vec_along(sum, 1, vec_each(next.share, sky_light(context, next.ray.direction)));
            continue;
        }
        const Material *material = &surface.material;
        if (material->kind == MATERIAL_LIGHT) {
            sum = vec_along(sum, material->emission, vec_each(next.share, surface.colour));
            continue;
        }
        const Vec view = next.ray.direction;
        const bool inside = vec_dot(surface.normal, view) > 0;
        const Vec normal = inside ? vec_times(surface.smooth, -1) : surface.smooth;
        sum = vec_along(sum, 1, vec_each(next.share, whitted_direct(world, context, &surface, normal, view)));
        if (next.depth >= depth)
            continue;
        const Vec mirrored = vec_mirror(view, normal);
        const bool mirrors = surface_faces(&surface, normal, mirrored);
        if (material->kind == MATERIAL_METAL && material->specular > 0 && mirrors) {
            const Vec share = vec_times(vec_each(next.share, surface.colour), material->specular);
            waiting[count++] = (WhittedRay){surface_leave(&surface, mirrored), share, next.depth + 1};
        } else if (material->kind == MATERIAL_GLASS) {
            const float eta = inside ? material->refraction : 1 / material->refraction;
            const float cosine = -vec_dot(normal, view);
            float onward = 0;
            const float back = fresnel(cosine, eta, &onward);
            if (mirrors)
                waiting[count++] =
                    (WhittedRay){surface_leave(&surface, mirrored), vec_times(next.share, back), next.depth + 1};
            const Vec through = vec_along(vec_times(view, eta), eta * cosine - onward, normal);
            if (back < 1 && !(surface.bent && surface_faces(&surface, normal, through))) {
                const Vec share = vec_times(vec_each(next.share, surface.colour),
                                            (1 - back) * material->transmittance * eta * eta); /* as in path.h */
                waiting[count++] = (WhittedRay){surface_leave(&surface, vec_unit(through)), share, next.depth + 1};
            }
        }
    }
    return sum;
}

#endif
