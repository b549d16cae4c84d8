/* spread.c: quantiles and bins. */
#include "app/view/data/spread.h"

#include "core/base/timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void spread_add(Spread *spread, double ms) {
    spread->values[spread->next] = ms;
    spread->next = (spread->next + 1) % SPREAD_MAX;
    spread->count += spread->count < SPREAD_MAX;
    spread->all++;
    spread->worst = fmax(spread->worst, ms);
}

SpreadFigures spread_figures(const Spread *spread) {
    double values[SPREAD_MAX];
    memcpy(values, spread->values, spread->count * sizeof *values); /* full before it goes round */
    return (SpreadFigures){quantile(values, spread->count, 0.5), quantile(values, spread->count, 0.95),
                           quantile(values, spread->count, 0.99), spread->worst};
}

double spread_place(double ms) {
    const double place = ms > 0 ? 1 + 2 * log2(ms / SPREAD_FROM) : 0;
    return fmin(fmax(place, 0), SPREAD_BINS);
}

void spread_histogram(const Spread *spread, unsigned counts[SPREAD_BINS]) {
    memset(counts, 0, SPREAD_BINS * sizeof *counts);
    for (size_t i = 0; i < spread->count; i++)
        counts[(size_t)fmin(spread_place(spread->values[i]), SPREAD_BINS - 1)]++;
}

#define UNSTEADY 0.5 /* a share */

const char *spread_words(double share, char *words, size_t size) {
    if (!isfinite(share))
        snprintf(words, size, "%s", "");
    else if (share >= UNSTEADY)
        snprintf(words, size, ", unsteady");
    else
        snprintf(words, size, share < 0.0095 ? " ± %.1f %%" : " ± %.0f %%", 100 * share);
    return words;
}
