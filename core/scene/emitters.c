/* emitters.c: lists the parts that shine and builds the tree over them (core/math/emitter_tree.h). */
#include "core/scene/emitters.h"

#include "core/math/emitter_tree.h"
#include "core/math/pcg.h"

#include <stdlib.h>

_Static_assert(sizeof(EmitterNode) == 32, "emitter_node_read");

/* A leaf of the tree to be. */
typedef struct Leaf {
    EmitterNode node;
    uint32_t emitter;
} Leaf;

static size_t count_points(const ShadingContext *context) {
    size_t count = 0;
    for (size_t i = 0; i < context->light_count; i++)
        count += context->lights[i].kind == LIGHT_POINT;
    return count;
}

/* Into `leaves` and the context's emitters, unless they are NULL. Returns how many there are. */
static size_t list_emitters(const ShadingContext *context, Leaf *leaves, Emitter *emitters) {
    const uint32_t primitives = primitive_count(context);
    const uint32_t points = count_points(context) > POINTS_DIRECT_MAX ? context->light_count : 0;
    size_t count = 0;
    for (uint32_t i = 0; i < primitives + points; i++) {
        const EmitterNode node = emitter_node_of(context, i);
        if (!(node.power > 0))
            continue;
        if (leaves) {
            leaves[count] = (Leaf){node, (uint32_t)count};
            emitters[count] = (Emitter){i, 0};
        }
        count++;
    }
    return count;
}

/* ---- the tree ---- */

static float part_of(Vec at, int axis) {
    return axis == 0 ? at.x : axis == 1 ? at.y : at.z;
}

/* Emitters at the same place are in their own order, so that the tree of a scene is always the same. */
static bool before(const Leaf *a, const Leaf *b, int axis) {
    const float one = part_of(a->node.centre, axis), other = part_of(b->node.centre, axis);
    return one < other || (one == other && a->emitter < b->emitter);
}

/* Along which the middles lie farthest apart. */
static int longest_axis(const Leaf *leaves, size_t count) {
    Vec min = leaves[0].node.centre, max = min;
    for (size_t i = 1; i < count; i++) {
        const Vec at = leaves[i].node.centre;
        min = vec(fminf(min.x, at.x), fminf(min.y, at.y), fminf(min.z, at.z));
        max = vec(fmaxf(max.x, at.x), fmaxf(max.y, at.y), fmaxf(max.z, at.z));
    }
    const Vec side = vec_minus(max, min);
    return side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
}

static void swap(Leaf *a, Leaf *b) {
    const Leaf kept = *a;
    *a = *b;
    *b = kept;
}

/* Brings the `first` smallest along the axis to the front (C. A. R. Hoare, Algorithm 65: Find, CACM 4(7), 1961). The
 * pivot is drawn, so that no arrangement of lamps takes quadratic time. It is not the last one: parts get smaller. */
static void bring_first(Leaf *leaves, size_t count, size_t first, int axis, Pcg *pcg) {
    while (count > 1 && first > 0 && first < count) {
        const Leaf pivot = leaves[pcg_next(pcg) % (count - 1)];
        size_t low = 0, high = count - 1;
        for (;; low++, high--) {
            while (before(&leaves[low], &pivot, axis))
                low++;
            while (before(&pivot, &leaves[high], axis))
                high--;
            if (low >= high)
                break;
            swap(&leaves[low], &leaves[high]);
        }
        const size_t left = high + 1; /* none of these is behind any of the rest */
        if (first <= left) {
            count = left;
        } else {
            leaves += left;
            count -= left;
            first -= left;
        }
    }
}

/* A part of the leaves of the tree: as many emitters belong to each, give or take one. */
typedef struct Slots {
    size_t first, width, all; /* slots; powers of two are the last two */
} Slots;

static size_t first_in(Slots slots, size_t slot, size_t count) {
    return (slots.first + slot) * count / slots.all;
}

/* Puts the leaves in the order of the slots: halves along the axis on which they lie farthest apart, and halves of
 * these. */
static void arrange(Leaf *leaves, size_t count, Slots slots, Pcg *pcg) {
    const size_t first = first_in(slots, 0, count), end = first_in(slots, slots.width, count);
    const Slots left = {slots.first, slots.width / 2, slots.all};
    const Slots right = {slots.first + left.width, left.width, slots.all};
    if (end - first < 2)
        return;
    const int axis = longest_axis(&leaves[first], end - first);
    bring_first(&leaves[first], end - first, first_in(right, 0, count) - first, axis, pcg);
    arrange(leaves, count, left, pcg);
    arrange(leaves, count, right, pcg);
}

static void place(const Leaf *leaves, size_t count, size_t leaf_count, Emitter *emitters, uint32_t *order,
                  EmitterNode *nodes) {
    for (size_t i = 0; i < leaf_count; i++) {
        const size_t at = i * count / leaf_count, next = (i + 1) * count / leaf_count;
        nodes[leaf_count + i] = (EmitterNode){{0, 0, 0}, 0, {0, 0, 0}, 0};
        order[i] = 0;
        if (at == next)
            continue;
        nodes[leaf_count + i] = leaves[at].node;
        order[i] = leaves[at].emitter;
        emitters[leaves[at].emitter].leaf = (uint32_t)i;
    }
}

/* Makes the nodes above the leaves. */
static void join_leaves(EmitterNode *nodes, size_t leaf_count) {
    for (size_t i = leaf_count - 1; i > 0; i--)
        nodes[i] = emitter_join(&nodes[2 * i], &nodes[2 * i + 1]);
    for (size_t i = leaf_count; i < 2 * leaf_count; i++)
        for (size_t above = i / 2; above > 0 && nodes[i].power > 0; above /= 2)
            nodes[above].radius = fmaxf(nodes[above].radius, emitter_reach(&nodes[above], &nodes[i]));
}

static Status build_tree(ShadingContext *context, size_t count) {
    size_t leaf_count = 1;
    while (leaf_count < count)
        leaf_count *= 2;
    Leaf *leaves = calloc(count, sizeof *leaves);
    Emitter *emitters = malloc(count * sizeof *emitters);
    uint32_t *order = malloc(leaf_count * sizeof *order);
    EmitterNode *nodes = calloc(2 * leaf_count, sizeof *nodes);
    context->emitters = emitters;
    context->leaves = order;
    context->nodes = nodes;
    const bool complete = leaves && emitters && order && nodes;
    if (complete) {
        Pcg pcg = pcg_seed(0, 0);
        (void)list_emitters(context, leaves, emitters);
        arrange(leaves, count, (Slots){0, leaf_count, leaf_count}, &pcg);
        place(leaves, count, leaf_count, emitters, order, nodes);
        join_leaves(nodes, leaf_count);
        context->emitter_count = (uint32_t)count;
        context->leaf_count = (uint32_t)leaf_count;
    }
    free(leaves);
    return complete ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a tree over %zu lights", count);
}

/* Without the dark ones, such as a sun that has set. */
static Status list_direct_lights(ShadingContext *context) {
    const bool points = count_points(context) <= POINTS_DIRECT_MAX;
    uint32_t *asked = malloc((context->light_count + 1) * sizeof *asked);
    if (!asked)
        return fail(STATUS_DEVICE, "no memory to list %u lights", context->light_count);
    context->direct_lights = asked;
    for (uint32_t i = 0; i < context->light_count; i++) {
        const Light *light = &context->lights[i];
        const bool shines = light->colour.red + light->colour.green + light->colour.blue > 0;
        if (shines && (points || light->kind != LIGHT_POINT))
            asked[context->direct_light_count++] = i;
    }
    return STATUS_OK;
}

/* Paths end at what shines: where nothing else is, nobody aims at it. */
static bool takes_light(const Scene *scene) {
    bool takes = scene->has_ground;
    for (size_t i = 0; i < scene->count && !takes; i++)
        takes = scene->spheres[i].radius > 0 && scene->materials[scene->spheres[i].material].kind != MATERIAL_LIGHT;
    for (size_t i = 0; i < scene->triangle_count && !takes; i++)
        takes = scene->materials[scene->triangles[i].material].kind != MATERIAL_LIGHT;
    for (size_t i = 0; i < scene->cylinder_count && !takes; i++)
        takes = scene->materials[scene->cylinders[i].material].kind != MATERIAL_LIGHT;
    return takes;
}

Status emitters_create(const Scene *scene, ShadingContext *context) {
    const size_t count = takes_light(scene) ? list_emitters(context, NULL, NULL) : 0;
    TRY(list_direct_lights(context));
    return count > 0 ? build_tree(context, count) : STATUS_OK;
}

void emitters_free(ShadingContext *context) {
    free((void *)(uintptr_t)context->direct_lights);
    free((void *)(uintptr_t)context->emitters);
    free((void *)(uintptr_t)context->leaves);
    free((void *)(uintptr_t)context->nodes);
}
