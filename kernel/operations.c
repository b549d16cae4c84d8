/* operations.c: the table. */
#include "kernel/operations.h"

#include "kernel/layout.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

const KernelOperation kernel_operations[] = {
#define OPERATION(name, help) [GLINT_##name] = {#name, help, {starter_##name##_cu, starter_##name##_c}},
#include "kernel/operations.def"
#undef OPERATION
};
const size_t kernel_operation_count = GLINT_OPERATIONS;

Status kernel_operation_named(const char *name, int *operation) {
    const char *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < kernel_operation_count; i++) {
        *operation = (int)i;
        if (strcmp(kernel_operations[i].name, name) == 0)
            return STATUS_OK;
        if (text_closer(name, strlen(name), kernel_operations[i].name, &best))
            close = kernel_operations[i].name;
    }
    if (close)
        return fail(STATUS_USAGE, "no operation \"%s\"; did you mean \"%s\"?", name, close);
    char list[256] = "";
    for (size_t i = 0; i < kernel_operation_count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "", kernel_operations[i].name);
    return fail(STATUS_USAGE, "no operation \"%s\"; want one of %s", name, list);
}
