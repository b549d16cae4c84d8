/* trace_rows.h: one picture, traced by all processes of a cluster.
 * Owns the processes' shares of the rows. Processes share rows, not samples, because sums of floats depend on their
 * order. One process adds all samples of a pixel, which therefore has the same bits as on one machine. */
#ifndef GLINT_APP_TRACE_ROWS_H
#define GLINT_APP_TRACE_ROWS_H

#include "core/tracer/progressive.h"

/* This process's, of a picture of which `bytes` is a row; all 0 where it is alone. */
Stripes trace_rows_own(size_t height, size_t bytes);
/* Brings the rows that all have traced into the frames of process 0; by all. *progressive then counts the samples that
 * all pixels have. STATUS_DEVICE. */
Status trace_rows_gather(Progressive *progressive);

#endif
