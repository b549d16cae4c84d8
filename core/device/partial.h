/* partial.h: a result that can be seen while it is made: where to begin, and which tiles of it are done.
 * One thread makes it, with others that help; another one looks. */
#ifndef GLINT_CORE_DEVICE_PARTIAL_H
#define GLINT_CORE_DEVICE_PARTIAL_H

#include "core/device/partition.h"
#include "core/stage/stage.h"

#include <stdatomic.h>
#include <stdint.h>

enum { PARTIAL_TILES = 1 << 15 };

typedef struct Partial {
    double x, y; /* pixels of the result: the tiles about this place come first. Set before the run */
    /* By the run: */
    Frame frame;          /* the result being made */
    size_t columns, rows; /* of a tile; those at the edges may be smaller */
    size_t across, down;  /* tiles */
    unsigned launches;    /* how many have shared out the frame */
    unsigned serial;      /* changes with each run; not 0 */
    atomic_bool open;     /* all of these may be read: tiles that are done have their pixels */
    atomic_size_t count;  /* of tiles that are done */
    atomic_uchar done[PARTIAL_TILES];
} Partial;

/* A run that makes this frame begins. */
void partial_begin(Partial *partial, Frame frame);
/* The frame is shared out in so many tiles, and their order is written to `order`. False if nobody can look: there are
 * too many tiles, or they are not all of the frame. False also if the frame was shared out before: its first pixels are
 * not the result's. */
bool partial_share(Partial *partial, Partition how, size_t tiles, uint32_t *order);
void partial_add(Partial *partial, size_t tile); /* call it when the tile is done */

/* A reader calls these three. */
static inline bool partial_open(Partial *partial) {
    return partial && atomic_load_explicit(&partial->open, memory_order_acquire);
}
static inline bool partial_has(Partial *partial, size_t tile) {
    return atomic_load_explicit(&partial->done[tile], memory_order_acquire) != 0;
}
static inline double partial_progress(Partial *partial) {
    return (double)atomic_load(&partial->count) / (double)(partial->across * partial->down);
}
/* The reader has seen enough; call it while nothing runs. */
static inline void partial_close(Partial *partial) {
    atomic_store(&partial->open, false);
}

#endif
