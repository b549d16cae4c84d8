/* codec.h: JPEG by nvJPEG, as a backend's codec. */
#ifndef GLINT_GPU_JPEG_CODEC_H
#define GLINT_GPU_JPEG_CODEC_H

#include "core/device_codec.h"

extern const DeviceCodec cuda_jpeg;

#endif
