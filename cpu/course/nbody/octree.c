/* octree.c: bounding box, places along a curve, radix sort, and cells with their centres of mass, from the top down. */
#include "cpu/course/nbody/octree.h"

#include "core/math/hilbert.h"
#include "cpu/team.h"

#include <math.h>
#include <string.h>

/* Bits of a coordinate and so levels of cells; of a digit that is sorted by; pieces that bodies are shared out in. */
enum {
    LEVELS = HILBERT_BITS,
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    PASSES = 6,
    PIECES_MAX = 16,
    PIECE_MIN = 4096
};

typedef struct Box {
    float low[3], high[3];
    double mass; /* of all: not finite if one is not */
} Box;

typedef struct Build {
    const Body *from;
    Octree *octree;
    float theta;
    size_t pieces;
    Box boxes[PIECES_MAX], box;
    double side;                /* of the root */
    OctreeKey *keys, *sorted;   /* by turns */
    uint32_t (*places)[DIGITS]; /* of each piece: how many of each digit, then where the next one goes */
    int shift;                  /* of the digit */
} Build;

/* ---- pieces ---- */

static size_t piece_begin(const Build *build, size_t piece) {
    return build->octree->count * piece / build->pieces;
}

static void bound_piece(const void *job, size_t piece, size_t thread) {
    Build *build = (Build *)job;
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    (void)thread;
    for (size_t i = piece_begin(build, piece); i < piece_begin(build, piece + 1); i++) {
        const Body *body = &build->from[i];
        const float place[3] = {body->x, body->y, body->z};
        for (int c = 0; c < 3; c++) {
            box.low[c] = place[c] < box.low[c] ? place[c] : box.low[c];
            box.high[c] = place[c] > box.high[c] ? place[c] : box.high[c];
        }
        box.mass += (double)(body->w + 0 * (body->x + body->y + body->z)); /* NaN passes comparisons, not this */
    }
    build->boxes[piece] = box;
}

/* The bounding box, and whether all is finite. */
static bool bound(Queue *queue, Build *build) {
    Box *box = &build->box;
    cpu_share(queue, build->pieces, bound_piece, build);
    *box = build->boxes[0];
    for (size_t p = 1; p < build->pieces; p++) {
        for (int c = 0; c < 3; c++) {
            box->low[c] = fminf(box->low[c], build->boxes[p].low[c]);
            box->high[c] = fmaxf(box->high[c], build->boxes[p].high[c]);
        }
        box->mass += build->boxes[p].mass;
    }
    build->side = 0;
    for (int c = 0; c < 3; c++)
        build->side = fmax(build->side, (double)box->high[c] - (double)box->low[c]);
    return isfinite(box->mass) && isfinite(build->side);
}

/* The cell of the finest level that a coordinate is in. */
static uint32_t cell_at(const Build *build, float value, int c) {
    const double cells = (double)(1 << LEVELS), at = ((double)value - (double)build->box.low[c]) / build->side * cells;
    return build->side > 0 ? (uint32_t)fmin(at, cells - 1) : 0;
}

static void encode_piece(const void *job, size_t piece, size_t thread) {
    const Build *build = job;
    (void)thread;
    for (size_t i = piece_begin(build, piece); i < piece_begin(build, piece + 1); i++) {
        const Body *body = &build->from[i];
        build->keys[i] = (OctreeKey){
            hilbert_code(cell_at(build, body->x, 0), cell_at(build, body->y, 1), cell_at(build, body->z, 2)), i};
    }
}

static size_t digit_of(const Build *build, const OctreeKey *key) {
    return key->code >> build->shift & (DIGITS - 1);
}

static void count_piece(const void *job, size_t piece, size_t thread) {
    const Build *build = job;
    uint32_t *counts = build->places[piece];
    (void)thread;
    memset(counts, 0, sizeof build->places[0]);
    for (size_t i = piece_begin(build, piece); i < piece_begin(build, piece + 1); i++)
        counts[digit_of(build, &build->keys[i])]++;
}

static void scatter_piece(const void *job, size_t piece, size_t thread) {
    const Build *build = job;
    uint32_t *places = build->places[piece];
    (void)thread;
    for (size_t i = piece_begin(build, piece); i < piece_begin(build, piece + 1); i++)
        build->sorted[places[digit_of(build, &build->keys[i])]++] = build->keys[i];
}

/* By the lowest digit first, each pass keeping the order of the last (Knuth, The Art of Computer Programming 3, 5.2.5).
 */
static void sort(Queue *queue, Build *build) {
    for (int pass = 0; pass < PASSES; pass++) {
        build->shift = pass * DIGIT_BITS;
        cpu_share(queue, build->pieces, count_piece, build);
        for (uint32_t digit = 0, place = 0; digit < DIGITS; digit++)
            for (size_t piece = 0; piece < build->pieces; piece++) {
                const uint32_t count = build->places[piece][digit];
                build->places[piece][digit] = place;
                place += count;
            }
        cpu_share(queue, build->pieces, scatter_piece, build);
        OctreeKey *const keys = build->keys;
        build->keys = build->sorted;
        build->sorted = keys;
    }
}

static void gather_piece(const void *job, size_t piece, size_t thread) {
    const Build *build = job;
    (void)thread;
    for (size_t i = piece_begin(build, piece); i < piece_begin(build, piece + 1); i++)
        build->octree->bodies[i] = build->from[build->keys[i].body];
}

/* ---- cells ---- */

/* Mass, place times mass, and squares of places times mass; for want of a mass, the number of bodies and the sum of
 * their places. */
typedef struct Moments {
    double mass, x, y, z, xx, yy, zz, xy, xz, yz, count, sum_x, sum_y, sum_z;
} Moments;

static void moments_add(Moments *to, const Moments *more) {
    to->mass += more->mass, to->x += more->x, to->y += more->y, to->z += more->z;
    to->xx += more->xx, to->yy += more->yy, to->zz += more->zz;
    to->xy += more->xy, to->xz += more->xz, to->yz += more->yz;
    to->count += more->count, to->sum_x += more->sum_x, to->sum_y += more->sum_y, to->sum_z += more->sum_z;
}

static Moments moments_of(const Body *bodies, size_t count) {
    Moments sum = {.count = (double)count};
    for (size_t i = 0; i < count; i++) {
        const double x = (double)bodies[i].x, y = (double)bodies[i].y, z = (double)bodies[i].z,
                     mass = (double)bodies[i].w;
        sum.mass += mass, sum.x += mass * x, sum.y += mass * y, sum.z += mass * z;
        sum.xx += mass * x * x, sum.yy += mass * y * y, sum.zz += mass * z * z;
        sum.xy += mass * x * y, sum.xz += mass * x * z, sum.yz += mass * y * z;
        sum.sum_x += x, sum.sum_y += y, sum.sum_z += z;
    }
    return sum;
}

/* About the centre, by mass: none without one. */
static Spread spread_of(const Moments *sum, const double at[3]) {
    if (!(sum->mass > 0))
        return (Spread){0};
    const double xx = sum->xx / sum->mass - at[0] * at[0], yy = sum->yy / sum->mass - at[1] * at[1],
                 zz = sum->zz / sum->mass - at[2] * at[2];
    return (Spread){(float)fmax(xx, 0),
                    (float)fmax(yy, 0),
                    (float)fmax(zz, 0),
                    (float)(sum->xy / sum->mass - at[0] * at[1]),
                    (float)(sum->xz / sum->mass - at[0] * at[2]),
                    (float)(sum->yz / sum->mass - at[1] * at[2])};
}

static void set_mass(const Build *build, OctreeCell *cell, const Moments *sum, int level) {
    const Body *first = &build->octree->bodies[cell->first];
    const double side = ldexp(build->side, -level),
                 low[3] = {(double)build->box.low[0], (double)build->box.low[1], (double)build->box.low[2]};
    const bool heavy = sum->mass > 0;
    const double x = heavy ? sum->x / sum->mass : sum->sum_x / sum->count,
                 y = heavy ? sum->y / sum->mass : sum->sum_y / sum->count,
                 z = heavy ? sum->z / sum->mass : sum->sum_z / sum->count;
    const double at[3] = {x, y, z};
    const float corner[3] = {first->x, first->y, first->z};
    double offset2 = 0;
    for (int c = 0; c < 3; c++) {
        const double middle = low[c] + ((double)(cell_at(build, corner[c], c) >> (LEVELS - level)) + 0.5) * side;
        offset2 += (at[c] - middle) * (at[c] - middle);
    }
    const float wide = fmaxf((float)side, gravity_width(spread_of(sum, at)));
    const float reach = gravity_reach(wide, build->theta, (float)sqrt(offset2));
    cell->mass = (Body){(float)x, (float)y, (float)z, (float)sum->mass};
    cell->reach2 = reach * reach;
}

/* How many bits of their codes two bodies share, in threes. */
static int shared_levels(uint64_t a, uint64_t b) {
    return a == b ? LEVELS : (__builtin_clzll(a ^ b) - 1) / 3;
}

/* The end of the bodies from `first` on whose codes are below `code`. */
static size_t end_below(const OctreeKey *keys, size_t first, size_t end, uint64_t code) {
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (keys[middle].code < code)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Appends the cell of bodies [first, end), and those in it: at most LEVELS deep. */
static Moments add_cell(Build *build, size_t first, size_t end) {
    Octree *octree = build->octree;
    const OctreeKey *keys = octree->keys;
    const int level = shared_levels(keys[first].code, keys[end - 1].code), shift = 3 * (LEVELS - 1 - level);
    OctreeCell *cell = &octree->cells[octree->cell_count++];
    Moments sum = {0};
    cell->first = (uint32_t)first;
    cell->count = (uint32_t)(end - first);
    if (end - first <= OCTREE_LEAF || level == LEVELS)
        sum = moments_of(octree->bodies + first, end - first);
    else
        for (size_t begin = first, behind; begin < end; begin = behind) {
            behind = end_below(keys, begin, end, ((keys[begin].code >> shift) + 1) << shift);
            const Moments part = add_cell(build, begin, behind);
            moments_add(&sum, &part);
        }
    cell->next = (uint32_t)octree->cell_count;
    set_mass(build, cell, &sum, level);
    return sum;
}

/* Parts of the memory, of multiples of 64 bytes. */
static size_t rounded(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

size_t octree_bytes(size_t count) {
    return rounded(count * sizeof(Body)) + 2 * rounded(count * sizeof(OctreeKey)) +
           rounded(2 * count * sizeof(OctreeCell)) + PIECES_MAX * DIGITS * sizeof(uint32_t);
}

bool octree_build(Queue *queue, const Body *bodies, size_t count, float theta, void *memory, Octree *octree) {
    char *at = memory;
    Build build = {.from = bodies, .octree = octree, .theta = theta};
    *octree = (Octree){.count = count};
    build.pieces = count / PIECE_MIN < 1 ? 1 : count / PIECE_MIN > PIECES_MAX ? PIECES_MAX : count / PIECE_MIN;
    octree->bodies = (Body *)(void *)at;
    at += rounded(count * sizeof(Body));
    build.keys = (OctreeKey *)(void *)at;
    at += rounded(count * sizeof(OctreeKey));
    build.sorted = (OctreeKey *)(void *)at;
    at += rounded(count * sizeof(OctreeKey));
    octree->cells = (OctreeCell *)(void *)at;
    at += rounded(2 * count * sizeof(OctreeCell));
    build.places = (uint32_t(*)[DIGITS])(void *)at;
    if (!bound(queue, &build))
        return false;
    cpu_share(queue, build.pieces, encode_piece, &build);
    sort(queue, &build);
    octree->keys = build.keys;
    cpu_share(queue, build.pieces, gather_piece, &build);
    (void)add_cell(&build, 0, count);
    return true;
}
