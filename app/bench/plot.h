/* plot.h: ladders and curves as pictures.
 * Owns the program that gnuplot runs, and its output. */
#ifndef GLINT_APP_BENCH_PLOT_H
#define GLINT_APP_BENCH_PLOT_H

#include "core/base/output.h"

#include <jansson.h>

/* How the SVG files begin that plot_append makes. */
#define PLOT_OPENING "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- glint bench -->\n"

/* Writes gnuplot's script for a report's list, behind the line of its terminal. */
typedef void PlotScript(FILE *script, json_t *list);
/* Adds an SVG. STATUS_DEVICE if gnuplot is not installed or fails. */
Status plot_append(Output *output, PlotScript *put, json_t *list);

/* Plots benchmarks, as ladder_add_json makes them: a bar for each. */
PlotScript plot_ladder;
/* A text in single quotes, as gnuplot reads them. */
void plot_put_quoted(FILE *script, const char *text);

#endif
