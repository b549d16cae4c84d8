/* progress.h: a bar on a terminal, for work that takes long. */
#ifndef GLINT_APP_PROGRESS_H
#define GLINT_APP_PROGRESS_H

#include "app/common_options.h"

#include <stdbool.h>

typedef struct Progress {
    bool shown;
    double start; /* ms, on clock_ms() */
    double drawn; /* when it was last, while it can be seen; else 0 */
} Progress;

/* Begins now. It is shown on a terminal, unless quiet. */
Progress progress_begin(const CommonOptions *common);
/* Draws "[###.....] TEXT  0:12, 0:21 left" on stderr, for the share of the work that is done, 0 to 1. Times are the
 * time passed, and the time left at that pace. It draws over the last bar, ten times a second at most; once wiped, at
 * once. */
__attribute__((format(printf, 3, 4))) void progress_draw(Progress *progress, double share, const char *format, ...);
/* Draws "TEXT  0:12" where nobody knows the share; `at_once` even if something was drawn just now. */
__attribute__((format(printf, 3, 4))) void progress_tell(Progress *progress, bool at_once, const char *format, ...);
void progress_wipe(Progress *progress);

#endif
