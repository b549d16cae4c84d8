/* keymap.h: the keys of actions: the table's, unless a file gives others.
 * A line of the file is "ACTION = KEY KEY", with nothing behind '=' for no key; " #" begins a comment. A key that the
 * file gives to one action is taken from the others. */
#ifndef GLINT_APP_VIEW_ACTIONS_KEYMAP_H
#define GLINT_APP_VIEW_ACTIONS_KEYMAP_H

#include "app/view/actions/action.h"

typedef struct Keymap Keymap;

/* Reads `path` as keys of the table's actions, which is borrowed; NULL: $XDG_CONFIG_HOME/glint/keys or
 * ~/.config/glint/keys, if it is there, else none (NULL is stored). STATUS_USAGE "FILE:LINE: ..." for a line that makes
 * no sense, STATUS_INPUT if it cannot be read. */
Status keymap_open(ActionTable table, const char *path, Keymap **keymap);
/* `text` is of `name`, for messages. */
Status keymap_parse(ActionTable table, const char *text, const char *name, Keymap **keymap);
void keymap_close(Keymap **keymap); /* accepts NULL */
/* The action's keys, separated by blanks; "" for none. NULL as `keymap` stands for the table. */
const char *keymap_keys(const Keymap *keymap, const Action *action);

#endif
