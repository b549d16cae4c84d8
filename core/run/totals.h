/* totals.h: the operations reduce and dot, each by itself: sums over frames of a device, told to the host. */
#ifndef GLINT_CORE_RUN_TOTALS_H
#define GLINT_CORE_RUN_TOTALS_H

#include "core/device/backend.h"
#include "core/ops/dot.h"
#include "core/ops/reduce.h"

/* By the best level of the queue's device; waits. One result for each channel of `a`; `b` is ignored by a job that
 * takes no differences. Fails as the operation's shape (frames of different shapes: STATUS_INPUT) and the backend do;
 * STATUS_INTERRUPTED if the queue was stopped. */
Status totals_reduce(Queue *queue, Frame a, Frame b, ReduceJob job, Reduction results[REDUCE_CHANNELS]);
Status totals_dot(Queue *queue, Frame a, Frame b, double products[DOT_CHANNELS]);

#endif
