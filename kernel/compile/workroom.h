/* workroom.h: a folder for one run of a compiler, which the user alone may enter. */
#ifndef GLINT_KERNEL_COMPILE_WORKROOM_H
#define GLINT_KERNEL_COMPILE_WORKROOM_H

#include "core/base/status.h"

#include <limits.h>

typedef struct Workroom {
    char path[PATH_MAX];
} Workroom;

/* Makes the folder below TMPDIR or /tmp, with glint/kernel.h and clang_cuda.h in it. STATUS_DEVICE. */
Status workroom_open(Workroom *room);
/* Removes it, with all that is in it. */
void workroom_close(Workroom *room);

#endif
