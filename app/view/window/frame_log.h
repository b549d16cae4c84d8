/* frame_log.h: every frame that was shown, as a line of CSV.
 * Owns the columns, and the file until it is complete. */
#ifndef GLINT_APP_VIEW_WINDOW_FRAME_LOG_H
#define GLINT_APP_VIEW_WINDOW_FRAME_LOG_H

#include "app/view/session/viewer.h"

/* Begins a log that frame_log_close will let appear at `path`. Fails as output_claim and output_begin do: a file that
 * is there must be an earlier log, unless `overwrite`. */
Status frame_log_open(const char *path, bool overwrite, FrameLog **log);
/* The frame whose swap has ended (viewer->pacing). `whole`: the worker does not have the viewer; else its result may
 * not be read, and these columns stay empty. With a NULL log, does nothing. */
void frame_log_add(FrameLog *log, const Viewer *viewer, bool whole);
/* Ends it; with `keep` the file appears, whole or not at all. Fails as output_finish does. Accepts NULL. */
Status frame_log_close(FrameLog **log, bool keep);

#endif
