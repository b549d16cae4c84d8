/* share.h: work that all cores share, where no device's queue has threads for it (cpu/team.h).
 * Threads live for one call: starting one takes about 20 us, so a piece should take longer. */
#ifndef GLINT_CORE_BASE_SHARE_H
#define GLINT_CORE_BASE_SHARE_H

#include <stddef.h>

enum { SHARE_CORES_MAX = 1024 };

/* The cores that this process may run on: 1 to SHARE_CORES_MAX. */
size_t share_cores(void);

typedef void ShareWork(const void *job, size_t piece);
/* Carries out all pieces, in any order, by this thread and others, and returns when they are done. Threads that the
 * system does not give leave their pieces to the others. */
void share_pieces(size_t pieces, ShareWork *work, const void *job);

#endif
