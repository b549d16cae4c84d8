/* wide_rows.h: the inner loops of traversing BVHs, for *.isa.c files. SPHERES_ONLY leaves out cylinders.
 * Cameras whose neighbouring pixels look along neighbouring rays take a tile of 8 x 8 pixels through the tree at once.
 * All children of a node are held against the planes that enclose the tile's rays, and so are all spheres of a leaf.
 * Spheres that are left are tried on a vector of pixels at a time (Wald and others, Ray Tracing Animated Scenes using
 * Coherent Grid Traversal, SIGGRAPH 2006, with a BVH for the grid). Rays that have nothing in common go alone: all
 * children of a node, or spheres of a leaf, against one ray. Cylinders have a tree of their own, over spheres around
 * them. Rays traverse it behind the spheres' tree, and so find most of it hidden. */
#ifndef GLINT_CPU_TRACE_WIDE_ROWS_H
#define GLINT_CPU_TRACE_WIDE_ROWS_H

#include "core/math/shading_context.h"
#include "cpu/trace/cylinder_rays.h"
#include "cpu/trace/primitives.h"
#include "cpu/trace/wide.h"

enum {
    TILE = WIDE_ROWS,              /* pixels a side */
    ACROSS = 4,                    /* pixels of a vector side by side; the others below them */
    DOWN = LANES / ACROSS,         /* pixels of a vector one below the other */
    VECTORS = TILE * TILE / LANES, /* of a tile */
    PER_ROW = TILE / ACROSS,       /* vectors side by side in a tile */
    TRAVERSALS = 3,                /* rays that go alone, in turns */
    RUN = 128,                     /* of them, side by side in the picture */
    FEW = 4,                       /* leaves that need no traversal */
    SPHERE_FLOATS = sizeof(Sphere) / sizeof(float),
    PICKED_MAX = INT32_MAX / SPHERE_FLOATS, /* spheres whose colours pick() reaches */
};

/* ---- pixels of looks ---- */

/* 0 to 255, rounded to even: adding 1.5 * 2^23 leaves the integer in the low bits. */
static inline Ints byte_lanes(Floats value) {
    return (Ints)(lesser(255.0f * value, spread(255)) + 0x1.8p23f) & 255;
}

/* The classic look: pixels as 32-bit words, red in the lowest byte. */
static inline Ints classic_words(const LaneHits *state, const Sphere *spheres) {
    const Ints black = spread_int((int32_t)0xff000000u);
    const Which missed = less_int(state->index, spread_int(0));
    if (bits_of(missed) == (1u << LANES) - 1)
        return black;
    const Ints places = blend_int(missed, spread_int(0), state->index * SPHERE_FLOATS);
    const Floats facing = state->root / pick(&spheres->radius, places);
    const Ints red = byte_lanes(facing * pick(&spheres->red, places));
    const Ints green = byte_lanes(facing * pick(&spheres->green, places));
    const Ints blue = byte_lanes(facing * pick(&spheres->blue, places));
    return blend_int(missed, black, black | red | green << 8 | blue << 16);
}

/* Any look, one pixel after the other. */
static __attribute__((noinline)) Ints look_words(const WideJob *job, const LaneHits *state, Floats3 from,
                                                 Floats3 direction) {
    const Primitives primitives = primitives_of(trace_job(job->stage)->scene);
    const Look look = trace_job(job->stage)->look;
    Ints words;
    for (int lane = 0; lane < LANES; lane++) {
        const Ray ray = ray_from(vec(from.x[lane], from.y[lane], from.z[lane]),
                                 vec(direction.x[lane], direction.y[lane], direction.z[lane]));
        const Hit hit = {state->distance[lane], state->root[lane], (uint32_t)state->index[lane]};
        unsigned char pixel[4];
        if (HAS_CYLINDERS)
            look_hit(look, primitives, ray, hit, 4, pixel);
        else
            look_pixel(look, primitives.spheres + (hit.index == HIT_NONE ? 0 : hit.index), ray, hit, 4, pixel);
        words[lane] = (int32_t)(pixel[0] | (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16 | 0xff000000u);
    }
    return words;
}

/* Whether a vector of pixels shows a cylinder. */
static inline bool shows_cylinders(const WideJob *job, const LaneHits *state) {
    return HAS_CYLINDERS &&
           bits_of(less_int(spread_int((int32_t)trace_job(job->stage)->scene->count - 1), state->index));
}

static inline Ints words_of(const WideJob *job, const LaneHits *state, Floats3 from, Floats3 direction) {
    const Scene *scene = trace_job(job->stage)->scene;
    return trace_job(job->stage)->look == LOOK_CLASSIC && scene->count <= PICKED_MAX && !shows_cylinders(job, state)
               ? classic_words(state, scene->spheres)
               : look_words(job, state, from, direction);
}

static inline void store_words(const uint32_t *words, size_t count, int channels, unsigned char *pixels) {
    if (channels == 4) {
        memcpy(pixels, words, 4 * count);
        return;
    }
    for (size_t i = 0; i < count; i++, pixels += 3) {
        pixels[0] = (unsigned char)words[i];
        pixels[1] = (unsigned char)(words[i] >> 8);
        pixels[2] = (unsigned char)(words[i] >> 16);
    }
}

static inline size_t min_size(size_t value, size_t max) {
    return value < max ? value : max;
}

/* ---- tiles ---- */

enum { PLANES = 5 };

/* The solid that encloses the rays of a tile: points p with normal . p <= limit for all planes, and no nearer along the
 * rays than axis . p - start. */
typedef struct Frustum {
    struct {
        Vec normal;
        float limit;
        size_t
            corner[3]; /* of the coordinates of a box's corner that lies deepest inside, in Bvh16Node.box, as floats */
    } planes[PLANES + 1]; /* the last one: the axis, and start */
    Vec from;             /* the point that all rays start from */
} Frustum;

typedef struct Tile {
    const WideJob *job;
    size_t left, top;      /* pixels */
    Floats3 rays[VECTORS]; /* directions; orthographic: origins */
    LaneHits states[VECTORS];
    float farthest; /* the greatest distance of all pixels */
    Frustum frustum;
} Tile;

static void set_plane(Frustum *frustum, int plane, Vec normal, float limit) {
    const float parts[3] = {normal.x, normal.y, normal.z};
    frustum->planes[plane].normal = normal;
    frustum->planes[plane].limit = limit;
    for (size_t a = 0; a < 3; a++)
        frustum->planes[plane].corner[a] = ((parts[a] < 0 ? 3 : 0) + a) * NODE_WIDTH;
}

/* A plane through the point that all rays start from; how far rounding may carry its distances is added. */
static void set_plane_through(Frustum *frustum, int plane, Vec normal, float slack) {
    set_plane(frustum, plane, normal, vec_dot(normal, frustum->from) + slack);
}

static inline float across_of(Camera camera, size_t px, Shape shape) {
    return ((float)(uint32_t)px + 0.5f - 0.5f * (float)(uint32_t)shape.width) *
           (2.0f * camera.tangent / (float)(uint32_t)shape.height);
}
static inline float upward_of(Camera camera, size_t py, Shape shape) {
    return (0.5f * (float)(uint32_t)shape.height - (float)(uint32_t)py - 0.5f) *
           (2.0f * camera.tangent / (float)(uint32_t)shape.height);
}

static inline float magnitude(Vec v) {
    return fabsf(v.x) + fabsf(v.y) + fabsf(v.z);
}

/* A unit vector at right angles to `edge` = forward + s * side, in the plane of both, away from `side` if `sign` is 1.
 * The rays lie where it is negative. */
static Vec plane_normal(Vec forward, Vec side, float s, float sign) {
    return vec_unit(vec_minus(vec_times(side, sign), vec_times(forward, sign * s)));
}

static void enclose_perspective(Tile *tile, size_t right, size_t bottom) {
    const Camera camera = trace_job(tile->job->stage)->camera;
    const Shape shape = tile->job->stage->out.shape;
    Frustum *frustum = &tile->frustum;
    const float x0 = across_of(camera, tile->left, shape), x1 = across_of(camera, right, shape);
    const float y0 = upward_of(camera, bottom, shape), y1 = upward_of(camera, tile->top, shape);
    const float slack = BOX_SLACK * magnitude(camera.from);
    const Vec axis =
        vec_unit(vec_along(vec_along(camera.forward, 0.5f * (x0 + x1), camera.right), 0.5f * (y0 + y1), camera.up));
    frustum->from = camera.from;
    set_plane_through(frustum, 0, plane_normal(camera.forward, camera.right, x0, -1), slack);
    set_plane_through(frustum, 1, plane_normal(camera.forward, camera.right, x1, 1), slack);
    set_plane_through(frustum, 2, plane_normal(camera.forward, camera.up, y0, -1), slack);
    set_plane_through(frustum, 3, plane_normal(camera.forward, camera.up, y1, 1), slack);
    set_plane_through(frustum, 4, vec_times(axis, -1), slack); /* behind the camera */
    set_plane_through(frustum, PLANES, axis, slack);
}

static void enclose_orthographic(Tile *tile, size_t right, size_t bottom) {
    const Camera camera = trace_job(tile->job->stage)->camera;
    const Shape shape = tile->job->stage->out.shape;
    Frustum *frustum = &tile->frustum;
    const float x0 = camera_x(camera, tile->left, shape.width), x1 = camera_x(camera, right, shape.width);
    const float y0 = camera_y(camera, bottom, shape.height), y1 = camera_y(camera, tile->top, shape.height);
    frustum->from = vec(0, 0, 0);
    set_plane(frustum, 0, vec(-1, 0, 0), -x0 + BOX_SLACK * fabsf(x0));
    set_plane(frustum, 1, vec(1, 0, 0), x1 + BOX_SLACK * fabsf(x1));
    set_plane(frustum, 2, vec(0, -1, 0), -y0 + BOX_SLACK * fabsf(y0));
    set_plane(frustum, 3, vec(0, 1, 0), y1 + BOX_SLACK * fabsf(y1));
    set_plane(frustum, 4, vec(0, 0, 0), endless); /* nothing is behind it */
    set_plane(frustum, PLANES, vec(0, 0, -1), 0);
}

/* The pixels' numbers in a vector of the tile, from the picture's left and top. */
static inline Floats columns(const Tile *tile, size_t vector) {
    Floats lanes;
    for (size_t lane = 0; lane < LANES; lane++)
        lanes[lane] = (float)(lane % ACROSS);
    return lanes + (float)(uint32_t)(tile->left + vector % PER_ROW * ACROSS);
}
static inline Floats rows(const Tile *tile, size_t vector) {
    Floats lanes;
    for (size_t lane = 0; lane < LANES; lane++)
        lanes[lane] = (float)(lane / ACROSS);
    return lanes + (float)(uint32_t)(tile->top + vector / PER_ROW * DOWN);
}

/* camera_ray of core/math/camera.h. */
static inline Floats3 perspective_rays(const Tile *tile, size_t vector) {
    const Camera camera = trace_job(tile->job->stage)->camera;
    const Shape shape = tile->job->stage->out.shape;
    const float wide = (float)(uint32_t)shape.width, high = (float)(uint32_t)shape.height;
    const float unit = 2.0f * camera.tangent / high;
    const Floats across = (columns(tile, vector) + (0.5f - 0.5f * wide)) * unit;
    const Floats upward = ((0.5f * high - 0.5f) - rows(tile, vector)) * unit;
    const Floats3 way = {camera.forward.x + across * camera.right.x + upward * camera.up.x,
                         camera.forward.y + across * camera.right.y + upward * camera.up.y,
                         camera.forward.z + across * camera.right.z + upward * camera.up.z};
    const Floats scale = 1.0f / square_root(dot(way, way));
    return (Floats3){way.x * scale, way.y * scale, way.z * scale};
}
static inline Floats3 orthographic_rays(const Tile *tile, size_t vector) {
    const Camera camera = trace_job(tile->job->stage)->camera;
    const Shape shape = tile->job->stage->out.shape;
    return (Floats3){(columns(tile, vector) - (float)(uint32_t)(shape.width / 2)) * camera.unit + camera.centre_x,
                     ((float)(uint32_t)(shape.height / 2) - rows(tile, vector)) * camera.unit + camera.centre_y,
                     spread(0)};
}

/* How far the corners of boxes are beyond a plane. */
static inline Floats corner_of(const Frustum *frustum, int plane, const float *box) {
    const Vec normal = frustum->planes[plane].normal;
    const size_t *corner = frustum->planes[plane].corner;
    return load(box + corner[0]) * normal.x + load(box + corner[1]) * normal.y +
           (load(box + corner[2]) * normal.z - frustum->planes[plane].limit);
}

static inline void visit_node(const Tile *tile, const Bvh16Node *node, Stack *stack) {
    float distances[NODE_WIDTH];
    unsigned children = 0;
    for (size_t part = 0; part < PARTS; part++) {
        const float *box = &node->box[0][0][part * LANES];
        const Floats distance = corner_of(&tile->frustum, PLANES, box);
        Which touched = at_most(distance, spread(tile->farthest));
        for (int plane = 0; plane < PLANES; plane++)
            touched &= at_most(corner_of(&tile->frustum, plane, box), spread(0));
        memcpy(distances + part * LANES, &distance, sizeof distance);
        children |= bits_of(touched) << part * LANES;
    }
    push(stack, children, distances, node->link);
}

/* How far centres are beyond a plane. */
static inline Floats centre_of(const Frustum *frustum, int plane, Floats3 centre) {
    const Vec normal = frustum->planes[plane].normal;
    return centre.x * normal.x + centre.y * normal.y + (centre.z * normal.z - frustum->planes[plane].limit);
}

/* The spheres of the leaf that the tile's rays may hit. */
static inline unsigned touched_spheres(const Tile *tile, const Bvh16Leaf *leaf) {
    unsigned spheres = 0;
    for (size_t part = 0; part < PARTS; part++) {
        const size_t at = part * LANES;
        const Floats3 centre = {load(leaf->x + at), load(leaf->y + at), load(leaf->z + at)};
        const Floats radius = load(leaf->radius + at);
        const Floats reach =
            radius + BOX_SLACK * (absolute(centre.x) + absolute(centre.y) + (absolute(centre.z) + radius));
        Which touched = at_most(centre_of(&tile->frustum, PLANES, centre), reach + tile->farthest);
        for (int plane = 0; plane < PLANES; plane++)
            touched &= at_most(centre_of(&tile->frustum, plane, centre), reach);
        spheres |= bits_of(touched) << at;
    }
    return spheres;
}

static inline void set_farthest(Tile *tile) {
    Floats farthest = tile->states[0].distance;
    for (size_t v = 1; v < VECTORS; v++)
        farthest = greater(farthest, tile->states[v].distance);
    tile->farthest = greatest_lane(farthest);
}

static inline void visit_spheres(Tile *tile, const Bvh16Leaf *leaf, bool orthographic) {
    bool hit = false;
    for (unsigned spheres = touched_spheres(tile, leaf); spheres; spheres &= spheres - 1) {
        const int i = __builtin_ctz(spheres);
        const Vec from = tile->frustum.from;
        const Floats radius = spread(leaf->radius[i]);
        const Floats3 to = {spread(leaf->x[i] - from.x), spread(leaf->y[i] - from.y), spread(leaf->z[i] - from.z)};
        const Ints index = spread_int((int32_t)leaf->index[i]);
        for (size_t v = 0; v < VECTORS; v++)
            if (orthographic) {
                const Floats x = to.x - tile->rays[v].x, y = to.y - tile->rays[v].y;
                hit |= offer(&tile->states[v], -to.z, x * x + y * y, radius, index, -endless);
            } else {
                hit |= offer_towards(&tile->states[v], to, tile->rays[v], radius, index);
            }
    }
    if (hit)
        set_farthest(tile);
}

/* The pixels of a vector whose rays pass so near to a centre, and no farther away than their hits, a bit each. */
static inline unsigned passing_near(const Tile *tile, size_t v, Floats3 to, Floats reach, bool orthographic) {
    const Floats3 ray = tile->rays[v], down = {spread(0), spread(0), spread(-1)};
    const Floats3 way = orthographic ? (Floats3){to.x - ray.x, to.y - ray.y, to.z} : to;
    const Floats3 direction = orthographic ? down : ray;
    const Floats along = dot(way, direction);
    const Floats3 aside = {way.x - along * direction.x, way.y - along * direction.y, way.z - along * direction.z};
    return bits_of(at_most(dot(aside, aside), reach * reach) & at_most(along - reach, tile->states[v].distance));
}

static inline Ray ray_of_pixel(const Tile *tile, size_t v, int lane, bool orthographic) {
    const Vec numbers = vec(tile->rays[v].x[lane], tile->rays[v].y[lane], tile->rays[v].z[lane]);
    Ray ray = ray_from(orthographic ? numbers : tile->frustum.from, orthographic ? vec(0, 0, -1) : numbers);
    ray.t_min = orthographic ? -endless : 0;
    return ray;
}

/* The cylinders of a leaf, each on the pixels whose rays pass the sphere around it. */
static inline void visit_cylinders(Tile *tile, const Bvh16Leaf *leaf, bool orthographic) {
    const Scene *scene = trace_job(tile->job->stage)->scene;
    const Vec from = tile->frustum.from;
    for (unsigned touched = touched_spheres(tile, leaf); touched; touched &= touched - 1) {
        const int i = __builtin_ctz(touched);
        const Floats3 to = {spread(leaf->x[i] - from.x), spread(leaf->y[i] - from.y), spread(leaf->z[i] - from.z)};
        const Floats3 centre = {spread(leaf->x[i]), spread(leaf->y[i]), spread(leaf->z[i])};
        const Floats reach = bounds_reach(orthographic ? centre : to, spread(leaf->radius[i]));
        for (size_t v = 0; v < VECTORS; v++)
            for (unsigned near = passing_near(tile, v, to, reach, orthographic); near; near &= near - 1) {
                const int lane = __builtin_ctz(near);
                LaneHits *state = &tile->states[v];
                Hit hit = {state->distance[lane], state->root[lane], (uint32_t)state->index[lane]};
                offer_cylinder(scene, leaf->index[i], ray_of_pixel(tile, v, lane, orthographic), &hit);
                state->distance[lane] = hit.distance;
                state->root[lane] = hit.root;
                state->index[lane] = (int32_t)hit.index;
            }
    }
    set_farthest(tile);
}

/* Through the tree over the spheres, or over the cylinders. */
static inline void traverse_tile(Tile *tile, bool cylinders, bool orthographic) {
    const Bvh16 *bvh = cylinders ? tile->job->cylinders : tile->job->bvh;
    Stack stack;
    stack.depth = 1;
    stack.entries[0] = (StackEntry){bvh->root, -endless};
    while (stack.depth > 0) {
        const StackEntry next = stack.entries[--stack.depth];
        if (next.distance > tile->farthest)
            continue;
        const Bvh16Leaf *leaf = &bvh->leaves[next.link & ~LINK_LEAF];
        if (next.link & LINK_LEAF && cylinders)
            visit_cylinders(tile, leaf, orthographic);
        else if (next.link & LINK_LEAF)
            visit_spheres(tile, leaf, orthographic);
        else
            visit_node(tile, &bvh->nodes[next.link], &stack);
    }
}

/* Lanes beyond the picture want nothing. */
static void mask_outside(Tile *tile, size_t wide, size_t high) {
    for (size_t v = 0; v < VECTORS; v++)
        for (size_t lane = 0; lane < LANES; lane++)
            if (v % PER_ROW * ACROSS + lane % ACROSS >= wide || v / PER_ROW * DOWN + lane / ACROSS >= high)
                tile->states[v].distance[lane] = -endless;
}

static void store_tile(const Tile *tile, size_t wide, size_t high, bool orthographic) {
    const Frame out = tile->job->stage->out;
    const size_t channels = (size_t)out.shape.channels;
    const Camera camera = trace_job(tile->job->stage)->camera;
    uint32_t words[TILE][TILE];
    for (size_t v = 0; v < VECTORS; v++) {
        const Floats3 down = {spread(0), spread(0), spread(-1)},
                      from = {spread(camera.from.x), spread(camera.from.y), spread(camera.from.z)};
        const Ints pixels = words_of(tile->job, &tile->states[v], orthographic ? tile->rays[v] : from,
                                     orthographic ? down : tile->rays[v]);
        for (size_t row = 0; row < DOWN; row++)
            memcpy(&words[v / PER_ROW * DOWN + row][v % PER_ROW * ACROSS], (const int32_t *)&pixels + row * ACROSS,
                   ACROSS * sizeof(uint32_t));
    }
    for (size_t row = 0; row < high; row++) {
        unsigned char *pixels = (unsigned char *)view_row(out, tile->top + row) + tile->left * channels;
        if (wide == TILE) /* a size that the compiler knows */
            store_words(words[row], TILE, out.shape.channels, pixels);
        else
            store_words(words[row], wide, out.shape.channels, pixels);
    }
}

static inline void trace_tile(const WideJob *job, size_t left, size_t top, bool orthographic) {
    const size_t wide = min_size(part_right(job->part) - left, TILE);
    const size_t high = min_size(part_bottom(job->part) - top, TILE);
    Tile tile = {.job = job, .left = left, .top = top, .farthest = endless};
    for (size_t v = 0; v < VECTORS; v++) {
        tile.rays[v] = orthographic ? orthographic_rays(&tile, v) : perspective_rays(&tile, v);
        tile.states[v] = lane_hits_none();
    }
    if (wide < TILE || high < TILE)
        mask_outside(&tile, wide, high);
    if (orthographic)
        enclose_orthographic(&tile, left + wide - 1, top + high - 1);
    else
        enclose_perspective(&tile, left + wide - 1, top + high - 1);
    traverse_tile(&tile, false, orthographic);
    if (HAS_CYLINDERS)
        traverse_tile(&tile, true, orthographic);
    store_tile(&tile, wide, high, orthographic);
}

/* ---- rays that go alone ---- */

/* A run of them in a row of the picture, as boxes want them (Slabs), then their hits. */
typedef struct RayRun {
    float from[3][RUN], direction[3][RUN];
    float inverse[3][RUN], enter[3][RUN], leave[3][RUN];
    float distance[RUN], root[RUN];
    uint32_t index[RUN];
} RayRun;

static inline Floats3 load3(float (*parts)[RUN], size_t at) {
    return (Floats3){load(parts[0] + at), load(parts[1] + at), load(parts[2] + at)};
}

static inline void set_slabs(RayRun *rays, size_t at) {
    for (size_t a = 0; a < 3; a++) {
        Floats inverse, enter, leave;
        slabs_between(load(rays->from[a] + at), load(rays->direction[a] + at), &inverse, &enter, &leave);
        store(rays->inverse[a] + at, inverse);
        store(rays->enter[a] + at, enter);
        store(rays->leave[a] + at, leave);
    }
}

static inline Vec vec_of(float (*parts)[RUN], size_t i) {
    return vec(parts[0][i], parts[1][i], parts[2][i]);
}

static void begin(Traversal *traversal, const Bvh16 *bvh, RayRun *rays, size_t i) {
    start(traversal, bvh, ray_from(vec_of(rays->from, i), vec_of(rays->direction, i)), endless);
    traversal->slabs = slabs_of(vec_of(rays->inverse, i), vec_of(rays->enter, i), vec_of(rays->leave, i));
    traversal->number = i;
}

static void end(const Traversal *traversal, RayRun *rays) {
    const Hit hit = settle(&traversal->state);
    rays->distance[traversal->number] = hit.distance;
    rays->root[traversal->number] = hit.root;
    rays->index[traversal->number] = hit.index;
}

/* Several rays on their way in turns, so that the data that one waits for come while the others go on. */
static void traverse_run(const Bvh16 *bvh, RayRun *rays, size_t count) {
    Traversal traversals[TRAVERSALS];
    Traversal *active[TRAVERSALS];
    size_t active_count = 0, next = 0;
    for (; next < count && next < TRAVERSALS; next++) {
        active[active_count] = &traversals[active_count];
        begin(active[active_count++], bvh, rays, next);
    }
    while (active_count > 0)
        for (size_t i = 0; i < active_count; i++) {
            Traversal *traversal = active[i];
            if (step(traversal, bvh, 0))
                continue;
            end(traversal, rays);
            if (next < count)
                begin(traversal, bvh, rays, next++);
            else
                active[i--] = active[--active_count];
        }
}

/* After the spheres. */
static inline void traverse_cylinders_alone(const WideJob *job, RayRun *rays, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const SingleRay single = single_ray(ray_from(vec_of(rays->from, i), vec_of(rays->direction, i)));
        const Hit sphere = {rays->distance[i], rays->root[i], rays->index[i]};
        const Hit hit = closest_cylinder(job->cylinders, trace_job(job->stage)->scene, &single, sphere);
        rays->distance[i] = hit.distance;
        rays->root[i] = hit.root;
        rays->index[i] = hit.index;
    }
}

/* All spheres against a vector of rays. */
static void try_all(const Bvh16 *bvh, RayRun *rays, size_t at) {
    const Floats3 from = load3(rays->from, at), direction = load3(rays->direction, at);
    LaneHits state = lane_hits_none();
    for (uint32_t leaf = 0; leaf < bvh->leaf_count; leaf++) {
        const Bvh16Leaf *spheres = &bvh->leaves[leaf];
        for (int i = 0; i < NODE_WIDTH && spheres->index[i] != HIT_NONE; i++) {
            const Floats3 to = {spheres->x[i] - from.x, spheres->y[i] - from.y, spheres->z[i] - from.z};
            (void)offer_towards(&state, to, direction, spread(spheres->radius[i]),
                                spread_int((int32_t)spheres->index[i]));
        }
    }
    store(rays->distance + at, state.distance);
    store(rays->root + at, state.root);
    memcpy(rays->index + at, &state.index, sizeof state.index);
}

static void trace_run(const WideJob *job, size_t px, size_t py) {
    const Frame out = job->stage->out;
    const size_t count = min_size(part_right(job->part) - px, RUN);
    const bool few = job->bvh->leaf_count <= FEW;
    const size_t channels = (size_t)out.shape.channels;
    unsigned char *pixels = (unsigned char *)view_row(out, py) + px * channels;
    RayRun rays;
    for (size_t i = 0; i < RUN; i++) {
        const Ray ray = camera_ray_random(trace_job(job->stage)->camera, py * out.shape.width + px + i);
        rays.from[0][i] = ray.origin.x;
        rays.from[1][i] = ray.origin.y;
        rays.from[2][i] = ray.origin.z;
        rays.direction[0][i] = ray.direction.x;
        rays.direction[1][i] = ray.direction.y;
        rays.direction[2][i] = ray.direction.z;
    }
    for (size_t at = 0; at < count; at += LANES)
        if (few)
            try_all(job->bvh, &rays, at);
        else
            set_slabs(&rays, at);
    if (!few) {
        memset(rays.index, -1, sizeof rays.index); /* HIT_NONE: lanes beyond the last ray are looked at, too */
        traverse_run(job->bvh, &rays, count);
    }
    if (HAS_CYLINDERS)
        traverse_cylinders_alone(job, &rays, count);
    for (size_t at = 0; at < count; at += LANES) {
        const LaneHits state = {load(rays.distance + at), load(rays.root + at), load_int(rays.index + at)};
        const Ints colours = words_of(job, &state, load3(rays.from, at), load3(rays.direction, at));
        uint32_t words[LANES];
        memcpy(words, &colours, sizeof words);
        store_words(words, min_size(count - at, LANES), out.shape.channels, pixels + at * channels);
    }
}

static void trace_rows(const WideJob *job, size_t top) {
    const size_t first = job->part.left, right = part_right(job->part), bottom = part_bottom(job->part);
    const CameraKind kind = trace_job(job->stage)->camera.kind;
    if (kind == CAMERA_RANDOM) {
        for (size_t py = top; py < top + WIDE_ROWS && py < bottom; py++)
            for (size_t px = first; px < right; px += RUN)
                trace_run(job, px, py);
    } else if (kind == CAMERA_ORTHOGRAPHIC) {
        for (size_t left = first; left < right; left += TILE)
            trace_tile(job, left, top, true);
    } else {
        for (size_t left = first; left < right; left += TILE)
            trace_tile(job, left, top, false);
    }
}

#endif
