/* key_names.h: the names of freeglut's keys: "k", "K", "Ctrl+K", "Ctrl+Shift+Z", "Space", "F5", "PageDown". Readers are
 * shown "Shift+K" for "K": capitals alone look like other letters, and like the labels of keys without Shift. */
#ifndef GLINT_APP_VIEW_DATA_KEY_NAMES_H
#define GLINT_APP_VIEW_DATA_KEY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { KEY_MAX = 24 };

/* False for keys without a name. `modifiers` is from glutGetModifiers. */
bool key_of_character(unsigned char code, int modifiers, char key[KEY_MAX]);
bool key_of_special(int code, int modifiers, char key[KEY_MAX]);
/* The key that browsers call `name` (KeyboardEvent.key: "k", "ArrowLeft"), in UTF-8. False for keys without a name
 * here, as those of modifiers. */
bool key_of_browser(const char *name, bool shift, bool control, char key[KEY_MAX]);
/* "Shift+I" for "I"; other names as they are. The first `length` bytes of `key` are the name. Returns `shown`. */
const char *key_shown(const char *key, size_t length, char shown[KEY_MAX]);
/* "I" for "Shift+I" and "Shift+i"; other names as they are. Returns `key`. */
const char *key_of_shown(const char *shown, char key[KEY_MAX]);

#endif
