/* pick.h: the part of a scene that was clicked. */
#ifndef GLINT_APP_VIEW_TOOLS_PICK_H
#define GLINT_APP_VIEW_TOOLS_PICK_H

#include "app/view/tools/tools.h"
#include "core/scene/scene_pick.h"

/* As it was then: spheres may move. */
typedef struct Picked {
    ScenePick pick;
    uint64_t of;  /* the serial of the scene before changes */
    Vec place[3]; /* a sphere's centre; a triangle's corners */
    float radius; /* of a sphere */
} Picked;

/* Picks the part of the scene that the window's pixel shows, by one ray on the CPU: up to some hundred milliseconds for
 * ten million spheres. A pixel that shows nothing leaves nothing picked. STATUS_USAGE where no scene is shown. */
Status pick_at(Viewer *viewer, double x, double y);
/* The camera turns until that pixel is in the middle, and orbits about the part that it shows. STATUS_USAGE if it shows
 * nothing. */
Status pick_aim(Viewer *viewer, double x, double y);
/* The thin lens is focused on it. STATUS_USAGE, too, for orthographic cameras. */
Status pick_focus(Viewer *viewer, double x, double y);
/* NULL if nothing of the scene that is shown is picked. */
const Picked *picked(const Viewer *viewer);
void unpick(Viewer *viewer);
extern const ToolKind pick_tool;

#endif
