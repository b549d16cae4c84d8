/* winners.h: a tile of Kuwahara's filter whose boxes compete in pairs. */
#ifndef GLINT_CPU_KUWAHARA_WINNERS_H
#define GLINT_CPU_KUWAHARA_WINNERS_H

#include "core/device/backend.h"
#include "core/ops/kuwahara.h"

enum {
    WINNERS_COLUMNS = 512, /* pixels of a tile; those at the edges may be smaller */
    WINNERS_ROWS = 128,
    WINNERS_PITCH =
        WINNERS_COLUMNS + 2 * KUWAHARA_RADIUS_MAX + 34, /* of rows in scratch, with room for whole vectors */
};

/* The tile whose upper left pixel is (x, y). `scratch` has winners_scratch_bytes, 64-byte aligned. False if the tile
 * has read a value that is not finite: it stays in the sums, and the results are wrong. */
typedef bool WinnersTile(const Stage *stage, size_t x, size_t y, void *scratch);

extern WinnersTile *const winners_tile_portable, *const winners_tile_avx2, *const winners_tile_avx512;

/* Rows of eight bytes a value: of slots that a window leaves again, and others. */
static inline size_t winners_scratch_bytes(const Stage *stage) {
    const size_t channels = (size_t)stage->out.shape.channels, radius = (size_t)kuwahara_job(stage)->radius;
    const size_t slots = (radius + 1) * (channels + 2) + radius * 3, rows = 4 * channels + 9;
    return (slots + rows) * WINNERS_PITCH * sizeof(uint64_t);
}

#endif
