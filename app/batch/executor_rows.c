/* executor_rows.c: pictures that pass row by row, from file to file: straight, or larger than memory. */
#include "app/batch/executor_internal.h"

#include "core/image/icc.h"

typedef struct Passage Passage;

/* Both ends of a passage note the worker's current task on the meters. */
typedef struct PassageSource {
    RowSource source; /* first, so that a RowSource is a PassageSource */
    Passage *passage;
} PassageSource;

typedef struct PassageSink {
    RowSink sink; /* first, as above */
    Passage *passage;
} PassageSink;

/* A picture on its way from one file to the other. */
struct Passage {
    Executor *executor;
    int resource; /* the device's, which the worker is at while it neither reads nor writes, */
    double since; /* and since when */
    PassageSource source;
    PassageSink sink;
    RowSource *from;
    RowSink *to;
    bool sink_failed;
    Pipeline *pipeline;
    Strips strips;
    ToneCurve tone;
};

static Status note(Passage *passage, Status status) {
    passage->sink_failed |= status != STATUS_OK;
    return status;
}

static Status read_there(RowSource *source, ImageView rows) {
    Passage *passage = ((PassageSource *)source)->passage;
    const double start = meter_turn(passage->executor, passage->resource, passage->since, RESOURCE_DECODE);
    const Status status = passage->from->read(passage->from, rows);
    passage->since = meter_turn(passage->executor, RESOURCE_DECODE, start, passage->resource);
    return status;
}

static Status rewind_there(RowSource *source) {
    const Passage *passage = ((PassageSource *)source)->passage;
    return passage->from->rewind(passage->from);
}

static Status write_there(RowSink *sink, ImageView rows) {
    Passage *passage = ((PassageSink *)sink)->passage;
    const double start = meter_turn(passage->executor, passage->resource, passage->since, RESOURCE_ENCODE);
    const Status status = note(passage, passage->to->write(passage->to, rows));
    passage->since = meter_turn(passage->executor, RESOURCE_ENCODE, start, passage->resource);
    return status;
}

static Status pass_rows(Executor *executor, Device *device, Work *work, Passage *passage) {
    const ExecutorOptions *options = &executor->options;
    const bool host = device->backend->host_frames; /* cuts pictures here that would fit as a whole elsewhere */
    Pipeline **pipeline = &passage->pipeline;
    Strips *strips = &passage->strips;
    executor_make_room(executor);
    TRY(executor_check_dropped(executor));
    TRY(options->tasks->open_source(options->context, work, &passage->from));
    if (options->plan.linear)
        TRY(icc_tone(work->image->profile, work->image->profile_size, &passage->tone));
    passage->tone.premultiplied = work->image->premultiplied;
    TRY(host ? executor_open_pipeline(executor, device, work->shape, &passage->tone, executor->strip_room, pipeline,
                                      strips)
             : executor_fit_pipeline(executor, device, work->shape, &passage->tone, pipeline, strips));
    work->image->view.shape = strips_result(strips, pipeline_result_shape(*pipeline));
    TRY(note(passage, options->tasks->open_sink(options->context, work, &passage->to)));
    passage->source = (PassageSource){
        {.shape = passage->from->shape, .timed = passage->from->timed, .read = read_there, .rewind = rewind_there},
        passage};
    passage->sink = (PassageSink){{.shape = passage->to->shape, .write = write_there}, passage};
    TRY(strips_run(strips, *pipeline, &passage->source.source, &passage->sink.sink, &work->spans));
    TRY(note(passage, passage->to->finish ? passage->to->finish(passage->to) : STATUS_OK));
    if (!host) {
        kept_add(executor, *pipeline, strips, &passage->tone);
        *pipeline = NULL;
    }
    return STATUS_OK;
}

/* Passes a picture with frames and rows in files. Pools get none of them. */
static Status pass_spilled(Executor *executor, Device *device, Work *work, Passage *passage) {
    PixelSource *const pool = image_source_set(&pixel_pages);
    memory_spill(executor->options.spill);
    const Status status = pass_rows(executor, device, work, passage);
    memory_spill(NULL);
    image_source_set(pool);
    pipeline_destroy(&passage->pipeline);
    (void)device_keep_frames(device, 0);
    return status;
}

void executor_pass_rows(Executor *executor, Thread *thread, Work *work) {
    const int resource = RESOURCE_DEVICE + thread->device;
    OnDevice *there = &executor->on_device[thread->device];
    Passage passage = {.executor = executor, .resource = resource, .since = meter_enter(executor, resource)};
    Device *device = executor->options.devices[thread->device];
    work_move(work, WORK_PASSING);
    const Status status = work->road == ROAD_SPILLED ? pass_spilled(executor, device, work, &passage)
                                                     : pass_rows(executor, device, work, &passage);
    row_source_close(&passage.from);
    row_sink_close(&passage.to);
    pipeline_destroy(&passage.pipeline);
    image_destroy(&work->image);
    meter_leave(executor, resource, passage.since);
    pthread_mutex_lock(&executor->lock);
    there->passing--;
    there->passing_bytes -= work->need.on_device;
    pthread_cond_broadcast(&executor->device);
    pthread_mutex_unlock(&executor->lock);
    if (status == STATUS_OK) {
        executor->options.tasks->passed(executor->options.context, work);
        executor_send_to_disk(executor, work);
    } else { /* a failed write names its file already */
        const bool named = status == STATUS_DEVICE && passage.sink_failed;
        executor_finish(executor, work, named ? status : fail_within(status, "%s: ", work->name));
    }
}
