/* perspective.h: four clicks on the corners of a thing that should be a rectangle make it one.
 * Owns the points so far. The fourth puts a filter perspective into the chain, in front of the first crop. A chain that
 * has one gets handles on its corners instead. */
#ifndef GLINT_APP_VIEW_TOOLS_PERSPECTIVE_H
#define GLINT_APP_VIEW_TOOLS_PERSPECTIVE_H

#include "app/view/session/tool.h"

/* Opens the tool, or closes it. STATUS_USAGE if no picture is shown. */
Status perspective_toggle(Viewer *viewer);
bool perspective_on(const Viewer *viewer);
/* The points so far, in the window; returns how many. */
int perspective_points(const Viewer *viewer, double places[4][2]);
extern const ToolKind perspective_tool;

#endif
