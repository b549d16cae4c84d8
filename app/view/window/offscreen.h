/* offscreen.h: OpenGL without a display, by EGL: a context without a surface, and a framebuffer in the window's place.
 * One thread has it. */
#ifndef GLINT_APP_VIEW_WINDOW_OFFSCREEN_H
#define GLINT_APP_VIEW_WINDOW_OFFSCREEN_H

#include "core/base/status.h"

typedef struct Offscreen Offscreen;

/* OpenGL 3.3 core of the first device that has it, GPUs before software; its context is current. STATUS_DEVICE in one
 * sentence if there is none. */
Status offscreen_create(Offscreen **offscreen);
void offscreen_destroy(Offscreen **offscreen); /* accepts NULL */
/* Binds the framebuffer, which gets this size. STATUS_DEVICE if OpenGL has no room: then it is as it was. */
Status offscreen_bind(Offscreen *offscreen, int width, int height);
typedef struct OffscreenSize {
    int width, height;
} OffscreenSize;
OffscreenSize offscreen_size(const Offscreen *offscreen);
/* Reads its pixels once they are drawn: four bytes each, the lowest row first. */
void offscreen_read(Offscreen *offscreen, unsigned char *pixels);

#endif
