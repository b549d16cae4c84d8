/* frames.h: the frames of a window that is shown elsewhere, from its thread to the one that sends them as JPEG.
 * Owns three frames: the one that is drawn, the newest, and the one that is encoded. Nobody waits for the other thread:
 * frames that it does not take in time are never encoded. */
#ifndef GLINT_APP_VIEW_WINDOW_FRAMES_H
#define GLINT_APP_VIEW_WINDOW_FRAMES_H

#include "core/base/bytes.h"

typedef struct Frames Frames;

/* STATUS_DEVICE without memory. */
Status frames_create(Frames **frames);
void frames_destroy(Frames **frames); /* accepts NULL */

/* For the window's thread: room for a frame of this size, four bytes a pixel (RGB and one that is ignored), the lowest
 * row first. NULL without memory. */
unsigned char *frames_room(Frames *frames, int width, int height);
/* The room was filled. False if it is as the frame before, which stays the newest. */
bool frames_keep(Frames *frames);

/* For the other thread: the serial of the newest frame, from 1 on; 0: there is none. */
unsigned frames_newest(Frames *frames);
/* The newest frame as JPEG behind `lead` bytes that are free to be written; borrowed until the next call. `fine`: with
 * all colours and hardly a loss, for a window that rests. *serial is the frame's. STATUS_DEVICE without memory. */
Status frames_encode(Frames *frames, bool fine, size_t lead, Bytes *jpeg, unsigned *serial);

#endif
