/* backends.h: the backends that this build has. */
#ifndef GLINT_APP_BACKENDS_H
#define GLINT_APP_BACKENDS_H

#include "core/base/status.h"

#include <stddef.h>

/* Registers them, the one that "auto" prefers last. Once, when a program starts. */
Status backends_register(void);

/* A level of a backend that this build lacks, and why it does. */
typedef struct AbsentLevel {
    const char *operation, *name, *backend, *idea, *why;
} AbsentLevel;
const AbsentLevel *backends_absent_level(size_t index); /* NULL behind the last */

#endif
