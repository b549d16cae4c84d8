/* transcript.h: the session as a script that replays (script.h).
 * Owns the file, and what is known to be in it. Actions become lines as they are carried out, whoever asked for them;
 * what the mouse does on the picture and on panels becomes the commands that lead to the same (states.h). Between them
 * stand the results that were shown, as `frames N`. What has no line: how panels are scrolled, and moving spheres,
 * which go by the clock. */
#ifndef GLINT_APP_VIEW_ACTIONS_TRANSCRIPT_H
#define GLINT_APP_VIEW_ACTIONS_TRANSCRIPT_H

#include "app/view/session/viewer.h"

typedef struct Transcript Transcript;

/* Begins viewer->transcript, of all that differs from what a window begins with, and of what is done from now on. Fails
 * as output_claim does. */
Status transcript_begin(Viewer *viewer, const char *path);
/* What follows does nothing without a transcript. */
/* Writes what hands have changed. */
void transcript_look(Viewer *viewer);
/* The file appears. STATUS_DEVICE if it cannot be written, now or before; in any case there is no transcript any more.
 */
Status transcript_end(Viewer *viewer);
void transcript_drop(Viewer *viewer); /* there will be no file */

#endif
