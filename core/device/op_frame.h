/* op_frame.h: frames for one operation alone: a device's, but in host memory for operations that begin and end there.
 * Checks and bench, which run a level outside a pipeline, have its frames from here. */
#ifndef GLINT_CORE_DEVICE_OP_FRAME_H
#define GLINT_CORE_DEVICE_OP_FRAME_H

#include "core/device/backend.h"

/* As the backend's functions of these names (core/device/backend.h). */
Status op_frame_create(const Op *op, Device *device, Shape shape, Frame *frame);
void op_frame_destroy(const Op *op, Device *device, Frame *frame);
Status op_frame_upload(const Op *op, Queue *queue, ImageView from, Frame to);
Status op_frame_download(const Op *op, Queue *queue, Frame from, ImageView to);

#endif
