/* hierarchy.c: builds the tree over a scene's spheres, and refits it to spheres that have moved.
 * The spheres are sorted along a space-filling curve (Morton codes of their centres), by all threads. The upper part of
 * the tree cuts that sequence where the codes' leading bits change; what is small enough to stay in the cache is cut at
 * the median of its longest side, again and again, so that all leaves are nearly full: a leaf costs the same whether it
 * holds one sphere or sixteen. */
#include "cpu/trace/hierarchy.h"

#include "core/math/morton.h"
#include "cpu/scratch.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GROVE = 4096,      /* spheres: a part of the scene that is split by medians */
    ALONE = 4 * GROVE, /* fewer spheres than that are no work for several threads */
    LOPSIDED = 8,      /* no cut leaves less than that part on either side */
    AXIS_BITS = 10,    /* of a code, on each axis */
    DIGIT_BITS = 10,   /* of a code, for each pass of sorting */
    DIGITS = 1 << DIGIT_BITS,
    THREADS_MAX = 256, /* that sort */
    FORKS = 2,         /* levels of nodes whose children are tasks of their own when refitting */
};

typedef struct Box {
    float min[3], max[3];
} Box;

static const Box nowhere = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static inline float min_of(float a, float b) {
    return b < a ? b : a;
}
static inline float max_of(float a, float b) {
    return b > a ? b : a;
}

static inline void box_add(Box *box, const float *min, const float *max) {
    for (int a = 0; a < 3; a++) {
        box->min[a] = min_of(box->min[a], min[a]);
        box->max[a] = max_of(box->max[a], max[a]);
    }
}

static int longest_side(const Box *box) {
    int longest = 0;
    for (int a = 1; a < 3; a++)
        if (box->max[a] - box->min[a] > box->max[longest] - box->min[longest])
            longest = a;
    return longest;
}

/* ---- sorting ---- */

/* A sphere by its code. */
typedef struct Coded {
    uint32_t code, index;
} Coded;

/* A code for each sphere of a sequence, and memory to sort. */
typedef struct Sequence {
    const Scene *scene;
    Coded *coded, *scratch;
    size_t count;
} Sequence;

static Box centres_of(const Sequence *sequence, size_t first, size_t last) {
    Box box = nowhere;
    for (size_t i = first; i < last; i++) {
        const Sphere *s = &sequence->scene->spheres[sequence->coded[i].index];
        const float centre[3] = {s->x, s->y, s->z};
        box_add(&box, centre, centre);
    }
    return box;
}

/* All axes have cells of the same size, so that codes cut long sides more often. */
static void code(Sequence *sequence, size_t first, size_t last, const Box *box) {
    const int longest = longest_side(box);
    const float side = box->max[longest] - box->min[longest];
    const float cells = side > 0 ? ((1 << AXIS_BITS) - 0.01f) / side : 0;
    for (size_t i = first; i < last; i++) {
        const Sphere *s = &sequence->scene->spheres[sequence->coded[i].index];
        sequence->coded[i].code =
            morton_code((uint32_t)((s->x - box->min[0]) * cells), (uint32_t)((s->y - box->min[1]) * cells),
                        (uint32_t)((s->z - box->min[2]) * cells));
    }
}

static void count_digits(const Coded *coded, size_t first, size_t last, int shift, uint32_t *counts) {
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t i = first; i < last; i++)
        counts[coded[i].code >> shift & (DIGITS - 1)]++;
}

/* Where each thread's part of each digit goes. */
static void place_digits(uint32_t (*counts)[DIGITS], int threads) {
    uint32_t next = 0;
    for (size_t digit = 0; digit < DIGITS; digit++)
        for (int thread = 0; thread < threads; thread++) {
            const uint32_t here = counts[thread][digit];
            counts[thread][digit] = next;
            next += here;
        }
}

/* Codes the spheres by their places in `box` and sorts them, least significant digit first. */
static void sort(Sequence *sequence, uint32_t (*counts)[DIGITS], int threads) {
    const size_t count = sequence->count;
    Box boxes[THREADS_MAX], box = nowhere;
#pragma omp parallel num_threads(threads)
    {
        const size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        const size_t first = count * me / team, last = count * (me + 1) / team;
        boxes[me] = centres_of(sequence, first, last);
#pragma omp barrier
#pragma omp single
        for (size_t i = 0; i < team; i++)
            box_add(&box, boxes[i].min, boxes[i].max);
        code(sequence, first, last, &box);
        for (int shift = 0; shift < 3 * AXIS_BITS; shift += DIGIT_BITS) {
#pragma omp barrier
            count_digits(sequence->coded, first, last, shift, counts[me]);
#pragma omp barrier
#pragma omp single
            place_digits(counts, (int)team);
            for (size_t i = first; i < last; i++)
                sequence->scratch[counts[me][sequence->coded[i].code >> shift & (DIGITS - 1)]++] = sequence->coded[i];
#pragma omp barrier
#pragma omp single
            {
                Coded *sorted = sequence->scratch;
                sequence->scratch = sequence->coded;
                sequence->coded = sorted;
            }
        }
    }
}

/* ---- the tree ---- */

typedef struct Building {
    Hierarchy *hierarchy;
    const Scene *scene;
    Coded *coded, *scratch;
} Building;

static uint32_t take(uint32_t *counter, uint32_t how_many) {
    uint32_t first;
#pragma omp atomic capture
    {
        first = *counter;
        *counter += how_many;
    }
    return first;
}

/* What is under a link. */
typedef struct Branch {
    Box box;
    uint32_t link;
} Branch;

/* A range of spheres. */
typedef struct Range {
    size_t first, count;
} Range;

static void put_branch(Node *node, size_t child, const Branch *branch) {
    for (int a = 0; a < 3; a++) {
        const float min = branch->box.min[a], max = branch->box.max[a];
        node->box[0][a][child] = min - BOX_SLACK * fabsf(min);
        node->box[1][a][child] = max + BOX_SLACK * fabsf(max);
    }
    node->link[child] = branch->link;
}

static void put_nothing(Node *node, size_t child) {
    for (int a = 0; a < 3; a++) {
        node->box[0][a][child] = 1e30f;
        node->box[1][a][child] = -1e30f;
    }
    node->link[child] = 0;
}

/* Also makes room for the sphere in `box`. */
static inline void put_sphere(Leaf *leaf, size_t lane, const float *at, float radius, Box *box) {
    const float min[3] = {at[0] - radius, at[1] - radius, at[2] - radius};
    const float max[3] = {at[0] + radius, at[1] + radius, at[2] + radius};
    leaf->x[lane] = at[0];
    leaf->y[lane] = at[1];
    leaf->z[lane] = at[2];
    leaf->radius[lane] = radius;
    box_add(box, min, max);
}

/* Which of the ranges has the most spheres. */
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
typedef struct Grove {
    Building *building;
    float at[3][GROVE], radius[GROVE];
    uint32_t index[GROVE];
    uint64_t keys[GROVE]; /* a coordinate that orders, then a place in the arrays above */
} Grove;

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

/* Brings the `wanted` least keys to the front (Hoare's Find, partitioned without branches). All keys differ. */
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
        } else { /* the pivot is the least */
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

/* Cuts the range in two across its longest side, near the median: as if it were parts of `share` spheres at most, all
 * alike, of which half go to the left. Returns how many spheres do. */
static size_t cut_at_median(Grove *grove, Range range, size_t share) {
    uint64_t *keys = grove->keys + range.first;
    Box box = nowhere;
    for (size_t i = 0; i < range.count; i++) {
        const uint32_t place = place_of(keys[i]);
        const float centre[3] = {grove->at[0][place], grove->at[1][place], grove->at[2][place]};
        box_add(&box, centre, centre);
    }
    const float *along = grove->at[longest_side(&box)];
    for (size_t i = 0; i < range.count; i++)
        keys[i] = (uint64_t)ascending_key(along[place_of(keys[i])]) << 32 | place_of(keys[i]);
    const size_t parts = (range.count + share - 1) / share, left = range.count * (parts / 2) / parts;
    divide(keys, range.count, left);
    return left;
}

static Branch make_leaf(Grove *grove, Range range) {
    Hierarchy *hierarchy = grove->building->hierarchy;
    const uint32_t place_of_leaf = take(&hierarchy->leaf_count, 1);
    Branch branch = {nowhere, LINK_LEAF | place_of_leaf};
    Leaf *leaf = &hierarchy->leaves[place_of_leaf];
    for (size_t i = 0; i < NODE_WIDTH; i++) {
        if (i >= range.count) {
            leaf->x[i] = leaf->y[i] = leaf->z[i] = NAN;
            leaf->radius[i] = 0;
            leaf->index[i] = HIT_NONE;
            continue;
        }
        const uint32_t place = place_of(grove->keys[range.first + i]);
        const float at[3] = {grove->at[0][place], grove->at[1][place], grove->at[2][place]};
        put_sphere(leaf, i, at, grove->radius[place], &branch.box);
        leaf->index[i] = grove->index[place];
    }
    return branch;
}

static Branch build_small(Grove *grove, Range range) { /* NOLINT(misc-no-recursion): a level a call */
    if (range.count <= NODE_WIDTH)
        return make_leaf(grove, range);
    const size_t share = share_of(range.count, NODE_WIDTH);
    Range parts[NODE_WIDTH] = {range};
    size_t count = 1;
    for (;;) {
        const size_t largest = largest_of(parts, count);
        const Range part = parts[largest];
        if (part.count <= share)
            break;
        const size_t left = cut_at_median(grove, part, share);
        parts[largest] = (Range){part.first, left};
        parts[count++] = (Range){part.first + left, part.count - left};
    }
    const uint32_t link = take(&grove->building->hierarchy->node_count, 1);
    Node *node = &grove->building->hierarchy->nodes[link];
    Branch branch = {nowhere, link};
    for (size_t i = 0; i < NODE_WIDTH; i++) {
        if (i >= count) {
            put_nothing(node, i);
            continue;
        }
        const Branch child = build_small(grove, parts[i]);
        put_branch(node, i, &child);
        box_add(&branch.box, child.box.min, child.box.max);
    }
    return branch;
}

static Branch build_grove(Building *building, Range range) {
    Grove grove;
    grove.building = building;
    for (size_t i = 0; i < range.count; i++) {
        const uint32_t index = building->coded[range.first + i].index;
        const Sphere *s = &building->scene->spheres[index];
        grove.at[0][i] = s->x;
        grove.at[1][i] = s->y;
        grove.at[2][i] = s->z;
        grove.radius[i] = s->radius;
        grove.index[i] = index;
        grove.keys[i] = i;
    }
    return build_small(&grove, (Range){0, range.count});
}

/* ---- large parts: codes ---- */

/* Cuts the range where the highest bit in which its codes differ changes, or in the middle if that leaves little on a
 * side; returns the left part. Equal codes say nothing: then the range gets codes of its own first. */
static size_t cut_at_code(Building *building, Range range) {
    Coded *coded = building->coded + range.first;
    if (coded[0].code == coded[range.count - 1].code) {
        uint32_t counts[1][DIGITS];
        Sequence sequence = {building->scene, coded, building->scratch + range.first, range.count};
        sort(&sequence, counts, 1);
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

static void build_branch(Building *building, Range range, Branch *branch) { /* NOLINT(misc-no-recursion): as above */
    if (range.count <= GROVE) {
        *branch = build_grove(building, range);
        return;
    }
    const size_t share = share_of(range.count, GROVE);
    Range parts[NODE_WIDTH] = {range};
    size_t count = 1;
    while (count < NODE_WIDTH) {
        const size_t largest = largest_of(parts, count);
        const Range part = parts[largest];
        if (part.count <= share)
            break;
        const size_t left = cut_at_code(building, part);
        parts[largest] = (Range){part.first, left};
        parts[count++] = (Range){part.first + left, part.count - left};
    }
    const uint32_t link = take(&building->hierarchy->node_count, 1);
    Node *node = &building->hierarchy->nodes[link];
    Branch children[NODE_WIDTH];
    for (size_t i = 0; i < count; i++) {
        const Range part = parts[i];
        Branch *child = &children[i];
#pragma omp task default(none) firstprivate(building, part, child)
        build_branch(building, part, child);
    }
#pragma omp taskwait
    *branch = (Branch){nowhere, link};
    for (size_t i = 0; i < NODE_WIDTH; i++)
        if (i < count) {
            put_branch(node, i, &children[i]);
            box_add(&branch->box, children[i].box.min, children[i].box.max);
        } else {
            put_nothing(node, i);
        }
}

/* ---- spheres that moved ---- */

static Box refit_leaf(Leaf *leaf, const Scene *scene) {
    Box box = nowhere;
    for (size_t i = 0; i < NODE_WIDTH && leaf->index[i] != HIT_NONE; i++) {
        const Sphere *s = &scene->spheres[leaf->index[i]];
        const float at[3] = {s->x, s->y, s->z};
        put_sphere(leaf, i, at, s->radius, &box);
    }
    return box;
}

/* Spheres lie in the scene as they came, which is nowhere near each other: those of the next leaf are on their way
 * while a leaf is refitted. */
static void fetch_leaf(const Hierarchy *hierarchy, const Scene *scene, uint32_t link) {
    if (!(link & LINK_LEAF))
        return;
    const Leaf *leaf = &hierarchy->leaves[link & ~LINK_LEAF];
    for (size_t i = 0; i < NODE_WIDTH && leaf->index[i] != HIT_NONE; i++)
        __builtin_prefetch(&scene->spheres[leaf->index[i]]);
}

/* The box of all that is under the link, refitted; the children's come first. */
static void refit_branch(Hierarchy *hierarchy, const Scene *scene, /* NOLINT(misc-no-recursion): a level a call */
                         uint32_t link, int depth, Box *box) {
    if (link & LINK_LEAF) {
        *box = refit_leaf(&hierarchy->leaves[link & ~LINK_LEAF], scene);
        return;
    }
    Node *node = &hierarchy->nodes[link];
    Box boxes[NODE_WIDTH];
    size_t count = 0;
    for (; count < NODE_WIDTH && node->link[count]; count++) {
        const uint32_t child = node->link[count];
        Box *around = &boxes[count];
        if (depth < FORKS) {
#pragma omp task default(none) firstprivate(hierarchy, scene, child, depth, around)
            refit_branch(hierarchy, scene, child, depth + 1, around);
        } else {
            if (count + 1 < NODE_WIDTH)
                fetch_leaf(hierarchy, scene, node->link[count + 1]);
            refit_branch(hierarchy, scene, child, depth + 1, around);
        }
    }
    if (depth < FORKS) {
#pragma omp taskwait
    }
    *box = nowhere;
    for (size_t i = 0; i < count; i++) {
        const Branch child = {boxes[i], node->link[i]};
        put_branch(node, i, &child);
        box_add(box, child.box.min, child.box.max);
    }
}

static void hierarchy_refit(Device *device, const Scene *scene, Hierarchy *hierarchy) {
    Box around;
#pragma omp parallel num_threads(scene->count < ALONE ? 1 : device->threads)
#pragma omp single
    refit_branch(hierarchy, scene, hierarchy->root, 0, &around);
    hierarchy->moves = scene->moves;
}

/* ---- memory ---- */

static void *reserve(size_t bytes) {
    enum { PAGE = 1 << 21 };
    const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    void *memory = bytes < PAGE ? aligned_alloc(64, (bytes + 63) / 64 * 64) : aligned_alloc(PAGE, whole);
    if (memory && bytes >= PAGE)
        (void)madvise(memory, whole, MADV_HUGEPAGE); /* walks jump about: fewer pages, fewer misses */
    return memory;
}

static void hierarchy_clear(Hierarchy *hierarchy) {
    free(hierarchy->nodes);
    free(hierarchy->leaves);
    *hierarchy = (Hierarchy){0};
}

/* Reserves address space for the worst case; untouched pages are never committed. */
static Status make_room(Hierarchy *hierarchy, size_t spheres) {
    /* Leaves are more than half full, or the only one; nodes have two children at least. */
    const size_t leaves = spheres / (NODE_WIDTH / 2) + 1, nodes = leaves;
    if (leaves <= hierarchy->leaf_capacity)
        return STATUS_OK;
    hierarchy_clear(hierarchy);
    hierarchy->nodes = reserve(nodes * sizeof(Node));
    hierarchy->leaves = reserve(leaves * sizeof(Leaf));
    if (!hierarchy->nodes || !hierarchy->leaves) {
        hierarchy_clear(hierarchy);
        return fail(STATUS_DEVICE, "trace: no memory for a BVH over %zu spheres", spheres);
    }
    hierarchy->node_capacity = nodes;
    hierarchy->leaf_capacity = leaves;
    return STATUS_OK;
}

static Status hierarchy_build(Device *device, const Scene *scene, Hierarchy *hierarchy) {
    const size_t count = scene->count, bytes = (count * sizeof(Coded) + 63) / 64 * 64;
    const int max = device->threads < THREADS_MAX ? device->threads : THREADS_MAX;
    const int threads = count < ALONE ? 1 : max;
    void *memory;
    TRY(make_room(hierarchy, count));
    TRY(cpu_scratch(device, 2 * bytes + (size_t)threads * DIGITS * sizeof(uint32_t), &memory));
    Sequence sequence = {scene, memory, (Coded *)((char *)memory + bytes), count};
    for (size_t i = 0; i < count; i++)
        sequence.coded[i] = (Coded){0, (uint32_t)i};
    if (count > GROVE)
        sort(&sequence, (uint32_t(*)[DIGITS])((char *)memory + 2 * bytes), threads);
    Building building = {hierarchy, scene, sequence.coded, sequence.scratch};
    Branch root = {nowhere, LINK_LEAF};
    hierarchy->node_count = hierarchy->leaf_count = 0;
    if (count <= GROVE) {
        root = build_grove(&building, (Range){0, count});
    } else {
#pragma omp parallel num_threads(threads)
#pragma omp single
        build_branch(&building, (Range){0, count}, &root);
    }
    if (count == 0) /* a leaf without spheres */
        hierarchy->leaf_count = 1;
    hierarchy->root = root.link;
    hierarchy->moves = scene->moves;
    return STATUS_OK;
}

static Status make(Device *device, const void *scene, void *hierarchy) {
    return hierarchy_build(device, scene, hierarchy);
}
static void drop(Device *device, void *hierarchy) {
    (void)device;
    hierarchy_clear(hierarchy);
}

static const CacheKind kept = {.bytes = sizeof(Hierarchy), .max = 1, .make = make, .drop = drop};

Status hierarchy_over(Device *device, const Scene *scene, const Hierarchy **hierarchy) {
    void *found;
    TRY(cache_get(device, &kept, scene->serial, scene, &found));
    *hierarchy = found;
    if ((*hierarchy)->moves != scene->moves)
        hierarchy_refit(device, scene, found);
    return STATUS_OK;
}

Status cpu_build(Device *device, const Scene *scene, size_t *bytes) {
    void *found;
    cache_begin(device);
    TRY(cache_remake(device, &kept, scene->serial, scene, &found));
    const Hierarchy *hierarchy = found;
    *bytes = hierarchy->node_count * sizeof(Node) + hierarchy->leaf_count * sizeof(Leaf);
    return STATUS_OK;
}

Status cpu_refit(Device *device, const Scene *scene) {
    void *found;
    cache_begin(device);
    TRY(cache_get(device, &kept, scene->serial, scene, &found));
    hierarchy_refit(device, scene, found);
    return STATUS_OK;
}
