/* keep.h: the operation keep: a picture as it is now, for later.
 * in[0] -> out: equal shapes, bit by bit. Nothing else is put in its frame. */
#ifndef GLINT_CORE_OPS_KEEP_H
#define GLINT_CORE_OPS_KEEP_H

#include "core/stage/stage.h"

typedef struct KeepJob {
    bool unused;
} KeepJob;

extern const Op op_keep;

#endif
