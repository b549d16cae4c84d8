/* pages.h: blocks of memory that are zero, large ones without being written.
 * Those are pages of the system, huge ones where it has them: what nobody touches takes no memory, and what is
 * touched for the first time costs a fault for 2 MiB, not for 4 KiB. Where memory is to spill (core/base/memory.h),
 * they are pages of files, of which the system keeps in memory what it has room for. */
#ifndef GLINT_CORE_BASE_PAGES_H
#define GLINT_CORE_BASE_PAGES_H

#include "core/base/status.h"

#include <stddef.h>

enum { PAGES_ALIGNMENT = 64 };

/* All 0, aligned. STATUS_DEVICE, and *memory is NULL, without memory, or room on the disk: all that a file will hold is
 * set aside now. */
Status pages_create(size_t bytes, void **memory);
void pages_destroy(void *memory, size_t bytes); /* as many as it was made with; accepts NULL */

#endif
