/* transfer.h: the operation transfer: a picture's way from host memory through a device and back.
 * in[0] -> out: equal shapes, both in host memory, pageable like any other of a program. The result is white minus each
 * value, by a kernel as simple as can be, so that the way takes the time. A timeline shows when each part of a run took
 * place. */
#ifndef GLINT_CORE_OPS_TRANSFER_H
#define GLINT_CORE_OPS_TRANSFER_H

#include "core/stage/stage.h"

enum { TRANSFER_CHUNKS = 16, TRANSFER_STREAMS = 8, TRANSFER_STEPS = 5 * TRANSFER_CHUNKS };

/* A part of a run: S, the host copies to or from a buffer; H, host to device; K, the kernel; D, device to host. */
typedef struct TransferStep {
    char letter;
    int row;          /* 0: the host itself; else a stream, from 1 on */
    double start, ms; /* since the run began */
} TransferStep;

typedef struct Timeline {
    size_t count; /* at most TRANSFER_STEPS */
    TransferStep steps[TRANSFER_STEPS];
} Timeline;

typedef struct TransferJob {
    Timeline *timeline; /* borrowed: a run fills it in; NULL: nobody asks */
} TransferJob;

extern const Op op_transfer;

static inline const TransferJob *transfer_job(const Stage *stage) {
    return (const TransferJob *)stage->job;
}
/* Adds a step; ignored without a timeline, or where it is full. */
void timeline_add(Timeline *timeline, char letter, int row, double start, double ms);

#endif
