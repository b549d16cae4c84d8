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
    float *weights;
} PermutedTable;

/* A PermutedTable for u16, whose sums are whole numbers. A weight w is high / 2^14 + low / 2^(14 + shift). A vector
 * multiplies `high` and `low`, of 16 bits each, by values and adds them up in pairs. Along a row, pieces of four
 * results come from eight values each. Two vectors take turns with the pieces, so that packing them brings these in
 * order. Lane 4 j + i of vector v is result i of piece (v - v % 2) * pieces + 2 j + v % 2, where `pieces` fill a
 * vector. */
typedef struct WholeTable {
    int pairs; /* of taps */
    int shift;
    size_t vectors;
    uint32_t *first;  /* of each vector's pieces: the first value */
    uint8_t *places;  /* of each vector: of the bytes of each lane's first pair, beyond the piece's first value */
    int16_t *weights; /* of each vector, for each pair: those of all lanes `high`, then `low` */
} WholeTable;

/* The table down the columns: values of a line are whole numbers of 2^-15, in two halves. For each tap of each row, the
 * halves' weights in sums that count 2^-13, and in those 2^-shift as much: 0, high; high * 2^(shift - 16), low. */
typedef struct WholeRows {
    int shift;
    int16_t *weights;
} WholeRows;

typedef struct PermutedJob {
    const Stage *stage;
    const ResampleTable *down;
    const PermutedTable *across;
    const WholeTable *whole; /* of u16, instead of `across` */
    const WholeRows *rows_whole;
    int taps;      /* across */
    size_t rows;   /* of a tile */
    size_t source; /* values of the longest piece of an input row that a tile reads, with room behind them */
    bool stream;   /* write past the caches: the output is larger than they are */
} PermutedJob;

/* The summand, in 2^-15, of sums of whole numbers before their last bits are dropped. It is a half, the tie's bias, and
 * half of a step of 2^-13. It is also the amount that the sign of a line's lower half takes off. */
#define WHOLE_BIAS ((1 << 14) + (int32_t)(TIE_BIAS * 32768) + 2 + 32768)

enum {
    PERMUTED_VALUES = 2048, /* of a row of a tile: lines for a few taps should stay in the first-level cache */
    PERMUTED_END = 64       /* of them, that are at most made at once */
};

/* The tile whose first result is value x of row y. */
typedef void PermutedRun(const PermutedJob *job, size_t x, size_t y, void *scratch);
extern PermutedRun *const permuted_runs_portable[PIXEL_TYPES], *const permuted_runs_avx2[PIXEL_TYPES],
                                                                   *const permuted_runs_avx512[PIXEL_TYPES];

/* Bytes of scratch for a tile. */
static inline size_t permuted_scratch(size_t source, size_t rows) {
    return (2 * source + PERMUTED_END) * sizeof(float) +
           (rows + 1) * (PERMUTED_VALUES * sizeof(float) + sizeof(void *));
}

#endif
