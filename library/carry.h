/* carry.h: pixels between the caller's memory and a device's frames.
 * Owns the choice of a way: as they lie, by a copy of the device's, or through the host's memory; and counts bytes. */
#ifndef GLINT_LIBRARY_CARRY_H
#define GLINT_LIBRARY_CARRY_H

#include "library/library.h"

typedef struct Carrier {
    Device *device;
    Queue *queue;
    GlintCopied copied; /* so far */
} Carrier;

/* STATUS_USAGE if the pictures are on a device, and that is not this one. */
Status carry_check(const Carrier *carrier, const char *what, const Pictures *pictures);
/* Whether levels take the picture where it lies: *frame is then that, else without pixels. */
bool carry_lends(const Carrier *carrier, Shape shape, const Pictures *of, Places places, Frame *frame);
/* Copies a picture of `of` into a frame. Enqueued; pixels of the host are not needed behind the call. Fails as the
 * backend's uploads do. */
Status carry_in(Carrier *carrier, const Pictures *of, Places from, Frame to);
/* Copies a frame to its place in `of`. Enqueued if that is on the device, else it waits. */
Status carry_out(Carrier *carrier, Frame from, const Pictures *of, Places to);

#endif
