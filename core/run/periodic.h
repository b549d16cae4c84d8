/* periodic.h: a picture that continues periodically, as a source of rows. */
#ifndef GLINT_CORE_RUN_PERIODIC_H
#define GLINT_CORE_RUN_PERIODIC_H

#include "core/image/rows.h"

/* A picture with its last rows above it, and its first ones below it. */
typedef struct Periodic {
    RowSource source; /* first, so that a RowSource is a Periodic */
    RowSource *once;
    size_t around, next;
    Image *head, *tail;
} Periodic;

/* Reads `once` (borrowed) to its end, rewinds it, and makes periodic->source of it. The source has `around` of its last
 * rows in front, and as many of its first ones behind. Fails as its reads and image_create do; ended by periodic_end
 * either way.
 */
Status periodic_begin(Periodic *periodic, RowSource *once, size_t around);
void periodic_end(Periodic *periodic); /* accepts a zeroed one */

#endif
