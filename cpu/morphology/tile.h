/* tile.h: tiles of the picture whose minima or maxima are taken with vectors; chords and running share it.
 *
 * Source rows are taken into scratch as keys (cpu/keys.h), with the pixels beyond the border filled in. A ring holds
 * the rows that are made of them, as long as an output row needs them. */
#ifndef GLINT_CPU_MORPHOLOGY_TILE_H
#define GLINT_CPU_MORPHOLOGY_TILE_H

#include "core/device/backend.h"
#include "core/ops/morphology.h"

/* A run of cells of power-of-two length: it tells which part of a ring row is looked at. */
typedef struct Reach {
    int row, power; /* of the element; the run is 1 << power cells long */
    int cell;       /* the first */
} Reach;

enum { POWERS = 8 }; /* runs of up to 128 cells */

/* The job that all tiles of a stage share. */
typedef struct MorphologyTile {
    const Stage *stage;
    size_t width, rows;   /* of a tile in pixels; those at the edges may be smaller */
    size_t length;        /* of a row in scratch, in bytes */
    bool stream;          /* write past the caches: the output is larger than they are */
    const Reach *reaches; /* of chords: the runs that make up the element */
    int reach_count, powers;
} MorphologyTile;

/* Carries out the tile whose upper left pixel is (x, y), in `scratch`. */
typedef void MorphologyRun(const MorphologyTile *tile, size_t x, size_t y, char *scratch);

enum { MORPHOLOGY_CHORDS, MORPHOLOGY_RUNNING, MORPHOLOGY_RUNS };

extern MorphologyRun *const morphology_runs_portable[MORPHOLOGY_RUNS],
    *const morphology_runs_avx2[MORPHOLOGY_RUNS], *const morphology_runs_avx512[MORPHOLOGY_RUNS];

/* Runs all tiles on the device's threads with the widest instruction set. `rows_held` rows are in a thread's scratch;
 * `tile` has the reaches. */
Status morphology_run(Queue *queue, MorphologyTile tile, int which, size_t rows_held);
size_t morphology_workspace(const Device *device, const Stage *stage, size_t rows_held);

/* Boxes up to this height compare rows directly, two output rows at a time. */
enum { DIRECT_MAX = 8 };
/* Rows that they hold: those made of source rows, one source row, two of results. */
static inline size_t running_rows(const Mask *element) {
    return (size_t)element->height + 4;
}

#endif
