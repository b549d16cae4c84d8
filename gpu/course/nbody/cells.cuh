/* cells.cuh: the tree over bodies: cells with their mass, its centre, and how near one must be to look inside.
 * Bodies are sorted along Hilbert's curve; the inner nodes of the radix tree over their codes (Karras 2012) are the
 * cells, each of two parts. The thread that comes second to a cell sums it up, from the bodies upward. Each cell is the
 * sum of its parts in their order: the same bits every time. */
#ifndef GLINT_GPU_COURSE_NBODY_CELLS_CUH
#define GLINT_GPU_COURSE_NBODY_CELLS_CUH

#include "gpu/radix_tree.cuh"

extern "C" {
#include "core/math/gravity.h"
}

enum { NO_PARENT = -1 };

/* The part of a cell that a walk reads, in one piece. A link to a cell is its number, a link to a body is ~its place in
 * the order of the curve. Cells that are parts of one lie side by side. */
struct __align__(32) Cell {
    float4 centre; /* of mass; w: mass */
    int left, right;
    float reach2; /* the square of its reach */
    int unused;
};

typedef struct Cells {
    const float4 *places; /* of bodies in the order of the curve, and their masses */
    Cell *cells;
    float4 *low, *high, *spreads; /* corners, low.w: xx, high.w: yy of the spread; zz, xy, xz, yz */
    int *parents;
    unsigned *known; /* parts of a cell that are summed up */
    int count;       /* bodies; cells are one less */
} Cells;

static __host__ __device__ __forceinline__ int body_link(int body) {
    return ~body;
}

/* ---- the tree ---- */

/* Cell i. */
static __global__ void link_cells(const uint64_t *__restrict__ codes, const __grid_constant__ Cells cells) {
    const int i = (int)(blockIdx.x * CURVE_THREADS + threadIdx.x);
    if (i >= cells.count - 1)
        return;
    const RadixNode node = radix_node(codes, cells.count, i);
    const int middle = radix_split(codes, cells.count, node);
    const int left = middle == first_in(node) ? body_link(middle) : middle;
    const int right = middle + 1 == last_in(node) ? body_link(middle + 1) : middle + 1;
    cells.cells[i].left = left;
    cells.cells[i].right = right;
    cells.cells[i].unused = 0; /* walks read whole cells */
    cells.known[i] = 0;
    if (i == 0)
        cells.parents[0] = NO_PARENT;
    if (left >= 0)
        cells.parents[left] = i;
    if (right >= 0)
        cells.parents[right] = i;
}

/* ---- summaries ---- */

/* The summary of a cell or a body. */
typedef struct Summary {
    float4 centre, low, high; /* without the fourth values of corners */
    Spread spread;
} Summary;

static __device__ __forceinline__ Summary summary_of(float4 body) {
    const Summary summary = {body, body, body, {0, 0, 0, 0, 0, 0}};
    return summary;
}

/* A moment of two parts, with that of their centres, `apart`. */
static __device__ __forceinline__ float moment(float a, float b, float share, float apart) {
    return a + share * (b - a + (1 - share) * apart);
}

static __device__ __forceinline__ Summary both(const Summary &a, const Summary &b) {
    Summary sum;
    const float mass = a.centre.w + b.centre.w, share = mass != 0 ? b.centre.w / mass : 0.5f;
    const float x = b.centre.x - a.centre.x, y = b.centre.y - a.centre.y, z = b.centre.z - a.centre.z;
    sum.centre = make_float4(fmaf(x, share, a.centre.x), fmaf(y, share, a.centre.y), fmaf(z, share, a.centre.z), mass);
    sum.low = make_float4(fminf(a.low.x, b.low.x), fminf(a.low.y, b.low.y), fminf(a.low.z, b.low.z), 0);
    sum.high = make_float4(fmaxf(a.high.x, b.high.x), fmaxf(a.high.y, b.high.y), fmaxf(a.high.z, b.high.z), 0);
    sum.spread.xx = moment(a.spread.xx, b.spread.xx, share, x * x);
    sum.spread.yy = moment(a.spread.yy, b.spread.yy, share, y * y);
    sum.spread.zz = moment(a.spread.zz, b.spread.zz, share, z * z);
    sum.spread.xy = moment(a.spread.xy, b.spread.xy, share, x * y);
    sum.spread.xz = moment(a.spread.xz, b.spread.xz, share, x * z);
    sum.spread.yz = moment(a.spread.yz, b.spread.yz, share, y * z);
    return sum;
}

/* Values that other threads of the launch may have written are not read from a cache that may be stale. */
static __device__ __forceinline__ Summary get_summary(const Cells &cells, int link) {
    if (link < 0)
        return summary_of(cells.places[~link]);
    const float4 low = __ldcg(&cells.low[link]), high = __ldcg(&cells.high[link]), rest = __ldcg(&cells.spreads[link]);
    const Summary summary = {
        __ldcg(&cells.cells[link].centre), low, high, {low.w, high.w, rest.x, rest.y, rest.z, rest.w}};
    return summary;
}

/* The side of a cell is that of the box around its bodies, or how wide its spread counts where that is more. */
static __device__ __forceinline__ void put_summary(const Cells &cells, int cell, const Summary &sum, float theta) {
    const float x = sum.high.x - sum.low.x, y = sum.high.y - sum.low.y, z = sum.high.z - sum.low.z;
    const float dx = sum.centre.x - (sum.low.x + 0.5f * x), dy = sum.centre.y - (sum.low.y + 0.5f * y),
                dz = sum.centre.z - (sum.low.z + 0.5f * z);
    const float side = fmaxf(fmaxf(x, gravity_width(sum.spread)), fmaxf(y, z));
    const float reach = gravity_reach(side, theta, sqrtf(dx * dx + dy * dy + dz * dz));
    cells.cells[cell].centre = sum.centre;
    cells.low[cell] = make_float4(sum.low.x, sum.low.y, sum.low.z, sum.spread.xx);
    cells.high[cell] = make_float4(sum.high.x, sum.high.y, sum.high.z, sum.spread.yy);
    cells.spreads[cell] = make_float4(sum.spread.zz, sum.spread.xy, sum.spread.xz, sum.spread.yz);
    cells.cells[cell].reach2 = reach * reach;
}

/* A cell whose parts are both known is summed up, and so one more part of its parent is known. */
static __global__ void sum_cells(const __grid_constant__ Cells cells, float theta) {
    int cell = (int)(blockIdx.x * CURVE_THREADS + threadIdx.x);
    if (cell >= cells.count - 1)
        return;
    int left = cells.cells[cell].left, right = cells.cells[cell].right;
    unsigned more = (left < 0) + (right < 0); /* bodies are known */
    while (more > 0 && cell != NO_PARENT) {
        __threadfence();
        if (atomicAdd(&cells.known[cell], more) + more != 2)
            return;
        __threadfence();
        left = cells.cells[cell].left;
        right = cells.cells[cell].right;
        put_summary(cells, cell, both(get_summary(cells, left), get_summary(cells, right)), theta);
        cell = cells.parents[cell];
        more = 1;
    }
}

#endif
