/* pick.h: the part of a scene that was clicked. */
#ifndef GLINT_APP_VIEW_TOOLS_PICK_H
#define GLINT_APP_VIEW_TOOLS_PICK_H

#include "app/view/session/tool.h"
#include "core/scene/scene_pick.h"

/* As it was then: spheres may move. */
typedef struct Picked {
    ScenePick pick;
    uint64_t of;  /* the serial of the scene before changes */
    Vec place[3]; /* a sphere's centre, a lamp's place; a triangle's corners, a cylinder's ends */
    float radius; /* of a sphere */
} Picked;

/* Picks the part of the scene that the window's pixel shows, by one ray on the CPU. It takes up to some hundred
 * milliseconds for ten million spheres. A pixel that shows nothing leaves nothing picked. STATUS_USAGE where no scene
 * is shown. */
Status pick_at(Viewer *viewer, double x, double y);
/* The camera turns until that pixel is in the middle, and orbits about the part that it shows. STATUS_USAGE if it shows
 * nothing. */
Status pick_aim(Viewer *viewer, double x, double y);
/* The thin lens is focused on it. STATUS_USAGE, too, for orthographic cameras. */
Status pick_focus(Viewer *viewer, double x, double y);
/* One ray of the same: its first hit; its part is NULL if it has none. */
Status pick_find(const Viewer *viewer, double x, double y, ScenePick *found);
/* Picks a part by its number, which is below its count in the scene; and shows it as moved, until the scene is. */
void pick_part(Viewer *viewer, const ScenePart *part, size_t index);
void pick_move(Viewer *viewer, Vec at);

/* A lamp that is a point has no surface to be clicked: a mark stands for it. */
typedef struct LampMark {
    size_t index;
    double x, y; /* pixels of the window */
} LampMark;

enum { LAMP_MARKS = 64 };

/* The lamps that shine, ahead of the camera, at most `max`; returns their number. 0 for looks without light. */
size_t pick_lamps(const Viewer *viewer, LampMark *marks, size_t max);
/* The lamp whose mark is there; false if none is. */
bool pick_lamp(const Viewer *viewer, double x, double y, size_t *index);
/* NULL if nothing of the scene that is shown is picked. */
const Picked *picked(const Viewer *viewer);
void unpick(Viewer *viewer);
extern const ToolKind pick_tool;

#endif
