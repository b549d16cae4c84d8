/* ceiling.h: the rates that a device reaches at best, by plain copies and by multiply-adds.
 * Owns how they are measured, and when they have to be measured again. */
#ifndef GLINT_CORE_DEVICE_CEILING_H
#define GLINT_CORE_DEVICE_CEILING_H

#include "core/device/backend.h"

enum { CEILING_TRIES = 4 };

/* The best of all measurements: a figure reached once, undisturbed, can be reached. */
typedef struct Ceiling {
    double rate; /* bytes or flop a second; 0: not known */
    int tries;   /* measurements so far, CEILING_TRIES at most */
    bool busy;   /* other programs had part of the processor during the last one */
} Ceiling;

/* Copies between frames of this shape, or of as many of its rows as 64 MiB hold, for 25 to 50 ms. A copied byte counts
 * as one read and one written. Fails as frame_create and copy do. */
Status ceiling_measure_copies(Queue *queue, Shape shape, Ceiling *ceiling);
/* The backend's f32 arithmetic, a multiply-add counted as two; the rate stays 0 where the backend cannot tell. */
Status ceiling_measure_flops(Queue *queue, Ceiling *ceiling);
/* Whether to measure: for the first time, or again, because the machine was busy or because a level reached more. */
bool ceiling_doubtful(const Ceiling *ceiling, double reached);

#endif
