/* emitters.c: lists the parts that shine and builds the tree over them. The tree is balanced, over the emitters in the
 * order of their Morton codes. It is an array in which node i has the children 2 i and 2 i + 1. */
#include "core/scene/emitters.h"

#include "core/math/morton.h"

#include <stdlib.h>

/* A leaf of the tree to be. */
typedef struct Leaf {
    EmitterNode node;
    uint32_t emitter, code;
} Leaf;

static float luminance_of(Colour colour) {
    return vec_luminance(vec(colour.red, colour.green, colour.blue));
}

/* ---- leaves: powers are such that by the square of the distance they are irradiance ---- */

static const Material *emissive_material(const Scene *scene, uint32_t material) {
    const Material *emissive = &scene->materials[material];
    return emissive->kind == MATERIAL_LIGHT && emissive->emission > 0 ? emissive : NULL;
}

static bool leaf_of_sphere(const Scene *scene, const Sphere *sphere, EmitterNode *node) {
    const Material *emissive = emissive_material(scene, sphere->material);
    const Colour colour = {sphere->red, sphere->green, sphere->blue};
    const float size = PI_F * sphere->radius * sphere->radius;
    if (!emissive || !(sphere->radius > 0) || !(luminance_of(colour) > 0))
        return false;
    *node = (EmitterNode){sphere_centre(sphere), sphere->radius, luminance_of(colour) * emissive->emission * size};
    return true;
}

/* A triangle shows on average half of its area to either side. */
static bool leaf_of_triangle(const Scene *scene, const Triangle *triangle, EmitterNode *node) {
    const Material *emissive = emissive_material(scene, triangle->material);
    const double area = 0.5 * sqrt(triangle_plane(triangle).square);
    Vec middle = vec(0, 0, 0);
    float reach = 0;
    if (!emissive || !(area > 0) || !(luminance_of(triangle->colour) > 0))
        return false;
    for (int i = 0; i < 3; i++)
        middle = vec_along(middle, 1.0F / 3, triangle->points[i]);
    for (int i = 0; i < 3; i++) {
        const Vec to = vec_minus(triangle->points[i], middle);
        reach = fmaxf(reach, sqrtf(vec_dot(to, to)));
    }
    *node = (EmitterNode){middle, reach * (1 + 1e-5F),
                          luminance_of(triangle->colour) * emissive->emission * (float)area / 2};
    return true;
}

static bool leaf_of_point(const Light *light, EmitterNode *node) {
    *node = (EmitterNode){light->at, 0, luminance_of(light->colour)};
    return light->kind == LIGHT_POINT && luminance_of(light->colour) > 0;
}

static size_t count_points(const ShadingContext *context) {
    size_t count = 0;
    for (size_t i = 0; i < context->light_count; i++)
        count += context->lights[i].kind == LIGHT_POINT;
    return count;
}

/* Into `leaves` and the context's emitters, unless they are NULL. Returns how many there are. */
static size_t list_emitters(const Scene *scene, const ShadingContext *context, Leaf *leaves, Emitter *emitters) {
    const size_t points = count_points(context) > POINTS_DIRECT_MAX ? context->light_count : 0;
    const size_t all = scene->count + scene->triangle_count;
    size_t count = 0;
    for (size_t i = 0; i < all + points; i++) {
        EmitterNode node;
        if (i < scene->count ? leaf_of_sphere(scene, &scene->spheres[i], &node)
            : i < all        ? leaf_of_triangle(scene, &scene->triangles[i - scene->count], &node)
                             : leaf_of_point(&context->lights[i - all], &node)) {
            if (leaves) {
                leaves[count] = (Leaf){node, (uint32_t)count, 0};
                emitters[count] = (Emitter){(uint32_t)i, 0};
            }
            count++;
        }
    }
    return count;
}

/* ---- the tree ---- */

static uint32_t cell_of(float share) {
    return (uint32_t)fminf(fmaxf(share * 1024, 0), 1023);
}

static int compare_leaves(const void *a, const void *b) {
    const Leaf *one = a, *other = b;
    if (one->code != other->code)
        return one->code < other->code ? -1 : 1;
    return one->emitter < other->emitter ? -1 : one->emitter > other->emitter;
}

static void sort_leaves(Leaf *leaves, size_t count) {
    Vec min = leaves[0].node.centre, max = min;
    for (size_t i = 1; i < count; i++) {
        const Vec at = leaves[i].node.centre;
        min = vec(fminf(min.x, at.x), fminf(min.y, at.y), fminf(min.z, at.z));
        max = vec(fmaxf(max.x, at.x), fmaxf(max.y, at.y), fmaxf(max.z, at.z));
    }
    const Vec side = vec_minus(max, min);
    const float size = fmaxf(fmaxf(side.x, fmaxf(side.y, side.z)), 1e-30F);
    for (size_t i = 0; i < count; i++) {
        const Vec at = vec_minus(leaves[i].node.centre, min);
        leaves[i].code = morton_code(cell_of(at.z / size), cell_of(at.y / size), cell_of(at.x / size));
    }
    qsort(leaves, count, sizeof *leaves, compare_leaves);
}

/* Around both; a child without power is left out. */
static EmitterNode join(const EmitterNode *a, const EmitterNode *b) {
    if (!(b->power > 0))
        return *a;
    if (!(a->power > 0))
        return *b;
    const Vec to = vec_minus(b->centre, a->centre);
    const float distance = sqrtf(vec_dot(to, to)), power = a->power + b->power;
    if (distance + b->radius <= a->radius)
        return (EmitterNode){a->centre, a->radius, power};
    if (distance + a->radius <= b->radius)
        return (EmitterNode){b->centre, b->radius, power};
    const float radius = 0.5F * (distance + a->radius + b->radius);
    return (EmitterNode){vec_along(a->centre, (radius - a->radius) / distance, to), radius * (1 + 1e-5F), power};
}

static void build(const Leaf *leaves, size_t count, size_t leaf_count, Emitter *emitters, uint32_t *order,
                  EmitterNode *nodes) {
    for (size_t i = 0; i < leaf_count; i++) {
        /* Spread over the leaves, so that both children of a node have as many. */
        const size_t at = i * count / leaf_count, next = (i + 1) * count / leaf_count;
        nodes[leaf_count + i] = (EmitterNode){{0, 0, 0}, 0, 0};
        order[i] = 0;
        if (at == next)
            continue;
        nodes[leaf_count + i] = leaves[at].node;
        order[i] = leaves[at].emitter;
        emitters[leaves[at].emitter].leaf = (uint32_t)i;
    }
    for (size_t i = leaf_count - 1; i > 0; i--)
        nodes[i] = join(&nodes[2 * i], &nodes[2 * i + 1]);
}

static Status build_tree(const Scene *scene, ShadingContext *context, size_t count) {
    size_t leaf_count = 1;
    while (leaf_count < count)
        leaf_count *= 2;
    Leaf *leaves = malloc(count * sizeof *leaves);
    Emitter *emitters = malloc(count * sizeof *emitters);
    uint32_t *order = malloc(leaf_count * sizeof *order);
    EmitterNode *nodes = calloc(2 * leaf_count, sizeof *nodes);
    context->emitters = emitters;
    context->leaves = order;
    context->nodes = nodes;
    const bool complete = leaves && emitters && order && nodes;
    if (complete) {
        (void)list_emitters(scene, context, leaves, emitters);
        sort_leaves(leaves, count);
        build(leaves, count, leaf_count, emitters, order, nodes);
        context->emitter_count = (uint32_t)count;
        context->leaf_count = (uint32_t)leaf_count;
    }
    free(leaves);
    return complete ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a tree over %zu lights", count);
}

static Status list_direct_lights(ShadingContext *context) {
    const bool points = count_points(context) <= POINTS_DIRECT_MAX;
    uint32_t *asked = malloc((context->light_count + 1) * sizeof *asked);
    if (!asked)
        return fail(STATUS_DEVICE, "no memory to list %u lights", context->light_count);
    context->direct_lights = asked;
    for (uint32_t i = 0; i < context->light_count; i++)
        if (points || context->lights[i].kind != LIGHT_POINT)
            asked[context->direct_light_count++] = i;
    return STATUS_OK;
}

/* Paths end at what shines: where nothing else is, nobody aims at it. */
static bool takes_light(const Scene *scene) {
    bool takes = scene->has_ground;
    for (size_t i = 0; i < scene->count && !takes; i++)
        takes = scene->spheres[i].radius > 0 && scene->materials[scene->spheres[i].material].kind != MATERIAL_LIGHT;
    for (size_t i = 0; i < scene->triangle_count && !takes; i++)
        takes = scene->materials[scene->triangles[i].material].kind != MATERIAL_LIGHT;
    return takes;
}

Status emitters_create(const Scene *scene, ShadingContext *context) {
    const size_t count = takes_light(scene) ? list_emitters(scene, context, NULL, NULL) : 0;
    TRY(list_direct_lights(context));
    return count > 0 ? build_tree(scene, context, count) : STATUS_OK;
}

void emitters_free(ShadingContext *context) {
    free((void *)(uintptr_t)context->direct_lights);
    free((void *)(uintptr_t)context->emitters);
    free((void *)(uintptr_t)context->leaves);
    free((void *)(uintptr_t)context->nodes);
}
