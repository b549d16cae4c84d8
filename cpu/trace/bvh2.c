/* bvh2.c: builds the binary BVH from the top down by the surface area heuristic, over bins (Wald, On fast Construction
 * of SAH-based Bounding Volume Hierarchies, IEEE Symposium on Interactive Ray Tracing 2007), and refits it.
 * The chance that a ray which hits a box also hits one within it is the ratio of their surfaces. The cost of a split is
 * therefore the counts of its halves, weighted by their surfaces. */
#include "cpu/trace/bvh2.h"

#include "core/device/backend.h"
#include "core/device/cache.h"
#include "core/scene/scene_parts.h"
#include "cpu/team.h"

#include <math.h>
#include <stdlib.h>

enum {
    BINS = 16,       /* between which splits are considered, along the longest side */
    LEAF_MAX = 4,    /* primitives of a leaf, unless no split is cheaper than testing more */
    LEAF_LIMIT = 16, /* primitives of a leaf in any case */
    TASK = 4096,     /* primitives that are worth a task */
};

#define NODE_COST 1.0f /* of two boxes, where the test of a primitive costs 1 */

typedef struct Box {
    float min[3], max[3];
} Box;

static const Box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static inline void box_add(Box *box, const Box *other) {
    for (int a = 0; a < 3; a++) {
        box->min[a] = other->min[a] < box->min[a] ? other->min[a] : box->min[a];
        box->max[a] = other->max[a] > box->max[a] ? other->max[a] : box->max[a];
    }
}

/* Half of its surface; 0 for nothing. */
static inline float box_surface(const Box *box) {
    const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

static Box sphere_box(const Sphere *s) {
    return (Box){{s->x - s->radius, s->y - s->radius, s->z - s->radius},
                 {s->x + s->radius, s->y + s->radius, s->z + s->radius}};
}

static Box triangle_box(const Triangle *triangle) {
    Box box = nothing;
    for (int i = 0; i < 3; i++) {
        const Vec p = triangle->points[i];
        box_add(&box, &(Box){{p.x, p.y, p.z}, {p.x, p.y, p.z}});
    }
    return box;
}

static Box cylinder_box(const Cylinder *cylinder) {
    Vec min, max;
    cylinder_bounds(cylinder, &min, &max);
    return (Box){{min.x, min.y, min.z}, {max.x, max.y, max.z}};
}

static inline Box primitive_box(const Scene *scene, uint32_t index) {
    const size_t cylinders = scene->count + scene->triangle_count;
    return index < scene->count ? sphere_box(&scene->spheres[index])
           : index < cylinders  ? triangle_box(&scene->triangles[index - scene->count])
                                : cylinder_box(&scene->cylinders[index - cylinders]);
}

static void put_box(Bvh2Node *node, const Box *box) {
    for (int a = 0; a < 3; a++) {
        node->box[0][a] = box->min[a] - BVH2_SLACK * fabsf(box->min[a]);
        node->box[1][a] = box->max[a] + BVH2_SLACK * fabsf(box->max[a]);
    }
}

/* ---- building ---- */

/* A primitive while the tree is built; the box's middle, twice. */
typedef struct Primitive {
    Box box;
    uint32_t index;
} Primitive;

static inline float middle_of(const Primitive *primitive, int axis) {
    return primitive->box.min[axis] + primitive->box.max[axis];
}

/* Primitives [first, first + count), and the node that shall hold them. */
typedef struct Range {
    uint32_t first, count, node;
    int depth;
} Range;

typedef struct Build {
    Bvh2 *bvh;
    Primitive *primitives;
} Build;

/* Where the middles lie along the axis in which they spread the widest. */
typedef struct Bins {
    int axis;
    float min, scale; /* bin = (middle - min) * scale */
} Bins;

static inline int bin_of(const Bins *bins, const Primitive *primitive) {
    const int bin = (int)((middle_of(primitive, bins->axis) - bins->min) * bins->scale);
    return bin < BINS ? bin : BINS - 1;
}

/* Bounds the range, and lays bins along the longest side of its middles; scale 0 if they all are in one place. */
static Bins measure(const Primitive *primitives, uint32_t count, Box *box) {
    Box middles = nothing;
    *box = nothing;
    for (uint32_t i = 0; i < count; i++) {
        const Primitive *p = &primitives[i];
        const float x = middle_of(p, 0), y = middle_of(p, 1), z = middle_of(p, 2);
        box_add(box, &p->box);
        box_add(&middles, &(Box){{x, y, z}, {x, y, z}});
    }
    int axis = 0;
    for (int a = 1; a < 3; a++)
        if (middles.max[a] - middles.min[a] > middles.max[axis] - middles.min[axis])
            axis = a;
    const float side = middles.max[axis] - middles.min[axis];
    return (Bins){axis, middles.min[axis], side > 0 ? (float)BINS / side : 0};
}

/* The first bin of the right half of the cheapest split, 0 if none is cheaper than a leaf that is allowed. */
static int cheapest_split(const Primitive *primitives, uint32_t count, const Bins *bins, float surface) {
    Box boxes[BINS], right = nothing, left = nothing;
    uint32_t counts[BINS] = {0}, behind = 0, before = 0;
    float costs[BINS];
    for (int bin = 0; bin < BINS; bin++)
        boxes[bin] = nothing;
    for (uint32_t i = 0; i < count; i++) {
        const int bin = bin_of(bins, &primitives[i]);
        counts[bin]++;
        box_add(&boxes[bin], &primitives[i].box);
    }
    for (int bin = BINS - 1; bin > 0; bin--) {
        box_add(&right, &boxes[bin]);
        behind += counts[bin];
        costs[bin] = (float)behind * box_surface(&right);
    }
    int best = 0;
    float min = count <= LEAF_MAX ? ((float)count - NODE_COST) * surface : INFINITY;
    for (int bin = 1; bin < BINS; bin++) {
        box_add(&left, &boxes[bin - 1]);
        before += counts[bin - 1];
        const float cost = (float)before * box_surface(&left) + costs[bin];
        if (before > 0 && before < count && cost < min) {
            min = cost;
            best = bin;
        }
    }
    return best;
}

/* Brings the primitives in bins below `split` to the front; returns how many they are. */
static uint32_t partition(Primitive *primitives, uint32_t count, const Bins *bins, int split) {
    uint32_t left = 0, right = count;
    while (left < right) {
        if (bin_of(bins, &primitives[left]) < split) {
            left++;
        } else {
            const Primitive swapped = primitives[left];
            primitives[left] = primitives[--right];
            primitives[right] = swapped;
        }
    }
    return left;
}

/* Makes the range's node: a leaf, or two children; returns how many `halves` are still to be made, none or two. */
static int build_node(const Build *build, Range range, Range halves[2]) {
    Primitive *primitives = build->primitives + range.first;
    Bvh2Node *node = &build->bvh->nodes[range.node];
    Box box;
    const Bins bins = measure(primitives, range.count, &box);
    put_box(node, &box);
    uint32_t left = 0;
    if (range.depth < BVH2_DEPTH / 2 && bins.scale > 0 && range.count > 1) {
        const int split = cheapest_split(primitives, range.count, &bins, box_surface(&box));
        left = split > 0 ? partition(primitives, range.count, &bins, split) : 0;
    }
    if (left == 0 && range.count > LEAF_LIMIT)
        left = range.count / 2; /* nothing tells them apart */
    if (left == 0) {
        node->first = range.first;
        node->count = range.count;
        for (uint32_t i = 0; i < range.count; i++)
            build->bvh->order[range.first + i] = primitives[i].index;
        return 0;
    }
    /* No other pair of nodes parts the primitives in this place: the place is its number. */
    const uint32_t middle = range.first + left;
    halves[0] = (Range){range.first, left, 2 * middle, range.depth + 1};
    halves[1] = (Range){middle, range.count - left, 2 * middle + 1, range.depth + 1};
    node->first = 2 * middle;
    node->count = 0;
    return 2;
}

static void build_range(const Build *build, Range range) { /* NOLINT(misc-no-recursion): BVH2_DEPTH calls deep */
    Range halves[2];
    if (build_node(build, range, halves) == 0)
        return;
    build_range(build, halves[0]);
    build_range(build, halves[1]);
}

/* Nodes of one depth, of which large ones leave two halves behind. */
typedef struct Layer {
    const Build *build;
    const Range *ranges;
    Range (*halves)[2];
    int *counts; /* of halves that are left */
} Layer;

static void build_piece(const void *job, size_t piece, size_t thread) {
    const Layer *layer = job;
    const Range range = layer->ranges[piece];
    (void)thread;
    layer->counts[piece] = 0;
    if (range.count > TASK)
        layer->counts[piece] = build_node(layer->build, range, layer->halves[piece]);
    else
        build_range(layer->build, range);
}

/* Layer after layer, its nodes shared out among the cores: a small one together with all below it. */
static Status build_layers(Queue *queue, const Build *build, size_t count) {
    const size_t most = 2 * (count / TASK + 1); /* in a layer: both halves of each that is large */
    Range *ranges = malloc(most * sizeof *ranges);
    Range(*halves)[2] = malloc(most * sizeof *halves);
    int *counts = malloc(most * sizeof *counts);
    Status status = ranges && halves && counts
                        ? STATUS_OK
                        : fail(STATUS_DEVICE, "trace: no memory to build a BVH over %zu primitives", count);
    if (status == STATUS_OK)
        ranges[0] = (Range){0, (uint32_t)count, 0, 0};
    for (size_t width = 1; status == STATUS_OK && width > 0;) {
        size_t next = 0;
        cpu_share(queue, width, build_piece, &(Layer){build, ranges, halves, counts});
        if (queue_stops(queue))
            status = fail(STATUS_INTERRUPTED, "the run was stopped");
        for (size_t i = 0; status == STATUS_OK && i < width; i++)
            for (int k = 0; k < counts[i]; k++)
                ranges[next++] = halves[i][k];
        width = next;
    }
    free(ranges);
    free(halves);
    free(counts);
    return status;
}

static void bvh2_clear(Bvh2 *bvh) {
    free(bvh->nodes);
    free(bvh->order);
    *bvh = (Bvh2){0};
}

static Status reserve_nodes(Bvh2 *bvh, size_t count) {
    bvh2_clear(bvh);
    if (count > UINT32_MAX / 2 - 1)
        return fail(STATUS_INPUT, "trace: %zu primitives, want %u at most", count, UINT32_MAX / 2 - 1);
    bvh->nodes = aligned_alloc(2 * sizeof(Bvh2Node), (count + 1) * 2 * sizeof(Bvh2Node));
    bvh->order = malloc((count + 1) * sizeof *bvh->order);
    bvh->count = count;
    if (bvh->nodes && bvh->order)
        return STATUS_OK;
    bvh2_clear(bvh);
    return fail(STATUS_DEVICE, "trace: no memory for a BVH over %zu primitives", count);
}

static Status build_over(Queue *queue, const Scene *scene, Bvh2 *bvh) {
    const size_t count = scene_primitives(scene);
    TRY(reserve_nodes(bvh, count));
    Primitive *primitives = malloc((count + 1) * sizeof *primitives);
    if (!primitives) {
        bvh2_clear(bvh);
        return fail(STATUS_DEVICE, "trace: no memory to build a BVH over %zu primitives", count);
    }
    for (size_t i = 0; i < count; i++)
        primitives[i] = (Primitive){primitive_box(scene, (uint32_t)i), (uint32_t)i};
    Status status = STATUS_OK;
    if (count == 0) /* a box that no ray enters */
        bvh->nodes[0] = (Bvh2Node){{{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}}, 0, 0};
    else
        status = build_layers(queue, &(Build){bvh, primitives}, count);
    free(primitives);
    if (status != STATUS_OK)
        bvh2_clear(bvh);
    bvh->moves = scene->moves;
    return status;
}

/* ---- refitting ---- */

/* A leaf's box is as a build would make it. */
static void refit_leaf(const Bvh2 *bvh, const Scene *scene, Bvh2Node *node) {
    Box box = nothing;
    for (uint32_t i = 0; i < node->count; i++) {
        const Box around = primitive_box(scene, bvh->order[node->first + i]);
        box_add(&box, &around);
    }
    put_box(node, &box);
}

static void refit_inner(const Bvh2 *bvh, Bvh2Node *node) {
    const Bvh2Node *pair = &bvh->nodes[node->first];
    for (int a = 0; a < 3; a++) {
        node->box[0][a] = pair[0].box[0][a] < pair[1].box[0][a] ? pair[0].box[0][a] : pair[1].box[0][a];
        node->box[1][a] = pair[0].box[1][a] > pair[1].box[1][a] ? pair[0].box[1][a] : pair[1].box[1][a];
    }
}

/* Fits the boxes under node `at` to primitives that have moved; the tree keeps its shape. */
static void refit(const Bvh2 *bvh, const Scene *scene, uint32_t at) { /* NOLINT(misc-no-recursion): as above */
    Bvh2Node *node = &bvh->nodes[at];
    if (node->count > 0) {
        refit_leaf(bvh, scene, node);
        return;
    }
    refit(bvh, scene, node->first);
    refit(bvh, scene, node->first + 1);
    refit_inner(bvh, node);
}

enum { FORKED = 127, FORKS = 2 * FORKED + 1 }; /* inner nodes that are joined from nodes that threads refit, and all */

typedef struct Refitting {
    const Bvh2 *bvh;
    const Scene *scene;
    const uint32_t *nodes;
} Refitting;

static void refit_piece(const void *job, size_t piece, size_t thread) {
    const Refitting *all = job;
    (void)thread;
    refit(all->bvh, all->scene, all->nodes[piece]);
}

static Status refit_all(Queue *queue, const Bvh2 *bvh, const Scene *scene) {
    uint32_t joined[FORKED], nodes[FORKS] = {0}; /* the nodes that wait, from `first` on */
    size_t inner = 0, first = 0, end = 1;
    while (bvh->count > TASK && inner < FORKED && first < end && end + 2 <= FORKS) {
        const uint32_t at = nodes[first];
        if (bvh->nodes[at].count > 0)
            break; /* a leaf so far up: the rest goes to the threads as it is */
        joined[inner++] = at;
        first++;
        nodes[end++] = bvh->nodes[at].first;
        nodes[end++] = bvh->nodes[at].first + 1;
    }
    cpu_share(queue, end - first, refit_piece, &(Refitting){bvh, scene, nodes + first});
    if (queue_stops(queue))
        return fail(STATUS_INTERRUPTED, "the run was stopped");
    while (inner-- > 0)
        refit_inner(bvh, &bvh->nodes[joined[inner]]);
    return STATUS_OK;
}

static Status make(Queue *queue, const void *scene, void *bvh) {
    return build_over(queue, scene, bvh);
}
static void drop(Device *device, void *bvh) {
    (void)device;
    bvh2_clear(bvh);
}

static const CacheKind kept = {.bytes = sizeof(Bvh2), .max = 1, .make = make, .drop = drop};

Status bvh2_over(Queue *queue, const Scene *scene, const Bvh2 **bvh) {
    void *found;
    TRY(cache_get(queue, &kept, scene_geometry(scene), scene, &found));
    Bvh2 *over = found;
    if (over->moves != scene->moves && over->count > 0)
        TRY(refit_all(queue, over, scene));
    over->moves = scene->moves;
    *bvh = over;
    return STATUS_OK;
}
