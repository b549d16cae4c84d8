/* point_picker.h: clicks on the picture that filters take places from.
 * Owns the table of them. A gray thing gives `whitebalance` its place, and spots are healed one after the other. A
 * chain that has the filter gets it changed, else the filter goes in front of the first crop. */
#ifndef GLINT_APP_VIEW_TOOLS_POINT_PICKER_H
#define GLINT_APP_VIEW_TOOLS_POINT_PICKER_H

#include "app/view/session/tool.h"

/* Open or close the tool for one filter. STATUS_USAGE if no picture is shown. */
Status point_picker_white(Viewer *viewer);
Status point_picker_spots(Viewer *viewer);
bool point_picker_on_white(const Viewer *viewer);
bool point_picker_on_spots(const Viewer *viewer);

/* The words that say how; NULL while the tool is closed. */
const char *point_picker_words(const Viewer *viewer);
/* The ring that a drag draws, in the window: its middle and its radius. False without a drag. */
bool point_picker_ring(const Viewer *viewer, double *x, double *y, double *radius);
extern const ToolKind point_picker_tool;

#endif
