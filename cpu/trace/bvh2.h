/* bvh2.h: a bounding volume hierarchy with two children a node, over all primitives of a scene.
 * Owns its nodes and how the device keeps them; the level bvh traverses it (cpu/trace/bvh2_traversal.h). */
#ifndef GLINT_CPU_TRACE_BVH2_H
#define GLINT_CPU_TRACE_BVH2_H

#include "core/device/backend.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"

/* A box, and its contents. Siblings lie side by side: a pair is one cache line. */
typedef struct Bvh2Node {
    float box[2][3]; /* [min, max][x, y, z], widened by BVH2_SLACK of how far from 0 they lie: no rounding hides its
                        contents */
    uint32_t first;  /* of its primitives in `order`, or of its two children in `nodes` */
    uint32_t count;  /* primitives of a leaf; 0: an inner node */
} Bvh2Node;

#define BVH2_SLACK 0x1p-19f

/* The depth of the tree, at most: half of it by the heuristic, and as much by halving the rest (bvh2.c). */
enum { BVH2_DEPTH = 64 };

typedef struct Bvh2 {
    uint64_t moves;  /* of the scene when the boxes were made (core/scene/scene.h) */
    Bvh2Node *nodes; /* [0] is the root, [1] unused */
    uint32_t *order; /* the scene's primitives leaf by leaf: by their indices as hits have them */
    size_t count;    /* primitives */
} Bvh2;

/* The device's BVH over the scene: built unless the last one was over the same, refitted if its spheres have moved
 * since. Stays for this call (core/device/cache.h). STATUS_DEVICE if memory is short. */
Status bvh2_over(Queue *queue, const Scene *scene, const Bvh2 **bvh);

#endif
