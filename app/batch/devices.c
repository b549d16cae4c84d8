/* devices.c: which devices and codecs take part in a run, and how many threads. */
#include "app/batch/batch.h"
#include "app/device_list.h"
#include "library/tuning.h"

#include <stdlib.h>
#include <string.h>

enum { CODEC_QUEUES = 4 /* in flight on a device that encodes */ };

static Status add_device(Batch *batch, int index, int threads) {
    const Backend *backend = batch->devices[0]->backend;
    Device **device = &batch->devices[batch->device_count];
    if (batch->device_count == EXECUTOR_DEVICES)
        return fail(STATUS_USAGE, "--devices: at most %d", EXECUTOR_DEVICES);
    TRY(backend->open(index, threads, device));
    tuning_load(*device);
    snprintf(batch->names[batch->device_count++], sizeof batch->names[0], "%s:%d", backend->name, index);
    return STATUS_OK;
}

/* Opens the devices of --devices behind the first, which is open. */
static Status add_listed(Batch *batch, const char *list, int threads) {
    int numbers[DEVICE_LIST_MAX], count;
    TRY(device_list_numbers(list, batch->devices[0]->backend, numbers, &count));
    for (int i = 1; i < count; i++)
        TRY(add_device(batch, numbers[i], threads));
    return STATUS_OK;
}

/* The rule of --codec auto: a device decodes and encodes where so many JPEGs are read that its start is paid for.
 * Whether its hardware decodes them is known once it is opened. Runs that need pixels on the host decode there. */
static bool codec_pays(const Batch *batch, const DeviceCodec *codec) {
    enum { PICTURES = 200 };
    return survey_count(batch->survey.inputs, codec->format) >= PICTURES && !batch->sandbox && !batch->options->srgb;
}

static bool codec_wanted(const Batch *batch, const DeviceCodec *codec) {
    const CodecChoice choice = batch->options->codec;
    return !batch->film && (choice == CODEC_GPU || (choice == CODEC_AUTO && codec && codec_pays(batch, codec)));
}

/* All backends are told, since the run's is not known yet. */
void devices_prepare(const Batch *batch) {
    int connections = FEW_CONNECTIONS;
    for (size_t i = 0; i < backend_count(); i++) {
        const DeviceCodec *codec = backend_at(i)->codec;
        if (codec && codec->connections > connections && codec_wanted(batch, codec))
            connections = codec->connections;
    }
    backends_prepare(connections);
}

/* Finds the devices' codec, if it is wanted. Whether it works is known once it is opened, while files are read. */
static Status find_codec(Batch *batch) {
    const Backend *backend = batch->devices[0]->backend;
    const DeviceCodec *codec = backend->codec;
    if (!codec_wanted(batch, codec))
        return STATUS_OK;
    batch->codec = codec;
    return codec ? STATUS_OK
                 : fail(STATUS_DEVICE, "--codec gpu: the %s backend has no codec of its own", backend->name);
}

/* Whether all files hold values as they are in memory, before and behind the filter, as far as names tell, and pass row
 * by row. A journal wants a hash of each. With --retries, an input that is read again would already have been written
 * in part. */
static bool go_straight(const Batch *batch) {
    const BatchOptions *options = batch->options;
    return batch->survey.raw && batch->devices[0]->backend->staging && !batch->film && !batch->sandbox &&
           !options->rules.journal && options->retries == 0 && !options->srgb && options->type_max == PIXEL_F32;
}

/* Whether the devices' codec encodes any output. */
static bool codec_encodes(const Batch *batch) {
    const DeviceCodec *codec = batch->codec;
    return codec && codec->format->shell && codec->format->shell->takes(&batch->options->save) &&
           survey_count(batch->survey.outputs, codec->format) > 0;
}

/* The host works at as many pictures at a time as there are codec threads; the cores that are left over go into each
 * picture. Other devices have two queues each, or four where each also waits for its encoder. Where pictures go
 * straight, all devices together have as many queues as there are codec threads, since workers then do the codecs'
 * work. */
Status devices_open(Batch *batch, int jobs, int *queues) {
    const BatchOptions *options = batch->options;
    CommonOptions common = options->common;
    if (options->devices)
        common.device = device_list_first(options->devices);
    TRY(common_open(&common, &batch->devices[0]));
    const Backend *backend = batch->devices[0]->backend;
    batch->device_count = 1;
    TRY(find_codec(batch));
    batch->straight = go_straight(batch);
    *queues = backend->host_frames ? jobs : codec_encodes(batch) ? CODEC_QUEUES : BATCH_QUEUES;
    if (backend->host_frames && jobs > 1) {
        common.backend = backend->name;
        common.threads = (batch->devices[0]->threads + jobs - 1) / jobs;
        device_close(&batch->devices[0]);
        batch->device_count = 0;
        TRY(common_open(&common, &batch->devices[0]));
        batch->device_count = 1;
    }
    snprintf(batch->names[0], sizeof batch->names[0], backend->host_frames ? "%s" : "%s:%d", backend->name,
             common.device);
    if (options->devices)
        TRY(add_listed(batch, options->devices, common.threads));
    if (batch->straight)
        *queues = (jobs + batch->device_count - 1) / batch->device_count;
    return STATUS_OK;
}

void devices_close(Batch *batch) {
    for (int i = 0; i < batch->device_count; i++)
        if (batch->devices[i]->backend->host_frames)
            device_close(&batch->devices[i]);
}

/* A small picture stands for all, or one like the images that the chain reads. Some picture may be too small or too
 * large for the chain; others may not be. */
Status devices_rehearse(const Batch *batch) {
    const Chain *chain = batch->chain;
    const CommonOptions *common = &batch->options->common;
    PlanOptions how = common->plan;
    Plan *plan;
    Pipeline *pipeline;
    const Shape small = {16, 16, 3, PIXEL_U8};
    how.device = batch->devices[0];
    Status status = chain_plan(chain, chain->image_count > 0 ? chain->images[0].image->view.shape : small, how, &plan);
    if (status == STATUS_OK)
        status = pipeline_create(batch->devices[0], plan, common->level, &pipeline);
    if (status == STATUS_OK)
        pipeline_destroy(&pipeline);
    return status == STATUS_INPUT ? STATUS_OK : status;
}

/* nvJPEG waits by asking again: a thread that drives it keeps a core busy. With cores to spare for them, 1000 JPEGs
 * take 1.75 s on 16 cores and an H100 instead of 2.15 s. At least half of the threads remain. */
int devices_spare(const Batch *batch, int cores, int jobs) {
    enum { DRIVERS = 4 /* of a device */ };
    if (batch->options->jobs || !codec_encodes(batch))
        return 0;
    const int drivers = DRIVERS * batch->device_count, wanted = cores > 2 * drivers ? cores - drivers : (cores + 1) / 2;
    return jobs > wanted ? jobs - wanted : 0;
}
