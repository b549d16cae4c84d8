/* page_message.h: what a page in a browser tells the window, one message a line of text. Pages are not trusted. */
#ifndef GLINT_APP_VIEW_DATA_PAGE_MESSAGE_H
#define GLINT_APP_VIEW_DATA_PAGE_MESSAGE_H

#include "app/view/data/key_names.h"

enum { PAGE_TEXT_MAX = 65536 /* bytes of a message */, PAGE_NUMBERS = 6 };

/* The numbers of each kind follow its name, in this order; then, for some, a text up to the end. Pixels are the
 * window's, from the top left. */
typedef enum PageKind {
    PAGE_MOVE,   /* x, y */
    PAGE_BUTTON, /* which (0 left, 1 middle, 2 right), pressed, x, y, shift, control */
    PAGE_WHEEL,  /* 1 up or -1 down, x, y, control */
    PAGE_LEAVE,
    PAGE_KEY,   /* pressed, shift, control; the name of the key in a browser (KeyboardEvent.key) */
    PAGE_SIZE,  /* the width and height that the page has for the window */
    PAGE_PASTE, /* a text of the browser's clipboard */
    PAGE_TAKE,  /* steer from now on */
    PAGE_SEEN,  /* the serial of the frame that the page shows */
    PAGE_KINDS
} PageKind;

typedef struct PageMessage {
    PageKind kind;
    int numbers[PAGE_NUMBERS];
    char key[KEY_MAX];            /* of PAGE_KEY, as the window calls it */
    char text[PAGE_TEXT_MAX + 1]; /* of PAGE_PASTE */
} PageMessage;

/* Reads `size` bytes, which need no zero behind them. False for all that no page sends: numbers that are missing or out
 * of range, keys without a name, text that is no UTF-8. Then nothing of *message may be used. */
bool page_message_read(const char *bytes, size_t size, PageMessage *message);

#endif
