/* state_file.h: the window's state on the disk, in $XDG_STATE_HOME/glint/state.
 * Owns the table of states that are kept there (state_file.c), and the list of recent files. */
#ifndef GLINT_APP_VIEW_SESSION_STATE_FILE_H
#define GLINT_APP_VIEW_SESSION_STATE_FILE_H

#include "app/view/data/saved_state.h"
#include "core/base/output.h"

typedef struct Viewer Viewer;

typedef struct StateFile {
    char *path; /* NULL: nowhere */
    bool foreign;
    SavedState state;
    char *written; /* the text in the file, as far as is known; or NULL */
    size_t listed; /* pictures in the viewer's list when one was noted last */
    bool passed;   /* that one was not edited */
} StateFile;

/* Has the viewer take the states of the last run. A file that is not glint's is left alone from then on. */
void state_file_take(StateFile *file, Viewer *viewer);
/* Notes the viewer's states; true if one has changed since the file was read or written. */
bool state_file_follow(StateFile *file, const Viewer *viewer);
/* Writes the file where something has changed; files that other windows have added meanwhile stay in it.
 * STATUS_DEVICE. */
Status state_file_write(StateFile *file);
void state_file_free(StateFile *file); /* accepts a zeroed one */

#endif
