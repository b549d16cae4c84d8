/* executor_device.c: the work of a device's worker on a picture in memory. */
#include "app/batch/executor_internal.h"

#include "core/base/interrupt.h"
#include "core/image/icc.h"

/* A device that is out of memory is asked again once the kept pipelines are gone. */
Status executor_open_pipeline(Executor *executor, Device *device, Shape shape, const ToneCurve *tone, StripRoom room,
                              Pipeline **pipeline, Strips *strips) {
    const ExecutorOptions *options = &executor->options;
    PlanOptions how = options->plan;
    Status status = STATUS_OK;
    how.tone = *tone;
    for (int tries = 0; tries < 2; tries++) {
        status = strips_open(options->chain, shape, how, device, options->level, room, strips, pipeline);
        if (status != STATUS_DEVICE || device->backend->host_frames)
            break;
        kept_shrink(executor, 0, 0);
    }
    TRY(status);
    pipeline_queue(*pipeline)->stop = interrupt_stop(); /* a work that was stopped is given up */
    return options->tasks->planned ? options->tasks->planned(options->context, *pipeline, strips) : STATUS_OK;
}

Status executor_fit_pipeline(Executor *executor, Device *device, Shape shape, const ToneCurve *tone,
                             Pipeline **pipeline, Strips *strips) {
    return kept_take(executor, device, shape, tone, pipeline, strips)
               ? STATUS_OK
               : executor_open_pipeline(executor, device, shape, tone, executor->room, pipeline, strips);
}

/* Passes a picture whole that the device has decoded, or will encode. */
static Status pass_whole(Work *work, Pipeline *pipeline, bool decoded, Image *result) {
    const double start = clock_ms();
    if (decoded) {
        TRY(pipeline_take(pipeline, PIPELINE_PICTURE, work->frame, work->encoded.orientation));
    } else {
        TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, work->image->view));
        spans_add(&work->spans, "upload", start, clock_ms());
    }
    TRY(pipeline_run(pipeline, &work->spans));
    if (!result->view.pixels)
        return STATUS_OK;
    const double done = clock_ms();
    TRY(pipeline_download(pipeline, result->view));
    spans_add(&work->spans, "download", done, clock_ms());
    return STATUS_OK;
}

/* Makes *result of *image, without pixels if the device will encode it. */
static Status pass(Executor *executor, const Thread *thread, Work *work, const ToneCurve *tone, Image **image,
                   Pipeline **pipeline, Strips *strips, Image **result) {
    const DeviceCodec *codec = executor->options.codec;
    TRY(executor_fit_pipeline(executor, executor->options.devices[thread->device], (*image)->view.shape, tone, pipeline,
                              strips));
    const Shape made = strips_result(strips, pipeline_result_shape(*pipeline));
    const bool cut = strips_are_cut(strips);
    const bool encodes = thread->coder && work->wishes & WISH_DEVICE_ENCODE && !cut && !work->image->next &&
                         device_codec_takes(codec, made);
    const bool decoded = work->frame.pixels && !cut;
    if (work->frame.pixels && cut)
        TRY(executor_unpack(executor, work));
    TRY(encodes ? image_create_about(made, result) : image_create_unfilled(made, result));
    return decoded || encodes ? pass_whole(work, *pipeline, decoded, *result)
                              : strips_process(strips, *pipeline, (*image)->view, (*result)->view, &work->spans);
}

/* Encodes the result on the device; downloads it for the host to encode if the device refuses. */
static Status encode_there(Executor *executor, const Thread *thread, Work *work, Pipeline *pipeline, Image **result) {
    const ExecutorOptions *options = &executor->options;
    const int resource = RESOURCE_DEVICE_ENCODE + thread->device;
    const Frame frame = pipeline_result(pipeline);
    EncodedPicture encoded = {.shape = frame.shape};
    const double start = meter_enter(executor, resource);
    const Status status = options->codec->encode(thread->coder, frame, options->save, &encoded.bytes);
    spans_add(&work->spans, "device encode", start, meter_leave(executor, resource, start));
    if (status == STATUS_OK)
        work->encoded = encoded;
    if (status != STATUS_INPUT)
        return status;
    image_destroy(result);
    TRY(image_create_unfilled(frame.shape, result));
    return pipeline_download(pipeline, (*result)->view);
}

static Status filter_one(Executor *executor, const Thread *thread, Work *work, const ToneCurve *tone, Image **image) {
    const int resource = RESOURCE_DEVICE + thread->device;
    Pipeline *pipeline = NULL;
    Image *result = NULL;
    Strips strips;
    TRY(executor_check_dropped(executor));
    const double start = meter_enter(executor, resource);
    Status status = pass(executor, thread, work, tone, image, &pipeline, &strips, &result);
    meter_leave(executor, resource, start);
    bytes_free(&work->encoded.bytes);
    if (status == STATUS_OK && !result->view.pixels)
        status = encode_there(executor, thread, work, pipeline, &result);
    if (status != STATUS_OK) {
        pipeline_destroy(&pipeline);
        image_destroy(&result);
        return status;
    }
    kept_add(executor, pipeline, &strips, tone);
    image_replace(image, result);
    return STATUS_OK;
}

/* Filters a picture and all behind it. Frames of an animation have the first one's profile. */
static Status filter(Executor *executor, const Thread *thread, Work *work) {
    const bool linear = executor->options.plan.linear;
    ToneCurve tone = {0};
    for (Image **image = &work->image; *image; image = &(*image)->next) {
        const Image *first = work->image, *from = (*image)->profile || (*image)->seconds <= 0 ? *image : first;
        if (linear)
            TRY(icc_tone(from->profile, from->profile_size, &tone));
        tone.premultiplied = (*image)->premultiplied;
        TRY(filter_one(executor, thread, work, &tone, image));
    }
    return STATUS_OK;
}

static void drop_frame(Executor *executor, int device, Work *work) {
    OnDevice *there = &executor->on_device[device];
    const size_t bytes = shape_bytes(work->frame.shape);
    if (!work->frame.pixels)
        return;
    device_frame_destroy(executor->options.devices[device], &work->frame);
    pthread_mutex_lock(&executor->lock);
    there->count--;
    there->bytes -= bytes;
    pthread_cond_broadcast(&executor->decoder);
    pthread_mutex_unlock(&executor->lock);
}

void executor_filter(Executor *executor, Thread *thread, Work *work) {
    work_move(work, WORK_FILTERING);
    const Status status = filter(executor, thread, work);
    drop_frame(executor, thread->device, work);
    if (status != STATUS_OK) {
        executor_finish(executor, work, fail_within(status, "%s: ", work->name));
        return;
    }
    work_move(work, WORK_FILTERED);
    executor_shrink(executor, work, need_to_encode(&work->need));
    pthread_mutex_lock(&executor->lock);
    while (executor_is_crowded(executor->filtered.count, executor->filtered.bytes, executor->options.codecs))
        pthread_cond_wait(&executor->space, &executor->lock);
    work_queue_push(&executor->filtered, work);
    pthread_cond_signal(&executor->codec);
    pthread_mutex_unlock(&executor->lock);
}
