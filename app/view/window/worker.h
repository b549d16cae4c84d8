/* worker.h: a thread for long work, while the window goes on.
 * From worker_begin until worker_end succeeds, the worker has the viewer of the task, or the session that was lent to
 * it. So nothing of a viewer needs a lock. */
#ifndef GLINT_APP_VIEW_WINDOW_WORKER_H
#define GLINT_APP_VIEW_WINDOW_WORKER_H

#include "app/view/session/viewer.h"

typedef struct Worker Worker;

/* STATUS_DEVICE if the system has no thread or descriptor left. */
Status worker_create(Worker **worker);
void worker_destroy(Worker **worker); /* waits for the task under way; accepts NULL */

/* Begins a task; none is under way. */
void worker_begin(Worker *worker, Viewer *viewer, ViewerTask *task, void *argument);
/* Waits up to `ms` (below 0: without end) for the task under way. True once it has ended: then *status is its own, with
 * its sentence. */
bool worker_end(Worker *worker, double ms, Status *status);
/* Until the task under way, if any, has ended; worker_end is still to come. Accepts NULL. */
void worker_await(Worker *worker);
void worker_rouse(Worker *worker);           /* a task may begin within a fraction of a ms: the thread will be awake */
double worker_busy_ms(const Worker *worker); /* since the task began; 0 if there is none */
/* Readable from when a task has ended that worker_end has waited for in vain until worker_end. */
int worker_descriptor(const Worker *worker);

#endif
