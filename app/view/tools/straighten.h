/* straighten.h: a line that is drawn along the horizon, or along a wall, becomes level or upright.
 * Owns the line. The chain's filter rotate turns by so much more; a chain without one gets it before the crop. It keeps
 * the largest part without empty corners. */
#ifndef GLINT_APP_VIEW_TOOLS_STRAIGHTEN_H
#define GLINT_APP_VIEW_TOOLS_STRAIGHTEN_H

#include "app/view/session/tool.h"

/* Opens the tool, or closes it. STATUS_USAGE if no picture is shown. */
Status straighten_toggle(Viewer *viewer);
bool straighten_on(const Viewer *viewer);
/* The line that is being drawn, from x, y to x, y in the window; false if there is none. */
bool straighten_line(const Viewer *viewer, double line[4]);
/* Degrees clockwise by which a step in pixels has to turn to be level or upright, whichever is nearer. */
double straighten_angle(double across, double down);
extern const ToolKind straighten_tool;

#endif
