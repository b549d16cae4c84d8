/* guests.h: a device that other parts of the process use, too: their pixels, their streams, their choice of a device.
 */
#ifndef GLINT_CORE_DEVICE_GUESTS_H
#define GLINT_CORE_DEVICE_GUESTS_H

#include "core/device/backend.h"
#include "core/image/places.h"

struct Guests {
    /* Copies a picture between any places of the device's memory. Enqueued. */
    Status (*arrange)(Queue *queue, Shape shape, Places from, Places to);
    /* These are NULL where the device's memory is the host's, and levels take frames as they lie. */
    /* Makes the device this thread's. Returns the one before, which `leave` makes it again; -1 if it is the same. */
    int (*enter)(Device *device);
    void (*leave)(int before);
    /* Whether levels take a frame that lies there. *inside: whether the device reads and writes memory there at all. */
    bool (*takes)(Device *device, Frame frame, bool *inside);
    /* Work that the queue gets from now on waits for what the stream has now. */
    Status (*follow)(Queue *queue, void *stream);
    /* Work that the stream gets from now on waits for what the queue has now. */
    Status (*lead)(Queue *queue, void *stream);
};

#endif
