/* passes.h: a tile of the picture convolved with one or two outer products: down the columns, then along the rows.
 *
 * The sums down the columns read the picture itself. They are made for PASS_ROWS rows of a few vectors at once in
 * registers. A value is thus converted once for several rows, and a weight serves several vectors. They go to lines in
 * the first-level cache, where the pixels beyond the picture's sides are filled in. From there they go along the rows
 * into results. A channel's taps are `channels` values apart; else channels do not matter. */
#ifndef GLINT_CPU_CONVOLVE_PASSES_H
#define GLINT_CPU_CONVOLVE_PASSES_H

#include "core/device/backend.h"
#include "core/ops/convolve.h"
#include "cpu/point/around.h"

enum {
    PASS_ROWS = 6,
    PASS_STEP = 128 /* values: summed along a row at once, at most; lines are longer by so much */
};

/* The job that all tiles of a stage share. */
typedef struct PassJob {
    const Stage *stage;
    const MaskTerms *terms;
    size_t count;               /* of them */
    const PointsAround *around; /* points that go along, or NULL */
    size_t width, rows;         /* of a tile in pixels; those at the edges may be smaller */
    size_t length;              /* of a line, in values */
    bool stream;                /* write past the caches: the output is larger than they are */
} PassJob;

/* Convolves the tile whose upper left pixel is (x, y). `scratch` has pass_scratch_bytes, 64-byte aligned. */
typedef void PassRun(const PassJob *job, size_t x, size_t y, void *scratch);

extern PassRun *const pass_run_portable, *const pass_run_avx2, *const pass_run_avx512;

static inline size_t pass_mask_height(const PassJob *job) {
    return (size_t)convolve_job(job->stage)->mask->height;
}

/* Source rows that a tile reads, and those that it asks for ahead. */
static inline size_t pass_source_rows(const PassJob *job) {
    return job->rows + pass_mask_height(job) + 2 * PASS_ROWS;
}

/* Rows of the points' results that are kept. */
static inline size_t pass_ring_rows(const PassJob *job) {
    return job->stage->points && job->stage->points->before ? pass_mask_height(job) + PASS_ROWS - 1 : 0;
}

/* Bytes of a tile's parts: values as they are summed, values as they are read, pointers. */
static inline size_t pass_scratch_bytes(const PassJob *job) {
    const PixelType type = stage_shape_read(job->stage).type;
    const size_t weights = (size_t)convolve_job(job->stage)->mask->width + pass_mask_height(job);
    const size_t sums = ((job->count * PASS_ROWS + 1) * job->length + job->count * weights + 1) / 2 * 2;
    const size_t values = (pass_ring_rows(job) + 2) * job->length;
    const size_t bytes = sums * (type == PIXEL_U16 ? sizeof(double) : sizeof(float)) + values * pixel_type_size(type);
    return (bytes + pass_source_rows(job) * sizeof(void *) + 63) / 64 * 64;
}

#endif
