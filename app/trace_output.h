/* trace_output.h: the names of the files that glint trace writes, and words about their light. */
#ifndef GLINT_APP_TRACE_OUTPUT_H
#define GLINT_APP_TRACE_OUTPUT_H

#include "app/common_options.h"
#include "core/run/simulation.h"
#include "core/tracer/progressive.h"

#include <limits.h>

/* The file of frame `frame`, from 0 on, of `frames`; 0 frames: `output` itself. Its number, from 1 on, stands where
 * `output` says {frame}, else behind a dash before the extension. STATUS_DEVICE if the path is too long. */
Status trace_output_name(const char *output, long frame, long frames, char path[static PATH_MAX]);
/* "7 of 64 samples a pixel, and 3 more in 37 % of the picture", which has so many rows. */
void trace_output_samples(const Progressive *progressive, size_t height, char *text, size_t size);
/* Tells how well energy and momentum of the bodies were kept, if they have moved. */
void trace_output_totals(const CommonOptions *common, Simulation *simulation, const Bodies *bodies,
                         unsigned long steps);

#endif
