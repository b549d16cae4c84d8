/* octree.h: bodies along Hilbert's curve, and the cells of an octree over them, in the order of a walk.
 * Owns how both are built; the same for any number of threads. */
#ifndef GLINT_CPU_COURSE_NBODY_OCTREE_H
#define GLINT_CPU_COURSE_NBODY_OCTREE_H

#include "core/device/backend.h"
#include "core/math/gravity.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    OCTREE_LEAF = 16 /* bodies of a cell that has no cells in it; more only where they are as good as at one place */
};

/* A cell that has one cell in it alone is left out. The cells in a cell follow it. */
typedef struct OctreeCell {
    Body mass;             /* at its centre of mass */
    float reach2;          /* squared: nearer than that it is opened */
    uint32_t first, count; /* of its bodies */
    uint32_t next;         /* cell behind all that are in it: it is a leaf if that is the next one */
} OctreeCell;

/* The key that bodies are sorted by: a body's place, and its number. */
typedef struct OctreeKey {
    uint64_t code, body;
} OctreeKey;

/* All in the memory that octree_build gets. */
typedef struct Octree {
    size_t count, cell_count;
    Body *bodies;    /* along the curve */
    OctreeKey *keys; /* of each: which one it is */
    OctreeCell *cells;
} Octree;

size_t octree_bytes(size_t count);
/* Over `count` bodies. `memory` has octree_bytes(count). False if a place or a mass is not finite: then there is none.
 */
bool octree_build(Queue *queue, const Body *bodies, size_t count, float theta, void *memory, Octree *octree);

#endif
