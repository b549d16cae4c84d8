/* ops.h: the list of all operations (ops.def). */
#ifndef GLINT_CORE_OPS_OPS_H
#define GLINT_CORE_OPS_OPS_H

#include "core/stage/op.h"

extern const Op *const ops[];
extern const size_t op_count;

const Op *op_by_name(const char *name); /* NULL if there is none */

#endif
