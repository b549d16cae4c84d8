/* windows.h: ranks in boxes of u8 by a histogram of every window, strip by strip. */
#ifndef GLINT_CPU_RANK_WINDOWS_H
#define GLINT_CPU_RANK_WINDOWS_H

#include "core/device/backend.h"
#include "cpu/rank/narrow.h"

#include <stdint.h>

enum {
    WINDOWS_VALUES = 256,
    WINDOWS_GROUP = 64 /* results: the widest vector of counts; a strip is a multiple of it wide */
};

/* A strip of one channel: its results' place, and its memory. The counts of value v begin at row v; result x of the
 * strip has count number before + x there. */
typedef struct WindowsStrip {
    const Stage *stage;
    int channel;
    size_t x, y, width, rows; /* of results */
    size_t columns;           /* of keys that enter: the strip as whole groups, and a window */
    uint8_t *row;             /* of the picture, with all channels */
    uint8_t *entering, *leaving, *results;
    int8_t *changes; /* of the count below a value, by column */
    char *counts;
    size_t stride, before; /* bytes of a value's row of counts; counts in it before the first result's */
} WindowsStrip;

typedef void WindowsRun(const WindowsStrip *strip);

extern WindowsRun *const windows_run_portable, *const windows_run_avx2, *const windows_run_avx512;

#endif
