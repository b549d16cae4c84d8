/* capture.h: drawing into memory instead of the window, so that a screenshot is whole whatever covers the window.
 * Owns the framebuffer it is drawn into. */
#ifndef GLINT_RENDER_CAPTURE_H
#define GLINT_RENDER_CAPTURE_H

#include "core/image/image.h"

typedef struct Capture {
    unsigned framebuffer, colour;
    unsigned before; /* the window's framebuffer, which was bound */
    int width, height;
} Capture;

/* Binds a fresh framebuffer of this size: drawing goes there from now on. STATUS_DEVICE if OpenGL has no room. */
Status capture_begin(Capture *capture, int width, int height);
/* The pixels drawn, u8 with 3 channels, top row first. */
Status capture_read(const Capture *capture, Image **image);
/* Brings the captured pixels into the window, which is as large. */
void capture_show(const Capture *capture);
/* Binds the window again; accepts a capture that failed or never began (zeroed). */
void capture_end(Capture *capture);

#endif
