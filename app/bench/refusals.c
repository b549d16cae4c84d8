/* refusals.c: names that bench does not know. */
#include "app/bench/refusals.h"

#include "app/backends.h"
#include "core/ops/ops.h"

#include <stdio.h>
#include <string.h>

Status refuse_level(const char *name, const Op *op, const Backend *backend) {
    const AbsentLevel *absent;
    for (size_t i = 0; i < backend_count(); i++)
        if (level_by_name(backend_at(i), op, name))
            return fail(STATUS_USAGE, "bench: no level \"%s\" for %s on %s; %s has one", name, op->name, backend->name,
                        backend_at(i)->name);
    for (size_t i = 0; (absent = backends_absent_level(i)); i++)
        if (strcmp(absent->operation, op->name) == 0 && strcmp(absent->name, name) == 0)
            return fail(STATUS_USAGE, "bench: level %s of %s is %s's, and %s", name, op->name, absent->backend,
                        absent->why);
    return fail(STATUS_USAGE, "bench: no level \"%s\" for %s on %s", name, op->name, backend->name);
}

Status refuse_operation(const char *name) {
    char list[1024] = "";
    for (size_t i = 0, length = 0; i < op_count && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s, ", ops[i]->name);
    return fail(STATUS_USAGE, "bench: no operation \"%s\"; want %schain or machine", name, list);
}
