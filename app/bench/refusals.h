/* refusals.h: names that bench does not know. */
#ifndef GLINT_APP_BENCH_REFUSALS_H
#define GLINT_APP_BENCH_REFUSALS_H

#include "core/device/backend.h"

/* STATUS_USAGE: the backend has no such level; the message names a backend that has it, if any has. */
Status refuse_level(const char *name, const Op *op, const Backend *backend);
/* STATUS_USAGE: the message lists the operations. */
Status refuse_operation(const char *name);

#endif
