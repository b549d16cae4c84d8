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
    if (one->to != other->to)
        return one->to < other->to ? -1 : 1;
    return memcmp(one->across, other->across, sizeof one->across);
}

/* ---- periodic boxes ---- */

/* A box as bonds need it. */
typedef struct Period {
    const Box *box; /* NULL: nothing is periodic */
    double inverse[3][3];
    bool open[3]; /* as the box's, and where particles lie apart by more than SIDES_APART of its sides */
} Period;

#define SIDES_APART 2.0

static Period period_of(const Box *box) {
    Period period = {.box = box};
    if (box) {
        box_invert(box, period.inverse);
        memcpy(period.open, box->open, sizeof period.open);
    }
    return period;
}

/* Where a sphere is along the sides, in their lengths. */
static void shares_of(const Period *period, const Sphere *sphere, double shares[3]) {
    const double at[3] = {(double)sphere->x, (double)sphere->y, (double)sphere->z};
    for (int i = 0; i < 3; i++) {
        shares[i] = 0;
        for (int k = 0; k < 3; k++)
            shares[i] += (at[k] - period->box->corner[k]) * period->inverse[k][i];
    }
}

/* The sphere, so many sides farther. */
static Sphere image_of(const Box *box, const Sphere *sphere, const int8_t across[3]) {
    double at[3] = {(double)sphere->x, (double)sphere->y, (double)sphere->z};
    Sphere image = *sphere;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            at[k] += across[i] * box->sides[i][k];
    image.x = (float)at[0];
    image.y = (float)at[1];
    image.z = (float)at[2];
    return image;
}

static void keep_sides(const Box *box, Bonds *bonds) {
    for (int i = 0; i < 3 && box; i++)
        bonds->sides[i] = vec((float)box->sides[i][0], (float)box->sides[i][1], (float)box->sides[i][2]);
}

static bool is_across(Bond bond) {
    return bond.across[0] != 0 || bond.across[1] != 0 || bond.across[2] != 0;
}

/* ---- by distance ---- */

/* Images of spheres that may have bonds to some in the box. */
typedef struct Images {
    Sphere *list;
    Bond *from; /* of each: the sphere is `to` */
    size_t count;
} Images;

typedef struct Cell {
    int64_t x, y, z;
} Cell;

typedef struct Grid {
    const Sphere *spheres;
    size_t count;
    Images images;
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

/* The sphere, or the image behind all spheres. */
static const Sphere *member(const Grid *grid, size_t k) {
    return k < grid->count ? &grid->spheres[k] : &grid->images.list[k - grid->count];
}

static Bond bond_to(const Grid *grid, size_t i, size_t k) {
    Bond bond = {.to = (uint32_t)k};
    if (k >= grid->count)
        bond = grid->images.from[k - grid->count];
    bond.from = (uint32_t)i;
    return bond;
}

static bool is_bonded(const Grid *grid, size_t i, size_t k) {
    const Sphere *a = &grid->spheres[i], *b = member(grid, k);
    const double one = (double)grid->reaches[i % grid->period];
    const double other = (double)grid->reaches[bond_to(grid, i, k).to % grid->period];
    const double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y, z = (double)a->z - (double)b->z;
    const double square = x * x + y * y + z * z, least = (double)grid->least, most = one + other;
    return one > 0 && other > 0 && square < most * most && square > 0 && square >= least * least;
}

/* Whether so many more pairs are more than are tried: then all are near to all. */
static bool gives_up(const Grid *grid, size_t pairs) {
    return atomic_fetch_add_explicit(grid->pairs, pairs, memory_order_relaxed) + pairs > grid->pairs_max;
}

/* The bonds of sphere i to those behind it and to images, into `to` unless that is NULL; returns how many there are. */
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
            const Cell there = cell_of(grid, member(grid, k)); /* another cell may have the same bucket */
            if (there.x != cell.x || there.y != cell.y || there.z != cell.z)
                continue;
            if (to)
                to[found] = bond_to(grid, i, k);
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
    const size_t members = grid->count + grid->images.count;
    for (size_t i = 0; i < members; i++)
        grid->first[bucket_of(grid, cell_of(grid, member(grid, i)))]++;
    uint32_t sum = 0;
    for (size_t bucket = 0; bucket <= grid->mask + 1; bucket++) {
        sum += grid->first[bucket];
        grid->first[bucket] = sum; /* its end, from which spheres take places downwards */
    }
    for (size_t i = members; i-- > 0;)
        grid->order[--grid->first[bucket_of(grid, cell_of(grid, member(grid, i)))]] = (uint32_t)i;
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

/* The images that lie within `reach` of any sphere's share of the sides. */
typedef struct Margin {
    double low[3], high[3]; /* shares */
} Margin;

static Margin margin_around(Period *period, const Grid *grid, double reach) {
    Margin margin = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double shares[3];
    for (size_t i = 0; i < grid->count; i++) {
        shares_of(period, &grid->spheres[i], shares);
        for (int a = 0; a < 3; a++) {
            margin.low[a] = fmin(margin.low[a], shares[a]);
            margin.high[a] = fmax(margin.high[a], shares[a]);
            period->open[a] |= !isfinite(shares[a]);
        }
    }
    for (int a = 0; a < 3; a++) { /* a share's change along the way that changes it most */
        period->open[a] |= margin.high[a] - margin.low[a] > SIDES_APART;
        const double steep = hypot(hypot(period->inverse[0][a], period->inverse[1][a]), period->inverse[2][a]);
        margin.low[a] -= reach * steep;
        margin.high[a] += reach * steep;
    }
    return margin;
}

/* How many sides the images of a sphere within the margin are away, least and most. Returns how many they are, the
 * sphere itself among them. */
static size_t range_of(const Period *period, const Margin *margin, const Sphere *sphere, int least[3], int most[3]) {
    double shares[3];
    size_t count = 1;
    shares_of(period, sphere, shares);
    for (int a = 0; a < 3; a++) {
        least[a] = period->open[a] ? 0 : (int)ceil(margin->low[a] - shares[a]);
        most[a] = period->open[a] ? 0 : (int)floor(margin->high[a] - shares[a]);
        count *= most[a] < least[a] ? 0 : (size_t)(most[a] - least[a] + 1);
    }
    return count;
}

/* Images beyond the places that spheres may have are near none. */
static void put_images(const Period *period, const Margin *margin, const Grid *grid, size_t i, Images *to) {
    int least[3], most[3];
    (void)range_of(period, margin, &grid->spheres[i], least, most);
    for (int a = least[0]; a <= most[0]; a++)
        for (int b = least[1]; b <= most[1]; b++)
            for (int c = least[2]; c <= most[2]; c++) {
                const Bond from = {.to = (uint32_t)i, .across = {(int8_t)a, (int8_t)b, (int8_t)c}};
                const Sphere image = image_of(period->box, &grid->spheres[i], from.across);
                const float farthest = fmaxf(fmaxf(fabsf(image.x), fabsf(image.y)), fabsf(image.z));
                if (!is_across(from) || !(farthest <= 4 * SPHERE_FARTHEST))
                    continue;
                to->list[to->count] = image;
                to->from[to->count++] = from;
            }
}

/* Finds the images of all spheres that have bonds. Bonds of many boxes' length are refused. */
static Status find_images(const char *name, const Box *box, Grid *grid) {
    enum { SIDES_MAX = 100 };
    Period period = period_of(box);
    const size_t most = memory_budget() / (sizeof(Sphere) + sizeof(Bond)), limit = UINT32_MAX - grid->count;
    if (!box || grid->count == 0)
        return STATUS_OK;
    const Margin margin = margin_around(&period, grid, grid->side);
    for (int a = 0; a < 3; a++)
        if (!period.open[a] && !(margin.high[a] - margin.low[a] < SIDES_MAX))
            return fail(STATUS_INPUT, "%s: bonds reach over %d of its boxes, want shorter ones", name, SIDES_MAX);
    size_t all = 0;
    int least[3], highest[3];
    for (size_t i = 0; i < grid->count; i++)
        if (grid->reaches[i % grid->period] > 0) {
            all += range_of(&period, &margin, &grid->spheres[i], least, highest);
            if (all > most || all > limit)
                return fail(STATUS_INPUT, "%s: bonds reach more than %zu images of particles, want shorter ones", name,
                            most < limit ? most : limit);
        }
    grid->images.list = malloc((all + 1) * sizeof *grid->images.list);
    grid->images.from = malloc((all + 1) * sizeof *grid->images.from);
    if (!grid->images.list || !grid->images.from)
        return fail(STATUS_DEVICE, "%s: no memory to find bonds", name);
    for (size_t i = 0; i < grid->count; i++)
        if (grid->reaches[i % grid->period] > 0)
            put_images(&period, &margin, grid, i, &grid->images);
    return STATUS_OK;
}

static Status allocate_grid(const char *name, Grid *grid) {
    const size_t members = grid->count + grid->images.count;
    while (grid->mask + 1 < members)
        grid->mask = 2 * grid->mask + 1;
    grid->first = calloc(grid->mask + 2, sizeof *grid->first);
    grid->order = malloc((members + 1) * sizeof *grid->order);
    grid->begins = malloc((grid->count / PIECE + 1) * sizeof *grid->begins);
    return grid->first && grid->order && grid->begins ? STATUS_OK
                                                      : fail(STATUS_DEVICE, "%s: no memory to find bonds", name);
}

Status bonds_by_distance(const char *name, const Sphere *spheres, size_t count, const float *reaches, size_t period,
                         float least, const Box *box, Bonds *bonds) {
    enum { TRIES = 64 /* pairs that are tried for each bond that fits */ };
    atomic_size_t pairs = 0;
    Grid grid = {.spheres = spheres,
                 .count = count,
                 .reaches = reaches,
                 .period = period,
                 .least = least,
                 .pairs_max = memory_product(memory_budget() / (sizeof(Cylinder) + sizeof(Bond)), TRIES),
                 .pairs = &pairs};
    float farthest = 0;
    *bonds = (Bonds){0};
    for (size_t i = 0; i < period && i < count; i++)
        farthest = fmaxf(farthest, reaches[i]);
    grid.side = 2 * (double)farthest;
    if (period == 0 || !(grid.side > 0))
        return STATUS_OK;
    grid.side = fmax(grid.side, (double)SPHERE_RADIUS_MIN); /* cells have whole numbers */
    Status status = find_images(name, box, &grid);
    if (status == STATUS_OK)
        status = allocate_grid(name, &grid);
    if (status == STATUS_OK)
        status = find_all(name, &grid, bonds);
    keep_sides(box, bonds);
    free(grid.images.list);
    free(grid.images.from);
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
            to[found++] = a < b ? (Bond){.from = a, .to = b} : (Bond){.from = b, .to = a};
    }
    qsort(to, found, sizeof *to, compare_bonds);
    for (size_t i = 0; i < found; i++)
        if (kept == 0 || compare_bonds(&to[i], &to[kept - 1]) != 0)
            to[kept++] = to[i];
    return kept;
}

/* Has each bond go to the nearest image of its sphere. Bonds across a border become two halves, for which there is
 * room. Returns how many bonds there are. */
static size_t cross_borders(const Box *box, const Sphere *spheres, Bond *bonds, size_t count) {
    const Period period = period_of(box);
    size_t all = count;
    for (size_t i = 0; i < count && box; i++) {
        double from[3], to[3];
        shares_of(&period, &spheres[bonds[i].from], from);
        shares_of(&period, &spheres[bonds[i].to], to);
        Bond other = {.from = bonds[i].to, .to = bonds[i].from};
        for (int a = 0; a < 3; a++) {
            const double away = period.open[a] ? 0 : round(from[a] - to[a]);
            bonds[i].across[a] = (int8_t)fmin(fmax(away, -INT8_MAX), INT8_MAX);
            other.across[a] = (int8_t)-bonds[i].across[a];
        }
        if (is_across(other))
            bonds[all++] = other;
    }
    return all;
}

Status bonds_by_number(const char *name, const Bonds *pairs, const uint32_t *numbers, const Sphere *spheres,
                       size_t count, size_t images, const Box *box, Bonds *bonds) {
    *bonds = (Bonds){0};
    Entry *entries = malloc((count + 1) * sizeof *entries);
    Status status = entries ? allocate(name, memory_product(box ? 2 * pairs->count : pairs->count, images), bonds)
                            : fail(STATUS_DEVICE, "%s: no memory to find bonds", name);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < count; i++)
            entries[i] = (Entry){numbers[i], (uint32_t)i};
        qsort(entries, count, sizeof *entries, compare_entries);
        const size_t found = cross_borders(box, spheres, bonds->list, find_pairs(pairs, entries, count, bonds->list));
        keep_sides(box, bonds);
        for (size_t i = found; i < found * images; i++) {
            bonds->list[i] = bonds->list[i - found];
            bonds->list[i].from += (uint32_t)count;
            bonds->list[i].to += (uint32_t)count;
        }
        bonds->count = found * images;
    }
    free(entries);
    return status;
}

/* ---- cylinders ---- */

/* From a bond's first sphere to the other one, or to its image. */
static Vec way_along(const Bonds *bonds, Bond bond, const Scene *scene) {
    Vec way = vec_minus(sphere_centre(&scene->spheres[bond.to]), sphere_centre(&scene->spheres[bond.from]));
    for (int i = 0; i < 3; i++)
        way = bond.across[i] ? vec_along(way, bond.across[i], bonds->sides[i]) : way;
    return way;
}

/* The nearest point that a cylinder may have. */
static Vec within(Vec at) {
    return vec(fminf(fmaxf(at.x, -SPHERE_FARTHEST), SPHERE_FARTHEST),
               fminf(fmaxf(at.y, -SPHERE_FARTHEST), SPHERE_FARTHEST),
               fminf(fmaxf(at.z, -SPHERE_FARTHEST), SPHERE_FARTHEST));
}

static void put_ends(Cylinder *cylinder, const Bonds *bonds, Bond bond, const Scene *scene) {
    const bool across = is_across(bond);
    const Sphere *from = &scene->spheres[bond.from], *to = &scene->spheres[across ? bond.from : bond.to];
    cylinder->ends[0] = sphere_centre(from);
    cylinder->ends[1] =
        across ? within(vec_along(sphere_centre(from), 0.5F, way_along(bonds, bond, scene))) : sphere_centre(to);
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
        const Bond bond = bonds->list[i];
        scene->cylinders[i] = (Cylinder){.radius = radius, .material = scene->spheres[bond.from].material};
        put_ends(&scene->cylinders[i], bonds, bond, scene);
    }
    return STATUS_OK;
}

static double square_between(const Bonds *bonds, Bond bond, const Scene *scene) {
    const Vec way = way_along(bonds, bond, scene);
    return (double)vec_dot(way, way);
}

void bonds_move(const Bonds *bonds, const Scene *from, Scene *scene) {
    for (size_t i = 0; i < bonds->count && i < scene->cylinder_count; i++) {
        const Bond bond = bonds->list[i];
        Cylinder *cylinder = &scene->cylinders[i];
        *cylinder = from->cylinders[i];
        put_ends(cylinder, bonds, bond, scene);
        if (square_between(bonds, bond, scene) > 4 * square_between(bonds, bond, from))
            cylinder->radius = 0;
    }
}
