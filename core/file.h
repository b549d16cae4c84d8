/* file.h: whole files in, whole files out.
 * Owns the rule that a reader of an output never sees a part of it. */
#ifndef GLINT_CORE_FILE_H
#define GLINT_CORE_FILE_H

#include "core/codec.h"

/* Reads a regular file or stream to its end ("-": standard input). STATUS_INPUT if it cannot be read, is a folder or
 * is larger than image_budget(). Free with bytes_free. */
Status file_read(const char *path, Bytes *bytes);

/* Writes a temporary file in the same folder, fsyncs it and renames it to `path`; a failure or a signal between leaves
 * no `path` and no temporary file. Without `overwrite` an existing `path` is STATUS_INPUT, decided by the rename itself
 * (no race). A full disk or a missing permission is STATUS_DEVICE. */
Status file_write_atomic(const char *path, Bytes bytes, bool overwrite);

#endif
