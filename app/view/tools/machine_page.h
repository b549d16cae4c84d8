/* machine_page.h: the page of this device's costs (core/device/experiment.h).
 * Owns when its curves are measured: while the page is open, a few figures at a time, between draws. A figure that
 * cannot be had is left out, and fails once. */
#ifndef GLINT_APP_VIEW_TOOLS_MACHINE_PAGE_H
#define GLINT_APP_VIEW_TOOLS_MACHINE_PAGE_H

#include "app/view/session/tool.h"

/* Whether a page lies over the window, this one or that of keys, beneath which nothing shows or reacts. */
bool viewer_has_page(const Viewer *viewer);
bool machine_page_open(const Viewer *viewer);
void machine_page_toggle(Viewer *viewer);
/* The curves of the device that is taken now, as far as they were measured; NULL before the first figure. */
const Curves *machine_page_curves(const Viewer *viewer);
extern const ToolKind machine_page_tool;

#endif
