/* tile.h: a tile of the picture convolved with a dense mask, by vectors.
 *
 * Source rows are converted once to f32 (u16: to double), with the pixels beyond the border filled in, so that no tap
 * tests for it. A ring keeps the rows that the mask still needs. One kernel does all sums. It makes TILE_ROWS output
 * rows of a few vectors in registers, so that a loaded vector serves several rows and a weight several vectors. */
#ifndef GLINT_CPU_CONVOLVE_TILE_H
#define GLINT_CPU_CONVOLVE_TILE_H

#include "core/device/backend.h"
#include "core/ops/convolve.h"
#include "cpu/point/around.h"

enum {
    TILE_ROWS = 6,
    TILE_STEP = 256 /* values: made by the kernel at once, at most; rows in scratch are whole steps long */
};

/* The job that all tiles of a stage share. */
typedef struct TileJob {
    const Stage *stage;
    const PointsAround *around; /* points that go along, or NULL */
    size_t width, rows;         /* of a tile in pixels; those at the edges may be smaller */
    size_t length;              /* of a row in scratch, in values */
    bool stream;                /* write past the caches: the output is larger than they are */
} TileJob;

/* Convolves the tile whose upper left pixel is (x, y). `scratch` has tile_scratch_bytes, 64-byte aligned. */
typedef void TileRun(const TileJob *job, size_t x, size_t y, void *scratch);

extern TileRun *const tile_run_portable, *const tile_run_avx2, *const tile_run_avx512;

size_t tile_scratch_bytes(const TileJob *job);

/* Runs all tiles on the device's threads with the widest instruction set. */
Status tile_run_all(Queue *queue, const Stage *stage);

/* A job of a dense mask for tiles of this size anywhere in the picture, and one of these by the widest instruction
 * set. */
TileJob tile_job_of(const Stage *stage, size_t width, size_t rows);
void tile_run_one(const TileJob *job, size_t x, size_t y, void *scratch);

/* Level.points_ms of it. */
double tile_points_ms(const Stage *stage);

/* The workspace of that, on all threads together. */
size_t tile_workspace(const Device *device, const Stage *stage);

#endif
