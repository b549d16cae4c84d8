/* bands.h: the weights of a resampling as whole numbers, in the fragments that tensor products of bytes read.
 * A weight is w * one = d0 + 256 d1 + 65536 d2 + ... Each digit is from -128 to 127, and has a matrix of its own.
 * Across, a matrix has the weights of BAND_VALUES values by BAND_STEP bytes of a row. The upper byte of u16 has 256
 * times the lower one's weight, and a digit more. Down, a matrix has those of BAND_ROWS rows by BAND_RESULTS results of
 * a column. Groups of equal weights share their matrices. A digit less does across where a picture shrinks much: the
 * errors of many small weights change less than one result in a thousand. */
#ifndef GLINT_GPU_RESAMPLE_BANDS_H
#define GLINT_GPU_RESAMPLE_BANDS_H

#include "core/ops/resample.h"
#include "gpu/gpu.h"

enum {
    BAND_EXPONENT = 22, /* a weight of 1 across: 2^22, or 2^17 at most of a digit less; down, 2^22, and 2^30 for u16 */
    BAND_EXPONENT_SHORT = 17,
    BAND_EXPONENT_WIDE = 30,
    BAND_DIGITS = 3, /* of a weight of u8; of u16, one more */
    BAND_VALUES = 16,
    BAND_STEP = 32,
    BAND_STEPS_MAX = 8,   /* of a group: more would not stay in registers */
    BAND_STEPS_WIDE = 10, /* of u16, with half of the warps */
    BAND_RESULTS = 8,
    BAND_ROWS = 32,
    BAND_BLOCKS_MAX = 4 /* of rows, which a group of results needs */
};

/* A group of neighbours. Across, its window begins at byte `first` of a row, a multiple of 16. Down, it has `count`
 * blocks of rows from block `first` on. `matrix`: its first matrix, of those with its digits. */
typedef struct BandGroup {
    int32_t first, count, matrix, unused;
} BandGroup;

typedef struct Bands {
    int groups, most; /* steps across, or blocks down: the most of a group */
    int digits;
    double factor; /* of two digits' weights to 2^BAND_EXPONENT_SHORT; down, weights are as much larger; else 1 */
    int origin;    /* down: the row with which block 0 begins, at most 0 */
    BandGroup *group;
    const BandGroup *group_on; /* on the device */
    const void *matrices_on;
} Bands;

/* Whether both axes fit into BAND_STEPS_MAX and BAND_BLOCKS_MAX. */
bool gpu_resample_bands_fit(const Stage *stage);
/* For this call of the queue. STATUS_DEVICE if memory is short. */
Status gpu_resample_bands(Queue *queue, const Stage *stage, const Bands **across, const Bands **down);

#endif
