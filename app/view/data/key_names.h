/* key_names.h: the names of freeglut's keys: "k", "Ctrl+K", "Ctrl+Shift+Z", "Space", "F5", "PageDown". */
#ifndef GLINT_APP_VIEW_DATA_KEY_NAMES_H
#define GLINT_APP_VIEW_DATA_KEY_NAMES_H

#include <stdbool.h>

enum { KEY_MAX = 24 };

/* False for keys without a name. `modifiers` is from glutGetModifiers. */
bool key_of_character(unsigned char code, int modifiers, char key[KEY_MAX]);
bool key_of_special(int code, int modifiers, char key[KEY_MAX]);

#endif
