/* slopes.h: the slopes of a row of pixels. */
#ifndef GLINT_CPU_CANNY_PEAKS_SLOPES_H
#define GLINT_CPU_CANNY_PEAKS_SLOPES_H

#include "core/image/image.h"
#include "core/ops/canny.h"

/* By column. */
typedef struct SlopeRow {
    double *right, *down, *magnitudes;
} SlopeRow;

/* The slopes of all pixels but the first and the last, of a row between two others. The first `colours` of `channels`
 * values count. `sums` has room for twice as many doubles as the row has values. */
typedef void SlopesOfRow(const void *const rows[3], size_t width, int colours, int channels, double *sums, SlopeRow to);

extern SlopesOfRow *const slopes_portable[PIXEL_TYPES], *const slopes_avx2[PIXEL_TYPES],
                                                            *const slopes_avx512[PIXEL_TYPES];

/* The classes of a row of `width` pixels, between the magnitudes of the rows above and below. All have a rim. */
typedef void PeaksOfRow(const CannyJob *job, SlopeRow row, const double *above, const double *below, size_t width,
                        unsigned char *classes);

extern PeaksOfRow *const peaks_portable, *const peaks_avx2, *const peaks_avx512;

#endif
