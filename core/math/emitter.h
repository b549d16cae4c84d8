/* emitter.h: directions towards surfaces that shine.
 * Owns how a direction is drawn to an emitter that the tree chose (core/math/emitter_tree.h), and the density of both
 * together. Light that is hit by chance can so be weighed against light that is aimed at. Nothing here has a state: all
 * of it follows from its arguments. */
#ifndef GLINT_CORE_MATH_EMITTER_H
#define GLINT_CORE_MATH_EMITTER_H

#include "core/math/emitter_tree.h"
#include "core/math/surface.h"

/* The share that counts of light found in one way, of two with these densities (Veach and Guibas, Optimally Combining
 * Sampling Techniques for Monte Carlo Rendering, SIGGRAPH 1995: the power heuristic). */
GLINT_HD float power_heuristic(float density, float other) {
    const float ratio = quotient(other, density);
    return quotient(1, times_plus(ratio, ratio, 1));
}

/* ---- cones ---- */

/* A direction uniform within a cone about an axis of length 1; `spread` is 1 - cosine of half its angle, so that narrow
 * cones lose nothing. Density: 1 / (2 pi spread). */
GLINT_HD Vec cone_draw(Vec axis, float spread, float u, float v) {
    const float deep = u * spread, radius = root_from_0(deep * (2 - deep));
    float x, y;
    circle_point(v, &x, &y);
    return vec_from_local(axis, radius * x, radius * y, 1 - deep);
}

GLINT_HD float cone_density(float spread) {
    return quotient(1, 2 * PI_F * spread);
}

/* Half a chord of the unit sphere, squared, resolves angles that 1 - cosine cannot. */
GLINT_HD bool cone_holds(Vec axis, float spread, Vec direction) {
    const Vec chord = vec_minus(direction, axis);
    return vec_dot(chord, chord) < 2 * spread;
}

/* The spread of the cone that a sphere fills, seen from `at`; 2 from within, where it fills all directions. */
GLINT_HD float sphere_spread(const Sphere *sphere, Vec at) {
    const Vec to = vec_minus(sphere_centre(sphere), at);
    const float sine = quotient(sphere->radius * sphere->radius, vec_dot(to, to)); /* squared */
    return sine < 1 ? quotient(sine, 1 + root_of(1 - sine)) : 2;
}

/* The spread of a sun; 0: it has no size. */
GLINT_HD float sun_spread(const Light *sun) {
    float cosine, sine; /* of a quarter of the angle that it fills */
    circle_point(sun->angle / 1440, &cosine, &sine);
    return 2 * sine * sine;
}

/* A sun's colour is its irradiance, which is pi times the square of the sine of half its angle times its radiance. */
GLINT_HD float sun_radiance(float spread) {
    return quotient(1, PI_F * spread * (2 - spread));
}

/* ---- directions ---- */

/* A direction from a surface to something that shines. */
typedef struct Aim {
    Vec way;            /* of length 1: the direction, before aim_draw the axis of a cone of directions */
    float spread;       /* of the cone; 0: there is but one direction */
    const Sphere *ball; /* up to which its way must be free; NULL: up to the distance */
    float distance;
    Vec light;     /* its radiance, of a point without size its irradiance */
    float density; /* of the direction, by solid angle, of a point its chance; 0: none was found */
    bool sized;    /* may also be hit by chance */
} Aim;

GLINT_HD Aim aim_none(void) {
    const Aim none = {{0, 0, 1}, 0, NULL, INFINITY, {0, 0, 0}, 0, true};
    return none;
}

/* Takes one of the cone's directions. */
GLINT_HD void aim_draw(Aim *aim, float u, float v) {
    if (aim->spread > 0)
        aim->way = cone_draw(aim->way, aim->spread, u, v);
}

/* How far the way must be free, along the ray that takes it. */
GLINT_HD float aim_distance(const Aim *aim, Ray ray) {
    return aim->ball ? sphere_entry(sphere_centre(aim->ball), aim->ball->radius, ray) : aim->distance;
}

GLINT_HD Vec emission_of(const ShadingContext *context, Vec colour, uint32_t material) {
    return vec_times(colour, context->materials[material].emission);
}

/* The density of the direction from `at` to a point of the triangle, all points alike. */
GLINT_HD float triangle_density(const Triangle *triangle, Vec at, Vec point) {
    const TrianglePlane plane = triangle_plane(triangle);
    const Vec to = vec_minus(point, at);
    const float square = vec_dot(to, to), twice = (float)sqrt(plane.square); /* the normal's length is twice the area */
    const float slope = fabsf(to.x * (float)plane.x + to.y * (float)plane.y + to.z * (float)plane.z); /* times that */
    return slope > 0 && twice > 0 ? 2 * square * sqrtf(square) / slope : 0;
}

GLINT_HD void aim_at_sphere(const ShadingContext *context, Vec at, const Sphere *from, Aim *aim) {
    const Sphere sphere = sphere_read(from);
    const float spread = sphere_spread(&sphere, at);
    if (spread > 1)
        return; /* from within, every direction that is scattered finds it */
    aim->way = vec_unit(vec_minus(sphere_centre(&sphere), at));
    aim->spread = spread;
    aim->ball = from;
    aim->light = emission_of(context, vec(sphere.red, sphere.green, sphere.blue), sphere.material);
    aim->density = cone_density(spread);
}

/* Uniform on the triangle (Turk, Generating Random Points in Triangles, Graphics Gems, 1990). */
GLINT_HD void aim_at_triangle(const ShadingContext *context, Vec at, const Triangle *triangle, float u, float v,
                              Aim *aim) {
    const float root = sqrtf(u), b = v * root, c = 1 - root;
    const Vec point =
        vec_along(vec_along(vec_times(triangle->points[0], 1 - b - c), b, triangle->points[1]), c, triangle->points[2]);
    const Vec to = vec_minus(point, at);
    const float distance = sqrtf(vec_dot(to, to));
    aim->density = triangle_density(triangle, at, point);
    if (!(aim->density > 0))
        return;
    aim->way = vec_times(to, 1 / distance);
    aim->distance = distance * (1 - 0x1p-14f);
    aim->light = emission_of(context, colour_of(triangle->colour), triangle->material);
}

/* At a sun, a point or a steady light. A sun's colour is its irradiance, a point's its intensity, a steady light's the
 * radiance that a white diffuse surface facing it sends on. */
GLINT_HD Aim aim_at_light(const Light *light, Vec at) {
    const bool sun = light->kind == LIGHT_SUN;
    const Vec to = sun ? light->at : vec_minus(light->at, at);
    const float square = vec_dot(to, to), spread = sun ? sun_spread(light) : 0;
    const float factor = spread > 0                    ? sun_radiance(spread)
                         : light->kind == LIGHT_POINT  ? quotient(1, square)
                         : light->kind == LIGHT_STEADY ? PI_F
                                                       : 1;
    const Aim aim = {vec_unit(to),
                     spread,
                     NULL,
                     sun ? INFINITY : root_from_0(square),
                     vec_times(colour_of(light->colour), factor),
                     spread > 0 ? cone_density(spread) : 1,
                     spread > 0};
    return aim;
}

/* Aims at one of the tree's emitters, drawn by `pick`, from a surface that looks along `normal`. For spheres, aim_draw
 * takes a direction by u and v. */
GLINT_HD Aim aim_at_emitter(const ShadingContext *context, Vec at, Vec normal, float pick, float u, float v) {
    Aim aim = aim_none();
    uint32_t leaf;
    const float chance = emitter_pick(context, at, normal, pick, &leaf);
    if (!(chance > 0))
        return aim;
    const uint32_t index = context->emitters[context->leaves[leaf]].index;
    if (index < context->sphere_count)
        aim_at_sphere(context, at, &context->spheres[index], &aim);
    else if (index >= primitive_count(context))
        aim = aim_at_light(&context->lights[index - primitive_count(context)], at);
    else if (HAS_TRIANGLES)
        aim_at_triangle(context, at, &context->triangles[index - context->sphere_count], u, v, &aim);
    aim.density *= chance;
    return aim;
}

/* At an image sky, drawn to where it is bright. */
GLINT_HD Aim aim_at_sky(const SkyImage *image, float u, float v) {
    Aim aim = aim_none();
    aim.way = sky_draw(image, u, v, &aim.density);
    aim.light = sky_lookup(image, aim.way);
    return aim;
}

/* The density with which aim_at_emitter finds the direction from `at` to the point of this surface; 0: it never does.
 * `at` is on a surface that looks along `normal`. */
GLINT_HD float emitter_density(const ShadingContext *context, const Surface *target, Vec at, Vec normal) {
    uint32_t emitter;
    if (!emitter_find(context, target->index, &emitter))
        return 0;
    const float chance = emitter_chance(context, at, normal, context->emitters[emitter].leaf);
    if (target->index < context->sphere_count) {
        const float spread = sphere_spread(&context->spheres[target->index], at);
        return spread > 1 ? 0 : chance * cone_density(spread);
    }
    return HAS_TRIANGLES
               ? chance * triangle_density(&context->triangles[target->index - context->sphere_count], at, target->at)
               : 0;
}

#endif
