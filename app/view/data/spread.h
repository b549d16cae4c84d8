/* spread.h: the spread of times: the median, the 95th and the 99th percentile, the worst one, and a histogram. A mean
 * would hide delays that people feel. */
#ifndef GLINT_APP_VIEW_DATA_SPREAD_H
#define GLINT_APP_VIEW_DATA_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

enum { SPREAD_MAX = 512, SPREAD_BINS = 26 };
#define SPREAD_FROM 0.125 /* ms: where the second bin begins; the first has shorter ones */

/* The last SPREAD_MAX times, ms, and the worst since it was zeroed. */
typedef struct Spread {
    size_t count, next;
    size_t all; /* times, since it was zeroed */
    double worst;
    double values[SPREAD_MAX];
} Spread;

/* Figures of the last times, by the nearest rank; `worst` is of all times. Zeros where there are none. */
typedef struct SpreadFigures {
    double median, p95, p99, worst;
} SpreadFigures;

void spread_add(Spread *spread, double ms);
SpreadFigures spread_figures(const Spread *spread);
/* How many of the last times are in each bin, half an octave wide. */
void spread_histogram(const Spread *spread, unsigned counts[SPREAD_BINS]);
/* Where a time lies among the bins, 0 to SPREAD_BINS. */
double spread_place(double ms);
/* How sure a time is that may be off by this share of itself: " ± 2 %", " ± 0.4 %". From a half on ", unsteady", as
 * figures of it would say nothing; "" for infinity, of a time that was taken once. Returns `words`. */
const char *spread_words(double share, char *words, size_t size);

#endif
