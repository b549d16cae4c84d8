/* walk.h: how the camera goes on by itself: as long as keys are held, and, where it has inertia, for a while after
 * hands let go. */
#ifndef GLINT_APP_VIEW_TOOLS_WALK_H
#define GLINT_APP_VIEW_TOOLS_WALK_H

#include "app/view/tools/tools.h"
#include "core/math/vec.h"

#include <stdbool.h>

typedef enum WalkWay { WALK_LEFT, WALK_RIGHT, WALK_UP, WALK_DOWN, WALK_AHEAD, WALK_BACK, WALK_WAYS } WalkWay;

typedef struct Walk {
    bool on;               /* the mouse looks around instead of orbiting */
    bool inertia;          /* movements end slowly */
    unsigned held;         /* a bit for each WalkWay */
    Vec speed;             /* to the right, up and ahead, shares of the distance to the target a second */
    double turn_x, turn_y; /* pixels a second that a drag goes on by */
    double from;           /* clock_ms, since when held keys are more than a tap; then the last step */
} Walk;

/* Turns a perspective camera about its target, or where it stands if it walks, and moves an orthographic one. */
void viewer_orbit(Viewer *viewer, double dx, double dy);
/* A key goes down, which is a step, or is let go. */
void walk_press(Viewer *viewer, WalkWay way, bool pressed, bool held);
/* A drag of the camera is let go at so many pixels a second. */
void walk_fling(Viewer *viewer, double x, double y);
/* Whether the camera moves by itself. */
bool walk_goes(const Viewer *viewer);
/* Moves it as far as it goes until `now` (clock_ms). */
void walk_go_on(Viewer *viewer, double now);
void walk_stop(Viewer *viewer);
extern const ToolKind walk_tool;

#endif
