/* objects.h: the spheres and lamps of a scene, which hands add, move and remove. Each change is one of the scene's text
 * (core/scene/scene_text.h). */
#ifndef GLINT_APP_VIEW_TOOLS_OBJECTS_H
#define GLINT_APP_VIEW_TOOLS_OBJECTS_H

#include "app/view/session/tool.h"

/* Adds a sphere in the middle of the free area, at the camera's target or before the first surface there, and picks
 * it. Its radius is a fifth of half the picture's height there. STATUS_USAGE if no scene is shown; else fails as
 * viewer_change_scene. */
Status objects_add_sphere(Viewer *viewer);
/* Adds a small sphere that shines, above that place. A scene that is shown by the default sun keeps it. */
Status objects_add_lamp(Viewer *viewer);
/* Removes the sphere or lamp that is picked. STATUS_USAGE if none is. */
Status objects_remove(Viewer *viewer);
/* Whether a sphere or lamp is picked, and whether the scene is without it as its file or generator has it. */
bool objects_can_remove(const Viewer *viewer);
bool objects_is_new(const Viewer *viewer);

/* A drag of the sphere or lamp that is picked moves it in the plane through it that faces the camera. A drag of another
 * one picks it first. */
extern const ToolKind objects_tool;

#endif
