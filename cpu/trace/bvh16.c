/* bvh16.c: builds the tree over a scene's spheres, or those around its cylinders, and refits it to what has moved.
 * The spheres are sorted along a space-filling curve (Morton codes of their centres), by all threads. The upper part of
 * the tree cuts that sequence where the codes' leading bits change. A range small enough for the cache is cut at the
 * median of its longest side, again and again. All leaves are then nearly full. A leaf costs the same whether it holds
 * one sphere or sixteen. */
#include "cpu/trace/bvh16.h"

#include "core/device/backend.h"
#include "core/device/cache.h"
#include "core/scene/bounding_spheres.h"
#include "core/scene/scene_parts.h"
#include "cpu/scratch.h"
#include "cpu/team.h"
#include "cpu/trace/box.h"
#include "cpu/trace/codes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    BUILD_TASK_SPHERES = 4096,      /* spheres: a part of the scene that is split by medians */
    ALONE = 4 * BUILD_TASK_SPHERES, /* fewer spheres than that are no work for several threads */
    LOPSIDED = 8,                   /* no cut leaves less than that part on either side */
};

/* A tree that is half made is worth nothing. */
static Status stopped_building(void) {
    return fail(STATUS_INTERRUPTED, "the run was stopped");
}

/* ---- the tree ---- */

typedef struct Building {
    Bvh16 *bvh;
    const Scene *scene;
    Coded *coded, *scratch;
    atomic_uint nodes, leaves; /* taken so far */
} Building;

static uint32_t take(atomic_uint *counter) {
    return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* The tree under a link. */
typedef struct Subtree {
    Box box;
    uint32_t link;
} Subtree;

/* A range of spheres. */
typedef struct Range {
    size_t first, count;
} Range;

static void put_subtree(Bvh16Node *node, size_t child, const Subtree *subtree) {
    for (int a = 0; a < 3; a++) {
        const float min = subtree->box.min[a], max = subtree->box.max[a];
        node->box[0][a][child] = min - BOX_SLACK * fabsf(min);
        node->box[1][a][child] = max + BOX_SLACK * fabsf(max);
    }
    node->link[child] = subtree->link;
}

static void put_nothing(Bvh16Node *node, size_t child) {
    for (int a = 0; a < 3; a++) {
        node->box[0][a][child] = 1e30f;
        node->box[1][a][child] = -1e30f;
    }
    node->link[child] = 0;
}

/* Puts a sphere into a lane of the leaf, and makes room for it in `box`. */
static inline void put_sphere(Bvh16Leaf *leaf, size_t lane, const float *at, float radius, Box *box) {
    const float min[3] = {at[0] - radius, at[1] - radius, at[2] - radius};
    const float max[3] = {at[0] + radius, at[1] + radius, at[2] + radius};
    leaf->x[lane] = at[0];
    leaf->y[lane] = at[1];
    leaf->z[lane] = at[2];
    leaf->radius[lane] = radius;
    box_add(box, min, max);
}

/* The index of the range with the most spheres. */
static size_t largest_of(const Range *ranges, size_t count) {
    size_t largest = 0;
    for (size_t i = 1; i < count; i++)
        if (ranges[i].count > ranges[largest].count)
            largest = i;
    return largest;
}

/* How many spheres a child gets, so that the nodes below are full: 1, 16, 256... times `min`. */
static size_t share_of(size_t spheres, size_t min) {
    size_t share = min;
    while (share * NODE_WIDTH < spheres)
        share *= NODE_WIDTH;
    return share;
}

/* ---- small parts: medians ---- */

/* The spheres of a part that one thread builds, near at hand. */
typedef struct BuildTask {
    Building *building;
    float at[3][BUILD_TASK_SPHERES], radius[BUILD_TASK_SPHERES];
    uint32_t index[BUILD_TASK_SPHERES];
    uint64_t keys[BUILD_TASK_SPHERES]; /* a coordinate that orders, then a place in the arrays above */
} BuildTask;

static inline uint32_t place_of(uint64_t key) {
    return (uint32_t)key;
}

/* Unsigned keys that ascend as floats do. */
static inline uint32_t ascending_key(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

static inline uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Brings the `wanted` smallest keys to the front (Hoare's Find, partitioned without branches). All keys differ. */
static void divide(uint64_t *keys, size_t count, size_t wanted) {
    size_t first = 0, last = count;
    while (last - first > 1) {
        const size_t n = last - first;
        const uint64_t pivot = middle_of(keys[first], keys[first + n / 2], keys[last - 1]);
        size_t below = first;
        for (size_t i = first; i < last; i++) {
            const uint64_t key = keys[i];
            keys[i] = keys[below];
            keys[below] = key;
            below += key < pivot;
        }
        if (below == wanted)
            return;
        if (below > wanted) {
            last = below;
        } else if (below > first) {
            first = below;
        } else { /* the pivot is the smallest */
            for (size_t i = first; i < last; i++)
                if (keys[i] == pivot) {
                    keys[i] = keys[first];
                    keys[first] = pivot;
                    break;
                }
            if (++first >= wanted)
                return;
        }
    }
}

/* Cuts the range in two across its longest side, near the median. It cuts as if there were parts of `share` spheres at
 * most, all alike, of which half go to the left. Returns how many spheres do. */
static size_t cut_at_median(BuildTask *task, Range range, size_t share) {
    uint64_t *keys = task->keys + range.first;
    Box box = nowhere;
    for (size_t i = 0; i < range.count; i++) {
        const uint32_t place = place_of(keys[i]);
        const float centre[3] = {task->at[0][place], task->at[1][place], task->at[2][place]};
        box_add(&box, centre, centre);
    }
    const float *along = task->at[longest_side(&box)];
    for (size_t i = 0; i < range.count; i++)
        keys[i] = (uint64_t)ascending_key(along[place_of(keys[i])]) << 32 | place_of(keys[i]);
    const size_t parts = (range.count + share - 1) / share, left = range.count * (parts / 2) / parts;
    divide(keys, range.count, left);
    return left;
}

static Subtree make_leaf(BuildTask *task, Range range) {
    Bvh16 *bvh = task->building->bvh;
    const uint32_t place_of_leaf = take(&task->building->leaves);
    Subtree subtree = {nowhere, LINK_LEAF | place_of_leaf};
    Bvh16Leaf *leaf = &bvh->leaves[place_of_leaf];
    for (size_t i = 0; i < NODE_WIDTH; i++) {
        if (i >= range.count) {
            leaf->x[i] = leaf->y[i] = leaf->z[i] = NAN;
            leaf->radius[i] = 0;
            leaf->index[i] = HIT_NONE;
            continue;
        }
        const uint32_t place = place_of(task->keys[range.first + i]);
        const float at[3] = {task->at[0][place], task->at[1][place], task->at[2][place]};
        put_sphere(leaf, i, at, task->radius[place], &subtree.box);
        leaf->index[i] = task->index[place];
    }
    return subtree;
}

static Subtree build_small(BuildTask *task, Range range) { /* NOLINT(misc-no-recursion): a level a call */
    if (range.count <= NODE_WIDTH)
        return make_leaf(task, range);
    const size_t share = share_of(range.count, NODE_WIDTH);
    Range parts[NODE_WIDTH] = {range};
    size_t count = 1;
    for (;;) {
        const size_t largest = largest_of(parts, count);
        const Range part = parts[largest];
        if (part.count <= share)
            break;
        const size_t left = cut_at_median(task, part, share);
        parts[largest] = (Range){part.first, left};
        parts[count++] = (Range){part.first + left, part.count - left};
    }
    const uint32_t link = take(&task->building->nodes);
    Bvh16Node *node = &task->building->bvh->nodes[link];
    Subtree subtree = {nowhere, link};
    for (size_t i = 0; i < NODE_WIDTH; i++) {
        if (i >= count) {
            put_nothing(node, i);
            continue;
        }
        const Subtree child = build_small(task, parts[i]);
        put_subtree(node, i, &child);
        box_add(&subtree.box, child.box.min, child.box.max);
    }
    return subtree;
}

static Subtree build_task(Building *building, Range range) {
    BuildTask task;
    task.building = building;
    for (size_t i = 0; i < range.count; i++) {
        const uint32_t index = building->coded[range.first + i].index;
        const Sphere *s = &building->scene->spheres[index];
        task.at[0][i] = s->x;
        task.at[1][i] = s->y;
        task.at[2][i] = s->z;
        task.radius[i] = s->radius;
        task.index[i] = index;
        task.keys[i] = i;
    }
    return build_small(&task, (Range){0, range.count});
}

/* ---- large parts: codes ---- */

/* Cuts the range where the highest bit changes in which its codes differ, or in the middle if that leaves little on a
 * side. Returns the left part. Equal codes say nothing: then the range gets codes of its own first. */
static size_t cut_at_code(Building *building, Range range) {
    Coded *coded = building->coded + range.first;
    if (coded[0].code == coded[range.count - 1].code) {
        uint32_t counts[1][DIGITS];
        Sequence sequence = {building->scene, coded, building->scratch + range.first, range.count};
        codes_sort(NULL, &sequence, counts, 1);
        if (sequence.coded != coded)
            memcpy(coded, sequence.coded, range.count * sizeof *coded);
    }
    const uint32_t differ = coded[0].code ^ coded[range.count - 1].code;
    if (differ == 0)
        return range.count / 2;
    const uint32_t bit = 1u << (31 - __builtin_clz(differ));
    size_t low = 0, high = range.count - 1; /* coded[low] lacks the bit, coded[high] has it */
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (coded[middle].code & bit)
            high = middle;
        else
            low = middle;
    }
    return high < range.count / LOPSIDED || range.count - high < range.count / LOPSIDED ? range.count / 2 : high;
}

/* A range of the sequence: small, or cut into children. */
typedef struct Cut {
    Range range;
    Subtree subtree;
    size_t first, count; /* of its children, among the cuts */
} Cut;

/* No cut leaves less than BUILD_TASK_SPHERES / LOPSIDED spheres, and each that is cut has two children at least. */
static size_t cuts_most(size_t spheres) {
    return 2 * (spheres / (BUILD_TASK_SPHERES / LOPSIDED) + 1);
}

/* Cuts the range up until all that is left is small; the root comes first, children after their parents. */
static size_t cut_up(Building *building, Range all, Cut *cuts) {
    size_t made = 1;
    cuts[0] = (Cut){.range = all};
    for (size_t i = 0; i < made; i++) {
        Cut *cut = &cuts[i];
        Range parts[NODE_WIDTH] = {cut->range};
        size_t count = 1;
        if (cut->range.count <= BUILD_TASK_SPHERES)
            continue;
        const size_t share = share_of(cut->range.count, BUILD_TASK_SPHERES);
        while (count < NODE_WIDTH) {
            const size_t largest = largest_of(parts, count);
            const Range part = parts[largest];
            if (part.count <= share)
                break;
            const size_t left = cut_at_code(building, part);
            parts[largest] = (Range){part.first, left};
            parts[count++] = (Range){part.first + left, part.count - left};
        }
        cut->subtree.link = take(&building->nodes);
        cut->first = made;
        cut->count = count;
        for (size_t k = 0; k < count; k++)
            cuts[made++] = (Cut){.range = parts[k]};
    }
    return made;
}

typedef struct CutsToBuild {
    Building *building;
    Cut *cuts;
} CutsToBuild;

static void build_cut(const void *job, size_t piece, size_t thread) {
    const CutsToBuild *all = job;
    Cut *cut = &all->cuts[piece];
    (void)thread;
    if (cut->count == 0)
        cut->subtree = build_task(all->building, cut->range);
}

/* Children come last, and are joined first. */
static void join(Bvh16 *bvh, Cut *cuts, size_t count) {
    while (count-- > 0) {
        Cut *cut = &cuts[count];
        const Cut *children = cuts + cut->first;
        if (cut->count == 0)
            continue;
        Bvh16Node *node = &bvh->nodes[cut->subtree.link];
        cut->subtree.box = nowhere;
        for (size_t i = 0; i < NODE_WIDTH; i++)
            if (i < cut->count) {
                put_subtree(node, i, &children[i].subtree);
                box_add(&cut->subtree.box, children[i].subtree.box.min, children[i].subtree.box.max);
            } else {
                put_nothing(node, i);
            }
    }
}

static Status build_tree(Queue *queue, Building *building, size_t count, uint32_t *root) {
    Cut *cuts = malloc(cuts_most(count) * sizeof *cuts);
    if (!cuts)
        return fail(STATUS_DEVICE, "trace: no memory to build a BVH over %zu spheres", count);
    const size_t made = cut_up(building, (Range){0, count}, cuts);
    cpu_share(queue, made, build_cut, &(CutsToBuild){building, cuts});
    const bool stopped = queue_stops(queue);
    if (!stopped)
        join(building->bvh, cuts, made);
    *root = cuts[0].subtree.link;
    free(cuts);
    return stopped ? stopped_building() : STATUS_OK;
}

/* ---- spheres that moved ---- */

static Box refit_leaf(Bvh16Leaf *leaf, const Scene *scene) {
    Box box = nowhere;
    for (size_t i = 0; i < NODE_WIDTH && leaf->index[i] != HIT_NONE; i++) {
        const Sphere *s = &scene->spheres[leaf->index[i]];
        const float at[3] = {s->x, s->y, s->z};
        put_sphere(leaf, i, at, s->radius, &box);
    }
    return box;
}

/* Spheres lie in the scene as they came, which is nowhere near each other. The spheres of the next leaf are on their
 * way while a leaf is refitted. */
static void fetch_leaf(const Bvh16 *bvh, const Scene *scene, uint32_t link) {
    if (!(link & LINK_LEAF))
        return;
    const Bvh16Leaf *leaf = &bvh->leaves[link & ~LINK_LEAF];
    for (size_t i = 0; i < NODE_WIDTH && leaf->index[i] != HIT_NONE; i++)
        __builtin_prefetch(&scene->spheres[leaf->index[i]]);
}

static void put_boxes(Bvh16Node *node, const Box *boxes, size_t count, Box *around) {
    *around = nowhere;
    for (size_t i = 0; i < count; i++) {
        const Subtree child = {boxes[i], node->link[i]};
        put_subtree(node, i, &child);
        box_add(around, child.box.min, child.box.max);
    }
}

/* The box of all that is under the link, refitted; the children's come first. */
static Box refit_subtree(Bvh16 *bvh, const Scene *scene,
                         uint32_t link) { /* NOLINT(misc-no-recursion): a level a call */
    if (link & LINK_LEAF)
        return refit_leaf(&bvh->leaves[link & ~LINK_LEAF], scene);
    Bvh16Node *node = &bvh->nodes[link];
    Box boxes[NODE_WIDTH], box;
    size_t count = 0;
    for (; count < NODE_WIDTH && node->link[count]; count++) {
        if (count + 1 < NODE_WIDTH)
            fetch_leaf(bvh, scene, node->link[count + 1]);
        boxes[count] = refit_subtree(bvh, scene, node->link[count]);
    }
    put_boxes(node, boxes, count, &box);
    return box;
}

/* A subtree that one thread refits, or one that is joined of such. */
typedef struct Fork {
    uint32_t link;
    size_t first, count; /* of its children, among the forks; 0: one thread refits all of it */
} Fork;

enum { FORKED = 1 + NODE_WIDTH, FORKS = FORKED + NODE_WIDTH * NODE_WIDTH }; /* joined ones, and all, at most */

typedef struct Refitting {
    Bvh16 *bvh;
    const Scene *scene;
    const Fork *forks;
    Box *boxes; /* of each */
} Refitting;

static void refit_fork(const void *job, size_t piece, size_t thread) {
    const Refitting *all = job;
    (void)thread;
    if (all->forks[piece].count == 0)
        all->boxes[piece] = refit_subtree(all->bvh, all->scene, all->forks[piece].link);
}

/* The upper two layers of nodes; children after their parents. */
static size_t fork_up(const Bvh16 *bvh, Fork *forks) {
    size_t made = 1;
    forks[0] = (Fork){.link = bvh->root};
    for (size_t i = 0; i < made && i < FORKED; i++) {
        const Bvh16Node *node = &bvh->nodes[forks[i].link];
        if (forks[i].link & LINK_LEAF)
            continue;
        forks[i].first = made;
        while (forks[i].count < NODE_WIDTH && node->link[forks[i].count])
            forks[made++] = (Fork){.link = node->link[forks[i].count++]};
    }
    return made;
}

static Status bvh16_refit(Queue *queue, const Scene *scene, Bvh16 *bvh) {
    Fork forks[FORKS];
    Box boxes[FORKS];
    size_t count = 1;
    forks[0] = (Fork){.link = bvh->root};
    if (scene->count >= ALONE)
        count = fork_up(bvh, forks);
    cpu_share(queue, count, refit_fork, &(Refitting){bvh, scene, forks, boxes});
    if (queue_stops(queue))
        return stopped_building();
    while (count-- > 0)
        if (forks[count].count > 0)
            put_boxes(&bvh->nodes[forks[count].link], boxes + forks[count].first, forks[count].count, &boxes[count]);
    bvh->moves = scene->moves;
    return STATUS_OK;
}

/* ---- memory ---- */

static void *reserve(size_t bytes) {
    enum { PAGE = 1 << 21 };
    const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    void *memory = bytes < PAGE ? aligned_alloc(64, (bytes + 63) / 64 * 64) : aligned_alloc(PAGE, whole);
    if (memory && bytes >= PAGE)
        (void)madvise(memory, whole, MADV_HUGEPAGE); /* traversals jump about: fewer pages, fewer misses */
    return memory;
}

static void bvh16_clear(Bvh16 *bvh) {
    free(bvh->nodes);
    free(bvh->leaves);
    *bvh = (Bvh16){0};
}

/* Reserves address space for the worst case; untouched pages are never committed. */
static Status reserve_nodes(Bvh16 *bvh, size_t spheres) {
    /* Leaves are more than half full, or the only one; nodes have at least two children. */
    const size_t leaves = spheres / (NODE_WIDTH / 2) + 1, nodes = leaves;
    if (leaves <= bvh->leaf_capacity)
        return STATUS_OK;
    bvh16_clear(bvh);
    bvh->nodes = reserve(nodes * sizeof(Bvh16Node));
    bvh->leaves = reserve(leaves * sizeof(Bvh16Leaf));
    if (!bvh->nodes || !bvh->leaves) {
        bvh16_clear(bvh);
        return fail(STATUS_DEVICE, "trace: no memory for a BVH over %zu spheres", spheres);
    }
    bvh->node_capacity = nodes;
    bvh->leaf_capacity = leaves;
    return STATUS_OK;
}

static size_t coded_bytes(size_t count) {
    return (count * sizeof(Coded) + 63) / 64 * 64;
}

static int build_threads(const Device *device, size_t count) {
    const int max = device->threads < CODES_PARTS_MAX ? device->threads : CODES_PARTS_MAX;
    return count < ALONE ? 1 : max;
}

size_t bvh16_workspace(const Device *device, const Scene *scene) {
    const size_t count = scene->count > scene->cylinder_count ? scene->count : scene->cylinder_count;
    return 2 * coded_bytes(count) + (size_t)build_threads(device, count) * DIGITS * sizeof(uint32_t);
}

static Status bvh16_build(Queue *queue, const Scene *scene, Bvh16 *bvh) {
    const size_t count = scene->count, bytes = coded_bytes(count);
    const int threads = build_threads(queue->device, count);
    void *memory;
    TRY(reserve_nodes(bvh, count));
    TRY(cpu_scratch(queue, bvh16_workspace(queue->device, scene), &memory));
    Sequence sequence = {scene, memory, (Coded *)((char *)memory + bytes), count};
    for (size_t i = 0; i < count; i++)
        sequence.coded[i] = (Coded){0, (uint32_t)i};
    if (count > BUILD_TASK_SPHERES)
        codes_sort(queue, &sequence, (uint32_t(*)[DIGITS])((char *)memory + 2 * bytes), (size_t)threads);
    if (queue_stops(queue))
        return stopped_building();
    Building building = {bvh, scene, sequence.coded, sequence.scratch, 0, 0};
    TRY(build_tree(queue, &building, count, &bvh->root));
    bvh->node_count = building.nodes;
    bvh->leaf_count = building.leaves;
    bvh->moves = scene->moves;
    return STATUS_OK;
}

static Status make(Queue *queue, const void *scene, void *bvh) {
    return bvh16_build(queue, scene, bvh);
}
static void drop(Device *device, void *bvh) {
    (void)device;
    bvh16_clear(bvh);
}

static const CacheKind kept = {.bytes = sizeof(Bvh16), .max = 1, .make = make, .drop = drop};

Status bvh16_over(Queue *queue, const Scene *scene, const Bvh16 **bvh) {
    void *found;
    TRY(cache_get(queue, &kept, scene_geometry(scene), scene, &found));
    *bvh = found;
    return (*bvh)->moves != scene->moves ? bvh16_refit(queue, scene, found) : STATUS_OK;
}

/* ---- cylinders ---- */

static Status over_bounds(Queue *queue, const Scene *scene, Bvh16 *bvh,
                          Status (*act)(Queue *queue, const Scene *bounds, Bvh16 *bvh)) {
    Scene bounds;
    TRY(bounding_spheres_create(scene, &bounds));
    const Status status = act(queue, &bounds, bvh);
    bounding_spheres_free(&bounds);
    return status;
}

static Status make_over_cylinders(Queue *queue, const void *scene, void *bvh) {
    return over_bounds(queue, scene, bvh, bvh16_build);
}

static const CacheKind kept_over_cylinders = {
    .bytes = sizeof(Bvh16), .max = 1, .make = make_over_cylinders, .drop = drop};

Status bvh16_over_cylinders(Queue *queue, const Scene *scene, const Bvh16 **bvh) {
    void *found;
    *bvh = NULL;
    if (scene->cylinder_count == 0)
        return STATUS_OK;
    TRY(cache_get(queue, &kept_over_cylinders, scene_geometry(scene), scene, &found));
    *bvh = found;
    return (*bvh)->moves != scene->moves ? over_bounds(queue, scene, found, bvh16_refit) : STATUS_OK;
}

/* ---- tools ---- */

Status cpu_build(Queue *queue, const Scene *scene, size_t *bytes) {
    void *found;
    cache_begin(queue);
    const Status status = cache_remake(queue, &kept, scene_geometry(scene), scene, &found);
    if (status == STATUS_OK) {
        const Bvh16 *bvh = found;
        *bytes = bvh->node_count * sizeof(Bvh16Node) + bvh->leaf_count * sizeof(Bvh16Leaf);
    }
    cache_end(queue);
    return status;
}

Status cpu_refit(Queue *queue, const Scene *scene) {
    void *found;
    cache_begin(queue);
    Status status = cache_get(queue, &kept, scene_geometry(scene), scene, &found);
    if (status == STATUS_OK)
        status = bvh16_refit(queue, scene, found);
    cache_end(queue);
    return status;
}
