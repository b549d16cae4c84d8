/* partition.h: how a run shares out its results among blocks of threads, for tools that show it.
 * Owns the note of this thread's last launch. */
#ifndef GLINT_CORE_DEVICE_PARTITION_H
#define GLINT_CORE_DEVICE_PARTITION_H

#include <stddef.h>

typedef struct Partition {
    int launches;    /* of kernels, or of work that the CPU's threads share; the members below are about the last one */
    size_t grid[2];  /* blocks across and down; 0: there are none */
    size_t block[2]; /* threads of a block, across and down */
    size_t tile[2];  /* pixels of a piece of the result, across (0: whole rows) and down (0: not known) */
} Partition;

/* Forgets this thread's launches. */
void partition_begin(void);
/* By backends, at a launch, which is counted. */
void partition_note(Partition launched);
/* Since partition_begin. */
Partition partition_noted(void);

#endif
