/* executor_threads.h: the executor's threads, and the step of devices' workers. */
#ifndef GLINT_APP_BATCH_EXECUTOR_THREADS_H
#define GLINT_APP_BATCH_EXECUTOR_THREADS_H

#include "app/batch/executor_state.h"

typedef void Step(Executor *executor, Thread *thread, Work *work);
typedef void *Role(void *thread);

Role executor_codec_thread, executor_decoder_thread;
/* Filters a picture, and between files also decodes and encodes it. */
Step executor_pass;

#endif
