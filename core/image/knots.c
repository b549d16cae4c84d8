/* knots.c: points and slopes. */
#include "core/image/knots.h"

#include "core/base/text.h"

#include <math.h>
#include <string.h>

/* Two numbers, and the separators that may stand behind them; NULL if the numbers are not there. */
static const char *read_pair(const char *text, Knot *knot) {
    const char *end = text + strspn(text, " ");
    if (!text_number(end, &end, &knot->x) || !text_number(end + strspn(end, " "), &end, &knot->y))
        return NULL;
    return end + strspn(end, " ;,");
}

static Status read_knots(const char *text, Knot *knots, int *count) {
    const char *at = text;
    double last = -KNOTS_APART; /* percent */
    for (*count = 0; *at; ++*count) {
        if (*count == KNOTS_MAX)
            return fail(STATUS_USAGE, "curves: more than %d points", KNOTS_MAX);
        Knot *knot = &knots[*count];
        at = read_pair(at, knot);
        if (!at)
            return fail(STATUS_USAGE, "curves: point %d of \"%s\" is not two numbers", *count + 1, text);
        if (!(knot->x >= 0 && knot->x <= 100 && knot->y >= 0 && knot->y <= 100))
            return fail(STATUS_USAGE, "curves: point %g %g, want percents from 0 to 100", knot->x, knot->y);
        if (!(knot->x - last >= KNOTS_APART - 1e-9)) /* decimals miss the distance by a little */
            return fail(STATUS_USAGE, "curves: %g behind %g, want ascending values, at least %g apart", knot->x, last,
                        KNOTS_APART);
        last = knot->x;
        knot->x /= 100;
        knot->y /= 100;
    }
    return *count > 0 ? STATUS_OK : fail(STATUS_USAGE, "curves: want points, as in curves=0 0; 25 15; 100 100");
}

/* At an end, from the two steps next to it: the parabola's, but of the curve's own direction and not too steep. */
static double end_slope(double h, double h2, double d, double d2) {
    const double slope = ((2 * h + h2) * d - h * d2) / (h + h2);
    if (slope * d <= 0)
        return 0;
    return d * d2 <= 0 && fabs(slope) > fabs(3 * d) ? 3 * d : slope;
}

/* 0 where the curve turns, else the harmonic mean of both sides, weighted by their lengths: it never overshoots. */
static void find_slopes(Knot *knots, int count) {
    double h[KNOTS_MAX], d[KNOTS_MAX];
    for (int i = 0; i + 1 < count; i++) {
        h[i] = knots[i + 1].x - knots[i].x;
        d[i] = (knots[i + 1].y - knots[i].y) / h[i];
    }
    for (int i = 1; i + 1 < count; i++) {
        const double before = 2 * h[i] + h[i - 1], behind = h[i] + 2 * h[i - 1];
        knots[i].slope = d[i - 1] * d[i] > 0 ? (before + behind) / (before / d[i - 1] + behind / d[i]) : 0;
    }
    const int n = count - 1;
    knots[0].slope = count > 2 ? end_slope(h[0], h[1], d[0], d[1]) : count == 2 ? d[0] : 0;
    knots[n].slope = count > 2 ? end_slope(h[n - 1], h[n - 2], d[n - 1], d[n - 2]) : count == 2 ? d[0] : 0;
}

void knots_smooth(Knots *knots) {
    find_slopes(knots->list, knots->count);
}

Status knots_parse(const char *text, Knots *knots) {
    TRY(read_knots(text, knots->list, &knots->count));
    knots_smooth(knots);
    return STATUS_OK;
}

int knots_parameters(const Knots *knots, double parameters[KNOT_PARAMETERS]) {
    parameters[0] = knots->count;
    for (int i = 0; i < knots->count; i++) {
        parameters[1 + 3 * i] = knots->list[i].x;
        parameters[2 + 3 * i] = knots->list[i].y;
        parameters[3 + 3 * i] = knots->list[i].slope;
    }
    return 1 + 3 * knots->count;
}
