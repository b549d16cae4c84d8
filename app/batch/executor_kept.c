/* executor_kept.c: pipelines that serve again, and the limits of all that is kept idle. */
#include "app/batch/executor_kept.h"

enum { KEPT_EACH = 4 /* pipelines for each worker */ };

/* Takes out the pipeline that was used longest ago; the caller holds the lock. */
static Pipeline *drop_oldest(Executor *executor) {
    size_t oldest = 0;
    for (size_t i = 1; i < executor->kept_count; i++)
        if (executor->kept[i].used < executor->kept[oldest].used)
            oldest = i;
    Pipeline *pipeline = executor->kept[oldest].pipeline;
    executor->kept_bytes -= executor->kept[oldest].bytes;
    executor->kept[oldest] = executor->kept[--executor->kept_count];
    return pipeline;
}

void kept_shrink(Executor *executor, size_t bytes, size_t count) {
    for (;;) {
        pthread_mutex_lock(&executor->lock);
        Pipeline *pipeline =
            executor->kept_bytes > bytes || executor->kept_count > count ? drop_oldest(executor) : NULL;
        pthread_mutex_unlock(&executor->lock);
        if (!pipeline)
            return;
        pipeline_destroy(&pipeline);
    }
}

void kept_add(Executor *executor, Pipeline *pipeline, const Strips *strips, const PlanOptions *how) {
    const size_t wanted = KEPT_EACH * (size_t)executor->workers, most = wanted < KEPT_MAX ? wanted : KEPT_MAX;
    const size_t bytes = pipeline_bytes(pipeline); /* may be more when it is asked again, where memory is short */
    Pipeline *dropped = NULL;
    pthread_mutex_lock(&executor->lock);
    if (executor->kept_count == most)
        dropped = drop_oldest(executor);
    executor->kept[executor->kept_count++] = (Kept){pipeline, bytes, *strips, *how, executor->uses++};
    executor->kept_bytes += bytes;
    const size_t limit = executor->kept_limit;
    pthread_mutex_unlock(&executor->lock);
    pipeline_destroy(&dropped);
    kept_shrink(executor, limit, most);
}

bool kept_take(Executor *executor, const Device *device, Shape shape, const PlanOptions *how, Pipeline **pipeline,
               Strips *strips) {
    *pipeline = NULL;
    pthread_mutex_lock(&executor->lock);
    for (size_t i = 0; i < executor->kept_count && !*pipeline; i++) {
        const Kept *kept = &executor->kept[i];
        if (pipeline_device(kept->pipeline) != device || !shape_equal(kept->strips.picture, shape) ||
            !plan_options_equal(&kept->how, how))
            continue;
        *pipeline = kept->pipeline;
        *strips = kept->strips;
        executor->kept_bytes -= kept->bytes;
        executor->kept[i] = executor->kept[--executor->kept_count];
    }
    pthread_mutex_unlock(&executor->lock);
    return *pipeline != NULL;
}

void executor_make_room(Executor *executor) {
    pthread_mutex_lock(&executor->budget.lock);
    const size_t third = (executor->budget.total - executor->budget.taken) / 3;
    pthread_mutex_unlock(&executor->budget.lock);
    block_pool_limit(&executor->pixels.blocks, third);
    if (!executor->options.devices[0]->backend->host_frames)
        return;
    pthread_mutex_lock(&executor->lock);
    executor->kept_limit = third;
    pthread_mutex_unlock(&executor->lock);
    kept_shrink(executor, third, KEPT_MAX);
    for (int i = 0; i < executor->options.device_count; i++)
        (void)device_keep_frames(executor->options.devices[i], third / (size_t)executor->options.device_count);
}
