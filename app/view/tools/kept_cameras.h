/* kept_cameras.h: cameras of scenes that were kept under names, in the order in which they were kept.
 * Owns the lists of all scenes (app/cameras/camera_list.h), and their file $XDG_STATE_HOME/glint/cameras where the
 * window keeps its state. */
#ifndef GLINT_APP_VIEW_TOOLS_KEPT_CAMERAS_H
#define GLINT_APP_VIEW_TOOLS_KEPT_CAMERAS_H

#include "app/cameras/camera_list.h"
#include "app/view/session/tool.h"

/* The cameras of the scene that is shown: a file, or a generator with whatever parameters. */
size_t cameras_count(const Viewer *viewer);
const char *cameras_name(const Viewer *viewer, size_t index);

/* Keeps the present camera under a name, in the place of one of that name; "" or NULL: the lowest free number.
 * STATUS_USAGE without a scene, for names that a line cannot hold, and beyond CAMERAS_MAX. */
Status cameras_keep(Viewer *viewer, const char *name);
/* STATUS_USAGE if there is none of that name. */
Status cameras_go_to(Viewer *viewer, const char *name);
Status cameras_remove(Viewer *viewer, const char *name);

/* STATUS_USAGE if a film along them is not to be had: it needs two, of one kind. */
Status cameras_check_path(const Viewer *viewer);
/* The camera at a share of the way along them, 0 to 1 (camera_path.h), once cameras_check_path has passed. */
OrbitCamera cameras_along(const Viewer *viewer, double share);

extern const ToolKind kept_cameras_tool;

#endif
