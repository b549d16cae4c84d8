/* dispatch.h: from keys, menus and lines of scripts to actions. */
#ifndef GLINT_APP_VIEW_ACTIONS_DISPATCH_H
#define GLINT_APP_VIEW_ACTIONS_DISPATCH_H

#include "app/view/actions/action.h"

/* "next level": the name as people read it; returns `buffer`. */
const char *action_label(const Action *action, char *buffer, size_t size);
bool action_is_here(const Viewer *viewer, const Action *action);
/* Its keys now, separated by blanks; "" for none. */
const char *action_keys(const Viewer *viewer, const Action *action);
/* Of these the ones that do it in what is shown now; returns `buffer`. */
enum { ACTION_KEYS = 48 };
const char *action_keys_here(const Viewer *viewer, const Action *action, char buffer[ACTION_KEYS]);
/* The action of a key in what is shown now, or NULL. An action of anywhere leaves its key to one that is of what is
 * shown alone, as walking is. */
const Action *action_for_key(const Viewer *viewer, const char *key);
/* All that is carried out, is by this. */
Status action_run(Viewer *viewer, const Action *action, Call call);
/* Whether the key may do anything in what is shown now. */
bool action_knows_key(const Viewer *viewer, const char *key);
/* Whether letting go of it ends something. */
bool action_lets_go(const Viewer *viewer, const char *key);
/* Gives the key to what has the keys: the box that is typed in, an open menu, the help page, the slider under the
 * pointer, else the action. A key
 * that is let go ends what it did while held. STATUS_USAGE for a key that does nothing here. */
Status action_press(Viewer *viewer, const char *key, bool pressed);
/* Does what a line of a script says: the name and, behind blanks, the argument. STATUS_USAGE if there is no such
 * action, or `strict` and it wants an argument that is not there. */
Status action_command(Viewer *viewer, const char *line, bool strict);
/* Opens paths and files' URLs, separated by characters of `between`; the first picture of them that can be used is
 * shown. */
Status action_open_list(Viewer *viewer, const char *list, const char *between);
/* Opens what was copied elsewhere, paths or files' URLs, a line each, or puts the first line into the one that is
 * typed. */
Status action_paste(Viewer *viewer, const char *text);
/* Has the window do that soon, after all that was asked for before, without holding up who asks; `text` may be NULL. */
void action_ask(Viewer *viewer, const Action *action, const char *text);
void action_ask_line(Viewer *viewer, const char *line); /* as scripts have it */
/* Does the first of what was asked for. */
Status action_do_asked(Viewer *viewer);

#endif
