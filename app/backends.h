/* backends.h: the backends that this build has. */
#ifndef GLINT_APP_BACKENDS_H
#define GLINT_APP_BACKENDS_H

#include "core/status.h"

#include <stddef.h>

/* Registers them, the one that "auto" prefers last. Once, when a program starts. */
Status backends_register(void);

/* The levels of backends that this build lacks: their names as levels.def has them, with _ for -, and nothing else. */
typedef struct AbsentLevel {
    const char *operation, *name, *backend, *why;
} AbsentLevel;
const AbsentLevel *backends_absent_level(size_t index); /* NULL behind the last */

#endif
