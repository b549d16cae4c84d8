/* bonds.c: neighbours by a grid of cells that is hashed (Teschner et al., Optimized Spatial Hashing for Collision
 * Detection of Deformable Objects, Vision, Modeling, Visualization 2003). */
#include "core/scene/particles/bonds.h"

#include "core/base/memory.h"
#include "core/base/share.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 12 /* spheres that a thread takes at once */ };

void bonds_free(Bonds *bonds) {
    free(bonds->list);
    *bonds = (Bonds){0};
}

static int compare_bonds(const void *a, const void *b) {
    const Bond *one = a, *other = b;
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->to < other->to ? -1 : one->to > other->to;
}

/* ---- by distance ---- */

typedef struct Cell {
    int64_t x, y, z;
} Cell;

typedef struct Grid {
    const Sphere *spheres;
    size_t count;
    const float *reaches;
    size_t period;
    float least;
    double side;          /* of a cell: no bond is longer */
    uint32_t *first;      /* of each bucket, its first place in `order`; and behind the last one */
    uint32_t *order;      /* the spheres bucket by bucket */
    size_t mask;          /* buckets less 1 */
    size_t *begins;       /* of each piece of spheres, its first bond */
    size_t pairs_max;     /* that are tried */
    atomic_size_t *pairs; /* so far */
    Bond *bonds;          /* NULL: they are counted */
} Grid;

static Cell cell_of(const Grid *grid, const Sphere *sphere) {
    return (Cell){(int64_t)floor((double)sphere->x / grid->side), (int64_t)floor((double)sphere->y / grid->side),
                  (int64_t)floor((double)sphere->z / grid->side)};
}

static size_t bucket_of(const Grid *grid, Cell cell) {
    return (size_t)((uint64_t)cell.x * 73856093U ^ (uint64_t)cell.y * 19349663U ^ (uint64_t)cell.z * 83492791U) &
           grid->mask;
}

static bool is_bonded(const Grid *grid, size_t i, size_t k) {
    const Sphere *a = &grid->spheres[i], *b = &grid->spheres[k];
    const double one = (double)grid->reaches[i % grid->period], other = (double)grid->reaches[k % grid->period];
    const double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y, z = (double)a->z - (double)b->z;
    const double square = x * x + y * y + z * z, least = (double)grid->least, most = one + other;
    return one > 0 && other > 0 && square < most * most && square > 0 && square >= least * least;
}

/* Whether so many more pairs are more than are tried: then all are near to all. */
static bool gives_up(const Grid *grid, size_t pairs) {
    return atomic_fetch_add_explicit(grid->pairs, pairs, memory_order_relaxed) + pairs > grid->pairs_max;
}

/* The bonds of sphere i to those behind it, into `to` unless that is NULL; returns how many there are. */
static size_t find_bonds(const Grid *grid, size_t i, Bond *to) {
    const Cell own = cell_of(grid, &grid->spheres[i]);
    size_t found = 0;
    for (int near = 0; near < 27 && grid->reaches[i % grid->period] > 0; near++) {
        const Cell cell = {own.x + near % 3 - 1, own.y + near / 3 % 3 - 1, own.z + near / 9 - 1};
        const size_t bucket = bucket_of(grid, cell);
        if (!to && gives_up(grid, grid->first[bucket + 1] - grid->first[bucket]))
            return found;
        for (uint32_t at = grid->first[bucket]; at < grid->first[bucket + 1]; at++) {
            const uint32_t k = grid->order[at];
            if (k <= i || !is_bonded(grid, i, k))
                continue;
            const Cell there = cell_of(grid, &grid->spheres[k]); /* another cell may have the same bucket */
            if (there.x != cell.x || there.y != cell.y || there.z != cell.z)
                continue;
            if (to)
                to[found] = (Bond){(uint32_t)i, k};
            found++;
        }
    }
    if (to)
        qsort(to, found, sizeof *to, compare_bonds);
    return found;
}

static void find_piece(const void *job, size_t piece) {
    const Grid *grid = job;
    const size_t end = (piece + 1) * PIECE < grid->count ? (piece + 1) * PIECE : grid->count;
    Bond *const to = grid->bonds ? grid->bonds + grid->begins[piece] : NULL;
    size_t found = 0;
    for (size_t i = piece * PIECE; i < end; i++)
        found += find_bonds(grid, i, to ? to + found : NULL);
    if (!to)
        grid->begins[piece] = found;
}

/* Sorts the spheres by their buckets. */
static void fill_buckets(Grid *grid) {
    for (size_t i = 0; i < grid->count; i++)
        grid->first[bucket_of(grid, cell_of(grid, &grid->spheres[i]))]++;
    uint32_t sum = 0;
    for (size_t bucket = 0; bucket <= grid->mask + 1; bucket++) {
        sum += grid->first[bucket];
        grid->first[bucket] = sum; /* its end, from which spheres take places downwards */
    }
    for (size_t i = grid->count; i-- > 0;)
        grid->order[--grid->first[bucket_of(grid, cell_of(grid, &grid->spheres[i]))]] = (uint32_t)i;
}

static Status allocate(const char *name, size_t count, Bonds *bonds) {
    TRY(memory_fits(memory_product(count, sizeof(Cylinder) + sizeof(Bond)), name));
    bonds->list = malloc((count > 0 ? count : 1) * sizeof *bonds->list);
    bonds->count = count;
    return bonds->list ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory for %zu bonds", name, count);
}

/* Counts the bonds of each piece, then finds them again into their places. */
static Status find_all(const char *name, Grid *grid, Bonds *bonds) {
    const size_t pieces = (grid->count + PIECE - 1) / PIECE;
    size_t sum = 0;
    fill_buckets(grid);
    share_pieces(pieces, find_piece, grid);
    for (size_t piece = 0; piece < pieces; piece++) {
        const size_t found = grid->begins[piece];
        grid->begins[piece] = sum;
        sum += found;
    }
    if (atomic_load(grid->pairs) > grid->pairs_max)
        return fail(STATUS_INPUT, "%s: more than %zu pairs of particles are near each other, want shorter bonds", name,
                    grid->pairs_max);
    TRY(allocate(name, sum, bonds));
    grid->bonds = bonds->list;
    share_pieces(pieces, find_piece, grid);
    return STATUS_OK;
}

Status bonds_by_distance(const char *name, const Sphere *spheres, size_t count, const float *reaches, size_t period,
                         float least, Bonds *bonds) {
    enum { TRIES = 64 /* pairs that are tried for each bond that fits */ };
    atomic_size_t pairs = 0;
    Grid grid = {.spheres = spheres,
                 .count = count,
                 .reaches = reaches,
                 .period = period,
                 .least = least,
                 .pairs_max = memory_product(memory_budget() / (sizeof(Cylinder) + sizeof(Bond)), TRIES),
                 .pairs = &pairs};
    *bonds = (Bonds){0};
    for (size_t i = 0; i < period && i < count; i++)
        grid.side = fmax(grid.side, 2 * (double)reaches[i]);
    if (!(grid.side > 0))
        return STATUS_OK;
    grid.side = fmax(grid.side, (double)SPHERE_RADIUS_MIN); /* cells have whole numbers */
    while (grid.mask + 1 < count)
        grid.mask = 2 * grid.mask + 1;
    grid.first = calloc(grid.mask + 2, sizeof *grid.first);
    grid.order = malloc((count > 0 ? count : 1) * sizeof *grid.order);
    grid.begins = malloc((count / PIECE + 1) * sizeof *grid.begins);
    const Status status = grid.first && grid.order && grid.begins
                              ? find_all(name, &grid, bonds)
                              : fail(STATUS_DEVICE, "%s: no memory to find bonds", name);
    free(grid.first);
    free(grid.order);
    free(grid.begins);
    return status;
}

/* ---- by numbers ---- */

/* A number of the file, and the first sphere that has it. */
typedef struct Entry {
    uint32_t number, sphere;
} Entry;

static int compare_entries(const void *a, const void *b) {
    const Entry *one = a, *other = b;
    if (one->number != other->number)
        return one->number < other->number ? -1 : 1;
    return one->sphere < other->sphere ? -1 : one->sphere > other->sphere;
}

/* False if no sphere has the number. */
static bool find_sphere(const Entry *entries, size_t count, uint32_t number, uint32_t *sphere) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (entries[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || entries[low].number != number)
        return false;
    *sphere = entries[low].sphere;
    return true;
}

/* The pairs as bonds of the first image, each once. */
static size_t find_pairs(const Bonds *pairs, const Entry *entries, size_t count, Bond *to) {
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t a, b;
        if (find_sphere(entries, count, pairs->list[i].from, &a) &&
            find_sphere(entries, count, pairs->list[i].to, &b) && a != b)
            to[found++] = a < b ? (Bond){a, b} : (Bond){b, a};
    }
    qsort(to, found, sizeof *to, compare_bonds);
    for (size_t i = 0; i < found; i++)
        if (kept == 0 || compare_bonds(&to[i], &to[kept - 1]) != 0)
            to[kept++] = to[i];
    return kept;
}

Status bonds_by_number(const char *name, const Bonds *pairs, const uint32_t *numbers, size_t count, size_t images,
                       Bonds *bonds) {
    *bonds = (Bonds){0};
    Entry *entries = malloc((count + 1) * sizeof *entries);
    Status status = entries ? allocate(name, memory_product(pairs->count, images), bonds)
                            : fail(STATUS_DEVICE, "%s: no memory to find bonds", name);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < count; i++)
            entries[i] = (Entry){numbers[i], (uint32_t)i};
        qsort(entries, count, sizeof *entries, compare_entries);
        const size_t found = find_pairs(pairs, entries, count, bonds->list);
        for (size_t i = found; i < found * images; i++) {
            const Bond *before = &bonds->list[i - found];
            bonds->list[i] = (Bond){before->from + (uint32_t)count, before->to + (uint32_t)count};
        }
        bonds->count = found * images;
    }
    free(entries);
    return status;
}

/* ---- cylinders ---- */

static void put_ends(Cylinder *cylinder, const Sphere *from, const Sphere *to) {
    cylinder->ends[0] = sphere_centre(from);
    cylinder->ends[1] = sphere_centre(to);
    cylinder->colours[0] = (Colour){from->red, from->green, from->blue};
    cylinder->colours[1] = (Colour){to->red, to->green, to->blue};
}

Status bonds_draw(const char *name, const Bonds *bonds, float radius, Scene *scene) {
    TRY(memory_fits(memory_sum(scene_bytes(scene), memory_product(bonds->count, sizeof(Cylinder))), name));
    if (bonds->count == 0)
        return STATUS_OK;
    scene->cylinders = malloc(bonds->count * sizeof *scene->cylinders);
    if (!scene->cylinders)
        return fail(STATUS_DEVICE, "%s: no memory for %zu bonds", name, bonds->count);
    scene->cylinder_count = scene->capacity.cylinders = bonds->count;
    for (size_t i = 0; i < bonds->count; i++) {
        const Sphere *from = &scene->spheres[bonds->list[i].from], *to = &scene->spheres[bonds->list[i].to];
        scene->cylinders[i] = (Cylinder){.radius = radius, .material = from->material};
        put_ends(&scene->cylinders[i], from, to);
    }
    return STATUS_OK;
}

static double square_between(const Scene *scene, Bond bond) {
    const Vec way = vec_minus(sphere_centre(&scene->spheres[bond.to]), sphere_centre(&scene->spheres[bond.from]));
    return (double)vec_dot(way, way);
}

void bonds_move(const Bonds *bonds, const Scene *from, Scene *scene) {
    for (size_t i = 0; i < bonds->count && i < scene->cylinder_count; i++) {
        const Bond bond = bonds->list[i];
        Cylinder *cylinder = &scene->cylinders[i];
        *cylinder = from->cylinders[i];
        put_ends(cylinder, &scene->spheres[bond.from], &scene->spheres[bond.to]);
        if (square_between(scene, bond) > 4 * square_between(from, bond))
            cylinder->radius = 0;
    }
}
