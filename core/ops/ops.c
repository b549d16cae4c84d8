/* ops.c: the operations, expanded from ops.def. */
#include "core/ops/ops.h"

#include <string.h>

#define OP(name) extern const Op op_##name;
#include "core/ops/ops.def"
#undef OP

const Op *const ops[] = {
#define OP(name) &op_##name,
#include "core/ops/ops.def"
#undef OP
};
const size_t op_count = sizeof ops / sizeof ops[0];

const Op *op_by_name(const char *name) {
    for (size_t i = 0; i < op_count; i++)
        if (strcmp(ops[i]->name, name) == 0)
            return ops[i];
    return NULL;
}
