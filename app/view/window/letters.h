/* letters.h: text besides ASCII, by X's input method: letters of other alphabets, accents put together; and signs that
 * are pressed with Ctrl. Owns the input context. freeglut reports single bytes alone: on their way to it, each such key
 * becomes one that no keyboard has, which on_special reports. */
#ifndef GLINT_APP_VIEW_WINDOW_LETTERS_H
#define GLINT_APP_VIEW_WINDOW_LETTERS_H

#include <stdbool.h>

typedef struct Letters Letters;

enum { LETTERS_MAX = 64 /* bytes of UTF-8 that one key may type, and the zero */ };

typedef struct Letter {
    char text[LETTERS_MAX];
    bool sign, shift;   /* it is one character of ASCII that was pressed with Ctrl; and with Shift */
    unsigned long time; /* of the press, on the server's clock */
} Letter;

/* For the window of the current OpenGL context; NULL where there is no input method: then ASCII alone can be typed. */
Letters *letters_create(void);
void letters_destroy(Letters **letters); /* accepts NULL; the display is still open */
/* Looks at the events that have come and nobody has taken. Accepts NULL. */
void letters_find(Letters *letters);
/* From letters_find until freeglut has taken events, newer events of keys and the mouse are held back, since
 * letters_find has not seen them. Then they come before the next ones. */
void letters_hold(bool holds);
/* The next one, where freeglut reports this special key with these modifiers; false if that is a key of the keyboard.
 */
bool letters_take(Letters *letters, int code, int modifiers, Letter *letter);
/* When the key was pressed that freeglut reports as this character of ASCII, on the server's clock; 0 if that is not
 * known. Keys are asked about in their order. Accepts NULL. */
unsigned long letters_time(Letters *letters, unsigned char character);

#endif
