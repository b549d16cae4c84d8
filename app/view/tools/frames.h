/* frames.h: going through the frames of particles: by steps, or by itself. */
#ifndef GLINT_APP_VIEW_TOOLS_FRAMES_H
#define GLINT_APP_VIEW_TOOLS_FRAMES_H

#include "app/view/session/tool.h"
#include "core/param/param.h"

/* How many the shown scene's file has; 1 where it has none. */
size_t frames_count(const Viewer *viewer);
bool frames_are_several(const Viewer *viewer);
/* The one that is shown, or asked for, from 1 on; 2.5 is half way to the next. */
double frames_place(const Viewer *viewer);
/* The place as a parameter, of a value that is a double. */
const Param *frames_param(const Viewer *viewer);
/* Asks for a frame, or a place between two, within those that there are. Fails as viewer_ask. */
Status frames_go_to(Viewer *viewer, double place);
/* So many frames on, or back; from the last one to the first. Fails as viewer_ask. */
Status frames_step(Viewer *viewer, int by);
/* They play by themselves, and begin again behind the last. */
bool frames_play(const Viewer *viewer);
void frames_toggle_play(Viewer *viewer);
/* Particles go on between frames while they play, without leaps. */
bool frames_go_between(const Viewer *viewer);
void frames_toggle_between(Viewer *viewer);
extern const ToolKind frames_tool;

#endif
