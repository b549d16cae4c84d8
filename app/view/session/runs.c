/* runs.c: telling warm-ups, and changes of the pace, by the times alone: not every device tells its clock. */
#include "app/view/session/runs.h"

#include <math.h>

enum { GROUP = RUN_PACE_AGE + 1 /* runs before and behind a change of the pace */ };
#define FASTER 0.9  /* of the time before: still warming up */
#define STEP   1.05 /* medians of two groups that do not overlap are at least so far apart */

static unsigned char *marks_at(Runs *runs, size_t age) {
    return &runs->marks[(runs->ms.next + HISTORY_MAX - 1 - age) % HISTORY_MAX];
}

unsigned runs_marks(const Runs *runs, size_t age) {
    return runs->marks[(runs->ms.next + HISTORY_MAX - 1 - age) % HISTORY_MAX];
}

/* The shortest and the longest of GROUP runs, from the one that is `age` runs old. */
static void extremes(const Runs *runs, size_t age, double *least, double *most) {
    *least = INFINITY;
    *most = 0;
    for (size_t i = age; i < age + GROUP; i++) {
        *least = fmin(*least, history_value(&runs->ms, i));
        *most = fmax(*most, history_value(&runs->ms, i));
    }
}

static bool pace_changed(const Runs *runs) {
    double least, most, least_before, most_before;
    extremes(runs, 0, &least, &most);
    extremes(runs, GROUP, &least_before, &most_before);
    return least > STEP * most_before || least_before > STEP * most;
}

bool runs_disagree(const Runs *runs) {
    double values[RUNS_COMPARED];
    size_t count = 0;
    for (size_t age = 0; age < runs->alike && age < runs->ms.count && count < RUNS_COMPARED; age++)
        if (!(runs_marks(runs, age) & RUN_WARM_UP))
            values[count++] = history_value(&runs->ms, age);
    return count > 1 && quantile(values, count, 0.75) > RUNS_AGREE * quantile(values, count, 0.25);
}

void runs_add(Runs *runs, double ms, bool changed) {
    const double before = history_latest(&runs->ms);
    history_add(&runs->ms, ms);
    *marks_at(runs, 0) = 0;
    if (changed)
        runs->alike = runs->steady = 0;
    runs->warming = changed || (runs->warming && ms < FASTER * before);
    if (changed)
        *marks_at(runs, 0) = RUN_WARM_UP;
    else if (runs->warming)
        *marks_at(runs, 1) |= RUN_WARM_UP; /* since this one is faster */
    runs->alike++;
    runs->steady = runs->warming ? 0 : runs->steady + 1;
    if (runs->steady >= 2 * GROUP && pace_changed(runs)) {
        *marks_at(runs, GROUP - 1) |= RUN_PACE;
        runs->steady = GROUP;
    }
}
