/* executor_pass.c: a worker's step: a picture passes a pipeline, from its source to its sink.
 *   ROAD_WHOLE    source: pixels in memory, or a frame that the device has decoded; sink: pixels in memory, or the
 *                 device's encoder
 *   ROAD_ROWS     source and sink are files, row by row: straight, or of a picture larger than memory
 *   ROAD_SPILLED  the same, with frames and rows in files */
#include "app/batch/executor_kept.h"
#include "app/batch/executor_threads.h"

#include "core/base/interrupt.h"
#include "core/run/gain_map_move.h"
#include "core/run/rendering.h"

/* A picture on its way. */
typedef struct Passage {
    RowSource source; /* of `from`, and a sink of `to`: they note the worker's current task on the meters */
    RowSink sink;
    RowSource *from; /* files, or NULL */
    RowSink *to;
    bool sink_failed;
    Executor *executor;
    const Thread *thread;
    Device *device;
    Work *work;
    int resource; /* the device's, which the worker is at while it neither reads, writes nor encodes, */
    double since; /* and since when */
    Pipeline *pipeline;
    Strips strips;
    PlanOptions how; /* with what the picture's file tells */
} Passage;

/* ---- pipelines ---- */

/* A device that is out of memory is asked again once the kept pipelines are gone. */
static Status open_pipeline(Passage *passage, Shape shape, StripRoom room) {
    const ExecutorOptions *options = &passage->executor->options;
    Status status = STATUS_OK;
    for (int tries = 0; tries < 2; tries++) {
        status = strips_open(options->chain, shape, passage->how, passage->device, options->level, room,
                             &passage->strips, &passage->pipeline);
        if (status != STATUS_DEVICE || passage->device->backend->host_frames)
            break;
        kept_shrink(passage->executor, 0, 0);
    }
    TRY(status);
    pipeline_queue(passage->pipeline)->stop =
        options->stop ? options->stop : interrupt_stop(); /* a work that was stopped is given up */
    return options->tasks->planned ? options->tasks->planned(options->context, passage->pipeline, &passage->strips)
                                   : STATUS_OK;
}

/* Whether the pipeline is for this picture alone: the host cuts pictures that would fit as a whole elsewhere. */
static bool is_own(const Passage *passage) {
    return passage->work->road != ROAD_WHOLE && passage->device->backend->host_frames;
}

/* Takes a pipeline that was kept, or makes one. Frames of an animation have the first one's profile. */
static Status find_pipeline(Passage *passage, const Image *image) {
    Executor *executor = passage->executor;
    const Image *profiled = image->profile || image->seconds <= 0 ? image : passage->work->image;
    passage->how = executor->options.plan;
    if (passage->how.linear)
        TRY(picture_tone(profiled, &passage->how.tone));
    passage->how.tone.premultiplied = image->premultiplied;
    chain_note_picture(executor->options.chain, image, &passage->how);
    if (is_own(passage))
        return open_pipeline(passage, image->view.shape, executor->strip_room);
    return kept_take(executor, passage->device, image->view.shape, &passage->how, &passage->pipeline, &passage->strips)
               ? STATUS_OK
               : open_pipeline(passage, image->view.shape, executor->room);
}

/* ---- from file to file ---- */

static Status note(Passage *passage, Status status) {
    passage->sink_failed |= status != STATUS_OK;
    return status;
}

static Status read_there(RowSource *source, ImageView rows) {
    Passage *passage = (Passage *)source;
    const double start = meter_turn(passage->executor, passage->resource, passage->since, RESOURCE_DECODE);
    const Status status = passage->from->read(passage->from, rows);
    passage->since = meter_turn(passage->executor, RESOURCE_DECODE, start, passage->resource);
    return status;
}

static Status rewind_there(RowSource *source) {
    const Passage *passage = (const Passage *)source;
    return passage->from->rewind(passage->from);
}

static Status write_there(RowSink *sink, ImageView rows) {
    Passage *passage = (Passage *)((char *)sink - offsetof(Passage, sink));
    const double start = meter_turn(passage->executor, passage->resource, passage->since, RESOURCE_ENCODE);
    const Status status = note(passage, passage->to->write(passage->to, rows));
    passage->since = meter_turn(passage->executor, RESOURCE_ENCODE, start, passage->resource);
    return status;
}

static Status pass_files(Passage *passage, Image **image, Shape made) {
    const ExecutorOptions *options = &passage->executor->options;
    Work *work = passage->work;
    (*image)->view.shape = made;
    TRY(note(passage, options->tasks->open_sink(options->context, work, &passage->to)));
    passage->source = (RowSource){
        .shape = passage->from->shape, .timed = passage->from->timed, .read = read_there, .rewind = rewind_there};
    passage->sink = (RowSink){.shape = passage->to->shape, .write = write_there};
    TRY(strips_run(&passage->strips, passage->pipeline, &passage->source, &passage->sink, &work->spans));
    return note(passage, passage->to->finish ? passage->to->finish(passage->to) : STATUS_OK);
}

/* ---- in memory, and on the device ---- */

/* Passes a picture that the device has decoded, or will encode. */
static Status pass_there(const Passage *passage, bool decoded, Image *result) {
    Work *work = passage->work;
    Pipeline *pipeline = passage->pipeline;
    const double start = clock_ms();
    if (decoded) {
        TRY(pipeline_take(pipeline, PIPELINE_PICTURE, work->frame, work->encoded.orientation));
    } else {
        TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, work->image->view));
        spans_add(&work->spans, "upload", start, clock_ms());
    }
    TRY(pipeline_run(pipeline, passage->executor->options.timed ? &work->spans : NULL));
    if (!result->view.pixels)
        return STATUS_OK;
    const double done = clock_ms();
    TRY(pipeline_download(pipeline, result->view));
    spans_add(&work->spans, "download", done, clock_ms());
    return STATUS_OK;
}

/* Encodes the result on the device; downloads it for the host to encode if the device refuses. */
static Status encode_there(Passage *passage, Image **result) {
    const ExecutorOptions *options = &passage->executor->options;
    const int resource = RESOURCE_DEVICE_ENCODE + passage->thread->device;
    const Frame frame = pipeline_result(passage->pipeline);
    EncodedPicture encoded = {.shape = frame.shape};
    const double start = meter_turn(passage->executor, passage->resource, passage->since, resource);
    const Status status = options->codec->encode(passage->thread->coder, frame, options->save, &encoded.bytes);
    passage->since = meter_turn(passage->executor, resource, start, passage->resource);
    spans_add(&passage->work->spans, "device encode", start, passage->since);
    if (status == STATUS_OK)
        passage->work->encoded = encoded;
    if (status != STATUS_INPUT)
        return status;
    image_destroy(result);
    TRY(image_create_unfilled(frame.shape, result));
    return pipeline_download(passage->pipeline, (*result)->view);
}

/* Makes *result of *image, without pixels if the device has encoded it. */
static Status make_result(Passage *passage, Image **image, Shape made, Image **result) {
    const Thread *thread = passage->thread;
    Work *work = passage->work;
    const bool cut = strips_are_cut(&passage->strips), decoded = work->frame.pixels && !cut;
    const bool encodes = thread->coder && work->wishes & WISH_DEVICE_ENCODE && !cut && !work->image->next &&
                         device_codec_takes(passage->executor->options.codec, made);
    if (work->frame.pixels && cut)
        TRY(executor_unpack(passage->executor, work));
    TRY(encodes ? image_create_about(made, result) : image_create_unfilled(made, result));
    TRY(decoded || encodes
            ? pass_there(passage, decoded, *result)
            : strips_process(&passage->strips, passage->pipeline, (*image)->view, (*result)->view, &work->spans));
    bytes_free(&work->encoded.bytes);
    return encodes ? encode_there(passage, result) : STATUS_OK;
}

static Status pass_pixels(Passage *passage, Image **image, Shape made) {
    Image *result = NULL;
    const Status status = make_result(passage, image, made, &result);
    if (status == STATUS_OK)
        image_replace(image, result);
    else
        image_destroy(&result);
    return status;
}

/* ---- the step ---- */

static void note_precision(Work *work, const PlanOptions *options) {
    work->precision = plan_options_precision(options);
    if (options->precision == PRECISION_AUTO)
        work->choice = options->choice;
}

static Status pass_image(Passage *passage, Image **image) {
    const ExecutorOptions *options = &passage->executor->options;
    const Shape before = (*image)->view.shape;
    TRY(executor_check_dropped(passage->executor));
    TRY(find_pipeline(passage, *image));
    note_precision(passage->work, plan_options(pipeline_plan(passage->pipeline)));
    const Shape made = strips_result(&passage->strips, pipeline_result_shape(passage->pipeline));
    TRY(gain_map_move(options->chain, before, passage->how, *image)); /* while the picture is there */
    TRY((passage->work->road == ROAD_WHOLE ? pass_pixels : pass_files)(passage, image, made));
    if (!is_own(passage) && !passage->how.picture) {
        kept_add(passage->executor, passage->pipeline, &passage->strips, &passage->how);
        passage->pipeline = NULL;
    }
    return STATUS_OK;
}

/* Passes all pictures of the work. */
static Status pass(Passage *passage) {
    const ExecutorOptions *options = &passage->executor->options;
    Work *work = passage->work;
    if (work->road != ROAD_WHOLE) {
        executor_make_room(passage->executor);
        TRY(options->tasks->open_source(options->context, work, &passage->from));
    }
    if (work->frame.pixels && chain_reads_picture(options->chain)) /* the device alone has them */
        TRY(executor_unpack(passage->executor, work));
    for (Image **image = &work->image; *image; image = &(*image)->next)
        TRY(pass_image(passage, image));
    return STATUS_OK;
}

/* Passes a picture with frames and rows in files. Pools get none of them. */
static Status pass_spilled(Passage *passage) {
    PixelSource *const pool = image_source_set(&pixel_pages);
    memory_spill(passage->executor->options.spill);
    const Status status = pass(passage);
    memory_spill(NULL);
    image_source_set(pool);
    pipeline_destroy(&passage->pipeline);
    (void)device_keep_frames(passage->device, 0);
    return status;
}

/* Closes the ends, and gives back the work's share of the device. */
static void end_passage(Passage *passage) {
    Executor *executor = passage->executor;
    Work *work = passage->work;
    OnDevice *there = &executor->on_device[passage->thread->device];
    const bool framed = work->frame.pixels != NULL;
    const size_t frame_bytes = shape_bytes(work->frame.shape);
    row_source_close(&passage->from);
    row_sink_close(&passage->to);
    pipeline_destroy(&passage->pipeline);
    if (work->road != ROAD_WHOLE)
        image_destroy(&work->image);
    meter_leave(executor, passage->resource, passage->since);
    if (framed)
        device_frame_destroy(passage->device, &work->frame);
    pthread_mutex_lock(&executor->lock);
    if (work->road != ROAD_WHOLE) {
        there->passing--;
        there->passing_bytes -= work->need.on_device;
        pthread_cond_broadcast(&executor->device);
    } else if (framed) {
        there->count--;
        there->bytes -= frame_bytes;
        pthread_cond_broadcast(&executor->decoder);
    }
    pthread_mutex_unlock(&executor->lock);
}

static void send_to_codec(Executor *executor, Work *work) {
    work_move(work, WORK_FILTERED);
    executor_shrink(executor, work, need_to_encode(&work->need));
    pthread_mutex_lock(&executor->lock);
    while (executor_is_crowded(executor->filtered.count, executor->filtered.bytes, executor->options.codecs))
        pthread_cond_wait(&executor->space, &executor->lock);
    work_queue_push(&executor->filtered, work);
    pthread_cond_signal(&executor->codec);
    pthread_mutex_unlock(&executor->lock);
}

void executor_pass(Executor *executor, Thread *thread, Work *work) {
    const ExecutorOptions *options = &executor->options;
    Passage passage = {.executor = executor,
                       .thread = thread,
                       .device = options->devices[thread->device],
                       .work = work,
                       .resource = RESOURCE_DEVICE + thread->device};
    passage.since = meter_enter(executor, passage.resource);
    work_move(work, work->road == ROAD_WHOLE ? WORK_FILTERING : WORK_PASSING);
    const Status status = work->road == ROAD_SPILLED ? pass_spilled(&passage) : pass(&passage);
    end_passage(&passage);
    if (status != STATUS_OK) { /* a failed write names its file already */
        const bool named = status == STATUS_DEVICE && passage.sink_failed;
        executor_finish(executor, work, named ? status : fail_within(status, "%s: ", work->name));
    } else if (work->road == ROAD_WHOLE) {
        send_to_codec(executor, work);
    } else {
        options->tasks->passed(options->context, work);
        executor_send_to_disk(executor, work);
    }
}
