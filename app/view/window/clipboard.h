/* clipboard.h: text and pictures for other programs to paste, and their text.
 * Owns a connection to the display of its own, since freeglut hands on no selection events. X keeps no copy: the text
 * can be pasted as long as the program runs and serves requests. */
#ifndef GLINT_APP_VIEW_WINDOW_CLIPBOARD_H
#define GLINT_APP_VIEW_WINDOW_CLIPBOARD_H

#include "core/base/bytes.h"
#include "core/base/status.h"

typedef struct Clipboard Clipboard;

/* STATUS_DEVICE if the display does not open. */
Status clipboard_create(Clipboard **clipboard);
void clipboard_destroy(Clipboard **clipboard);
/* Offers a copy of `text` as CLIPBOARD and PRIMARY. */
Status clipboard_offer(Clipboard *clipboard, const char *text);
/* Offers a picture as CLIPBOARD, as "image/png", and takes the bytes over. */
void clipboard_offer_image(Clipboard *clipboard, Bytes png);
/* Asks the owner of CLIPBOARD for its text, and does not wait for it. */
void clipboard_ask(Clipboard *clipboard);
/* The text, once it has come (free with free); else NULL. A text that is too long, and any other data, is "". */
char *clipboard_take(Clipboard *clipboard);
/* Becomes readable when another program wants to paste, or when a requested text has come; then serve. */
int clipboard_descriptor(const Clipboard *clipboard);
void clipboard_serve(Clipboard *clipboard);

#endif
