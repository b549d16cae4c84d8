/* limits.h: the limits of a kernel in C, which runs as code of its process: it harms that, and no other. */
#ifndef GLINT_KERNEL_HOST_LIMITS_H
#define GLINT_KERNEL_HOST_LIMITS_H

#include <signal.h>

/* From now on, a system call that reaches another process raises SIGSYS. There are no core files, and memory for at
 * most half of the machine's. A system without such filters of calls goes without them. */
void limits_begin(void);
/* The deed that raised this SIGSYS, as "starts a process"; NULL: none that limits_begin forbids. */
const char *limits_deed(const siginfo_t *info);

#endif
