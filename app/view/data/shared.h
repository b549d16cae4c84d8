/* shared.h: memory that several owners share, copied when one of them is about to change it.
 * The count of owners is atomic: they may be threads. */
#ifndef GLINT_APP_VIEW_DATA_SHARED_H
#define GLINT_APP_VIEW_DATA_SHARED_H

#include <stddef.h>

/* A block of so many zeroed bytes, with one owner; NULL if memory is short. */
void *shared_create(size_t size);
/* Another owner; returns the block. Each ends with shared_release, which accepts NULL. */
void *shared_retain(void *block);
void shared_release(void *block);
/* The block, where it has one owner. Else a block as large, with the first `used` bytes of this one, which loses an
 * owner. NULL if memory is short: then nothing has changed. */
void *shared_own(void *block, size_t used);

#endif
