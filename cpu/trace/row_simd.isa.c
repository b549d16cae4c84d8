/* row_simd.isa.c: the inner loops of tracing, for each instruction set.
 * A band of rows picks the spheres that can touch it, a tile those of its band, a row those of its tile. Tiles and rows
 * pick only as far as pixels ask for more. Each vector of pixels traverses its row's list with its state in
 * registers. */
#include "cpu/trace/row_simd.h"
#include "cpu/vector.h"

enum { TILE_WIDTH = 64 };

/* A tile of the band and the spheres found so far that can touch it. */
typedef struct Tile {
    const RowJob *job;
    const uint32_t *band; /* positions in the line-up */
    size_t band_count, band_next;
    uint32_t *list;
    size_t count;
    float left, right; /* the world's x of its first and last column */
} Tile;

/* A row of a tile and the spheres found so far that touch it. */
typedef struct Row {
    Tile *tile;
    size_t tile_next;
    Across *list;
    size_t count;
    float y;
} Row;

/* The nearest spheres of a vector of pixels (core/math/sphere.h, Nearest). */
typedef struct State {
    Floats depth, slack, root; /* root: facing * radius */
    Ints index;
    Floats sure; /* depth - slack: anything behind it is surely hidden */
} State;

static size_t cull_band(const Lineup *lineup, float low, float high, uint32_t *list) {
    size_t count = 0;
    for (size_t i = 0; i < lineup->count; i += LANES) {
        const Which low_enough = at_most(load(lineup->bottom + i), spread(high));
        const Which high_enough = at_most(spread(low), load(lineup->top + i));
        unsigned found = bits_of(low_enough & high_enough);
        if (lineup->count - i < LANES)
            found &= (1u << (lineup->count - i)) - 1;
        for (; found; found &= found - 1)
            list[count++] = (uint32_t)(i + (size_t)__builtin_ctz(found));
    }
    return count;
}

/* Finds the tile's next sphere; false if there is none. */
static bool tile_extend(Tile *tile) {
    const Lineup *lineup = &tile->job->lineup;
    while (tile->band_next < tile->band_count) {
        const uint32_t position = tile->band[tile->band_next++];
        if (lineup->left[position] <= tile->right && lineup->right[position] >= tile->left) {
            tile->list[tile->count++] = position;
            return true;
        }
    }
    return false;
}

/* Finds the row's next sphere; false if there is none. */
static bool row_extend(Row *row) {
    const Lineup *lineup = &row->tile->job->lineup;
    while (row->tile_next < row->tile->count || tile_extend(row->tile)) {
        const uint32_t position = row->tile->list[row->tile_next++];
        const Lined *lined = &lineup->lined[position];
        const float dy = row->y - lined->y, discriminant = lined->square - dy * dy,
                    doubt = SPHERE_DOUBT * lined->square;
        if (discriminant >= -doubt) {
            row->list[row->count++] = (Across){
                lined->x, lined->z, discriminant, doubt, lined->slack, lineup->nearest[position], lined->index};
            return true;
        }
    }
    return false;
}

/* The lanes that f32 cannot decide, one by one in f64. */
__attribute__((noinline)) static void decide(State *state, unsigned unsure, const Sphere *spheres, uint32_t index,
                                             Floats xs, float y) {
    for (; unsure; unsure &= unsure - 1) {
        const int lane = __builtin_ctz(unsure);
        Nearest nearest = {state->depth[lane], state->slack[lane], 0, (uint32_t)state->index[lane]};
        nearest_decide(&nearest, spheres, index, xs[lane], y);
        if (nearest.index != index)
            continue;
        state->depth[lane] = nearest.depth;
        state->slack[lane] = nearest.slack;
        state->root[lane] = nearest.facing * spheres[index].radius;
        state->index[lane] = (int32_t)index;
    }
    state->sure = state->depth - state->slack;
}

/* nearest_offer of core/math/sphere.h for a vector of pixels. */
static inline void offer(State *state, const Across *across, const Sphere *spheres, Floats xs, float y) {
    const Floats dx = xs - across->x, discriminant = across->discriminant - dx * dx;
    const Which near = at_most(spread(-across->doubt), discriminant);
    if (!bits_of(near))
        return;
    const Floats root = square_root(discriminant), depth = across->z + root;
    const Floats lead = depth - state->depth, slack = across->slack + state->slack;
    const Which hit = less(spread(across->doubt), discriminant), ahead = less(slack, lead), behind = less(lead, -slack);
    const Which win = hit & ahead;
    const unsigned unsure = bits_of(near) & ~bits_of(hit & (ahead | behind));
    state->depth = blend(win, depth, state->depth);
    state->slack = blend(win, spread(across->slack), state->slack);
    state->root = blend(win, root, state->root);
    state->index = blend_int(win, spread_int((int32_t)across->index), state->index);
    state->sure = state->depth - state->slack;
    if (__builtin_expect(unsure != 0, 0))
        decide(state, unsure, spheres, across->index, xs, y);
}

/* Colour times facing in 0 to 255, rounded to even: adding 1.5 * 2^23 leaves the integer in the low bits. */
static inline Ints shade(Floats facing, float colour) {
    return (Ints)(facing * (255.0f * colour) + 0x1.8p23f) & 255;
}

/* The pixels as 32-bit words, red in the lowest byte. A vector hits few different spheres: they come one by one. */
static inline Ints shade_vector(const State *state, const Sphere *spheres) {
    Ints words = spread_int((int32_t)0xff000000u);
    unsigned left = ((1u << LANES) - 1) & ~bits_of(same_int(state->index, spread_int((int32_t)SPHERE_NONE)));
    while (left) {
        const int32_t index = state->index[__builtin_ctz(left)];
        const Sphere *sphere = &spheres[(uint32_t)index];
        const Which here = same_int(state->index, spread_int(index));
        const Floats facing = state->root * (1.0f / sphere->radius);
        const Ints colour = shade(facing, sphere->red) | shade(facing, sphere->green) << 8 |
                            shade(facing, sphere->blue) << 16 | (int32_t)0xff000000u;
        words = blend_int(here, colour, words);
        left &= ~bits_of(here);
    }
    return words;
}

/* Four bytes a pixel become three. Two pixels take 64 bits, then 48, and each store overwrites the 16 spare bits of the
 * one before (little endian). */
static inline void store_rgb(Ints words, size_t count, unsigned char *pixels) {
    typedef uint64_t Pairs __attribute__((vector_size(VECTOR_BYTES)));
    const Pairs pairs = ((Pairs)words & 0xffffff) | ((Pairs)words >> 8 & 0xffffff000000);
    unsigned char bytes[3 * LANES + 2];
    for (size_t pair = 0; pair < LANES / 2; pair++) {
        const uint64_t two = pairs[pair];
        memcpy(bytes + 6 * pair, &two, sizeof two);
    }
    if (count >= LANES)
        memcpy(pixels, bytes, 3 * LANES);
    else
        memcpy(pixels, bytes, 3 * count);
}

static inline void store_rgba(Ints words, size_t count, unsigned char *pixels) {
    if (count >= LANES)
        memcpy(pixels, &words, sizeof words);
    else
        memcpy(pixels, &words, 4 * count);
}

static inline Ints trace_vector(Row *row, Floats xs) {
    const Sphere *spheres = trace_job(row->tile->job->stage)->scene->spheres;
    State state = {spread(-INFINITY), {0}, {0}, spread_int((int32_t)SPHERE_NONE), spread(-INFINITY)};
    for (size_t i = 0; i < row->count || row_extend(row); i++) {
        if (!bits_of(at_most(state.sure, spread(row->list[i].nearest))))
            break;
        offer(&state, &row->list[i], spheres, xs, row->y);
    }
    return shade_vector(&state, spheres);
}

static void trace_row(Row *row, size_t left, size_t right, int channels, unsigned char *pixels) {
    for (size_t px = left; px < right; px += LANES, pixels += LANES * channels) {
        const Ints words = trace_vector(row, load(row->tile->job->xs + px));
        if (channels == 4)
            store_rgba(words, right - px, pixels);
        else
            store_rgb(words, right - px, pixels);
    }
}

static void trace_band(const RowJob *job, size_t top, RowScratch scratch) {
    const Frame out = job->stage->out;
    const Camera camera = trace_job(job->stage)->camera;
    const size_t end = part_bottom(job->part), edge = part_right(job->part);
    const size_t bottom = top + BAND_HEIGHT < end ? top + BAND_HEIGHT : end;
    const size_t count = cull_band(&job->lineup, camera_y(camera, bottom - 1, out.shape.height),
                                   camera_y(camera, top, out.shape.height), scratch.band);
    for (size_t left = job->part.left; left < edge; left += TILE_WIDTH) {
        const size_t right = left + TILE_WIDTH < edge ? left + TILE_WIDTH : edge;
        Tile tile = {job, scratch.band, count, 0, scratch.tile, 0, job->xs[left], job->xs[right - 1]};
        for (size_t py = top; py < bottom; py++) {
            Row row = {&tile, 0, scratch.row, 0, camera_y(camera, py, out.shape.height)};
            trace_row(&row, left, right, out.shape.channels,
                      (unsigned char *)view_row(out, py) + left * (size_t)out.shape.channels);
        }
    }
}

extern const RowTable ISA_NAME(trace_lanes);
const RowTable ISA_NAME(trace_lanes) = {trace_band};
