/* reaches.h: a structuring element as runs of power-of-two length, in device memory. */
#ifndef GLINT_GPU_MORPHOLOGY_REACHES_H
#define GLINT_GPU_MORPHOLOGY_REACHES_H

#include "core/param/element.h"
#include "gpu/gpu.h"

enum { REACH_POWERS = 8 /* runs of 1 to 128 cells */ };

/* `list` begins with the number of the first run of each length and, behind them, the count of all runs. Then a run
 * each follows: its row in the upper 16 bits, its first column in the lower ones. Runs that overlap make any chord. */
typedef struct Reaches {
    const int *list;
    int powers;
} Reaches;

/* Makes or finds the element's runs; they stay for this call. */
Status gpu_reaches(Queue *queue, const Mask *element, Reaches *reaches);

#endif
