/* codec.h: JPEG by nvJPEG, as a backend's codec. */
#ifndef GLINT_GPU_JPEG_CODEC_H
#define GLINT_GPU_JPEG_CODEC_H

#include "core/device_codec.h"

extern const DeviceCodec cuda_jpeg;

/* Frees what coders of this device that were closed have left. It is the current one. */
void jpeg_retire(int device);

#endif
