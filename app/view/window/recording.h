/* recording.h: the window's draws, or a part of them, as they follow each other, at a fixed rate (recorder.h).
 * Owns which draw is shown when: by the clock, or, where a script draws, each for one picture of the rate. */
#ifndef GLINT_APP_VIEW_WINDOW_RECORDING_H
#define GLINT_APP_VIEW_WINDOW_RECORDING_H

#include "app/view/window/screen.h"

typedef struct Recording Recording;

/* Begins to record a part of the window, or all of it if the part's width is 0; with `overwrite` over files that exist.
 * Fails as recorder_begin. */
Status recording_begin(Screen *screen, const char *path, Area part, bool overwrite, bool by_draws,
                       Recording **recording);
/* By the clock from now on, or by draws again. NULL is accepted here and below. */
void recording_go_by(Recording *recording, bool by_draws);
/* Whether the draw that follows is another picture. Then it is drawn between these two, which also show it. */
bool recording_due(const Recording *recording);
Status recording_draws(Recording *recording);
Status recording_drawn(Recording *recording);
/* Whether the sign's seconds (viewer->recorded) are old. By draws they never are: each draw would be a picture. */
bool recording_ticks(const Recording *recording);
/* Notes them, for the draw that is made. */
void recording_tell(const Recording *recording);
Status recording_state(const Recording *recording);     /* as recorder_state; accepts NULL */
const char *recording_path(const Recording *recording); /* of its file or folder */
/* Ends the recording, whose file appears. *pictures counts its pictures, *left_out the draws that it did not take
 * because encoding took longer. Fails as recorder_end, and nulls the pointer in any case. */
Status recording_end(Recording **recording, unsigned *pictures, unsigned *left_out);

#endif
