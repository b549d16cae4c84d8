/* guests.h: pixels and streams of callers on a GPU. */
#ifndef GLINT_GPU_GUESTS_H
#define GLINT_GPU_GUESTS_H

#include "core/device/guests.h"

extern const Guests gpu_guests;

/* gpu/arrange.cu: its `arrange`. */
Status gpu_arrange(Queue *queue, Shape shape, Places from, Places to);

#endif
