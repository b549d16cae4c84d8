/* frames.c: the frames of one stage, kept from job to job. */
#include "app/bench/ladder.h"

void frames_free(Device *device, Frames *frames) {
    for (int k = 0; k < STAGE_INPUTS; k++)
        device->backend->frame_destroy(device, &frames->in[k]);
    device->backend->frame_destroy(device, &frames->out);
}

/* A frame of this shape full of noise; the one that is there if it fits. */
static Status frame_bind(Queue *queue, int input, Shape shape, Frame *frame) {
    const Backend *backend = queue->device->backend;
    if (frame->pixels && shape_equal(frame->shape, shape))
        return STATUS_OK;
    backend->frame_destroy(queue->device, frame);
    Image *noise = NULL;
    TRY(image_create(shape, &noise));
    view_fill_random(noise->view, 11 + (unsigned long)input);
    Status status = backend->frame_create(queue->device, shape, frame);
    if (status == STATUS_OK)
        status = backend->upload(queue, noise->view, *frame);
    if (status == STATUS_OK)
        status = backend->sync(queue);
    image_destroy(&noise);
    return status;
}

Status frames_bind(Queue *queue, Frames *frames, Stage *stage) {
    const Backend *backend = queue->device->backend;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->in[k].shape.width > 0) {
            TRY(frame_bind(queue, k, stage->in[k].shape, &frames->in[k]));
            stage->in[k] = frames->in[k];
        }
    if (!frames->out.pixels || !shape_equal(frames->out.shape, stage->out.shape)) {
        backend->frame_destroy(queue->device, &frames->out);
        TRY(backend->frame_create(queue->device, stage->out.shape, &frames->out));
    }
    stage->out = frames->out;
    return STATUS_OK;
}
