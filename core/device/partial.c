/* partial.c: tiles by how far their middles are from where to begin. */
#include "core/device/partial.h"

#include <stdlib.h>
#include <string.h>

void partial_begin(Partial *partial, Frame frame) {
    atomic_store(&partial->open, false);
    partial->frame = frame;
    partial->launches = 0;
}

/* Nearer tiles come first; tiles at equal distances keep their order. */
typedef struct Distance {
    double square;
    uint32_t tile;
} Distance;

static int compare(const void *a, const void *b) {
    const Distance *one = a, *other = b;
    if (one->square < other->square || one->square > other->square)
        return one->square < other->square ? -1 : 1;
    return one->tile < other->tile ? -1 : 1;
}

static double middle(size_t index, size_t side, size_t length) {
    const size_t from = index * side, to = from + side < length ? from + side : length;
    return (double)(from + to) / 2;
}

static bool put_in_order(const Partial *partial, uint32_t *order) {
    const size_t tiles = partial->across * partial->down;
    Distance *distances = malloc(tiles * sizeof *distances);
    if (!distances)
        return false;
    for (size_t i = 0; i < tiles; i++) {
        const double x = middle(i % partial->across, partial->columns, partial->frame.shape.width) - partial->x;
        const double y = middle(i / partial->across, partial->rows, partial->frame.shape.height) - partial->y;
        distances[i] = (Distance){x * x + y * y, (uint32_t)i};
    }
    qsort(distances, tiles, sizeof *distances, compare);
    for (size_t i = 0; i < tiles; i++)
        order[i] = distances[i].tile;
    free(distances);
    return true;
}

/* A frame that was opened stays as it is: another thread may be looking. */
bool partial_share(Partial *partial, Partition how, size_t tiles, uint32_t *order) {
    const Shape shape = partial->frame.shape;
    atomic_store(&partial->open, false);
    if (partial->launches++ > 0)
        return false;
    partial->columns = how.tile[0] > 0 ? how.tile[0] : shape.width;
    partial->rows = how.tile[1];
    partial->across = (shape.width + partial->columns - 1) / partial->columns;
    partial->down = (shape.height + partial->rows - 1) / partial->rows;
    if (tiles > PARTIAL_TILES || tiles != partial->across * partial->down || !put_in_order(partial, order))
        return false;
    partial->serial += partial->serial + 1 == 0 ? 2 : 1;
    memset((void *)partial->done, 0, tiles);
    atomic_store(&partial->count, 0);
    atomic_store_explicit(&partial->open, true, memory_order_release);
    return true;
}

void partial_add(Partial *partial, size_t tile) {
    atomic_store_explicit(&partial->done[tile], 1, memory_order_release);
    atomic_fetch_add(&partial->count, 1);
}
