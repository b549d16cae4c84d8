/* op_frame.c: frames on a device, or in pages of the host like any other memory of a program. */
#include "core/device/op_frame.h"

#include "core/stage/op.h"

#include <stdlib.h>
#include <string.h>

enum { HOST_ALIGNMENT = 64 };

Status op_frame_create(const Op *op, Device *device, Shape shape, Frame *frame) {
    if (!op->of_host)
        return device->backend->frame_create(device, shape, frame);
    *frame = (Frame){.stride = 0};
    TRY(shape_check(shape));
    const size_t stride = (shape_row_bytes(shape) + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
    void *pixels = stride <= SIZE_MAX / 2 / shape.height ? aligned_alloc(HOST_ALIGNMENT, stride * shape.height) : NULL;
    if (!pixels)
        return fail(STATUS_DEVICE, "no memory for a frame of %zu x %zu pixels", shape.width, shape.height);
    memset(pixels, 0, stride * shape.height); /* every page is there */
    *frame = (Frame){shape, stride, pixels};
    return STATUS_OK;
}

void op_frame_destroy(const Op *op, Device *device, Frame *frame) {
    if (!op->of_host) {
        device->backend->frame_destroy(device, frame);
        return;
    }
    free(frame->pixels);
    *frame = (Frame){.stride = 0};
}

Status op_frame_upload(const Op *op, Queue *queue, ImageView from, Frame to) {
    if (!op->of_host)
        return queue->device->backend->upload(queue, from, to);
    view_copy(from, to);
    return STATUS_OK;
}

Status op_frame_download(const Op *op, Queue *queue, Frame from, ImageView to) {
    if (!op->of_host)
        return queue->device->backend->download(queue, from, to);
    view_copy(from, to);
    return STATUS_OK;
}
