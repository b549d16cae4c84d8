/* frames.c: the frames of one stage, kept from job to job. */
#include "app/bench/ladder.h"

void frames_free(Device *device, Frames *frames) {
    for (int k = 0; k < STAGE_INPUTS; k++)
        device->backend->frame_destroy(device, &frames->in[k]);
    device->backend->frame_destroy(device, &frames->out);
}

/* A frame of this shape full of noise; the one that is there if it fits. */
static Status frame_bind(Device *device, int input, Shape shape, Frame *frame) {
    const Backend *backend = device->backend;
    if (frame->pixels && shape_equal(frame->shape, shape))
        return STATUS_OK;
    backend->frame_destroy(device, frame);
    Image *noise = NULL;
    TRY(image_create(shape, &noise));
    view_fill_random(noise->view, 11 + (unsigned long)input);
    Status status = backend->frame_create(device, shape, frame);
    if (status == STATUS_OK)
        status = backend->upload(device, noise->view, *frame);
    if (status == STATUS_OK)
        status = backend->sync(device);
    image_destroy(&noise);
    return status;
}

Status frames_bind(Device *device, Frames *frames, Stage *stage) {
    const Backend *backend = device->backend;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->in[k].shape.width > 0) {
            TRY(frame_bind(device, k, stage->in[k].shape, &frames->in[k]));
            stage->in[k] = frames->in[k];
        }
    if (!frames->out.pixels || !shape_equal(frames->out.shape, stage->out.shape)) {
        backend->frame_destroy(device, &frames->out);
        TRY(backend->frame_create(device, stage->out.shape, &frames->out));
    }
    stage->out = frames->out;
    return STATUS_OK;
}
