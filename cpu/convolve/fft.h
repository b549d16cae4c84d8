/* fft.h: tiles of the picture convolved by products of spectra.
 *
 * A tile is two real planes: two channels, or the same channel of two neighbouring tiles. They are the real and the
 * imaginary part of one complex plane: the mask is real, so that they stay apart. The plane is transformed down its
 * columns, then row by row along these. There its rows are multiplied and transformed back at once, then the columns.
 * A vector holds neighbouring columns, or, in the second pass, the same place of neighbouring rows. A transform needs
 * no shuffles: blocks are turned on the way in and out. The inverse transform takes the values in the order in which
 * the forward one leaves them. */
#ifndef GLINT_CPU_CONVOLVE_FFT_H
#define GLINT_CPU_CONVOLVE_FFT_H

#include "core/ops/convolve.h"
#include "cpu/convolve/fft_tiles.h"

enum {
    FFT_STEP = 16,       /* lengths are multiples: of all vectors */
    FFT_LINE_MORE = 128, /* numbers behind a line, which storing it may read */
    FFT_RADIX = 8        /* the largest */
};

/* Code for one instruction set. `scratch` has fft_scratch_bytes, 64-byte aligned. */
typedef struct FftCode {
    void (*prepare)(const FftJob *job, void *scratch); /* fills twiddles and spectrum */
    /* Convolves tile `across` (of pairs: that one and the next) of row `down` of tiles. False if it has read a value
     * that is not finite, which spoils a tile. */
    bool (*tile)(const FftJob *job, size_t across, size_t down, void *scratch);
} FftCode;

extern const FftCode *const fft_code_portable, *const fft_code_avx2, *const fft_code_avx512;

/* Numbers, floats or doubles, of a plane's row. It is longer than the plane is wide, so that rows do not all fall into
 * the same few sets of the cache. */
static inline size_t fft_row_length(const FftJob *job) {
    return 2 * (size_t)job->x->length + (job->wide ? 8 : 16);
}
static inline size_t fft_spectrum_length(const FftJob *job) {
    return 2 * (size_t)job->x->length * (size_t)job->y->length;
}
/* Bytes for the results of one channel of a tile, where there are several. They are brought together in scratch before
 * they go to the picture, which is then written once. */
static inline size_t fft_results_bytes(const FftJob *job) {
    const Shape shape = job->stage->out.shape;
    return shape.channels > 1 ? job->width * job->height * pixel_type_size(shape.type) : 0;
}
/* Numbers of a plane, of the rows that are transformed together, and of two lines. Results lie behind them. */
static inline size_t fft_scratch_length(const FftJob *job) {
    const size_t length = (size_t)job->x->length;
    return fft_row_length(job) * (size_t)job->y->length + 2 * length * FFT_STEP + 2 * (length + FFT_LINE_MORE);
}

#endif
