/* fft_tiles.h: how a stage is cut into tiles that spectra convolve. */
#ifndef GLINT_CPU_CONVOLVE_FFT_TILES_H
#define GLINT_CPU_CONVOLVE_FFT_TILES_H

#include "core/stage/stage.h"

#include <stdbool.h>

enum {
    FFT_STAGES = 6,
    FFT_LENGTH = 1024 /* the largest */
};

#define FFT_VALUE_MAX 0x1p48 /* of a value that is transformed; no sum of such leaves the range of f32 */

/* A transform's length as a product of radices (2 to 5 and 8), the first for the places furthest apart. */
typedef struct FftLength {
    int length, stages, radices[FFT_STAGES];
} FftLength;

/* The job that all tiles of a stage share. */
typedef struct FftJob {
    const Stage *stage;
    const FftLength *x, *y; /* the plane's sides */
    size_t width, height;   /* of a tile's results: at most the plane's sides less the mask's, plus 1 */
    bool wide;              /* in double */
    bool whole;             /* sums are whole numbers, and rounded to such */
    double centre;          /* taken away from all values */
    double unit;            /* weights of the spectrum are the mask's by this */
    double divisor, bias;   /* result = (sum + back) / divisor + bias; divisor is 1 unless sums are whole */
    double back;            /* the centre's share of the sums */
    bool pairs;             /* a plane is a channel of two tiles, not two channels of one */
    void *twiddles_x, *twiddles_y, *spectrum; /* of floats or doubles */
} FftJob;

/* Cuts a stage of op_convolve into tiles; twiddles and spectrum are left to the level. False if no precision is
 * enough for its weights. */
bool fft_job(const Stage *stage, FftJob *job);
/* The work of such a stage, in the unit that measured.c has times for. */
double fft_work(const Stage *stage);

#endif
