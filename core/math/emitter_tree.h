/* emitter_tree.h: the tree by which a surface draws one of many emitters, by what each can give it.
 * The source is Conty Estevez and Kulla, Importance Sampling of Many Lights with Adaptive Tree Splitting, High
 * Performance Graphics 2018. Nothing is split here, and nodes have means by power in place of bounds. The tree is
 * balanced and binary. It is an array in which node i has the children 2 i and 2 i + 1, so a leaf's number is the way
 * to it. A draw goes down two levels at once, to one of four nodes. docs/trace.md has the reasons and figures. */
#ifndef GLINT_CORE_MATH_EMITTER_TREE_H
#define GLINT_CORE_MATH_EMITTER_TREE_H

#include "core/math/shading_context.h"

/* ---- nodes ---- */

/* The power of light of this colour from a surface of this material; 0: it does not shine. */
GLINT_HD float emitter_radiance(const ShadingContext *context, Vec colour, uint32_t material) {
    const Material *made = &context->materials[material];
    return made->kind == MATERIAL_LIGHT ? vec_luminance(colour) * made->emission : 0;
}

/* A sphere shines alike to all sides, as much as its disc. */
GLINT_HD EmitterNode emitter_of_sphere(const ShadingContext *context, const Sphere *sphere) {
    const float radiance = emitter_radiance(context, vec(sphere->red, sphere->green, sphere->blue), sphere->material);
    const float disc = PI_F * sphere->radius * sphere->radius;
    const EmitterNode node = {sphere_centre(sphere), sphere->radius, {0, 0, 0}, 2 * radiance * disc};
    return node;
}

/* A triangle shines to both sides, by the cosine. One of no area has no power. */
GLINT_HD EmitterNode emitter_of_triangle(const ShadingContext *context, const Triangle *triangle) {
    const TrianglePlane plane = triangle_plane(triangle);
    const double twice = sqrt(plane.square); /* the normal's length is twice the area */
    EmitterNode node = {{0, 0, 0}, 0, {0, 0, 0}, 0};
    for (int i = 0; i < 3; i++)
        node.centre = vec_along(node.centre, 1.0f / 3, triangle->points[i]);
    for (int i = 0; i < 3; i++) {
        const Vec to = vec_minus(triangle->points[i], node.centre);
        node.radius = fmaxf(node.radius, sqrtf(vec_dot(to, to)) * (1 + 1e-5f));
    }
    if (twice > 0) {
        node.axis = vec((float)(plane.x / twice), (float)(plane.y / twice), (float)(plane.z / twice));
        node.power = emitter_radiance(context, colour_of(triangle->colour), triangle->material) * (float)(twice / 2);
    }
    return node;
}

GLINT_HD EmitterNode emitter_of_point(const Light *light) {
    const float intensity = light->kind == LIGHT_POINT ? vec_luminance(colour_of(light->colour)) : 0;
    const EmitterNode node = {light->at, 0, {0, 0, 0}, 2 * intensity};
    return node;
}

/* The node of a primitive or point, by its number as in Emitter. Its power is 0 if it does not shine, or is a cylinder:
 * paths find the light of those by chance. */
GLINT_HD EmitterNode emitter_node_of(const ShadingContext *context, uint32_t index) {
    const uint32_t triangles_end = context->sphere_count + context->triangle_count, all = primitive_count(context);
    const EmitterNode none = {{0, 0, 0}, 0, {0, 0, 0}, 0};
    return index < context->sphere_count ? emitter_of_sphere(context, &context->spheres[index])
           : index < triangles_end ? emitter_of_triangle(context, &context->triangles[index - context->sphere_count])
           : index < all           ? none
                                   : emitter_of_point(&context->lights[index - all]);
}

/* Both nodes' means and power, but for the radius: emitter_widen gives it. Axes have no sign: they are turned to each
 * other's side. */
GLINT_HD EmitterNode emitter_join(const EmitterNode *a, const EmitterNode *b) {
    const float power = a->power + b->power, share = power > 0 ? b->power / power : 0;
    const Vec axis = vec_dot(a->axis, b->axis) < 0 ? vec_times(b->axis, -1) : b->axis;
    const EmitterNode node = {vec_along(a->centre, share, vec_minus(b->centre, a->centre)), 0,
                              vec_along(a->axis, share, vec_minus(axis, a->axis)), power};
    return node;
}

/* The radius about a node's centre that a leaf below it asks for. */
GLINT_HD float emitter_reach(const EmitterNode *node, const EmitterNode *leaf) {
    const Vec to = vec_minus(leaf->centre, node->centre);
    return (sqrtf(vec_dot(to, to)) + leaf->radius) * (1 + 1e-5f);
}

/* ---- what a node can give ---- */

/* The light that a node can give a surface that looks along `normal`, 0 for both sides, but for a factor. It is the
 * power, by the square of the distance to the mean place, and by the cosines at the surface and at the emitters. The
 * radius softens all three. Only a node that is wholly behind the surface gives nothing. A twelfth of the radius
 * squared had the smallest variance in halls, streets and clouds of lamps, among shares from a quarter down. Where
 * normals disagree, the cosine at the emitters is a half, its mean over all directions. */
GLINT_HD float emitter_importance(const EmitterNode *from, Vec at, Vec normal) {
    const EmitterNode node = emitter_node_read(from);
    const Vec to = vec_minus(node.centre, at);
    const float size = fmaxf(node.radius, 1e-12f), square = vec_dot(to, to);
    const float reach = root_from_0(square) + size, inverse = quotient(1, reach);
    const bool sided = vec_dot(normal, normal) > 0;
    const float seen = sided ? fmaxf(vec_dot(to, normal) + size, 0) * inverse : 1;
    const float given = seen * quotient(node.power, times_plus(size, size * (1.0f / 12), square));
    if (!HAS_TRIANGLES)
        return given; /* no emitter has an axis */
    const float agree = vec_dot(node.axis, node.axis);
    const float facing = times_plus(agree, size, fabsf(vec_dot(to, node.axis))) * inverse;
    return given * times_plus(0.5f, 1 - agree, facing);
}

/* ---- draws ---- */

/* The chances of the nodes among which a step chooses: the first two and the last two have the same parent. */
typedef struct EmitterStep {
    float a, b, c, d; /* up to a factor */
} EmitterStep;

/* The number of nodes among which a step chooses, from a node with `below` leaves below it. These are four, but two in
 * the first step of a tree with an odd number of levels. */
GLINT_HD uint32_t emitter_ways(uint32_t below) {
    return below & 0x55555555U ? 4 : 2; /* powers of two: those of four have one of these bits */
}

GLINT_HD EmitterStep emitter_step(const ShadingContext *context, uint32_t first, uint32_t ways, Vec at, Vec normal) {
    const EmitterNode *nodes = &context->nodes[first];
    EmitterStep step = {emitter_importance(nodes, at, normal), emitter_importance(nodes + 1, at, normal), 0, 0};
    if (ways == 4) {
        step.c = emitter_importance(nodes + 2, at, normal);
        step.d = emitter_importance(nodes + 3, at, normal);
    }
    return step;
}

/* Draws a leaf by u from [0, 1). Returns its chance, 0: there is none that can be seen. A single leaf is always drawn.
 */
GLINT_HD float emitter_pick(const ShadingContext *context, Vec at, Vec normal, float u, uint32_t *leaf) {
    uint32_t node = 1;
    float chance = 1;
    for (uint32_t below = context->leaf_count; below > 1 && chance > 0;) {
        const uint32_t ways = emitter_ways(below);
        below >>= ways / 2;
        node *= ways;
        const EmitterStep step = emitter_step(context, node, ways, at, normal);
        const float left = step.a + step.b, sum = left + (step.c + step.d);
        const bool second = !(u * sum < left); /* of the two pairs */
        const float rest = second ? u * sum - left : u * sum, first = second ? step.c : step.a;
        const bool other = !(rest < first); /* of the pair */
        const float drawn = other ? (second ? step.d : step.b) : first;
        node += (second ? 2U : 0U) + (other ? 1U : 0U);
        u = quotient(other ? rest - first : rest, drawn);
        chance = drawn > 0 ? chance * quotient(drawn, sum) : 0;
    }
    *leaf = node - context->leaf_count;
    return chance;
}

/* The chance with which emitter_pick draws this leaf: its steps, from the last one up. */
GLINT_HD float emitter_chance(const ShadingContext *context, Vec at, Vec normal, uint32_t leaf) {
    float chance = 1;
    for (uint32_t node = context->leaf_count + leaf, ways; node > 1 && chance > 0; node >>= ways / 2) {
        ways = node < 4 ? 2 : 4;
        const uint32_t number = node % ways;
        const EmitterStep step = emitter_step(context, node - number, ways, at, normal);
        const float drawn = number == 0 ? step.a : number == 1 ? step.b : number == 2 ? step.c : step.d;
        chance = drawn > 0 ? chance * quotient(drawn, (step.a + step.b) + (step.c + step.d)) : 0;
    }
    return chance;
}

/* Finds the emitter that a primitive is, among emitters in ascending order; false: it is none. */
GLINT_HD bool emitter_find(const ShadingContext *context, uint32_t index, uint32_t *emitter) {
    uint32_t first = 0, last = context->emitter_count;
    while (last - first > 1) {
        const uint32_t middle = first + (last - first) / 2;
        if (context->emitters[middle].index <= index)
            first = middle;
        else
            last = middle;
    }
    *emitter = first;
    return first < last && context->emitters[first].index == index;
}

#endif
