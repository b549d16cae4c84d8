/* plot.h: a ladder as a picture.
 * Owns the program that gnuplot runs, and what comes out of it. */
#ifndef GLINT_APP_BENCH_PLOT_H
#define GLINT_APP_BENCH_PLOT_H

#include "core/output.h"

#include <jansson.h>

/* How the SVG files begin that plot_append makes. */
#define PLOT_OPENING "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- glint bench -->\n"

/* Adds an SVG of the benchmarks in `list`, as ladder_add_json makes them: a bar for each. STATUS_DEVICE if gnuplot is
 * not installed or fails. */
Status plot_append(Output *output, json_t *list);

#endif
