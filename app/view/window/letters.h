/* letters.h: what keys type besides ASCII, by X's input method: letters of other alphabets, accents put together.
 * Owns the input context. freeglut reports single bytes alone: on their way to it, such keys become one that nobody
 * has, in the place of each, which on_special reports. */
#ifndef GLINT_APP_VIEW_WINDOW_LETTERS_H
#define GLINT_APP_VIEW_WINDOW_LETTERS_H

#include <stdbool.h>

typedef struct Letters Letters;

enum { LETTERS_MAX = 64 /* bytes of UTF-8 that one key may type, and the zero */ };

/* For the window of the current OpenGL context; NULL where there is no input method: then ASCII alone can be typed. */
Letters *letters_create(void);
void letters_destroy(Letters **letters); /* accepts NULL; the display is still open */
/* Looks at the events that have come and nobody has taken. Accepts NULL. */
void letters_find(Letters *letters);
/* From letters_find until freeglut has taken events, those of keys and the mouse that come are held back: nobody has
 * looked at them. Then they are put before what comes next. */
void letters_hold(bool holds);
/* The next text, where freeglut reports this special key with these modifiers; false if that is a key of the keyboard.
 */
bool letters_take(Letters *letters, int code, int modifiers, char text[LETTERS_MAX]);

#endif
