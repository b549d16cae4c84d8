/* pages.h: blocks of memory that are zero, large ones without being written.
 * Large blocks are pages of the system, huge ones where it has them. Pages that nobody touches take no memory; the
 * first touch costs a fault for 2 MiB, not for 4 KiB. Where memory is to spill (core/base/memory.h), they are pages of
 * files, and the system keeps in memory as many as fit. */
#ifndef GLINT_CORE_BASE_PAGES_H
#define GLINT_CORE_BASE_PAGES_H

#include "core/base/status.h"

#include <stddef.h>

enum { PAGES_ALIGNMENT = 64 };

/* All 0, aligned. STATUS_DEVICE, and *memory is NULL, without memory, or room on the disk: all that a file will hold is
 * set aside now. */
Status pages_create(size_t bytes, void **memory);
/* Asks for huge pages where malloc or realloc gave a large block. A system without them goes on with others. */
void pages_hint(void *memory, size_t bytes);
void pages_destroy(void *memory, size_t bytes); /* as many as it was made with; accepts NULL */

#endif
