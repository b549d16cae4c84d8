/* slopes.h: the slopes of a row of pixels. */
#ifndef GLINT_CPU_CANNY_PEAKS_SLOPES_H
#define GLINT_CPU_CANNY_PEAKS_SLOPES_H

#include "core/image/image.h"
#include "core/ops/canny.h"

/* By column: whole numbers of 16 bits for u8, doubles for other types. */
typedef struct SlopeRow {
    void *right, *down, *magnitudes;
} SlopeRow;

static inline size_t slope_bytes(PixelType type) {
    return type == PIXEL_U8 ? sizeof(int16_t) : sizeof(double);
}
static inline void slope_put(PixelType type, void *row, ptrdiff_t x, double value) {
    if (type == PIXEL_U8)
        ((int16_t *)row)[x] = (int16_t)value;
    else
        ((double *)row)[x] = value;
}

/* The slopes of all pixels but the first and the last, of a row between two others. The first `colours` of `channels`
 * values count. `sums` has room for twice as many doubles as the row has values. */
typedef void SlopesOfRow(const void *const rows[3], size_t width, int colours, int channels, double *sums, SlopeRow to);

extern SlopesOfRow *const slopes_portable[PIXEL_TYPES], *const slopes_avx2[PIXEL_TYPES],
                                                            *const slopes_avx512[PIXEL_TYPES];

enum { SLOPES_BEHIND = 128 /* bytes behind a row that may be read */ };

/* The classes of a row of `width` pixels, between the magnitudes of the rows above and below. All have a rim. */
typedef void PeaksOfRow(const CannyJob *job, SlopeRow row, const void *above, const void *below, size_t width,
                        unsigned char *classes);

extern PeaksOfRow *const peaks_portable[PIXEL_TYPES], *const peaks_avx2[PIXEL_TYPES], *const peaks_avx512[PIXEL_TYPES];

#endif
