/* walk.h: how the camera goes on by itself. It does so as long as keys are held, and, where it has inertia, for a while
 * after hands let go. */
#ifndef GLINT_APP_VIEW_TOOLS_WALK_H
#define GLINT_APP_VIEW_TOOLS_WALK_H

#include "app/view/session/tool.h"
#include "core/math/vec.h"

#include <stdbool.h>

typedef enum WalkWay { WALK_LEFT, WALK_RIGHT, WALK_UP, WALK_DOWN, WALK_AHEAD, WALK_BACK, WALK_WAYS } WalkWay;

/* Turns a perspective camera about its target, or where it stands if it walks, and moves an orthographic one. */
void viewer_orbit(Viewer *viewer, double dx, double dy);
/* The mouse looks around instead of orbiting, or the other way round. */
bool walk_on(const Viewer *viewer);
void walk_toggle(Viewer *viewer);
/* Movements end slowly, or at once. */
bool walk_has_inertia(const Viewer *viewer);
void walk_toggle_inertia(Viewer *viewer);
/* A key goes down, which is a step, or is let go. */
void walk_press(Viewer *viewer, WalkWay way, bool pressed, bool held);
/* A drag of the camera is let go at so many pixels a second. */
void walk_fling(Viewer *viewer, double x, double y);
bool walk_is_held(const Viewer *viewer); /* by keys */
/* Whether the camera moves by itself. */
bool walk_goes(const Viewer *viewer);
double walk_from(const Viewer *viewer); /* clock_ms of the last step, or when keys begin to be held */
/* Moves it as far as it goes until `now` (clock_ms). */
void walk_go_on(Viewer *viewer, double now);
void walk_stop(Viewer *viewer);
extern const ToolKind walk_tool;

#endif
