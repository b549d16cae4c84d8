/* stage.h: one operation with its inputs and its job, as a step of a pipeline: what a level gets to carry out.
 * It knows no operation: core/op.h describes them, and core/ops/NAME.h has the job of each. */
#ifndef GLINT_CORE_STAGE_H
#define GLINT_CORE_STAGE_H

#include "core/image.h"

enum { STAGE_INPUTS = 3 };

/* The same pixels as an ImageView, held by a backend, where its kernels can reach them (host or device memory). */
typedef ImageView Frame;

typedef struct Op Op; /* core/op.h */

/* Copied by value; borrows everything. */
typedef struct Stage {
    const Op *op;
    const char *label;      /* for spans and messages: "gaussian" */
    Frame in[STAGE_INPUTS]; /* zeroed where there is no input */
    Frame out;
    const void *job; /* the op's own struct: convolve_job(stage), point_job(stage), ... */
} Stage;

#endif
