/* permuted.h: a tile of an enlarged picture, as permuted.isa.c makes it. */
#ifndef GLINT_CPU_RESAMPLE_PERMUTED_H
#define GLINT_CPU_RESAMPLE_PERMUTED_H

#include "cpu/resample/tables.h"

/* How the values of a result row come from those of an input row, by blocks of a vector's lanes. Value i of block b is
 * the sum over the taps k of weights[(b * taps + k) * lanes + i] * in[first[b] + places[b * lanes + i] + k * channels].
 * Places are below `lanes`: where a picture is enlarged, neighbouring results come from neighbours. */
typedef struct PermutedTable {
    int taps;
    size_t blocks;
    int32_t *first, *places;
    float *weights; /* or of double, if sums are double */
    double *wide;
} PermutedTable;

typedef struct PermutedJob {
    const Stage *stage;
    const ResampleTable *down;
    const PermutedTable *across;
    size_t rows;   /* of a tile */
    size_t source; /* values of the longest piece of an input row that a tile reads, with room behind them */
    bool stream;   /* write past the caches: the output is larger than they are */
} PermutedJob;

enum {
    PERMUTED_VALUES = 4096, /* of a row of a tile: a whole row, if it is not long, since memory is written faster so */
    PERMUTED_END = 64       /* of them, that are at most made at once */
};

/* The tile whose first result is value x of row y. */
typedef void PermutedRun(const PermutedJob *job, size_t x, size_t y, void *scratch);
extern PermutedRun *const permuted_runs_portable[PIXEL_TYPES], *const permuted_runs_avx2[PIXEL_TYPES],
                                                                   *const permuted_runs_avx512[PIXEL_TYPES];

/* Bytes of scratch for a tile, for sums of `real` bytes. */
static inline size_t permuted_scratch(size_t source, size_t rows, size_t real) {
    return (2 * source + PERMUTED_END) * sizeof(float) + (rows + 1) * (PERMUTED_VALUES * real + sizeof(void *));
}

#endif
