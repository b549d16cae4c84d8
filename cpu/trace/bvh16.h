/* bvh16.h: bounding boxes around spheres, sixteen to a node.
 * Owns the trees over a scene's spheres and over those around its cylinders, and how the device keeps them; the level
 * wide traverses them. */
#ifndef GLINT_CPU_TRACE_BVH16_H
#define GLINT_CPU_TRACE_BVH16_H

#include "core/device/backend.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"

enum {
    NODE_WIDTH = 16, /* children of a node, spheres of a leaf: the lanes of the widest vectors */
    /* Links that wait while a ray traverses. Each of 28 levels leaves fifteen: a child has at most half of its parent's
     * spheres, and there are below 2^32. Four may be written at once. */
    BVH16_STACK = 28 * (NODE_WIDTH - 1) + 4,
};

/* The children's boxes, taken wide by BOX_SLACK of how far away they lie, so that no rounding lets a ray miss their
 * contents. Where a child is missing, every ray misses its box. */
typedef struct Bvh16Node {
    _Alignas(64) float box[2][3][NODE_WIDTH]; /* [min, max][x, y, z] */
    uint32_t link[NODE_WIDTH];                /* LINK_LEAF | a leaf, or a node; 0, the root, where one is missing */
} Bvh16Node;

/* Spheres side by side. Where one is missing, its centre is NaN. */
typedef struct Bvh16Leaf {
    _Alignas(64) float x[NODE_WIDTH], y[NODE_WIDTH], z[NODE_WIDTH], radius[NODE_WIDTH];
    uint32_t index[NODE_WIDTH]; /* in the scene */
} Bvh16Leaf;

#define LINK_LEAF (1u << 31)
#define BOX_SLACK 0x1p-19f

typedef struct Bvh16 {
    uint64_t moves; /* of the scene when the boxes were made */
    Bvh16Node *nodes;
    Bvh16Leaf *leaves;
    size_t node_capacity, leaf_capacity; /* as many as fit the memory at hand */
    uint32_t node_count, leaf_count;
    uint32_t root; /* a link */
} Bvh16;

/* The device's BVH over the scene; built unless the last one was over the same, and refitted if its spheres have
 * moved since. Stays for this call (core/device/cache.h). STATUS_DEVICE if memory is short. */
Status bvh16_over(Queue *queue, const Scene *scene, const Bvh16 **bvh);
/* The same over the spheres around the scene's cylinders (core/scene/bounding_spheres.h), by whose numbers leaves have
 * them; NULL where there are none. */
Status bvh16_over_cylinders(Queue *queue, const Scene *scene, const Bvh16 **bvh);
/* Bytes of workspace that building either takes. */
size_t bvh16_workspace(const Device *device, const Scene *scene);
/* TraceTools.build and TraceTools.refit: after a refit, the tree is the same and all boxes are as a build would make
 * them. */
Status cpu_build(Queue *queue, const Scene *scene, size_t *bytes);
Status cpu_refit(Queue *queue, const Scene *scene);

#endif
