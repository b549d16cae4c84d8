/* cache.h: results of compilers as files in $XDG_CACHE_HOME/glint/kernels.
 * Owns their format, and the bound of the folder's size: the results that were not used for the longest time go. */
#ifndef GLINT_KERNEL_COMPILE_CACHE_H
#define GLINT_KERNEL_COMPILE_CACHE_H

#include "kernel/compile/binary.h"

#include <stdint.h>

/* Everything that a result depends on, in one number. */
typedef uint64_t CacheName;

/* Adds to a name. The number of bytes counts, too, so that parts are not mixed up. */
CacheName cache_name_add(CacheName name, const void *data, size_t size);
CacheName cache_name_add_text(CacheName name, const char *text); /* NULL: as "" */

/* A result of that name: its bytes, log and compiler. False if there is none that can be used. */
bool cache_find(CacheName name, KernelBinary *binary);
/* Keeps a result; where that is not possible, nothing is kept. */
void cache_keep(CacheName name, const KernelBinary *binary);

enum { CACHE_BYTES = 64 << 20, CACHE_FILES = 2000 };

#endif
