/* exr.h: OpenEXR files that hold more than a picture: further channels, and texts about them. */
#ifndef GLINT_CORE_CODEC_EXR_H
#define GLINT_CORE_CODEC_EXR_H

#include "core/base/bytes.h"
#include "core/codec/format.h"

/* A value for each pixel, row by row with nothing between; all of it borrowed. */
typedef struct ExrChannel {
    const char *name; /* "Z", or with its layer in front: "normal.X" */
    bool whole;       /* the values are uint32_t, else float */
    const void *values;
} ExrChannel;

/* An attribute of the header. */
typedef struct ExrText {
    const char *name, *text;
} ExrText;

typedef struct ExrMore {
    const ExrChannel *channels;
    size_t channel_count;
    const ExrText *texts;
    size_t text_count;
} ExrMore;

enum { EXR_CHANNELS_MORE = 64 };

/* Encodes a picture of f32 as the format does, with up to EXR_CHANNELS_MORE further channels of its size. These have 32
 * bits whatever the options say. STATUS_USAGE if the build lacks OpenEXR; else fails as Format.save does. */
Status exr_save_with(const Image *image, const ExrMore *more, SaveOptions options, Bytes *file);

#endif
