/* codec.h: JPEG by nvJPEG, as a backend's codec. */
#ifndef GLINT_GPU_JPEG_CODEC_H
#define GLINT_GPU_JPEG_CODEC_H

#include "core/device/device_codec.h"

extern const DeviceCodec cuda_jpeg;

/* Frees the coders of this device that were closed, and its handles unless a coder is open. It is the current one. */
void jpeg_retire(int device);

#endif
