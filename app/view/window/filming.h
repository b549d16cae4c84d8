/* filming.h: recordings of the window: they begin, take draws, and end by request or by a failure. */
#ifndef GLINT_APP_VIEW_WINDOW_FILMING_H
#define GLINT_APP_VIEW_WINDOW_FILMING_H

#include "app/view/window/glut.h"

/* Begins to record a part of the window, or all of it if the part's width is 0; with `overwrite` over files that exist.
 * STATUS_USAGE if a recording goes on; else fails as recording_begin. */
Status filming_begin(Glut *glut, const char *path, Area part, bool overwrite);
/* Ends the recording behind the pictures that wait to be encoded. The window goes on meanwhile, or waits: in a draw,
 * and when it closes. */
Status filming_end(Glut *glut, bool waits);
/* Whether the recording goes on after a step with this status; a failure ends it. */
bool filming_keep(Glut *glut, Status status);
/* Has the sign's next second drawn. Ends a recording that cannot be written, with its reason; scripts fail. */
void filming_follow(Glut *glut);

#endif
