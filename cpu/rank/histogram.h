/* histogram.h: ranks in boxes of u8 by histograms of columns, strip by strip. */
#ifndef GLINT_CPU_RANK_HISTOGRAM_H
#define GLINT_CPU_RANK_HISTOGRAM_H

#include "core/device/backend.h"
#include "core/ops/rank.h"

#include <stdint.h>

enum { RANGES = 16, HISTOGRAM_BYTES = RANGES * (RANGES + 1) /* of a column */ };

/* A strip of one channel: its results' place, and its memory. */
typedef struct HistogramStrip {
    const Stage *stage;
    int channel;
    size_t x, y, width, rows; /* of results */
    uint8_t *entering;        /* two rows of pixels as wide as the strip and a window */
    uint8_t *leaving;
    uint8_t *results; /* a row of one channel */
    uint8_t *ranges;  /* of each column: how many are at most 15, 31, ... */
    uint8_t *columns; /* of each column and each range: how many are at most its first value, its second, ... */
} HistogramStrip;

typedef void HistogramRun(const HistogramStrip *strip);

extern HistogramRun *const histogram_run_portable, *const histogram_run_avx2, *const histogram_run_avx512;

#endif
