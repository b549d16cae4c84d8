/* save.h: pictures into the files that a command writes (core/base/output.h). */
#ifndef GLINT_CORE_CODEC_SAVE_H
#define GLINT_CORE_CODEC_SAVE_H

#include "core/base/output.h"
#include "core/codec/codec.h"

/* Has a picture, and those behind it, fit the channels that a format (or NULL) takes. An alpha channel that is opaque
 * everywhere goes, gray becomes RGB, or both. Where neither helps, the picture stays: encoding says why. STATUS_DEVICE
 * if memory is short. */
Status picture_fit_channels(const Format *format, Image **image);
/* Adds an encoded picture; `format` may be NULL: then the path's extension names it. Fails as codec_encode does, with
 * the path in front, or as output_append does. */
Status output_append_picture(Output *output, const Format *format, const Image *image, SaveOptions how);
/* A picture in a file, all at once: claim, picture, finish. */
Status output_save_picture(const char *path, OutputRules rules, const Image *image, SaveOptions how);

#endif
