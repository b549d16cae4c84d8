/* frames.c: the frames of one stage, kept from job to job. */
#include "app/bench/ladder.h"
#include "core/device/op_frame.h"

void frames_free(Device *device, Frames *frames) {
    for (int k = 0; k < STAGE_INPUTS && frames->op; k++)
        op_frame_destroy(frames->op, device, &frames->in[k]);
    if (frames->op)
        op_frame_destroy(frames->op, device, &frames->out);
}

/* A frame of this shape full of noise; the one that is there if it fits. */
static Status frame_bind(Queue *queue, const Op *op, int input, Shape shape, Frame *frame) {
    if (frame->pixels && shape_equal(frame->shape, shape))
        return STATUS_OK;
    op_frame_destroy(op, queue->device, frame);
    Image *noise = NULL;
    TRY(image_create(shape, &noise));
    view_fill_random(noise->view, 11 + (unsigned long)input);
    Status status = op_frame_create(op, queue->device, shape, frame);
    if (status == STATUS_OK)
        status = op_frame_upload(op, queue, noise->view, *frame);
    if (status == STATUS_OK)
        status = queue->device->backend->sync(queue);
    image_destroy(&noise);
    return status;
}

Status frames_bind(Queue *queue, Frames *frames, Stage *stage) {
    const Op *op = stage->op;
    if (frames->op && frames->op->of_host != op->of_host) /* they lie elsewhere */
        frames_free(queue->device, frames);
    frames->op = op;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->in[k].shape.width > 0) {
            TRY(frame_bind(queue, op, k, stage->in[k].shape, &frames->in[k]));
            stage->in[k] = frames->in[k];
        }
    if (!frames->out.pixels || !shape_equal(frames->out.shape, stage->out.shape)) {
        op_frame_destroy(op, queue->device, &frames->out);
        TRY(op_frame_create(op, queue->device, stage->out.shape, &frames->out));
    }
    stage->out = frames->out;
    return STATUS_OK;
}
