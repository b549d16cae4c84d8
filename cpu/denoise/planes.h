/* planes.h: denoising in planes, one for each value of a pixel, with room around them for the farthest neighbours.
 * Owns the planes of a run and the interface of planes.isa.c; the level simd uses both. */
#ifndef GLINT_CPU_DENOISE_PLANES_H
#define GLINT_CPU_DENOISE_PLANES_H

#include "core/ops/denoise.h"

enum { DENOISE_LANES_MAX = 16 };

/* The values of a pixel's light: three channels, and the variance. */
enum { DENOISE_VARIANCE = 3, DENOISE_LIGHTS };
/* The values of a pixel's guide: x, y and z of the normal, nearness. */
enum { DENOISE_NEAR = 3, DENOISE_GUIDES };
enum { DENOISE_PLANES = 3 * DENOISE_LIGHTS + DENOISE_GUIDES };

/* The light that a step reads is from[], the one that it makes to[]; before the first iteration, to[DENOISE_VARIANCE]
 * holds the samples' variance. The first iteration compares by guess[], the others by from[]. Pointers are to the first
 * pixel of the first row. */
typedef struct DenoiseWork {
    const Stage *stage;
    DenoiseViews views;
    DenoiseRule rule;
    size_t margin, pitch; /* columns on either side that are absent; of rows, in values */
    float *from[DENOISE_LIGHTS], *to[DENOISE_LIGHTS], *guess[DENOISE_LIGHTS], *guide[DENOISE_GUIDES];
    int step; /* of neighbours, in pixels */
} DenoiseWork;

typedef void DenoiseRow(const DenoiseWork *work, size_t y);

typedef struct DenoiseTable {
    DenoiseRow *read, *estimate, *first, *smooth, *write;
} DenoiseTable;

extern const DenoiseTable denoise_rows_portable, denoise_rows_avx2, denoise_rows_avx512;

#endif
