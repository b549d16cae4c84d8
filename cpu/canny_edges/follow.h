/* follow.h: peaks of a picture, and walks from some of them to all that are connected to them.
 * Owns the walk of the levels that follow edges: each pixel is taken once. */
#ifndef GLINT_CPU_CANNY_EDGES_FOLLOW_H
#define GLINT_CPU_CANNY_EDGES_FOLLOW_H

#include "core/device/backend.h"
#include "core/ops/canny.h"

enum { PEAKS_BAND = 64 /* rows */ };
enum { PEAK_WEAK = 1, PEAK_STRONG = 2, PEAK_SEEN = 4 }; /* bits; 0: no peak */

typedef struct Peaks {
    unsigned char *classes; /* with a rim of no peaks, a pixel wide */
    size_t pitch;           /* of these rows */
    size_t *walked;         /* the seen ones, in their order, by their index in classes */
    size_t count;           /* of them */
} Peaks;

static inline size_t peaks_index(const Peaks *peaks, size_t x, size_t y) {
    return (y + 1) * peaks->pitch + x + 1;
}

/* Bands of rows, whose walks may be made at once. */
static inline size_t peaks_bands(Shape shape) {
    return (shape.height + PEAKS_BAND - 1) / PEAKS_BAND;
}

size_t peaks_workspace(const Device *device, const Stage *stage);
/* The classes of in[0], but those of rows that do not count; none is seen. In the queue's scratch memory.
 * STATUS_DEVICE. */
Status peaks_begin(Queue *queue, const Stage *stage, Peaks *peaks);
/* Takes a peak as the first of a walk, unless it is seen, or none. */
void peaks_start(Peaks *peaks, size_t index);
/* Sees all that are connected to those seen from number `first` on; says whether any of these is strong. */
bool peaks_follow(Peaks *peaks, size_t first);

#endif
