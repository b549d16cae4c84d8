/* bvh16_traversal.h: rays that traverse the BVH alone: all children of a node, or spheres of a leaf, against one ray.
 * For *.isa.c files. Owns the hits of vectors, the stack, and one step of a traversal. */
#ifndef GLINT_CPU_TRACE_BVH16_TRAVERSAL_H
#define GLINT_CPU_TRACE_BVH16_TRAVERSAL_H

#include "cpu/trace/bvh16.h"
#include "cpu/vector.h"

enum {
    PARTS = NODE_WIDTH / LANES, /* vectors that hold a number of each child */
    NEAR = 512,                 /* nodes that stay in the cache with all that is below them */
};

/* The hits of a vector of pixels so far (core/math/ray.h, Hit). */
typedef struct LaneHits {
    Floats distance, root;
    Ints index; /* -1: HIT_NONE */
} LaneHits;

static const float endless = INFINITY;

static inline LaneHits lane_hits_none(void) {
    const LaneHits none = {spread(endless), spread(0), spread_int(-1)};
    return none;
}

typedef struct Floats3 {
    Floats x, y, z;
} Floats3;

static inline Floats dot(Floats3 a, Floats3 b) {
    return a.x * b.x + (a.y * b.y + a.z * b.z);
}

/* A box or a leaf that waits to be looked into. */
typedef struct StackEntry {
    uint32_t link;
    float distance;
} StackEntry;

typedef struct Stack {
    size_t depth;
    StackEntry entries[BVH16_STACK];
} Stack;

/* Puts children on the stack, the nearest on top. */
static inline void push(Stack *stack, unsigned children, const float *distances, const uint32_t *links) {
    StackEntry *const bottom = stack->entries + stack->depth, *top = bottom;
    for (; children; children &= children - 1) {
        const int child = __builtin_ctz(children);
        const float distance = distances[child];
        StackEntry *at = top++;
        for (; at > bottom && at[-1].distance < distance; at--)
            *at = at[-1];
        *at = (StackEntry){links[child], distance};
    }
    stack->depth += (size_t)(top - bottom);
}

/* hit_offer of core/math/ray.h for a vector of pairs of rays and spheres. `along`: to where the ray is nearest to the
 * centre; `aside`: the square of the distance there. Whether something was hit that is nearer. */
static inline bool offer(LaneHits *state, Floats along, Floats aside, Floats radius, Ints index, float t_min) {
    const Floats discriminant = radius * radius - aside;
    const Which hit = less(spread(0), discriminant);
    if (!bits_of(hit))
        return false;
    const Floats root = square_root(discriminant), near = along - root;
    const Floats distance = t_min > -endless ? blend(less(near, spread(t_min)), along + root, near) : near;
    const Which nearer =
        less(distance, state->distance) | (same(distance, state->distance) & less_int(index, state->index));
    const Which win = hit & at_most(spread(t_min), distance) & nearer;
    if (!bits_of(win))
        return false;
    state->distance = blend(win, distance, state->distance);
    state->root = blend(win, root, state->root);
    state->index = blend_int(win, index, state->index);
    return true;
}

static inline bool offer_towards(LaneHits *state, Floats3 to, Floats3 direction, Floats radius, Ints index) {
    const Floats along = dot(to, direction);
    const Floats3 aside = {to.x - along * direction.x, to.y - along * direction.y, to.z - along * direction.z};
    return offer(state, along, dot(aside, aside), radius, index, 0);
}

static inline Floats absolute(Floats value) {
    return (Floats)((Ints)value & INT32_MAX);
}

/* Where rays enter and leave spheres, and half the chords; `hit`: whether they do (core/math/ray.h, Chord). */
typedef struct Chords {
    Floats enter, leave, root;
    Which hit;
} Chords;

/* The lanes in `near`, a bit each, whose rays begin so near the surface that single precision does not do. A ray does
 * not hit the sphere that it leaves, `left`. Rare: once or twice a ray. */
static __attribute__((noinline)) void chords_near(Chords *chords, unsigned near, const Bvh16Leaf *leaf, size_t at,
                                                  Ray ray) {
    uint32_t hit = 0;
    for (; near; near &= near - 1) {
        const int lane = __builtin_ctz(near);
        const size_t i = at + (size_t)lane;
        const Vec centre = vec(leaf->x[i], leaf->y[i], leaf->z[i]);
        if (leaf->index[i] == ray.left)
            continue;
        const Chord chord = sphere_chord(centre, leaf->radius[i], ray, sphere_pass(centre, leaf->radius[i], ray).along);
        chords->enter[lane] = chord.enter;
        chords->leave[lane] = chord.leave;
        chords->root[lane] = chord.root;
        hit |= (uint32_t)(chord.root > 0) << lane;
    }
    chords->hit |= which_of(hit);
}

/* hit_offer of core/math/ray.h for a vector of spheres of a leaf, without a branch that is not rare. One sphere of a
 * leaf is hit as often as not. */
static inline void offer_leaf(LaneHits *state, const Bvh16Leaf *leaf, size_t at, Floats3 from, Floats3 direction,
                              Ray ray, float t_min) {
    const Floats3 to = {load(leaf->x + at) - from.x, load(leaf->y + at) - from.y, load(leaf->z + at) - from.z};
    const Floats radius = load(leaf->radius + at), along = dot(to, direction), square = radius * radius;
    const Floats3 aside = {to.x - along * direction.x, to.y - along * direction.y, to.z - along * direction.z};
    const Floats discriminant = square - dot(aside, aside), root = square_root(discriminant);
    const Which passed = less(spread(0), discriminant);
    const Which near = passed & less(absolute(along * along - discriminant), SPHERE_NEAR * square);
    Chords chords = {along - root, along + root, root, passed & ~near};
    if (__builtin_expect(bits_of(near) != 0, 0))
        chords_near(&chords, bits_of(near), leaf, at, ray);
    const Ints index = load_int(leaf->index + at);
    const Floats distance = blend(less(chords.enter, spread(t_min)), chords.leave, chords.enter);
    const Which nearer =
        less(distance, state->distance) | (same(distance, state->distance) & less_int(index, state->index));
    const Which win = chords.hit & at_most(spread(t_min), distance) & nearer;
    state->distance = blend(win, distance, state->distance);
    state->root = blend(win, chords.root, state->root);
    state->index = blend_int(win, index, state->index);
}

/* ---- boxes ---- */

/* 1 / d that stays finite; a ray that runs along a slab is inside it or misses it by far. */
static inline Floats inverse_of(Floats d) {
    const Ints sign = (Ints)d & INT32_MIN;
    return 1.0f / (Floats)((Ints)greater(absolute(d), spread(1e-18f)) | sign);
}

/* A ray as boxes want it. The distance to the plane at p is p * inverse + enter, or + leave, each moved by as much as
 * rounding may have taken from it (Ize, Robust BVH Ray Traversal, JCGT 2013). */
typedef struct Slabs {
    float inverse[3], enter[3], leave[3];
    size_t near[3], far[3]; /* planes, in Bvh16Node.box, as floats */
} Slabs;

/* `from` and `direction`, in each lane the same or of as many rays. */
static inline void slabs_between(Floats from, Floats direction, Floats *inverse, Floats *enter, Floats *leave) {
    *inverse = inverse_of(direction);
    const Floats way = from * *inverse, slack = absolute(way) * BOX_SLACK;
    *enter = -way - slack;
    *leave = -way + slack;
}

static inline void set_axis(Slabs *slabs, size_t axis, float inverse, float enter, float leave) {
    const size_t back = inverse < 0;
    slabs->inverse[axis] = inverse;
    slabs->enter[axis] = enter;
    slabs->leave[axis] = leave;
    slabs->near[axis] = (back * 3 + axis) * NODE_WIDTH;
    slabs->far[axis] = ((1 - back) * 3 + axis) * NODE_WIDTH;
}

static inline Slabs slabs_of(Vec inverse, Vec enter, Vec leave) {
    Slabs slabs;
    set_axis(&slabs, 0, inverse.x, enter.x, leave.x);
    set_axis(&slabs, 1, inverse.y, enter.y, leave.y);
    set_axis(&slabs, 2, inverse.z, enter.z, leave.z);
    return slabs;
}

#if defined(ISA_avx512)
/* push() without branches that depend on the children. Only distances >= 0 come in the right order from it. A network
 * sorts up to four, as whole numbers whose upper half is the distance. */
static inline void push_few(Stack *stack, __mmask16 children, Floats distances, const uint32_t *links) {
    const __m128i distance =
        _mm_castps_si128(_mm512_castps512_ps128(_mm512_maskz_compress_ps(children, (__m512)distances)));
    const __m128i link = _mm512_castsi512_si128(_mm512_maskz_compress_epi32(children, (__m512i)load_int(links)));
    const __m256i keys = _mm256_set_m128i(_mm_unpackhi_epi32(link, distance), _mm_unpacklo_epi32(link, distance));
    const __m256i swapped = _mm256_shuffle_epi32(keys, 0x4E);
    const __m256i pairs = _mm256_blend_epi32(_mm256_min_epu64(keys, swapped), _mm256_max_epu64(keys, swapped), 0xC3);
    const __m256i crossed = _mm256_permute4x64_epi64(pairs, 0x4E);
    const __m256i halves = _mm256_blend_epi32(_mm256_min_epu64(pairs, crossed), _mm256_max_epu64(pairs, crossed), 0x0F);
    const __m256i turned = _mm256_shuffle_epi32(halves, 0x4E);
    const __m256i sorted = _mm256_blend_epi32(_mm256_min_epu64(halves, turned), _mm256_max_epu64(halves, turned), 0x33);
    _mm256_storeu_si256((__m256i *)(stack->entries + stack->depth), sorted);
    stack->depth += (size_t)__builtin_popcount(children);
}
#endif

/* ---- traversals ---- */

/* A ray on its way. Each lane keeps the nearest of the spheres that it was offered. */
typedef struct Traversal {
    Ray ray;
    Slabs slabs;
    Floats3 from, direction; /* the ray's, in each lane */
    LaneHits state;
    float farthest; /* hits lie no farther away */
    uint32_t link;  /* where it goes next */
    size_t number;  /* of the ray's owner */
    Stack stack;
} Traversal;

static inline void start(Traversal *traversal, const Bvh16 *bvh, Ray ray, float farthest) {
    traversal->ray = ray;
    traversal->from = (Floats3){spread(ray.origin.x), spread(ray.origin.y), spread(ray.origin.z)};
    traversal->direction = (Floats3){spread(ray.direction.x), spread(ray.direction.y), spread(ray.direction.z)};
    traversal->state = lane_hits_none();
    traversal->farthest = farthest;
    traversal->link = bvh->root;
    traversal->stack.depth = 0;
}

static inline void visit_node_single(Traversal *traversal, const Bvh16Node *node, float t_min) {
    const Slabs *slabs = &traversal->slabs;
    float distances[NODE_WIDTH];
    unsigned children = 0;
    for (size_t part = 0; part < PARTS; part++) {
        const float *box = &node->box[0][0][part * LANES];
        Floats in = spread(t_min), out = spread(traversal->farthest);
        for (int a = 0; a < 3; a++) {
            in = greater(load(box + slabs->near[a]) * slabs->inverse[a] + slabs->enter[a], in);
            out = lesser(load(box + slabs->far[a]) * slabs->inverse[a] + slabs->leave[a], out);
        }
        children |= bits_of(at_most(in, out)) << part * LANES;
#if defined(ISA_avx512)
        if (__builtin_popcount(children) <= 4) {
            push_few(&traversal->stack, (__mmask16)children, in, node->link);
            return;
        }
#endif
        memcpy(distances + part * LANES, &in, sizeof in);
    }
    push(&traversal->stack, children, distances, node->link);
}

static inline void fetch(const void *from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 64)
        __builtin_prefetch((const char *)from + at);
}

/* One node or leaf, and the next is sent for; false at the end of the way. `t_min` is the ray's, where it is a constant
 * that the compiler knows. */
static inline bool step(Traversal *traversal, const Bvh16 *bvh, float t_min) {
    if (!(traversal->link & LINK_LEAF)) {
        visit_node_single(traversal, &bvh->nodes[traversal->link], t_min);
    } else {
        const Bvh16Leaf *leaf = &bvh->leaves[traversal->link & ~LINK_LEAF];
        LaneHits state = traversal->state;
        for (size_t at = 0; at < NODE_WIDTH; at += LANES)
            offer_leaf(&state, leaf, at, traversal->from, traversal->direction, traversal->ray, t_min);
        traversal->state = state;
        const float closest = min_lane(state.distance);
        traversal->farthest = closest < traversal->farthest ? closest : traversal->farthest;
    }
    StackEntry next;
    do {
        if (traversal->stack.depth == 0)
            return false;
        next = traversal->stack.entries[--traversal->stack.depth];
    } while (next.distance > traversal->farthest);
    traversal->link = next.link;
    if (bvh->node_count < NEAR)
        return true;
    if (next.link & LINK_LEAF)
        fetch(&bvh->leaves[next.link & ~LINK_LEAF], sizeof(Bvh16Leaf));
    else
        fetch(&bvh->nodes[next.link], sizeof(Bvh16Node));
    return true;
}

/* The nearest that the lanes hit, of equals the first in the scene. */
static inline Hit settle(const LaneHits *state) {
    const float distance = min_lane(state->distance);
    const Which nearest = same(state->distance, spread(distance));
    unsigned equals = bits_of(nearest);
    int best = __builtin_ctz(equals);
    for (equals &= equals - 1; distance < endless && equals; equals &= equals - 1)
        if (state->index[__builtin_ctz(equals)] < state->index[best])
            best = __builtin_ctz(equals);
    return (Hit){distance, state->root[best], (uint32_t)state->index[best]};
}

#endif
