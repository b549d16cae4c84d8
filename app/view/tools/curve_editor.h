/* curve_editor.h: the curve of the selected filter, whose points are dragged.
 * Owns the drag that is going on, and how bright the picture is, to be drawn behind the curve. A drag changes the
 * chain's text: the chain stays the truth. Places and values lie between 0 and 1. */
#ifndef GLINT_APP_VIEW_TOOLS_CURVE_EDITOR_H
#define GLINT_APP_VIEW_TOOLS_CURVE_EDITOR_H

#include "app/view/session/tool.h"
#include "core/image/knots.h"

enum { CURVE_BINS = 256 };
/* The values that a curve bends. */
typedef enum CurveColour { CURVE_RED, CURVE_GREEN, CURVE_BLUE, CURVE_LUMA, CURVE_ALL } CurveColour;
#define CURVE_GAP     0.005 /* from a point to the next one, at least */
#define CURVE_OUTSIDE 0.08  /* so far out of the square, a point is taken away */

/* The point nearest to a place, within an ellipse of these radii around it; -1 if there is none. */
int curve_near(const Knots *knots, double x, double y, double radius_x, double radius_y);
/* Puts a point where it belongs; returns its number, or -1 if there are KNOTS_MAX or one is too near. */
int curve_add(Knots *knots, double x, double y);
/* Moves a point, as far as its neighbours and the square let it. */
void curve_move(Knots *knots, int point, double x, double y);
void curve_remove(Knots *knots, int point); /* of two, none goes */
/* The points as they were with one of them moved, or without it if it was dragged out of the square. */
void curve_drag(const Knots *before, int point, double x, double y, Knots *knots);
/* As knots_parse takes them, in tenths of a percent; the length as snprintf does. */
size_t curve_format(const Knots *knots, char *buffer, size_t size);
/* The curve at `count` places from 0 to 1. */
void curve_values(const Knots *knots, double *values, int count);
/* The shares of a colour's values, or of brightness, from black to white, among some of a picture's pixels. */
void curve_count(ImageView picture, CurveColour colour, double shares[CURVE_BINS]);
CurveColour curve_colour(const Param *param); /* by the name of a filter's curve */

/* The curves of the selected filter, in the order of its parameters; NULL behind the last. */
const Param *curve_editor_curve(const Viewer *viewer, size_t place);
/* The one that is drawn: the chosen one, or the first. NULL if the filter has none. */
const Param *curve_editor_param(const Viewer *viewer, size_t *link);
/* Has the curve of this name drawn from now on, and opens the editor. STATUS_USAGE if the filter has none. */
Status curve_editor_choose(Viewer *viewer, const char *name);
bool curve_editor_knots_of(const Viewer *viewer, const Param *param, Knots *knots);
/* The points of the drawn curve, as the chain has them, or of a straight one; false if the filter has none. */
bool curve_editor_knots(const Viewer *viewer, Knots *knots);
/* The mouse: takes hold of a point, or adds one there; or takes one away. Then the point follows it, until it is let
 * go. */
Status curve_editor_press(Viewer *viewer, double x, double y, double radius_x, double radius_y);
Status curve_editor_remove(Viewer *viewer, double x, double y, double radius_x, double radius_y);
Status curve_editor_drag(Viewer *viewer, double x, double y);
/* The shares of the drawn curve's values in the picture before the filters, up to date: CURVE_BINS of them. */
const double *curve_editor_shares(Viewer *viewer);
Status curve_editor_put(Viewer *viewer, const char *text);
extern const ToolKind curve_editor_tool;

#endif
