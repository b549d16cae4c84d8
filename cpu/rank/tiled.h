/* tiled.h: ranks in any window by a network that is made at run time, in tiles of results that share it. */
#ifndef GLINT_CPU_RANK_TILED_H
#define GLINT_CPU_RANK_TILED_H

#include "core/device/backend.h"
#include "core/ops/rank.h"

#include <stdint.h>

enum {
    TILED_ROWS_MAX = 8,  /* results one below the other, which a network has at most */
    TILED_BYTES = 256,   /* of a slot: so many bytes of keys, side by side, are exchanged at once */
    TILED_NONE = 0xffff, /* the slot of a key that nobody needs */
    TILED_CELLS = 1024   /* that a window has at most: its slots have numbers of 16 bits */
};

/* Puts the lesser keys of the slots a and b into `low`, the greater ones into `high`; one of them may be TILED_NONE. */
typedef struct TiledExchange {
    uint16_t a, b, low, high;
} TiledExchange;

/* Exchanges come in runs: so many with both keys, with the lesser, with the greater key only, and so on. */
enum { TILED_KINDS = 3 };
typedef struct TiledRuns {
    uint16_t *counts;
    size_t count; /* a multiple of TILED_KINDS */
} TiledRuns;

/* A window's network for `rows` results, one below the other. Row j of keys has a slot for each column of the window:
 * slot j * width + i begins with the keys at column i. `sorting` sorts such a row, if the window is a box; it exchanges
 * within the row's slots. `exchanges` then makes the results. */
typedef struct TiledNetwork {
    int width, height, rows;
    size_t slots;
    TiledExchange *sorting, *exchanges;
    TiledRuns sorting_runs, runs;
    uint16_t results[TILED_ROWS_MAX]; /* their slots */
} TiledNetwork;

/* How many results the network of a window so high has. */
int tiled_rows(int height);
/* The most slots that a network of this window takes. */
size_t tiled_slots(const Mask *window);
/* The window has TILED_CELLS at most. STATUS_DEVICE if memory is short. */
Status tiled_network_create(const Mask *window, int rank, TiledNetwork *network);
void tiled_network_free(TiledNetwork *network);

/* The job that all tiles of a stage share. */
typedef struct TiledTile {
    const Stage *stage;
    const TiledNetwork *network;
    size_t width, rows;    /* of a tile in pixels; rows are a multiple of the network's */
    size_t length;         /* of a row in scratch, in bytes */
    size_t results, slots; /* where they begin in scratch */
    bool stream;           /* write past the caches: the output is larger than they are */
} TiledTile;

/* Carries out the tile whose upper left pixel is (x, y), in `scratch`. */
typedef void TiledRun(const TiledTile *tile, size_t x, size_t y, char *scratch);

extern TiledRun *const tiled_run_portable, *const tiled_run_avx2, *const tiled_run_avx512;

#endif
