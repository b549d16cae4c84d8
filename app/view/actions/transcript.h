/* transcript.h: the session as a script that replays (script.h).
 * Owns the file, and the states that it leads to. Actions become lines as they are carried out, by hand or by a script.
 * Moves of the mouse on the picture and on panels become commands with the same effect (states.h). Between them stand
 * the results that were shown, as `frames N`. Scrolled panels have no line, nor have moving spheres, which go by the
 * clock. */
#ifndef GLINT_APP_VIEW_ACTIONS_TRANSCRIPT_H
#define GLINT_APP_VIEW_ACTIONS_TRANSCRIPT_H

#include "app/view/session/viewer.h"

typedef struct Transcript Transcript;

/* Begins viewer->transcript: with all that differs from a new window, and then with each action. Fails as output_claim
 * does. */
Status transcript_begin(Viewer *viewer, const char *path);
/* Without a transcript, the functions below do nothing. */
/* Writes the states that hands have changed. */
void transcript_look(Viewer *viewer);
/* The file appears. STATUS_DEVICE if it cannot be written, now or before; in any case there is no transcript any more.
 */
Status transcript_end(Viewer *viewer);
void transcript_drop(Viewer *viewer); /* there will be no file */

#endif
