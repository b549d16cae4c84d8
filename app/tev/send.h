/* send.h: a picture that is sent to a viewer while it is made.
 * Owns the connection, and the bytes that the viewer has not taken yet. The maker of the picture waits for the viewer
 * at its end alone. */
#ifndef GLINT_APP_TEV_SEND_H
#define GLINT_APP_TEV_SEND_H

#include "core/image/image.h"

typedef struct Sender Sender;

/* Connects (address.h) for pictures under one name. `token` may be NULL (listen.h). Fails as address_connect does. */
Status sender_open(const char *address, const char *token, const char *name, Sender **sender);
/* Sends as much as the viewer takes at once; *ready: that is all there was. STATUS_DEVICE if the viewer is gone. */
Status sender_go_on(Sender *sender, bool *ready);
/* Puts a picture behind what waits, and begins to send it. The first one, and one of another shape, creates it. u8 and
 * u16 are values that a screen shows, and go as light; f32 is light. Alpha multiplies colours. Fails as sender_go_on
 * does, or without memory. */
Status sender_put(Sender *sender, ImageView picture);
/* Waits until all is sent. STATUS_DEVICE if the viewer takes nothing for 10 s; STATUS_INTERRUPTED by a signal. */
Status sender_finish(Sender *sender);
void sender_close(Sender **sender); /* the picture stays with the viewer; accepts NULL */
/* Bytes that pictures of this shape need on their way. */
size_t sender_memory(Shape shape);

#endif
