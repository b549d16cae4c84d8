/* replacing.h: files that actions write and that are there already: people are asked, with names that are free.
 * Owns the leave to replace one file, once. */
#ifndef GLINT_APP_VIEW_ACTIONS_MENUS_REPLACING_H
#define GLINT_APP_VIEW_ACTIONS_MENUS_REPLACING_H

#include "app/view/actions/action.h"

/* For Action.doubts, where the argument is a file to write. */
bool replacing_doubts(Viewer *viewer, const Action *action, const char *text);
/* Whether the file may be replaced: scripts say so for all, people for this one, once. */
bool replacing_may(Viewer *viewer, const char *text);

#endif
