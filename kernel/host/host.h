/* host.h: the process of its own in which kernels run.
 * Owns that process. It is this program, executed again. It maps the memory that the caller filled, runs a kernel,
 * and ends at the first fault: then the next run gets another process. A kernel cannot harm the program. */
#ifndef GLINT_KERNEL_HOST_HOST_H
#define GLINT_KERNEL_HOST_HOST_H

#include "core/base/stop.h"
#include "kernel/host/task.h"

typedef struct KernelHost KernelHost;

#define KERNEL_SECONDS 2.0 /* that a run may take, unless the caller says otherwise */

/* For a device of the backend cpu, cuda or emulated. A run may take so many `seconds` of a GPU. On the processor it may
 * work for so many, and take ten times as many in all. Emulated, each of its blocks may work for so many. The process
 * starts with the first run. STATUS_DEVICE without memory. One thread at a time uses a host. */
Status kernel_host_open(const char *backend, int index, double seconds, KernelHost **host);
void kernel_host_close(KernelHost **host); /* accepts NULL */

/* The common memory: a task, which is zeroed, with `bytes` of room behind it from task_place(sizeof (TaskMemory)) on,
 * whose values stay as they were. Pointers from before are no longer valid. STATUS_DEVICE without memory. */
Status kernel_host_memory(KernelHost *host, size_t bytes, TaskMemory **memory);
/* Runs the task. Results lie in the common memory, which a kernel may have filled with anything; the answer is checked.
 * `stop` asks it to end early; or NULL. STATUS_INPUT if the kernel is at fault: the sentence and `answer->fault` say
 * how. STATUS_DEVICE if the device is not there or the process does not start. STATUS_INTERRUPTED after a signal, or
 * when it was asked to stop. */
Status kernel_host_run(KernelHost *host, const Stop *stop, KernelAnswer *answer);

#endif
