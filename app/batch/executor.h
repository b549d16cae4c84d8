/* executor.h: pictures on their way through codecs and devices. They are opened, decoded, filtered, encoded and
 * committed, each by threads of its own. Queues between these are bounded in bytes.
 * Codec threads decode and encode; a result is encoded before more is decoded. Each device has as many workers as it
 * has queues in flight, so that uploads, kernels and downloads of neighbours overlap. Where devices decode, each has
 * two more threads for that. Committers wait for the disk. Pixels and frames come from pools: after a while nothing is
 * allocated.
 *   executor_tasks.h    its owner's tasks, and its options
 *   executor_state.*    queues, meters, and the end of a work
 *   executor_kept.*     pipelines that serve again
 *   executor_threads.h  executor_codec.c: the threads that open, decode and encode;
 *                       executor_decoder.c: those that drive devices' decoders;
 *                       executor_pass.c: the step of devices' workers, a picture from its source to its sink
 *   executor.c          the threads' loops, the disk, and the run */
#ifndef GLINT_APP_BATCH_EXECUTOR_H
#define GLINT_APP_BATCH_EXECUTOR_H

#include "app/batch/executor_tasks.h"

/* How busy threads, devices and the disk were, as shares of the time that the run took. */
typedef struct Busy {
    double decode, encode;                  /* of all codec threads' time: their sum is 1 at most */
    double devices[EXECUTOR_DEVICES], disk; /* of the time in which there was work for them */
    double device_decode[EXECUTOR_DEVICES], device_encode[EXECUTOR_DEVICES]; /* its codec's parts of that time */
    size_t frames, blocks; /* that were allocated on devices, and of the host for pixels */
} Busy;

/* Runs until `open` says that this is the end, and all works are done. STATUS_DEVICE if memory or threads are short; a
 * work's failure is its owner's concern. */
Status executor_run(const ExecutorOptions *options, Busy *busy);
/* From within a task: nothing more is opened. With `drop`, nothing is done either but for works that are being
 * committed: `done` then gets STATUS_INTERRUPTED. */
void executor_stop(Work *work, bool drop);

#endif
