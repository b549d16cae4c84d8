/* machine.h: glint bench machine: the costs of a device, as small curves; and the blocks that a multiprocessor
 * holds. */
#ifndef GLINT_APP_BENCH_MACHINE_H
#define GLINT_APP_BENCH_MACHINE_H

#include "core/device/experiment.h"

#include <jansson.h>
#include <stdio.h>

/* Measures the experiments of the queue's backend, or only those of `names`, separated by commas (NULL: all). Tells
 * each on `to` and in `list` once it is measured. STATUS_USAGE for a name that the backend does not have. */
Status machine_measure(Queue *queue, const char *names, FILE *to, json_t *list);
/* The resident blocks for "REGISTERS,SHARED,BLOCK" of every compute capability, or for "...,CC" of one. STATUS_USAGE
 * for any other text. */
Status machine_occupancy(const char *text, FILE *to, json_t *list);
/* A PlotScript (plot.h): each curve of `list` in a plot of its own. */
void machine_plot(FILE *script, json_t *list);

#endif
