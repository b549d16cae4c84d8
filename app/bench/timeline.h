/* timeline.h: the parts of a way through the device over time: a row for the host and one for each stream. */
#ifndef GLINT_APP_BENCH_TIMELINE_H
#define GLINT_APP_BENCH_TIMELINE_H

#include "app/bench/ladder.h"
#include "core/ops/transfer.h"

enum { TIMELINE_COLUMNS = 64 };

/* The row of a timeline that lasts `ms`: each step's letter from its beginning to its end, at least once; '.' where
 * there is none. False if the row has no steps. */
bool timeline_row(const Timeline *timeline, int row, double ms, char text[TIMELINE_COLUMNS + 1]);
/* Until the last step ends. */
double timeline_ms(const Timeline *timeline);
/* Runs each level of a ladder of transfer once more and prints its timeline, which goes to the profile, too. Other
 * operations have none. */
Status timelines_print(FILE *to, const Ladder *ladder);

#endif
