/* roots.cuh: trees of numbers, each of which has a parent, and the root itself (union-find). */
#ifndef GLINT_GPU_CANNY_EDGES_ROOTS_CUH
#define GLINT_GPU_CANNY_EDGES_ROOTS_CUH

#include "gpu/kernel.cuh"

enum { NOTHING = 0xffffffff };

static __device__ unsigned root_of(const volatile unsigned *parents, unsigned at) {
    unsigned parent = parents[at];
    while (parent != at) {
        at = parent;
        parent = parents[at];
    }
    return at;
}

/* The greater root gets the lesser one as its parent. If another thread was faster, the search goes on from the parent
 * that it has set. */
static __device__ void unite(unsigned *parents, unsigned a, unsigned b) {
    while (true) {
        a = root_of(parents, a);
        b = root_of(parents, b);
        if (a == b)
            return;
        if (a > b) {
            const unsigned other = a;
            a = b;
            b = other;
        }
        const unsigned before = atomicMin(&parents[b], a);
        if (before == b)
            return;
        b = before;
    }
}

#endif
