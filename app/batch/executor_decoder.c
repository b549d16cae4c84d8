/* executor_decoder.c: the threads that drive the decoders of devices. */
#include "app/batch/executor_threads.h"

#include <stdio.h>

enum { DECODE_SHARES = DECODERS + 1 /* of a device's room for decoded pictures: a batch of each, and ready ones */ };

/* Takes as many works as the device decodes at once, and has room for. They get a share of that room: others are
 * decoded, and wait for the filter, meanwhile. */
static size_t take_plain(Executor *executor, const Thread *thread, Work **works) {
    OnDevice *there = &executor->on_device[thread->device];
    size_t count = 0, bytes = 0;
    if (there->decoder && (there->count > DECODERS * executor->batch || there->bytes > there->max / DECODE_SHARES))
        return 0;
    while (count < executor->batch && executor->packed.first) {
        bytes += shape_bytes(executor->packed.first->encoded.shape);
        if (count > 0 && bytes > there->max / DECODE_SHARES)
            break;
        works[count] = executor_take_ahead(executor, &executor->packed);
        works[count++]->spans.track = thread->track;
    }
    return count;
}

/* decoded[i] is false where the host has to decode. */
static Status decode_there(Executor *executor, const Thread *thread, Work **works, bool *decoded, size_t count) {
    const DeviceCodec *codec = executor->options.codec;
    const int resource = RESOURCE_DEVICE_DECODE + thread->device;
    OnDevice *there = &executor->on_device[thread->device];
    EncodedPicture pictures[BATCH_MAX];
    Frame frames[BATCH_MAX];
    size_t made = 0;
    TRY(executor_check_dropped(executor));
    while (made < count && there->decoder && device_codec_takes(codec, works[made]->encoded.shape) &&
           device_frame_create(executor->options.devices[thread->device], works[made]->encoded.shape, &frames[made]) ==
               STATUS_OK) {
        pictures[made] = works[made]->encoded;
        works[made]->frame = frames[made];
        made++;
    }
    if (made == 0)
        return STATUS_OK;
    pthread_mutex_lock(&there->turn);
    const double start = meter_enter(executor, resource);
    const Status status = codec->decode(there->decoder, pictures, frames, decoded, made);
    const double each = (meter_leave(executor, resource, start) - start) / (double)made;
    pthread_mutex_unlock(&there->turn);
    for (size_t i = 0; i < made; i++)
        spans_add(&works[i]->spans, "device decode", start + each * (double)i, start + each * (double)(i + 1));
    return status;
}

/* Hands a work to the workers of this device, or to the host. Refusals are counted: where most are refused, the host
 * decodes at once. */
static void hand_on(Executor *executor, const Thread *thread, Work *work, bool decoded) {
    Device *device = executor->options.devices[thread->device];
    OnDevice *there = &executor->on_device[thread->device];
    if (!decoded && work->frame.pixels)
        device_frame_destroy(device, &work->frame);
    pthread_mutex_lock(&executor->lock);
    decoded ? executor->device_decoded++ : executor->device_refused++;
    if (decoded) {
        there->count++;
        there->bytes += shape_bytes(work->frame.shape);
        work_move(work, WORK_READY);
        work_queue_push(&there->decoded, work);
        pthread_cond_broadcast(&executor->device);
    } else {
        work_move(work, WORK_REFUSED);
        work_queue_push(&executor->refused, work);
        pthread_cond_signal(&executor->codec);
    }
    pthread_mutex_unlock(&executor->lock);
}

static void decode_batch(Executor *executor, const Thread *thread, Work **works, size_t count) {
    bool decoded[BATCH_MAX] = {false};
    const Status status = decode_there(executor, thread, works, decoded, count);
    char said[512];
    snprintf(said, sizeof said, "%s", status == STATUS_OK ? "" : status_message());
    for (size_t i = 0; i < count; i++) {
        if (status == STATUS_OK) {
            hand_on(executor, thread, works[i], decoded[i]);
            continue;
        }
        if (works[i]->frame.pixels)
            device_frame_destroy(executor->options.devices[thread->device], &works[i]->frame);
        executor_finish(executor, works[i], fail(status, "%s: %s", works[i]->name, said));
    }
}

/* Opening takes tenths of a second; files are read meanwhile. */
static void open_decoder(Executor *executor, const Thread *thread, OnDevice *there) {
    const ExecutorOptions *options = &executor->options;
    const double start = clock_ms();
    const Status status =
        options->codec->open(options->devices[thread->device], options->codec_or_none, &there->decoder);
    profile_trace_add(options->profile_trace, thread->track, "begin", NULL, start, clock_ms() - start);
    if (status == STATUS_OK)
        return;
    there->decoder = NULL;
    pthread_mutex_lock(&executor->lock);
    if (options->codec_or_none) {
        executor->all_codecs = true;
    } else {
        executor->failed = status;
        snprintf(executor->why, sizeof executor->why, "--codec gpu: %s", status_message());
        executor->ended = executor->dropped = true;
    }
    executor_wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
}

/* The first thread to come opens the device's decoder. */
static void come_to_decode(Executor *executor, const Thread *thread) {
    OnDevice *there = &executor->on_device[thread->device];
    pthread_mutex_lock(&there->turn);
    if (!there->asked)
        open_decoder(executor, thread, there);
    there->asked = true;
    there->decoders++;
    pthread_mutex_unlock(&there->turn);
}

/* The last thread to leave closes the decoder. */
static void leave_decoding(Executor *executor, const Thread *thread) {
    OnDevice *there = &executor->on_device[thread->device];
    pthread_mutex_lock(&there->turn);
    if (--there->decoders == 0)
        executor->options.codec->close(&there->decoder);
    pthread_mutex_unlock(&there->turn);
}

void *executor_decoder_thread(void *argument) {
    Thread *thread = argument;
    Executor *executor = thread->executor;
    come_to_decode(executor, thread);
    pthread_mutex_lock(&executor->lock);
    while (!executor_is_over(executor)) {
        Work *works[BATCH_MAX];
        const size_t count = take_plain(executor, thread, works);
        if (count == 0) {
            pthread_cond_wait(&executor->decoder, &executor->lock);
            continue;
        }
        pthread_mutex_unlock(&executor->lock);
        decode_batch(executor, thread, works, count);
        pthread_mutex_lock(&executor->lock);
    }
    pthread_mutex_unlock(&executor->lock);
    leave_decoding(executor, thread);
    return NULL;
}
