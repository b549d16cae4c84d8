/* executor_kept.h: pipelines that serve again, and the limits of all that an executor keeps idle. */
#ifndef GLINT_APP_BATCH_EXECUTOR_KEPT_H
#define GLINT_APP_BATCH_EXECUTOR_KEPT_H

#include "app/batch/executor_state.h"

/* Destroys the pipelines that were not used for longest, until `bytes` and `count` hold. */
void kept_shrink(Executor *executor, size_t bytes, size_t count);
void kept_add(Executor *executor, Pipeline *pipeline, const Strips *strips, const PlanOptions *how);
/* Takes a pipeline of the device for pictures like this, planned so; false if there is none. */
bool kept_take(Executor *executor, const Device *device, Shape shape, const PlanOptions *how, Pipeline **pipeline,
               Strips *strips);
/* Frees idle pipelines, frames and pixels that the budget has no room for: each may take a third of the memory that is
 * left. */
void executor_make_room(Executor *executor);

#endif
