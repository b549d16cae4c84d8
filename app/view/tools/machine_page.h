/* machine_page.h: the page of what this device costs (core/device/experiment.h).
 * Owns when its curves are measured: while the page is open, a few figures at a time, between draws. */
#ifndef GLINT_APP_VIEW_TOOLS_MACHINE_PAGE_H
#define GLINT_APP_VIEW_TOOLS_MACHINE_PAGE_H

#include "core/device/experiment.h"

typedef struct Viewer Viewer;

/* What is asked for: the window's. */
typedef struct MachinePage {
    bool open;
    unsigned asked; /* how often it was opened: each time it measures again */
} MachinePage;

/* What was measured: the session's. */
typedef struct MachineCurves {
    unsigned asked; /* the MachinePage.asked that they are for; 0: none */
    Curves curves;
} MachineCurves;

void machine_page_toggle(Viewer *viewer);
/* The curves of the device that is taken now, as far as they were measured; NULL before the first figure. */
const Curves *machine_page_curves(const Viewer *viewer);
bool machine_page_due(const Viewer *viewer);
/* The next figures, for a tenth of a second. A figure that cannot be had is left out, and fails once. */
Status machine_page_measure(Viewer *viewer);

#endif
