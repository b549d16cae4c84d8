/* mask_store.h: painted masks in $XDG_STATE_HOME/glint/masks/, a folder for each window that paints.
 * Owns the file "sidecars" in each: the sidecars next to pictures that have named its masks, a path a line. A mask that
 * none of them names any more, nor a sidecar in edits/, nor a preset, is removed once it is 30 days old. */
#ifndef GLINT_APP_VIEW_SESSION_MASK_STORE_H
#define GLINT_APP_VIEW_SESSION_MASK_STORE_H

#include <time.h>

#define MASK_KEPT_NAME "kept" /* a file of this name in a folder: its masks stay, as a transcript names them */

/* A sidecar has this text: folders of masks that it names list its path, and their age begins again. */
void mask_store_note(const char *sidecar, const char *text);
/* Removes old masks that nothing names, and folders without masks. A mask stays if a sidecar of its list is gone
 * together with its picture. Both may have moved; opening them lists them again. */
void mask_store_clean(time_t now);

#endif
