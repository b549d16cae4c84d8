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
    /* Whether the device reads and writes memory at this address. */
    bool (*holds)(Device *device, const void *address);
    /* Whether levels take a frame as it lies in memory that the device holds. */
    bool (*takes)(Frame frame);
    /* Work that the queue gets from now on goes to the stream, behind what both have now; until `part`. */
    Status (*join)(Queue *queue, void *stream);
    /* The queue leaves the stream. Its later work there, and `sync`, wait for what it left. */
    Status (*part)(Queue *queue);
    /* Work that the queue gets from now on, without a stream, waits for what it left on streams. */
    Status (*stay)(Queue *queue);
};

#endif
