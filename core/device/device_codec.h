/* device_codec.h: devices that decode and encode pictures by themselves, so that pixels never visit the host.
 * The host decides which files they get (FormatShell), and keeps the files' other data. */
#ifndef GLINT_CORE_DEVICE_DEVICE_CODEC_H
#define GLINT_CORE_DEVICE_DEVICE_CODEC_H

#include "core/codec/codec.h"
#include "core/device/backend.h"

/* Decodes and encodes for one thread at a time. A backend's own struct begins with this. */
typedef struct DeviceCoder {
    Device *device;
} DeviceCoder;

typedef struct DeviceCodec {
    const Format *format; /* that it decodes and encodes */
    unsigned shapes;      /* of ShapeSet: the shapes it decodes and encodes */
    size_t batch;         /* pictures that are decoded best at once */
    int connections;      /* to a device, with those of the filters: see backends_prepare */
    /* STATUS_DEVICE with why the device has none; with `hardware_only` also if only its kernels decode. */
    Status (*open)(Device *device, bool hardware_only, DeviceCoder **coder);
    /* Accepts NULL. Parts that take long to make and to free may stay until the device is closed. */
    void (*close)(DeviceCoder **coder);
    /* The coder's name for people: "nvJPEG 13.0, hardware decoder"; returns the length as snprintf does. */
    size_t (*describe)(const DeviceCoder *coder, char *text, size_t size);
    /* Decodes plain pictures into frames of their shapes, and waits. decoded[i] is false for one that the device cannot
     * decode after all. STATUS_DEVICE if the device itself fails. */
    Status (*decode)(DeviceCoder *coder, const EncodedPicture *pictures, const Frame *frames, bool *decoded,
                     size_t count);
    /* Encodes a frame of these shapes, and waits. STATUS_INPUT if it does not encode this one, STATUS_DEVICE if the
     * device itself fails. */
    Status (*encode)(DeviceCoder *coder, Frame frame, SaveOptions options, Bytes *file);
} DeviceCodec;

/* Whether the codec takes pictures of this shape. */
static inline bool device_codec_takes(const DeviceCodec *codec, Shape shape) {
    return codec->shapes >> (4 * (int)shape.type + shape.channels - 1) & 1;
}

#endif
