/* backends.h: the backends that this build has. */
#ifndef GLINT_APP_BACKENDS_H
#define GLINT_APP_BACKENDS_H

#include "core/status.h"

/* Registers them, the one that "auto" prefers last. Once, when a program starts. */
Status backends_register(void);

#endif
